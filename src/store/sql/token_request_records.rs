//! Records that decide a token request, read with one statement: the client, the grant and the
//! user's account.
//!
//! The statement is the same whether or not the client, code and account exist, so the response
//! time does not reveal it.

use std::sync::Arc;

use sea_query::{Alias, Condition, Expr, ExprTrait, IntoColumnRef, Order, Query, SelectStatement};

use super::executor::{Executor, Statement};
use super::prepared_query::PreparedQuery;
use super::row::{Row, SqlValue};
use super::tables::{Accounts, ClientSecrets, Clients, Grants};
use super::{accounts, clients, grants};
use crate::domain::{
    AuthorizationCodeDigest, Client, ClientId, ClientSecretDigest, CodeBinding, GrantId,
    RegisteredSecret, ScopeSet,
};
use crate::store::{RefreshBinding, StorageError, TokenRequestRecords};

/// The client's allowed scopes as a space-separated string. Both databases support this function
/// with an order.
const ALLOWED_SCOPES: &str = r#"(SELECT STRING_AGG("scopes"."application_id" || ':' || "scopes"."name", ' ' ORDER BY "client_scopes"."position")
    FROM "client_scopes" INNER JOIN "scopes" ON "scopes"."id" = "client_scopes"."scope_id" WHERE "client_scopes"."client_id" = "clients"."id")"#;

pub(super) async fn for_code(
    tx: &mut dyn Executor,
    client: ClientId,
    code: AuthorizationCodeDigest,
) -> Result<TokenRequestRecords<CodeBinding>, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let values: [SqlValue; 2] = [client.to_string().into(), code.as_bytes().to_vec().into()];
    let statement = QUERY.bind(tx.dialect(), values, |[client, code]| {
        records(
            grants::CODE_BINDING,
            client,
            Condition::all().add(Expr::col((Grants::Table, Grants::CodeDigest)).eq(code)),
        )
    })?;
    read(
        tx,
        statement,
        grants::CODE_BINDING.len(),
        grants::read_code_binding,
    )
    .await
}

pub(super) async fn for_grant(
    tx: &mut dyn Executor,
    client: ClientId,
    grant: GrantId,
) -> Result<TokenRequestRecords<RefreshBinding>, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let values: [SqlValue; 2] = [client.to_string().into(), grant.to_string().into()];
    let statement = QUERY.bind(tx.dialect(), values, |[client, grant]| {
        let is_redeemed = Expr::col((Grants::Table, Grants::RedeemedAt)).is_not_null();
        records(
            grants::REFRESH_BINDING,
            client,
            Condition::all()
                .add(Expr::col((Grants::Table, Grants::Id)).eq(grant))
                .add(is_redeemed),
        )
    })?;
    read(
        tx,
        statement,
        grants::REFRESH_BINDING.len(),
        grants::read_refresh_binding,
    )
    .await
}

/// Selects one row for each secret of the client, or a single row.
fn records<const N: usize>(
    binding: [Grants; N],
    client_id: Expr,
    grant_condition: Condition,
) -> SelectStatement {
    let client = Expr::col((Clients::Table, Clients::Id));
    let nothing = Query::select()
        .expr_as(Expr::cust("1"), Alias::new("one"))
        .take();
    Query::select()
        .columns(binding.map(|column| (Grants::Table, column).into_column_ref()))
        .columns(accounts::COLUMNS.map(|column| (Accounts::Table, column)))
        .columns(clients::COLUMNS.map(|column| (Clients::Table, column)))
        .expr(Expr::cust(ALLOWED_SCOPES))
        .columns(
            [
                ClientSecrets::Digest,
                ClientSecrets::CreatedAt,
                ClientSecrets::LastFour,
                ClientSecrets::LastUsedAt,
            ]
            .map(|column| (ClientSecrets::Table, column)),
        )
        .from_subquery(nothing, Alias::new("request"))
        .left_join(Clients::Table, client.clone().eq(client_id))
        .left_join(
            ClientSecrets::Table,
            client.equals((ClientSecrets::Table, ClientSecrets::ClientId)),
        )
        .left_join(Grants::Table, grant_condition)
        .left_join(
            Accounts::Table,
            Expr::col((Accounts::Table, Accounts::Id)).equals((Grants::Table, Grants::SubjectId)),
        )
        .order_by((ClientSecrets::Table, ClientSecrets::Position), Order::Asc)
        .take()
}

async fn read<B>(
    tx: &mut dyn Executor,
    statement: Statement,
    width: usize,
    binding: fn(&mut Row) -> Result<B, StorageError>,
) -> Result<TokenRequestRecords<B>, StorageError> {
    let mut rows = tx.query(statement).await?.into_iter();
    let mut first = rows.next().ok_or(StorageError::corrupt(
        "a statement that always returns a row returned none",
    ))?;
    let binding = first.joined(width, binding)?;
    let account = first.joined(accounts::COLUMNS.len(), accounts::read_columns)?;
    let Some(mut client) = first.joined(clients::COLUMNS.len(), clients::read_columns)? else {
        return Ok(TokenRequestRecords {
            client: None,
            binding,
            account,
        });
    };
    client.allowed_scopes = allowed_scopes(&mut first)?;
    client.secrets.extend(secret(&mut first)?);
    for mut row in rows {
        row.skip(width + accounts::COLUMNS.len() + clients::COLUMNS.len() + 1);
        client.secrets.extend(secret(&mut row)?);
    }
    Ok(TokenRequestRecords {
        client: Some(Arc::<Client>::new(client)),
        binding,
        account,
    })
}

fn allowed_scopes(row: &mut Row) -> Result<ScopeSet, StorageError> {
    const COLUMN: &str = "client_scopes";
    let mut scopes = ScopeSet::default();
    for scope in row
        .optional(|row| row.text(COLUMN))?
        .iter()
        .flat_map(|listed| listed.split(' '))
    {
        scopes.insert(scope.parse().map_err(|_| StorageError::corrupt(COLUMN))?);
    }
    Ok(scopes)
}

fn secret(row: &mut Row) -> Result<Option<RegisteredSecret>, StorageError> {
    row.joined(4, |row| {
        let digest = ClientSecretDigest::from_bytes(row.digest("client_secrets.digest")?);
        Ok(RegisteredSecret {
            digest,
            created_at: row.timestamp("client_secrets.created_at")?,
            last_four: row.optional(|row| row.text("client_secrets.last_four"))?,
            last_used_at: row.optional(|row| row.timestamp("client_secrets.last_used_at"))?,
        })
    })
}
