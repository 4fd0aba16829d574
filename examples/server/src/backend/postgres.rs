//! PostgreSQL: a database on a server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lyceum::doctor::files::Completeness;
use lyceum::domain::Timestamp;
use lyceum::http::data_api::LeasedLimiter;
use lyceum::store::RateLimiter;
use lyceum::store::sql::{Credentials, PostgresBuilder, RestoreReport, SqlStore};

use super::{Backend, INSPECTION_TIMEOUT, OpenMode, dump, path, with_remedy};
use crate::settings::{KEY_FILE, OptionValues, Setting, Settings};
use crate::{BoxError, demo};

/// The URL of the database, which is a secret: errors do not show it.
fn database_url(settings: &Settings) -> Result<String, BoxError> {
    let url = |text: &str| {
        let is_url = text.starts_with("postgresql://") || text.starts_with("postgres://");
        is_url.then(|| text.to_owned())
    };
    let Some(path) = settings.optional(&DATABASE_URL_FILE, path)? else {
        return settings.parse(&DATABASE_URL, url);
    };
    if settings
        .text(&DATABASE_URL)
        .is_some_and(|url| !url.is_empty())
    {
        return Err("database-url and database-url-file exclude each other: remove one".into());
    }
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read database-url-file {}: {error}", path.display()))?;
    url(text.trim_end_matches(['\r', '\n'])).ok_or_else(|| {
        format!(
            "database-url-file {} takes {} on one line",
            path.display(),
            DATABASE_URL.takes
        )
        .into()
    })
}

/// The database that the settings name, to be opened.
fn builder(settings: &Settings) -> Result<PostgresBuilder, BoxError> {
    let url = database_url(settings)?;
    let timeout = settings.parse(&DATABASE_TIMEOUT, |text| {
        let seconds = text.parse().ok();
        seconds
            .filter(|seconds| (1..=3600).contains(seconds))
            .map(Duration::from_secs)
    })?;
    let connections = settings.parse(&DATABASE_CONNECTIONS, |text| {
        let connections = text.parse().ok();
        connections.filter(|connections| (1..=1000).contains(connections))
    })?;
    Ok(SqlStore::postgres(&url)
        .timeout(timeout)
        .connections(connections))
}

fn migrates(settings: &Settings) -> Result<bool, BoxError> {
    settings.parse(&MIGRATE, |text| text.parse().ok())
}

/// A PostgreSQL database.
#[derive(Debug)]
pub struct Postgres;

#[derive(Debug, Args)]
pub struct PostgresOptions {
    /// File with the URL of the database, in place of DATABASE_URL
    #[arg(long, global = true, value_name = "PATH")]
    database_url_file: Option<String>,
    /// Seconds that a request waits for the database [5]
    #[arg(long, global = true, value_name = "SECONDS")]
    database_timeout: Option<String>,
    /// Most connections to the database [10]
    #[arg(long, global = true, value_name = "NUMBER")]
    database_connections: Option<String>,
    /// serve and restore bring the tables up to date first: true or false [false]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    migrate: Option<String>,
}

impl OptionValues for PostgresOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("database-url-file", self.database_url_file),
            ("database-timeout", self.database_timeout),
            ("database-connections", self.database_connections),
            ("migrate", self.migrate),
        ]
    }
}

static DATABASE_URL: Setting = Setting::new(
    "database-url",
    "a URL such as postgresql://lyceum:password@127.0.0.1/lyceum",
)
.secret("DATABASE_URL");
static DATABASE_URL_FILE: Setting =
    Setting::new("database-url-file", "the path of a file").with_default("");
static DATABASE_TIMEOUT: Setting =
    Setting::new("database-timeout", "1 to 3600 seconds").with_default("5");
static DATABASE_CONNECTIONS: Setting =
    Setting::new("database-connections", "a number from 1 to 1000").with_default("10");
static MIGRATE: Setting = Setting::new("migrate", "true or false").with_default("false");

impl Backend for Postgres {
    const PROGRAM: &'static str = "postgres";
    const SETTINGS: &'static [&'static Setting] = &[
        &DATABASE_URL,
        &DATABASE_URL_FILE,
        &DATABASE_TIMEOUT,
        &DATABASE_CONNECTIONS,
        &MIGRATE,
    ];
    const RESTORE_FIRST: &'static str = "run `restore --in-place`";
    type Options = PostgresOptions;

    async fn demo() -> Result<(), BoxError> {
        demo::postgres::run().await
    }

    fn set_dependent_defaults(settings: &mut Settings) {
        settings.set_default(&KEY_FILE, "lyceum.key");
    }

    fn database_file(_: &Settings) -> Result<Option<PathBuf>, BoxError> {
        Ok(None)
    }

    fn check_settings(settings: &Settings) -> Result<(), BoxError> {
        migrates(settings)?;
        builder(settings).map(drop)
    }

    async fn open(settings: &Settings, mode: OpenMode) -> Result<SqlStore, BoxError> {
        let migrates = migrates(settings)?;
        let builder = builder(settings)?;
        if mode == OpenMode::Inspect {
            return Ok(builder.read_deadline(INSPECTION_TIMEOUT).open().await?);
        }
        let migrates = match mode {
            OpenMode::Create => true,
            OpenMode::Serve | OpenMode::Restore => migrates,
            OpenMode::Use | OpenMode::Inspect => false,
        };
        let builder = builder
            .migrate(migrates)
            .allow_restored(mode == OpenMode::Restore);
        let opened = builder.open().await;
        opened.map_err(|error| with_remedy::<Self>(error, mode))
    }

    async fn open_lost(settings: &Settings, name: &str) -> Result<SqlStore, BoxError> {
        let builder = builder(settings)?.database(name);
        Ok(builder.read_deadline(INSPECTION_TIMEOUT).open().await?)
    }

    fn secret_file(settings: &Settings) -> Option<(&'static str, PathBuf)> {
        let file = settings.optional(&DATABASE_URL_FILE, path).ok()??;
        Some((DATABASE_URL_FILE.name, file))
    }

    fn back_up(
        _: &Settings,
        _: impl FnOnce() -> Result<PathBuf, BoxError>,
    ) -> Result<PathBuf, BoxError> {
        Err("the tools of the server back up its databases: pg_dump --format=custom --no-owner --no-acl --file=FILE URL, where URL has no password, which other users of the machine would see (PGPASSFILE names a file with it)".into())
    }

    fn restore(
        _: &Settings,
        _: &Path,
        _: Option<Credentials>,
        _: Timestamp,
    ) -> Result<RestoreReport, BoxError> {
        Err("the tools of the server restore a dump (pg_restore): run them, and then `restore --in-place`".into())
    }

    fn inspect_backup(backup: &Path) -> Completeness {
        dump::inspect(backup)
    }

    /// Servers on the same database share the rate limits of API keys.
    fn limiter(store: &Arc<SqlStore>) -> Option<Arc<dyn RateLimiter>> {
        Some(Arc::new(LeasedLimiter::new(store.clone())))
    }
}
