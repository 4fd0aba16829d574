//! Takes scopes out of what they were to be had with. They are kept as they travel, separated by single spaces.

use std::collections::BTreeSet;

use sea_query::{BinOper, Condition, Expr, ExprTrait, Func, Iden, Query};

use super::executor::{Dialect, Executor, change};
use super::lock::lock_and_read;
use super::tables::{Consents, Grants, Sessions};
use crate::domain::{ApplicationId, ClientId, Scope};
use crate::store::StorageError;

/// Which scopes are to be taken.
pub(super) enum Going {
    /// This one.
    One(Scope),
    /// All of an application.
    AllOf(ApplicationId),
}

/// Takes the scopes from pending sessions and then from grants and consents, through one client or any: an approval turns a session into
/// both, so one that is under way has either not found them any more or left what is found here.
pub(super) async fn forget(tx: &mut dyn Executor, going: &Going, client: Option<ClientId>) -> Result<(), StorageError> {
    forget_in(tx, (Sessions::Table, Sessions::Digest, Sessions::ClientId, Sessions::Scopes), going, client).await?;
    forget_in(tx, (Grants::Table, Grants::Id, Grants::ClientId, Grants::Scopes), going, client).await?;
    forget_in(tx, (Consents::Table, Consents::SubjectId, Consents::ClientId, Consents::Scopes), going, client).await
}

/// An application may have more scopes than a statement can name, so they are looked for by what they begin with, and those that are found
/// are taken one by one.
async fn forget_in<I: Iden + Copy + Send + Sync + 'static>(
    tx: &mut dyn Executor,
    (table, key, of, column): (I, I, I, I),
    going: &Going,
    client: Option<ClientId>,
) -> Result<(), StorageError> {
    let dialect = tx.dialect();
    let is_meant = client.map(|client| Expr::col(of).eq(client.to_string()));
    let with = |part: &str| Condition::all().add(has(dialect, column, part)).add_option(is_meant.clone());
    let beginning = match going {
        Going::One(scope) => format!(" {scope} "),
        Going::AllOf(application) => format!(" {application}:"),
    };
    let mut found = BTreeSet::new();
    for mut row in lock_and_read(tx, table, key, column, with(&beginning)).await? {
        let text = row.text("scopes")?;
        found.extend(text.split(' ').map(|scope| format!(" {scope} ")).filter(|scope| scope.starts_with(&beginning)));
    }
    for scope in found {
        let others = Func::cust("replace").arg(spaced(Expr::col(column))).arg(scope.as_str()).arg(Expr::Constant(" ".into()));
        let forgotten = Query::update().table(table).value(column, Func::cust("trim").arg(others)).cond_where(with(&scope)).take();
        change(tx, &forgotten).await?;
    }
    Ok(())
}

/// Whether the part is somewhere in the column, with a space on either side of it.
pub(super) fn has<I: Iden + 'static>(dialect: Dialect, column: I, part: &str) -> Expr {
    let position = Func::cust(dialect.position_function()).arg(spaced(Expr::col(column))).arg(part);
    Expr::from(position).gt(Expr::Constant(0.into()))
}

/// The text with a space on either side, so that each scope in it has one.
fn spaced(text: Expr) -> Expr {
    let space = || Expr::Constant(" ".into());
    space().binary(BinOper::Custom("||"), text).binary(BinOper::Custom("||"), space())
}
