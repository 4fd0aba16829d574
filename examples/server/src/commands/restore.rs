use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use lyceum::domain::SubjectId;
use lyceum::http::audit::EventKind;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::Erasure;
use lyceum::store::sql::RestoreReport;

use super::{OpenMode, erasures};
use crate::BoxError;
use crate::backend::Backend;
use crate::services;
use crate::settings::{Addresses, Settings, StoreOptions};

/// What the operator does next.
const NEXT_STEPS: &str = "\
What is suspended opens nothing until it is confirmed. Begin with an administrator whose role and password
you know to be current: `account confirm EMAIL`. `account list`, `key list` and `client list` show what is
suspended; `account confirm --all` and `key confirm --all` confirm the rest, once the changes since the
backup are repeated. Look at the secrets, redirect URIs and owners of clients, and at approved scopes:
they are as in the backup, also of clients that were deleted since. Delete again the data of persons who
had it deleted since: with --lost-database that follows now, and otherwise `person erase --from FILE` does
it, with the list that `person erasures --json` has written, before anything else in the school changes.";

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// Backup of a SQLite database, restored to the path of `database`, which must not exist
    #[arg(required_unless_present = "in_place")]
    backup: Option<PathBuf>,
    /// The database is restored already, by pg_restore for example: only make it safe to serve
    #[arg(long, conflicts_with = "backup")]
    in_place: bool,
    /// The lost database, if it can be read: the path of a SQLite file, or the name of a database on the
    /// same PostgreSQL server. What is the same there is not suspended
    #[arg(long, value_name = "DATABASE")]
    lost_database: Option<String>,
    /// With --in-place: the server was set back to a point in time, or the database is a copy by other
    /// means. It cannot be told from the original, which would lose all sessions
    #[arg(long, requires = "in_place")]
    point_in_time: bool,
    /// The database was moved or upgraded while no server ran: nothing ends and nothing is suspended
    #[arg(long, requires = "in_place", conflicts_with_all = ["lost_database", "point_in_time"])]
    unchanged: bool,
    #[command(flatten)]
    store: StoreOptions<O>,
}

/// Restores a backup, ends all access and suspends what may have changed since. No server runs
/// meanwhile.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let settings = super::settings::<B>(options.store, Vec::new())?;
    if options.unchanged {
        let store = B::open(&settings, OpenMode::Restore).await?;
        store.accept_unchanged_copy().await?;
        println!("The database is accepted as it is.");
        return Ok(());
    }
    if let (Some(backup), Some(lost)) = (&options.backup, &options.lost_database)
        && let (Ok(backup), Ok(lost)) = (backup.canonicalize(), Path::new(lost).canonicalize())
        && backup == lost
    {
        return Err("--lost-database is the backup itself, so that nothing would be suspended: name the database from before".into());
    }
    let (last_known, erasures) = match &options.lost_database {
        Some(lost) => {
            let lost = B::open_lost(&settings, lost).await?;
            let erasures = erasures::read_all(&lost).await?;
            (Some(lost.credentials().await?), erasures)
        }
        None => (None, Vec::new()),
    };
    let now = SystemClock.now();
    let (store, report) = match &options.backup {
        None => {
            let store = B::open(&settings, OpenMode::Restore).await?;
            if !options.point_in_time && !store.is_restored().await? {
                return Err("this database was not restored from a backup, as far as it can be told: with --point-in-time everything in it is ended and suspended nevertheless".into());
            }
            let report = store.after_restore(last_known, now).await?;
            println!("{report}\n{NEXT_STEPS}");
            (store, report)
        }
        Some(backup) => {
            let report = B::restore(&settings, backup, last_known, now)?;
            println!("{report}\n{NEXT_STEPS}");
            (B::open(&settings, OpenMode::Restore).await?, report)
        }
    };
    // The report is printed: what follows can fail, and the restoration is not repeated.
    let recorded = services::record_event(Arc::new(store), restored(&report)).await;
    if erasures.is_empty() {
        return recorded;
    }
    erase_again::<B>(&settings, &erasures).await.map_err(|error| {
        format!("{error}\nThe database is restored, but not all persons are erased again. With `person erasures --json` of the lost database, `person erase --from FILE` does the rest")
    })?;
    recorded
}

/// Repeats the erasures that were made after the backup.
async fn erase_again<B: Backend>(
    settings: &Settings,
    erasures: &[Erasure],
) -> Result<(), BoxError> {
    let addresses = Addresses::without_public_url(settings)?;
    let school = super::open::<B>(settings, OpenMode::Use, addresses).await?;
    let outcome = erasures::repeat(&school, erasures, true).await;
    school.close().await?;
    outcome
}

fn restored(report: &RestoreReport) -> EventKind {
    EventKind::BackupRestored {
        by: SubjectId::service(),
        suspended: report.suspended_accounts.len()
            + report.suspended_api_keys.len()
            + report.suspended_clients.len(),
    }
}
