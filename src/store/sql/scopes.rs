//! The scopes that applications define.

use sea_query::{Condition, Expr, ExprTrait, LockBehavior, LockType, Order, Query, ReturningClause, SelectStatement};

use super::executor::{Executor, all, change, first};
use super::forget::{Going, forget};
use super::insert::insert_new;
use super::listing::count;
use super::padded::padded;
use super::registry::{alone, is_application};
use super::row::Row;
use super::tables::{Applications, Scopes};
use crate::domain::{ApplicationId, PageRequest, Scope, ScopeDefinition, ScopeId, ScopeSet};
use crate::store::{Registered, RegistryChange, ScopeChange, ScopeCreation, StorageError};

pub(super) async fn create_scope(tx: &mut dyn Executor, definition: ScopeDefinition) -> Result<ScopeCreation, StorageError> {
    // An application that is there stays from here on.
    let known = Query::select()
        .column(Applications::Id)
        .from(Applications::Table)
        .and_where(is_application(definition.scope.application))
        .lock(LockType::KeyShare)
        .take();
    if first(tx, &known).await?.is_none() {
        return Ok(ScopeCreation::UnknownApplication);
    }
    let scope = insert_new(
        Scopes::Table,
        [
            (Scopes::Id, definition.id.to_string().into()),
            (Scopes::ApplicationId, definition.scope.application.to_string().into()),
            (Scopes::Name, definition.scope.name.as_str().into()),
            (Scopes::Description, definition.description.as_str().into()),
            (Scopes::ApprovalRequired, i64::from(definition.approval_required).into()),
        ],
    );
    Ok(if change(tx, &scope).await? > 0 { ScopeCreation::Created } else { ScopeCreation::NameTaken })
}

/// Registrations hold the management lock, so the count cannot change before the insert.
pub(super) async fn register_scope(
    tx: &mut dyn Executor,
    definition: ScopeDefinition,
    at_most: u32,
) -> Result<ScopeCreation, StorageError> {
    alone(tx).await?;
    let of_application = Condition::all().add(Expr::col(Scopes::ApplicationId).eq(definition.scope.application.to_string()));
    if count(tx, (Scopes::Table, Scopes::Id), of_application).await? >= u64::from(at_most) {
        return Ok(ScopeCreation::ApplicationHasEnough);
    }
    create_scope(tx, definition).await
}

pub(super) async fn scope(tx: &mut dyn Executor, id: ScopeId) -> Result<Option<ScopeDefinition>, StorageError> {
    first(tx, &definitions(Condition::all().add(is_scope(id)))).await?.map(read).transpose()
}

pub(super) async fn scope_definitions(tx: &mut dyn Executor, scopes: ScopeSet) -> Result<Vec<ScopeDefinition>, StorageError> {
    let wanted = padded(scopes.iter()).into_iter().fold(Condition::any(), |any, scope| any.add(is(scope)));
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut definitions: Vec<_> = all(tx, &definitions(wanted)).await?.into_iter().map(read).collect::<Result<_, _>>()?;
    definitions.sort_by_key(|definition| scopes.iter().position(|scope| *scope == definition.scope));
    Ok(definitions)
}

/// Those of the scopes that exist, which stay there until the transaction ends. One that is being deleted is left out and not waited for: its
/// deletion goes on to the sessions and grants, and would wait for this transaction.
pub(super) async fn existing(tx: &mut dyn Executor, scopes: &ScopeSet) -> Result<ScopeSet, StorageError> {
    // The service's own are never deleted.
    let is_lasting = |scope: &&Scope| scope.application == ApplicationId::Service;
    let wanted =
        padded(scopes.iter().filter(|scope| !is_lasting(scope))).into_iter().fold(Condition::any(), |any, scope| any.add(is(scope)));
    if wanted.is_empty() {
        return Ok(scopes.clone());
    }
    let found = Query::select()
        .columns([Scopes::ApplicationId, Scopes::Name].map(|column| (Scopes::Table, column)))
        .from(Scopes::Table)
        .cond_where(wanted)
        .lock_with_behavior(LockType::KeyShare, LockBehavior::SkipLocked)
        .take();
    let found: ScopeSet = all(tx, &found).await?.into_iter().map(name).collect::<Result<_, _>>()?;
    Ok(scopes.iter().filter(|scope| is_lasting(scope) || found.contains(scope)).cloned().collect())
}

