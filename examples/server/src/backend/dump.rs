//! Dumps of a PostgreSQL database, in the custom format of `pg_dump`.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use lyceum::doctor::files::Completeness;

/// Beginning of a dump.
const START: &[u8; 5] = b"PGDMP";

/// What the list of a dump has of the table of migrations.
const MIGRATIONS: &str = " lyceum_migrations ";

/// Time for reading a dump.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Looks whether a dump is complete: `pg_restore` turns it into statements, and so reads it to its
/// end. It needs no database for that. Without `pg_restore`, only the beginning is looked at.
pub fn inspect(dump: &Path) -> Completeness {
    let mut start = [0; START.len()];
    let read = File::open(dump).and_then(|mut file| file.read_exact(&mut start));
    match read {
        Ok(()) if start == *START => {
            let mut command = Command::new("pg_restore");
            command.arg("--file=-").arg(dump);
            match run(command, TIMEOUT) {
                Completeness::Complete if is_of_another(dump) => Completeness::Damaged(format!(
                    "{} is a dump of another database: it has no table lyceum_migrations",
                    dump.display()
                )),
                found => found,
            }
        }
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => {
            Completeness::Damaged(format!("{} cannot be read: {error}", dump.display()))
        }
        _ => Completeness::Damaged(format!(
            "{} is no dump by pg_dump --format=custom",
            dump.display()
        )),
    }
}

/// Whether a dump has no table of the library.
fn is_of_another(dump: &Path) -> bool {
    let list = Command::new("pg_restore").arg("--list").arg(dump).output();
    list.is_ok_and(|list| {
        list.status.success() && !String::from_utf8_lossy(&list.stdout).contains(MIGRATIONS)
    })
}

/// Runs a command that fails if a dump is damaged, for some time.
fn run(mut command: Command, timeout: Duration) -> Completeness {
    command
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let unknown = |reason: &str| {
        Completeness::Unknown(format!(
            "only its beginning was looked at, because {reason}"
        ))
    };
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return unknown("pg_restore is not installed");
        }
        Err(error) => return unknown(&format!("pg_restore cannot be run: {error}")),
    };
    let (sender, said) = mpsc::channel();
    if let Some(mut errors) = child.stderr.take() {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            // The receiver is gone after the time is up.
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
    }
    // The command closes its standard error when it ends.
    let Ok(said) = said.recv_timeout(timeout) else {
        let _ = child.kill();
        let _ = child.wait();
        return unknown(&format!(
            "pg_restore takes more than {} seconds",
            timeout.as_secs()
        ));
    };
    match child.wait() {
        Ok(status) if status.success() => Completeness::Complete,
        Ok(_) => Completeness::Damaged(said.trim().to_owned()),
        Err(error) => unknown(&format!("pg_restore cannot be run: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    /// Fails if a dump that could not be read counts as complete, or one that takes too long as
    /// damaged.
    #[test]
    fn what_pg_restore_says_of_a_dump_is_told_apart_from_what_it_cannot_say() {
        assert_eq!(run(shell("echo text"), TIMEOUT), Completeness::Complete);
        let damaged = run(shell("echo 'error: end of file' >&2; exit 1"), TIMEOUT);
        assert_eq!(
            damaged,
            Completeness::Damaged("error: end of file".to_owned())
        );
        for (command, timeout, reason) in [
            (
                shell("exec tail -f /dev/null"),
                Duration::ZERO,
                "takes more than 0 seconds",
            ),
            (
                Command::new("/nowhere/pg_restore"),
                TIMEOUT,
                "pg_restore is not installed",
            ),
        ] {
            let found = run(command, timeout);
            assert!(
                matches!(&found, Completeness::Unknown(text) if text.contains(reason)),
                "{found:?}"
            );
        }
    }
}
