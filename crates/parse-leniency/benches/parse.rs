//! Text to `Value`.
fn main() {}
