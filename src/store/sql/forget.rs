//! Removes scopes from sessions, grants and consents. Scopes are stored as a space-separated string (RFC 6749 §3.3); of grants and consents
//! there is also a row for each scope, so that those with a scope are found without reading all.

use std::collections::BTreeSet;

use sea_query::{BinOper, Condition, Expr, ExprTrait, Func, Iden, LockType, Order, Query, SelectStatement};

use super::executor::{Dialect, Executor, all, change};
use super::lock::{lock, lock_and_read};
use super::tables::{ConsentScopes, Consents, GrantScopes, Grants, Sessions};
use crate::domain::{ApplicationId, ClientId, Scope, ScopeName};
use crate::store::StorageError;

/// Which scopes are to be taken.
pub(super) enum Going {
    /// This one.
    One(Scope),
    /// All of an application.
    AllOf(ApplicationId),
}

impl Going {
    /// The rows of a table of scopes that are meant.
    fn rows<I: Iden + 'static>(&self, application: I, name: I) -> Condition {
        match self {
            Self::One(scope) => Condition::all().add(has_application(application, scope.application)).add(has_name(name, &scope.name)),
            Self::AllOf(of) => Condition::all().add(has_application(application, *of)),
        }
    }

    /// Each of the scopes that is in a table of scopes.
    async fn each<I: Iden + Copy + 'static>(
        &self,
        tx: &mut dyn Executor,
        (table, application, name): (I, I, I),
    ) -> Result<Vec<Scope>, StorageError> {
        let of = match self {
            Self::One(scope) => return Ok(vec![scope.clone()]),
            Self::AllOf(of) => *of,
        };
        let names = Query::select().distinct().column(name).from(table).and_where(has_application(application, of)).take();
        let names = all(tx, &names).await?.into_iter().map(|mut row| row.parsed("scopes.name"));
        names.map(|name| name.map(|name| Scope { application: of, name })).collect()
    }
}

/// Takes the scopes from pending sessions and then from grants and consents, through one client or any: an approval turns a session into
/// both, so one that is under way has either not found them any more or left what is found here.
pub(super) async fn forget(tx: &mut dyn Executor, going: &Going, client: Option<ClientId>) -> Result<(), StorageError> {
    forget_in_sessions(tx, going, client).await?;
    forget_in_grants(tx, going, client).await?;
    forget_in_consents(tx, going, client).await
}

/// An application may have more scopes than a statement can name, so they are looked for by what they begin with, and those that are found
/// are taken one by one. All sessions are read: they last for minutes, and a row for each of their scopes would be paid for by every sign-in.
async fn forget_in_sessions(tx: &mut dyn Executor, going: &Going, client: Option<ClientId>) -> Result<(), StorageError> {
    let dialect = tx.dialect();
    let is_meant = client.map(|client| Expr::col(Sessions::ClientId).eq(client.to_string()));
    let with = |part: &str| Condition::all().add(has(dialect, Sessions::Scopes, part)).add_option(is_meant.clone());
    let beginning = match going {
        Going::One(scope) => format!(" {scope} "),
        Going::AllOf(application) => format!(" {application}:"),
    };
    let mut found = BTreeSet::new();
    for mut row in lock_and_read(tx, Sessions::Table, Sessions::Digest, Sessions::Scopes, with(&beginning)).await? {
        let text = row.text("scopes")?;
        found.extend(text.split(' ').map(|scope| format!(" {scope} ")).filter(|scope| scope.starts_with(&beginning)));
    }
    for scope in found {
        let others = without(Sessions::Scopes, &scope);
        change(tx, &Query::update().table(Sessions::Table).value(Sessions::Scopes, others).cond_where(with(&scope)).take()).await?;
    }
    Ok(())
}

