use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lyceum::domain::{
    ClassNum, Grade, HistoryEntry, PageRequest, StudentId, SubjectId, Timestamp, Year,
};
use lyceum::http::audit::EventKind;
use lyceum::import::FileFormat;
use lyceum::school_year::{YearObstacle, YearOutcome, YearTurn, YearUndo};
use lyceum::store::{HistoryFilter, SchoolHistoryStore};

use super::import::read;
use super::open_without_addresses;
use super::person::student_id;
use crate::BoxError;
use crate::backend::Backend;
use crate::leavers::{after_school_write, before_school_write};
use crate::services::School;
use crate::settings::StoreOptions;

#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub struct Options<O: Args> {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    store: StoreOptions<O>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Graduate the last grade, move the others up and add first-years
    Turn(TurnOptions),
    /// Undo the last turn, within a day
    Undo {
        #[command(flatten)]
        apply: Apply,
    },
    /// Print who was in which class in which year
    History(HistoryOptions),
}

#[derive(Debug, Args)]
struct TurnOptions {
    /// CSV or JSON of all students who stay, with their new classes [each goes to the next grade,
    /// with class and number as before]
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
    /// CSV or JSON of the new students
    #[arg(long, value_name = "FILE")]
    first_years: Option<PathBuf>,
    /// School year that ends, by the year in which it began: the current one or the one before [the
    /// one of the last September]
    #[arg(long, value_parser = year)]
    year: Option<Year>,
    /// End the offices of all students who stay
    #[arg(long)]
    reset_offices: bool,
    /// Turn a year that was turned already
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    apply: Apply,
}

#[derive(Debug, Args)]
struct Apply {
    /// Apply what is shown; with the code of a plan, only if it is still the same
    #[arg(long, value_name = "CODE", num_args = 0..=1, require_equals = true)]
    apply: Option<Option<String>>,
}

#[derive(Debug, Args)]
struct HistoryOptions {
    /// Only this student, by id
    #[arg(long, value_name = "ID", value_parser = student_id)]
    student: Option<StudentId>,
    /// Only this school year
    #[arg(long, value_parser = year)]
    year: Option<Year>,
    /// Only this class, such as 3-2
    #[arg(long, value_name = "GRADE-CLASS", value_parser = class)]
    class: Option<(Grade, ClassNum)>,
}

fn year(text: &str) -> Result<Year, String> {
    let year = text.parse().ok().and_then(|year| Year::new(year).ok());
    year.ok_or_else(|| "must be a year such as 2026".to_owned())
}

fn class(text: &str) -> Result<(Grade, ClassNum), String> {
    let class = || {
        let (grade, class) = text.split_once('-')?;
        let grade = Grade::new(grade.parse().ok()?).ok()?;
        Some((grade, ClassNum::new(class.parse().ok()?).ok()?))
    };
    class().ok_or_else(|| "must be a grade and a class such as 3-2".to_owned())
}

pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let files = match &options.action {
        Action::Turn(turn) => Files::read(turn)?,
        Action::Undo { .. } | Action::History(_) => Files::default(),
    };
    let school = open_without_addresses::<B>(options.store).await?;
    let outcome = match options.action {
        Action::Turn(turn) => perform_turn(&school, turn, files).await,
        Action::Undo { apply } => undo(&school, apply).await,
        Action::History(filter) => history(&school, filter).await,
    };
    school.close().await?;
    outcome
}

/// The files of a turn, which are read before the database is opened.
#[derive(Default)]
struct Files {
    classes: Option<(Vec<u8>, FileFormat)>,
    first_years: Option<(Vec<u8>, FileFormat)>,
}

impl Files {
    fn read(turn: &TurnOptions) -> Result<Self, BoxError> {
        let read_file = |path: &Path| -> Result<_, BoxError> {
            let extension = path.extension();
            let is_json = extension.is_some_and(|name| name.eq_ignore_ascii_case("json"));
            let format = if is_json {
                FileFormat::Json
            } else {
                FileFormat::Csv
            };
            Ok((read(path)?, format))
        };
        Ok(Self {
            classes: turn.classes.as_deref().map(read_file).transpose()?,
            first_years: turn.first_years.as_deref().map(read_file).transpose()?,
        })
    }
}

