use std::process::ExitCode;

use clap::Args;
use lyceum::domain::SubjectId;
use lyceum::neis::{self, SyncAttempt, SyncRun, YearRun};

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
    let schedule = school.sync_schedule(sync).build()?;
    let attempt = schedule.run_now(SubjectId::service()).await;
    school.close().await?;
    match attempt? {
        SyncAttempt::Ran(runs) => Ok(print(&runs)),
        _ => {
            Err("another node syncs at this moment: look at its outcome, or try again later".into())
        }
    }
}

/// Prints the run of each kind, and on standard error the days that failed.
fn print(runs: &[YearRun]) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for YearRun { run, failures, .. } in runs {
        for failure in failures {
            eprintln!("lyceum: {failure}");
        }
        report(run);
        if !run.outcome.is_success() {
            status = ExitCode::FAILURE;
        }
    }
    status
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
