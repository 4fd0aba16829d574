//! Reads the history and the turns.

use std::collections::BTreeMap;

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::write::BEFORE;
use crate::domain::{
    ClassNum, ClubId, Grade, HistoryEntry, PageRequest, SeatNumber, StudentId, Year,
    YearTurnRecord, YearTurnUndo,
};
use crate::store::sql::directory_store::from_rows::enrollment_status;
use crate::store::sql::executor::{Executor, fetch_all};
use crate::store::sql::page_query::count;
use crate::store::sql::row::Row;
use crate::store::sql::tables::{Erasures, SchoolHistory, TurnedClubs, TurnedStudents, YearTurns};
use crate::store::{Erasure, HistoryFilter, Paged, StorageError, TurnedRecords, TurnedStudent};

pub(in crate::store::sql) async fn year_turns(
    tx: &mut dyn Executor,
    limit: u32,
) -> Result<Vec<YearTurnRecord>, StorageError> {
    let turns = Query::select()
        .columns([
            YearTurns::Version,
            YearTurns::VersionBefore,
            YearTurns::Year,
            YearTurns::At,
            YearTurns::BySubject,
            YearTurns::Graduated,
            YearTurns::Moved,
            YearTurns::Added,
            YearTurns::UndoneVersion,
            YearTurns::UndoneAt,
            YearTurns::UndoneBy,
        ])
        .from(YearTurns::Table)
        .order_by(YearTurns::Version, Order::Desc)
        .limit(limit.into())
        .take();
    let rows = fetch_all(tx, &turns).await?;
    rows.into_iter().map(turn).collect()
}

fn turn(mut row: Row) -> Result<YearTurnRecord, StorageError> {
    Ok(YearTurnRecord {
        version: row.unsigned("year_turns.version")?,
        version_before: row.unsigned("year_turns.version_before")?,
        year: row.number("year_turns.year", Year::new)?,
        at: row.timestamp("year_turns.at")?,
        by: row.parsed("year_turns.by_subject")?,
        graduated: row.unsigned("year_turns.graduated")?,
        moved: row.unsigned("year_turns.moved")?,
        added: row.unsigned("year_turns.added")?,
        undone: row.optional(|row| {
            Ok(YearTurnUndo {
                version: row.unsigned("year_turns.undone_version")?,
                at: row.timestamp("year_turns.undone_at")?,
                by: row.parsed("year_turns.undone_by")?,
            })
        })?,
    })
}

pub(in crate::store::sql) async fn turned_records(
    tx: &mut dyn Executor,
    turn: u64,
) -> Result<TurnedRecords, StorageError> {
    let Ok(turn) = i64::try_from(turn) else {
        return Ok(TurnedRecords::default());
    };
    let students = Query::select()
        .columns([
            TurnedStudents::StudentId,
            TurnedStudents::Side,
            TurnedStudents::Role,
            TurnedStudents::Grade,
            TurnedStudents::ClassNum,
            TurnedStudents::Number,
            TurnedStudents::Major,
            TurnedStudents::DormitoryRoom,
            TurnedStudents::MajorClubId,
            TurnedStudents::AutonomousClubId,
        ])
        .from(TurnedStudents::Table)
        .and_where(Expr::col(TurnedStudents::Turn).eq(turn))
        .order_by(TurnedStudents::StudentId, Order::Asc)
        .take();
    let mut sides: BTreeMap<StudentId, [Option<_>; 2]> = BTreeMap::new();
    for mut row in fetch_all(tx, &students).await? {
        let student = row.number("turned_students.student_id", StudentId::new)?;
        let is_before = row.integer("turned_students.side")? == BEFORE;
        let status = enrollment_status(row)?;
        sides.entry(student).or_default()[usize::from(!is_before)] = Some(status);
    }
    let students = sides.into_iter().map(|(student, [before, after])| {
        let after = after.ok_or(StorageError::corrupt("turned_students.side"))?;
        Ok(TurnedStudent {
            student,
            before,
            after,
        })
    });
    let students = students.collect::<Result<_, StorageError>>()?;
    let clubs = Query::select()
        .columns([TurnedClubs::ClubId, TurnedClubs::LeaderId])
        .from(TurnedClubs::Table)
        .and_where(Expr::col(TurnedClubs::Turn).eq(turn))
        .order_by(TurnedClubs::ClubId, Order::Asc)
        .take();
    let leaders = fetch_all(tx, &clubs).await?.into_iter().map(|mut row| {
        Ok((
            row.number("turned_clubs.club_id", ClubId::new)?,
            row.number("turned_clubs.leader_id", StudentId::new)?,
        ))
    });
    Ok(TurnedRecords {
        students,
        leaders: leaders.collect::<Result<_, StorageError>>()?,
    })
}

