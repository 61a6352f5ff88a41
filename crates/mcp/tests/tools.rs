//! How the proxy learns the server's tools, and how little it asks.

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

fn tool(name: &str, argument: &str) -> Value {
    json!({
        "name": name,
        "inputSchema": {
            "type": "object",
            "properties": {argument: {"type": "string"}},
            "required": [argument],
            "additionalProperties": false
        }
    })
}

const CALL: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"b\",\"arguments\":{\"filepath\":\"x\"}}}\n";
const REPAIRED: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"b\",\"arguments\":{\"path\":\"x\"}}}\n";

/// Reads the proxy's own request.
fn own(session: &mut Session) -> Value {
    let request = session.server.gets_json();
    assert_eq!(request["method"], "tools/list");
    let id = request["id"].as_str().unwrap();
    assert!(id.starts_with("callmend:tools/list:"), "{id}");
    request
}

fn answer(session: &mut Session, request: &Value, result: &Value) {
    let line = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
    session.server.sends(format!("{line}\n"));
}

#[test]
fn the_clients_own_pages_are_enough() {
    let mut session = Session::start(&[]);
    let pages = [
        (
            json!({}),
            json!({"tools": [tool("a", "path")], "nextCursor": "2"}),
        ),
        (
            json!({"cursor": "2"}),
            json!({"tools": [tool("b", "path")]}),
        ),
    ];
    for (id, (params, result)) in pages.iter().enumerate() {
        let line = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params});
        session.proxy.sends(format!("{line}\n"));
        let request = session.server.gets_json();
        assert_eq!(request, line);
        answer(&mut session, &request, result);
        assert_eq!(&session.proxy.gets_json()["result"], result);
    }
    session.proxy.sends(CALL);
    assert_eq!(session.server.gets(), REPAIRED);
    // The list is known to its end, so nothing is asked about a tool that is not there.
    let unknown = CALL.replace("\"b\"", "\"c\"");
    session.proxy.sends(&unknown);
    assert_eq!(session.server.gets(), unknown);
    session.finish();
}

#[test]
fn a_client_that_never_lists_makes_the_proxy_ask_and_never_see_the_answer() {
    let mut session = Session::start(&[]);
    session.proxy.sends(CALL);
    let request = own(&mut session);
    assert_eq!(request["params"], json!({}));
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    session.proxy.sends(CALL);
    assert_eq!(session.server.gets(), REPAIRED, "asked once");
    assert_eq!(session.finish(), b"");
}

#[test]
fn the_proxy_goes_on_where_the_client_stopped_and_stops_where_the_tool_is() {
    let mut session = Session::start(&[]);
    session
        .proxy
        .sends("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}\n");
    let request = session.server.gets_json();
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("a", "path")], "nextCursor": "two"}),
    );
    session.proxy.gets();
    session.proxy.sends(CALL);
    let request = own(&mut session);
    assert_eq!(request["params"], json!({"cursor": "two"}));
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("x", "path")], "nextCursor": "three"}),
    );
    let request = own(&mut session);
    assert_eq!(request["params"], json!({"cursor": "three"}));
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")], "nextCursor": "four"}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    session.finish();
}

#[test]
fn a_request_of_the_client_that_is_under_way_is_waited_for() {
    let mut session = Session::start(&[]);
    session
        .proxy
        .sends("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}\n");
    session.proxy.sends(CALL);
    let request = session.server.gets_json();
    assert_eq!(request["id"], 9);
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    session.finish();
}

#[test]
fn a_changed_list_is_read_again_when_it_is_needed() {
    let mut session = Session::with_tools(&[], &json!([tool("b", "other")]));
    session
        .server
        .sends("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n");
    assert!(session.proxy.gets().contains("list_changed"));
    session.proxy.sends(CALL);
    let request = own(&mut session);
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    session.finish();
}

#[test]
fn a_list_asked_for_before_the_change_is_not_trusted() {
    let mut session = Session::start(&[]);
    session
        .proxy
        .sends("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}\n");
    let request = session.server.gets_json();
    session
        .server
        .sends("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n");
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "other")]}),
    );
    session.proxy.gets();
    session.proxy.gets();
    session.proxy.sends(CALL);
    let request = own(&mut session);
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    session.finish();
}

