use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::open_error::OpenError;
use crate::store::StorageError;

/// Error of a backup or of its restoration. It prints as one line that names the file. Nothing is
/// left of the file that was to be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum BackupError {
    /// The file to be written exists, or a log of a former database of this name. It was not
    /// changed.
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The file to be restored is a database in use: there is a log beside it, which has the newest
    /// data.
    InUse {
        /// The file.
        file: PathBuf,
    },
    /// The copy or backup is damaged or incomplete.
    Damaged {
        /// The file.
        file: PathBuf,
        /// The first fault that was found.
        fault: String,
    },
    /// The backup is no database of this library, or of a newer version.
    Unsuitable(OpenError),
    /// A file cannot be read or written.
    Io {
        /// The file.
        file: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The database failed.
    Storage(StorageError),
    /// The database is on a server, whose own tools write backups: `pg_dump`.
    OnServer,
}

impl BackupError {
    pub(super) fn io(file: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            file: file.to_owned(),
            source,
        }
    }

    pub(super) fn damaged(file: &Path, fault: impl fmt::Display) -> Self {
        Self::Damaged {
            file: file.to_owned(),
            fault: fault.to_string().lines().collect::<Vec<_>>().join(" "),
        }
    }
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists { file } => write!(f, "{file:?} exists and is not overwritten"),
            Self::InUse { file } => write!(
                f,
                "{file:?} is no backup but a database in use: there is a log beside it"
            ),
            Self::Damaged { file, fault } => write!(f, "{file:?} is damaged: {fault}"),
            Self::Unsuitable(error) => error.fmt(f),
            Self::Io { file, source } => {
                write!(f, "{file:?} cannot be read or written: {source}")
            }
            Self::Storage(error) => match error.source() {
                Some(cause) => write!(f, "{error}: {cause}"),
                None => error.fmt(f),
            },
            Self::OnServer => f.write_str("a database on a server is backed up by pg_dump"),
        }
    }
}

impl Error for BackupError {}

impl From<StorageError> for BackupError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
