//! What the stage repairs, and what it leaves alone.

use super::*;
use callmend_stage::{Code, Rejection};
use serde_json::json;

fn run(tool: &Tool, cascade: Cascade, arguments: Value) -> Result<Value, Box<Rejection>> {
    let prepared = STAGE.prepare(tool, cascade).unwrap().unwrap();
    let mut draft = Draft::new(arguments);
    let verdict = prepared.plan(&draft);
    draft.apply(message::ID, verdict)?;
    Ok(draft.value().unwrap().clone())
}

/// A tool with strings `a`, `b`, `c`, `body`, an integer `n`, a list of strings `list`, an object.
fn tool() -> Tool {
    let text = json!({"type": "string"});
    let schema = json!({
        "type": "object",
        "properties": {
            "a": text, "b": text, "c": text, "content": text, "body": text,
            "n": {"type": "integer"}, "maybe": {"type": ["integer", "string"]},
            "list": {"type": "array", "items": text}, "object": {"type": "object"}
        },
        "additionalProperties": false
    });
    Tool::new("t", schema).unwrap()
}

fn standard(arguments: Value) -> Value {
    run(&tool(), Cascade::Standard, arguments).unwrap()
}

fn extended(arguments: Value) -> Result<Value, (Code, String)> {
    run(&tool(), Cascade::Extended, arguments)
        .map_err(|rejection| (rejection.code, rejection.message))
}

/// The sentence of a refused call, between its fixed ends.
fn why(arguments: Value) -> String {
    let (code, message) = extended(arguments).unwrap_err();
    assert_eq!(code, message::LEAKED);
    let (_, why) = message
        .split_once(" holds leaked call markup, and ")
        .unwrap();
    let (why, _) = why
        .split_once("; pass each argument by itself, without markup (t takes ")
        .unwrap();
    why.to_owned()
}

mod in_both_cascades {
    use super::*;

    fn both(arguments: &Value, wanted: &Value) {
        assert_eq!(&standard(arguments.clone()), wanted);
        assert_eq!(extended(arguments.clone()).as_ref(), Ok(wanted));
    }

    #[test]
    fn a_value_is_cut_at_the_tags() {
        both(
            &json!({"a": "py</parameter>\n<parameter name=\"b\">imports"}),
            &json!({"a": "py", "b": "imports"}),
        );
        both(
            &json!({"a": "x</parameter><parameter name=\"b\">y</parameter> \t\r\n <parameter name=\"c\">z"}),
            &json!({"a": "x", "b": "y", "c": "z"}),
        );
    }

    #[test]
    fn the_parts_are_kept_to_the_byte() {
        both(
            &json!({"a": "  x </parameter>\n<parameter name=\"b\">\n y\n"}),
            &json!({"a": "  x ", "b": "\n y\n"}),
        );
    }

    #[test]
    fn a_part_is_read_as_its_slot_takes_it() {
        both(
            &json!({"a": "x</parameter><parameter name=\"n\"> 5 </parameter><parameter name=\"list\">[\"p\"]</parameter><parameter name=\"object\">{\"k\": null}"}),
            &json!({"a": "x", "n": 5, "list": ["p"], "object": {"k": null}}),
        );
        // A slot that takes a string takes it as it stands.
        both(
            &json!({"a": "x</parameter><parameter name=\"maybe\">5"}),
            &json!({"a": "x", "maybe": "5"}),
        );
        both(
            &json!({"a": "x</parameter><parameter name=\"b\">[\"p\"]"}),
            &json!({"a": "x", "b": "[\"p\"]"}),
        );
    }

    #[test]
    fn a_harness_name_may_be_the_target_and_never_the_source() {
        both(
            &json!({"a": "x</parameter>\n<parameter name=\"i\">why"}),
            &json!({"a": "x", "i": "why"}),
        );
        let sent =
            json!({"i": "x</parameter>\n<parameter name=\"a\">y", "__i": "x</a>\n</invoke>"});
        both(&sent, &sent);
    }

    #[test]
    fn an_argument_that_is_not_declared_may_be_the_source() {
        both(
            &json!({"zz": "x</parameter>\n<parameter name=\"a\">y"}),
            &json!({"zz": "x", "a": "y"}),
        );
    }

