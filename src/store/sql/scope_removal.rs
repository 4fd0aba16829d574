//! Removes scopes from sessions, grants and consents. Scopes are stored as a space-separated string
//! (RFC 6749 §3.3). Grants and consents also have an index row for each scope, so those with a
//! scope are found without a full scan.

use std::collections::BTreeSet;

use sea_query::{
    BinOper, Condition, Expr, ExprTrait, Func, Iden, LockType, Order, Query, SelectStatement,
};

use super::executor::{Dialect, Executor, execute, fetch_all};
use super::row_locks::{lock_and_select, lock_rows};
use super::tables::{ConsentScopes, Consents, GrantScopes, Grants, Sessions};
use crate::domain::{ApplicationId, ClientId, Scope, ScopeName};
use crate::store::StorageError;

/// Scopes to remove.
pub(super) enum ScopeSelection {
    /// This one.
    One(Scope),
    /// All of an application.
    OfApplication(ApplicationId),
}

impl ScopeSelection {
    /// The condition for the selected rows of a scope index table.
    fn condition<I: Iden + 'static>(&self, application: I, name: I) -> Condition {
        match self {
            Self::One(scope) => Condition::all()
                .add(has_application(application, scope.application))
                .add(has_name(name, &scope.name)),
            Self::OfApplication(of) => Condition::all().add(has_application(application, *of)),
        }
    }

    /// The selected scopes that occur in a scope index table.
    async fn scopes_in<I: Iden + Copy + 'static>(
        &self,
        tx: &mut dyn Executor,
        (table, application, name): (I, I, I),
    ) -> Result<Vec<Scope>, StorageError> {
        let of = match self {
            Self::One(scope) => return Ok(vec![scope.clone()]),
            Self::OfApplication(of) => *of,
        };
        let names = Query::select()
            .distinct()
            .column(name)
            .from(table)
            .and_where(has_application(application, of))
            .take();
        let names = fetch_all(tx, &names)
            .await?
            .into_iter()
            .map(|mut row| row.parsed("scopes.name"));
        names
            .map(|name| {
                name.map(|name| Scope {
                    application: of,
                    name,
                })
            })
            .collect()
    }
}

/// Removes the scopes from pending sessions and then from grants and consents, of one client or
/// all. An approval turns a session into both, so a concurrent approval either no longer finds the
/// scopes or leaves a grant that is found here.
pub(super) async fn remove_scopes(
    tx: &mut dyn Executor,
    selection: &ScopeSelection,
    client: Option<ClientId>,
) -> Result<(), StorageError> {
    remove_from_sessions(tx, selection, client).await?;
    remove_from_grants(tx, selection, client).await?;
    remove_from_consents(tx, selection, client).await
}

/// Finds the scopes by prefix, because an application may have more scopes than a statement can
/// name, and removes them one by one. It scans all sessions: they live for minutes, and an index
/// row for each of their scopes would cost every login.
async fn remove_from_sessions(
    tx: &mut dyn Executor,
    selection: &ScopeSelection,
    client: Option<ClientId>,
) -> Result<(), StorageError> {
    let dialect = tx.dialect();
    let of_client = client.map(|client| Expr::col(Sessions::ClientId).eq(client.to_string()));
    let with = |part: &str| {
        Condition::all()
            .add(has_word(dialect, Sessions::Scopes, part))
            .add_option(of_client.clone())
    };
    let beginning = match selection {
        ScopeSelection::One(scope) => format!(" {scope} "),
        ScopeSelection::OfApplication(application) => format!(" {application}:"),
    };
    let mut found = BTreeSet::new();
    for mut row in lock_and_select(
        tx,
        Sessions::Table,
        Sessions::Digest,
        Sessions::Scopes,
        with(&beginning),
    )
    .await?
    {
        let text = row.text("scopes")?;
        found.extend(
            text.split(' ')
                .map(|scope| format!(" {scope} "))
                .filter(|scope| scope.starts_with(&beginning)),
        );
    }
    for scope in found {
        let others = without(Sessions::Scopes, &scope);
        execute(
            tx,
            &Query::update()
                .table(Sessions::Table)
                .value(Sessions::Scopes, others)
                .cond_where(with(&scope))
                .take(),
        )
        .await?;
    }
    Ok(())
}

