//! A server for the tests: it hands its standard streams to whoever listens on a socket, so that a
//! test plays the server's part, and it ends when told to.
//!
//! `relay-server SOCKET`: the first line it sends over the socket is its process id.

#[cfg(unix)]
fn main() -> std::io::Result<()> {
    use std::fs::File;
    use std::io::{self, Write as _};
    use std::net::Shutdown;
    use std::os::fd::AsFd as _;
    use std::os::unix::net::UnixStream;

    let path = std::env::args().nth(1).unwrap_or_default();
    let mut socket = UnixStream::connect(path)?;
    writeln!(socket, "{}", std::process::id())?;
    let mut to_test = socket.try_clone()?;
    // Unbuffered, so that half lines go on too.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    std::thread::spawn(move || {
        let _ = relay(input, &mut to_test);
        let _ = to_test.shutdown(Shutdown::Write);
    });
    // A test that is done may close its end with bytes unread, which is no failure.
    let _ = relay(socket, output);
    Ok(())
}

#[cfg(unix)]
fn relay(mut from: impl std::io::Read, mut to: impl std::io::Write) -> std::io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut buffer)?;
        match buffer.get(..read) {
            None | Some([]) => return Ok(()),
            Some(bytes) => to.write_all(bytes)?,
        }
    }
}

#[cfg(not(unix))]
fn main() {}
