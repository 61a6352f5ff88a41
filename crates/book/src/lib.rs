//! The examples of the README and of the book, as doctests: one that no longer compiles or no
//! longer holds fails the tests.

macro_rules! pages {
    ($($name:ident: $path:literal),* $(,)?) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!($path)]
            mod $name {}
        )*
    };
}

pages! {
    readme: "../../../README.md",
    audit_trail: "../../../docs/src/audit-trail.md",
    five_minutes: "../../../docs/src/five-minutes.md",
    use_one_stage: "../../../docs/src/use-one-stage.md",
    write_a_stage: "../../../docs/src/write-a-stage.md",
    write_a_tool_repair: "../../../docs/src/write-a-tool-repair.md",
}
