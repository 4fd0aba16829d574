use std::process::ExitCode;

use clap::Args;
use lyceum::http::{Clock, SystemClock};
use lyceum::neis::{self, AcademicYear, SyncKind, SyncOutcome, SyncRun};

use super::OpenMode;
use crate::BoxError;
use crate::backend::Backend;
use crate::settings::{
    Addresses, NeisOptions, OptionValues, StoreOptions, neis_client, neis_school,
};

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// Share of the records that may be deleted, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 20, value_parser = clap::value_parser!(u8).range(0..=100))]
    max_deleted: u8,
    #[command(flatten)]
    neis: NeisOptions,
    #[command(flatten)]
    store: StoreOptions<O>,
}

/// Reads this academic year of every kind from NEIS, also beside a running server, and prints a
/// line for each.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<ExitCode, BoxError> {
    let settings = super::settings::<B>(options.store, options.neis.values())?;
    let (code, client) = (neis_school(&settings)?, neis_client(&settings)?);
    let addresses = Addresses::without_public_url(&settings)?;
    let school = super::open::<B>(&settings, OpenMode::Use, addresses).await?;
    let directory = school.directory().await?;
    let sync = neis::Sync::new(directory, client, code).max_deleted_percent(options.max_deleted);
    let outcome = sync_all(&sync).await;
    school.close().await?;
    outcome
}

async fn sync_all(sync: &neis::Sync) -> Result<ExitCode, BoxError> {
    let year = AcademicYear::at(SystemClock.now());
    let mut status = ExitCode::SUCCESS;
    for kind in SyncKind::ALL {
        let Some(run) = sync_year(sync, year, *kind).await? else {
            continue;
        };
        report(&run);
        if !run.outcome.is_success() {
            status = ExitCode::FAILURE;
        }
        if run.outcome.affects_all_kinds() {
            break;
        }
    }
    Ok(status)
}

/// Runs over the days of the year, and adds the runs up. Days that fail for a reason of their own do
/// not keep the others from being read.
async fn sync_year(
    sync: &neis::Sync,
    year: AcademicYear,
    kind: SyncKind,
) -> Result<Option<SyncRun>, BoxError> {
    let mut whole: Option<SyncRun> = None;
    for window in year.windows(kind) {
        let run = sync.run(kind, window).await?;
        let outcome = run.outcome.clone();
        if !outcome.is_success() {
            eprintln!("lyceum: {run}");
        }
        match &mut whole {
            Some(whole) => whole.append(run),
            None => whole = Some(run),
        }
        let is_unavailable = matches!(outcome, SyncOutcome::Unavailable(_));
        if is_unavailable || outcome.affects_all_kinds() {
            break;
        }
    }
    Ok(whole)
}

/// Prints the run, and on standard error each reason for which rows were skipped.
fn report(run: &SyncRun) {
    println!("{run}");
    for (at, row) in run.skipped_rows.iter().enumerate() {
        let mut earlier = run.skipped_rows[..at].iter();
        if !earlier.any(|earlier| (earlier.field, &earlier.rule) == (row.field, &row.rule)) {
            eprintln!("lyceum: {} skipped, such as {row}", run.kind);
        }
    }
}
