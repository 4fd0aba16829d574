//! Changes of the directory.

use sea_query::{Expr, ExprTrait, Iden, Query};

use super::directory_log::Affected;
use super::executor::{Dialect, Executor, Statement, change, first};
use super::insert::put;
use super::row::Cell;
use super::shape::Shape;
use super::tables::{Clubs, Events, Lessons, Meals, ProjectParticipants, Projects, Students};
use super::{directory_rows, directory_version};
use crate::domain::{Club, ClubId, ClubType, Project, Student, StudentId};
use crate::store::{DirectoryChange, Refusal, StorageError, Writing};

/// A change either happens, or is refused and undone with the whole batch.
type Change = Result<Result<(), Refusal>, StorageError>;

pub(super) async fn write(tx: &mut dyn Executor, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError> {
    // This comes first so that of two batches the later one waits here, and what it then looks at stays as it is.
    let version = directory_version::advance(tx).await?;
    let affected = Affected::by(tx, &changes).await?;
    for (index, change) in changes.into_iter().enumerate() {
        if let Err(refusal) = apply(tx, change).await? {
            tx.undo();
            return Ok(Writing::Refused { index, refusal });
        }
    }
    affected.log(tx, version.number).await?;
    Ok(Writing::Written(version))
}

async fn apply(tx: &mut dyn Executor, change: DirectoryChange) -> Change {
    match change {
        DirectoryChange::PutStudent(student) => return put_student(tx, student).await,
        DirectoryChange::PutClub(club) => return put_club(tx, club).await,
        DirectoryChange::PutProject(project) => return put_project(tx, project).await,
        DirectoryChange::PutMeal(meal) => {
            static SHAPE: Shape = Shape::new();
            tx.execute(put(&SHAPE, tx.dialect(), Meals::Table, directory_rows::meal(&meal))).await?
        }
        DirectoryChange::PutEvent(event) => {
            static SHAPE: Shape = Shape::new();
            tx.execute(put(&SHAPE, tx.dialect(), Events::Table, directory_rows::event(&event))).await?
        }
        DirectoryChange::PutLesson(lesson) => {
            static SHAPE: Shape = Shape::new();
            tx.execute(put(&SHAPE, tx.dialect(), Lessons::Table, directory_rows::lesson(&lesson))).await?
        }
        // References clear themselves: memberships, leaderships, ownerships and participations.
        DirectoryChange::RemoveStudent(id) => remove(tx, Students::Table, Students::Id, id.get()).await?,
        DirectoryChange::RemoveClub(id) => remove(tx, Clubs::Table, Clubs::Id, id.get()).await?,
        DirectoryChange::RemoveProject(id) => remove(tx, Projects::Table, Projects::Id, id.get()).await?,
        DirectoryChange::RemoveMeal(id) => remove_named(tx, Meals::Table, Meals::Id, id).await?,
        DirectoryChange::RemoveEvent(id) => remove_named(tx, Events::Table, Events::Id, id).await?,
        DirectoryChange::RemoveLesson(id) => remove_named(tx, Lessons::Table, Lessons::Id, id).await?,
    };
    Ok(Ok(()))
}

async fn put_student(tx: &mut dyn Executor, student: Student) -> Change {
    let (major, autonomous) = student.enrolment().map(|enrolment| (enrolment.major_club, enrolment.autonomous_club)).unwrap_or_default();
    for (club, right) in [(major, ClubType::Major), (autonomous, ClubType::Autonomous)] {
        let Some(club) = club else { continue };
        match kind(tx, club).await? {
            None => return Ok(Err(Refusal::UnknownClub(club))),
            Some(kind) if kind != right => return Ok(Err(Refusal::WrongClubType(club))),
            Some(_) => {}
        }
    }
    let id = student.id;
    static SHAPE: Shape = Shape::new();
    tx.execute(put(&SHAPE, tx.dialect(), Students::Table, directory_rows::student(&student))).await?;
    // No club has the id 0.
    let [major, autonomous] = [major, autonomous].map(|club| club.map_or(0, ClubId::get));
    tx.execute(departure(tx.dialect(), id, [major, autonomous])).await?;
    Ok(Ok(()))
}

async fn put_club(tx: &mut dyn Executor, club: Club) -> Change {
    if let Some(leader) = club.leader {
        match is_member(tx, leader, club.id).await? {
            None => return Ok(Err(Refusal::UnknownStudent(leader))),
            Some(false) => return Ok(Err(Refusal::LeaderIsNoMember(leader))),
            Some(true) => {}
        }
    }
    let becomes_another_kind = kind(tx, club.id).await?.is_some_and(|kind| kind != club.kind);
    if becomes_another_kind && has_members(tx, club.id).await? {
        return Ok(Err(Refusal::ClubHasMembers(club.id)));
    }
    static SHAPE: Shape = Shape::new();
    tx.execute(put(&SHAPE, tx.dialect(), Clubs::Table, directory_rows::club(&club))).await?;
    Ok(Ok(()))
}

async fn put_project(tx: &mut dyn Executor, project: Project) -> Change {
    if let Some(club) = project.club
        && kind(tx, club).await?.is_none()
    {
        return Ok(Err(Refusal::UnknownClub(club)));
    }
    let id = project.id.get();
    static SHAPE: Shape = Shape::new();
    tx.execute(put(&SHAPE, tx.dialect(), Projects::Table, directory_rows::project(&project))).await?;
    remove(tx, ProjectParticipants::Table, ProjectParticipants::ProjectId, id).await?;
    for student in project.participants {
        let existing =
            Query::select().expr(Expr::value(id)).column(Students::Id).from(Students::Table).and_where(is_student(student)).take();
        let participation = Query::insert()
            .into_table(ProjectParticipants::Table)
            .columns([ProjectParticipants::ProjectId, ProjectParticipants::StudentId])
            .select_from(existing)
            .map_err(|error| StorageError::failed("a participant's columns and values differ", error))?
            .take();
        if change(tx, &participation).await? == 0 {
            return Ok(Err(Refusal::UnknownStudent(student)));
        }
    }
    Ok(Ok(()))
}

/// The kind of a club, if there is such a club.
async fn kind(tx: &mut dyn Executor, club: ClubId) -> Result<Option<ClubType>, StorageError> {
    static SHAPE: Shape = Shape::new();
    let kind = SHAPE.bind(tx.dialect(), [club.get().into()], || {
        Query::select().column(Clubs::Kind).from(Clubs::Table).and_where(Expr::col(Clubs::Id).eq(0)).take()
    });
    let row = tx.query(kind).await?.into_iter().next();
    row.map(|mut row| row.parsed("clubs.kind")).transpose()
}

/// Takes a student out of the lead of all clubs but these.
fn departure(dialect: Dialect, student: StudentId, but: [i64; 2]) -> Statement {
    static SHAPE: Shape = Shape::new();
    let [major, autonomous] = but.map(Cell::from);
    SHAPE.bind(dialect, [Cell::Null, student.get().into(), major, autonomous], || {
        Query::update()
            .table(Clubs::Table)
            .value(Clubs::LeaderId, None::<i64>)
            .and_where(Expr::col(Clubs::LeaderId).eq(0))
            .and_where(Expr::col(Clubs::Id).is_not_in([0, 0]))
            .take()
    })
}

/// Whether a student belongs to a club, if there is such a student.
async fn is_member(tx: &mut dyn Executor, student: StudentId, club: ClubId) -> Result<Option<bool>, StorageError> {
    let clubs = Query::select()
        .columns([Students::MajorClubId, Students::AutonomousClubId])
        .from(Students::Table)
        .and_where(is_student(student))
        .take();
    let Some(mut row) = first(tx, &clubs).await? else { return Ok(None) };
    let major = row.optional(|row| row.integer("students.major_club_id"))?;
    let autonomous = row.optional(|row| row.integer("students.autonomous_club_id"))?;
    Ok(Some([major, autonomous].contains(&Some(club.get()))))
}

async fn has_members(tx: &mut dyn Executor, club: ClubId) -> Result<bool, StorageError> {
    let belongs = Expr::col(Students::MajorClubId).eq(club.get()).or(Expr::col(Students::AutonomousClubId).eq(club.get()));
    let member = Query::select().column(Students::Id).from(Students::Table).and_where(belongs).limit(1).take();
    Ok(first(tx, &member).await?.is_some())
}

fn is_student(id: StudentId) -> Expr {
    Expr::col(Students::Id).eq(id.get())
}

async fn remove<I: Iden + Copy + Send + 'static>(
    tx: &mut dyn Executor,
    table: I,
    key: I,
    id: impl Into<Expr> + Send,
) -> Result<u64, StorageError> {
    let removal = Query::delete().from_table(table).and_where(Expr::col(key).eq(id)).take();
    change(tx, &removal).await
}

async fn remove_named<I: Iden + Copy + Send + 'static>(tx: &mut dyn Executor, table: I, key: I, id: String) -> Result<u64, StorageError> {
    // No text in PostgreSQL has this character, and it would not even look for one.
    if id.contains('\0') {
        return Ok(0);
    }
    remove(tx, table, key, id).await
}