    #[test]
    fn two_values_may_leak_two_names() {
        both(
            &json!({"a": "x</parameter><parameter name=\"n\">1", "b": "y</parameter><parameter name=\"c\">z"}),
            &json!({"a": "x", "b": "y", "n": 1, "c": "z"}),
        );
    }

    #[test]
    fn data_stays() {
        for text in [
            "<div>ok</div>",
            "<html><body>\n<p>a</p>\n</body>\n</html>\n",
            "<Foo parameter={x} />",
            "CASE = '<parameter=name>bob</parameter>'",
            "<parameter name=\"b\">x</parameter>\n<parameter name=\"c\">y</parameter>",
            "<invoke name=\"f\">\n<parameter name=\"b\">1</parameter>\n<parameter name=\"c\">2</parameter>\n</invoke>\n",
            "Close it with </parameter>, then go on with <parameter name=\"b\">.",
            "The tag </parameter> and the tag </invoke> close a call.",
            "A text that ends in </parameter>",
            "a < b and c > d </",
            "</parameters>\n<parameters name=\"b\">",
            "<property name=\"x\"/></property>\n",
            "std::function<void()> f;\n</function>\n",
            "{{ call }}\n</tool_call>\n",
            "<|im_end|>",
            "",
        ] {
            let sent = json!({"a": text, "body": text, "content": text});
            both(&sent, &sent);
        }
    }
}

mod in_the_standard_cascade {
    use super::*;

    fn stays(sent: Value) {
        assert_eq!(standard(sent.clone()), sent);
    }

    #[test]
    fn a_name_that_is_not_declared_leaves_the_value_as_sent() {
        stays(json!({"a": "x</parameter>\n<parameter name=\"zz\">y"}));
        stays(json!({"a": "x</parameter>\n<parameter name=\"__i\">y"}));
        stays(
            json!({"a": "x</parameter><parameter name=\"b\">y</parameter><parameter name=\"zz\">z"}),
        );
    }

    #[test]
    fn a_name_that_appears_twice_or_has_a_value_leaves_the_value_as_sent() {
        stays(
            json!({"a": "x</parameter><parameter name=\"b\">y</parameter><parameter name=\"b\">z"}),
        );
        stays(json!({"a": "x</parameter><parameter name=\"b\">y", "b": null}));
        stays(json!({"a": "x</parameter><parameter name=\"a\">y"}));
        stays(
            json!({"a": "x</parameter><parameter name=\"c\">y", "b": "x</parameter><parameter name=\"c\">z"}),
        );
        // Also when one of the two could not be split anyway.
        stays(
            json!({"a": "x</parameter><parameter name=\"c\">y", "b": "x</parameter><parameter name=\"c\">z</invoke>"}),
        );
    }

    #[test]
    fn further_markup_leaves_the_value_as_sent() {
        for text in [
            "<parameter name=\"n\">x</parameter><parameter name=\"b\">y",
            "x</parameter><parameter name=\"b\">y</parameter>",
            "x</parameter><parameter name=\"b\">y</parameter>\n</invoke>",
            "x</parameter><parameter name=\"b\">y</ns:parameter>",
            "x</parameter><parameter name=\"b\">y<PARAMETER>",
            "x</parameter><parameter name=\"b\">y<invoke name=\"f\">",
            "x</invoke></parameter><parameter name=\"b\">y",
            "x</parameter> or </parameter><parameter name=\"b\">y",
            "x</parameter><parameter name=\"b\">y<parameter",
        ] {
            stays(json!({ "a": text }));
        }
    }

    #[test]
    fn a_part_of_another_type_leaves_the_value_as_sent() {
        for part in ["five", "5.5", "\"5\"", "[5]", "5 6", "", "True"] {
            stays(json!({"a": format!("x</parameter><parameter name=\"n\">{part}")}));
        }
        stays(json!({"a": "x</parameter><parameter name=\"list\">a, b"}));
        // A key twice would lose a value in silence.
        stays(json!({"a": "x</parameter><parameter name=\"object\">{\"k\": 1, \"k\": 2}"}));
        stays(json!({"a": "x</parameter><parameter name=\"n\">18446744073709551616"}));
    }

