use std::sync::Arc;

use super::executor::{Executor, Transition};
use super::sqlite;
use super::watch::Watched;
use crate::store::StorageError;

/// Where a transition runs.
#[derive(Debug, Clone)]
pub(super) enum Database {
    /// A SQLite file.
    Sqlite(Arc<sqlite::Pool>),
}

impl Database {
    /// Runs a transition that changes something. When this returns its changes are on the disk.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        watched: &Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        match self {
            Self::Sqlite(pool) => pool.write(watched.clone(), run).await,
        }
    }

    /// Runs a transition that only reads. All its statements see the same state.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        watched: &Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        match self {
            Self::Sqlite(pool) => pool.read(watched.clone(), run).await,
        }
    }
}
