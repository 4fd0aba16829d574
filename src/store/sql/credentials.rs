//! Stored credentials, to be compared between two states of a database.

use std::collections::BTreeMap;
use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Order, Query};

use super::accounts::all_accounts;
use super::api_keys;
use super::clients::clients_by_id;
use super::executor::{Dialect, Executor, fetch_all};
use super::tables::{ApiKeys, Clients};
use crate::domain::{Account, AccountId, ApiKey, ApiKeyId, Client, ClientId};
use crate::store::StorageError;

/// The credentials of a database by which a user or a program obtains access: accounts, API keys
/// that are not revoked, and clients that may use the client credentials grant.
///
/// It has digests and password hashes, and no secrets.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    /// The database on a server that has them.
    pub(super) database: Option<String>,
    pub(super) accounts: BTreeMap<AccountId, Account>,
    pub(super) api_keys: BTreeMap<ApiKeyId, ApiKey>,
    pub(super) clients: BTreeMap<ClientId, Arc<Client>>,
}

impl Credentials {
    /// Whether the account has this e-mail address, password and role here.
    pub(super) fn has_account(&self, account: &Account) -> bool {
        self.accounts.get(&account.id).is_some_and(|known| {
            known.email == account.email
                && known.role == account.role
                && known.password_hash.as_phc() == account.password_hash.as_phc()
        })
    }

    /// Whether the API key has these values and settings here.
    pub(super) fn has_api_key(&self, key: &ApiKey) -> bool {
        self.api_keys.get(&key.id).is_some_and(|known| {
            let known = ApiKey {
                last_used_at: key.last_used_at,
                ..known.clone()
            };
            known == *key
        })
    }

    /// Whether the client has these secrets and settings here.
    pub(super) fn has_client(&self, client: &Client) -> bool {
        self.clients
            .get(&client.id)
            .is_some_and(|known| **known == *client)
    }
}

pub(super) async fn credentials(tx: &mut dyn Executor) -> Result<Credentials, StorageError> {
    let accounts = all_accounts(tx).await?;
    let is_not_revoked = Expr::col((ApiKeys::Table, ApiKeys::RevokedAt)).is_null();
    let api_keys = api_keys::read_all(tx, &api_keys::keys(is_not_revoked)).await?;
    let clients = Query::select()
        .column(Clients::Id)
        .from(Clients::Table)
        .and_where(Expr::col(Clients::ClientCredentialsAllowed).eq(1))
        .order_by(Clients::Id, Order::Asc)
        .take();
    let clients = fetch_all(tx, &clients)
        .await?
        .into_iter()
        .map(|mut row| row.parsed("clients.id"))
        .collect::<Result<_, _>>()?;
    let clients = clients_by_id(tx, clients).await?;
    Ok(Credentials {
        database: identity(tx).await?,
        accounts: by_id(accounts, |account| account.id),
        api_keys: by_id(api_keys, |key| key.id),
        clients: by_id(clients, |client| client.id),
    })
}

/// What tells a database on a server from its copies.
pub(super) async fn identity(tx: &mut dyn Executor) -> Result<Option<String>, StorageError> {
    match tx.dialect() {
        #[cfg(feature = "sqlite")]
        Dialect::Sqlite => Ok(None),
        #[cfg(feature = "postgres")]
        Dialect::Postgres => {
            let statement = crate::store::sql::executor::Statement {
                text: super::postgres::IDENTITY.into(),
                values: Vec::new(),
            };
            let row = tx.query(statement).await?.into_iter().next();
            row.map(|mut row| row.text("the identity of the database"))
                .transpose()
        }
    }
}

fn by_id<K: Ord, T>(records: Vec<T>, id: impl Fn(&T) -> K) -> BTreeMap<K, T> {
    let with_id = |record| (id(&record), record);
    records.into_iter().map(with_id).collect()
}