    #[test]
    fn only_the_plain_tags_are_read() {
        for text in [
            "x</a>\n<parameter name=\"b\">y",
            "x</ns:parameter>\n<parameter name=\"b\">y",
            "x</parameter>\n<parameter=b>y",
            "x</parameter>\n<parameter name='b'>y",
            "x</PARAMETER>\n<parameter name=\"b\">y",
            "x</parameter>\n<parameter  name=\"b\">y",
            "x</parameter>\n</invoke>",
            "x\n</a>\n",
        ] {
            stays(json!({ "a": text }));
        }
    }

    #[test]
    fn nested_values_are_not_looked_at() {
        stays(json!({"object": {"a": "x</parameter>\n<parameter name=\"b\">y"}}));
        stays(json!({"list": ["x</parameter>\n<parameter name=\"b\">y"]}));
    }

    #[test]
    fn a_line_end_before_the_closing_tag_is_kept() {
        assert_eq!(
            standard(json!({"a": "x\n</parameter>\n<parameter name=\"b\">y"})),
            json!({"a": "x\n", "b": "y"})
        );
    }

    #[test]
    fn an_empty_part_is_an_empty_string() {
        assert_eq!(
            standard(json!({"a": "</parameter><parameter name=\"b\">"})),
            json!({"a": "", "b": ""})
        );
    }
}

mod in_the_extended_cascade {
    use super::*;

    fn splits(text: &str, wanted: Value) {
        assert_eq!(extended(json!({ "a": text })), Ok(wanted), "{text}");
    }

    fn stays(sent: Value) {
        assert_eq!(extended(sent.clone()), Ok(sent));
    }

    #[test]
    fn every_closing_tag_is_known() {
        for closing in [
            "</parameter>",
            "</PARAMETER>",
            "</a>",
            "</A>",
            "</ns:parameter>",
            "</ns-parameter>",
            "</｜｜DSML｜｜parameter>",
            "</ns name=\"a\">",
            "</parameter name=\"a\">",
            "<?ns:parameter>",
            "</a></parameter>",
            "</a>\n</ns:parameter>",
        ] {
            splits(
                &format!("x{closing}\n<parameter name=\"b\">y"),
                json!({"a": "x", "b": "y"}),
            );
        }
    }

    #[test]
    fn every_opening_tag_is_known() {
        for opening in [
            "<parameter name=\"b\">",
            "<parameter name='b'>",
            "<Parameter Name = \"b\" >",
            "<ns:parameter name=\"b\">",
            "<｜｜DSML｜｜parameter name=\"b\" string=\"true\">",
            "<parameter=b>",
            "<ns:parameter=b>",
        ] {
            splits(
                &format!("x</parameter>\n{opening}y"),
                json!({"a": "x", "b": "y"}),
            );
        }
    }

    #[test]
    fn a_chain_closes_each_argument_by_its_own_name_or_the_common_one() {
        splits(
            "x</a>\n<parameter name=\"b\">y</b>\n<parameter name=\"c\">z</parameter>\n<parameter name=\"n\">1",
            json!({"a": "x", "b": "y", "c": "z", "n": 1}),
        );
        splits(
            "x</a>\n<parameter name=\"b\">y</b></parameter>\n<parameter name=\"c\">z",
            json!({"a": "x", "b": "y", "c": "z"}),
        );
    }

    #[test]
    fn closing_tags_after_the_last_part_are_taken_off() {
        for tail in [
            "</parameter>",
            "</parameter>\n",
            "</parameter>\n</invoke>",
            "</parameter>\n</invoke>\n</function_calls>\n",
            "</ns:parameter></ns:invoke>",
            "</b></invoke>",
        ] {
            let text = format!("x</parameter>\n<parameter name=\"b\">y{tail}");
            splits(&text, json!({"a": "x", "b": "y"}));
        }
    }

