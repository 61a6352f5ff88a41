//! What becomes of calls: clean, repaired, refused, and those that pass without being looked at.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers stand outside the test functions that clippy lets do so"
)]

mod common;

use common::Session;
use serde_json::{Value, json};

fn tools() -> Value {
    json!([
        {
            "name": "write",
            "inputSchema": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
                "required": ["path"],
                "additionalProperties": false
            }
        },
        {"name": "now", "inputSchema": {"type": "object"}},
        {"name": "odd", "inputSchema": {"type": "object", "$ref": "https://example.com/schema"}}
    ])
}

fn call(id: impl Into<Value>, tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params});
    format!("{call}\n")
}

fn text(result: &Value) -> &str {
    result["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_clean_call_passes_byte_for_byte_and_so_does_its_result() {
    let mut session = Session::with_tools(&["--coach"], &tools());
    let lines = [
        "{\"params\":{ \"arguments\" : {\"content\":\"\\u00e9\",  \"path\":\"a\"},\"name\":\"write\",\"x\":1.00},\"method\":\"tools\\/call\",\"id\":  1 ,\"jsonrpc\":\"2.0\"}\r\n",
        "{\"jsonrpc\":\"2.0\",\"id\":\"2\",\"method\":\"tools/call\",\"params\":{\"name\":\"now\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"now\",\"arguments\":{}}}\n",
    ];
    for line in lines {
        session.proxy.sends(line);
        assert_eq!(session.server.gets(), line);
    }
    let result = "{\"id\":1,  \"jsonrpc\":\"2.0\",\"result\":{\"content\":[],\"isError\":false}}\n";
    session.server.sends(result);
    assert_eq!(session.proxy.gets(), result);
    let statuses: Vec<_> = session
        .log()
        .iter()
        .map(|line| line["status"].clone())
        .collect();
    assert_eq!(statuses, ["clean", "clean", "clean"]);
    session.finish();
}

#[test]
fn a_repaired_call_has_only_its_arguments_replaced_and_its_result_says_so() {
    let mut session = Session::with_tools(&[], &tools());
    session.proxy.sends(
        "{\"jsonrpc\":\"2.0\",\"id\":1e0,\"method\":\"tools/call\",\"params\":{\"z\":1.00,\"arguments\": {\"filepath\":\"a\"} ,\"name\":\"write\"}}\n",
    );
    assert_eq!(
        session.server.gets(),
        "{\"jsonrpc\":\"2.0\",\"id\":1e0,\"method\":\"tools/call\",\"params\":{\"z\":1.00,\"arguments\": {\"path\":\"a\"} ,\"name\":\"write\"}}\n",
    );
    session
        .server
        .sends("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[], \"n\":1.0}}\n");
    let line = session.proxy.gets();
    assert!(
        line.starts_with(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[], \"n\":1.0,\"_meta\":{"
        ),
        "{line}"
    );
    let result: Value = serde_json::from_str(&line).unwrap();
    let meta = &result["result"]["_meta"];
    assert_eq!(
        meta["callmend/hints"],
        json!(["pass `path`, not `filepath`"])
    );
    assert_eq!(meta["callmend/edits"][0]["op"], "move");
    assert_eq!(meta["callmend/edits"][0]["from"], "/filepath");
    // The note was for one result.
    session
        .server
        .sends("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(
        session.proxy.gets(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
    );
    session.finish();
}

#[test]
fn a_coach_adds_the_hints_to_the_result() {
    let mut session = Session::with_tools(&["--coach"], &tools());
    session
        .proxy
        .sends(call("x", "write", &json!({"filepath": "a"})));
    session.server.gets();
    session.server.sends("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}\n");
    let result = session.proxy.gets_json();
    let texts = json!([
        {"type": "text", "text": "done"},
        {"type": "text", "text": "pass `path`, not `filepath`"}
    ]);
    assert_eq!(result["result"]["content"], texts);
    session.finish();
}

#[test]
fn stringified_arguments_and_null_are_repaired_in_place() {
    let mut session = Session::with_tools(&[], &tools());
    session
        .proxy
        .sends(call(1, "write", &json!("{\"path\": \"a\"}")));
    assert_eq!(
        session.server.gets_json()["params"]["arguments"],
        json!({"path": "a"})
    );
    session.proxy.sends(call(2, "now", &Value::Null));
    assert_eq!(session.server.gets_json()["params"]["arguments"], json!({}));
    session.finish();
}

#[test]
fn an_unrepairable_call_is_answered_and_the_server_never_sees_it() {
    let mut session = Session::with_tools(&[], &tools());
    session
        .proxy
        .sends(call("a\"b", "write", &json!({"path": "x", "contend": "y"})));
    let answer = session.proxy.gets_json();
    assert_eq!(answer["id"], "a\"b");
    assert_eq!(answer["jsonrpc"], "2.0");
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        text(&answer),
        "unknown argument `contend`; did you mean `content`? (write takes content?, path)"
    );
    assert_eq!(answer["result"].get("structuredContent"), None);
    assert_eq!(answer["result"].get("resultType"), None);
    assert_eq!(
        answer["result"]["_meta"]["callmend/rejection"]["code"],
        "unknown-argument"
    );
    session.proxy.sends("after\n");
    assert_eq!(session.server.gets(), "after\n");
    let log = session.log();
    assert_eq!(log.len(), 1);
    assert_eq!(
        (&log[0]["id"], &log[0]["tool"], &log[0]["status"]),
        (&json!("a\"b"), &json!("write"), &json!("unrepairable"))
    );
    session.finish();
}

#[test]
fn a_call_that_lacks_what_is_required_is_answered_when_it_has_no_arguments_at_all() {
    let mut session = Session::with_tools(&[], &tools());
    session.proxy.sends("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"write\"}}\n");
    assert!(text(&session.proxy.gets_json()).contains("`path`"));
    session.finish();
}

#[test]
fn doubled_arguments_with_different_values_are_refused_though_most_parsers_take_the_last() {
    let mut session = Session::with_tools(&[], &tools());
    session.proxy.sends("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"write\",\"arguments\":{\"path\":\"a\",\"path\":\"b\"}}}\n");
    assert_eq!(session.proxy.gets_json()["result"]["isError"], true);
    session.finish();
}

#[test]
fn a_request_of_revision_2026_07_28_gets_a_result_that_says_its_type() {
    let mut session = Session::with_tools(&[], &tools());
    let params = json!({
        "name": "write",
        "arguments": {},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    });
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    session.proxy.sends(format!("{call}\n"));
    let answer = session.proxy.gets_json();
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["isError"], true);
    session.finish();
}