async fn perform_turn(school: &School, options: TurnOptions, files: Files) -> Result<(), BoxError> {
    let mut turn = YearTurn::new();
    if let Some((file, format)) = files.classes {
        turn = turn.classes(file, format);
    }
    if let Some((file, format)) = files.first_years {
        turn = turn.first_years(file, format);
    }
    if let Some(year) = options.year {
        turn = turn.year(year);
    }
    if options.reset_offices {
        turn = turn.reset_offices();
    }
    if options.again {
        turn = turn.again();
    }
    let directory = school.directory().await?;
    let at = school.now();
    let plan = turn.plan(&directory, at).await?;
    let (before, code) = (plan.version().number, plan.code());
    print(&format!(
        "{plan}\nplan {code} for version {before} of the school\n"
    ))?;
    if let Some(obstacle) = plan.obstacle() {
        return Err(sentence(obstacle).into());
    }
    if !is_confirmed(options.apply, &code)? {
        return Ok(());
    }
    before_school_write(school, &directory).await?;
    let outcome = plan.apply(&directory, SubjectId::service(), at).await?;
    let after = applied(outcome)?;
    school.record_event(EventKind::YearTurned {
        by: SubjectId::service(),
        year: plan.year(),
        graduated: plan.graduated(),
        moved: plan.moved(),
        added: plan.added(),
        versions: [before, after],
    });
    println!("Applied: the school has version {after} now. To undo it within a day: year undo");
    after_school_write(school, &directory).await
}

async fn undo(school: &School, apply: Apply) -> Result<(), BoxError> {
    let directory = school.directory().await?;
    let at = school.now();
    let plan = YearUndo::plan(&directory, at).await?;
    let (before, code) = (plan.version().number, plan.code());
    print(&format!(
        "{plan}\nplan {code} for version {before} of the school\n"
    ))?;
    if !is_confirmed(apply, &code)? {
        return Ok(());
    }
    before_school_write(school, &directory).await?;
    let outcome = plan.apply(&directory, SubjectId::service(), at).await?;
    let after = applied(outcome)?;
    school.record_event(EventKind::YearTurnUndone {
        by: SubjectId::service(),
        year: plan.year(),
        restored: plan.restored(),
        removed: plan.removed(),
        versions: [before, after],
    });
    println!("Undone: the school has version {after} now.");
    after_school_write(school, &directory).await
}

/// Whether the plan with this code is to be applied. Otherwise the command that applies it is shown.
fn is_confirmed(apply: Apply, code: &str) -> Result<bool, BoxError> {
    match apply.apply {
        None => {
            println!("Nothing is applied yet. To apply it: the same command with --apply={code}");
            Ok(false)
        }
        Some(Some(expected)) if expected != code => Err(format!(
            "nothing is applied: this is not the plan {expected}, because a file, the options or the school have changed"
        )
        .into()),
        Some(_) => Ok(true),
    }
}

/// The number of the version that was written.
fn applied(outcome: YearOutcome) -> Result<u64, BoxError> {
    match outcome {
        YearOutcome::Applied(version) => Ok(version.number),
        YearOutcome::Outdated => {
            Err("nothing is applied: the school has changed meanwhile; look at the new plan".into())
        }
        YearOutcome::Obstructed(obstacle) => Err(sentence(obstacle).into()),
        YearOutcome::Rejected(reason) => Err(format!("nothing is applied: {reason:?}").into()),
    }
}

/// What is in the way, and the options that help.
fn sentence(obstacle: YearObstacle) -> String {
    let help = match obstacle {
        YearObstacle::Conflicts(_) => "correct the records or the files",
        YearObstacle::AlreadyTurned(_) => "--again turns it once more, --year names another one",
        _ => "nothing is applied",
    };
    format!("{obstacle}: {help}")
}

async fn history(school: &School, options: HistoryOptions) -> Result<(), BoxError> {
    let filter = HistoryFilter {
        student: options.student,
        year: options.year,
        grade: options.class.map(|(grade, _)| grade),
        class_num: options.class.map(|(_, class)| class),
    };
    let mut lines = String::from("year,grade,class,number,student,name,major,clubs,end,date\n");
    for number in 0.. {
        let page = PageRequest::new(number, PageRequest::MAX_SIZE)?;
        let found = school.store.school_history(filter, page).await?.items;
        lines.extend(found.iter().map(line));
        if found.len() < PageRequest::MAX_SIZE as usize {
            break;
        }
    }
    print(&lines)
}

/// An entry as a row of CSV.
fn line(entry: &HistoryEntry) -> String {
    let clubs: Vec<&str> = entry.clubs.iter().map(|club| club.as_str()).collect();
    format!(
        "{},{},{},{},{},{},{},{},{},{}\n",
        entry.year,
        entry.grade,
        entry.class_num,
        entry.number,
        entry.student,
        cell(entry.name.as_str()),
        entry.major,
        cell(&clubs.join("; ")),
        entry.end,
        day(entry.at)
    )
}

/// A text as a cell of CSV, which no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let formula = if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) {
        "'"
    } else {
        ""
    };
    format!("\"{formula}{}\"", text.replace('"', "\"\""))
}

/// The day by the Korean calendar.
fn day(at: Timestamp) -> String {
    lyceum::domain::Date::korean(at).to_string()
}

fn print(text: &str) -> Result<(), BoxError> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
