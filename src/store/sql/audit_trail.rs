//! What happened, for people to look it up.

use sea_query::{Condition, Expr, ExprTrait, Order, Query, ReturningClause, SelectStatement};

use super::executor::{Executor, all, change, first};
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep_up_to};
use super::tables::{AuditHead, AuditRecords};
use crate::domain::{AuditEntry, AuditFilter, AuditId, AuditRecord, Line, Timestamp};
use crate::store::{AUDIT_RECORDS_SHOWN, AUDIT_RECORDS_SWEPT, StorageError};

/// The most rows that a statement inserts.
const ROWS: usize = 64;

/// Who has counted on stands in front of who comes next, so that no number is seen before a lower one.
pub(super) async fn append_audit_records(tx: &mut dyn Executor, records: Vec<AuditRecord>) -> Result<(), StorageError> {
    let Ok(count @ 1..) = i64::try_from(records.len()) else { return Ok(()) };
    let counted = Query::update()
        .table(AuditHead::Table)
        .value(AuditHead::Last, Expr::col(AuditHead::Last).add(count))
        .returning(ReturningClause::Columns(vec![AuditHead::Last.into()]))
        .take();
    let last = first(tx, &counted).await?.ok_or(StorageError::corrupt("audit_head.last"))?.integer("audit_head.last")?;
    let numbered: Vec<_> = (last - count + 1..).zip(records).collect();
    let mut rest = &numbered[..];
    while !rest.is_empty() {
        // Statements of few lengths, so that a database that keeps them prepared sees few of them.
        let length = (rest.len() + 1).next_power_of_two().min(2 * ROWS) / 2;
        let (some, others) = rest.split_at(length);
        append_some(tx, some).await?;
        rest = others;
    }
    Ok(())
}

async fn append_some(tx: &mut dyn Executor, records: &[(i64, AuditRecord)]) -> Result<(), StorageError> {
    let mut rows = Query::insert();
    rows.into_table(AuditRecords::Table).columns(COLUMNS);
    for (id, record) in records {
        // There is a value for each column, so this cannot panic.
        rows.values_panic([
            (*id).into(),
            record.at.seconds().into(),
            record.request.as_str().into(),
            record.kind.as_str().into(),
            record.subject.as_ref().map(|subject| subject.as_str().to_owned()).into(),
            record.client.map(|client| client.to_string()).into(),
            record.application.map(|application| application.to_string()).into(),
            record.grant.map(|grant| grant.to_string()).into(),
            record.api_key.map(|key| key.to_string()).into(),
            record.line.as_str().into(),
        ]);
    }
    change(tx, &rows).await?;
    Ok(())
}

pub(super) async fn audit_records_of(tx: &mut dyn Executor, request: Line) -> Result<Vec<AuditEntry>, StorageError> {
    let of_the_request = Condition::all().add(Expr::col(AuditRecords::RequestId).eq(request.as_str()));
    load(tx, &entries(of_the_request, Order::Asc, AUDIT_RECORDS_SHOWN)).await
}

pub(super) async fn audit_records(
    tx: &mut dyn Executor,
    filter: AuditFilter,
    before: Option<AuditId>,
    size: u32,
) -> Result<Vec<AuditEntry>, StorageError> {
    let is = |column: AuditRecords, text: Option<String>| text.map(|text| Expr::col(column).eq(text));
    let wanted = Condition::all()
        .add_option(before.map(|before| Expr::col(AuditRecords::Id).lt(before.get())))
        .add_option(is(AuditRecords::Kind, filter.kind.map(|kind| kind.to_string())))
        .add_option(is(AuditRecords::SubjectId, filter.subject.map(|subject| subject.as_str().to_owned())))
        .add_option(is(AuditRecords::ClientId, filter.client.map(|client| client.to_string())))
        .add_option(is(AuditRecords::ApplicationId, filter.application.map(|application| application.to_string())))
        .add_option(is(AuditRecords::GrantId, filter.grant.map(|grant| grant.to_string())))
        .add_option(is(AuditRecords::ApiKeyId, filter.api_key.map(|key| key.to_string())))
        .add_option(filter.from.map(|from| Expr::col(AuditRecords::At).gte(from.seconds())))
        .add_option(filter.to.map(|to| Expr::col(AuditRecords::At).lt(to.seconds())));
    load(tx, &entries(wanted, Order::Desc, Ord::min(size, AUDIT_RECORDS_SHOWN))).await
}

pub(super) async fn sweep_audit_records(tx: &mut dyn Executor, until: Timestamp) -> Result<usize, StorageError> {
    static SHAPE: Shape = Shape::new();
    let table = (AuditRecords::Table, AuditRecords::Id);
    let swept = sweep_up_to(AUDIT_RECORDS_SWEPT, tx, &SHAPE, table, until.seconds(), old).await?;
    Ok(usize::try_from(swept).unwrap_or(usize::MAX))
}

pub(super) fn old() -> Ended {
    Ended::by(Expr::col(AuditRecords::At))
}

const COLUMNS: [AuditRecords; 10] = [
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
];

fn entries(wanted: Condition, order: Order, most: u32) -> SelectStatement {
    Query::select()
        .columns(COLUMNS)
        .from(AuditRecords::Table)
        .cond_where(wanted)
        .order_by(AuditRecords::Id, order)
        .limit(most.into())
        .take()
}

async fn load(tx: &mut dyn Executor, entries: &SelectStatement) -> Result<Vec<AuditEntry>, StorageError> {
    all(tx, entries).await?.into_iter().map(read).collect()
}

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<AuditEntry, StorageError> {
    let id = row.number("audit_records.id", AuditId::new)?;
    let record = AuditRecord {
        at: row.time("audit_records.at")?,
        request: row.parsed("audit_records.request_id")?,
        kind: row.parsed("audit_records.kind")?,
        subject: row.optional(|row| row.parsed("audit_records.subject_id"))?,
        client: row.optional(|row| row.parsed("audit_records.client_id"))?,
        application: row.optional(|row| row.parsed("audit_records.application_id"))?,
        grant: row.optional(|row| row.parsed("audit_records.grant_id"))?,
        api_key: row.optional(|row| row.parsed("audit_records.api_key_id"))?,
        line: row.parsed("audit_records.line")?,
    };
    Ok(AuditEntry { id, record })
}
