//! Writes rows and the new version of the directory.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Iden, Query};

use super::record_kinds::{MAX_IDS, StoredId, StoredRecord};
use super::{change_log, to_rows, version};
use crate::domain::{Club, Project};
use crate::store::sql::batch_upsert::BatchUpsert;
use crate::store::sql::executor::{Executor, execute};
use crate::store::sql::in_list_padding::pad_to_power_of_two;
use crate::store::sql::tables::ProjectParticipants;
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, DirectoryWrite, StorageError};

pub(in crate::store::sql) async fn write(
    tx: &mut dyn Executor,
    expected: DatasetVersion,
    rows: Arc<DirectoryRows>,
) -> Result<DirectoryWrite, StorageError> {
    // The first statement: of two concurrent transactions, the later one waits here for the row
    // lock and then finds another version.
    if !version::advance(tx, expected, rows.version).await? {
        return Ok(DirectoryWrite::Conflict);
    }
    // Foreign keys set references to removed records to NULL. The rows also include the records
    // that had these references.
    remove(tx, &rows.projects).await?;
    remove(tx, &rows.students).await?;
    remove(tx, &rows.clubs).await?;
    remove(tx, &rows.meals).await?;
    remove(tx, &rows.events).await?;
    remove(tx, &rows.lessons).await?;
    upsert_clubs_students_projects(tx, &rows).await?;
    upsert(tx, &values(&rows.meals)).await?;
    upsert(tx, &values(&rows.events)).await?;
    upsert(tx, &values(&rows.lessons)).await?;
    change_log::write(tx, &rows.students).await?;
    change_log::write(tx, &rows.clubs).await?;
    change_log::write(tx, &rows.projects).await?;
    change_log::write(tx, &rows.meals).await?;
    change_log::write(tx, &rows.events).await?;
    change_log::write(tx, &rows.lessons).await?;
    Ok(DirectoryWrite::Written)
}

/// Writes clubs, students and projects, each after the records it refers to. Clubs and their
/// leaders refer to each other, so clubs are first written without their leaders.
async fn upsert_clubs_students_projects(
    tx: &mut dyn Executor,
    rows: &DirectoryRows,
) -> Result<(), StorageError> {
    let clubs = values(&rows.clubs);
    let led: Vec<&Club> = clubs
        .iter()
        .copied()
        .filter(|club| club.leader.is_some())
        .collect();
    let without_leader = |club: &&Club| {
        to_rows::club(&Club {
            leader: None,
            ..Club::clone(club)
        })
    };
    Club::statements()
        .upsert(tx, Club::TABLE, 1, &clubs, without_leader)
        .await?;
    upsert(tx, &values(&rows.students)).await?;
    upsert(tx, &led).await?;
    let projects = values(&rows.projects);
    upsert(tx, &projects).await?;
    replace_participants(tx, &projects).await
}

/// The records that are not removed.
fn values<I, K>(rows: &[DirectoryRow<I, K>]) -> Vec<&K> {
    rows.iter().filter_map(|row| row.value.as_ref()).collect()
}

async fn upsert<K: StoredRecord>(
    tx: &mut dyn Executor,
    records: &[&K],
) -> Result<(), StorageError> {
    K::statements()
        .upsert(tx, K::TABLE, 1, records, |record| record.to_row())
        .await
}

/// Replaces the participants of these projects.
async fn replace_participants(
    tx: &mut dyn Executor,
    projects: &[&Project],
) -> Result<(), StorageError> {
    static STATEMENTS: BatchUpsert = BatchUpsert::new();
    let ids: Vec<Expr> = projects
        .iter()
        .map(|project| project.id.to_expr())
        .collect();
    delete(
        tx,
        ProjectParticipants::Table,
        ProjectParticipants::ProjectId,
        &ids,
    )
    .await?;
    let participants: Vec<(i64, i64)> = projects
        .iter()
        .flat_map(|project| {
            project
                .participants
                .iter()
                .map(|student| (project.id.get(), student.get()))
        })
        .collect();
    let row = |(project, student): &(i64, i64)| {
        [
            (ProjectParticipants::ProjectId, (*project).into()),
            (ProjectParticipants::StudentId, (*student).into()),
        ]
    };
    STATEMENTS
        .upsert(tx, ProjectParticipants::Table, 2, &participants, row)
        .await
}

async fn remove<K: StoredRecord>(
    tx: &mut dyn Executor,
    rows: &[DirectoryRow<K::Id, K>],
) -> Result<(), StorageError> {
    let removed = rows
        .iter()
        .filter(|row| row.value.is_none() && row.id.is_storable());
    let ids: Vec<Expr> = removed.map(|row| row.id.to_expr()).collect();
    delete(tx, K::TABLE, K::ID, &ids).await
}

async fn delete<I: Iden + Copy + Send + Sync + 'static>(
    tx: &mut dyn Executor,
    table: I,
    column: I,
    ids: &[Expr],
) -> Result<(), StorageError> {
    for some in ids.chunks(MAX_IDS) {
        let ids = pad_to_power_of_two(some.iter().cloned());
        execute(
            tx,
            &Query::delete()
                .from_table(table)
                .and_where(Expr::col(column).is_in(ids))
                .take(),
        )
        .await?;
    }
    Ok(())
}
