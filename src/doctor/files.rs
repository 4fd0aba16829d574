//! Checks that read files and directories.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Check, Finding, counted, size};
use crate::domain::Timestamp;

const HOUR: u64 = 60 * 60;

/// Time over which the growth of the backups is looked at.
const GROWTH_TIME: Duration = Duration::from_secs(7 * 24 * HOUR);

/// Growth in that time that is worth a look, if the backup has doubled too.
const LARGE_GROWTH: u64 = 64 << 20;

/// Ending of a file that a killed `backup` has left.
const PARTIAL: &str = "partial";

/// Directories in which container engines and systemd provide secrets.
pub const PROVIDED_SECRETS: [&str; 2] = ["/run/secrets", "/run/credentials"];

/// What a look at a backup has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completeness {
    /// All of it was read.
    Complete,
    /// It was not read to its end, for this reason.
    Unknown(String),
    /// It cannot be restored, for this reason.
    Damaged(String),
}

/// Checks that only the owner and the group have access to a file with secrets. `what` names it in
/// the text, such as "the master key". `None` if that is so.
pub fn private_file(check: Check, what: &str, file: &Path) -> Option<Finding> {
    let shown = file.display();
    match mode(file) {
        Err(error) => Some(Finding::failure(
            check,
            format!("{what} {shown} cannot be read: {error}"),
        )),
        Ok(mode) if mode & 0o007 != 0 => Some(Finding::failure(
            check,
            format!(
                "{what} {shown} is open to all users of this machine (mode {mode:04o}): chmod o= {shown}"
            ),
        )),
        Ok(_) => None,
    }
}

/// Checks a file as [`private_file`] does, unless it is in one of the directories, such as those of
/// [`PROVIDED_SECRETS`]. There its mode protects nothing: a container has no other users, and on the
/// host the directory above is closed to them.
pub fn private_file_outside<'a>(
    directories: impl IntoIterator<Item = &'a Path>,
    check: Check,
    what: &str,
    file: &Path,
) -> Option<Finding> {
    let is_inside = file.canonicalize().is_ok_and(|file| {
        let mut directories = directories
            .into_iter()
            .filter_map(|path| path.canonicalize().ok());
        directories.any(|directory| file.starts_with(directory))
    });
    if is_inside {
        None
    } else {
        private_file(check, what, file)
    }
}

/// Checks that the master key is apart from the database and its backups: an attacker with both can
/// issue tokens.
pub fn key_location(
    key_file: &Path,
    database: Option<&Path>,
    backups: Option<&Path>,
) -> Option<Finding> {
    let key = directory_of(key_file);
    if let (Some(key), Some(backups)) = (&key, backups.and_then(|path| path.canonicalize().ok()))
        && key.starts_with(&backups)
    {
        return Some(Finding::failure(
            Check::MasterKey,
            format!(
                "{} is in the directory of the backups: move it, because a copy of both lets an attacker issue tokens",
                key_file.display()
            ),
        ));
    }
    (key.is_some() && key == database.and_then(directory_of)).then(|| {
        Finding::advice(
            Check::MasterKey,
            format!(
                "{} is in the directory of the database: keep it in another one, so that a copy of the directory lacks it",
                key_file.display()
            ),
        )
    })
}

