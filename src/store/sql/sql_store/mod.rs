mod account_store;
mod api_key_store;
mod audit_store;
mod backups;
mod calendar_feed_store;
mod client_lookup;
mod client_registry;
mod consent_store;
mod directory_store;
mod grant_store;
mod inspection;
mod protected_fields;
mod rate_limiter;
mod school_history_store;
mod signing_key_store;
mod sync_store;
mod user_session_store;

#[cfg(feature = "sqlite")]
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::database::Database;
use super::executor::{Executor, ReadKind, SnapshotScope, Transition};
use super::migrations::OLDEST_BESIDE;
#[cfg(feature = "sqlite")]
use super::open_error::OpenError;
#[cfg(feature = "postgres")]
use super::postgres::PostgresBuilder;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteBuilder;
use super::transaction_hook::OptionalHook;
use crate::metrics::measurement::Stopwatch;
use crate::metrics::{StoreMetrics, WaitTimer};
use crate::store::StorageError;

/// Store in a SQL database. Clones share the database, which is closed when the last of them is
/// dropped.
#[derive(Debug, Clone)]
pub struct SqlStore {
    database: Database,
    hook: OptionalHook,
    calls: Arc<StoreMetrics>,
    /// The number of transitions, through this handle and its clones, that may have changed API
    /// keys.
    keys_version: Arc<AtomicU64>,
}

/// Increments the counter when it is dropped: a transition may have been committed also if its
/// caller went away or its commit was not confirmed.
struct IncrementOnDrop<'a>(&'a AtomicU64);

impl Drop for IncrementOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl SqlStore {
    /// The oldest version of the schema whose builds may run on a database that this build has
    /// migrated, beside this build.
    pub const OLDEST_SCHEMA_BESIDE: i64 = OLDEST_BESIDE;

    /// Number of lists and searches that run concurrently on a SQLite database.
    #[cfg(feature = "sqlite")]
    pub const SQLITE_READERS: usize = 4;

    /// Number of lookups by key that run concurrently on a SQLite database, beside its lists.
    /// Requests are therefore authorized without waiting for a slow search.
    #[cfg(feature = "sqlite")]
    pub const SQLITE_LOOKUP_READERS: usize = 2;

    /// Opens a SQLite database. The file is created if it is missing, and its schema is brought up
    /// to date.
    ///
    /// Several stores may share a file, also in several processes on one machine. The call blocks
    /// on disk I/O, so make it at the start of a program. Afterwards the store works on its own
    /// threads and never blocks the caller's.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("lyceum.db");
    /// let store = lyceum::store::sql::SqlStore::sqlite(&path)?;
    /// # drop(store);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the file belongs to another application, or to a newer version of this library beside
    /// which this one may not run, or cannot be used.
    #[cfg(feature = "sqlite")]
    pub fn sqlite(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::sqlite_builder(path).open()
    }

    /// Returns a builder for a SQLite database:
    /// `SqlStore::sqlite_builder(&path).read_deadline(Duration::from_secs(3)).open()`.
    #[cfg(feature = "sqlite")]
    pub fn sqlite_builder(path: impl AsRef<Path>) -> SqliteBuilder {
        SqliteBuilder::new(path.as_ref())
    }

    /// Returns a builder for a database on a PostgreSQL server, from a URL:
    /// `postgres://user:password@host:5432/database`.
    ///
    /// Query parameters are those of `libpq` that tokio-postgres supports, and these:
    ///
    /// * `sslmode`: `disable` never uses TLS; `prefer` uses it if the server does; `require`,
    ///   `verify-ca` and `verify-full` always use it. The default is `disable` if every host is a
    ///   Unix socket or this machine and no `sslrootcert` is given, and `require` otherwise. With
    ///   TLS, the server's certificate and host name are always verified, which is stricter than
    ///   `libpq` below `verify-full`.
    /// * `sslrootcert`: a PEM file with the trusted certificate authorities; by default those of
    ///   the system.
    ///
    /// The tables are in the first schema of the search path (`options=-csearch_path%3Dname`).
    ///
    /// ```no_run
    /// # use lyceum::store::sql::SqlStore;
    /// # async fn open() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = SqlStore::postgres("postgres://lyceum@db.school.example/lyceum?sslmode=verify-full")
    ///     .migrate(true)
    ///     .open()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "postgres")]
    pub fn postgres(url: &str) -> PostgresBuilder {
        PostgresBuilder::new(url)
    }

    pub(super) fn new(database: Database) -> Self {
        let calls = Arc::new(StoreMetrics::new(database.name()));
        Self {
            database,
            hook: OptionalHook::default(),
            calls,
            keys_version: Arc::default(),
        }
    }

    /// Returns a handle to the same store whose calls run through a hook, for tests. Calls through
    /// other handles do not.
    ///
    /// The hook's futures may wait. In SQLite they block the connection's thread: the writer's, so
    /// that nothing else is written, or one of the readers of the same kind.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_transaction_hook(self, hook: Arc<dyn super::TransactionHook>) -> Self {
        Self {
            hook: OptionalHook::new(hook),
            ..self
        }
    }

    /// Runs a transition that writes. `method` is its name in the metrics.
    async fn write<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let (since, waiting) = (Stopwatch::start(), self.calls.start_wait("write"));
        let outcome = self
            .database
            .write(&self.hook, end_wait_on_start(waiting, run))
            .await;
        self.calls.record(
            method,
            since,
            outcome.as_ref().err().map(StorageError::kind),
        );
        outcome
    }

    /// Runs a transition that may change which API keys are valid, and increments `keys_version`.
    async fn write_api_keys<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let _increment = IncrementOnDrop(&self.keys_version);
        Self::write(self, method, run).await
    }

    /// The number of transitions that may have changed API keys.
    fn keys_version(&self) -> u64 {
        self.keys_version.load(Ordering::SeqCst)
    }

    /// Looks up rows by their keys.
    async fn read<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_with((ReadKind::Lookup, SnapshotScope::Transaction), method, run)
            .await
    }

    /// Looks up rows by their keys, with a single statement.
    async fn read_in_one_statement<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_with((ReadKind::Lookup, SnapshotScope::Statement), method, run)
            .await
    }

    /// Reads a list, which may take long.
    async fn list<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_with((ReadKind::List, SnapshotScope::Transaction), method, run)
            .await
    }

    /// Reads the directory, without a deadline.
    async fn read_directory<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_with(
            (ReadKind::Directory, SnapshotScope::Transaction),
            method,
            run,
        )
        .await
    }

    async fn read_with<T: Send + 'static>(
        &self,
        (kind, snapshot): (ReadKind, SnapshotScope),
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let (since, waiting) = (
            Stopwatch::start(),
            self.calls.start_wait(kind.metric_label()),
        );
        let outcome = self
            .database
            .read(
                &self.hook,
                (kind, snapshot),
                end_wait_on_start(waiting, run),
            )
            .await;
        self.calls.record(
            method,
            since,
            outcome.as_ref().err().map(StorageError::kind),
        );
        outcome
    }
}

/// Returns a transition that ends the measured wait when it first starts.
fn end_wait_on_start<T>(
    waiting: WaitTimer,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
) -> impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static {
    let waiting = Arc::new(Mutex::new(Some(waiting)));
    move |tx| {
        drop(
            waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        run(tx)
    }
}
