//! Scopes that applications define.

use sea_query::{
    Condition, Expr, ExprTrait, LockBehavior, LockType, Order, Query, ReturningClause,
    SelectStatement,
};

use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::insert_or_ignore;
use super::management_lock::{is_application, lock_management};
use super::page_query::count;
use super::row::{Row, json_translations};
use super::scope_removal::{ScopeSelection, remove_scopes};
use super::tables::{Applications, Scopes};
use crate::domain::{ApplicationId, PageRequest, Scope, ScopeDefinition, ScopeId, ScopeSet};
use crate::store::{Paged, RegistryChange, ScopeCreation, ScopePatch, StorageError};

pub(super) async fn create_scope(
    tx: &mut dyn Executor,
    definition: ScopeDefinition,
) -> Result<ScopeCreation, StorageError> {
    // The application cannot be deleted until the transaction ends.
    let known = Query::select()
        .column(Applications::Id)
        .from(Applications::Table)
        .and_where(is_application(definition.scope.application))
        .lock(LockType::KeyShare)
        .take();
    if fetch_optional(tx, &known).await?.is_none() {
        return Ok(ScopeCreation::UnknownApplication);
    }
    let scope = insert_or_ignore(
        Scopes::Table,
        [
            (Scopes::Id, definition.id.to_string().into()),
            (
                Scopes::ApplicationId,
                definition.scope.application.to_string().into(),
            ),
            (Scopes::Name, definition.scope.name.as_str().into()),
            (Scopes::Description, definition.description.as_str().into()),
            (
                Scopes::DescriptionTranslations,
                json_translations(&definition.description_translations).into(),
            ),
            (
                Scopes::ApprovalRequired,
                i64::from(definition.approval_required).into(),
            ),
        ],
    );
    Ok(if execute(tx, &scope).await? > 0 {
        ScopeCreation::Created
    } else {
        ScopeCreation::NameTaken
    })
}

/// Registrations hold the management lock, so the count cannot change before the insert.
pub(super) async fn register_scope(
    tx: &mut dyn Executor,
    definition: ScopeDefinition,
    limit: u32,
) -> Result<ScopeCreation, StorageError> {
    lock_management(tx).await?;
    let of_application = Condition::all()
        .add(Expr::col(Scopes::ApplicationId).eq(definition.scope.application.to_string()));
    if count(tx, (Scopes::Table, Scopes::Id), of_application).await? >= u64::from(limit) {
        return Ok(ScopeCreation::LimitReached);
    }
    create_scope(tx, definition).await
}

pub(super) async fn scope(
    tx: &mut dyn Executor,
    id: ScopeId,
) -> Result<Option<ScopeDefinition>, StorageError> {
    fetch_optional(tx, &definitions(Condition::all().add(is_scope(id))))
        .await?
        .map(read)
        .transpose()
}

pub(super) async fn scope_definitions(
    tx: &mut dyn Executor,
    scopes: ScopeSet,
) -> Result<Vec<ScopeDefinition>, StorageError> {
    let condition = pad_to_power_of_two(scopes.iter())
        .into_iter()
        .fold(Condition::any(), |any, scope| any.add(is_named(scope)));
    if condition.is_empty() {
        return Ok(Vec::new());
    }
    let mut definitions: Vec<_> = fetch_all(tx, &definitions(condition))
        .await?
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()?;
    definitions
        .sort_by_key(|definition| scopes.iter().position(|scope| *scope == definition.scope));
    Ok(definitions)
}

/// Returns those of the scopes that exist, and prevents their deletion until the transaction ends.
/// A scope that is being deleted is left out without waiting: its deletion continues with sessions
/// and grants and would wait for this transaction.
pub(super) async fn existing(
    tx: &mut dyn Executor,
    scopes: &ScopeSet,
) -> Result<ScopeSet, StorageError> {
    // Built-in scopes are never deleted.
    let is_lasting = |scope: &&Scope| scope.application == ApplicationId::Service;
    let condition = pad_to_power_of_two(scopes.iter().filter(|scope| !is_lasting(scope)))
        .into_iter()
        .fold(Condition::any(), |any, scope| any.add(is_named(scope)));
    if condition.is_empty() {
        return Ok(scopes.clone());
    }
    let found = Query::select()
        .columns([Scopes::ApplicationId, Scopes::Name].map(|column| (Scopes::Table, column)))
        .from(Scopes::Table)
        .cond_where(condition)
        .lock_with_behavior(LockType::KeyShare, LockBehavior::SkipLocked)
        .take();
    let found: ScopeSet = fetch_all(tx, &found)
        .await?
        .into_iter()
        .map(name)
        .collect::<Result<_, _>>()?;
    Ok(scopes
        .iter()
        .filter(|scope| is_lasting(scope) || found.contains(scope))
        .cloned()
        .collect())
}

