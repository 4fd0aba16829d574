use std::sync::Arc;

use super::executor::{Executor, ReadKind, SnapshotScope, Transition};
#[cfg(feature = "postgres")]
use super::postgres;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::transaction_hook::OptionalHook;
use crate::store::StorageError;

/// The database that runs transitions.
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
    /// Its name in metrics.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "sqlite",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "postgres",
        }
    }

    /// Runs a transition that writes. Its changes are on disk when this returns.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        hook: &OptionalHook,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => pool.write(hook.clone(), run).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => pool.write(hook, run).await,
        }
    }

    /// Runs a transition that only reads. All its statements see the same state.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        hook: &OptionalHook,
        (kind, snapshot): (ReadKind, SnapshotScope),
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => pool.read(hook.clone(), (kind, snapshot), run).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => pool.read(hook, (kind, snapshot), run).await,
        }
    }
}
