//! Any bytes as text, through both cascades, for tools of every kind.

#![no_main]

use callmend_fuzz::{SUBJECTS, check_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for subject in SUBJECTS.iter() {
        match std::str::from_utf8(data) {
            Ok(text) => check_text(subject, text),
            Err(_) => assert!(!subject.standard.run(data).is_dispatchable()),
        }
    }
});
