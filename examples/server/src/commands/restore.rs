use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use lyceum::domain::SubjectId;
use lyceum::http::audit::EventKind;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::sql::{Credentials, RestoreReport, SqlStore};

use super::Opening;
use crate::BoxError;
use crate::backend::Backend;
use crate::services;
use crate::settings::{Settings, StoreOptions};

/// What the operator does next.
const NEXT_STEPS: &str = "\
Nobody signs in, and no API key works, until it is confirmed. Begin with an administrator whose role and
password you know to be current: `account confirm EMAIL`. `account list`, `key list` and `client list` show
what is suspended; `account confirm --all` and `key confirm --all` confirm the rest, once the changes since
the backup are repeated. Delete again the data of persons who had it deleted since: no record of that is kept.";

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// Backup of a SQLite database, restored to the path of `database`, which must not exist
    #[arg(required_unless_present = "in_place")]
    backup: Option<PathBuf>,
    /// The database is restored already, by pg_restore for example: only make it safe to serve
    #[arg(long, conflicts_with = "backup")]
    in_place: bool,
    /// The lost SQLite database, if it can be read: what is the same there is not suspended
    #[arg(long, value_name = "PATH")]
    lost_database: Option<PathBuf>,
    #[command(flatten)]
    store: StoreOptions<O>,
}

/// Restores a backup, ends all access and suspends what may have changed since. No server runs
/// meanwhile.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let settings = super::settings::<B>(options.store, Vec::new())?;
    let database = B::database_file(&settings)?;
    let last_known = match &options.lost_database {
        Some(_) if database.is_none() => {
            return Err("--lost-database takes a SQLite database".into());
        }
        Some(lost) => Some(credentials(lost).await?),
        None => None,
    };
    let now = SystemClock.now();
    let (store, report) = match (options.backup, database) {
        (None, _) => {
            let store = open::<B>(&settings).await?;
            let report = store.after_restore(last_known, now).await?;
            println!("{report}\n{NEXT_STEPS}");
            (store, report)
        }
        (Some(backup), Some(database)) => {
            let report = SqlStore::restore_sqlite(backup, database, last_known, now)?;
            println!("{report}\n{NEXT_STEPS}");
            (open::<B>(&settings).await?, report)
        }
        (Some(_), None) => {
            return Err("the tools of the server restore a dump (pg_restore): run them, and then `restore --in-place`".into());
        }
    };
    // The report is printed: what follows can fail, and the restoration is not repeated.
    services::record_event(Arc::new(store), restored(&report)).await
}

async fn open<B: Backend>(settings: &Settings) -> Result<SqlStore, BoxError> {
    let store = B::open(settings, Some(Opening::Existing)).await?;
    store.ok_or_else(|| "the database was not opened".into())
}

/// The credentials of the lost database, which stays as it is.
async fn credentials(lost: &Path) -> Result<Credentials, BoxError> {
    let store = SqlStore::sqlite_builder(lost).read_only().open()?;
    Ok(store.credentials().await?)
}

fn restored(report: &RestoreReport) -> EventKind {
    EventKind::BackupRestored {
        by: SubjectId::service(),
        suspended: report.suspended_accounts.len()
            + report.suspended_api_keys.len()
            + report.suspended_clients.len(),
    }
}
