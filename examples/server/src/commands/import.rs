use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use lyceum::directory::RejectionReason;
use lyceum::domain::{RecordKind, SubjectId};
use lyceum::http::audit::EventKind;
use lyceum::import::{ApplyOutcome, FileFormat, Import, MAX_BYTES, Obstacle, Plan};
use lyceum::store::DatasetVersion;

use super::open_without_addresses;
use crate::BoxError;
use crate::backend::Backend;
use crate::leavers::{after_school_write, before_school_write};
use crate::progress::Progress;
use crate::services::School;
use crate::settings::StoreOptions;

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// students, clubs or projects
    kind: RecordKind,
    /// CSV or JSON with all records of the kind
    file: PathBuf,
    /// Apply what is shown; with the code of a plan, only if it is still the same
    #[arg(long, value_name = "CODE", num_args = 0..=1, require_equals = true)]
    apply: Option<Option<String>>,
    /// Keep the records that the file lacks
    #[arg(long)]
    partial: bool,
    /// Remove more than a tenth of the records
    #[arg(long, conflicts_with = "partial")]
    allow_removals: bool,
    /// Apply the other lines if some are refused
    #[arg(long)]
    skip_refused: bool,
    /// Column by which a row without an id or a known e-mail address finds its record
    #[arg(long = "match", value_name = "COLUMN")]
    match_by: Option<String>,
    /// csv or json [by the name of the file]
    #[arg(long)]
    format: Option<FileFormat>,
    #[command(flatten)]
    store: StoreOptions<O>,
}

/// Shows what a file would change, and applies it if asked to.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let file = read(&options.file)?;
    let by_name = options.file.extension();
    let format = options.format.unwrap_or({
        if by_name.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            FileFormat::Json
        } else {
            FileFormat::Csv
        }
    });
    let mut import = Import::new(options.kind).format(format);
    if let Some(column) = options.match_by {
        import = import.match_by(column);
    }
    if options.partial {
        import = import.partial();
    }
    if options.allow_removals {
        import = import.allow_removals();
    }
    if options.skip_refused {
        import = import.skip_refused();
    }
    let school = open_without_addresses::<B>(options.store).await?;
    let outcome = perform(&school, &import, file, options.apply).await;
    school.close().await?;
    outcome
}

/// Reads at most as much as an import accepts.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, BoxError> {
    let cannot_read = |error| format!("cannot read {}: {error}", path.display());
    let file = File::open(path).map_err(cannot_read)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(cannot_read)?;
    Ok(bytes)
}

async fn perform(
    school: &School,
    import: &Import,
    file: Vec<u8>,
    apply: Option<Option<String>>,
) -> Result<(), BoxError> {
    let progress = Progress::new(2);
    progress.step("reading the school");
    let directory = school.directory().await?;
    progress.step("comparing the file");
    let plan = import.plan(&directory, file).await?;
    drop(progress);
    let (version, code) = (plan.version().number, plan.code());
    let shown = format!("{plan}\nplan {code} for version {version} of the school\n");
    std::io::stdout().write_all(shown.as_bytes())?;
    let students = directory.snapshot().await?;
    let accounts = school.accounts()?;
    let losing = accounts.count_losing_access(&students, plan.leaving());
    match losing.await? {
        0 => {}
        losing => println!(
            "Accounts that lose their access at once, because their students leave, and are removed after a day: {losing}"
        ),
    }
    if let Some(obstacle) = plan.obstacle() {
        return Err(sentence(obstacle).into());
    }
    if plan.is_empty() {
        if apply.is_some() {
            // Only stores when the records were current, unless they have changed meanwhile.
            let _outcome = plan.apply(&directory).await?;
        }
        println!("The school has all of this already.");
        return Ok(());
    }
    match apply {
        None => {
            println!("Nothing is applied yet. To apply it: the same command with --apply={code}");
            return Ok(());
        }
        Some(Some(expected)) if expected != code => {
            return Err(format!(
                "nothing is applied: this is not the plan {expected}, because the file, the options or the school have changed"
            )
            .into());
        }
        Some(_) => {}
    }
    before_school_write(school, &directory).await?;
    let progress = Progress::new(1);
    progress.step("writing");
    let outcome = plan.apply(&directory).await?;
    drop(progress);
    match outcome {
        ApplyOutcome::Applied(after) => {
            school.record_event(imported(&plan, after));
            println!("Applied: the school has version {} now.", after.number);
            after_school_write(school, &directory).await
        }
        ApplyOutcome::Outdated => {
            Err("nothing is applied: the school has changed meanwhile; look at the new plan".into())
        }
        ApplyOutcome::Obstructed(obstacle) => Err(sentence(obstacle).into()),
        ApplyOutcome::Rejected(RejectionReason::TooManyRecords(limit)) => Err(limit.into()),
        ApplyOutcome::Rejected(reason) => Err(format!("nothing is applied: {reason:?}").into()),
    }
}

/// What is in the way, and the options that help.
fn sentence(obstacle: Obstacle) -> String {
    let help = match obstacle {
        Obstacle::RefusedLines(_) => "correct them, or leave them out with --skip-refused",
        Obstacle::Shrinks { .. } => {
            "--partial keeps what a file lacks, --allow-removals removes it"
        }
        Obstacle::TooManyChanges(_) => "import it in parts with --partial",
        _ => "nothing is applied",
    };
    format!("{obstacle}: {help}")
}

fn imported(plan: &Plan, after: DatasetVersion) -> EventKind {
    EventKind::Imported {
        by: SubjectId::service(),
        kind: plan.kind(),
        added: plan.added(),
        changed: plan.changed(),
        removed: plan.removed(),
        versions: [plan.version().number, after.number],
    }
}
