//! The streams: one thread for each direction, one that reads ahead, and those that watch.

use crate::calls::{Calls, FromClient, FromServer};
use crate::catalog::Catalog;
use crate::lines::{Line, Lines};
use crate::log::Log;
use crate::message::{self, Message, Shape};
use crate::options::ProxyOptions;
use crate::process::{self, Client, Started};
use crate::queue::{self, Queue};
use crate::supervise::{Activity, Event, supervise};
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Runs a server behind the proxy, on this process's standard streams, until it has ended.
///
/// Returns the server's exit code; 128 + the signal if one killed it. Standard error is the
/// server's, with a few lines of the proxy's own, each beginning with `callmend: `. Threads that
/// still wait for the client when the server has ended are left behind: the process is expected to
/// end next.
///
/// # Errors
///
/// The server cannot be started, or the log cannot be opened. Nothing runs then.
pub fn run(options: ProxyOptions) -> io::Result<i32> {
    let log = match &options.log {
        None => None,
        Some(path) => {
            let opened = Log::open(path, options.log_values);
            Some(opened.map_err(|why| worded(why, "the log", path.as_os_str(), "opened"))?)
        }
    };
    let client = process::client()?;
    let (events, reported) = mpsc::channel();
    // Before the server runs, so that no signal can leave it behind.
    let signals = events.clone();
    process::on_signal(move |signal| drop(signals.send(Event::Signal(signal))))?;
    let mut command = Command::new(&options.program);
    command.args(&options.args);
    let started = process::spawn(command)
        .map_err(|why| worded(why, "the server", &options.program, "started"))?;
    let catalog = Catalog::new(options.prepare, &session());
    let calls = Calls::new(catalog, options.refuse, log, options.coach, tell);
    let limits = Limits {
        line: options.max_line.max(1),
        list_wait: options.list_wait,
    };
    let shared = Arc::new(Shared {
        calls,
        activity: Activity::new(),
        queue: Queue::new(limits.line),
    });
    let server = started.server.clone();
    connect(&shared, client, started, events, limits)?;
    Ok(supervise(
        &reported,
        &server,
        &shared.activity,
        options.grace,
        || shared.queue.stop(),
    ))
}

fn worded(why: io::Error, what: &str, name: &OsStr, done: &str) -> io::Error {
    let name = name.to_string_lossy();
    io::Error::new(
        why.kind(),
        format!("{what} `{name}` cannot be {done}: {why}"),
    )
}

#[derive(Clone, Copy)]
struct Limits {
    line: usize,
    list_wait: Duration,
}

struct Shared {
    calls: Calls,
    activity: Activity,
    queue: Queue,
}

fn connect(
    shared: &Arc<Shared>,
    client: Client,
    started: Started,
    events: Sender<Event>,
    limits: Limits,
) -> io::Result<()> {
    let output = Arc::new(Output::new(client.output));
    let waited = events.clone();
    let Started {
        server,
        child,
        input: to_server,
        output: from_server,
    } = started;
    start("server", move || {
        drop(waited.send(Event::Ended(server.wait(child))));
    })?;
    if let Some(watched) = client.watched {
        let gone = events.clone();
        process::on_client_gone(watched, move || drop(gone.send(Event::ClientGone)))?;
    }
    let (here, from_client) = (Arc::clone(shared), client.input);
    start("from-client", move || {
        here.read_client(from_client, limits.line)
    })?;
    let sending = ToServer {
        shared: Arc::clone(shared),
        input: Some(to_server),
        output: Arc::clone(&output),
        gone: events.clone(),
        held: Held::default(),
        deadline: None,
        limits,
    };
    start("to-server", move || sending.run())?;
    let here = Arc::clone(shared);
    start("to-client", move || {
        if here
            .pass_to_client(from_server, &output, limits.line)
            .is_err()
        {
            drop(events.send(Event::ClientGone));
        }
        drop(events.send(Event::OutputDone));
    })
}

fn start(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(run)?;
    Ok(())
}

impl Shared {
    /// Reads ahead of the server, as far as the queue allows.
    fn read_client(&self, input: Box<dyn Read + Send>, limit: usize) {
        let mut lines = Lines::new(Watched(input, &self.activity), limit);
        while let Ok(Some(line)) = lines.next() {
            if !self.queue.push(line) {
                return;
            }
        }
        self.queue.close();
    }

    /// Passes what the server writes on to the client; fails when the client does not take it.
    fn pass_to_client(&self, from: ChildStdout, output: &Output, limit: usize) -> io::Result<()> {
        let mut lines = Lines::new(Watched(from, &self.activity), limit);
        // A line in pieces keeps the client's end until its last.
        let mut kept: Option<MutexGuard<'_, Open>> = None;
        while let Ok(Some(line)) = lines.next() {
            match line {
                Line::Piece(bytes, last) => {
                    let open = kept.get_or_insert_with(|| output.lock());
                    open.write(&bytes)?;
                    if last {
                        kept = None;
                    }
                }
                Line::Whole(bytes) => self.pass_line(&bytes, output)?,
            }
            self.activity.now();
        }
        Ok(())
    }