    #[test]
    fn a_value_that_ends_in_closing_tags_is_trimmed() {
        for tail in [
            "</parameter></invoke>",
            "</parameter>\n</invoke>\n",
            "</a>\n</invoke>",
            "</a></parameter>",
            "</parameter>\n</function>\n</tool_call>",
            "</parameter><|im_end|>",
            "</invoke></function_calls>",
        ] {
            splits(&format!("x{tail}"), json!({"a": "x"}));
        }
    }

    #[test]
    fn an_own_name_on_its_own_line_counts_and_its_line_end_is_kept() {
        let sent = |text: &str| extended(json!({ "content": text }));
        assert_eq!(
            sent("one\ntwo\n</content>\n"),
            Ok(json!({"content": "one\ntwo\n"}))
        );
        assert_eq!(sent("one\r\n</CONTENT>"), Ok(json!({"content": "one\r\n"})));
        assert_eq!(
            sent("one\n</content>\n</invoke>\n"),
            Ok(json!({"content": "one\n"}))
        );
        assert_eq!(
            sent("one\n</content>\n<parameter name=\"b\">y"),
            Ok(json!({"content": "one\n", "b": "y"}))
        );
    }

    #[test]
    fn an_own_name_that_is_an_element_is_data_at_the_end() {
        stays(json!({"body": "<p>x</p>\n</body>\n"}));
        stays(json!({"body": "<p>x</p></body></body>"}));
        // Before an opening tag, or with the call's own tags, it is a leak.
        assert_eq!(
            extended(json!({"body": "x</body>\n<parameter name=\"b\">y"})),
            Ok(json!({"body": "x", "b": "y"}))
        );
        assert_eq!(
            extended(json!({"body": "x</body>\n</invoke>"})),
            Ok(json!({"body": "x"}))
        );
    }

    #[test]
    fn an_own_name_in_running_text_or_balanced_is_data() {
        for text in [
            "one </content> two",
            "one</content>",
            "<content>one\n</content>\n",
            "<content type=\"x\">one</content>\n</content-list>",
            "<a><content>x</content>\n<parameter name=\"b\">y</parameter></a>",
        ] {
            stays(json!({ "content": text }));
        }
        // A tag that closes itself opens nothing.
        assert_eq!(
            extended(json!({"content": "<content/>\n</content>\n"})),
            Ok(json!({"content": "<content/>\n"}))
        );
    }

    #[test]
    fn an_own_name_closes_the_last_part_when_nothing_else_can_be_meant() {
        let sent = |closing: &str, name: &str, part: &str| json!({"content": format!("x{closing}\n<parameter name=\"{name}\">{part}")});
        let stuck = "its tags do not fit together";
        // On its own line, or in a leak that closes the argument before by its name too.
        for closing in ["</parameter>", "</content>"] {
            assert_eq!(
                extended(sent(closing, "c", "y\n</c>\n")),
                Ok(json!({"content": "x", "c": "y\n"}))
            );
            assert_eq!(
                extended(sent(closing, "b", "<b>y</b>")),
                Ok(json!({"content": "x", "b": "<b>y</b>"}))
            );
            assert_eq!(why(sent(closing, "body", "y</body>")), stuck);
            assert_eq!(why(sent(closing, "c", "y</c></c>")), stuck);
        }
        assert_eq!(
            extended(sent("</content>", "c", "y</c>")),
            Ok(json!({"content": "x", "c": "y"}))
        );
        assert_eq!(why(sent("</parameter>", "c", "y</c>")), stuck);
    }

    #[test]
    fn one_line_end_at_each_shorthand_tag_belongs_to_the_markup() {
        splits(
            "x\n</parameter>\n<parameter=b>\ny\n\nz",
            json!({"a": "x", "b": "y\n\nz"}),
        );
        splits(
            "x\r\n</parameter>\r\n<parameter=b>\r\n\r\ny\r\n</parameter>\n<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>",
            json!({"a": "x", "b": "\r\ny", "n": 5}),
        );
        splits(
            "x\n</a>\n<parameter=b>\ny\n</b>\n<parameter=c>\nz",
            json!({"a": "x", "b": "y", "c": "z"}),
        );
        splits("x</parameter>\n<parameter=b>y", json!({"a": "x", "b": "y"}));
    }

