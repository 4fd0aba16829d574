use std::sync::Arc;

use super::executor::{Executor, Lane, Snapshot, Transition};
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::watch::Watched;
use crate::store::StorageError;

/// Where a transition runs.
#[derive(Debug, Clone)]
pub(super) enum Database {
    /// A SQLite file.
    #[cfg(feature = "sqlite")]
    Sqlite(Arc<sqlite::Pool>),
    /// A PostgreSQL server.
    #[cfg(feature = "postgres")]
    Postgres(Arc<postgres::Pool>),
}

impl Database {
    /// What metrics call it.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "sqlite",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "postgres",
        }
    }

    /// Runs a transition that changes something. When this returns its changes are on the disk.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        watched: &Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => pool.write(watched.clone(), run).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => pool.write(watched, run).await,
        }
    }

    /// Runs a transition that only reads. All its statements see the same state.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        watched: &Watched,
        (lane, snapshot): (Lane, Snapshot),
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => pool.read(watched.clone(), (lane, snapshot), run).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => pool.read(watched, (lane, snapshot), run).await,
        }
    }
}
