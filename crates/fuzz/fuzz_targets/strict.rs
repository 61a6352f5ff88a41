//! The lenient parser against serde_json: strict JSON reads the same, and what reads without a
//! relaxation is strict JSON.

#![no_main]

use callmend_parse_leniency::{Guide, Options, parse};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let theirs = serde_json::from_str::<Value>(text);
    match (parse(text, Guide::NONE, Options::embedded()), theirs) {
        (Ok(ours), Ok(theirs)) if theirs.is_object() || theirs.is_array() => {
            // Two readings of strict JSON are ours alone (contract, section 4): equal duplicates
            // collapse into one, and an escaped layer of JSON is taken off.
            assert!(!ours.relaxed.is_strict() || ours.value == theirs, "one text, two values");
        }
        (Ok(ours), Err(error)) => {
            assert!(!ours.relaxed.is_strict(), "no relaxation, and yet not JSON: {error}");
        }
        (Err(error), Ok(Value::Object(_) | Value::Array(_))) => {
            use callmend_parse_leniency::ErrorKind::{DuplicateKey, NumberOutOfRange};
            let ours_alone = matches!(error.kind, DuplicateKey(_) | NumberOutOfRange);
            assert!(ours_alone, "strict JSON, and refused: {error:?}");
        }
        _ => {}
    }
});
