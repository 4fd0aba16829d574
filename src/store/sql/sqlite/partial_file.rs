use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::store::sql::backup_error::BackupError;

/// What SQLite appends to the name of a database for its logs.
const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A file that is written beside its destination, and has the name of the destination only when it
/// is complete and on disk. It is removed when it is dropped before.
#[derive(Debug)]
pub(super) struct PartialFile {
    path: PathBuf,
    destination: PathBuf,
}

impl PartialFile {
    /// Creates an empty file for a destination that does not exist. A log of a former database of
    /// that name counts as existing: SQLite would apply it to the new one.
    pub(super) fn create(destination: &Path) -> Result<(Self, File), BackupError> {
        let destination = std::path::absolute(destination).map_err(BackupError::io(destination))?;
        let logs = LOGS.map(|log| with_suffix(&destination, log));
        if let Some(taken) = [&destination]
            .into_iter()
            .chain(&logs)
            .find(|path| path.symlink_metadata().is_ok())
        {
            return Err(BackupError::Exists {
                file: taken.clone(),
            });
        }
        // A killed process may have left the first of them.
        for number in 0..u32::MAX {
            let suffix = format!(".{}-{number}.partial", std::process::id());
            let path = with_suffix(&destination, &suffix);
            match create_private(&path) {
                Ok(file) => return Ok((Self { path, destination }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(BackupError::io(&path)(error)),
            }
        }
        Err(BackupError::Exists { file: destination })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file, which no connection uses any more, the name of the destination.
    pub(super) fn finish(self) -> Result<(), BackupError> {
        if let Some(log) = unmerged_log(&self.path) {
            return Err(BackupError::damaged(&log, "SQLite left a log"));
        }
        File::open(&self.path)
            .and_then(|file| file.sync_all())
            .map_err(BackupError::io(&self.path))?;
        // Unlike a rename, a link never replaces a file.
        match fs::hard_link(&self.path, &self.destination) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(BackupError::Exists {
                    file: self.destination.clone(),
                });
            }
            linked => linked.map_err(BackupError::io(&self.destination))?,
        }
        let destination = self.destination.clone();
        drop(self);
        sync_folder(&destination).map_err(BackupError::io(&destination))
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        for log in LOGS {
            let _ = fs::remove_file(with_suffix(&self.path, log));
        }
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates a file that only its owner can read: a database has password hashes and sealed keys.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Returns a log with data that a database lacks: it is in use, or was not closed.
pub(super) fn unmerged_log(database: &Path) -> Option<PathBuf> {
    ["-wal", "-journal"]
        .map(|log| with_suffix(database, log))
        .into_iter()
        .find(|log| log.metadata().is_ok_and(|log| log.len() > 0))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Makes the name of a new file survive a power cut.
#[cfg(unix)]
fn sync_folder(file: &Path) -> io::Result<()> {
    file.parent()
        .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// Fails if the file has its name while it is written, or if the rest of a killed process
    /// prevents the next attempt.
    #[test]
    fn a_killed_process_leaves_no_file_of_the_name_and_the_next_one_succeeds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("backup.db");
        let (killed, mut file) = PartialFile::create(&path).unwrap();
        file.write_all(b"a part").unwrap();
        std::mem::forget(killed);
        assert!(!path.exists());
        assert!(
            names(folder.path())
                .iter()
                .all(|name| name.ends_with(".partial"))
        );
        let (next, mut file) = PartialFile::create(&path).unwrap();
        file.write_all(b"the whole").unwrap();
        next.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the whole");
        assert_eq!(names(folder.path()).len(), 2, "the rest is left alone");
    }

    /// Fails if a file that was created meanwhile is replaced.
    #[test]
    fn of_two_files_for_one_name_the_first_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("backup.db");
        let (one, _) = PartialFile::create(&path).unwrap();
        let (other, mut file) = PartialFile::create(&path).unwrap();
        file.write_all(b"the first").unwrap();
        other.finish().unwrap();
        assert!(matches!(one.finish(), Err(BackupError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"the first");
        assert_eq!(names(folder.path()), ["backup.db"]);
    }
}
