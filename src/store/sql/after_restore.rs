//! The transition that makes a restored database safe to serve.
//!
//! A backup does not have what was changed after it: revocations, new passwords and roles, renewed
//! keys, removed accounts. What ends by itself and is easily obtained again ends here. What would
//! have to be issued again is suspended, unless it is known to be unchanged. Until then stores refuse
//! to open the database for anything else.
//!
//! Erasures of a person's data that were made after the backup belong in this transition too, once
//! there is a record of them outside the database.

use std::fmt;

use sea_query::{DeleteStatement, Expr, ExprTrait, Iden, Query};

use super::credentials::{Credentials, credentials};
use super::executor::{Dialect, Executor, Statement, execute};
use super::management_lock::lock_management;
use super::migrations::VERSION;
use super::suspensions::{suspend_account, suspend_api_key, suspend_client};
use super::tables::{CalendarFeeds, Consents, Grants, Sessions, SigningKeys, UserSessions};
use crate::domain::{AccountId, ApiKeyId, ClientId, Timestamp};
use crate::store::StorageError;

/// Changes to a restored database. It prints as lines for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RestoreReport {
    /// Number of deleted authorization sessions, of users who were signing in.
    pub authorization_sessions: u64,
    /// Number of revoked grants, with their authorization codes and refresh tokens.
    pub grants: u64,
    /// Number of ended sessions in the console.
    pub user_sessions: u64,
    /// Number of deleted consents: users are asked again.
    pub consents: u64,
    /// Number of deleted calendar feeds: their owners create new ones.
    pub calendar_feeds: u64,
    /// Number of revoked signing keys: access tokens issued before are invalid.
    pub signing_keys: u64,
    /// The suspended accounts: no password is right, until they are confirmed.
    pub suspended_accounts: Vec<AccountId>,
    /// The suspended API keys: they have expired, until they are confirmed or renewed.
    pub suspended_api_keys: Vec<ApiKeyId>,
    /// The suspended clients, which obtained tokens without a user.
    pub suspended_clients: Vec<ClientId>,
}

impl fmt::Display for RestoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "ended: {} sign-ins in progress, {} sessions, {} grants",
            self.authorization_sessions, self.user_sessions, self.grants
        )?;
        writeln!(
            f,
            "deleted: {} consents, {} calendar feeds",
            self.consents, self.calendar_feeds
        )?;
        writeln!(f, "revoked: {} signing keys", self.signing_keys)?;
        writeln!(
            f,
            "suspended until confirmed: {} accounts, {} API keys, {} clients",
            self.suspended_accounts.len(),
            self.suspended_api_keys.len(),
            self.suspended_clients.len()
        )?;
        writeln!(f, "void: the one-time links of all suspended accounts")?;
        f.write_str(
            "not in the backup: records that are newer, and later changes to those that it has",
        )
    }
}