#[test]
fn a_tool_that_is_gone_from_the_list_passes() {
    let mut session = Session::with_tools(&[], &json!([tool("b", "path")]));
    session.client_lists(&json!([tool("a", "path")]));
    session.proxy.sends(CALL);
    assert_eq!(session.server.gets(), CALL);
    session.finish();
}

#[test]
fn a_server_without_tools_is_asked_once_and_calls_pass() {
    let mut session = Session::start(&[]);
    session.proxy.sends(CALL);
    let request = own(&mut session);
    let error =
        json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}});
    session.server.sends(format!("{error}\n"));
    assert_eq!(session.server.gets(), CALL);
    session.proxy.sends(CALL);
    assert_eq!(session.server.gets(), CALL);
    assert_eq!(session.log()[0]["reason"], "no-list");
    assert_eq!(session.finish(), b"");
}

#[test]
fn a_server_that_does_not_answer_does_not_hold_a_call_for_good() {
    let mut session = Session::start(&["--list-wait-ms", "50"]);
    session.proxy.sends(CALL);
    let request = own(&mut session);
    assert_eq!(session.server.gets(), CALL);
    // The late answer is still the proxy's own, and still teaches.
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    session.server.sends("now\n");
    assert_eq!(session.proxy.gets(), "now\n");
    session.proxy.sends(CALL);
    assert_eq!(session.server.gets(), REPAIRED);
    session.finish();
}

#[test]
fn what_follows_a_held_call_waits_in_order_except_answers_to_the_server() {
    let mut session = Session::start(&[]);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
    let cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    let roots = "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{\"roots\":[]}}\n";
    session.proxy.sends(CALL);
    let request = own(&mut session);
    // The server asks the client something before it answers.
    let ask = "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"roots/list\"}\n";
    session.server.sends(ask);
    assert_eq!(session.proxy.gets(), ask);
    session.proxy.sends(ping);
    session.proxy.sends(cancel);
    session.proxy.sends(roots);
    assert_eq!(session.server.gets(), roots);
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    assert_eq!(session.server.gets(), ping);
    assert_eq!(session.server.gets(), cancel);
    session.finish();
}

#[test]
fn a_client_that_leaves_while_a_call_is_held_has_it_delivered() {
    let mut session = Session::start(&[]);
    session.proxy.sends(CALL);
    let request = own(&mut session);
    session.proxy.hangs_up();
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")]}),
    );
    assert_eq!(session.server.gets(), REPAIRED);
    assert_eq!(session.server.gets(), "");
    session.finish();
}

#[test]
fn the_proxys_request_carries_the_metadata_that_revision_2026_07_28_asks_for() {
    let mut session = Session::start(&[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"x": 1},
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": 1
    });
    let params = json!({"name": "b", "arguments": {"path": "x"}, "_meta": meta});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    session.proxy.sends(format!("{call}\n"));
    let request = own(&mut session);
    let expected = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"x": 1},
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"}
    });
    assert_eq!(request["params"], json!({"_meta": expected}));
    answer(
        &mut session,
        &request,
        &json!({"tools": [tool("b", "path")], "resultType": "complete"}),
    );
    assert_eq!(session.server.gets_json(), call);
    session.finish();
}

#[test]
fn an_answer_without_a_list_teaches_nothing() {
    let mut session = Session::with_tools(&[], &json!([tool("b", "path")]));
    session
        .proxy
        .sends("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/list\"}\n");
    let request = session.server.gets_json();
    answer(&mut session, &request, &json!({"something": "else"}));
    session.proxy.gets();
    session.proxy.sends(CALL);
    assert_eq!(session.server.gets(), REPAIRED);
    session.finish();
}

#[test]
fn a_list_without_end_is_given_up() {
    let mut session = Session::start(&[]);
    session.proxy.sends(CALL);
    let request = own(&mut session);
    answer(
        &mut session,
        &request,
        &json!({"tools": [], "nextCursor": "same"}),
    );
    let request = own(&mut session);
    answer(
        &mut session,
        &request,
        &json!({"tools": [], "nextCursor": "same"}),
    );
    assert_eq!(session.server.gets(), CALL);
    session.finish();
}
