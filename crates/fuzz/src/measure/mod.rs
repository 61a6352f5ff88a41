//! The checker of P2 is that of `cargo xtask measure`, included as it stands.

#[path = "../../../../xtask/src/measure/provenance.rs"]
pub(crate) mod provenance;