/// Ends and suspends what may have been revoked or changed since the backup. Credentials that are
/// the same in `last_known` stay as they are.
pub(super) async fn after_restore(
    tx: &mut dyn Executor,
    last_known: Option<Credentials>,
    at: Timestamp,
) -> Result<RestoreReport, StorageError> {
    check_schema(tx).await?;
    lock_management(tx).await?;
    // Sessions come before grants, because an approval turns a session into a grant.
    let authorization_sessions = execute(tx, &delete_all(Sessions::Table)).await?;
    let revoked_grants = Query::update()
        .table(Grants::Table)
        .value(Grants::RevokedAt, at.seconds())
        .and_where(Expr::col(Grants::RevokedAt).is_null())
        .take();
    let revoked_signing_keys = Query::update()
        .table(SigningKeys::Table)
        .value(SigningKeys::RevokedAt, at.seconds())
        .and_where(Expr::col(SigningKeys::RevokedAt).is_null())
        .take();
    accept_database(tx).await?;
    let mut report = RestoreReport {
        authorization_sessions,
        grants: execute(tx, &revoked_grants).await?,
        user_sessions: execute(tx, &delete_all(UserSessions::Table)).await?,
        consents: execute(tx, &delete_all(Consents::Table)).await?,
        calendar_feeds: execute(tx, &delete_all(CalendarFeeds::Table)).await?,
        signing_keys: execute(tx, &revoked_signing_keys).await?,
        suspended_accounts: Vec::new(),
        suspended_api_keys: Vec::new(),
        suspended_clients: Vec::new(),
    };
    let last_known = last_known.unwrap_or_default();
    let restored = credentials(tx).await?;
    // Nothing would differ, and nothing be suspended.
    if last_known.database.is_some() && last_known.database == restored.database {
        return Err(StorageError::failed(
            "the lost database is the restored one",
            "name the database from before",
        ));
    }
    for account in restored.accounts.values() {
        if last_known.has_account(account) {
            continue;
        }
        // Also one that the backup has as suspended: its one-time links must not work again.
        suspend_account(tx, account, at).await?;
        if !account.password_hash.is_suspended() {
            report.suspended_accounts.push(account.id);
        }
    }
    for key in restored.api_keys.values() {
        if !last_known.has_api_key(key) && at < key.expires_at {
            suspend_api_key(tx, key.id, at).await?;
            report.suspended_api_keys.push(key.id);
        }
    }
    for client in restored.clients.values() {
        if !last_known.has_client(client) && !client.is_suspended() {
            suspend_client(tx, client.id, at).await?;
            report.suspended_clients.push(client.id);
        }
    }
    Ok(report)
}

/// Whether the database is a backup, or was restored from one, and was not accepted since.
pub(super) async fn is_restored(tx: &mut dyn Executor) -> Result<bool, StorageError> {
    let text = match tx.dialect() {
        #[cfg(feature = "sqlite")]
        Dialect::Sqlite => "SELECT count(*) FROM schema_migrations WHERE database IS NOT NULL",
        #[cfg(feature = "postgres")]
        Dialect::Postgres => super::postgres::COUNT_RESTORED,
    };
    Ok(first_integer(tx, text).await? > 0)
}

/// Accepts this database as one to serve, although it is a backup or was restored from one.
pub(super) async fn accept_database(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let text = match tx.dialect() {
        #[cfg(feature = "sqlite")]
        Dialect::Sqlite => super::sqlite::ACCEPT_DATABASE,
        #[cfg(feature = "postgres")]
        Dialect::Postgres => super::postgres::ACCEPT_DATABASE,
    };
    let statement = Statement {
        text: text.into(),
        values: Vec::new(),
    };
    tx.execute(statement).await.map(drop)
}

/// Fails on a newer schema, of which this build does not know everything that has to end.
async fn check_schema(tx: &mut dyn Executor) -> Result<(), StorageError> {
    let text = match tx.dialect() {
        #[cfg(feature = "sqlite")]
        Dialect::Sqlite => "SELECT max(version) FROM schema_migrations",
        #[cfg(feature = "postgres")]
        Dialect::Postgres => "SELECT max(version) FROM lyceum_migrations",
    };
    if first_integer(tx, text).await? > VERSION {
        return Err(StorageError::failed(
            "a restored database has a newer schema",
            "restore it with the build that wrote it, or a newer one",
        ));
    }
    Ok(())
}

/// The integer that a statement returns.
async fn first_integer(tx: &mut dyn Executor, text: &'static str) -> Result<i64, StorageError> {
    const WHAT: &str = "the table of migrations";
    let statement = Statement {
        text: text.into(),
        values: Vec::new(),
    };
    let row = tx.query(statement).await?.into_iter().next();
    row.ok_or(StorageError::corrupt(WHAT))?.integer(WHAT)
}

fn delete_all<I: Iden + Copy + 'static>(table: I) -> DeleteStatement {
    Query::delete().from_table(table).take()
}
