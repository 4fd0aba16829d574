//! Writes the history of a change of the directory.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Query};

use crate::domain::{
    ClubId, Enrollment, EnrollmentStatus, HistoryEntry, ShortText, StudentId, YearTurnRecord,
    YearTurnUndo,
};
use crate::store::sql::batch_upsert::BatchUpsert;
use crate::store::sql::directory_store;
use crate::store::sql::executor::{Executor, execute};
use crate::store::sql::in_list_padding::pad_to_power_of_two;
use crate::store::sql::insert::insert;
use crate::store::sql::row::{SqlValue, json_list};
use crate::store::sql::tables::{SchoolHistory, TurnedClubs, TurnedStudents, YearTurns};
use crate::store::{
    DatasetVersion, DirectoryRows, DirectoryWrite, HistoryChange, StorageError, TurnedRecords,
};

/// The sides of a turned student.
pub(super) const BEFORE: i64 = 0;
pub(super) const AFTER: i64 = 1;

pub(in crate::store::sql) async fn write_directory_with_history(
    tx: &mut dyn Executor,
    expected: DatasetVersion,
    rows: Arc<DirectoryRows>,
    history: Arc<HistoryChange>,
) -> Result<DirectoryWrite, StorageError> {
    // Its first statement locks the version, so that the statements below see the last history.
    if directory_store::write(tx, expected, rows).await? == DirectoryWrite::Conflict {
        return Ok(DirectoryWrite::Conflict);
    }
    if let Some((turn, undo)) = &history.undone
        && !undo_turn(tx, *turn, undo, &history.kept).await?
    {
        tx.set_rollback_only();
        return Ok(DirectoryWrite::Conflict);
    }
    static ENTRIES: BatchUpsert = BatchUpsert::new();
    ENTRIES
        .upsert(tx, SchoolHistory::Table, 2, &history.entries, entry)
        .await?;
    if let Some((turn, turned)) = &history.turn {
        insert_turn(tx, turn).await?;
        insert_turned(tx, signed(turn.version)?, turned).await?;
    }
    Ok(DirectoryWrite::Written)
}

/// Marks a turn as undone and deletes its entries, apart from those of some students; `false` if there is no such turn or it was undone
/// before.
async fn undo_turn(
    tx: &mut dyn Executor,
    turn: u64,
    undo: &YearTurnUndo,
    kept: &[StudentId],
) -> Result<bool, StorageError> {
    let turn = signed(turn)?;
    let marked = Query::update()
        .table(YearTurns::Table)
        .value(YearTurns::UndoneVersion, signed(undo.version)?)
        .value(YearTurns::UndoneAt, undo.at.seconds())
        .value(YearTurns::UndoneBy, undo.by.as_str())
        .and_where(Expr::col(YearTurns::Version).eq(turn))
        .and_where(Expr::col(YearTurns::UndoneAt).is_null())
        .take();
    if execute(tx, &marked).await? == 0 {
        return Ok(false);
    }
    let mut entries = Query::delete()
        .from_table(SchoolHistory::Table)
        .and_where(Expr::col(SchoolHistory::Version).eq(turn))
        .take();
    if !kept.is_empty() {
        // At most as many as a turn has changes.
        let kept = pad_to_power_of_two(kept.iter().map(|student| student.get()));
        entries.and_where(Expr::col(SchoolHistory::StudentId).is_not_in(kept));
    }
    execute(tx, &entries).await?;
    Ok(true)
}

async fn insert_turn(tx: &mut dyn Executor, turn: &YearTurnRecord) -> Result<(), StorageError> {
    let undone = turn.undone.as_ref();
    let row = [
        (YearTurns::Version, signed(turn.version)?.into()),
        (
            YearTurns::VersionBefore,
            signed(turn.version_before)?.into(),
        ),
        (YearTurns::Year, i64::from(turn.year.get()).into()),
        (YearTurns::At, turn.at.seconds().into()),
        (YearTurns::BySubject, turn.by.as_str().into()),
        (YearTurns::Graduated, signed(turn.graduated)?.into()),
        (YearTurns::Moved, signed(turn.moved)?.into()),
        (YearTurns::Added, signed(turn.added)?.into()),
        (
            YearTurns::UndoneVersion,
            undone.map(|undo| signed(undo.version)).transpose()?.into(),
        ),
        (
            YearTurns::UndoneAt,
            undone.map(|undo| undo.at.seconds()).into(),
        ),
        (
            YearTurns::UndoneBy,
            undone.map(|undo| undo.by.as_str()).into(),
        ),
    ];
    execute(tx, &insert(YearTurns::Table, row)).await.map(drop)
}

