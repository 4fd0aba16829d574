//! Audit records.

use std::collections::BTreeMap;

use sea_query::{Condition, Expr, ExprTrait, Func, Order, Query, ReturningClause, SelectStatement};

use super::batch_upsert::BatchUpsert;
use super::executor::{Executor, fetch_all, fetch_optional};
use super::in_list_padding::pad_to_power_of_two;
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep_up_to};
use super::row::{Row, SqlValue};
use super::tables::{AuditHead, AuditRecords};
use crate::domain::{
    AuditCount, AuditEntry, AuditFilter, AuditId, AuditRecord, ShortText, SubjectId, Timestamp,
};
use crate::store::{MAX_LISTED_AUDIT_RECORDS, MAX_SWEPT_AUDIT_RECORDS, StorageError};

/// The update of the head row locks it until the commit, so records become visible in the order of
/// their ids.
pub(super) async fn append_audit_records(
    tx: &mut dyn Executor,
    records: Vec<AuditRecord>,
) -> Result<(), StorageError> {
    static STATEMENTS: BatchUpsert = BatchUpsert::new();
    let Ok(count @ 1..) = i64::try_from(records.len()) else {
        return Ok(());
    };
    let counted = Query::update()
        .table(AuditHead::Table)
        .value(AuditHead::Last, Expr::col(AuditHead::Last).add(count))
        .returning(ReturningClause::Columns(vec![AuditHead::Last.into()]))
        .take();
    let last = fetch_optional(tx, &counted)
        .await?
        .ok_or(StorageError::corrupt("audit_head.last"))?
        .integer("audit_head.last")?;
    let numbered: Vec<_> = (last - count + 1..).zip(records).collect();
    STATEMENTS
        .upsert(tx, AuditRecords::Table, 0, &numbered, row)
        .await
}

fn row((id, record): &(i64, AuditRecord)) -> [(AuditRecords, SqlValue); COLUMNS.len()] {
    [
        (AuditRecords::Id, (*id).into()),
        (AuditRecords::At, record.at.seconds().into()),
        (AuditRecords::RequestId, record.request_id.as_str().into()),
        (AuditRecords::Kind, record.kind.as_str().into()),
        (
            AuditRecords::SubjectId,
            record.subject.as_ref().map(SubjectId::as_str).into(),
        ),
        (
            AuditRecords::ClientId,
            record.client.map(|client| client.to_string()).into(),
        ),
        (
            AuditRecords::ApplicationId,
            record
                .application
                .map(|application| application.to_string())
                .into(),
        ),
        (
            AuditRecords::GrantId,
            record.grant.map(|grant| grant.to_string()).into(),
        ),
        (
            AuditRecords::ApiKeyId,
            record.api_key.map(|key| key.to_string()).into(),
        ),
        (AuditRecords::Line, record.json.as_str().into()),
        (
            AuditRecords::TargetId,
            record.target.as_ref().map(SubjectId::as_str).into(),
        ),
    ]
}

pub(super) async fn audit_records_of(
    tx: &mut dyn Executor,
    request: ShortText,
) -> Result<Vec<AuditEntry>, StorageError> {
    let of_the_request =
        Condition::all().add(Expr::col(AuditRecords::RequestId).eq(request.as_str()));
    load(
        tx,
        &entries(of_the_request, Order::Asc, MAX_LISTED_AUDIT_RECORDS),
    )
    .await
}

pub(super) async fn audit_records(
    tx: &mut dyn Executor,
    filter: AuditFilter,
    before: Option<AuditId>,
    size: u32,
) -> Result<Vec<AuditEntry>, StorageError> {
    let condition = matching(filter)
        .add_option(before.map(|before| Expr::col(AuditRecords::Id).lt(before.get())));
    load(
        tx,
        &entries(
            condition,
            Order::Desc,
            Ord::min(size, MAX_LISTED_AUDIT_RECORDS),
        ),
    )
    .await
}

pub(super) async fn audit_records_after(
    tx: &mut dyn Executor,
    filter: AuditFilter,
    after: AuditId,
    size: u32,
) -> Result<Vec<AuditEntry>, StorageError> {
    let condition = matching(filter).add(Expr::col(AuditRecords::Id).gt(after.get()));
    let most = Ord::min(size, MAX_LISTED_AUDIT_RECORDS);
    load(tx, &entries(condition, Order::Asc, most)).await
}

pub(super) async fn newest_audit_records(
    tx: &mut dyn Executor,
    kind: ShortText,
    subjects: Vec<SubjectId>,
) -> Result<BTreeMap<SubjectId, AuditRecord>, StorageError> {
    if subjects.is_empty() {
        return Ok(BTreeMap::new());
    }
    // A look-up in the index for each subject, which does not read the other events of the subject.
    let newest = |subject| {
        let filter = AuditFilter {
            kind: Some(kind.clone()),
            subject: Some(subject),
            ..AuditFilter::default()
        };
        let newest = Query::select()
            .column(AuditRecords::Id)
            .from(AuditRecords::Table)
            .cond_where(matching(filter))
            .order_by(AuditRecords::Id, Order::Desc)
            .limit(1)
            .take();
        Expr::SubQuery(None, Box::new(newest.into()))
    };
    let most = u32::try_from(subjects.len()).unwrap_or(u32::MAX);
    let any = pad_to_power_of_two(subjects).into_iter().map(newest);
    let condition = Condition::all().add(Expr::col(AuditRecords::Id).is_in(any));
    let found = load(tx, &entries(condition, Order::Desc, most)).await?;
    let by_subject = found
        .into_iter()
        .filter_map(|entry| Some((entry.record.subject.clone()?, entry.record)));
    Ok(by_subject.collect())
}

