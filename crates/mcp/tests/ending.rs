//! How a session ends: nobody is left behind, nothing is lost, and the server's exit code is told.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers stand outside the test functions that clippy lets do so"
)]

mod common;

use common::{Proxy, Session, is_alive, is_gone};
use rustix::process::Signal;

#[test]
fn the_servers_exit_code_is_returned() {
    for (script, code) in [
        ("exit 0", 0),
        ("exit 7", 7),
        ("kill -9 $$", 137),
        ("kill -15 $$", 143),
    ] {
        let (ended, rest) = Proxy::start(&[], &["sh", "-c", script]).ends();
        assert_eq!((ended, rest), (Some(code), Vec::new()), "{script}");
    }
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let mut proxy = Proxy::start(&[], &["/no/such/program"]);
    assert_eq!(proxy.ends().0, Some(1));
    assert!(
        proxy
            .complains()
            .contains("the server `/no/such/program` cannot be started")
    );
}

#[test]
fn a_client_that_closes_its_end_closes_the_servers_input() {
    let (code, rest) = {
        let mut proxy = Proxy::start(&[], &["sh", "-c", "cat; echo bye; exit 3"]);
        proxy.sends("hello\n");
        proxy.hangs_up();
        proxy.ends()
    };
    assert_eq!((code, rest), (Some(3), b"hello\nbye\n".to_vec()));
}

#[test]
fn a_server_that_stays_when_its_client_leaves_is_told_to_end() {
    let script = "trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done";
    let mut proxy = Proxy::start(&["--grace-ms", "100"], &["sh", "-c", script]);
    assert_eq!(proxy.gets(), "ready\n");
    proxy.hangs_up();
    assert_eq!(proxy.ends().0, Some(5));
}

#[test]
fn a_server_that_stays_when_told_to_end_is_killed_with_what_it_started() {
    let script = "trap '' TERM; sleep 600 & echo $! $$; while :; do sleep 0.01; done";
    let mut proxy = Proxy::start(&["--grace-ms", "100"], &["sh", "-c", script]);
    let pids = proxy.gets();
    proxy.hangs_up();
    assert_eq!(proxy.ends().0, Some(137));
    pids.split_whitespace()
        .for_each(|pid| is_gone(pid.parse().unwrap()));
}

#[test]
fn a_wrapper_that_ends_on_a_signal_does_not_leave_its_server_behind() {
    // The inner shell ignores what the outer one dies of.
    let script = "(trap '' TERM; echo ready; while :; do sleep 0.01; done) & echo $!; wait";
    let mut proxy = Proxy::start(&[], &["sh", "-c", script]);
    let lines = [proxy.gets(), proxy.gets()];
    assert!(lines.contains(&"ready\n".to_owned()));
    let mut inner = lines
        .iter()
        .filter_map(|line| line.trim().parse::<i32>().ok());
    proxy.signal(Signal::TERM);
    assert_eq!(proxy.ends().0, Some(143));
    is_gone(inner.next().unwrap());
}

#[test]
fn a_signal_to_the_proxy_reaches_the_server() {
    for (signal, name, code) in [
        (Signal::TERM, "TERM", 41),
        (Signal::INT, "INT", 42),
        (Signal::HUP, "HUP", 43),
    ] {
        let script = format!("trap 'exit {code}' {name}; echo ready; while :; do sleep 0.01; done");
        let mut proxy = Proxy::start(&[], &["sh", "-c", &script]);
        assert_eq!(proxy.gets(), "ready\n");
        proxy.signal(signal);
        assert_eq!(proxy.ends().0, Some(code));
    }
}

#[test]
fn a_second_signal_kills_at_once() {
    let script = "trap '' TERM; echo ready; while :; do sleep 0.01; done";
    let mut proxy = Proxy::start(&[], &["sh", "-c", script]);
    proxy.gets();
    proxy.signal(Signal::TERM);
    proxy.signal(Signal::INT);
    assert_eq!(proxy.ends().0, Some(137));
}

#[test]
fn a_killed_proxy_closes_the_servers_input() {
    let mut session = Session::start(&[]);
    assert!(is_alive(session.server.pid));
    session.proxy.signal(Signal::KILL);
    assert_eq!(session.server.gets(), "");
    let pid = session.server.pid;
    session.server.ends();
    is_gone(pid);
}

#[test]
fn a_killed_server_ends_the_proxy() {
    let mut session = Session::start(&[]);
    let pid = rustix::process::Pid::from_raw(session.server.pid).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
    assert_eq!(session.proxy.ends().0, Some(137));
}

#[test]
fn a_server_that_closes_its_output_and_stays_is_ended() {
    let script = "exec >&-; while :; do sleep 0.01; done";
    let mut proxy = Proxy::start(&["--grace-ms", "100"], &["sh", "-c", script]);
    assert_eq!(proxy.ends().0, Some(143));
}

#[test]
fn an_output_held_open_by_what_the_server_left_does_not_keep_the_proxy() {
    let mut proxy = Proxy::start(&[], &["sh", "-c", "sleep 600 & echo $!; exit 4"]);
    let left: i32 = proxy.gets().trim().parse().unwrap();
    assert_eq!(common::wait(&mut proxy.child), Some(4));
    assert!(
        is_alive(left),
        "what a server leaves behind on purpose is its own"
    );
    let pid = rustix::process::Pid::from_raw(left).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn a_client_that_takes_no_more_ends_the_session() {
    let script = "trap '' PIPE; while :; do echo line; sleep 0.01; done";
    let mut command = std::process::Command::new(common::example("callmend-mcp-proxy"));
    command.args(["--grace-ms", "100", "--", "sh", "-c", script]);
    command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let code = common::wait(&mut child).unwrap();
    assert!(code == 143 || code == 1 || code == 2, "{code}");
}
