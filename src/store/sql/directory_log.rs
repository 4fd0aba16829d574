//! What a batch of changes has to put into the log.

use std::collections::BTreeSet;

use sea_query::{Condition, Expr, ExprTrait, Iden, OnConflict, Query, SelectStatement};

use super::changes::Kind;
use super::executor::{Executor, all, change};
use super::padded::padded;
use super::row::Row;
use super::tables::{Changes as Log, Clubs, ProjectParticipants, Projects, Students};
use crate::domain::Student;
use crate::store::{DirectoryChange, StorageError};

/// The most ids that a statement names.
const IDS: usize = 1024;

/// The most rows that a statement inserts.
const ROWS: usize = 256;

/// Which records a batch changes, or shows in another way.
///
/// What a record shows changes with the batch's own records alone: a student shows two clubs, a club its members, a project its club and its
/// participants. So it is enough to look, before the batch, at who shows what it changes, and to add what the batch itself says. That is
/// sometimes too many, and never too few.
#[derive(Default)]
pub(super) struct Affected {
    students: BTreeSet<i64>,
    clubs: BTreeSet<i64>,
    projects: BTreeSet<i64>,
}

/// The records that a batch names.
#[derive(Default)]
struct Named {
    put: BTreeSet<i64>,
    removed: BTreeSet<i64>,
}

impl Affected {
    /// Looks at the school as it is before the batch.
    pub(super) async fn by(tx: &mut dyn Executor, batch: &[DirectoryChange]) -> Result<Self, StorageError> {
        let (mut students, mut clubs, mut projects, mut joined) = (Named::default(), Named::default(), Named::default(), BTreeSet::new());
        for change in batch {
            match change {
                DirectoryChange::PutStudent(student) => {
                    students.put.insert(student.id.get());
                    joined.extend(clubs_of(student));
                }
                DirectoryChange::RemoveStudent(id) => _ = students.removed.insert(id.get()),
                DirectoryChange::PutClub(club) => _ = clubs.put.insert(club.id.get()),
                DirectoryChange::RemoveClub(id) => _ = clubs.removed.insert(id.get()),
                DirectoryChange::PutProject(project) => _ = projects.put.insert(project.id.get()),
                DirectoryChange::RemoveProject(id) => _ = projects.removed.insert(id.get()),
                DirectoryChange::PutMeal(_) | DirectoryChange::RemoveMeal(_) => {}
                DirectoryChange::PutEvent(_) | DirectoryChange::RemoveEvent(_) => {}
                DirectoryChange::PutLesson(_) | DirectoryChange::RemoveLesson(_) => {}
            }
        }
        let mut affected = Self { clubs: joined, ..Self::default() };
        affected.add_those_of_students(tx, &students.all()).await?;
        affected.add_those_of_clubs(tx, &clubs.all()).await?;
        affected.students.extend(students.there(tx, Students::Table, Students::Id).await?);
        affected.clubs.extend(clubs.there(tx, Clubs::Table, Clubs::Id).await?);
        affected.projects.extend(projects.there(tx, Projects::Table, Projects::Id).await?);
        Ok(affected)
    }

    /// Writes down that they changed in this version.
    pub(super) async fn log(self, tx: &mut dyn Executor, version: u64) -> Result<(), StorageError> {
        let version = i64::try_from(version).map_err(|_| StorageError::corrupt("directory_version.version"))?;
        for (kind, ids) in [(Kind::Student, self.students), (Kind::Club, self.clubs), (Kind::Project, self.projects)] {
            let ids: Vec<i64> = ids.into_iter().collect();
            let mut rest = &ids[..];
            while !rest.is_empty() {
                // Statements of few lengths, so that a database that keeps them prepared sees few of them.
                let length = (rest.len() + 1).next_power_of_two().min(2 * ROWS) / 2;
                let (some, others) = rest.split_at(length);
                log_some(tx, kind, some, version).await?;
                rest = others;
            }
        }
        Ok(())
    }

