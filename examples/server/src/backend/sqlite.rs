//! SQLite: one file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use lyceum::doctor::files::Completeness;
use lyceum::domain::Timestamp;
use lyceum::store::RateLimiter;
use lyceum::store::sql::{Credentials, RestoreReport, SqlStore};

use super::{Backend, INSPECTION_TIMEOUT, OpenMode, path, with_remedy};
use crate::settings::{KEY_FILE, OptionValues, Setting, Settings};
use crate::{BoxError, demo};

/// One SQLite file.
#[derive(Debug)]
pub struct Sqlite;

#[derive(Debug, Args)]
pub struct SqliteOptions {
    /// Database, a file [lyceum.db]
    #[arg(long, global = true, value_name = "PATH")]
    database: Option<String>,
}

impl OptionValues for SqliteOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![("database", self.database)]
    }
}

static DATABASE: Setting = Setting::new("database", "the path of a file").with_default("lyceum.db");

impl Backend for Sqlite {
    const PROGRAM: &'static str = "sqlite";
    const SETTINGS: &'static [&'static Setting] = &[&DATABASE];
    const RESTORE_FIRST: &'static str = "move the file away, and run `restore` with its path";
    type Options = SqliteOptions;

    async fn demo() -> Result<(), BoxError> {
        demo::sqlite::run().await
    }

    fn set_dependent_defaults(settings: &mut Settings) {
        if let Some(database) = settings.text(&DATABASE) {
            let beside = format!("{database}.key");
            settings.set_default(&KEY_FILE, &beside);
        }
    }

    fn database_file(settings: &Settings) -> Result<Option<PathBuf>, BoxError> {
        settings.parse(&DATABASE, path).map(Some)
    }

    fn check_settings(settings: &Settings) -> Result<(), BoxError> {
        settings.parse(&DATABASE, path).map(drop)
    }

    async fn open(settings: &Settings, mode: OpenMode) -> Result<SqlStore, BoxError> {
        let file = settings.parse(&DATABASE, path)?;
        if mode != OpenMode::Create && !file.exists() {
            return Err(
                format!("there is no database {}: `init` makes one", file.display()).into(),
            );
        }
        if mode == OpenMode::Inspect {
            let store = SqlStore::sqlite_builder(file).read_only();
            return Ok(store.read_deadline(INSPECTION_TIMEOUT).open()?);
        }
        SqlStore::sqlite(file).map_err(|error| with_remedy::<Self>(error, mode))
    }

    async fn open_lost(_: &Settings, path: &str) -> Result<SqlStore, BoxError> {
        Ok(SqlStore::sqlite_builder(path).read_only().open()?)
    }

    fn secret_file(_: &Settings) -> Option<(&'static str, PathBuf)> {
        None
    }

    fn back_up(
        settings: &Settings,
        name: impl FnOnce() -> Result<PathBuf, BoxError>,
    ) -> Result<PathBuf, BoxError> {
        let database = settings.parse(&DATABASE, path)?;
        if !database.exists() {
            return Err(format!("there is no database {}", database.display()).into());
        }
        let backup = name()?;
        SqlStore::back_up_sqlite(&database, &backup)?;
        Ok(backup)
    }

    fn restore(
        settings: &Settings,
        backup: &Path,
        last_known: Option<Credentials>,
        at: Timestamp,
    ) -> Result<RestoreReport, BoxError> {
        let database = settings.parse(&DATABASE, path)?;
        Ok(SqlStore::restore_sqlite(backup, database, last_known, at)?)
    }

    fn inspect_backup(backup: &Path) -> Completeness {
        match SqlStore::check_sqlite_backup(backup) {
            Ok(()) => Completeness::Complete,
            Err(error) => Completeness::Damaged(error.to_string()),
        }
    }

    /// Only this process uses the file, so that no write per request is needed.
    fn limiter(_: &Arc<SqlStore>) -> Option<Arc<dyn RateLimiter>> {
        None
    }
}
