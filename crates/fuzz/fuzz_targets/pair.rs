//! Any pair of a schema and a call (two lines of JSON), as value and as text, through both
//! cascades.

#![no_main]

use callmend_fuzz::{Subject, check_text, check_value};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

fuzz_target!(|text: &str| -> Corpus {
    let Some((schema, call)) = text.split_once('\n') else {
        return Corpus::Reject;
    };
    let Some(subject) = serde_json::from_str(schema)
        .ok()
        .filter(Value::is_object)
        .and_then(|schema| Subject::new("tool", schema))
    else {
        return Corpus::Reject;
    };
    check_text(&subject, call);
    if let Ok(value) = serde_json::from_str::<Value>(call) {
        check_value(&subject, &value);
    }
    Corpus::Keep
});
