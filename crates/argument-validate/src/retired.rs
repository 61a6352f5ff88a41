//! The names that tools no longer take (contract, section 10.3).
//!
//! The table is [`DEFAULT`]. A host extends it by registering a
//! [`RetiredEntry`](callmend_stage::registry::RetiredEntry) through `inventory`, or replaces it
//! with [`ArgumentValidate::with_retired`](crate::ArgumentValidate::with_retired). It lives in
//! callmend-stage, since strict-reject says the same of a retired name.

pub use callmend_stage::retired::{DEFAULT, DRY_RUN_RETIRED, OPS_RETIRED, in_force, message};
