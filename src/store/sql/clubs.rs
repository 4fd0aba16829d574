//! Clubs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::changes::{self, Kind};
use super::directory_store::records::{self, CLUB_COLUMNS};
use super::executor::{Dialect, Executor, all};
use super::listing::{Listing, contains};
use super::padded::padded;
use super::participants;
use super::row::Row;
use super::tables::{Clubs, Students};
use crate::domain::{Club, ClubFilter, ClubId, ClubProfile, ClubQuery, ClubSort, ClubSummary, Page, Participant, Record};
use crate::store::{ChangesQuery, Delta, StorageError};

pub(super) async fn clubs(tx: &mut dyn Executor, query: ClubQuery) -> Result<Page<ClubProfile>, StorageError> {
    let (sort, sort_is_optional) = sort_column(query.sort);
    let listing = Listing {
        table: Clubs::Table,
        columns: CLUB_COLUMNS.to_vec(),
        wanted: wanted(tx.dialect(), &query.filter),
        sort,
        sort_is_optional,
        id: Clubs::Id,
        direction: query.direction,
        page: query.page,
    };
    let (total, rows) = listing.load(tx).await?;
    let clubs = profiles(tx, rows).await?;
    Ok(Page { total, items: clubs.into_iter().map(|club| Arc::new(Record::new(club))).collect() })
}

pub(super) async fn changes(tx: &mut dyn Executor, query: ChangesQuery<ClubFilter>) -> Result<Delta<ClubProfile>, StorageError> {
    let Some(told) = changes::since(tx, Kind::Club, &query).await? else { return Ok(Delta::CursorUnknown) };
    let wanted = wanted(tx.dialect(), &query.filter);
    let rows = told.rows(tx, Clubs::Table, CLUB_COLUMNS, Clubs::Id, wanted).await?;
    Ok(told.with(profiles(tx, rows).await?, |profile| profile.club.id.get()))
}

/// The clubs of these rows, in their order.
async fn profiles(tx: &mut dyn Executor, rows: Vec<Row>) -> Result<Vec<ClubProfile>, StorageError> {
    let clubs: Vec<_> = rows.into_iter().map(records::club).collect::<Result<_, _>>()?;
    let mut members = members(tx, clubs.iter().map(|club| club.id)).await?;
    let profile = |club: Club| ClubProfile { members: members.remove(&club.id).unwrap_or_default(), club };
    Ok(clubs.into_iter().map(profile).collect())
}

/// What is told of these clubs elsewhere.
pub(super) async fn summaries(
    tx: &mut dyn Executor,
    ids: impl Iterator<Item = ClubId>,
) -> Result<BTreeMap<ClubId, ClubSummary>, StorageError> {
    let ids: BTreeSet<i64> = ids.map(ClubId::get).collect();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let columns = [Clubs::Id, Clubs::Name, Clubs::Kind];
    let summaries = Query::select().columns(columns).from(Clubs::Table).and_where(Expr::col(Clubs::Id).is_in(padded(ids))).take();
    let rows = all(tx, &summaries).await?.into_iter();
    rows.map(|mut row| {
        let id = row.number("clubs.id", ClubId::new)?;
        Ok((id, ClubSummary { id, name: row.parsed("clubs.name")?, kind: row.parsed("clubs.kind")? }))
    })
    .collect()
}

/// The members of these clubs, in order of id.
async fn members(tx: &mut dyn Executor, clubs: impl Iterator<Item = ClubId>) -> Result<BTreeMap<ClubId, Vec<Participant>>, StorageError> {
    let ids = padded(clubs.map(ClubId::get));
    let mut members = BTreeMap::<_, Vec<_>>::new();
    if ids.is_empty() {
        return Ok(members);
    }
    let students = Query::select()
        .columns([Students::MajorClubId, Students::AutonomousClubId])
        .columns(participants::COLUMNS)
        .from(Students::Table)
        .cond_where(
            Condition::any()
                .add(Expr::col(Students::MajorClubId).is_in(ids.iter().copied()))
                .add(Expr::col(Students::AutonomousClubId).is_in(ids)),
        )
        .order_by(Students::Id, Order::Asc)
        .take();
    for mut row in all(tx, &students).await? {
        let major = row.optional(|row| row.number("students.major_club_id", ClubId::new))?;
        let autonomous = row.optional(|row| row.number("students.autonomous_club_id", ClubId::new))?;
        let participant = participants::read(&mut row)?;
        for club in [major, autonomous].into_iter().flatten() {
            members.entry(club).or_default().push(participant.clone());
        }
    }
    Ok(members)
}

fn wanted(dialect: Dialect, filter: &ClubFilter) -> Condition {
    Condition::all()
        .add_option(filter.id.map(|id| Expr::col(Clubs::Id).eq(id.get())))
        .add_option(filter.name.as_ref().map(|name| contains(dialect, Clubs::NameFolded, name)))
        .add_option(filter.kind.map(|kind| Expr::col(Clubs::Kind).eq(kind.as_str())))
        .add_option(filter.status.map(|status| Expr::col(Clubs::Status).eq(status.as_str())))
        .add_option(filter.founded_year.map(|year| Expr::col(Clubs::FoundedYear).eq(i64::from(year.get()))))
}

/// What to sort by, and whether it may be missing.
const fn sort_column(sort: ClubSort) -> (Clubs, bool) {
    match sort {
        ClubSort::Id => (Clubs::Id, false),
        ClubSort::Name => (Clubs::Name, false),
        ClubSort::Type => (Clubs::Kind, false),
        ClubSort::FoundedYear => (Clubs::FoundedYear, false),
        ClubSort::AbolishedYear => (Clubs::AbolishedYear, true),
        ClubSort::Status => (Clubs::Status, false),
    }
}
