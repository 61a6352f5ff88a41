//! Every fixture of profiles: what valid files give, and what is said of faulty ones.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use callmend::{Cascade, Closure};
use callmend_profiles::{Known, Profile, Profiles};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/profiles")
        .join(name)
}

fn files(name: &str) -> Vec<(String, String)> {
    let mut files: Vec<_> = std::fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "toml"))
        .map(|path| {
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (stem, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// The stages are spelled out, so that the snapshots do not depend on what is compiled in.
fn known() -> Known {
    let mut known = Known::default().with_tools(["find", "read", "write"]);
    known.stages = [
        "parse-leniency",
        "markup-split",
        "alias-rename",
        "argument-validate",
    ]
    .map(str::to_owned)
    .to_vec();
    known
}

#[test]
fn valid_files_give_what_is_beside_them() {
    let files = files("valid");
    assert!(files.len() >= 3);
    for (name, text) in files {
        let profiles = Profiles::parse(&text, &known()).unwrap();
        let expected =
            std::fs::read_to_string(folder("valid").join(format!("{name}.json"))).unwrap();
        let expected: Map<String, Value> = serde_json::from_str(&expected).unwrap();
        assert!(!expected.is_empty());
        for (model, expected) in expected {
            assert_eq!(
                described(&profiles.for_model(&model)),
                expected,
                "{name}: {model}"
            );
        }
    }
}

fn described(profile: &Profile) -> Value {
    let closure = profile.closure.map(|closure| match closure {
        Closure::Authored => "authored",
        Closure::Synthesized => "synthesized",
        _ => "closed",
    });
    let cascade = match profile.cascade {
        Cascade::Standard => "standard",
        _ => "extended",
    };
    json!({
        "repair": profile.repair, "cascade": cascade, "stages": profile.stages,
        "tools": profile.tools, "closure": closure,
    })
}

#[test]
fn errors_name_the_line_and_the_nearest() {
    let mut page = String::new();
    for (name, text) in files("errors") {
        let error = match Profiles::parse(&text, &known()) {
            Err(error) => error,
            Ok(_) => panic!("{name} is valid"),
        };
        writeln!(page, "{name}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(page);
}

#[test]
fn without_a_list_of_tools_every_name_is_taken() {
    let mut known = known();
    known.tools = None;
    assert!(Profiles::parse("[\"*\"]\ntools = [\"anything\"]", &known).is_ok());
}

#[test]
fn a_long_list_of_names_is_cut() {
    let known = known().with_tools((0..30).map(|n| format!("tool_{n}")));
    let error = Profiles::parse("[\"*\"]\ntools = [\"x\"]", &known).unwrap_err();
    let text = error.to_string();
    assert!(text.ends_with("tool_18, tool_19 and 10 more)"), "{text}");
}
