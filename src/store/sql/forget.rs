//! Takes scopes out of what they were to be had with. They are kept as they travel, separated by single spaces.

use sea_query::{BinOper, Condition, Expr, ExprTrait, Func, Iden, Query};

use super::executor::{Dialect, Executor, change};
use super::lock::lock;
use super::padded::padded;
use super::tables::{Consents, Grants, Sessions};
use crate::domain::{ClientId, Scope};
use crate::store::StorageError;

/// Takes the scopes from pending sessions and then from grants and consents, through one client or any: an approval turns a session into
/// both, so one that is under way has either not found them any more or left what is found here.
pub(super) async fn forget(tx: &mut dyn Executor, scopes: &[Scope], client: Option<ClientId>) -> Result<(), StorageError> {
    forget_in(tx, (Sessions::Table, Sessions::Digest, Sessions::ClientId, Sessions::Scopes), scopes, client).await?;
    forget_in(tx, (Grants::Table, Grants::Id, Grants::ClientId, Grants::Scopes), scopes, client).await?;
    forget_in(tx, (Consents::Table, Consents::SubjectId, Consents::ClientId, Consents::Scopes), scopes, client).await
}

async fn forget_in<I: Iden + Copy + Send + Sync + 'static>(
    tx: &mut dyn Executor,
    (table, key, of, column): (I, I, I, I),
    scopes: &[Scope],
    client: Option<ClientId>,
) -> Result<(), StorageError> {
    if scopes.is_empty() {
        return Ok(());
    }
    let is_meant = client.map(|client| Expr::col(of).eq(client.to_string()));
    let has = |dialect: Dialect, scope: &Scope| {
        let position = Func::cust(dialect.position_function()).arg(spaced(Expr::col(column))).arg(format!(" {scope} "));
        Expr::from(position).gt(Expr::Constant(0.into()))
    };
    let dialect = tx.dialect();
    let has_one = padded(scopes).into_iter().fold(Condition::any(), |any, scope| any.add(has(dialect, scope)));
    if lock(tx, table, key, Condition::all().add(has_one).add_option(is_meant.clone())).await? == 0 {
        return Ok(());
    }
    for scope in scopes {
        let others = Func::cust("replace").arg(spaced(Expr::col(column))).arg(format!(" {scope} ")).arg(Expr::Constant(" ".into()));
        let forgotten = Query::update()
            .table(table)
            .value(column, Func::cust("trim").arg(others))
            .cond_where(Condition::all().add(has(dialect, scope)).add_option(is_meant.clone()))
            .take();
        change(tx, &forgotten).await?;
    }
    Ok(())
}

/// The text with a space on either side, so that each scope in it has one.
fn spaced(text: Expr) -> Expr {
    let space = || Expr::Constant(" ".into());
    space().binary(BinOper::Custom("||"), text).binary(BinOper::Custom("||"), space())
}
