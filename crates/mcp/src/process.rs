//! The server's process: started, signalled, waited for. No other module knows the system.

pub(crate) use system::{Server, client, on_client_gone, on_signal, spawn};

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

/// The client's two ends.
pub(crate) struct Client {
    pub(crate) input: Box<dyn Read + Send>,
    pub(crate) output: Box<dyn Write + Send>,
    /// Something to watch for the client's end, where the system has it.
    pub(crate) watched: Option<File>,
}

/// A server just started.
pub(crate) struct Started {
    pub(crate) server: Server,
    pub(crate) child: Child,
    pub(crate) input: ChildStdin,
    pub(crate) output: ChildStdout,
}

#[cfg(unix)]
mod system {
    use super::{Client, Started};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::sync::{Arc, Mutex, PoisonError};

    /// The server's process group.
    #[derive(Clone)]
    pub(crate) struct Server {
        group: Option<Pid>,
        state: Arc<Mutex<State>>,
    }

    #[derive(Default)]
    struct State {
        ended: bool,
        /// The proxy wants the server gone, and all that it started.
        condemned: bool,
    }

    pub(crate) fn client() -> io::Result<Client> {
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Client {
            watched: input.try_clone().ok(),
            input: Box::new(input),
            output: Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)),
        })
    }

    pub(crate) fn spawn(mut command: Command) -> io::Result<Started> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.process_group(0).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the server has no standard streams"));
        };
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let server = Server {
            group,
            state: Arc::default(),
        };
        Ok(Started {
            server,
            child,
            input,
            output,
        })
    }

    impl Server {
        /// Waits for the server's end and returns its exit code, 128 + the signal if one killed it.
        pub(crate) fn wait(&self, mut child: Child) -> i32 {
            if let Some(pid) = self.group {
                // Not reaped yet, so that its number still names its group.
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
            }
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if let (true, Some(group)) = (state.condemned, self.group) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            state.ended = true;
            child.wait().map_or(1, code)
        }

        /// Sends a signal to the server and all that it started; they are to end.
        pub(crate) fn signal(&self, signal: i32) {
            let signal = Signal::from_named_raw(signal).unwrap_or(Signal::TERM);
            self.send(signal);
        }

        pub(crate) fn terminate(&self) {
            self.send(Signal::TERM);
        }

        pub(crate) fn kill(&self) {
            self.send(Signal::KILL);
        }

        fn send(&self, signal: Signal) {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.condemned = true;
            if let (false, Some(group)) = (state.ended, self.group) {
                // It fails only if the group has just ended.
                let _ = kill_process_group(group, signal);
            }
        }
    }

    fn code(status: ExitStatus) -> i32 {
        let signalled = || 128 + status.signal().unwrap_or_default();
        status.code().unwrap_or_else(signalled)
    }

    /// Calls `then` with each signal that asks the proxy to end.
    pub(crate) fn on_signal(then: impl Fn(i32) + Send + 'static) -> io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP])?;
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || signals.forever().for_each(then))?;
        Ok(())
    }

    /// Calls `then` when the client has closed its end, even while nobody reads from it.
    pub(crate) fn on_client_gone(client: File, then: impl Fn() + Send + 'static) -> io::Result<()> {
        let wait = move || {
            let mut watched = [PollFd::new(&client, gone_flags())];
            loop {
                match poll(&mut watched, None) {
                    Ok(1..) => return then(),
                    Err(rustix::io::Errno::INTR) => {}
                    // What cannot be watched is noticed when it is read.
                    Ok(0) | Err(_) => return,
                }
            }
        };
        std::thread::Builder::new()
            .name("client".to_owned())
            .spawn(wait)?;
        Ok(())
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn gone_flags() -> PollFlags {
        // A hang-up is always reported; a half-closed socket only where asked for.
        PollFlags::RDHUP
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn gone_flags() -> PollFlags {
        PollFlags::empty()
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Client, Started};
    use std::fs::File;
    use std::io;
    use std::process::{Child, Command, Stdio};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// The server's process.
    #[derive(Clone)]
    pub(crate) struct Server {
        condemned: Arc<AtomicBool>,
    }

    pub(crate) fn client() -> io::Result<Client> {
        Ok(Client {
            input: Box::new(io::stdin()),
            output: Box::new(io::stdout()),
            watched: None,
        })
    }

    pub(crate) fn spawn(mut command: Command) -> io::Result<Started> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the server has no standard streams"));
        };
        let server = Server {
            condemned: Arc::default(),
        };
        Ok(Started {
            server,
            child,
            input,
            output,
        })
    }

    impl Server {
        pub(crate) fn wait(&self, mut child: Child) -> i32 {
            loop {
                if let Ok(Some(status)) = child.try_wait() {
                    return status.code().unwrap_or(1);
                }
                if self.condemned.load(Ordering::Relaxed) {
                    let _ = child.kill();
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }

        pub(crate) fn signal(&self, _: i32) {
            self.kill();
        }

        pub(crate) fn terminate(&self) {
            self.kill();
        }

        pub(crate) fn kill(&self) {
            self.condemned.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn on_signal(_: impl Fn(i32) + Send + 'static) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn on_client_gone(_: File, _: impl Fn() + Send + 'static) -> io::Result<()> {
        Ok(())
    }
}
