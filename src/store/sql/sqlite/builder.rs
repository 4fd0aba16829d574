use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::open::open;
use crate::store::sql::SqlStore;
use crate::store::sql::database::Database;
use crate::store::sql::open_error::OpenError;

/// How a SQLite database is opened.
#[derive(Debug)]
#[must_use = "nothing is opened before `open` is called"]
pub struct SqliteBuilder {
    path: PathBuf,
    read_deadline: Duration,
}

impl SqliteBuilder {
    pub(in crate::store::sql) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), read_deadline: Duration::from_secs(10) }
    }

    /// How long a read may take, its wait for a turn included, before it is interrupted and
    /// [unavailable](crate::store::StorageError::is_unavailable); 10 seconds by default. Writes have no deadline: each is short.
    pub fn read_deadline(self, read_deadline: Duration) -> Self {
        Self { read_deadline, ..self }
    }

    /// Opens the store, which makes the file if it is missing and brings its schema up to date. The call waits for the disk.
    ///
    /// # Errors
    /// When the file belongs to something else or to a newer version of this library, or cannot be used.
    pub fn open(self) -> Result<SqlStore, OpenError> {
        let pool = open(&self.path, [SqlStore::SQLITE_LOOKUP_READERS, SqlStore::SQLITE_READERS], self.read_deadline)?;
        Ok(SqlStore::on(Database::Sqlite(Arc::new(pool))))
    }
}