pub(super) async fn scopes(
    tx: &mut dyn Executor,
    of: Option<ApplicationId>,
    page: PageRequest,
) -> Result<Registered<ScopeDefinition>, StorageError> {
    let application = (Scopes::Table, Scopes::ApplicationId);
    let wanted = Condition::all().add_option(of.map(|of| Expr::col(application).eq(of.to_string())));
    let total = count(tx, (Scopes::Table, Scopes::Id), wanted.clone()).await?;
    let mut scopes = definitions(wanted);
    scopes.order_by(application, Order::Asc).order_by((Scopes::Table, Scopes::Name), Order::Asc);
    scopes.limit(page.size().into()).offset(page.offset());
    Ok(Registered { total, items: all(tx, &scopes).await?.into_iter().map(read).collect::<Result<_, _>>()? })
}

pub(super) async fn update_scope(tx: &mut dyn Executor, id: ScopeId, to_change: ScopeChange) -> Result<RegistryChange, StorageError> {
    let ScopeChange { description, approval_required } = to_change;
    let mut update = Query::update();
    // Where nothing is to change, the statement still has something to write.
    update.table(Scopes::Table).value(Scopes::Name, Expr::col(Scopes::Name)).and_where(is_scope(id)).and_where(is_registered());
    if let Some(description) = description {
        update.value(Scopes::Description, description.as_str());
    }
    if let Some(required) = approval_required {
        update.value(Scopes::ApprovalRequired, i64::from(required));
    }
    if change(tx, &update).await? > 0 { Ok(RegistryChange::Done) } else { why_not_changed(tx, id).await }
}

pub(super) async fn delete_scope(tx: &mut dyn Executor, id: ScopeId) -> Result<RegistryChange, StorageError> {
    alone(tx).await?;
    let deleted = Query::delete()
        .from_table(Scopes::Table)
        .and_where(is_scope(id))
        .and_where(is_registered())
        .returning(ReturningClause::Columns(vec![Scopes::ApplicationId.into(), Scopes::Name.into()]))
        .take();
    let Some(row) = first(tx, &deleted).await? else { return why_not_changed(tx, id).await };
    forget(tx, &Going::One(name(row)?), None).await?;
    Ok(RegistryChange::Done)
}

/// The service's own never change, so whatever is there now was there before.
async fn why_not_changed(tx: &mut dyn Executor, id: ScopeId) -> Result<RegistryChange, StorageError> {
    let of_the_service =
        Query::select().column(Scopes::Id).from(Scopes::Table).and_where(is_scope(id)).and_where(is_registered().not()).take();
    Ok(if first(tx, &of_the_service).await?.is_some() { RegistryChange::OfTheService } else { RegistryChange::Unknown })
}

/// Reads an application's id and a scope's name.
pub(super) fn name(mut row: Row) -> Result<Scope, StorageError> {
    Ok(Scope { application: row.parsed("scopes.application_id")?, name: row.parsed("scopes.name")? })
}

pub(super) fn is_scope(id: ScopeId) -> Expr {
    Expr::col((Scopes::Table, Scopes::Id)).eq(id.to_string())
}

/// Not of the service itself.
fn is_registered() -> Expr {
    Expr::col(Scopes::ApplicationId).ne(ApplicationId::Service.to_string())
}

/// The row of a scope's definition.
pub(super) fn is(scope: &Scope) -> Expr {
    let application = Expr::col((Scopes::Table, Scopes::ApplicationId)).eq(scope.application.to_string());
    application.and(Expr::col((Scopes::Table, Scopes::Name)).eq(scope.name.as_str()))
}

/// What [`read`] reads of these.
fn definitions(wanted: Condition) -> SelectStatement {
    Query::select()
        .columns(
            [Scopes::Id, Scopes::ApplicationId, Scopes::Name, Scopes::Description, Scopes::ApprovalRequired].map(|c| (Scopes::Table, c)),
        )
        .column((Applications::Table, Applications::Name))
        .from(Scopes::Table)
        .inner_join(Applications::Table, Expr::col((Applications::Table, Applications::Id)).equals((Scopes::Table, Scopes::ApplicationId)))
        .cond_where(wanted)
        .take()
}

fn read(mut row: Row) -> Result<ScopeDefinition, StorageError> {
    Ok(ScopeDefinition {
        id: row.parsed("scopes.id")?,
        scope: Scope { application: row.parsed("scopes.application_id")?, name: row.parsed("scopes.name")? },
        description: row.parsed("scopes.description")?,
        approval_required: row.flag("scopes.approval_required")?,
        application_name: row.parsed("applications.name")?,
    })
}
