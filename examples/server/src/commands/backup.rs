use std::path::PathBuf;

use clap::Args;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::sql::SqlStore;

use crate::BoxError;
use crate::backend::{Backend, path};
use crate::settings::{BACKUP_DIRECTORY, BackupOptions, OptionValues, Settings, StoreOptions};

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// New file [into backup-directory, named by the time]
    path: Option<PathBuf>,
    #[command(flatten)]
    store: StoreOptions<O>,
    #[command(flatten)]
    backups: BackupOptions,
}

/// Writes a copy of the database while it is served. An older schema stays as it is, so that a new
/// program writes the backup before its migration.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let settings = super::settings::<B>(options.store, options.backups.values())?;
    let Some(database) = B::database_file(&settings)? else {
        return Err("the tools of the server back up its databases: pg_dump --format=custom --no-owner --no-acl --file=FILE \"$DATABASE_URL\"".into());
    };
    if !database.exists() {
        return Err(format!("there is no database {}", database.display()).into());
    }
    let backup = match options.path {
        Some(path) => path,
        None => named_by_time(&settings)?,
    };
    SqlStore::back_up_sqlite(&database, &backup)?;
    println!(
        "The backup {} is complete. The master key is not in it: keep that apart.",
        backup.display()
    );
    Ok(())
}

/// A file in the directory of backups, such as `lyceum-20261124T235443Z.db`.
fn named_by_time(settings: &Settings) -> Result<PathBuf, BoxError> {
    let directory = settings.parse(&BACKUP_DIRECTORY, path)?;
    let time = SystemClock.now().to_string().replace(['-', ':'], "");
    Ok(directory.join(format!("lyceum-{time}.db")))
}
