//! Requests for scopes that need an approval.

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::insert::insert;
use super::management_lock::lock_management;
use super::page_query::count;
use super::row::Row;
use super::scope_approvals::{approve_scope, client_exists, scope_exists};
use super::tables::{Applications, Clients, ScopeApprovals, ScopeRequests, Scopes};
use crate::domain::{
    ClientId, PageRequest, ScopeId, ScopeRefusal, ScopeRequest, ScopeRequestState, SubjectId,
    Timestamp,
};
use crate::store::{Paged, ScopeApproval, ScopeRequestCreation, StorageError};

/// Selects requests; the owned form of [`ScopeRequestFilter`](crate::store::ScopeRequestFilter).
#[derive(Clone)]
pub(super) enum Selection {
    Waiting,
    WaitingFor(SubjectId),
    Of(ClientId),
    OfClientsOf(SubjectId),
}

/// Requests hold the management lock, so neither the count nor an approval can change before the
/// insert.
pub(super) async fn request_scope(
    tx: &mut dyn Executor,
    request: ScopeRequest,
    limit: u32,
) -> Result<ScopeRequestCreation, StorageError> {
    lock_management(tx).await?;
    let (scope, client) = (request.scope, request.client);
    if !scope_exists(tx, scope).await? {
        return Ok(ScopeRequestCreation::UnknownScope);
    }
    if !client_exists(tx, client).await? {
        return Ok(ScopeRequestCreation::UnknownClient);
    }
    let approval = Query::select()
        .column(ScopeApprovals::ScopeId)
        .from(ScopeApprovals::Table)
        .and_where(Expr::col(ScopeApprovals::ScopeId).eq(scope.to_string()))
        .and_where(Expr::col(ScopeApprovals::ClientId).eq(client.to_string()))
        .take();
    if fetch_optional(tx, &approval).await?.is_some() {
        return Ok(ScopeRequestCreation::AlreadyApproved);
    }
    let key = (ScopeRequests::Table, ScopeRequests::ScopeId);
    if count(tx, key, is_request(scope, client).add(waits())).await? > 0 {
        return Ok(ScopeRequestCreation::AlreadyWaiting);
    }
    let of_client = Condition::all().add(is_of(client)).add(waits());
    if count(tx, key, of_client).await? >= u64::from(limit) {
        return Ok(ScopeRequestCreation::LimitReached);
    }
    withdraw(tx, scope, client).await?;
    let row = insert(
        ScopeRequests::Table,
        [
            (ScopeRequests::ScopeId, scope.to_string().into()),
            (ScopeRequests::ClientId, client.to_string().into()),
            (ScopeRequests::AskedBy, request.asked_by.as_str().into()),
            (ScopeRequests::Reason, request.reason.as_str().into()),
            (ScopeRequests::AskedAt, request.asked_at.seconds().into()),
        ],
    );
    execute(tx, &row).await?;
    Ok(ScopeRequestCreation::Requested)
}

pub(super) async fn scope_requests(
    tx: &mut dyn Executor,
    selection: Selection,
    page: PageRequest,
) -> Result<Paged<ScopeRequest>, StorageError> {
    let condition = match selection {
        Selection::Waiting => Condition::all().add(waits()),
        Selection::WaitingFor(owner) => {
            let scopes = Query::select()
                .column((Scopes::Table, Scopes::Id))
                .from(Scopes::Table)
                .inner_join(
                    Applications::Table,
                    Expr::col((Applications::Table, Applications::Id))
                        .equals((Scopes::Table, Scopes::ApplicationId)),
                )
                .and_where(Expr::col((Applications::Table, Applications::Owner)).eq(owner.as_str()))
                .take();
            Condition::all()
                .add(waits())
                .add(Expr::col(column(ScopeRequests::ScopeId)).in_subquery(scopes))
        }
        Selection::Of(client) => Condition::all().add(is_of(client)),
        Selection::OfClientsOf(owner) => {
            let clients = Query::select()
                .column((Clients::Table, Clients::Id))
                .from(Clients::Table)
                .and_where(Expr::col((Clients::Table, Clients::Owner)).eq(owner.as_str()))
                .take();
            Condition::all().add(Expr::col(column(ScopeRequests::ClientId)).in_subquery(clients))
        }
    };
    let key = (ScopeRequests::Table, ScopeRequests::ScopeId);
    let total = count(tx, key, condition.clone()).await?;
    let select = Query::select()
        .columns(COLUMNS.map(|column| (ScopeRequests::Table, column)))
        .column((ScopeApprovals::Table, ScopeApprovals::ApprovedAt))
        .from(ScopeRequests::Table)
        .left_join(ScopeApprovals::Table, is_approved())
        .cond_where(condition)
        .order_by(column(ScopeRequests::AskedAt), Order::Asc)
        .order_by(column(ScopeRequests::ScopeId), Order::Asc)
        .order_by(column(ScopeRequests::ClientId), Order::Asc)
        .limit(page.size().into())
        .offset(page.offset())
        .take();
    let items = fetch_all(tx, &select).await?.into_iter().map(read);
    Ok(Paged {
        total,
        items: items.collect::<Result<_, _>>()?,
    })
}