pub(in crate::store::sql) async fn school_history(
    tx: &mut dyn Executor,
    filter: HistoryFilter,
    page: PageRequest,
) -> Result<Paged<HistoryEntry>, StorageError> {
    let equals = |column: SchoolHistory, number: Option<i64>| {
        number.map(|number| Expr::col(column).eq(number))
    };
    let condition = Condition::all()
        .add_option(equals(
            SchoolHistory::StudentId,
            filter.student.map(StudentId::get),
        ))
        .add_option(equals(
            SchoolHistory::Year,
            filter.year.map(|year| year.get().into()),
        ))
        .add_option(equals(
            SchoolHistory::Grade,
            filter.grade.map(|grade| grade.get().into()),
        ))
        .add_option(equals(
            SchoolHistory::ClassNum,
            filter.class_num.map(|class| class.get().into()),
        ));
    let table = (SchoolHistory::Table, SchoolHistory::StudentId);
    let total = count(tx, table, condition.clone()).await?;
    let entries = Query::select()
        .columns([
            SchoolHistory::StudentId,
            SchoolHistory::Version,
            SchoolHistory::Year,
            SchoolHistory::Name,
            SchoolHistory::Grade,
            SchoolHistory::ClassNum,
            SchoolHistory::Number,
            SchoolHistory::Major,
            SchoolHistory::Clubs,
            SchoolHistory::EndedBy,
            SchoolHistory::At,
        ])
        .from(SchoolHistory::Table)
        .cond_where(condition)
        .order_by(SchoolHistory::Year, Order::Desc)
        .order_by(SchoolHistory::Grade, Order::Asc)
        .order_by(SchoolHistory::ClassNum, Order::Asc)
        .order_by(SchoolHistory::Number, Order::Asc)
        .order_by(SchoolHistory::StudentId, Order::Asc)
        .order_by(SchoolHistory::Version, Order::Asc)
        .limit(page.size().into())
        .offset(page.offset())
        .take();
    let rows = fetch_all(tx, &entries).await?;
    Ok(Paged {
        total,
        items: rows.into_iter().map(entry).collect::<Result<_, _>>()?,
    })
}

fn entry(mut row: Row) -> Result<HistoryEntry, StorageError> {
    Ok(HistoryEntry {
        student: row.number("school_history.student_id", StudentId::new)?,
        version: row.unsigned("school_history.version")?,
        year: row.number("school_history.year", Year::new)?,
        name: row.parsed("school_history.name")?,
        grade: row.number("school_history.grade", Grade::new)?,
        class_num: row.number("school_history.class_num", ClassNum::new)?,
        number: row.number("school_history.number", SeatNumber::new)?,
        major: row.parsed("school_history.major")?,
        clubs: row.list("school_history.clubs")?,
        end: row.parsed("school_history.ended_by")?,
        at: row.timestamp("school_history.at")?,
    })
}

pub(in crate::store::sql) async fn erasures(
    tx: &mut dyn Executor,
    page: PageRequest,
) -> Result<Paged<Erasure>, StorageError> {
    let table = (Erasures::Table, Erasures::StudentId);
    let total = count(tx, table, Condition::all()).await?;
    let erasures = Query::select()
        .columns([
            Erasures::StudentId,
            Erasures::At,
            Erasures::BySubject,
            Erasures::Entries,
        ])
        .from(Erasures::Table)
        .order_by(Erasures::At, Order::Desc)
        .order_by(Erasures::StudentId, Order::Desc)
        .limit(page.size().into())
        .offset(page.offset())
        .take();
    let rows = fetch_all(tx, &erasures).await?.into_iter().map(|mut row| {
        Ok(Erasure {
            student: row.number("erasures.student_id", StudentId::new)?,
            at: row.timestamp("erasures.at")?,
            by: row.parsed("erasures.by_subject")?,
            entries: row.unsigned("erasures.entries")?,
        })
    });
    Ok(Paged {
        total,
        items: rows.collect::<Result<_, StorageError>>()?,
    })
}
