//! Writes rows of the directory and the version that they lead to.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Iden, Query};

use super::kinds::{IDS, KeptId, KeptRecord};
use super::{log, version};
use crate::domain::{Club, Project};
use crate::store::sql::batches::Batches;
use crate::store::sql::directory_rows;
use crate::store::sql::executor::{Executor, change};
use crate::store::sql::padded::padded;
use crate::store::sql::tables::ProjectParticipants;
use crate::store::{Advance, DatasetVersion, DirectoryRow, DirectoryRows, StorageError};

pub(in crate::store::sql) async fn write(
    tx: &mut dyn Executor,
    expected: DatasetVersion,
    rows: Arc<DirectoryRows>,
) -> Result<Advance, StorageError> {
    // This comes first: of two transactions the later one waits here, and then finds another version.
    if !version::advance(tx, expected, rows.version).await? {
        return Ok(Advance::Outdated);
    }
    // References to removed records become NULL by themselves. The records that had them are among the rows as well.
    remove(tx, &rows.projects).await?;
    remove(tx, &rows.students).await?;
    remove(tx, &rows.clubs).await?;
    remove(tx, &rows.meals).await?;
    remove(tx, &rows.events).await?;
    remove(tx, &rows.lessons).await?;
    put_people(tx, &rows).await?;
    put(tx, &values(&rows.meals)).await?;
    put(tx, &values(&rows.events)).await?;
    put(tx, &values(&rows.lessons)).await?;
    log::write(tx, &rows.students).await?;
    log::write(tx, &rows.clubs).await?;
    log::write(tx, &rows.projects).await?;
    log::write(tx, &rows.meals).await?;
    log::write(tx, &rows.events).await?;
    log::write(tx, &rows.lessons).await?;
    Ok(Advance::Written)
}

/// Puts clubs, students and projects, each after what they refer to. Clubs and their leaders refer to each other, so clubs are put without
/// their leaders first.
async fn put_people(tx: &mut dyn Executor, rows: &DirectoryRows) -> Result<(), StorageError> {
    let clubs = values(&rows.clubs);
    let led: Vec<&Club> = clubs.iter().copied().filter(|club| club.leader.is_some()).collect();
    let without_leader = |club: &&Club| directory_rows::club(&Club { leader: None, ..Club::clone(club) });
    Club::statements().put(tx, Club::TABLE, 1, &clubs, without_leader).await?;
    put(tx, &values(&rows.students)).await?;
    put(tx, &led).await?;
    let projects = values(&rows.projects);
    put(tx, &projects).await?;
    put_participants(tx, &projects).await
}

/// The records that are not removed.
fn values<I, K>(rows: &[DirectoryRow<I, K>]) -> Vec<&K> {
    rows.iter().filter_map(|row| row.value.as_ref()).collect()
}

async fn put<K: KeptRecord>(tx: &mut dyn Executor, records: &[&K]) -> Result<(), StorageError> {
    K::statements().put(tx, K::TABLE, 1, records, |record| record.row()).await
}

/// Replaces the participants of these projects.
async fn put_participants(tx: &mut dyn Executor, projects: &[&Project]) -> Result<(), StorageError> {
    static STATEMENTS: Batches = Batches::new();
    let ids: Vec<Expr> = projects.iter().map(|project| project.id.value()).collect();
    delete(tx, ProjectParticipants::Table, ProjectParticipants::ProjectId, &ids).await?;
    let participants: Vec<(i64, i64)> =
        projects.iter().flat_map(|project| project.participants.iter().map(|student| (project.id.get(), student.get()))).collect();
    let row = |(project, student): &(i64, i64)| {
        [(ProjectParticipants::ProjectId, (*project).into()), (ProjectParticipants::StudentId, (*student).into())]
    };
    STATEMENTS.put(tx, ProjectParticipants::Table, 2, &participants, row).await
}

async fn remove<K: KeptRecord>(tx: &mut dyn Executor, rows: &[DirectoryRow<K::Id, K>]) -> Result<(), StorageError> {
    let removed = rows.iter().filter(|row| row.value.is_none() && row.id.is_possible());
    let ids: Vec<Expr> = removed.map(|row| row.id.value()).collect();
    delete(tx, K::TABLE, K::ID, &ids).await
}

async fn delete<I: Iden + Copy + Send + Sync + 'static>(
    tx: &mut dyn Executor,
    table: I,
    column: I,
    ids: &[Expr],
) -> Result<(), StorageError> {
    for some in ids.chunks(IDS) {
        let ids = padded(some.iter().cloned());
        change(tx, &Query::delete().from_table(table).and_where(Expr::col(column).is_in(ids)).take()).await?;
    }
    Ok(())
}