async fn insert_turned(
    tx: &mut dyn Executor,
    turn: i64,
    turned: &TurnedRecords,
) -> Result<(), StorageError> {
    static STUDENTS: BatchUpsert = BatchUpsert::new();
    static CLUBS: BatchUpsert = BatchUpsert::new();
    let sides: Vec<(StudentId, i64, &EnrollmentStatus)> = turned
        .students
        .iter()
        .flat_map(|turned| {
            let before = turned.before.as_ref().map(|status| (BEFORE, status));
            let sides = before.into_iter().chain([(AFTER, &turned.after)]);
            sides.map(|(side, status)| (turned.student, side, status))
        })
        .collect();
    STUDENTS
        .upsert(tx, TurnedStudents::Table, 3, &sides, |side| {
            turned_student(turn, side)
        })
        .await?;
    CLUBS
        .upsert(
            tx,
            TurnedClubs::Table,
            2,
            &turned.leaders,
            |(club, leader)| {
                [
                    (TurnedClubs::Turn, SqlValue::from(turn)),
                    (TurnedClubs::ClubId, club.get().into()),
                    (TurnedClubs::LeaderId, leader.get().into()),
                ]
            },
        )
        .await
}

fn entry(entry: &HistoryEntry) -> [(SchoolHistory, SqlValue); 11] {
    [
        (SchoolHistory::StudentId, entry.student.get().into()),
        (SchoolHistory::Version, entry.version.cast_signed().into()),
        (SchoolHistory::Year, i64::from(entry.year.get()).into()),
        (SchoolHistory::Name, entry.name.as_str().into()),
        (SchoolHistory::Grade, i64::from(entry.grade.get()).into()),
        (
            SchoolHistory::ClassNum,
            i64::from(entry.class_num.get()).into(),
        ),
        (SchoolHistory::Number, i64::from(entry.number.get()).into()),
        (SchoolHistory::Major, entry.major.as_str().into()),
        (
            SchoolHistory::Clubs,
            json_list(entry.clubs.iter().map(ShortText::as_str)).into(),
        ),
        (SchoolHistory::EndedBy, entry.end.as_str().into()),
        (SchoolHistory::At, entry.at.seconds().into()),
    ]
}

fn turned_student(
    turn: i64,
    (student, side, status): &(StudentId, i64, &EnrollmentStatus),
) -> [(TurnedStudents, SqlValue); 11] {
    let (role, enrollment) = match status {
        EnrollmentStatus::Enrolled(enrollment) => (enrollment.role.as_str(), Some(enrollment)),
        EnrollmentStatus::Graduate => ("GRADUATE", None),
        EnrollmentStatus::Withdrawn => ("WITHDRAWN", None),
    };
    let enrolled =
        |value: fn(&Enrollment) -> Option<i64>| -> SqlValue { enrollment.and_then(value).into() };
    [
        (TurnedStudents::Turn, turn.into()),
        (TurnedStudents::StudentId, student.get().into()),
        (TurnedStudents::Side, (*side).into()),
        (TurnedStudents::Role, role.into()),
        (
            TurnedStudents::Grade,
            enrolled(|enrollment| Some(enrollment.grade.get().into())),
        ),
        (
            TurnedStudents::ClassNum,
            enrolled(|enrollment| Some(enrollment.class_num.get().into())),
        ),
        (
            TurnedStudents::Number,
            enrolled(|enrollment| Some(enrollment.number.get().into())),
        ),
        (
            TurnedStudents::Major,
            enrollment
                .map(|enrollment| enrollment.major.as_str())
                .into(),
        ),
        (
            TurnedStudents::DormitoryRoom,
            enrolled(|enrollment| enrollment.dormitory_room.map(|room| room.get().into())),
        ),
        (
            TurnedStudents::MajorClubId,
            enrolled(|enrollment| enrollment.major_club.map(ClubId::get)),
        ),
        (
            TurnedStudents::AutonomousClubId,
            enrolled(|enrollment| enrollment.autonomous_club.map(ClubId::get)),
        ),
    ]
}

/// Converts a version or a count to its stored type.
fn signed(number: u64) -> Result<i64, StorageError> {
    i64::try_from(number).map_err(|_| StorageError::corrupt("a number is too large"))
}