    #[test]
    fn a_line_end_before_the_closing_tag_has_two_readings() {
        let line_end = "the line end before a closing tag could be text";
        for text in [
            "x\n</parameter>\n<parameter name=\"b\">y",
            "x\n</ns:parameter>\n<parameter name=\"b\">y",
            "x\n  </parameter>\n<parameter name=\"b\">y",
            "x</parameter>\n<parameter name=\"b\">y\n</parameter>\n<parameter name=\"c\">z",
            "x</parameter>\n<parameter name=\"b\">y\n</parameter>",
            "x\n</parameter>",
            "x\n</parameter>\n</invoke>",
            "x\n</invoke>\n",
            "x\r\n</parameter>\n",
            // Indented, so that more than a line end stands before the tag.
            "x\n  </a>\n<parameter name=\"b\">y",
            "x\n  </a>\n</invoke>",
            "x\n  </parameter>\n<parameter=b>\ny",
        ] {
            assert_eq!(why(json!({ "a": text })), line_end, "{text}");
        }
    }

    #[test]
    fn names_are_guarded_as_in_the_standard_cascade() {
        assert_eq!(
            why(json!({"a": "x</a>\n<parameter name=\"zz\">y"})),
            "`zz` is no argument"
        );
        assert_eq!(
            why(json!({"a": "x</a>\n<parameter name=\"__i\">y"})),
            "`__i` is no argument"
        );
        assert_eq!(
            why(json!({"a": "x</a>\n<parameter name=\"b\">y", "b": "z"})),
            "`b` already has a value"
        );
        assert_eq!(
            why(json!({"a": "x</a>\n<parameter name=\"a\">y"})),
            "`a` already has a value"
        );
        assert_eq!(
            why(json!({"a": "x</a><parameter name=\"b\">y</parameter><parameter name=\"b\">z"})),
            "`b` is there twice"
        );
        assert_eq!(
            why(json!({"a": "x</a><parameter name=\"c\">y", "b": "x</b><parameter name=\"c\">z"})),
            "`c` is there twice"
        );
    }

    #[test]
    fn types_are_guarded_as_in_the_standard_cascade() {
        for part in ["five", "5\n\n<style>", "5.5", "\"5\""] {
            let sent = json!({"a": format!("x</a>\n<parameter name=\"n\">{part}")});
            assert_eq!(why(sent), "`n` must be an integer");
        }
        assert_eq!(
            why(json!({"a": "x</a>\n<parameter name=\"list\">p, q"})),
            "`list` must be an array of strings"
        );
        // The tag says that it is no string, the slot that it is one.
        let sent = json!({"a": "x</a>\n<parameter name=\"b\" string=\"false\">5"});
        assert_eq!(why(sent), "`b` must be a string");
        // What is read must settle.
        let inner = "{\"k\": \"x\\u003c/k>\\n\\u003cparameter name='b'>y\"}";
        let sent = json!({"a": format!("x</a>\n<parameter name=\"object\">{inner}")});
        assert_eq!(why(sent), "`object` must be an object");
    }

