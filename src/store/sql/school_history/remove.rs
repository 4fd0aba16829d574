//! Deletes old history, and the history of one person.

use sea_query::{Expr, ExprTrait, Func, OnConflict, Query};

use crate::domain::{Timestamp, Year};
use crate::store::sql::executor::{Executor, execute};
use crate::store::sql::insert::insert;
use crate::store::sql::tables::{Erasures, SchoolHistory, TurnedClubs, TurnedStudents, YearTurns};
use crate::store::{DeletedHistory, Erasure, StorageError};

pub(in crate::store::sql) async fn delete_old_history(
    tx: &mut dyn Executor,
    before: Year,
    turned_until: Timestamp,
) -> Result<DeletedHistory, StorageError> {
    let oldest_year = Query::select()
        .expr(Func::min(Expr::col(SchoolHistory::Year)))
        .from(SchoolHistory::Table)
        .and_where(Expr::col(SchoolHistory::Year).lt(i64::from(before.get())))
        .take();
    let entries = Query::delete()
        .from_table(SchoolHistory::Table)
        .and_where(Expr::col(SchoolHistory::Year).in_subquery(oldest_year))
        .take();
    let entries = execute(tx, &entries).await?;
    let past = Query::select()
        .column(YearTurns::Version)
        .from(YearTurns::Table)
        .and_where(Expr::col(YearTurns::At).lte(turned_until.seconds()))
        .take();
    let oldest_turn = Query::select()
        .expr(Func::min(Expr::col(TurnedStudents::Turn)))
        .from(TurnedStudents::Table)
        .and_where(Expr::col(TurnedStudents::Turn).in_subquery(past.clone()))
        .take();
    let students = Query::delete()
        .from_table(TurnedStudents::Table)
        .and_where(Expr::col(TurnedStudents::Turn).in_subquery(oldest_turn))
        .take();
    let students = execute(tx, &students).await?;
    let oldest_turn = Query::select()
        .expr(Func::min(Expr::col(TurnedClubs::Turn)))
        .from(TurnedClubs::Table)
        .and_where(Expr::col(TurnedClubs::Turn).in_subquery(past))
        .take();
    let clubs = Query::delete()
        .from_table(TurnedClubs::Table)
        .and_where(Expr::col(TurnedClubs::Turn).in_subquery(oldest_turn))
        .take();
    let clubs = execute(tx, &clubs).await?;
    Ok(DeletedHistory {
        entries,
        turned: students + clubs,
    })
}

pub(in crate::store::sql) async fn erase_history(
    tx: &mut dyn Executor,
    erasure: Erasure,
) -> Result<Erasure, StorageError> {
    let student = erasure.student.get();
    let entries = Query::delete()
        .from_table(SchoolHistory::Table)
        .and_where(Expr::col(SchoolHistory::StudentId).eq(student))
        .take();
    let entries = execute(tx, &entries).await?;
    let turned = Query::delete()
        .from_table(TurnedStudents::Table)
        .and_where(Expr::col(TurnedStudents::StudentId).eq(student))
        .take();
    execute(tx, &turned).await?;
    let led = Query::delete()
        .from_table(TurnedClubs::Table)
        .and_where(Expr::col(TurnedClubs::LeaderId).eq(student))
        .take();
    execute(tx, &led).await?;
    let stored = i64::try_from(entries).map_err(|_| StorageError::corrupt("erasures.entries"))?;
    let row = [
        (Erasures::StudentId, student.into()),
        (Erasures::At, erasure.at.seconds().into()),
        (Erasures::BySubject, erasure.by.as_str().into()),
        (Erasures::Entries, stored.into()),
    ];
    // The same second: the first record stays.
    let record = insert(Erasures::Table, row)
        .on_conflict(
            OnConflict::columns([Erasures::StudentId, Erasures::At])
                .do_nothing()
                .to_owned(),
        )
        .take();
    execute(tx, &record).await?;
    Ok(Erasure { entries, ..erasure })
}
