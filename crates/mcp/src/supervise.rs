//! Decides when the server must end, and sees that it does.

use crate::process::Server;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a server that was told to end may take before it is killed. A client such as the
/// TypeScript SDK's kills the proxy 2 seconds after it sent SIGTERM; the server must be gone then.
const KILL_AFTER: Duration = Duration::from_millis(1500);
/// How long the output of a server that has ended may stand still before it is given up: something
/// that the server started may hold it open.
const DRAIN: Duration = Duration::from_secs(2);
/// What a shell reports for a process that was killed.
const KILLED: i32 = 128 + 9;

/// What the threads of a proxy report.
#[derive(Debug)]
pub(crate) enum Event {
    /// The server ended, with this exit code.
    Ended(i32),
    /// All that the server wrote has been passed on, or nobody takes it any more.
    OutputDone,
    /// The client has closed an end.
    ClientGone,
    /// The proxy is asked to end.
    Signal(i32),
}

/// When a byte moved last, in either direction.
pub(crate) struct Activity {
    start: Instant,
    last: AtomicU64,
}

impl Activity {
    pub(crate) fn new() -> Self {
        Self {
            start: Instant::now(),
            last: AtomicU64::new(0),
        }
    }

    pub(crate) fn now(&self) {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.fetch_max(now, Ordering::Relaxed);
    }

    fn last(&self) -> Instant {
        self.start + Duration::from_millis(self.last.load(Ordering::Relaxed))
    }
}

/// What happens when a deadline comes.
#[derive(Clone, Copy)]
enum Then {
    Terminate,
    Kill,
    Leave,
}

#[derive(Clone, Copy)]
enum Plan {
    None,
    /// When nothing has moved for this long, counted from this moment at the earliest.
    Idle(Instant, Duration, Then),
    At(Instant, Then),
}

impl Plan {
    fn idle(limit: Duration, then: Then) -> Self {
        Self::Idle(Instant::now(), limit, then)
    }

    fn after(time: Duration, then: Then) -> Self {
        Self::At(Instant::now() + time, then)
    }

    fn deadline(self, activity: &Activity) -> Option<(Instant, Then)> {
        match self {
            Self::None => None,
            Self::Idle(since, limit, then) => Some((since.max(activity.last()) + limit, then)),
            Self::At(at, then) => Some((at, then)),
        }
    }
}

/// Waits until the server has ended and its output is passed on; returns its exit code.
pub(crate) fn supervise(
    events: &Receiver<Event>,
    server: &Server,
    activity: &Activity,
    grace: Duration,
    ended: impl Fn(),
) -> i32 {
    let mut code = None;
    let mut output_done = false;
    let mut signalled = false;
    let mut plan = Plan::None;
    loop {
        if let (Some(code), true) = (code, output_done) {
            return code;
        }
        let event = match plan.deadline(activity) {
            None => events.recv().ok(),
            Some((at, then)) => {
                match events.recv_timeout(at.saturating_duration_since(Instant::now())) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Disconnected) => None,
                    // Something moved in the meantime.
                    Err(RecvTimeoutError::Timeout)
                        if plan.deadline(activity).is_some_and(|(now, _)| now > at) =>
                    {
                        continue;
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        plan = match then {
                            Then::Terminate => {
                                server.terminate();
                                Plan::after(KILL_AFTER, Then::Kill)
                            }
                            Then::Kill => {
                                server.kill();
                                Plan::after(KILL_AFTER, Then::Leave)
                            }
                            Then::Leave => return code.unwrap_or(KILLED),
                        };
                        continue;
                    }
                }
            }
        };
        match event {
            Some(Event::Ended(with)) => {
                code = Some(with);
                ended();
                plan = Plan::idle(DRAIN, Then::Leave);
            }
            Some(Event::OutputDone) => {
                output_done = true;
                if let Plan::None = plan {
                    plan = Plan::idle(grace, Then::Terminate);
                }
            }
            Some(Event::ClientGone) => {
                if let Plan::None = plan {
                    plan = Plan::idle(grace, Then::Terminate);
                }
            }
            Some(Event::Signal(_)) if code.is_some() => {
                plan = Plan::after(Duration::ZERO, Then::Leave);
            }
            Some(Event::Signal(_)) if signalled => {
                server.kill();
                plan = Plan::after(KILL_AFTER, Then::Leave);
            }
            Some(Event::Signal(signal)) => {
                signalled = true;
                server.signal(signal);
                plan = Plan::after(KILL_AFTER, Then::Kill);
            }
            // Every thread is gone, which the one that waits for the server never is before it.
            None => return code.unwrap_or(KILLED),
        }
    }
}