async fn remove_from_grants(
    tx: &mut dyn Executor,
    selection: &ScopeSelection,
    client: Option<ClientId>,
) -> Result<(), StorageError> {
    let of_client = client.map(|client| Expr::col(Grants::ClientId).eq(client.to_string()));
    let with = |selection: &ScopeSelection| {
        Condition::all()
            .add(Expr::col(Grants::Id).in_subquery(grants_with(selection)))
            .add_option(of_client.clone())
    };
    lock_rows(tx, Grants::Table, Grants::Id, with(selection)).await?;
    for scope in selection
        .scopes_in(
            tx,
            (
                GrantScopes::Table,
                GrantScopes::ApplicationId,
                GrantScopes::Name,
            ),
        )
        .await?
    {
        let others = without(Grants::Scopes, &format!(" {scope} "));
        let one = ScopeSelection::One(scope);
        execute(
            tx,
            &Query::update()
                .table(Grants::Table)
                .value(Grants::Scopes, others)
                .cond_where(with(&one))
                .take(),
        )
        .await?;
        let of_client = of_client.clone().map(|of_client| {
            let ids = Query::select()
                .column(Grants::Id)
                .from(Grants::Table)
                .and_where(of_client)
                .take();
            Expr::col(GrantScopes::GrantId).in_subquery(ids)
        });
        let rows = one
            .condition(GrantScopes::ApplicationId, GrantScopes::Name)
            .add_option(of_client);
        execute(
            tx,
            &Query::delete()
                .from_table(GrantScopes::Table)
                .cond_where(rows)
                .take(),
        )
        .await?;
    }
    Ok(())
}

async fn remove_from_consents(
    tx: &mut dyn Executor,
    selection: &ScopeSelection,
    client: Option<ClientId>,
) -> Result<(), StorageError> {
    const KEY: [Consents; 2] = [Consents::SubjectId, Consents::ClientId];
    let of_client = client.map(|client| Expr::col(ConsentScopes::ClientId).eq(client.to_string()));
    let rows = |selection: &ScopeSelection| {
        selection
            .condition(ConsentScopes::ApplicationId, ConsentScopes::Name)
            .add_option(of_client.clone())
    };
    let with = |selection: &ScopeSelection| {
        let keys = Query::select()
            .columns([ConsentScopes::SubjectId, ConsentScopes::ClientId])
            .from(ConsentScopes::Table)
            .cond_where(rows(selection))
            .take();
        Expr::tuple(KEY.map(Expr::col)).in_subquery(keys)
    };
    // In the order of both columns, as every transition that locks several consents of one user
    // does.
    let mut locked = Query::select()
        .columns(KEY)
        .from(Consents::Table)
        .and_where(with(selection))
        .take();
    locked
        .order_by(Consents::SubjectId, Order::Asc)
        .order_by(Consents::ClientId, Order::Asc)
        .lock(LockType::Update);
    fetch_all(tx, &locked).await?;
    for scope in selection
        .scopes_in(
            tx,
            (
                ConsentScopes::Table,
                ConsentScopes::ApplicationId,
                ConsentScopes::Name,
            ),
        )
        .await?
    {
        let others = without(Consents::Scopes, &format!(" {scope} "));
        let one = ScopeSelection::One(scope);
        execute(
            tx,
            &Query::update()
                .table(Consents::Table)
                .value(Consents::Scopes, others)
                .and_where(with(&one))
                .take(),
        )
        .await?;
        execute(
            tx,
            &Query::delete()
                .from_table(ConsentScopes::Table)
                .cond_where(rows(&one))
                .take(),
        )
        .await?;
    }
    Ok(())
}

/// The ids of the grants that have a selected scope.
pub(super) fn grants_with(scopes: &ScopeSelection) -> SelectStatement {
    let rows = scopes.condition(GrantScopes::ApplicationId, GrantScopes::Name);
    Query::select()
        .column(GrantScopes::GrantId)
        .from(GrantScopes::Table)
        .cond_where(rows)
        .take()
}

fn has_application<I: Iden + 'static>(column: I, application: ApplicationId) -> Expr {
    Expr::col(column).eq(application.to_string())
}

fn has_name<I: Iden + 'static>(column: I, name: &ScopeName) -> Expr {
    Expr::col(column).eq(name.as_str())
}

/// Whether the column contains the part, with a space on either side of the column's text.
fn has_word<I: Iden + 'static>(dialect: Dialect, column: I, part: &str) -> Expr {
    let position = Func::cust(dialect.position_function())
        .arg(spaced(Expr::col(column)))
        .arg(part);
    Expr::from(position).gt(Expr::Constant(0.into()))
}

/// The column's text without the scope, which has a space on either side.
fn without<I: Iden + 'static>(column: I, scope: &str) -> Expr {
    let others = Func::cust("replace")
        .arg(spaced(Expr::col(column)))
        .arg(scope)
        .arg(Expr::Constant(" ".into()));
    Func::cust("trim").arg(others).into()
}

/// The text with a space on either side, so that each scope in it is between spaces.
fn spaced(text: Expr) -> Expr {
    let space = || Expr::Constant(" ".into());
    space()
        .binary(BinOper::Custom("||"), text)
        .binary(BinOper::Custom("||"), space())
}