pub(super) async fn refuse(
    tx: &mut dyn Executor,
    scope: ScopeId,
    client: ClientId,
    refusal: ScopeRefusal,
) -> Result<bool, StorageError> {
    lock_management(tx).await?;
    let refused = Query::update()
        .table(ScopeRequests::Table)
        .value(ScopeRequests::Refusal, refusal.reason.as_str())
        .value(ScopeRequests::RefusedAt, refusal.at.seconds())
        .cond_where(is_request(scope, client).add(waits()))
        .take();
    Ok(execute(tx, &refused).await? > 0)
}

/// Decisions hold the management lock, so that exactly one of them finds the request waiting.
pub(super) async fn approve(
    tx: &mut dyn Executor,
    (scope, client): (ScopeId, ClientId),
    asked_at: Timestamp,
    at: Timestamp,
) -> Result<bool, StorageError> {
    lock_management(tx).await?;
    let condition = is_request(scope, client)
        .add(waits())
        .add(Expr::col(column(ScopeRequests::AskedAt)).eq(asked_at.seconds()));
    let key = (ScopeRequests::Table, ScopeRequests::ScopeId);
    if count(tx, key, condition).await? == 0 {
        return Ok(false);
    }
    Ok(approve_scope(tx, scope, client, at).await? == ScopeApproval::Approved)
}

pub(super) async fn withdraw(
    tx: &mut dyn Executor,
    scope: ScopeId,
    client: ClientId,
) -> Result<bool, StorageError> {
    let deleted = Query::delete()
        .from_table(ScopeRequests::Table)
        .cond_where(is_request(scope, client))
        .take();
    Ok(execute(tx, &deleted).await? > 0)
}

fn is_request(scope: ScopeId, client: ClientId) -> Condition {
    Condition::all()
        .add(Expr::col(column(ScopeRequests::ScopeId)).eq(scope.to_string()))
        .add(is_of(client))
}

fn is_of(client: ClientId) -> Expr {
    Expr::col(column(ScopeRequests::ClientId)).eq(client.to_string())
}

fn waits() -> Condition {
    let approval = Query::select()
        .column((ScopeApprovals::Table, ScopeApprovals::ScopeId))
        .from(ScopeApprovals::Table)
        .cond_where(is_approved())
        .take();
    Condition::all()
        .add(Expr::col(column(ScopeRequests::RefusedAt)).is_null())
        .add(Expr::exists(approval).not())
}

/// Whether a row of `scope_approvals` is the approval of the request.
fn is_approved() -> Condition {
    let of_approval = |column| Expr::col((ScopeApprovals::Table, column));
    Condition::all()
        .add(of_approval(ScopeApprovals::ScopeId).equals(column(ScopeRequests::ScopeId)))
        .add(of_approval(ScopeApprovals::ClientId).equals(column(ScopeRequests::ClientId)))
}

/// The column with its table, because that of approvals has columns of the same names.
fn column(column: ScopeRequests) -> (ScopeRequests, ScopeRequests) {
    (ScopeRequests::Table, column)
}

const COLUMNS: [ScopeRequests; 7] = [
    ScopeRequests::ScopeId,
    ScopeRequests::ClientId,
    ScopeRequests::AskedBy,
    ScopeRequests::Reason,
    ScopeRequests::AskedAt,
    ScopeRequests::Refusal,
    ScopeRequests::RefusedAt,
];

/// Reads [`COLUMNS`] and the time of the approval.
fn read(mut row: Row) -> Result<ScopeRequest, StorageError> {
    let request = ScopeRequest {
        scope: row.parsed("scope_requests.scope_id")?,
        client: row.parsed("scope_requests.client_id")?,
        asked_by: row.parsed("scope_requests.asked_by")?,
        reason: row.parsed("scope_requests.reason")?,
        asked_at: row.timestamp("scope_requests.asked_at")?,
        state: ScopeRequestState::Waiting,
    };
    let refusal = row.joined(2, |row| {
        Ok(ScopeRefusal {
            reason: row.parsed("scope_requests.refusal")?,
            at: row.timestamp("scope_requests.refused_at")?,
        })
    })?;
    let approved_at = row.optional(|row| row.timestamp("scope_approvals.approved_at"))?;
    let state = match (approved_at, refusal) {
        (Some(at), _) => ScopeRequestState::Approved { at },
        (None, Some(refusal)) => ScopeRequestState::Refused(refusal),
        (None, None) => ScopeRequestState::Waiting,
    };
    Ok(ScopeRequest { state, ..request })
}