    /// The clubs and projects that show one of these students.
    async fn add_those_of_students(&mut self, tx: &mut dyn Executor, students: &BTreeSet<i64>) -> Result<(), StorageError> {
        let clubs = |ids: Vec<i64>| {
            let columns = [Students::MajorClubId, Students::AutonomousClubId];
            Query::select().columns(columns).from(Students::Table).and_where(Expr::col(Students::Id).is_in(ids)).take()
        };
        for mut row in each(tx, students, clubs).await? {
            self.clubs.extend(row.optional(|row| row.integer("students.major_club_id"))?);
            self.clubs.extend(row.optional(|row| row.integer("students.autonomous_club_id"))?);
        }
        let projects = |ids: Vec<i64>| {
            let is_among = Expr::col(ProjectParticipants::StudentId).is_in(ids);
            let project = ProjectParticipants::ProjectId;
            Query::select().distinct().column(project).from(ProjectParticipants::Table).and_where(is_among).take()
        };
        self.projects.extend(ids(each(tx, students, projects).await?)?);
        Ok(())
    }

    /// The students and projects that show one of these clubs.
    async fn add_those_of_clubs(&mut self, tx: &mut dyn Executor, clubs: &BTreeSet<i64>) -> Result<(), StorageError> {
        let members = |ids: Vec<i64>| {
            let (major, autonomous) = (Expr::col(Students::MajorClubId), Expr::col(Students::AutonomousClubId));
            let belongs = Condition::any().add(major.is_in(ids.iter().copied())).add(autonomous.is_in(ids));
            Query::select().column(Students::Id).from(Students::Table).cond_where(belongs).take()
        };
        self.students.extend(ids(each(tx, clubs, members).await?)?);
        let projects = |ids: Vec<i64>| {
            Query::select().column(Projects::Id).from(Projects::Table).and_where(Expr::col(Projects::ClubId).is_in(ids)).take()
        };
        self.projects.extend(ids(each(tx, clubs, projects).await?)?);
        Ok(())
    }
}

impl Named {
    fn all(&self) -> BTreeSet<i64> {
        self.put.union(&self.removed).copied().collect()
    }

    /// Those that are there before the batch or after it. To remove what is not there changes nothing.
    async fn there<I: Iden + Copy + Send + Sync + 'static>(
        self,
        tx: &mut dyn Executor,
        table: I,
        id: I,
    ) -> Result<BTreeSet<i64>, StorageError> {
        let existing = |ids: Vec<i64>| Query::select().column(id).from(table).and_where(Expr::col(id).is_in(ids)).take();
        let mut there = ids(each(tx, &self.removed, existing).await?)?;
        there.extend(self.put);
        Ok(there)
    }
}

/// The rows that a query finds for any of these ids.
async fn each(tx: &mut dyn Executor, ids: &BTreeSet<i64>, query: impl Fn(Vec<i64>) -> SelectStatement) -> Result<Vec<Row>, StorageError> {
    let ids: Vec<i64> = ids.iter().copied().collect();
    let mut rows = Vec::new();
    for some in ids.chunks(IDS) {
        rows.extend(all(tx, &query(padded(some.iter().copied()))).await?);
    }
    Ok(rows)
}

fn ids(rows: Vec<Row>) -> Result<BTreeSet<i64>, StorageError> {
    rows.into_iter().map(|mut row| row.integer("id")).collect()
}

fn clubs_of(student: &Student) -> impl Iterator<Item = i64> + use<> {
    let clubs = student.enrolment().map_or([None, None], |enrolment| [enrolment.major_club, enrolment.autonomous_club]);
    clubs.into_iter().flatten().map(|club| club.get())
}

async fn log_some(tx: &mut dyn Executor, kind: Kind, ids: &[i64], version: i64) -> Result<(), StorageError> {
    let mut log = Query::insert();
    log.into_table(Log::Table).columns([Log::Kind, Log::RecordId, Log::Version]);
    for id in ids {
        // There is a value for each column, so this cannot panic.
        log.values_panic([kind.as_str().into(), (*id).into(), version.into()]);
    }
    let again = OnConflict::columns([Log::Kind, Log::RecordId]).update_column(Log::Version).to_owned();
    change(tx, &log.on_conflict(again).take()).await?;
    Ok(())
}