    #[test]
    fn markup_that_does_not_fit_together_is_refused() {
        for (text, said) in [
            (
                "</parameter>\n<parameter name=\"b\">y",
                "nothing else is in `a`",
            ),
            (" \n</a>\n</invoke>", "nothing else is in `a`"),
            ("</a></invoke>", "nothing else is in `a`"),
            (
                "x</a>\n<parameter name=\"b\">",
                "nothing follows the tag of `b`",
            ),
            (
                "x</a>\n<parameter name=\"b\"> \n",
                "nothing follows the tag of `b`",
            ),
            (
                "<parameter name=\"b\">x</parameter>\n</parameter>\n<parameter name=\"c\">y",
                "more markup stands inside it",
            ),
            (
                "x</parameter> or </parameter>\n<parameter name=\"b\">y",
                "more markup stands inside it",
            ),
            (
                "x</a>\n<parameter name=\"b\">y <parameter name=\"c\">z",
                "more markup stands inside it",
            ),
            (
                "x</a>\n<parameter name=\"b\">y\n</function>",
                "more markup stands inside it",
            ),
            (
                "x</function></parameter></invoke>",
                "more markup stands inside it",
            ),
            (
                "x</a>\n<parameter name=\"b\">y</parameter> and more",
                "more text follows it",
            ),
            (
                "x</a>\n<parameter name=\"b\"",
                "its tags do not fit together",
            ),
            ("x</a>\n<param", "its tags do not fit together"),
            ("x</a>\n<parameter>y", "its tags do not fit together"),
            (
                "x</a>\n<parameter name=\"b\" class=\"c\">y",
                "its tags do not fit together",
            ),
            (
                "x</a>\n<parameter name=\"b\"/>y",
                "its tags do not fit together",
            ),
            (
                "x</parameter\n<parameter name=\"b\">y",
                "its tags do not fit together",
            ),
            (
                "x</ns name=\"b\">\n<parameter name=\"b\">y",
                "its tags do not fit together",
            ),
            (
                "x</parameter>\n<parameter=b>\ny</parameter>\n<parameter name=\"c\">z",
                "its tags do not fit together",
            ),
            (
                "x</parameter>\n</invoke>\n<invoke name=\"f\">\n<parameter name=\"b\">y",
                "a second call begins in it",
            ),
            (
                "x</parameter>\n</invoke>\n<parameter name=\"b\">y",
                "a second call begins in it",
            ),
            ("x</parameter>\n<function=f>", "a second call begins in it"),
            (
                "x</a>\n<parameter name=\"b\">y</parameter>\n</invoke>\n<invoke name=\"f\">",
                "a second call begins in it",
            ),
        ] {
            assert_eq!(why(json!({ "a": text })), said, "{text}");
        }
    }

    #[test]
    fn a_tag_that_closes_nothing_before_an_argument_of_the_call_is_refused() {
        let stuck = "its tags do not fit together";
        for text in [
            "x</param>\n<parameter name=\"b\">y",
            "x</note>\n<parameter=b>\ny",
            "x</ns>\n<parameter name=\"b\">y</parameter>\n",
            "x<parameter>\n<parameter name=\"b\">y",
            "x<ns:parameter>\n<parameter name=\"n\">5",
        ] {
            assert_eq!(why(json!({ "a": text })), stuck, "{text}");
        }
    }

    #[test]
    fn the_same_is_data_when_it_can_be_no_leak() {
        for text in [
            // Balanced.
            "<note>x</note>\n<parameter name=\"b\">y",
            "<note>x</note>\n<parameter name=\"b\">y</parameter>",
            // Not an argument of the call, or one that has a value.
            "x</note>\n<parameter name=\"zz\">y",
            "x</note>\n<parameter name=\"c\">y",
            // Not of its type.
            "x</note>\n<parameter name=\"n\">five",
            // More follows than a leak would leave.
            "x</note>\n<parameter name=\"b\">y</parameter>\n</config>",
            // Words stand between.
            "x</note>, then <parameter name=\"b\">y",
            "x\n<parameter name=\"b\">y",
        ] {
            stays(json!({"a": text, "c": ""}));
        }
    }

    #[test]
    fn one_own_name_closes_once() {
        let sent = json!({"content": "x</content></content>"});
        assert_eq!(why(sent), "its tags do not fit together");
    }

    #[test]
    fn a_closed_part_may_be_empty() {
        splits(
            "x</a>\n<parameter name=\"b\"></parameter>\n<parameter name=\"c\">z",
            json!({"a": "x", "b": "", "c": "z"}),
        );
    }

    #[test]
    fn markup_where_no_string_belongs_is_refused() {
        for (key, text, phrase) in [
            (
                "list",
                "<parameter name=\"b\">[\"p\"]</parameter>",
                "an array of strings",
            ),
            ("list", "[\"p\"]</list>", "an array of strings"),
            ("list", "p, q</parameter>", "an array of strings"),
            ("list", "<invoke name=\"f\">p", "an array of strings"),
            ("n", "5</n>", "an integer"),
            (
                "object",
                "{\"k\": \"<parameter=b>x</parameter>\"}",
                "an object",
            ),
        ] {
            let (code, message) = extended(json!({ key: text })).unwrap_err();
            assert_eq!(code, message::MISPLACED, "{text}");
            let said = format!("`{key}` must be {phrase}, without call markup (t takes ");
            assert!(message.starts_with(&said), "{message}");
        }
    }

