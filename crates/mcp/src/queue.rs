//! Hands lines from the thread that reads the client to the one that writes to the server.

use crate::lines::Line;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What happened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The client sent this.
    Line(Line),
    /// The server answered a `tools/list` request.
    Learned,
    /// The client has no more to send.
    Closed,
    /// The server is gone.
    Stopped,
    /// The deadline came.
    TimedOut,
}

/// A queue bounded in bytes: the reader waits where the server does not keep up, so that a server
/// that never reads costs no more memory than the limit, or one line.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    limit: usize,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    bytes: usize,
    learned: bool,
    closed: bool,
    stopped: bool,
}

impl Queue {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Adds a line, waiting for room; says whether anyone will still take it.
    pub(crate) fn push(&self, line: Line) -> bool {
        let mut state = self.lock();
        while !state.stopped && state.bytes > 0 && state.bytes + line.len() > self.limit {
            state = self.wait(state);
        }
        if state.stopped {
            return false;
        }
        state.bytes += line.len();
        state.lines.push_back(line);
        self.changed.notify_all();
        true
    }

    /// Says that no line will follow.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Says that the server is gone.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Says that a list of tools has arrived. Never waits.
    pub(crate) fn learned(&self) {
        self.lock().learned = true;
        self.changed.notify_all();
    }

    /// Waits for the next event, a line or the close only if `lines` are wanted.
    pub(crate) fn next(&self, lines: bool, deadline: Option<Instant>) -> Event {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return Event::Stopped;
            }
            if std::mem::take(&mut state.learned) {
                return Event::Learned;
            }
            if lines && let Some(line) = state.lines.pop_front() {
                state.bytes = state.bytes.saturating_sub(line.len());
                self.changed.notify_all();
                return Event::Line(line);
            }
            if lines && state.closed {
                return Event::Closed;
            }
            state = match deadline {
                None => self.wait(state),
                Some(at) => {
                    let left = at.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Event::TimedOut;
                    }
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn line(text: &str) -> Line {
        Line::Whole(text.into())
    }

    #[test]
    fn lines_come_in_order_and_the_close_comes_last() {
        let queue = Queue::new(100);
        assert!(queue.push(line("a")) && queue.push(line("b")));
        queue.close();
        assert_eq!(queue.next(true, None), Event::Line(line("a")));
        assert_eq!(queue.next(true, None), Event::Line(line("b")));
        assert_eq!(queue.next(true, None), Event::Closed);
    }

    #[test]
    fn what_was_learned_overtakes_lines_that_are_not_wanted() {
        let queue = Queue::new(100);
        queue.push(line("a"));
        queue.learned();
        assert_eq!(queue.next(false, None), Event::Learned);
        assert_eq!(queue.next(false, Some(Instant::now())), Event::TimedOut);
    }

    #[test]
    fn a_full_queue_makes_the_reader_wait_and_a_stop_frees_it() {
        let queue = Arc::new(Queue::new(3));
        assert!(
            queue.push(line("too long for the limit")),
            "one line always fits"
        );
        let pushing = Arc::clone(&queue);
        let thread =
            std::thread::spawn(move || pushing.push(line("b")) && pushing.push(line("cccc")));
        assert!(matches!(queue.next(true, None), Event::Line(_)));
        queue.stop();
        assert!(!thread.join().unwrap(), "the last line had no taker");
        assert_eq!(queue.next(true, None), Event::Stopped);
    }
}