/// Checks the backups in a directory: that the newest is younger than `max_age` at a time and
/// complete, and that none is open to other users. `inspect` looks at a file. Files that are deleted
/// meanwhile do not count.
pub fn backups(
    directory: &Path,
    max_age: Duration,
    at: Timestamp,
    mut inspect: impl FnMut(&Path) -> Completeness,
) -> Vec<Finding> {
    let shown = directory.display();
    let files = match files_in(directory) {
        Ok(files) => files,
        Err(error) => {
            let text = format!("the directory {shown} cannot be read: {error}");
            return vec![Finding::failure(Check::Backups, text)];
        }
    };
    let is_partial = |file: &PathBuf| file.extension().is_some_and(|ending| ending == PARTIAL);
    let (partial, mut files): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| is_partial(&file.path));
    files.sort_by_key(|file| Reverse(file.written));
    let mut findings = Vec::new();
    let newest = files.iter().find_map(|file| {
        let found = inspect(&file.path);
        file.path.exists().then_some((file, found))
    });
    match newest {
        None => findings.push(Finding::warning(
            Check::Backups,
            format!("{shown} has no backup: write one each day"),
        )),
        Some((newest, completeness)) => {
            let name = newest.path.display();
            let age = at.since(newest.written);
            if age > max_age {
                findings.push(Finding::warning(
                    Check::Backups,
                    format!(
                        "the newest, {name}, is {} hours old, and backup-max-age is {}: look why no newer one was written",
                        age.as_secs() / HOUR,
                        max_age.as_secs() / HOUR
                    ),
                ));
            }
            if newest.written.since(at) > Duration::from_secs(HOUR) {
                findings.push(Finding::warning(
                    Check::Backups,
                    format!(
                        "the newest, {name}, is dated {}, in the future: its age cannot be told",
                        newest.written
                    ),
                ));
            }
            findings.extend(match completeness {
                Completeness::Complete => None,
                Completeness::Unknown(reason) => Some(Finding::advice(
                    Check::Backups,
                    format!("whether the newest, {name}, is complete was not checked: {reason}"),
                )),
                Completeness::Damaged(fault) => Some(Finding::failure(
                    Check::Backups,
                    format!("the newest cannot be restored: {fault}"),
                )),
            });
        }
    }
    files.retain(|file| file.path.exists());
    let open = files.iter().find_map(|file| {
        private_file(Check::Backups, "the backup", &file.path).filter(|_| file.path.exists())
    });
    findings.extend(open);
    findings.extend(growth(&files));
    if !partial.is_empty() {
        findings.push(Finding::advice(
            Check::Backups,
            format!(
                "{shown} has {} of interrupted backups: delete them unless one is being written",
                counted(partial.len(), "partial file")
            ),
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(
            Check::Backups,
            format!("{}, the newest complete", counted(files.len(), "file")),
        ));
    }
    findings
}

/// Finds that the newest backup has grown much in a week. The files are in the order of their time,
/// the newest first.
fn growth(files: &[BackupFile]) -> Option<Finding> {
    let newest = files.first()?;
    let before = files
        .iter()
        .find(|file| newest.written.since(file.written) >= GROWTH_TIME)?;
    let grown = newest.bytes.saturating_sub(before.bytes);
    (grown >= LARGE_GROWTH && grown >= before.bytes).then(|| {
        Finding::advice(
            Check::Backups,
            format!(
                "they have grown from {} to {} in {} days: look which table it is, and whether the disk has room",
                size(before.bytes),
                size(newest.bytes),
                newest.written.since(before.written).as_secs() / (24 * HOUR)
            ),
        )
    })
}

/// A file in the directory of the backups.
struct BackupFile {
    path: PathBuf,
    /// The time of its last change.
    written: Timestamp,
    bytes: u64,
}

/// The files in a directory.
fn files_in(directory: &Path) -> io::Result<Vec<BackupFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let metadata = match path.metadata() {
            // A backup that ended meanwhile has another name.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            metadata => metadata?,
        };
        if metadata.is_file() {
            let written = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH);
            let seconds = written.unwrap_or_default().as_secs();
            let written = Timestamp::from_seconds(i64::try_from(seconds).unwrap_or(i64::MAX));
            files.push(BackupFile {
                path,
                written,
                bytes: metadata.len(),
            });
        }
    }
    Ok(files)
}

/// The directory of a file, without symbolic links.
fn directory_of(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    file.parent()?.canonicalize().ok()
}

/// The permissions of a file.
#[cfg(unix)]
fn mode(file: &Path) -> io::Result<u32> {
    let permissions = file.metadata()?.permissions();
    Ok(std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o7777)
}

/// Without permissions of this kind, a file counts as its owner's.
#[cfg(not(unix))]
fn mode(file: &Path) -> io::Result<u32> {
    file.metadata().map(|_| 0o600)
}