pub(super) async fn audit_counts(
    tx: &mut dyn Executor,
    filter: AuditFilter,
    offset: i32,
) -> Result<Vec<AuditCount>, StorageError> {
    const DAY: &str = "day";
    // Constants, because a database that gets them as parameters takes the expression of the list
    // and that of the group for different ones.
    let day = Expr::col(AuditRecords::At)
        .add(Expr::Constant(offset.into()))
        .div(Expr::Constant(86_400_i32.into()));
    let counts = Query::select()
        .expr_as(day, DAY)
        .column(AuditRecords::Kind)
        .expr(Func::count(Expr::col(AuditRecords::Id)))
        .from(AuditRecords::Table)
        .cond_where(matching(filter))
        .group_by_col(DAY)
        .group_by_col(AuditRecords::Kind)
        .order_by(DAY, Order::Asc)
        .order_by(AuditRecords::Kind, Order::Asc)
        .take();
    let counts = fetch_all(tx, &counts).await?.into_iter().map(|mut row| {
        Ok(AuditCount {
            day: row.integer("audit_records.at")?,
            kind: row.parsed("audit_records.kind")?,
            count: row.unsigned("count")?,
        })
    });
    counts.collect()
}

fn matching(filter: AuditFilter) -> Condition {
    let equals =
        |column: AuditRecords, text: Option<String>| text.map(|text| Expr::col(column).eq(text));
    Condition::all()
        .add_option(equals(
            AuditRecords::Kind,
            filter.kind.map(|kind| kind.to_string()),
        ))
        .add_option(equals(
            AuditRecords::SubjectId,
            filter.subject.map(|subject| subject.as_str().to_owned()),
        ))
        .add_option(equals(
            AuditRecords::TargetId,
            filter.target.map(|target| target.as_str().to_owned()),
        ))
        .add_option(equals(
            AuditRecords::ClientId,
            filter.client.map(|client| client.to_string()),
        ))
        .add_option(equals(
            AuditRecords::ApplicationId,
            filter
                .application
                .map(|application| application.to_string()),
        ))
        .add_option(equals(
            AuditRecords::GrantId,
            filter.grant.map(|grant| grant.to_string()),
        ))
        .add_option(equals(
            AuditRecords::ApiKeyId,
            filter.api_key.map(|key| key.to_string()),
        ))
        .add_option(
            filter
                .from
                .map(|from| Expr::col(AuditRecords::At).gte(from.seconds())),
        )
        .add_option(
            filter
                .to
                .map(|to| Expr::col(AuditRecords::At).lt(to.seconds())),
        )
}

pub(super) async fn sweep_audit_records(
    tx: &mut dyn Executor,
    until: Timestamp,
) -> Result<usize, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let table = (AuditRecords::Table, AuditRecords::Id);
    let swept = sweep_up_to(
        MAX_SWEPT_AUDIT_RECORDS,
        tx,
        &QUERY,
        table,
        until.seconds(),
        expiry,
    )
    .await?;
    Ok(usize::try_from(swept).unwrap_or(usize::MAX))
}

pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(Expr::col(AuditRecords::At), until)
}

const COLUMNS: [AuditRecords; 11] = [
    AuditRecords::Id,
    AuditRecords::At,
    AuditRecords::RequestId,
    AuditRecords::Kind,
    AuditRecords::SubjectId,
    AuditRecords::ClientId,
    AuditRecords::ApplicationId,
    AuditRecords::GrantId,
    AuditRecords::ApiKeyId,
    AuditRecords::Line,
    AuditRecords::TargetId,
];

fn entries(condition: Condition, order: Order, most: u32) -> SelectStatement {
    Query::select()
        .columns(COLUMNS)
        .from(AuditRecords::Table)
        .cond_where(condition)
        .order_by(AuditRecords::Id, order)
        .limit(most.into())
        .take()
}

async fn load(
    tx: &mut dyn Executor,
    entries: &SelectStatement,
) -> Result<Vec<AuditEntry>, StorageError> {
    fetch_all(tx, entries)
        .await?
        .into_iter()
        .map(read)
        .collect()
}

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<AuditEntry, StorageError> {
    let id = row.number("audit_records.id", AuditId::new)?;
    let record = AuditRecord {
        at: row.timestamp("audit_records.at")?,
        request_id: row.parsed("audit_records.request_id")?,
        kind: row.parsed("audit_records.kind")?,
        subject: row.optional(|row| row.parsed("audit_records.subject_id"))?,
        client: row.optional(|row| row.parsed("audit_records.client_id"))?,
        application: row.optional(|row| row.parsed("audit_records.application_id"))?,
        grant: row.optional(|row| row.parsed("audit_records.grant_id"))?,
        api_key: row.optional(|row| row.parsed("audit_records.api_key_id"))?,
        json: row.parsed("audit_records.line")?,
        target: row.optional(|row| row.parsed("audit_records.target_id"))?,
    };
    Ok(AuditEntry { id, record })
}