    #[test]
    fn what_is_no_markup_where_no_string_belongs_is_for_later_stages() {
        stays(json!({"list": "p, q", "n": "5", "object": "{\"html\": \"<p>x</p></object>\"}"}));
    }

    #[test]
    fn a_leak_where_no_string_belongs_is_cut() {
        assert_eq!(
            extended(json!({"n": "5</parameter>\n<parameter name=\"b\">y"})),
            Ok(json!({"n": "5", "b": "y"}))
        );
    }

    #[test]
    fn all_the_problems_are_told() {
        let sent = json!({"a": "</a>\n</invoke>", "b": "x</b>\n<parameter name=\"zz\">y"});
        let rejection = run(&tool(), Cascade::Extended, sent).unwrap_err();
        assert_eq!(rejection.path.as_deref(), Some("/a"));
        assert_eq!(
            rejection.hints,
            [
                "`b` holds leaked call markup, and `zz` is no argument; pass each argument by itself, without markup"
            ]
        );
    }
}

mod below_the_root {
    use super::*;

    fn nested() -> Tool {
        let text = json!({"type": "string"});
        let edit = json!({"type": "object", "properties": {
            "old": text, "new": text, "count": {"type": "integer"}, "path": text
        }});
        let schema = json!({"type": "object", "properties": {
            "edits": {"type": "array", "items": edit}, "edit": edit,
            "notes": {"type": "array", "items": text}, "free": {"type": "object"},
            "path": text, "title": text
        }});
        Tool::new("t", schema).unwrap()
    }

    fn extended(arguments: Value) -> Result<Value, String> {
        run(&nested(), Cascade::Extended, arguments).map_err(|rejection| rejection.message)
    }

    #[test]
    fn the_target_is_the_holding_object_or_the_root() {
        assert_eq!(
            extended(json!({"edits": [{"old": "x</old>\n<parameter name=\"new\">y"}]})),
            Ok(json!({"edits": [{"old": "x", "new": "y"}]}))
        );
        assert_eq!(
            extended(
                json!({"edit": {"new": "x</new>\n<parameter name=\"title\">y</parameter>\n<parameter name=\"count\">2"}})
            ),
            Ok(json!({"edit": {"new": "x", "count": 2}, "title": "y"}))
        );
        assert_eq!(
            extended(json!({"free": {"k": {"deep": "x</deep>\n<parameter name=\"i\">y"}}})),
            Ok(json!({"free": {"k": {"deep": "x"}}, "i": "y"}))
        );
    }

    #[test]
    fn a_target_in_both_or_in_neither_is_refused() {
        let said = extended(json!({"edit": {"new": "x</new>\n<parameter name=\"path\">y"}}));
        assert!(said.unwrap_err().starts_with(
            "`edit.new` holds leaked call markup, and `edit.path` or `path` could be meant; "
        ));
        let said = extended(json!({"edits": [{}, {"new": "x</new>\n<parameter name=\"zz\">y"}]}));
        assert!(
            said.unwrap_err()
                .starts_with("`edits[1].new` holds leaked call markup, and `zz` is no argument; ")
        );
    }

    #[test]
    fn a_target_with_a_value_is_refused_where_it_stands() {
        let said =
            extended(json!({"edit": {"old": "x</old>\n<parameter name=\"new\">y", "new": ""}}));
        assert!(said.unwrap_err().contains("`edit.new` already has a value"));
        let said = extended(
            json!({"title": "t", "edit": {"old": "x</old>\n<parameter name=\"title\">y"}}),
        );
        assert!(said.unwrap_err().contains("`title` already has a value"));
    }

    #[test]
    fn two_items_may_leak_one_name_each_into_itself_and_not_into_the_root() {
        let leak = |name: &str| json!({"old": format!("x</old>\n<parameter name=\"{name}\">y")});
        assert_eq!(
            extended(json!({"edits": [leak("new"), leak("new")]})),
            Ok(json!({"edits": [{"old": "x", "new": "y"}, {"old": "x", "new": "y"}]}))
        );
        let said = extended(json!({"edits": [leak("title"), leak("title")]}));
        assert!(said.unwrap_err().contains("`title` is there twice"));
    }