#[test]
fn a_call_that_asks_for_a_task_is_refused_with_an_error() {
    let mut session = Session::with_tools(&[], &tools());
    let params = json!({"name": "write", "arguments": {}, "task": {"ttl": 1}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    session.proxy.sends(format!("{call}\n"));
    let answer = session.proxy.gets_json();
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer.get("result"), None);
    session.finish();
}

#[test]
fn an_error_of_the_server_passes_as_it_is() {
    let mut session = Session::with_tools(&["--coach"], &tools());
    session
        .proxy
        .sends(call(1, "write", &json!({"filepath": "a"})));
    session.server.gets();
    let error = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"no\"}}\n";
    session.server.sends(error);
    assert_eq!(session.proxy.gets(), error);
    session.finish();
}

#[test]
fn a_cancelled_call_is_forgotten() {
    let mut session = Session::with_tools(&[], &tools());
    session
        .proxy
        .sends(call(1, "write", &json!({"filepath": "a"})));
    session.server.gets();
    session.proxy.sends("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n");
    session.server.gets();
    let late = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    session.server.sends(late);
    assert_eq!(session.proxy.gets(), late);
    session.finish();
}

#[test]
fn an_id_that_is_used_again_does_not_get_the_note_of_another_call() {
    let mut session = Session::with_tools(&[], &tools());
    session
        .proxy
        .sends(call(1, "write", &json!({"filepath": "a"})));
    session.server.gets();
    session.proxy.sends(call(1, "write", &json!({"path": "a"})));
    session.server.gets();
    let result = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    session.server.sends(result);
    assert_eq!(session.proxy.gets(), result);
    session.finish();
}

#[test]
fn calls_that_are_not_looked_at_pass_and_say_why() {
    let mut session = Session::with_tools(&[], &tools());
    let lines = [
        ("not-listed", call(1, "hidden", &json!({"a": 1}))),
        ("schema", call(2, "odd", &json!("not even an object"))),
        ("schema", call(3, "odd", &json!({}))),
        (
            "doubled-member",
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"write\",\"name\":\"now\"}}\n".to_owned(),
        ),
    ];
    for (_, line) in &lines {
        session.proxy.sends(line);
        assert_eq!(&session.server.gets(), line);
    }
    let log = session.log();
    assert_eq!(log.len(), lines.len());
    for (line, (reason, _)) in log.iter().zip(&lines) {
        assert_eq!(
            (&line["status"], &line["reason"]),
            (&json!("passed"), &json!(reason))
        );
    }
    let Session {
        mut proxy, server, ..
    } = session;
    server.ends();
    proxy.ends();
    let told = proxy.complains();
    assert_eq!(
        told.matches("its calls pass through untouched").count(),
        1,
        "{told}"
    );
    assert!(told.starts_with("callmend: tool `odd`: "), "{told}");
}

#[test]
fn a_batch_is_dealt_with_element_by_element() {
    let mut session = Session::with_tools(&[], &tools());
    let clean = call(1, "write", &json!({"path": "a"}));
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}";
    let batch = format!("[ {}, {ping} ]\n", clean.trim());
    session.proxy.sends(&batch);
    assert_eq!(session.server.gets(), batch, "a clean batch is not touched");

    let repaired = call(3, "write", &json!({"filepath": "a"}));
    session
        .proxy
        .sends(format!("[ {} , {ping} ]\n", repaired.trim()));
    let expected = repaired.trim().replace("filepath", "path");
    assert_eq!(session.server.gets(), format!("[ {expected} , {ping} ]\n"));

    let refused = call(4, "write", &json!({}));
    session.proxy.sends(format!(
        "[{}, {ping}, {}]\n",
        refused.trim(),
        repaired.trim()
    ));
    assert_eq!(session.server.gets(), format!("[{ping},{expected}]\n"));
    let answers = session.proxy.gets_json();
    assert_eq!(
        (&answers[0]["id"], answers.as_array().unwrap().len()),
        (&json!(4), 1)
    );

    session.proxy.sends(format!("[{}]\n", refused.trim()));
    assert_eq!(session.proxy.gets_json()[0]["result"]["isError"], true);

    session.server.sends("[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}, {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}]\n");
    let results = session.proxy.gets_json();
    assert_eq!(results[0]["result"], json!({}));
    assert!(results[1]["result"]["_meta"]["callmend/edits"].is_array());
    session.finish();
}

