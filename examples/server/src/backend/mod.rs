//! The kinds of databases, a file and a feature for each.

#[cfg(feature = "postgres")]
mod dump;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lyceum::doctor::files::Completeness;
use lyceum::domain::Timestamp;
use lyceum::store::RateLimiter;
use lyceum::store::sql::{Credentials, OpenError, RestoreReport, SqlStore};
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;

use crate::BoxError;
use crate::settings::{OptionValues, Setting, Settings};

/// Time for reading the sizes of all tables.
const INSPECTION_TIMEOUT: Duration = Duration::from_secs(120);

/// What a command may do to the database that it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// `init`: creates it and its tables.
    Create,
    /// `serve`: migrates the tables of PostgreSQL if `migrate` is set.
    Serve,
    /// Commands beside a server: they migrate no tables of PostgreSQL.
    Use,
    /// `restore`: as `Serve`, also a database that was restored from a dump.
    Restore,
    /// `doctor`: changes nothing.
    Inspect,
}

/// A kind of database, with a program of its own.
pub trait Backend {
    const PROGRAM: &'static str;
    const SETTINGS: &'static [&'static Setting];
    /// What makes a backup, or a database that was restored from one, safe to serve.
    const RESTORE_FIRST: &'static str;
    type Options: Args + OptionValues;

    /// Runs the demo, which has its own options.
    fn demo() -> impl Future<Output = Result<(), BoxError>>;

    /// Sets the defaults that depend on other settings.
    fn set_dependent_defaults(settings: &mut Settings);

    /// The file of the database; `None` on a server.
    fn database_file(settings: &Settings) -> Result<Option<PathBuf>, BoxError>;

    /// Checks the settings of the database, and opens nothing.
    fn check_settings(settings: &Settings) -> Result<(), BoxError>;

    /// Opens the database. An error of [`OpenMode::Inspect`] is an [`OpenError`] unless it is one of
    /// the settings.
    fn open(
        settings: &Settings,
        mode: OpenMode,
    ) -> impl Future<Output = Result<SqlStore, BoxError>>;

    /// Opens the database that was lost, as `--lost-database` names it, without changing it.
    fn open_lost(
        settings: &Settings,
        name: &str,
    ) -> impl Future<Output = Result<SqlStore, BoxError>>;

    /// A file beside the settings with nothing but a secret, and the name of its setting.
    fn secret_file(settings: &Settings) -> Option<(&'static str, PathBuf)>;

    /// Writes a backup to a new file, named by the caller.
    fn back_up(
        settings: &Settings,
        name: impl FnOnce() -> Result<PathBuf, BoxError>,
    ) -> Result<PathBuf, BoxError>;

    /// Restores a backup to a new database.
    fn restore(
        settings: &Settings,
        backup: &Path,
        last_known: Option<Credentials>,
        at: Timestamp,
    ) -> Result<RestoreReport, BoxError>;

    /// Looks whether a backup is complete.
    fn inspect_backup(backup: &Path) -> Completeness;

    /// The limiter of API keys; `None` to count in memory.
    fn limiter(store: &Arc<SqlStore>) -> Option<Arc<dyn RateLimiter>>;
}

/// A path that is not empty.
pub fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// The error with the command that helps.
fn with_remedy<B: Backend>(error: OpenError, mode: OpenMode) -> BoxError {
    match &error {
        OpenError::NotMigrated { schema: 0, .. } => format!("{error} (`init`)").into(),
        OpenError::NotMigrated { .. } if mode == OpenMode::Restore => {
            format!("{error} (`restore --in-place --migrate`)").into()
        }
        OpenError::NotMigrated { .. } => format!("{error} (`serve --migrate`)").into(),
        OpenError::Restored { .. } => format!("{error}: {}", B::RESTORE_FIRST).into(),
        _ => error.into(),
    }
}
