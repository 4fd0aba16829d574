//! Runs of a sync, when each kind of records was current, and leases.

use sea_query::{Condition, Expr, ExprTrait, InsertStatement, OnConflict, Order, Query};

use super::executor::{Executor, MAX_TRIES, execute, fetch_all, fetch_optional, inconsistent_read};
use super::insert::insert;
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep_composite};
use super::row::Row;
use super::tables::{DataFreshness, Leases, SyncRuns};
use crate::domain::{DataKind, DateRange, ShortText, SyncResult, SyncRunRecord, Timestamp};
use crate::store::retention::{CLOCK_SKEW, SYNC_RUN_RETENTION};
use crate::store::{Lease, LeaseAcquisition, MAX_LISTED_SYNC_RUNS, StorageError};

pub(super) async fn append_sync_run(
    tx: &mut dyn Executor,
    run: SyncRunRecord,
) -> Result<(), StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let at = run.ended_at.minus(CLOCK_SKEW);
    let until = at.minus(SYNC_RUN_RETENTION);
    let table = (SyncRuns::Table, [SyncRuns::Id]);
    sweep_composite(tx, &QUERY, table, (until.seconds(), at.seconds()), expiry).await?;
    if run.result.is_success() {
        confirm_data(tx, run.kind, run.started_at, run.ended_at).await?;
    }
    let running = Query::delete()
        .from_table(SyncRuns::Table)
        .and_where(Expr::col(SyncRuns::Kind).eq(run.kind.as_str()))
        .and_where(Expr::col(SyncRuns::Result).eq(SyncResult::Running.as_str()))
        .take();
    execute(tx, &running).await?;
    execute(tx, &inserted(&run)).await.map(drop)
}

pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(Expr::col(SyncRuns::EndedAt), until)
}

const COLUMNS: [SyncRuns; 16] = [
    SyncRuns::Kind,
    SyncRuns::FirstDay,
    SyncRuns::LastDay,
    SyncRuns::Result,
    SyncRuns::Detail,
    SyncRuns::Code,
    SyncRuns::Calls,
    SyncRuns::Inserted,
    SyncRuns::Updated,
    SyncRuns::Deleted,
    SyncRuns::Skipped,
    SyncRuns::VersionBefore,
    SyncRuns::VersionAfter,
    SyncRuns::StartedBy,
    SyncRuns::StartedAt,
    SyncRuns::EndedAt,
];

fn inserted(run: &SyncRunRecord) -> InsertStatement {
    let code = run.code.as_ref().map(|code| code.as_str().to_owned());
    // Versions of a directory are whole numbers of a database.
    let [before, after] = run.versions.map(|version| version.cast_signed());
    let values: [Expr; COLUMNS.len()] = [
        run.kind.as_str().into(),
        run.window.from().to_string().into(),
        run.window.to().to_string().into(),
        run.result.as_str().into(),
        run.detail.as_str().into(),
        code.into(),
        i64::from(run.calls).into(),
        i64::from(run.inserted).into(),
        i64::from(run.updated).into(),
        i64::from(run.deleted).into(),
        i64::from(run.skipped).into(),
        before.into(),
        after.into(),
        run.by.as_str().into(),
        run.started_at.seconds().into(),
        run.ended_at.seconds().into(),
    ];
    let mut values = values.into_iter();
    // There is a value for each column, so that none is null by mistake.
    let row = COLUMNS.map(|column| (column, values.next().unwrap_or(Expr::null())));
    insert(SyncRuns::Table, row)
}

pub(super) async fn sync_runs(
    tx: &mut dyn Executor,
    size: u32,
) -> Result<Vec<SyncRunRecord>, StorageError> {
    let newest = Query::select()
        .columns(COLUMNS)
        .from(SyncRuns::Table)
        .order_by(SyncRuns::Id, Order::Desc)
        .limit(Ord::min(size, MAX_LISTED_SYNC_RUNS).into())
        .take();
    let rows = fetch_all(tx, &newest).await?;
    rows.into_iter().map(read).collect()
}

pub(super) async fn first_sync_runs(
    tx: &mut dyn Executor,
) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
    let first = Query::select()
        .column(SyncRuns::Kind)
        .expr(Expr::col(SyncRuns::StartedAt).min())
        .from(SyncRuns::Table)
        .group_by_col(SyncRuns::Kind)
        .take();
    let mut known = Vec::new();
    for mut row in fetch_all(tx, &first).await? {
        known.push((
            row.parsed("sync_runs.kind")?,
            row.timestamp("sync_runs.started_at")?,
        ));
    }
    known.sort_unstable();
    Ok(known)
}

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<SyncRunRecord, StorageError> {
    let kind = row.parsed("sync_runs.kind")?;
    let days = [
        row.parsed("sync_runs.first_day")?,
        row.parsed("sync_runs.last_day")?,
    ];
    let [first, last] = days;
    let window =
        DateRange::new(first, last).map_err(|_| StorageError::corrupt("sync_runs.last_day"))?;
    Ok(SyncRunRecord {
        kind,
        window,
        result: row.parsed("sync_runs.result")?,
        detail: row.parsed("sync_runs.detail")?,
        code: row.optional(|row| row.parsed("sync_runs.code"))?,
        calls: number(&mut row, "sync_runs.calls")?,
        inserted: number(&mut row, "sync_runs.inserted")?,
        updated: number(&mut row, "sync_runs.updated")?,
        deleted: number(&mut row, "sync_runs.deleted")?,
        skipped: number(&mut row, "sync_runs.skipped")?,
        versions: [
            row.unsigned("sync_runs.version_before")?,
            row.unsigned("sync_runs.version_after")?,
        ],
        by: row.parsed("sync_runs.started_by")?,
        started_at: row.timestamp("sync_runs.started_at")?,
        ended_at: row.timestamp("sync_runs.ended_at")?,
    })
}