#[test]
fn the_log_has_one_line_per_call_and_no_value_of_any() {
    let secret = "hunter2";
    let mut session = Session::with_tools(&[], &tools());
    session
        .proxy
        .sends(call(1, "write", &json!({"path": secret})));
    session
        .proxy
        .sends(call(2, "write", &json!({"filepath": secret})));
    session.proxy.sends(call(
        3,
        "write",
        &json!(format!("{{\"path\": \"{secret}\"}}")),
    ));
    session
        .proxy
        .sends(call(4, "write", &json!({"path": [secret]})));
    assert_eq!(session.proxy.gets_json()["id"], 4);
    let text = std::fs::read_to_string(session.folder.path("log")).unwrap();
    assert!(!text.contains(secret), "{text}");
    let log = session.log();
    let seen: Vec<_> = log
        .iter()
        .map(|line| (line["id"].clone(), line["status"].clone()))
        .collect();
    let expected = [
        (1, "clean"),
        (2, "repaired"),
        (3, "repaired"),
        (4, "unrepairable"),
    ];
    assert_eq!(
        seen,
        expected.map(|(id, status)| (json!(id), json!(status)))
    );
    assert_eq!(log[1]["edits"][0]["from"], "/filepath");
    assert!(log[3]["rejection"]["code"].is_string());
    session.finish();
}

#[test]
fn what_is_forwarded_is_what_is_logged() {
    let mut session = Session::with_tools(&["--log-values"], &tools());
    for arguments in [
        json!({"path": "a"}),
        json!({"file_path": "b"}),
        json!("{\"path\":\"c\"}"),
    ] {
        session.proxy.sends(call(1, "write", &arguments));
        let forwarded = session.server.gets_json();
        assert_eq!(
            session.log().last().unwrap()["arguments"],
            forwarded["params"]["arguments"]
        );
    }
    session.finish();
}

#[test]
fn two_proxies_may_share_a_log() {
    let mut first = Session::with_tools(&[], &tools());
    let log = first.folder.path("log");
    let mut second = common::Session::with_tools(&["--log", log.to_str().unwrap()], &tools());
    for id in 0..50 {
        first
            .proxy
            .sends(call(id, "write", &json!({"filepath": "a"})));
        second.proxy.sends(call(id, "now", &json!({})));
        first.server.gets();
        second.server.gets();
    }
    assert_eq!(first.log().len() + second.log().len(), 100);
    first.finish();
    second.finish();
}

#[test]
fn a_half_line_that_someone_left_in_the_log_is_not_continued() {
    let folder = common::Folder::new();
    let log = folder.path("old");
    std::fs::write(&log, "{\"id\":1,\"to").unwrap();
    let mut proxy = common::Proxy::start(&["--log", log.to_str().unwrap()], &["cat"]);
    // `cat` sends everything back: the call is answered by itself, its list by nobody.
    proxy.sends("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"name\":\"b\"}}\n");
    proxy.gets();
    let text = std::fs::read_to_string(&log).unwrap();
    let second = text.lines().nth(1).unwrap();
    assert_eq!(serde_json::from_str::<Value>(second).unwrap()["id"], 5);
}