    fn pass_line(&self, bytes: &[u8], output: &Output) -> io::Result<()> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return output.lock().write(bytes);
        };
        let (fate, learned) = self.calls.server_line(text);
        if learned {
            self.queue.learned();
        }
        match fate {
            FromServer::Keep => Ok(()),
            FromServer::Pass(None) => output.lock().write(bytes),
            FromServer::Pass(Some(noted)) => output.lock().write(noted.as_bytes()),
        }
    }
}

/// The direction from the client to the server.
struct ToServer {
    shared: Arc<Shared>,
    /// Gone once the server takes no more.
    input: Option<ChildStdin>,
    output: Arc<Output>,
    gone: Sender<Event>,
    held: Held,
    /// Until when the first held line waits for the server's list of tools.
    deadline: Option<Instant>,
    limits: Limits,
}

/// Lines that wait behind a call whose tool is not known yet.
#[derive(Default)]
struct Held {
    lines: VecDeque<Line>,
    bytes: usize,
    /// The last line is in pieces, of which more will come.
    inside: bool,
}

impl ToServer {
    fn run(mut self) {
        let mut open = true;
        loop {
            let room = self.held.bytes < self.limits.line;
            match self.shared.queue.next(open && room, self.deadline) {
                queue::Event::Line(line) if self.deadline.is_some() => self.hold(line),
                queue::Event::Line(line) => {
                    self.line(line);
                }
                queue::Event::Learned => self.release(),
                queue::Event::TimedOut => {
                    self.shared.calls.catalog.give_up();
                    self.release();
                }
                queue::Event::Closed => open = false,
                queue::Event::Stopped => return,
            }
            if !open && self.deadline.is_none() {
                // Dropping the server's input tells it so; the watch on the server begins.
                self.input = None;
                drop(self.gone.send(Event::ClientGone));
                return;
            }
        }
    }

    /// Deals with a line; says whether it is done with, or held until the tools are known.
    fn line(&mut self, line: Line) -> bool {
        let fate = match &line {
            Line::Whole(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => self.shared.calls.client_line(text),
                Err(_) => FromClient::Pass,
            },
            Line::Piece(..) => FromClient::Pass,
        };
        match fate {
            FromClient::Pass => {
                let (Line::Whole(bytes) | Line::Piece(bytes, _)) = line;
                self.write(&bytes);
            }
            FromClient::Changed { forward, answer } => {
                if let Some(line) = forward {
                    self.write(line.as_bytes());
                }
                if let Some(line) = answer
                    && self.output.lock().answer(line.as_bytes()).is_err()
                {
                    drop(self.gone.send(Event::ClientGone));
                }
            }
            FromClient::Wait { meta } => {
                if let Some(request) = self.shared.calls.catalog.ask(meta.as_deref()) {
                    self.write(request.as_bytes());
                }
                let wait = self.limits.list_wait;
                self.deadline.get_or_insert_with(|| Instant::now() + wait);
                self.held.bytes += line.len();
                self.held.lines.push_front(line);
                return false;
            }
        }
        true
    }

    /// Keeps a line back, unless it answers the server, which may be waiting for it.
    fn hold(&mut self, line: Line) {
        if let Line::Whole(bytes) = &line
            && !self.held.inside
            && answers_the_server(bytes)
        {
            self.write(bytes);
            return;
        }
        self.held.inside = matches!(line, Line::Piece(_, false));
        self.held.bytes += line.len();
        self.held.lines.push_back(line);
    }

    /// Deals with the held lines again, as far as the tools are known.
    fn release(&mut self) {
        let mut first = true;
        while let Some(line) = self.held.lines.pop_front() {
            self.held.bytes = self.held.bytes.saturating_sub(line.len());
            if !first {
                self.deadline = None;
            }
            if !self.line(line) {
                return;
            }
            first = false;
        }
        self.deadline = None;
    }

    fn write(&mut self, bytes: &[u8]) {
        let Some(input) = &mut self.input else {
            return;
        };
        match input.write_all(bytes) {
            Ok(()) => self.shared.activity.now(),
            // The server takes no more; whether it has ended is for others to see.
            Err(_) => self.input = None,
        }
    }
}

fn answers_the_server(line: &[u8]) -> bool {
    let message = std::str::from_utf8(line).ok().and_then(message::read);
    matches!(&message, Some(Shape::One(message)) if Message::is_response(message))
}

/// The client's end, shared by the server's lines and the proxy's answers: whole lines only.
struct Output(Mutex<Open>);

struct Open {
    stream: Box<dyn Write + Send>,
    /// The last write did not end its line.
    half: bool,
}

impl Output {
    fn new(stream: Box<dyn Write + Send>) -> Self {
        Self(Mutex::new(Open {
            stream,
            half: false,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.half = !bytes.ends_with(b"\n");
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    /// Writes the proxy's own line, apart from a half one that a dying server left.
    fn answer(&mut self, line: &[u8]) -> io::Result<()> {
        if self.half {
            self.write(b"\n")?;
        }
        self.write(line)
    }
}

/// A stream whose every read counts as activity.
struct Watched<'a, R>(R, &'a Activity);

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.now();
        Ok(read)
    }
}

/// Names this run, so that the ids of the proxy's own requests are like nobody else's.
fn session() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = now.map_or(0, |now| now.as_nanos());
    format!("{}-{nanos:x}", std::process::id())
}

fn tell(line: &str) {
    // Nothing can be done about a standard error that takes no more.
    let _ = writeln!(io::stderr(), "callmend: {line}");
}
