use std::io;

/// Returns the names of the sockets that systemd passes to the process with this id, in the order
/// of their descriptors; none if it passes none (`sd_listen_fds_with_names(3)`).
///
/// `variable` looks up `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`, since this library reads no
/// environment. Sockets without a name are called `unknown`.
///
/// A crate such as `listenfd` turns the descriptors into listeners, for
/// [`Listener::try_from`](super::Listener). Call it at the start of `main`, before threads run: it
/// removes the variables.
///
/// ```
/// use lyceum::http::inherited_socket_names;
///
/// let names = inherited_socket_names(std::process::id(), |name| std::env::var(name).ok())?;
/// assert!(names.is_empty(), "no test is started by systemd");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When a variable is malformed, or there is another number of names than of sockets.
pub fn inherited_socket_names(
    process_id: u32,
    variable: impl Fn(&str) -> Option<String>,
) -> io::Result<Vec<String>> {
    let (Some(owner), Some(count)) = (variable("LISTEN_PID"), variable("LISTEN_FDS")) else {
        return Ok(Vec::new());
    };
    let owner: u32 = owner
        .parse()
        .map_err(|_| malformed("LISTEN_PID must be a process id"))?;
    // The variables of a parent process.
    if owner != process_id {
        return Ok(Vec::new());
    }
    let count: u16 = count
        .parse()
        .map_err(|_| malformed("LISTEN_FDS must be a number from 0 to 65535"))?;
    let names: Vec<String> = match variable("LISTEN_FDNAMES") {
        Some(names) if count > 0 => names.split(':').map(str::to_owned).collect(),
        _ => vec!["unknown".to_owned(); count.into()],
    };
    if names.len() != usize::from(count) {
        return Err(malformed(
            "LISTEN_FDNAMES must have a name for each socket of LISTEN_FDS",
        ));
    }
    Ok(names)
}

fn malformed(rule: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, rule)
}
