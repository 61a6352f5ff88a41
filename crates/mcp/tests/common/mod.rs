//! A proxy under test, whose client and server are both played by the test.

#![allow(dead_code, reason = "each test file uses some of it")]

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long anything that must happen may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Finds a program that Cargo builds beside the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .join("examples")
        .join(name);
    assert!(
        path.exists(),
        "{} is missing: build the examples",
        path.display()
    );
    path
}

/// A folder of its own, removed in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("callmend-mcp-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A proxy with a client, run on any command.
pub(crate) struct Proxy {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
}

impl Proxy {
    pub(crate) fn start<S: AsRef<std::ffi::OsStr>>(flags: &[&str], command: &[S]) -> Self {
        let mut proxy = Command::new(example("callmend-mcp-proxy"));
        proxy.args(flags).arg("--").args(command);
        proxy
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = proxy.spawn().unwrap();
        Self {
            input: child.stdin.take(),
            lines: lines_of(child.stdout.take().unwrap()),
            stderr: lines_of(child.stderr.take().unwrap()),
            child,
        }
    }

    pub(crate) fn sends(&mut self, bytes: impl AsRef<[u8]>) {
        self.input
            .as_mut()
            .unwrap()
            .write_all(bytes.as_ref())
            .unwrap();
    }

    /// Returns the next line that the client gets.
    pub(crate) fn gets(&self) -> String {
        String::from_utf8(self.gets_bytes()).unwrap()
    }

    pub(crate) fn gets_bytes(&self) -> Vec<u8> {
        self.lines
            .recv_timeout(PATIENCE)
            .expect("the client got nothing")
    }

    pub(crate) fn gets_json(&self) -> Value {
        serde_json::from_str(&self.gets()).unwrap()
    }

    pub(crate) fn gets_nothing_more(&self) {
        assert_eq!(self.lines.try_recv().map(String::from_utf8).ok(), None);
    }

    /// Closes the client's end.
    pub(crate) fn hangs_up(&mut self) {
        self.input = None;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id() as i32).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the proxy's end and returns its exit code and all that was not read.
    pub(crate) fn ends(&mut self) -> (Option<i32>, Vec<u8>) {
        let code = wait(&mut self.child);
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.extend(line);
        }
        (code, rest)
    }

    pub(crate) fn complains(&self) -> String {
        let mut all = Vec::new();
        while let Ok(line) = self.stderr.recv_timeout(PATIENCE) {
            all.extend(line);
        }
        String::from_utf8(all).unwrap()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn wait(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(start.elapsed() < PATIENCE, "a process does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Reads lines, each with its end, in the background.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            match stream.read_until(b'\n', &mut line) {
                Ok(1..) if send.send(line).is_ok() => {}
                _ => return,
            }
        }
    });
    lines
}

/// The server's part.
pub(crate) struct Server {
    pub(crate) socket: UnixStream,
    reader: BufReader<UnixStream>,
    pub(crate) pid: i32,
}

impl Server {
    pub(crate) fn sends(&mut self, bytes: impl AsRef<[u8]>) {
        self.socket.write_all(bytes.as_ref()).unwrap();
    }

    /// Returns the next line that the server gets; empty at the end.
    pub(crate) fn gets(&mut self) -> String {
        String::from_utf8(self.gets_bytes()).unwrap()
    }

    pub(crate) fn gets_bytes(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        self.reader
            .read_until(b'\n', &mut line)
            .expect("the server got nothing");
        line
    }

    pub(crate) fn gets_json(&mut self) -> Value {
        serde_json::from_str(&self.gets()).unwrap()
    }

    /// Answers a `tools/list` request of the client with these tools.
    pub(crate) fn lists(&mut self, tools: &Value) {
        let request = self.gets_json();
        assert_eq!(request["method"], "tools/list");
        let answer =
            serde_json::json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": tools}});
        self.sends(format!("{answer}\n"));
    }

    /// Ends with exit code 0.
    pub(crate) fn ends(self) {
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
    }
}

pub(crate) struct Session {
    pub(crate) proxy: Proxy,
    pub(crate) server: Server,
    pub(crate) folder: Folder,
}

impl Session {
    pub(crate) fn start(flags: &[&str]) -> Self {
        let folder = Folder::new();
        let path = folder.path("socket");
        let log = folder.path("log");
        let listener = UnixListener::bind(&path).unwrap();
        let relay = example("relay-server");
        let mut flags = flags.to_vec();
        flags.extend(["--log", log.to_str().unwrap()]);
        let proxy = Proxy::start(&flags, &[relay.as_os_str(), path.as_os_str()]);
        let (socket, _) = listener.accept().unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(socket.try_clone().unwrap());
        let mut pid = String::new();
        reader.read_line(&mut pid).unwrap();
        let server = Server {
            socket,
            reader,
            pid: pid.trim().parse().unwrap(),
        };
        Self {
            proxy,
            server,
            folder,
        }
    }

    /// Starts a session whose client has asked for the tools.
    pub(crate) fn with_tools(flags: &[&str], tools: &Value) -> Self {
        let mut session = Self::start(flags);
        session.client_lists(tools);
        session
    }

    pub(crate) fn client_lists(&mut self, tools: &Value) {
        self.proxy
            .sends("{\"jsonrpc\":\"2.0\",\"id\":\"list\",\"method\":\"tools/list\"}\n");
        self.server.lists(tools);
        let listed = self.proxy.gets_json();
        assert_eq!(&listed["result"]["tools"], tools);
    }

    pub(crate) fn log(&self) -> Vec<Value> {
        log_lines(&self.folder.path("log"))
    }

    /// Ends the session from the server's side and returns the rest that the client gets.
    pub(crate) fn finish(self) -> Vec<u8> {
        let Self {
            mut proxy, server, ..
        } = self;
        server.ends();
        let (code, rest) = proxy.ends();
        assert_eq!(code, Some(0));
        rest
    }
}

/// Reads a log whose every line must be whole.
pub(crate) fn log_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.is_empty() || text.ends_with('\n'),
        "a half line in the log"
    );
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// Says whether a process is still there; a dead one that nobody has reaped is not.
pub(crate) fn is_alive(pid: i32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.starts_with(['Z', 'X'])
}

/// Waits until a process is gone.
pub(crate) fn is_gone(pid: i32) {
    let start = Instant::now();
    while is_alive(pid) {
        assert!(start.elapsed() < PATIENCE, "process {pid} was left behind");
        std::thread::sleep(Duration::from_millis(2));
    }
}
