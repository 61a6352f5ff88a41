//! `callmend mcp`: what the command adds to the proxy, which has its own tests.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "helpers stand outside the test functions that clippy lets do so"
)]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn callmend(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_callmend"));
    command.arg("mcp").args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The command may be done before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Answers the first request for the tools, then shows what else it gets.
const SERVER: &str = r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"read","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}}]}}'; cat"#;

fn call(arguments: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}}\n{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{{\"name\":\"read\",\"arguments\":{arguments}}}}}\n"
    )
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().last().unwrap().to_owned()
}

#[test]
fn the_servers_exit_status_is_the_commands() {
    assert_eq!(
        callmend(&["--", "sh", "-c", "exit 7"], "").status.code(),
        Some(7)
    );
}

#[test]
fn a_call_is_repaired_on_its_way() {
    let output = callmend(&["--", "sh", "-c", SERVER], &call("{\"filepath\":\"a\"}"));
    assert!(last_line(&output).contains("\"arguments\":{\"path\":\"a\"}"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_closure_is_said_on_the_command_line() {
    let sent = call("{\"path\":\"a\",\"zzz\":1}");
    let refused = callmend(&["--", "sh", "-c", SERVER], &sent);
    assert!(last_line(&refused).contains("unknown argument `zzz`"));
    let passed = callmend(
        &["--closure", "synthesized", "--", "sh", "-c", SERVER],
        &sent,
    );
    assert!(last_line(&passed).contains("\"zzz\":1"));
    let wrong = callmend(&["--closure", "open", "--", "true"], "");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_profile_says_what_runs_and_which_tools_may_be_called() {
    let path =
        std::env::temp_dir().join(format!("callmend-mcp-profiles-{}.toml", std::process::id()));
    std::fs::write(
        &path,
        "[\"*\"]\nrepair = false\n\n[\"small/*\"]\ntools = [\"write\"]\n",
    )
    .unwrap();
    let file = path.to_str().unwrap();
    let sent = call("{\"filepath\":\"a\"}");
    let unrepaired = callmend(&["--profiles", file, "--", "sh", "-c", SERVER], &sent);
    assert!(last_line(&unrepaired).contains("unknown argument `filepath`"));
    let args = [
        "--profiles",
        file,
        "--model",
        "small/one",
        "--",
        "sh",
        "-c",
        SERVER,
    ];
    let forbidden = callmend(&args, &sent);
    // Refused at once, so perhaps before the server has answered for its tools.
    let all = String::from_utf8(forbidden.stdout).unwrap();
    assert!(all.contains("`read` is not a tool of this model"), "{all}");
    let both = callmend(
        &["--profiles", file, "--cascade", "extended", "--", "true"],
        "",
    );
    assert_eq!(both.status.code(), Some(2));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn what_cannot_be_started_is_told() {
    let output = callmend(&["--", "/no/such/server"], "");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("the server `/no/such/server` cannot be started"),
        "{told}"
    );
}
