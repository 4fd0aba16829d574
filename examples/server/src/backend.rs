//! The two kinds of databases.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lyceum::doctor::files::Completeness;
use lyceum::http::data_api::LeasedLimiter;
use lyceum::store::RateLimiter;
use lyceum::store::sql::{OpenError, SqlStore};

use crate::settings::{KEY_FILE, OptionValues, Setting, Settings};
use crate::{BoxError, demo, dump};

/// Time for reading the sizes of all tables.
const INSPECTION_TIMEOUT: Duration = Duration::from_secs(120);

/// Whether a command may create the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// `init`: creates what is missing.
    Create,
    /// Fails if there is no database.
    Existing,
    /// `doctor`: neither creates nor migrates.
    Inspection,
}

/// A kind of database, with a program of its own.
pub trait Backend {
    const PROGRAM: &'static str;
    const SETTINGS: &'static [&'static Setting];
    type Options: Args + OptionValues;

    /// Runs the demo, which has its own options.
    fn demo() -> impl Future<Output = Result<(), BoxError>>;

    /// Sets the defaults that depend on other settings.
    fn complete(settings: &mut Settings);

    /// The file of the database; `None` on a server.
    fn database_file(settings: &Settings) -> Result<Option<PathBuf>, BoxError>;

    /// Opens the database. Checks the settings first, and only these without an `opening`. An error
    /// of an inspection is an [`OpenError`] unless it is one of the settings.
    fn open(
        settings: &Settings,
        opening: Option<Opening>,
    ) -> impl Future<Output = Result<Option<SqlStore>, BoxError>>;

    /// A file beside the settings with nothing but a secret, and the name of its setting.
    fn secret_file(settings: &Settings) -> Option<(&'static str, PathBuf)>;

    /// Looks whether a backup is complete.
    fn inspect_backup(backup: &Path) -> Completeness;

    /// The limiter of API keys; `None` to count in memory.
    fn limiter(store: &Arc<SqlStore>) -> Option<Arc<dyn RateLimiter>>;
}

/// A path that is not empty.
pub fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

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
    type Options = SqliteOptions;

    async fn demo() -> Result<(), BoxError> {
        demo::sqlite::run().await
    }

    fn complete(settings: &mut Settings) {
        if let Some(database) = settings.text(&DATABASE) {
            let beside = format!("{database}.key");
            settings.set_default(&KEY_FILE, &beside);
        }
    }

    fn database_file(settings: &Settings) -> Result<Option<PathBuf>, BoxError> {
        settings.parse(&DATABASE, path).map(Some)
    }

    async fn open(
        settings: &Settings,
        opening: Option<Opening>,
    ) -> Result<Option<SqlStore>, BoxError> {
        let file = settings.parse(&DATABASE, path)?;
        match opening {
            None => Ok(None),
            Some(Opening::Existing | Opening::Inspection) if !Path::new(&file).exists() => {
                Err(format!("there is no database {}: `init` makes one", file.display()).into())
            }
            Some(Opening::Inspection) => {
                let store = SqlStore::sqlite_builder(file).read_only();
                Ok(Some(store.read_deadline(INSPECTION_TIMEOUT).open()?))
            }
            Some(_) => Ok(Some(SqlStore::sqlite(file)?)),
        }
    }

    fn secret_file(_: &Settings) -> Option<(&'static str, PathBuf)> {
        None
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
    /// Bring the tables up to date first: true or false [false]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    migrate: Option<String>,
}

impl OptionValues for PostgresOptions {
    fn values(self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("database-url-file", self.database_url_file),
            ("database-timeout", self.database_timeout),
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
static MIGRATE: Setting = Setting::new("migrate", "true or false").with_default("false");

impl Backend for Postgres {
    const PROGRAM: &'static str = "postgres";
    const SETTINGS: &'static [&'static Setting] = &[
        &DATABASE_URL,
        &DATABASE_URL_FILE,
        &DATABASE_TIMEOUT,
        &MIGRATE,
    ];
    type Options = PostgresOptions;

    async fn demo() -> Result<(), BoxError> {
        demo::postgres::run().await
    }

    fn complete(settings: &mut Settings) {
        settings.set_default(&KEY_FILE, "lyceum.key");
    }

    fn database_file(_: &Settings) -> Result<Option<PathBuf>, BoxError> {
        Ok(None)
    }

    async fn open(
        settings: &Settings,
        opening: Option<Opening>,
    ) -> Result<Option<SqlStore>, BoxError> {
        let url = database_url(settings)?;
        let timeout = settings.parse(&DATABASE_TIMEOUT, |text| {
            let seconds = text.parse().ok();
            seconds
                .filter(|seconds| (1..=3600).contains(seconds))
                .map(Duration::from_secs)
        })?;
        let migrate: bool = settings.parse(&MIGRATE, |text| text.parse().ok())?;
        let Some(opening) = opening else {
            return Ok(None);
        };
        let store = SqlStore::postgres(&url).timeout(timeout);
        if opening == Opening::Inspection {
            return Ok(Some(store.read_deadline(INSPECTION_TIMEOUT).open().await?));
        }
        let store = store
            .migrate(migrate || opening == Opening::Create)
            .open()
            .await
            .map_err(|error| match error {
                OpenError::NotMigrated { schema: 0, .. } => format!("{error} (`init`)"),
                OpenError::NotMigrated { .. } => format!("{error} (--migrate)"),
                _ => error.to_string(),
            })?;
        Ok(Some(store))
    }

    fn secret_file(settings: &Settings) -> Option<(&'static str, PathBuf)> {
        let file = settings.optional(&DATABASE_URL_FILE, path).ok()??;
        Some((DATABASE_URL_FILE.name, file))
    }

    fn inspect_backup(backup: &Path) -> Completeness {
        dump::inspect(backup)
    }

    /// Servers on the same database share the rate limits of API keys.
    fn limiter(store: &Arc<SqlStore>) -> Option<Arc<dyn RateLimiter>> {
        Some(Arc::new(LeasedLimiter::new(store.clone())))
    }
}