    #[test]
    fn a_string_in_a_list_leaks_only_from_the_end_of_the_list() {
        assert_eq!(
            extended(json!({"notes": ["p", "q</notes>\n<parameter name=\"title\">y"]})),
            Ok(json!({"notes": ["p", "q"], "title": "y"}))
        );
        let said = extended(json!({"notes": ["p</notes>\n<parameter name=\"title\">y", "q"]}));
        assert!(said.unwrap_err().contains("more text follows it"));
    }

    #[test]
    fn data_below_the_root_stays() {
        let sent = json!({
            "edits": [{"old": "<a>x</a>", "new": "see </new> there"}],
            "free": {"k": "<parameter=b>x</parameter>"}, "notes": ["x</parameter>"]
        });
        assert_eq!(extended(sent.clone()), Ok(sent));
    }

    #[test]
    fn a_deep_value_is_left_as_sent_below_the_limit() {
        let mut deep = json!("x</parameter>\n</invoke>");
        for _ in 0..1_000 {
            deep = json!({ "k": deep });
        }
        let prepared = STAGE
            .prepare(&nested(), Cascade::Extended)
            .unwrap()
            .unwrap();
        assert_eq!(
            prepared.plan(&Draft::new(json!({ "free": deep }))),
            Verdict::Pass
        );
    }
}

mod at_any_size {
    use super::*;

    /// A long run of each, in both cascades: a verdict, and no more work than that.
    #[test]
    fn runs_of_tags_are_read_once() {
        for unit in [
            "</parameter>",
            "<parameter name=\"b\">",
            "<parameter=b>",
            "</a>",
            "<a>",
            "<a ",
            "</",
            "<",
            "</parameter>\n<parameter name=\"b\">",
            "</parameter",
            "<parameter name=\"",
            "<parameter name='",
            "</ns name=\"",
            "<invoke>",
            "</invoke>\n",
            "<parameter",
            "<|",
            "</parameter> ",
            "<parameter name=\"b\">x</parameter>",
            "</a>x",
            "<parameter =",
            "\n</a>",
        ] {
            let text = unit.repeat((1 << 18) / unit.len());
            for text in [text.clone(), format!("x{text}"), format!("{text}x")] {
                let sent = json!({"a": text, "list": text});
                let _ = run(&tool(), Cascade::Standard, sent.clone());
                let _ = run(&tool(), Cascade::Extended, sent);
            }
        }
    }

    #[test]
    fn a_long_key_is_no_tag_name() {
        let key = "</".repeat(1 << 19);
        let sent = json!({ key.as_str(): key });
        assert_eq!(run(&tool(), Cascade::Extended, sent.clone()), Ok(sent));
    }
}

#[test]
fn what_is_no_object_passes() {
    for cascade in [Cascade::Standard, Cascade::Extended] {
        let prepared = STAGE.prepare(&tool(), cascade).unwrap().unwrap();
        for value in [
            json!("x</parameter>\n<parameter name=\"b\">y"),
            json!([]),
            Value::Null,
        ] {
            assert_eq!(prepared.plan(&Draft::new(value)), Verdict::Pass);
        }
    }
}

#[test]
fn the_edits_replace_the_source_and_add_each_argument() {
    let prepared = STAGE.prepare(&tool(), Cascade::Extended).unwrap().unwrap();
    let mut draft = Draft::new(json!({"a": "x</a>\n<parameter name=\"b\">y"}));
    let verdict = prepared.plan(&draft);
    draft.apply(message::ID, verdict).unwrap();
    let told: Vec<_> = draft
        .edits()
        .iter()
        .map(|edit| {
            (
                edit.op.name(),
                edit.op.path(),
                edit.code,
                edit.hint.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("replace", "/a", message::SPLIT, None),
            (
                "add",
                "/b",
                message::SPLIT,
                Some("pass `b` as an argument of its own, not inside `a`")
            ),
        ]
    );
}
