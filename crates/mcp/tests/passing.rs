//! What the proxy does not touch: everything but calls, byte for byte, both ways, in order.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers stand outside the test functions that clippy lets do so"
)]

mod common;

use common::{Session, is_gone};
use serde_json::json;
use std::io::Write as _;

/// Lines that a proxy could be tempted to change.
const ODD: &[&[u8]] = &[
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
    b"{ \"method\" : \"initialize\", \"params\":{\"z\":1,\"a\":1.00e2,\"protocolVersion\":\"1999-01-01\"},\"id\" : 9007199254740993 ,\"jsonrpc\":\"2.0\"}\r\n",
    b"\n",
    b"   \r\n",
    b"hello, this is no JSON\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"arguments\":{a:1}}}\n",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":7}}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\"}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":7}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"roots\":[]}}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1,\"message\":\"\\ud800\"}}\n",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":0.50}}\n",
    b"[]\n",
    b"[1,2]\n",
    b"[{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"} , {\"jsonrpc\":\"2.0\",\"method\":\"x\"}]\n",
    b"\xff\xfe not UTF-8\n",
    b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n",
    b"{\"id\":5,\"method\":\"ping\",\"a\":\"\x00\"}\n",
];

#[test]
fn every_other_line_passes_byte_for_byte_both_ways() {
    let mut session = Session::start(&[]);
    for line in ODD {
        session.proxy.sends(line);
        session.server.sends(line);
    }
    for line in ODD {
        assert_eq!(session.server.gets_bytes(), *line);
        assert_eq!(session.proxy.gets_bytes(), *line);
    }
    assert_eq!(session.log(), [] as [serde_json::Value; 0]);
    assert_eq!(session.finish(), b"");
}

#[test]
fn a_half_line_at_the_end_passes_both_ways() {
    let mut session = Session::start(&[]);
    session.proxy.sends("{\"jsonrpc\":\"2.0\",\"id\":1,\"meth");
    session.proxy.hangs_up();
    assert_eq!(
        session.server.gets(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"meth"
    );
    assert_eq!(session.server.gets(), "", "the server's input ends");
    session.server.sends("{\"jsonrpc\":\"2.0\",\"id\":1,\"res");
    assert_eq!(session.finish(), b"{\"jsonrpc\":\"2.0\",\"id\":1,\"res");
}

#[test]
fn a_message_of_ten_megabytes_passes_both_ways() {
    let mut session = Session::start(&[]);
    let text = "x".repeat(10_000_000);
    let line = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"text": text}})
    );
    session.proxy.sends(&line);
    assert!(session.server.gets() == line);
    session.server.sends(&line);
    assert!(session.proxy.gets() == line);
    session.finish();
}

#[test]
fn a_line_over_the_limit_passes_in_pieces() {
    let mut session = Session::start(&["--max-line", "1000"]);
    let long = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "method": "m", "p": "x".repeat(100_000)})
    );
    for line in [long.as_str(), "short\n", long.as_str()] {
        session.proxy.sends(line);
        session.server.sends(line);
        assert!(session.server.gets() == line);
        assert!(session.proxy.gets() == line);
    }
    session.finish();
}

#[test]
fn lines_keep_their_order_under_load() {
    let mut session = Session::start(&[]);
    let mut to_proxy = session.proxy.input.take().unwrap();
    let mut to_server = session.server.socket.try_clone().unwrap();
    const MANY: u32 = 20_000;
    let line = |n| format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"ping\"}}\n");
    let sending = std::thread::spawn(move || {
        for n in 0..MANY {
            to_proxy.write_all(line(n).as_bytes()).unwrap();
        }
    });
    let answering = std::thread::spawn(move || {
        for n in 0..MANY {
            to_server.write_all(line(n).as_bytes()).unwrap();
        }
    });
    for n in 0..MANY {
        assert_eq!(session.server.gets(), line(n));
        assert_eq!(session.proxy.gets(), line(n));
    }
    sending.join().unwrap();
    answering.join().unwrap();
    session.finish();
}

#[test]
fn what_the_server_wrote_before_its_end_is_passed_on() {
    let mut session = Session::start(&[]);
    let line = format!("{}\n", "y".repeat(5_000_000));
    session.server.sends(&line);
    session.server.sends("last, half");
    let rest = session.finish();
    assert!(rest == format!("{line}last, half").into_bytes());
}

#[test]
fn a_server_that_never_reads_stops_the_client_and_nothing_else() {
    let mut session = Session::start(&["--max-line", "100000", "--grace-ms", "200"]);
    let mut input = session.proxy.input.take().unwrap();
    let pid = session.proxy.child.id();
    // Nobody reads the socket, so the relay stops reading its standard input.
    let sending = std::thread::spawn(move || {
        let line = format!("{}\n", "z".repeat(50_000));
        let sent = (0..4000).take_while(|_| input.write_all(line.as_bytes()).is_ok());
        sent.count()
    });
    for n in 0..100 {
        let line = format!("{{\"n\":{n}}}\n");
        session.server.sends(&line);
        assert_eq!(session.proxy.gets(), line, "the other way is open");
    }
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 50_000, "{peak} kB for a server that does not read");
    assert!(!sending.is_finished(), "the client is made to wait");
    // The client is killed while its thread waits to write.
    session.proxy.signal(rustix::process::Signal::TERM);
    session.proxy.ends();
    assert!(sending.join().unwrap() < 4000);
    is_gone(session.server.pid);
}

#[test]
fn a_client_that_leaves_is_noticed_though_the_server_never_reads() {
    let mut session = Session::start(&["--max-line", "100000", "--grace-ms", "200"]);
    let mut sleeping = common::Proxy::start(
        &["--max-line", "1000", "--grace-ms", "100"],
        &["sleep", "600"],
    );
    let mut input = sleeping.input.take().unwrap();
    let writing = std::thread::spawn(move || {
        // More than the pipes and the queue hold, less than would block for good.
        let _ = input.write_all(&vec![b'\n'; 100_000]);
    });
    // The writer's end closes when its thread is done.
    let (code, _) = sleeping.ends();
    assert_eq!(
        code,
        Some(128 + 15),
        "ended with SIGTERM after the grace period"
    );
    writing.join().unwrap();
    session.proxy.hangs_up();
    assert_eq!(session.server.gets(), "");
    session.finish();
}

#[test]
fn the_servers_standard_error_is_its_own() {
    let proxy = common::Proxy::start(&[], &["sh", "-c", "echo oops >&2"]);
    assert_eq!(proxy.complains(), "oops\n");
}

#[test]
fn the_log_cannot_be_opened_so_nothing_runs() {
    let mut proxy = common::Proxy::start(&["--log", "/nowhere/at/all"], &["cat"]);
    let (code, rest) = proxy.ends();
    assert_eq!((code, rest), (Some(1), Vec::new()));
}
