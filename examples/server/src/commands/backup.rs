use std::path::PathBuf;

use clap::Args;
use lyceum::http::{Clock, SystemClock};

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
    let backup = B::back_up(&settings, || match options.path {
        Some(path) => Ok(path),
        None => named_by_time(&settings),
    })?;
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
