//! The lenient parser against serde_json: strict JSON reads the same, and what reads without a
//! relaxation is strict JSON.

#![no_main]

use callmend_parse_leniency::{Guide, parse};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let theirs = serde_json::from_str::<Value>(text);
    match (parse(text, Guide::NONE), theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours.value, theirs, "one text, two values"),
        (Ok(ours), Err(error)) => {
            assert!(!ours.relaxed.is_empty(), "no relaxation, and yet not JSON: {error}");
        }
        // Two refusals are ours alone (contract, section 4): unequal duplicates and integers
        // that would be rounded; and a root that is not a container is no arguments.
        (Err(_), _) => {}
    }
});
