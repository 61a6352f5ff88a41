//! Every sentence of the contract's section 4 as a test, each repair beside the nearest neighbour
//! that must not be repaired.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that finds nothing should fail its test"
)]

use callmend_parse_leniency::plan;
use callmend_stage::{Delivered, Draft, Tool, Verdict};
use serde_json::{Value, json};

fn tool() -> Tool {
    Tool::new(
        "edit",
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "text": {"type": "string"},
                "limit": {"type": "integer"},
                "ratio": {"type": "number"},
                "all": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "nums": {"type": "array", "items": {"type": "number"}},
                "free": {"type": "object"},
                "edits": {"type": "array", "items": {"type": "object", "properties": {
                    "old": {"type": "string"}, "new": {"type": "string"}}}}
            }
        }),
    )
    .unwrap()
}

/// What the stage makes of a text: the arguments and the relaxations, or the code of the refusal.
fn outcome(text: &str, complete: Option<bool>) -> Result<(Value, Vec<&'static str>), &'static str> {
    match plan(&tool(), &Draft::new(text).with_complete(complete)) {
        Verdict::Decoded(value) => Ok((value, vec![])),
        Verdict::Rewrite(changes) => {
            assert_eq!(changes.len(), 1);
            let change = &changes[0];
            assert!(change.hint.is_some());
            Ok((change.op.value().unwrap().clone(), change.relaxed.clone()))
        }
        Verdict::Reject(rejection) => {
            assert!(rejection.message.ends_with(')'), "{}", rejection.message);
            Err(rejection.code.as_str())
        }
        Verdict::Pass => panic!("text is never passed"),
    }
}

#[track_caller]
fn reads(text: &str, relaxed: &[&str], want: Value) {
    assert_eq!(outcome(text, None), Ok((want, relaxed.to_vec())), "{text}");
}

#[track_caller]
fn refuses(text: &str, code: &str) {
    match outcome(text, None) {
        Err(found) => assert_eq!(found, code, "{text}"),
        Ok(read) => panic!("{text} reads as {read:?}"),
    }
}

#[test]
fn strict_json_is_taken_as_it_is() {
    reads(r#"{"path": "a"}"#, &[], json!({"path": "a"}));
    reads("{}", &[], json!({}));
    reads(
        " {\"path\" : \"a\\u00e9\\n\" }\n",
        &[],
        json!({"path": "aé\n"}),
    );
    reads(
        r#"{"free": {"a": [1, -2.5e3, true, null, {}]}}"#,
        &[],
        json!({"free": {"a": [1, -2.5e3, true, null, {}]}}),
    );
}

#[test]
fn commas() {
    let want = json!({"limit": 1, "nums": [1, 2]});
    reads(
        r#"{"limit": 1, "nums": [1, 2,],}"#,
        &["trailing-comma"],
        want.clone(),
    );
    reads(
        r#"{,"limit": 1, "nums": [,1, 2]}"#,
        &["leading-comma"],
        want.clone(),
    );
    reads(r#"{"limit": 1,, "nums": [1,,2]}"#, &["doubled-comma"], want);
    reads(
        r#"{"tags": ["a,]", "b,}"], "path": ",,"}"#,
        &[],
        json!({"tags": ["a,]", "b,}"], "path": ",,"}),
    );
    refuses(r#"{"limit": , "nums": []}"#, "missing-value");
    refuses(r#"{"limit": 1},"#, "text-around");
}

#[test]
fn comments_between_tokens() {
    let want = json!({"limit": 1, "path": "a"});
    reads(
        "{// c\n\"limit\": 1, # d\n\"path\": \"a\" /* e */} // f",
        &["comment"],
        want.clone(),
    );
    reads(
        "{\"limit\": 1, /* x */ \"path\": \"a\"}# g",
        &["comment"],
        want,
    );
    reads(
        "{\"nums\": [1, // one\n2 # two\n]}",
        &["comment"],
        json!({"nums": [1, 2]}),
    );
    reads(
        r#"{"path": "http://x#y /* z */"}"#,
        &[],
        json!({"path": "http://x#y /* z */"}),
    );
}

#[test]
fn comments_never_stand_for_a_value() {
    refuses("{\"path\": //example.com\n}", "not-json");
    refuses("{\"path\": #fff\n}", "not-json");
    refuses("{\"path\": /* a */ \"b\"}", "not-json");
    refuses("{\"tags\": [\"a\",\n#fff,\n\"b\"]}", "not-json");
    refuses("{\"tags\": [//cdn/x,\n\"b\"]}", "not-json");
    refuses("{\"limit\": 7//2\n}", "not-json");
    refuses("{\"limit\": 7 // 2\n}", "not-json");
    refuses("{\"all\": true# x\n}", "not-json");
    refuses("{\"limit\": 1 // x, \"path\": \"a\"}", "truncated");
    refuses("{\"limit\": 1} /* x", "truncated");
    refuses("# Arguments\n{\"limit\": 1}", "text-around");
}

#[test]
fn single_quotes() {
    reads(
        "{'path': 'a', 'tags': ['b', \"c\"]}",
        &["single-quotes"],
        json!({"path": "a", "tags": ["b", "c"]}),
    );
    reads(
        "{'text': 'it's today's news'}",
        &["single-quotes"],
        json!({"text": "it's today's news"}),
    );
    reads(
        "{'text': 'the dogs' bowl', 'limit': 1}",
        &["single-quotes"],
        json!({"text": "the dogs' bowl", "limit": 1}),
    );
    reads(
        "{'text': 'rock 'n' roll'}",
        &["single-quotes"],
        json!({"text": "rock 'n' roll"}),
    );
    reads(
        "{'text': 'in the '90s'}",
        &["single-quotes"],
        json!({"text": "in the '90s"}),
    );
    reads(
        "{'text': 'say \"hi\"\\n'}",
        &["single-quotes"],
        json!({"text": "say \"hi\"\n"}),
    );
    reads("{'text': ''}", &["single-quotes"], json!({"text": ""}));
    reads(
        r"{'text': 'it\'s'}",
        &["escaped-apostrophe", "single-quotes"],
        json!({"text": "it's"}),
    );
}

#[test]
fn a_single_quote_that_may_close_or_not_is_refused() {
    // The quote before the comma may close the string, or end a quotation inside it.
    refuses(
        "{'text': 'I said 'a', 'path': 'c' is fine', 'limit': 1}",
        "two-readings",
    );
    refuses("{'text': 'see {'k': 'v'}'}", "two-readings");
    refuses("{'tags': ['a' 'b']}", "two-readings");
    refuses("{'tags': ['a' /* c */, 'b']}", "two-readings");
    refuses("{'text': 'it's, 'path': 'y'}", "two-readings");
    refuses("{'text': 'James', said Bob', 'limit': 1}", "not-json");
    refuses("{'text': 'a', b', 'limit': 1}", "not-json");
}

#[test]
fn other_delimiters() {
    reads(
        "{“path”: “a”, ‘text’: ‘it’s’}",
        &["curly-quotes"],
        json!({"path": "a", "text": "it’s"}),
    );
    reads(
        "{“text”: “he said “hi” to me”}",
        &["curly-quotes"],
        json!({"text": "he said “hi” to me"}),
    );
    reads(
        "{`path`: `a \"b\" \\` c`}",
        &["backticks"],
        json!({"path": "a \"b\" ` c"}),
    );
    reads(
        "{\"text\": \"\"\"a \"b\"\nc\"\"\"}",
        &["triple-quotes"],
        json!({"text": "a \"b\"\nc"}),
    );
    reads(
        "{\"text\": '''it's''', \"limit\": 1}",
        &["triple-quotes"],
        json!({"text": "it's", "limit": 1}),
    );
    reads(
        r#"{"path": \"lime\", "limit": 1}"#,
        &["escaped-quotes"],
        json!({"path": "lime", "limit": 1}),
    );
    reads(
        "{\"path\": “a”, \"text\": \"“b”\"}",
        &["curly-quotes"],
        json!({"path": "a", "text": "“b”"}),
    );
}

#[test]
fn other_delimiters_that_read_in_two_ways() {
    refuses("{\"path\": `a${b}`}", "two-readings");
    refuses("{\"path\": `use `a`, `b` now`}", "two-readings");
    refuses("{“text”: “say “hi”, ok”}", "two-readings");
    refuses("{\"text\": \"\"\"say \"hi\"\"\"\"}", "two-readings");
    refuses("{\"text\": \"\"\"a\"\"\" b\"\"\"}", "two-readings");
    refuses(r#"{"path": \"a\\nb\", "limit": 1}"#, "two-readings");
    refuses(r#"{"path": \"lime", "limit": 1}"#, "two-readings");
    refuses("{\"path\": “a\"}", "truncated");
}

#[test]
fn unquoted_keys() {
    reads(
        "{path: \"a\", limit : 1}",
        &["unquoted-key"],
        json!({"path": "a", "limit": 1}),
    );
    reads(
        "{free: {$id: 1, a-b.c_9: 2, ключ: 3}}",
        &["unquoted-key"],
        json!({"free": {"$id": 1, "a-b.c_9": 2, "ключ": 3}}),
    );
    reads(
        "{free: {Main Text Chain: 1}}",
        &["unquoted-key"],
        json!({"free": {"Main Text Chain": 1}}),
    );
    refuses("{free: {Main  Text: 1}}", "not-json");
    refuses("{free: {Main Text 1}}", "not-json");
    refuses("{true: 1}", "not-json");
    refuses("{None: 1}", "not-json");
    refuses("{path = \"a\"}", "not-json");
    refuses("{-a: 1}", "not-json");
}

#[test]
fn literals_and_numbers() {
    reads(
        r#"{"all": True, "free": {"a": False, "b": None}}"#,
        &["python-literal"],
        json!({"all": true, "free": {"a": false, "b": null}}),
    );
    reads(r#"{"limit": +5}"#, &["plus-sign"], json!({"limit": 5}));
    reads(
        r#"{"nums": [.5, 5., -.25, 1.e2]}"#,
        &["bare-point"],
        json!({"nums": [0.5, 5.0, -0.25, 100.0]}),
    );
    reads(
        r#"{"nums": [0x1F, -0x10, 0XFFFFFFFFFFFFFFFF]}"#,
        &["hexadecimal"],
        json!({"nums": [31, -16, u64::MAX]}),
    );
    reads(
        r#"{"nums": [9223372036854775807, -9223372036854775808, 18446744073709551615]}"#,
        &[],
        json!({"nums": [i64::MAX, i64::MIN, u64::MAX]}),
    );
    for text in [
        "TRUE", "nul", "tru", "t", "NULL", "yes1(", "1_000", "1/6", "5px", "0b1", "1n", "0x",
        "--1", "- 1", "1.2.3", "6*12", "0x1G", "50%",
    ] {
        refuses(&format!("{{\"limit\": {text}}}"), "not-json");
    }
    for text in [
        "NaN",
        "Infinity",
        "-Infinity",
        "+Infinity",
        "undefined",
        "nan",
        "None1x",
    ] {
        let code = if text == "None1x" {
            "not-json"
        } else {
            "no-json-value"
        };
        refuses(&format!("{{\"limit\": {text}}}"), code);
    }
    for text in ["007", "-01", "00", "01.5", "+05"] {
        refuses(&format!("{{\"limit\": {text}}}"), "leading-zero");
    }
    for text in [
        "18446744073709551616",
        "-9223372036854775809",
        "1e999",
        "-1e999",
        "0x10000000000000000",
        "-0x8000000000000001",
    ] {
        refuses(&format!("{{\"limit\": {text}}}"), "number-out-of-range");
    }
    refuses(r#"{"limit": 1,000}"#, "missing-value");
}

#[test]
fn raw_control_characters_and_blanks() {
    reads(
        "{\"text\": \"a\nb\tc\r\"}",
        &["raw-control-character"],
        json!({"text": "a\nb\tc\r"}),
    );
    reads(
        "\u{feff}{\"limit\": 1}",
        &["byte-order-mark"],
        json!({"limit": 1}),
    );
    reads(
        "{\u{a0}\"limit\"\u{2003}:\u{3000}1}\u{b}",
        &["unicode-space"],
        json!({"limit": 1}),
    );
    reads("{\"limit\": 1}\0\0 \0", &["nul-bytes"], json!({"limit": 1}));
    reads(
        r#"{\n  "limit": 1,\n\t"path": "a"\r\n}\n"#,
        &["literal-escape"],
        json!({"limit": 1, "path": "a"}),
    );
    refuses("{\"limit\": 1\0}", "not-json");
    refuses("\0{\"limit\": 1}", "text-around");
    refuses(r#"{\name: 1}"#, "not-json");
    refuses("{\u{200b}\"limit\": 1}", "not-json");
}

#[test]
fn escapes_that_json_lacks() {
    reads(
        r#"{"text": "\d+\s\.\(\"x\"\/"}"#,
        &["unknown-escape"],
        json!({"text": "\\d+\\s\\.\\(\"x\"/"}),
    );
    reads(
        r#"{"text": "d:\code\utils"}"#,
        &["unknown-escape"],
        json!({"text": "d:\\code\\utils"}),
    );
    reads(
        r#"{"text": "\u12"}"#,
        &["unknown-escape"],
        json!({"text": "\\u12"}),
    );
    reads(
        r#"{"text": "(a)\1"}"#,
        &["unknown-escape"],
        json!({"text": "(a)\\1"}),
    );
    reads(
        r#"{"text": "\d", "path": "a\nb"}"#,
        &["unknown-escape"],
        json!({"text": "\\d", "path": "a\nb"}),
    );
    reads(
        r#"{"free": {"\d": 1}}"#,
        &["unknown-escape"],
        json!({"free": {"\\d": 1}}),
    );
    reads(
        r#"{"text": "it\'s"}"#,
        &["escaped-apostrophe"],
        json!({"text": "it's"}),
    );
    for text in [
        r"C:\new\Docs",
        r"\d\\",
        r"\d\u0041",
        r"\s\t",
        r"\p{L}\b",
        r"\d\f",
        r"\d\r",
    ] {
        refuses(&format!("{{\"text\": \"{text}\"}}"), "two-readings");
    }
    refuses(r#"{"text": "it\'s Bob's"}"#, "two-readings");
    for text in [
        r"\x41",
        r"a\0b",
        r"\033[1m",
        r"\101",
        r"\U0001F600",
        r"\u{1F600}",
        r"\N{DASH}",
        "a\\\nb",
    ] {
        refuses(&format!("{{\"text\": \"{text}\"}}"), "foreign-escape");
    }
    for text in [
        r"\ud83d",
        r"\ude00",
        r"\ud83dA",
        r"\ud83d\n",
        r"\ud83d\ud83d",
    ] {
        refuses(&format!("{{\"text\": \"{text}\"}}"), "lone-surrogate");
    }
}

#[test]
fn unquoted_values() {
    reads(
        r#"{"path": src/a.ts}"#,
        &["unquoted-value"],
        json!({"path": "src/a.ts"}),
    );
    reads(
        "{\"path\": C:/a b.txt , \"limit\": 1}",
        &["unquoted-value"],
        json!({"path": "C:/a b.txt", "limit": 1}),
    );
    reads(
        "{path: /etc/hosts, tags: [a b, c]}",
        &["unquoted-key", "unquoted-value"],
        json!({"path": "/etc/hosts", "tags": ["a b", "c"]}),
    );
    reads(
        "{\"path\": ./a.ts\n}",
        &["unquoted-value"],
        json!({"path": "./a.ts"}),
    );
    reads(
        "{\"edits\": [{\"old\": trueish, \"new\": Noneless}]}",
        &["unquoted-value"],
        json!({"edits": [{"old": "trueish", "new": "Noneless"}]}),
    );
}

#[test]
fn values_that_must_be_quoted() {
    // No string slot, no declared slot, a key beside it that is not declared.
    refuses(r#"{"limit": abc}"#, "not-json");
    refuses(r#"{"free": {"a": abc}}"#, "not-json");
    refuses(r#"{"path": abc, "zzz": 1}"#, "not-json");
    refuses(r#"{"zzz": 1, "path": abc}"#, "not-json");
    refuses(r#"{"edits": [{"old": abc, "zzz": 1}]}"#, "not-json");
    for text in [
        "it's",
        "a\"b",
        "f(x)",
        "a[0]",
        "<path>",
        r"a\b",
        "a#b",
        "a//b",
        "a // b",
        "http://x/y",
        "key: value",
        "12:30",
        "12 Main St",
        "-flag",
        "+x",
        "tr",
        "N",
        "und",
        "Infin",
        "????",
        "a`b",
        "NULL",
        "none",
    ] {
        let found = outcome(&format!("{{\"path\": {text}}}"), None);
        assert!(found.is_err(), "{text}: {found:?}");
    }
    refuses(r#"{"path": Hello, world}"#, "missing-value");
    refuses(r#"{"path": Hello, world: 1}"#, "not-json");
    refuses("{\"path\": Hello\nworld, \"limit\": 1}", "not-json");
    refuses(r#"{"path": ...}"#, "ellipsis");
    refuses(r#"{"path": abc]"#, "wrong-closer");
}

#[test]
fn an_inner_quote_is_never_a_second_string_or_another_argument() {
    // Two strings side by side, or one quote spelled twice?
    refuses(r#"{"path": "a""a"}"#, "two-readings");
    refuses(r#"{"path": "bhanu""" "text": "b"}"#, "two-readings");
    // Another argument's text is never moved into this one.
    refuses(r#"{"path": "NY"{,"text": "b"}"#, "not-json");
    refuses(r#"{"path": "a""text",: "b"}"#, "two-readings");
    // The comma is there, on the wrong side of the quote.
    refuses(r#"{"path": "a,""text": "b"}"#, "two-readings");
    refuses(r#"{"path": "a," "text": "b"}"#, "two-readings");
    // What shows as nothing does not make a string of a literal.
    refuses("{\"path\": \u{200B} null}", "not-json");
    refuses("{\"path\": a\u{A0}b}", "not-json");
    // Nothing says what was left out.
    refuses(r#"{"path": JPY ...}"#, "ellipsis");
    refuses("{\"path\": JPY…}", "ellipsis");
}

#[test]
fn what_may_stand_around_the_object() {
    let want = || json!({"limit": 1});
    reads("```json\n{\"limit\": 1}\n```", &["code-fence"], want());
    reads("```\n{\"limit\": 1}\n```\n", &["code-fence"], want());
    reads("~~~~json\n{\"limit\": 1}\n~~~~", &["code-fence"], want());
    reads("```json {\"limit\": 1}```", &["code-fence"], want());
    reads("```json\n{\"limit\": 1}", &["code-fence"], want());
    reads("json\n{\"limit\": 1}", &["code-fence"], want());
    reads(
        "<tool_call>\n{\"limit\": 1}\n</tool_call>",
        &["call-markup"],
        want(),
    );
    reads("{\"limit\": 1}</function>", &["call-markup"], want());
    reads("{\"limit\": 1}<|im_end|>\n", &["call-markup"], want());
    reads(
        "<function=edit>{\"limit\": 1}</function>",
        &["call-markup"],
        want(),
    );
    reads(
        "<tool_call>```json\n{\"limit\": 1}\n```</tool_call>",
        &["call-markup", "code-fence"],
        want(),
    );
    reads("{\"limit\": 1}}", &["surplus-closer"], want());
    reads("{\"limit\": 1} ]}\n}", &["surplus-closer"], want());
    reads(
        "{{\"limit\": 1, \"free\": {{\"a\": {{}}}}}}",
        &["doubled-braces"],
        json!({"limit": 1, "free": {"a": {}}}),
    );
    reads(
        "{{\"text\": \"{x}\"}}",
        &["doubled-braces"],
        json!({"text": "{x}"}),
    );
    reads(
        "{\"text\": \"```json\\n{}\\n``` <tool_call>\"}",
        &[],
        json!({"text": "```json\n{}\n``` <tool_call>"}),
    );
}

#[test]
fn what_may_not_stand_around_the_object() {
    refuses("Here it is: {\"limit\": 1}", "text-around");
    refuses("json {\"limit\": 1}", "text-around");
    refuses("arguments\n{\"limit\": 1}", "text-around");
    refuses("json\n[{\"limit\": 1}]", "text-around");
    refuses("{\"limit\": 1} done", "text-around");
    refuses("{\"limit\": 1}\n```", "text-around");
    refuses("```json\n{\"limit\": 1}\n```\nDone.", "text-around");
    refuses(
        "```json\n{\"limit\": 1}\n```\n```json\n{\"limit\": 1}\n```",
        "text-around",
    );
    refuses("````json\n{\"limit\": 1}\n```", "text-around");
    refuses("```here you go\n{\"limit\": 1}\n```", "text-around");
    refuses(
        "<tool_call>call it</tool_call>{\"limit\": 1}",
        "text-around",
    );
    refuses("{\"limit\": 1}<tool_call>", "text-around");
    refuses("</tool_call>{\"limit\": 1}", "text-around");
    refuses("<div>{\"limit\": 1}</div>", "text-around");
    refuses("<function=delete>{\"limit\": 1}</function>", "other-tool");
    refuses("{\"limit\": 1}<|im_end|>{\"limit\": 1}", "text-around");
    refuses("{\"limit\": 1};", "text-around");
    refuses("{\"limit\": 1}\\", "text-around");
    refuses("{{\"limit\": 1}", "truncated");
    refuses("{{\"limit\": 1} }", "not-json");
    refuses("{{\"free\": {\"a\": 1}}}", "not-json");
    refuses("{{\"text\": \"{{x}}\"}}", "two-readings");
    refuses("{ {\"limit\": 1}}", "not-json");
}

#[test]
fn missing_commas_and_colons() {
    reads(
        "{\"path\": \"a\" \"limit\": 1}",
        &["missing-comma"],
        json!({"path": "a", "limit": 1}),
    );
    reads(
        "{\"limit\": 1 \"path\": \"a\"\n\"all\": true}",
        &["missing-comma"],
        json!({"limit": 1, "path": "a", "all": true}),
    );
    reads(
        "{\"path\": \"a\"\"limit\": 1}",
        &["missing-comma"],
        json!({"path": "a", "limit": 1}),
    );
    reads(
        "{\"tags\": [\"a\" \"b\"], \"nums\": [1\n2]}",
        &["missing-comma"],
        json!({"tags": ["a", "b"], "nums": [1, 2]}),
    );
    reads(
        "{\"edits\": [{\"old\": \"a\" \"new\": \"b\"} {\"old\": \"c\"}]}",
        &["missing-comma"],
        json!({"edits": [{"old": "a", "new": "b"}, {"old": "c"}]}),
    );
    reads(
        "{\"path\" \"a\", \"limit\" 1}",
        &["missing-colon"],
        json!({"path": "a", "limit": 1}),
    );
    reads(
        "{\"limit\": 1 path: \"a\"}",
        &["missing-comma", "unquoted-key"],
        json!({"limit": 1, "path": "a"}),
    );
    reads(
        "{\"path\": src/a.ts\n\"limit\": 1}",
        &["missing-comma", "unquoted-value"],
        json!({"path": "src/a.ts", "limit": 1}),
    );
    reads(
        "{\"i\": \"x\" \"limit\": 1}",
        &["missing-comma"],
        json!({"i": "x", "limit": 1}),
    );
}

#[test]
fn missing_commas_and_colons_without_one_reading() {
    refuses("{\"path\": \"a\" \"zzz\": 1}", "not-json");
    refuses("{\"zzz\": \"a\" \"path\": \"b\"}", "not-json");
    refuses("{\"path\": \"a\" \"path\": \"a\"}", "not-json");
    refuses("{\"path\": \"a\" \"limit\": 1, \"limit\": 1}", "not-json");
    refuses("{\"free\": {\"a\": 1 \"b\": 2}}", "not-json");
    refuses("{\"edits\": [{\"old\": \"a\" \"zzz\": \"b\"}]}", "not-json");
    refuses("{\"nums\": [1 2]}", "not-json");
    refuses("{\"nums\": [1 -2]}", "not-json");
    refuses("{\"i\": \"x\" \"__y\": 1}", "not-json");
    refuses("{\"path\" \"text\": 1}", "not-json");
    refuses("{\"path\", \"text\": \"a\"}", "missing-value");
    refuses("{\"path\" \"a\" \"zzz\" 1}", "not-json");
}

#[test]
fn inner_quotes() {
    reads(
        "{\"text\": \"he said \"hi\" to me\", \"limit\": 1}",
        &["inner-quote"],
        json!({"text": "he said \"hi\" to me", "limit": 1}),
    );
    reads(
        "{\"text\": \"\"It works\" she said\"}",
        &["inner-quote"],
        json!({"text": "\"It works\" she said"}),
    );
    reads(
        "{\"text\": \"<a href=\"x\">\\n<b c=\"y\" d=\"z\">\\n\"}",
        &["inner-quote"],
        json!({"text": "<a href=\"x\">\n<b c=\"y\" d=\"z\">\n"}),
    );
    reads(
        "{\"text\": \"{\"a\": 1, \"b\": \"c\"}\", \"path\": \"p\"}",
        &["inner-quote"],
        json!({"text": "{\"a\": 1, \"b\": \"c\"}", "path": "p"}),
    );
    reads(
        "{\"text\": \"say \"a\", \"b\" and \"c\".\", \"path\": \"p\"}",
        &["inner-quote"],
        json!({"text": "say \"a\", \"b\" and \"c\".", "path": "p"}),
    );
    reads(
        "{\"text\": \"he said \"hi\" \"}",
        &["inner-quote"],
        json!({"text": "he said \"hi\" "}),
    );
    reads(
        "{\"text\": \"a \"b\" c\", \"path\": \"d \"e\" f\"}",
        &["inner-quote"],
        json!({"text": "a \"b\" c", "path": "d \"e\" f"}),
    );
    reads(
        "{\"text\": \"say \"hi\" \\\"ok\\\"\" \"limit\": 1}",
        &["inner-quote", "missing-comma"],
        json!({"text": "say \"hi\" \"ok\"", "limit": 1}),
    );
}

#[test]
fn inner_quotes_without_one_reading() {
    // The closing quote was lost: what follows is another argument, not this one's text.
    refuses("{\"text\": \"x, \"path\": \"y\"}", "not-json");
    refuses("{\"text\": \"x, \"path\": \"y\", \"limit\": 1}", "not-json");
    refuses("{\"text\": \"x, \"zzz\": \"y\"}", "not-json");
    refuses("{\"path\": \"x\" , y\", \"limit\": 1}", "not-json");
    refuses("{\"path\": \"b\" \"c\": 1}", "not-json");
    refuses("{\"size\": \"5\" pipe\"}", "not-json");
    refuses("{\"text\": \"5\" pipe\"}", "two-readings");
    // Cut off inside JSON whose quotes were not escaped: it only looks whole.
    refuses("{\"text\": \"{\"a\": \"b\"}", "not-json");
    refuses("{\"text\": \"f() { return \"x\"}", "two-readings");
    refuses(
        "{\"tags\": [\"say \"a\", \"b\" now\", \"c\"]}",
        "two-readings",
    );
    refuses("{\"text\": \"a \\\\\"b\\\\\" c\"}", "not-json");
    refuses("{\"zzz\": \"he said \"hi\" to me\"}", "not-json");
    refuses("{\"free\": {\"a\": \"he said \"hi\" to me\"}}", "not-json");
    refuses("{\"path\": \"a\": \"b\"}", "not-json");
}

#[test]
fn what_has_lost_a_quote_is_not_repaired_otherwise() {
    refuses("{text\": path\", \"limit\": 1}", "not-json");
    refuses("{\"text\"\": \"5\\\" pipe\", \"limit\": 1}", "two-readings");
    refuses("{\"text\": \"a, \"all: false, \"path\": \"\"}", "not-json");
    refuses("{\"tags\": [\"path,\"5\\\" pipe\"]}", "two-readings");
    refuses(
        "{\"tags\": [\n\"x: y\",\n\"a,\n \"5\\\" pipe\"]}",
        "two-readings",
    );
    refuses("{\"tags\": [true\" \"5\\\" pipe\"]}", "not-json");
    refuses("{\"tags\": [\n\"a\",\n// note\"\n]}", "two-readings");
    refuses("{\"tags\": [\n\"a\"\n# title\"\n]}", "two-readings");
    refuses("{\n\"all: true,\ntext\": \"a\"}", "two-readings");
    refuses(
        "{\"text\": \"a\"[ \"tags\": [{\"old\": \"b\", \"new\": \"c\"}]}",
        "not-json",
    );
}

#[test]
fn repeated_objects() {
    reads(
        "{\"limit\": 1}{\"limit\": 1}",
        &["repeated-object"],
        json!({"limit": 1}),
    );
    reads(
        "{\"limit\": 1}\n{ \"limit\" : 1 }\n{\"limit\": 1}",
        &["repeated-object"],
        json!({"limit": 1}),
    );
    reads(
        "{}{\"limit\": 1}{}",
        &["repeated-object"],
        json!({"limit": 1}),
    );
    reads("{}{}", &["repeated-object"], json!({}));
    refuses("{\"limit\": 1}{\"limit\": 2}", "several-objects");
    refuses("{\"limit\": 1}{\"limit\": 1.0}", "several-objects");
    refuses("{\"limit\": 1}{}{\"limit\": 1}", "several-objects");
    refuses("{\"limit\": 1},{\"limit\": 1}", "text-around");
    refuses("{\"limit\": 1}{\"limit\":", "truncated");
    refuses("{\"limit\": 1}}{\"limit\": 1}", "text-around");
}

#[test]
fn duplicate_keys() {
    reads(
        r#"{"limit": 1, "limit": 1}"#,
        &["duplicate-key"],
        json!({"limit": 1}),
    );
    reads(
        r#"{"free": {"a": [1], "\u0061": [1]}}"#,
        &["duplicate-key"],
        json!({"free": {"a": [1]}}),
    );
    refuses(r#"{"limit": 1, "limit": 2}"#, "duplicate-key");
    refuses(r#"{"limit": 1, "limit": 1.0}"#, "duplicate-key");
    refuses(r#"{"limit": 1, 'limit': 2}"#, "duplicate-key");
    refuses(r#"{"free": {"a": 1, "\u0061": 2}}"#, "duplicate-key");
}

#[test]
fn stringified_blobs() {
    let want = || json!({"limit": 1});
    let mut text = "{\"limit\": 1}".to_owned();
    for _ in 0..3 {
        text = Value::String(text).to_string();
        reads(&text, &["stringified"], want());
    }
    refuses(&Value::String(text).to_string(), "too-many-layers");
    reads(r#"{\"limit\": 1}"#, &["stringified"], want());
    reads(
        r#"{\n  \"text\": \"a\\nb\"\n}"#,
        &["stringified"],
        json!({"text": "a\nb"}),
    );
    reads(
        r#""{'limit': 1,}""#,
        &["single-quotes", "stringified", "trailing-comma"],
        want(),
    );
    reads(
        "```json\n\"{\\\"limit\\\": 1}\"\n```",
        &["code-fence", "stringified"],
        want(),
    );
    refuses("\"foo\"", "not-an-object");
    refuses("\"[1]\"", "not-an-object");
    refuses("\"{\\\"limit\\\": 1}", "truncated");
    refuses("\"{\\\"limit\\\": 1\"", "truncated");
    refuses("\"{\\\"limit\\\": 1}\" ok", "text-around");
    refuses(
        "\"{\\\"limit\\\": 1}\"\"{\\\"limit\\\": 1}\"",
        "text-around",
    );
    refuses(r#"{\"limit\": 1"#, "truncated");
}

fn delivered(value: impl Into<Delivered<'static>>) -> Verdict {
    plan(&tool(), &Draft::new(value))
}

#[track_caller]
fn rewritten(verdict: Verdict, code: &str, want: Value) {
    let Verdict::Rewrite(changes) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(
        (changes[0].code.as_str(), changes[0].op.value()),
        (code, Some(&want))
    );
}

#[track_caller]
fn rejected(verdict: Verdict, code: &str) {
    let Verdict::Reject(rejection) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(rejection.code.as_str(), code);
}

#[test]
fn values_that_are_no_object() {
    assert_eq!(delivered(json!({"limit": 1})), Verdict::Pass);
    assert_eq!(delivered(json!({"__parseError": "e"})), Verdict::Pass);
    rewritten(
        delivered(json!("{\"limit\": 1}")),
        "stringified-json",
        json!({"limit": 1}),
    );
    rewritten(delivered(Value::Null), "nothing-sent", json!({}));
    rewritten(delivered(json!("")), "nothing-sent", json!({}));
    rewritten(delivered(Delivered::Nothing), "nothing-sent", json!({}));
    rejected(delivered(json!([1])), "not-an-object");
    rejected(delivered(json!(1)), "not-an-object");
    rejected(delivered(json!("foo")), "not-an-object");
    rejected(
        delivered(Delivered::Bytes(b"{\"path\": \"\xff\"}")),
        "not-utf8",
    );
    let mut layers = json!({"limit": 1}).to_string();
    for _ in 0..3 {
        rewritten(
            delivered(json!(layers)),
            "stringified-json",
            json!({"limit": 1}),
        );
        layers = Value::String(layers).to_string();
    }
    rejected(delivered(json!(layers)), "too-many-layers");
}

#[test]
fn what_a_hosts_parser_left_behind() {
    let left = |raw: &str| json!({"__parseError": "bad", "__rawJson": raw});
    rewritten(
        delivered(left("{'limit': 1}")),
        "raw-json",
        json!({"limit": 1}),
    );
    rewritten(
        delivered(left("{\"limit\": 1}")),
        "raw-json",
        json!({"limit": 1}),
    );
    rejected(delivered(left("{\"limit\": 1")), "truncated");
    rejected(delivered(left(&left("{}").to_string())), "too-many-layers");
    assert_eq!(
        delivered(json!({"__parseError": "bad", "__rawJson": "{}", "path": "a"})),
        Verdict::Pass
    );
    let text = left("{limit: 1}").to_string();
    rewritten(
        plan(&tool(), &Draft::new(text.as_str())),
        "raw-json",
        json!({"limit": 1}),
    );
}

#[test]
fn nothing_sent() {
    for text in ["", " \n", "null", " None ", "\u{feff}", "\"\"", "\"null\""] {
        rewritten(plan(&tool(), &Draft::new(text)), "nothing-sent", json!({}));
    }
    refuses("none", "text-around");
    refuses("None of it", "text-around");
    refuses("true", "not-an-object");
    refuses("3", "not-an-object");
    let strict = Tool::new(
        "read",
        json!({"properties": {"path": {}, "limit": {}}, "required": ["path", "limit"]}),
    )
    .unwrap();
    let Verdict::Reject(rejection) = plan(&strict, &Draft::new("null")) else {
        panic!()
    };
    assert_eq!(
        rejection.message,
        "arguments are empty; `limit` is required (read takes limit, path)"
    );
}

#[test]
fn completeness() {
    for text in [
        "{",
        "{\"path\": \"a",
        "{\"path\": \"a\\",
        "{\"path\": \"a\\u00",
        "{\"path\": \"\\ud83d\\ud",
        "{\"path\"",
        "{\"path\":",
        "{\"path\": \"a\"",
        "{\"path\": \"a\",",
        "{\"limit\": 1",
        "{\"limit\": -",
        "{\"limit\": 1.",
        "{\"limit\": 1e",
        "{\"all\": tr",
        "{\"all\": Tru",
        "{\"nums\": [1",
        "{\"nums\": [",
        "{\"nums\": [1,",
        "{\"limit\": 1 /* x",
        "{path",
        "{'path': 'a",
        "{\"path\": src/a",
        "```json\n{\"limit\": 1",
        "<tool_call>{\"limit\": 1",
        "{\"free\": {}",
    ] {
        refuses(text, "truncated");
    }
    let whole = |text| outcome(text, Some(true));
    assert_eq!(
        whole("{\"nums\": [1, 2"),
        Ok((json!({"nums": [1, 2]}), vec!["missing-closer"]))
    );
    assert_eq!(
        whole("{\"free\": {\"a\": {}"),
        Ok((json!({"free": {"a": {}}}), vec!["missing-closer"]))
    );
    assert_eq!(
        whole("{\"path\": \"a\" // x\n"),
        Ok((json!({"path": "a"}), vec!["comment", "missing-closer"]))
    );
    for text in [
        "{",
        "{\"path\": \"a",
        "{\"path\":",
        "{\"path\": \"a\",",
        "{\"nums\": [",
        "{\"all\": tru",
        "{\"path\": abc",
        "{\"limit\": 5.",
        "{{\"limit\": 1",
    ] {
        assert_eq!(whole(text), Err("truncated"), "{text}");
    }
    assert_eq!(
        outcome("{\"path\": \"a\"}", Some(false)),
        Err("stopped-early")
    );
    for value in [
        Delivered::Nothing,
        Delivered::Value(json!({"path": "a"})),
        Delivered::Text(""),
    ] {
        rejected(
            plan(&tool(), &Draft::new(value).with_complete(Some(false))),
            "stopped-early",
        );
    }
}

#[test]
fn always_rejected() {
    refuses("{\"nums\": [1, 2}", "wrong-closer");
    refuses("{\"path\": \"a\"]", "wrong-closer");
    refuses("{\"nums\": [1, 2, ...]}", "ellipsis");
    refuses("{\"path\": \"a\", ...}", "ellipsis");
    refuses("{\"path\": …}", "ellipsis");
    refuses("[{\"path\": \"a\"}]", "not-an-object");
    let deep = |n: usize| format!("{{\"free\": {}{}}}", "[".repeat(n), "]".repeat(n));
    assert!(outcome(&deep(126), None).is_ok());
    refuses(&deep(127), "too-deep");
    let long = "x".repeat(1_048_577);
    assert!(outcome(&format!("{{\"text\": \"{long}\"}}"), None).is_ok());
    refuses(&format!("{{\"text\": \"{long}\",}}"), "too-large");
    refuses(
        &format!("{{\"text\": \"{long}\" \"path\": \"\"}}"),
        "too-large",
    );
    refuses(
        &Value::String(format!("{{\"text\": \"{long}\"}}")).to_string(),
        "too-large",
    );
}
