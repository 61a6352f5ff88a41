//! Kills the server, the client and the proxy at points of a busy session drawn from fixed seeds.
//! Nobody may be left behind, and every line of the log must be whole.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers stand outside the test functions that clippy lets do so"
)]

mod common;

use common::{Folder, PATIENCE, example, is_gone, log_lines};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// How often each is killed; four kinds make 200 in all.
const KILLS: u64 = 50;

#[derive(Clone, Copy)]
enum Victim {
    Server,
    Client,
    Proxy,
    /// The proxy gets SIGTERM.
    Asked,
}

#[test]
fn killing_the_server_leaves_nobody() {
    all(Victim::Server);
}

#[test]
fn killing_the_client_leaves_nobody() {
    all(Victim::Client);
}

#[test]
fn killing_the_proxy_leaves_nobody() {
    all(Victim::Proxy);
}

#[test]
fn asking_the_proxy_to_end_leaves_nobody() {
    all(Victim::Asked);
}

fn all(victim: Victim) {
    for seed in 1..=KILLS {
        one(victim, seed);
    }
}

fn one(victim: Victim, seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ victim as u64);
    let after = random.below(60);
    let mut run = Run::start();
    let pid = match victim {
        Victim::Server => run.server_pid,
        Victim::Client => run.client.id() as i32,
        Victim::Proxy | Victim::Asked => run.proxy.id() as i32,
    };
    let signal = match victim {
        Victim::Asked => Signal::TERM,
        _ => Signal::KILL,
    };
    let sending = sends(run.client_socket.try_clone().unwrap(), random);
    let serving = serves(run.server_socket.try_clone().unwrap());
    let kill = || kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    if after == 0 {
        kill();
    }
    let mut seen = 0;
    for line in BufReader::new(&run.client_socket).split(b'\n') {
        let Ok(_) = line else { break };
        seen += 1;
        if seen == after {
            kill();
        }
    }
    assert!(
        seen >= after,
        "seed {seed}: the session ended before the kill"
    );

    let code = common::wait(&mut run.proxy);
    match victim {
        Victim::Server => assert_eq!(code, Some(128 + 9), "seed {seed}"),
        Victim::Asked => assert_eq!(code, Some(128 + 15), "seed {seed}"),
        Victim::Proxy => assert_eq!(code, None, "seed {seed}"),
        // The server ends by itself, or by SIGPIPE's error, or is told to.
        Victim::Client => assert!(code.is_some(), "seed {seed}"),
    }
    let _ = run.client_socket.shutdown(std::net::Shutdown::Both);
    common::wait(&mut run.client);
    is_gone(run.server_pid);
    sending.join().unwrap();
    let received = serving.join().unwrap();
    let log = log_lines(&run.folder.path("log"));
    assert!(
        log.len() >= received,
        "seed {seed}: {received} calls received, {} logged",
        log.len()
    );
}

/// A client, a proxy and a server, each a process, with the test at both far ends.
struct Run {
    proxy: Child,
    client: Child,
    client_socket: UnixStream,
    server_pid: i32,
    server_socket: UnixStream,
    folder: Folder,
}

impl Run {
    fn start() -> Self {
        let folder = Folder::new();
        let path = |name| folder.path(name).to_str().unwrap().to_owned();
        let relay = example("relay-server");
        let for_server = UnixListener::bind(path("server")).unwrap();
        let for_client = UnixListener::bind(path("client")).unwrap();
        let mut proxy = Command::new(example("callmend-mcp-proxy"))
            .args(["--grace-ms", "200", "--log", &path("log"), "--"])
            .arg(&relay)
            .arg(path("server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let client = Command::new(&relay)
            .arg(path("client"))
            .stdin(proxy.stdout.take().unwrap())
            .stdout(proxy.stdin.take().unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (server_socket, server_pid) = accept(&for_server);
        let (client_socket, _) = accept(&for_client);
        Self {
            proxy,
            client,
            client_socket,
            server_pid,
            server_socket,
            folder,
        }
    }
}

fn accept(listener: &UnixListener) -> (UnixStream, i32) {
    let (socket, _) = listener.accept().unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    // One byte at a time, so that nothing after the line is taken.
    let mut pid = String::new();
    for byte in std::io::Read::bytes(&socket).map_while(Result::ok) {
        match byte {
            b'\n' => break,
            digit => pid.push(char::from(digit)),
        }
    }
    (socket, pid.parse().unwrap())
}

/// Sends calls of every kind, large and small, as fast as they are taken.
fn sends(mut socket: UnixStream, mut random: Random) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for id in 0..400 {
            let size = if random.below(8) == 0 { 100_000 } else { 10 };
            let content = "x".repeat(size);
            let arguments = match random.below(4) {
                0 => json!({"path": "a", "content": content}),
                1 => json!({"filepath": "a", "content": content}),
                2 => json!({"path": "a", "contend": content}),
                _ => json!(json!({"path": "a", "content": content}).to_string()),
            };
            let params = json!({"name": "write", "arguments": arguments});
            let call =
                json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
            if socket.write_all(format!("{call}\n").as_bytes()).is_err() {
                return;
            }
        }
    })
}

/// Answers until its input ends, as a server must; returns how many calls it got.
fn serves(mut socket: UnixStream) -> JoinHandle<usize> {
    let tools = json!([{
        "name": "write",
        "inputSchema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path"],
            "additionalProperties": false
        }
    }]);
    std::thread::spawn(move || {
        let mut calls = 0;
        for line in BufReader::new(socket.try_clone().unwrap()).lines() {
            let Some(request) = line
                .ok()
                .and_then(|line| serde_json::from_str::<Value>(&line).ok())
            else {
                break;
            };
            let result = if request["method"] == "tools/list" {
                json!({"tools": tools})
            } else {
                calls += 1;
                assert!(request["params"]["arguments"]["path"].is_string());
                json!({"content": [{"type": "text", "text": "y".repeat(calls % 7 * 10_000)}]})
            };
            let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
            if socket.write_all(format!("{answer}\n").as_bytes()).is_err() {
                break;
            }
        }
        let _ = socket.shutdown(std::net::Shutdown::Both);
        calls
    })
}

/// Numbers that are the same in every run (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}