pub(super) async fn scopes(
    tx: &mut dyn Executor,
    of: Option<ApplicationId>,
    page: PageRequest,
) -> Result<Paged<ScopeDefinition>, StorageError> {
    let application = (Scopes::Table, Scopes::ApplicationId);
    let condition =
        Condition::all().add_option(of.map(|of| Expr::col(application).eq(of.to_string())));
    let total = count(tx, (Scopes::Table, Scopes::Id), condition.clone()).await?;
    let mut scopes = definitions(condition);
    scopes
        .order_by(application, Order::Asc)
        .order_by((Scopes::Table, Scopes::Name), Order::Asc);
    scopes.limit(page.size().into()).offset(page.offset());
    Ok(Paged {
        total,
        items: fetch_all(tx, &scopes)
            .await?
            .into_iter()
            .map(read)
            .collect::<Result<_, _>>()?,
    })
}

pub(super) async fn update_scope(
    tx: &mut dyn Executor,
    id: ScopeId,
    to_change: ScopePatch,
) -> Result<RegistryChange, StorageError> {
    let ScopePatch {
        description,
        description_translations,
        approval_required,
    } = to_change;
    let mut update = Query::update();
    // An empty patch still needs a value to write.
    update
        .table(Scopes::Table)
        .value(Scopes::Name, Expr::col(Scopes::Name))
        .and_where(is_scope(id))
        .and_where(is_registered());
    if let Some(description) = description {
        update.value(Scopes::Description, description.as_str());
    }
    if let Some(translations) = description_translations {
        update.value(
            Scopes::DescriptionTranslations,
            json_translations(&translations),
        );
    }
    if let Some(required) = approval_required {
        update.value(Scopes::ApprovalRequired, i64::from(required));
    }
    if execute(tx, &update).await? > 0 {
        Ok(RegistryChange::Done)
    } else {
        why_not_changed(tx, id).await
    }
}

pub(super) async fn delete_scope(
    tx: &mut dyn Executor,
    id: ScopeId,
) -> Result<RegistryChange, StorageError> {
    lock_management(tx).await?;
    let deleted = Query::delete()
        .from_table(Scopes::Table)
        .and_where(is_scope(id))
        .and_where(is_registered())
        .returning(ReturningClause::Columns(vec![
            Scopes::ApplicationId.into(),
            Scopes::Name.into(),
        ]))
        .take();
    let Some(row) = fetch_optional(tx, &deleted).await? else {
        return why_not_changed(tx, id).await;
    };
    remove_scopes(tx, &ScopeSelection::One(name(row)?), None).await?;
    Ok(RegistryChange::Done)
}

/// Built-in scopes never change, so this read is not racy.
async fn why_not_changed(
    tx: &mut dyn Executor,
    id: ScopeId,
) -> Result<RegistryChange, StorageError> {
    let of_the_service = Query::select()
        .column(Scopes::Id)
        .from(Scopes::Table)
        .and_where(is_scope(id))
        .and_where(is_registered().not())
        .take();
    Ok(if fetch_optional(tx, &of_the_service).await?.is_some() {
        RegistryChange::BuiltIn
    } else {
        RegistryChange::NotFound
    })
}

/// Reads an application id and a scope name.
pub(super) fn name(mut row: Row) -> Result<Scope, StorageError> {
    Ok(Scope {
        application: row.parsed("scopes.application_id")?,
        name: row.parsed("scopes.name")?,
    })
}

pub(super) fn is_scope(id: ScopeId) -> Expr {
    Expr::col((Scopes::Table, Scopes::Id)).eq(id.to_string())
}

/// Whether the scope is not built in.
fn is_registered() -> Expr {
    Expr::col(Scopes::ApplicationId).ne(ApplicationId::Service.to_string())
}

/// Selects the definition of a scope.
pub(super) fn is_named(scope: &Scope) -> Expr {
    let application =
        Expr::col((Scopes::Table, Scopes::ApplicationId)).eq(scope.application.to_string());
    application.and(Expr::col((Scopes::Table, Scopes::Name)).eq(scope.name.as_str()))
}

/// Selects the columns of [`read`].
fn definitions(condition: Condition) -> SelectStatement {
    Query::select()
        .columns(
            [
                Scopes::Id,
                Scopes::ApplicationId,
                Scopes::Name,
                Scopes::Description,
                Scopes::DescriptionTranslations,
                Scopes::ApprovalRequired,
            ]
            .map(|c| (Scopes::Table, c)),
        )
        .column((Applications::Table, Applications::Name))
        .column((Applications::Table, Applications::NameTranslations))
        .from(Scopes::Table)
        .inner_join(
            Applications::Table,
            Expr::col((Applications::Table, Applications::Id))
                .equals((Scopes::Table, Scopes::ApplicationId)),
        )
        .cond_where(condition)
        .take()
}

fn read(mut row: Row) -> Result<ScopeDefinition, StorageError> {
    Ok(ScopeDefinition {
        id: row.parsed("scopes.id")?,
        scope: Scope {
            application: row.parsed("scopes.application_id")?,
            name: row.parsed("scopes.name")?,
        },
        description: row.parsed("scopes.description")?,
        description_translations: row.translations("scopes.description_translations")?,
        approval_required: row.boolean("scopes.approval_required")?,
        application_name: row.parsed("applications.name")?,
        application_name_translations: row.translations("applications.name_translations")?,
    })
}