async fn forget_in_grants(tx: &mut dyn Executor, going: &Going, client: Option<ClientId>) -> Result<(), StorageError> {
    let of_client = client.map(|client| Expr::col(Grants::ClientId).eq(client.to_string()));
    let with = |going: &Going| Condition::all().add(Expr::col(Grants::Id).in_subquery(grants_with(going))).add_option(of_client.clone());
    lock(tx, Grants::Table, Grants::Id, with(going)).await?;
    for scope in going.each(tx, (GrantScopes::Table, GrantScopes::ApplicationId, GrantScopes::Name)).await? {
        let others = without(Grants::Scopes, &format!(" {scope} "));
        let one = Going::One(scope);
        change(tx, &Query::update().table(Grants::Table).value(Grants::Scopes, others).cond_where(with(&one)).take()).await?;
        let of_client = of_client.clone().map(|of_client| {
            let ids = Query::select().column(Grants::Id).from(Grants::Table).and_where(of_client).take();
            Expr::col(GrantScopes::GrantId).in_subquery(ids)
        });
        let rows = one.rows(GrantScopes::ApplicationId, GrantScopes::Name).add_option(of_client);
        change(tx, &Query::delete().from_table(GrantScopes::Table).cond_where(rows).take()).await?;
    }
    Ok(())
}

async fn forget_in_consents(tx: &mut dyn Executor, going: &Going, client: Option<ClientId>) -> Result<(), StorageError> {
    const KEY: [Consents; 2] = [Consents::SubjectId, Consents::ClientId];
    let of_client = client.map(|client| Expr::col(ConsentScopes::ClientId).eq(client.to_string()));
    let rows = |going: &Going| going.rows(ConsentScopes::ApplicationId, ConsentScopes::Name).add_option(of_client.clone());
    let with = |going: &Going| {
        let keys = Query::select()
            .columns([ConsentScopes::SubjectId, ConsentScopes::ClientId])
            .from(ConsentScopes::Table)
            .cond_where(rows(going))
            .take();
        Expr::tuple(KEY.map(Expr::col)).in_subquery(keys)
    };
    // In the order of both columns, which whoever locks several of one user keeps as well.
    let mut locked = Query::select().columns(KEY).from(Consents::Table).and_where(with(going)).take();
    locked.order_by(Consents::SubjectId, Order::Asc).order_by(Consents::ClientId, Order::Asc).lock(LockType::Update);
    all(tx, &locked).await?;
    for scope in going.each(tx, (ConsentScopes::Table, ConsentScopes::ApplicationId, ConsentScopes::Name)).await? {
        let others = without(Consents::Scopes, &format!(" {scope} "));
        let one = Going::One(scope);
        change(tx, &Query::update().table(Consents::Table).value(Consents::Scopes, others).and_where(with(&one)).take()).await?;
        change(tx, &Query::delete().from_table(ConsentScopes::Table).cond_where(rows(&one)).take()).await?;
    }
    Ok(())
}

/// The ids of the grants that have the scope, or any of the application.
pub(super) fn grants_with(scopes: &Going) -> SelectStatement {
    let rows = scopes.rows(GrantScopes::ApplicationId, GrantScopes::Name);
    Query::select().column(GrantScopes::GrantId).from(GrantScopes::Table).cond_where(rows).take()
}

fn has_application<I: Iden + 'static>(column: I, application: ApplicationId) -> Expr {
    Expr::col(column).eq(application.to_string())
}

fn has_name<I: Iden + 'static>(column: I, name: &ScopeName) -> Expr {
    Expr::col(column).eq(name.as_str())
}

/// Whether the part is somewhere in the column, with a space on either side of it.
fn has<I: Iden + 'static>(dialect: Dialect, column: I, part: &str) -> Expr {
    let position = Func::cust(dialect.position_function()).arg(spaced(Expr::col(column))).arg(part);
    Expr::from(position).gt(Expr::Constant(0.into()))
}

/// What is in the column without the scope, which has a space on either side.
fn without<I: Iden + 'static>(column: I, scope: &str) -> Expr {
    let others = Func::cust("replace").arg(spaced(Expr::col(column))).arg(scope).arg(Expr::Constant(" ".into()));
    Func::cust("trim").arg(others).into()
}

/// The text with a space on either side, so that each scope in it has one.
fn spaced(text: Expr) -> Expr {
    let space = || Expr::Constant(" ".into());
    space().binary(BinOper::Custom("||"), text).binary(BinOper::Custom("||"), space())
}
