use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::open::{open, open_read_only};
use crate::store::sql::SqlStore;
use crate::store::sql::database::Database;
use crate::store::sql::open_error::OpenError;

/// Builder for a store in a SQLite database.
#[derive(Debug)]
#[must_use = "nothing is opened before `open` is called"]
pub struct SqliteBuilder {
    path: PathBuf,
    read_deadline: Duration,
    read_only: bool,
}

impl SqliteBuilder {
    pub(in crate::store::sql) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            read_deadline: Duration::from_secs(10),
            read_only: false,
        }
    }

    /// Sets the deadline of a read, including its wait in the queue; 10 seconds by default. A read
    /// that exceeds it is interrupted and
    /// [unavailable](crate::store::StorageError::is_unavailable). Reads of the whole directory and
    /// writes have no deadline.
    pub fn read_deadline(self, read_deadline: Duration) -> Self {
        Self {
            read_deadline,
            ..self
        }
    }

    /// Opens an existing database as it is: it is neither created nor migrated, and every write
    /// fails. For tools that look at a database beside the process that serves it.
    pub fn read_only(self) -> Self {
        Self {
            read_only: true,
            ..self
        }
    }

    /// Opens the store. Unless it is [`read_only`](Self::read_only), the file is created if it is
    /// missing, and its schema is brought up to date. The call blocks on disk I/O.
    ///
    /// # Errors
    /// When the file belongs to another application, or to a newer version of this library beside
    /// which this one may not run, or cannot be used. For a store that is read-only also when the
    /// file is missing, or its schema is older.
    pub fn open(self) -> Result<SqlStore, OpenError> {
        let open = if self.read_only { open_read_only } else { open };
        let pool = open(
            &self.path,
            [SqlStore::SQLITE_LOOKUP_READERS, SqlStore::SQLITE_READERS],
            self.read_deadline,
        )?;
        Ok(SqlStore::new(Database::Sqlite(Arc::new(pool))))
    }
}
