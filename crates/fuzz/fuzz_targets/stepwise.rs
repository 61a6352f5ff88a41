//! The stages run one by one do what the pipeline does.

#![no_main]

use callmend_fuzz::{SUBJECTS, check_stepwise};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for subject in SUBJECTS.iter() {
        check_stepwise(subject, text);
    }
});
