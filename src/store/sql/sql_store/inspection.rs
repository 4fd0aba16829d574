use std::time::Duration;

use super::SqlStore;
use crate::domain::Timestamp;
use crate::store::sql::table_sizes;
use crate::store::{StorageError, TableSize};

/// Inspection, for operators.
impl SqlStore {
    /// Returns the size of each table, with the number of rows that a sweep at `at` may delete.
    /// `audit_retention` is that of the audit log.
    ///
    /// On SQLite it reads the whole file, so give the store a long
    /// [deadline](crate::store::sql::SqliteBuilder::read_deadline).
    ///
    /// # Errors
    /// When the database failed.
    pub async fn table_sizes(
        &self,
        at: Timestamp,
        audit_retention: Duration,
    ) -> Result<Vec<TableSize>, StorageError> {
        self.list("table_sizes", move |tx| {
            Box::pin(table_sizes::table_sizes(tx, at, audit_retention))
        })
        .await
    }
}
