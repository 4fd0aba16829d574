use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::open::open;
use crate::store::sql::SqlStore;
use crate::store::sql::database::Database;
use crate::store::sql::open_error::OpenError;

/// Builder for a store in a SQLite database.
#[derive(Debug)]
#[must_use = "nothing is opened before `open` is called"]
pub struct SqliteBuilder {
    path: PathBuf,
    read_deadline: Duration,
}

impl SqliteBuilder {
    pub(in crate::store::sql) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            read_deadline: Duration::from_secs(10),
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

    /// Opens the store. The file is created if it is missing, and its schema is brought up to date.
    /// The call blocks on disk I/O.
    ///
    /// # Errors
    /// When the file belongs to another application, or to a newer version of this library beside
    /// which this one may not run, or cannot be used.
    pub fn open(self) -> Result<SqlStore, OpenError> {
        let pool = open(
            &self.path,
            [SqlStore::SQLITE_LOOKUP_READERS, SqlStore::SQLITE_READERS],
            self.read_deadline,
        )?;
        Ok(SqlStore::new(Database::Sqlite(Arc::new(pool))))
    }
}
