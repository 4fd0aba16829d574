//! Applications and their scopes.

use sea_query::{Condition, Expr, ExprTrait, LockType, OnConflict, Query};

use super::executor::{Executor, all, change, first};
use super::insert::insert_new;
use super::padded::padded;
use super::row::Row;
use super::tables::{Applications, Scopes};
use crate::domain::{Application, ApplicationId, Scope, ScopeDefinition, ScopeSet};
use crate::store::{Creation, ScopeCreation, StorageError};

/// Inserts what every store holds from the start, unless it is there.
pub(super) async fn create_defaults(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let _: Creation = create_application(tx, Application::of_the_service()).await?;
    for definition in ScopeDefinition::of_the_service() {
        let _: ScopeCreation = create_scope(tx, definition).await?;
    }
    Ok(())
}

pub(super) async fn create_application(tx: &mut dyn Executor, application: Application) -> Result<Creation, StorageError> {
    let application = insert_new(
        Applications::Table,
        [
            (Applications::Id, application.id.to_string().into()),
            (Applications::Name, application.name.as_str().into()),
            (Applications::Owner, application.owner.as_str().into()),
            (Applications::CreatedAt, application.created_at.seconds().into()),
        ],
    );
    Ok(if change(tx, &application).await? > 0 { Creation::Created } else { Creation::Taken })
}

pub(super) async fn application(tx: &mut dyn Executor, id: ApplicationId) -> Result<Option<Application>, StorageError> {
    let application = Query::select()
        .columns([Applications::Id, Applications::Name, Applications::Owner, Applications::CreatedAt])
        .from(Applications::Table)
        .and_where(is_application(id))
        .take();
    let Some(mut row) = first(tx, &application).await? else { return Ok(None) };
    Ok(Some(Application {
        id: row.parsed("applications.id")?,
        name: row.parsed("applications.name")?,
        owner: row.parsed("applications.owner")?,
        created_at: row.time("applications.created_at")?,
    }))
}

pub(super) async fn create_scope(tx: &mut dyn Executor, definition: ScopeDefinition) -> Result<ScopeCreation, StorageError> {
    let application = definition.scope.application;
    let of_the_application = Query::select()
        .expr(Expr::value(definition.id.to_string()))
        .column(Applications::Id)
        .expr(Expr::value(definition.scope.name.as_str()))
        .expr(Expr::value(definition.description.as_str()))
        .from(Applications::Table)
        .and_where(is_application(application))
        .take();
    let scope = Query::insert()
        .into_table(Scopes::Table)
        .columns([Scopes::Id, Scopes::ApplicationId, Scopes::Name, Scopes::Description])
        .select_from(of_the_application)
        .map_err(|error| StorageError::failed("a scope's columns and values differ", error))?
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .take();
    if change(tx, &scope).await? > 0 {
        return Ok(ScopeCreation::Created);
    }
    // An application that is there by now may not have been there before, and stays from here on.
    let known = Query::select()
        .column(Applications::Id)
        .from(Applications::Table)
        .and_where(is_application(application))
        .lock(LockType::KeyShare)
        .take();
    if first(tx, &known).await?.is_none() {
        return Ok(ScopeCreation::UnknownApplication);
    }
    Ok(if change(tx, &scope).await? > 0 { ScopeCreation::Created } else { ScopeCreation::NameTaken })
}

pub(super) async fn scope_definitions(tx: &mut dyn Executor, scopes: ScopeSet) -> Result<Vec<ScopeDefinition>, StorageError> {
    let wanted = padded(scopes.iter()).into_iter().fold(Condition::any(), |any, scope| any.add(is(scope)));
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let definitions = Query::select()
        .columns([
            (Scopes::Table, Scopes::Id),
            (Scopes::Table, Scopes::ApplicationId),
            (Scopes::Table, Scopes::Name),
            (Scopes::Table, Scopes::Description),
        ])
        .column((Applications::Table, Applications::Name))
        .from(Scopes::Table)
        .inner_join(Applications::Table, Expr::col((Applications::Table, Applications::Id)).equals((Scopes::Table, Scopes::ApplicationId)))
        .cond_where(wanted)
        .take();
    let mut definitions: Vec<_> = all(tx, &definitions).await?.into_iter().map(read).collect::<Result<_, _>>()?;
    definitions.sort_by_key(|definition| scopes.iter().position(|scope| *scope == definition.scope));
    Ok(definitions)
}

fn is_application(id: ApplicationId) -> Expr {
    Expr::col(Applications::Id).eq(id.to_string())
}

/// The row of a scope's definition.
pub(super) fn is(scope: &Scope) -> Expr {
    let application = Expr::col((Scopes::Table, Scopes::ApplicationId)).eq(scope.application.to_string());
    application.and(Expr::col((Scopes::Table, Scopes::Name)).eq(scope.name.as_str()))
}

fn read(mut row: Row) -> Result<ScopeDefinition, StorageError> {
    Ok(ScopeDefinition {
        id: row.parsed("scopes.id")?,
        scope: Scope { application: row.parsed("scopes.application_id")?, name: row.parsed("scopes.name")? },
        description: row.parsed("scopes.description")?,
        application_name: row.parsed("applications.name")?,
    })
}