fn number(row: &mut Row, column: &'static str) -> Result<u32, StorageError> {
    u32::try_from(row.integer(column)?).map_err(|_| StorageError::corrupt(column))
}

pub(super) async fn confirm_data(
    tx: &mut dyn Executor,
    kind: DataKind,
    as_of: Timestamp,
    at: Timestamp,
) -> Result<(), StorageError> {
    let stored = || Expr::col((DataFreshness::Table, DataFreshness::AsOf));
    let is_replaced = Condition::any()
        .add(stored().lt(as_of.seconds()))
        .add(stored().gt(at.plus(CLOCK_SKEW).seconds()));
    let mut on_conflict = OnConflict::column(DataFreshness::Kind);
    on_conflict
        .update_column(DataFreshness::AsOf)
        .action_cond_where(is_replaced);
    let row = [
        (DataFreshness::Kind, kind.as_str().into()),
        (DataFreshness::AsOf, as_of.seconds().into()),
    ];
    let confirmed = insert(DataFreshness::Table, row)
        .on_conflict(on_conflict)
        .take();
    execute(tx, &confirmed).await.map(drop)
}

pub(super) async fn data_as_of(
    tx: &mut dyn Executor,
) -> Result<Vec<(DataKind, Timestamp)>, StorageError> {
    let all = Query::select()
        .columns([DataFreshness::Kind, DataFreshness::AsOf])
        .from(DataFreshness::Table)
        .take();
    let mut known = Vec::new();
    for mut row in fetch_all(tx, &all).await? {
        known.push((
            row.parsed("data_freshness.kind")?,
            row.timestamp("data_freshness.as_of")?,
        ));
    }
    known.sort_unstable();
    Ok(known)
}

pub(super) async fn acquire_lease(
    tx: &mut dyn Executor,
    name: ShortText,
    lease: Lease,
    at: Timestamp,
) -> Result<LeaseAcquisition, StorageError> {
    let holder = || Expr::value(lease.holder.as_str());
    let expires_at = || Expr::col((Leases::Table, Leases::ExpiresAt));
    let latest = lease.expires_at.plus(CLOCK_SKEW);
    let is_free = Condition::any()
        .add(expires_at().lte(at.seconds()))
        .add(expires_at().gt(latest.seconds()))
        .add(Expr::col((Leases::Table, Leases::Holder)).eq(holder()));
    let mut on_conflict = OnConflict::column(Leases::Name);
    on_conflict
        .update_columns([Leases::Holder, Leases::ExpiresAt])
        .action_cond_where(is_free);
    let row = [
        (Leases::Name, name.as_str().into()),
        (Leases::Holder, holder()),
        (Leases::ExpiresAt, lease.expires_at.seconds().into()),
    ];
    let acquisition = insert(Leases::Table, row).on_conflict(on_conflict).take();
    for _ in 0..MAX_TRIES {
        if execute(tx, &acquisition).await? > 0 {
            return Ok(LeaseAcquisition::Acquired);
        }
        // The row is locked by now, unless another holder has just released it.
        if let Some(held) = stored_lease(tx, &name).await? {
            return Ok(LeaseAcquisition::Held(held));
        }
    }
    Err(inconsistent_read())
}

pub(super) async fn lease(
    tx: &mut dyn Executor,
    name: ShortText,
    at: Timestamp,
) -> Result<Option<Lease>, StorageError> {
    let stored = stored_lease(tx, &name).await?;
    Ok(stored.filter(|lease| lease.expires_at > at))
}

async fn stored_lease(
    tx: &mut dyn Executor,
    name: &ShortText,
) -> Result<Option<Lease>, StorageError> {
    let select = Query::select()
        .columns([Leases::Holder, Leases::ExpiresAt])
        .from(Leases::Table)
        .and_where(Expr::col(Leases::Name).eq(name.as_str()))
        .take();
    let Some(mut row) = fetch_optional(tx, &select).await? else {
        return Ok(None);
    };
    Ok(Some(Lease {
        holder: row.parsed("leases.holder")?,
        expires_at: row.timestamp("leases.expires_at")?,
    }))
}

pub(super) async fn release_lease(
    tx: &mut dyn Executor,
    name: ShortText,
    holder: ShortText,
) -> Result<bool, StorageError> {
    let release = Query::delete()
        .from_table(Leases::Table)
        .and_where(Expr::col(Leases::Name).eq(name.as_str()))
        .and_where(Expr::col(Leases::Holder).eq(holder.as_str()))
        .take();
    Ok(execute(tx, &release).await? > 0)
}
