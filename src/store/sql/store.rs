mod api_key_store;
mod audit_trail;
mod client_registry;
mod directory_store;
mod user_session_store;

use std::num::NonZeroU32;
#[cfg(feature = "sqlite")]
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::database::Database;
use super::executor::{Executor, Lane, Snapshot, Transition};
#[cfg(feature = "sqlite")]
use super::open_error::OpenError;
#[cfg(feature = "postgres")]
use super::postgres::PostgresBuilder;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteBuilder;
use super::watch::Watched;
use super::{accounts, consents, grants, keys, rate_limits, sessions, token_records};
use crate::domain::{
    Account, AccountId, AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Consent, Email, Generation,
    GrantId, KeyId, LiveGrant, Needle, PageRequest, PasswordHash, Quota, RateKey, RateVerdict, Role, SealedKey, SessionDigest,
    SigningKeyRecord, Subject, SubjectId, Timestamp,
};
use crate::metrics::{Calls, Stopwatch, Waiting};
use crate::store::{
    AccountChange, AccountRemoval, AccountStore, Approval, ApprovalOutcome, Creation, GrantStore, KeyInstallation, KeyRevocation, KeyStore,
    OwnedApiKeys, PasswordChange, RateLimiter, Redemption, RefreshBinding, Registered, Rotation, SignIn, StorageError, StoreClock,
    TokenLifetimes, TokenRecords, Withdrawal,
};

/// A store in a SQL database. Clones share it; it is closed when the last of them is dropped.
#[derive(Debug, Clone)]
pub struct SqlStore {
    database: Database,
    watched: Watched,
    calls: Arc<Calls>,
    /// How many transitions through this handle and its clones may have changed API keys.
    key_changes: Arc<AtomicU64>,
}

/// Counts one when it is dropped. A transition whose caller went away, or whose commit was not confirmed, may have been made too.
struct CountedAtEnd<'a>(&'a AtomicU64);

impl Drop for CountedAtEnd<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl SqlStore {
    /// How many lists and searches of a SQLite database run at once.
    #[cfg(feature = "sqlite")]
    pub const SQLITE_READERS: usize = 4;

    /// How many reads of rows by their keys run at once in a SQLite database, beside its lists: what a request is authorized by never waits
    /// for a slow search.
    #[cfg(feature = "sqlite")]
    pub const SQLITE_LOOKUP_READERS: usize = 2;

    /// Opens a SQLite database, which is made if the file is missing, and brings its schema up to date.
    ///
    /// Several stores, also of several processes on one machine, may share a file. The call waits for the disk, so it belongs at the
    /// start of a program. What the store does afterwards happens on its own threads; nothing blocks the caller's.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("lyceum.db");
    /// let store = lyceum::store::sql::SqlStore::sqlite(&path)?;
    /// # drop(store);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the file belongs to something else or to a newer version of this library, or cannot be used.
    #[cfg(feature = "sqlite")]
    pub fn sqlite(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::sqlite_builder(path).open()
    }

    /// The same with settings: `SqlStore::sqlite_builder(&path).read_deadline(Duration::from_secs(3)).open()`.
    #[cfg(feature = "sqlite")]
    pub fn sqlite_builder(path: impl AsRef<Path>) -> SqliteBuilder {
        SqliteBuilder::new(path.as_ref())
    }

    /// A store in a database of a PostgreSQL server, by its URL: `postgres://user:password@host:5432/database`.
    ///
    /// Its parameters are those of `libpq` that tokio-postgres knows, and these:
    ///
    /// * `sslmode`: `disable` never speaks TLS; `prefer` speaks it where the server does; `require`, `verify-ca` and `verify-full` never
    ///   speak anything else. Without it, it is `disable` where every host is a Unix socket or this machine and no `sslrootcert` is given,
    ///   and `require` elsewhere. Where TLS is spoken the server's certificate and host name are always verified, which is
    ///   stricter than `libpq` is below `verify-full`.
    /// * `sslrootcert`: the file of the authorities that are trusted, in PEM; the system's by default.
    ///
    /// The tables lie in the first schema of the search path (`options=-csearch_path%3Dname`).
    ///
    /// ```no_run
    /// # use lyceum::store::sql::SqlStore;
    /// # async fn open() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = SqlStore::postgres("postgres://lyceum@db.school.example/lyceum?sslmode=verify-full").migrate(true).open().await?;
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "postgres")]
    pub fn postgres(url: &str) -> PostgresBuilder {
        PostgresBuilder::new(url)
    }

    pub(super) fn on(database: Database) -> Self {
        let calls = Arc::new(Calls::to(database.name()));
        Self { database, watched: Watched::default(), calls, key_changes: Arc::default() }
    }

    /// The same store with somebody who sees each step that a call through this handle takes, for tests. Calls through other handles are
    /// not watched.
    ///
    /// The watch's futures may wait. In SQLite the thread of the connection waits with them, so nothing else is written meanwhile, and of
    /// what only reads all but one of the readers of the same lane can go on.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn watched_by(self, watch: Arc<dyn super::Watch>) -> Self {
        Self { watched: Watched::by(watch), ..self }
    }

    /// Runs what `method` does, which is its name in the metrics.
    async fn change<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let (since, waiting) = (Stopwatch::start(), self.calls.waiting("write"));
        let outcome = self.database.write(&self.watched, after(waiting, run)).await;
        self.calls.ended(method, since, outcome.as_ref().err().map(StorageError::kind));
        outcome
    }

    /// The same for what may change whether API keys work, of which `api_key_changes` tells.
    async fn change_keys<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let _counted = CountedAtEnd(&self.key_changes);
        Self::change(self, method, run).await
    }

    /// How many transitions may have changed API keys.
    fn key_changes(&self) -> u64 {
        self.key_changes.load(Ordering::SeqCst)
    }

    /// Reads rows by their keys.
    async fn read<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_in((Lane::Lookups, Snapshot::Transaction), method, run).await
    }

    /// Reads rows by their keys, by one statement.
    async fn look_up<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_in((Lane::Lookups, Snapshot::Statement), method, run).await
    }

    /// Reads a list, which may take long.
    async fn list<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_in((Lane::Lists, Snapshot::Transaction), method, run).await
    }

    /// Reads the directory, which takes as long as it takes.
    async fn read_directory<T: Send + 'static>(
        &self,
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        self.read_in((Lane::Directory, Snapshot::Transaction), method, run).await
    }

    async fn read_in<T: Send + 'static>(
        &self,
        (lane, snapshot): (Lane, Snapshot),
        method: &'static str,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
    ) -> Result<T, StorageError> {
        let (since, waiting) = (Stopwatch::start(), self.calls.waiting(lane.name()));
        let outcome = self.database.read(&self.watched, (lane, snapshot), after(waiting, run)).await;
        self.calls.ended(method, since, outcome.as_ref().err().map(StorageError::kind));
        outcome
    }
}

/// A transition with whose first begin a wait ends.
fn after<T>(
    waiting: Waiting,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static,
) -> impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Clone + Send + 'static {
    let waiting = Arc::new(Mutex::new(Some(waiting)));
    move |tx| {
        drop(waiting.lock().unwrap_or_else(PoisonError::into_inner).take());
        run(tx)
    }
}

#[async_trait]
impl AccountStore for SqlStore {
    async fn create_account(&self, account: Account) -> Result<Creation, StorageError> {
        self.change("create_account", move |tx| Box::pin(accounts::create_account(tx, account))).await
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>, StorageError> {
        self.look_up("account", move |tx| Box::pin(accounts::account(tx, id))).await
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let email = email.folded();
        self.look_up("account_by_email", move |tx| Box::pin(accounts::account_by_email(tx, email))).await
    }

    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Result<Registered<Account>, StorageError> {
        let search = search.cloned();
        self.list("accounts", move |tx| Box::pin(accounts::accounts(tx, search, page))).await
    }

    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Result<PasswordChange, StorageError> {
        let seen = seen.clone();
        self.change("rehash_password", move |tx| Box::pin(accounts::rehash_password(tx, id, seen, new))).await
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: OwnedApiKeys,
        at: Timestamp,
    ) -> Result<PasswordChange, StorageError> {
        let seen = seen.clone();
        self.change_keys("set_password", move |tx| Box::pin(accounts::set_password(tx, id, seen, new, keys, at))).await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Result<AccountChange, StorageError> {
        self.change("set_role", move |tx| Box::pin(accounts::set_role(tx, id, role))).await
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Result<AccountRemoval, StorageError> {
        self.change_keys("remove_account", move |tx| Box::pin(accounts::remove_account(tx, id, at))).await
    }
}

#[async_trait]
impl GrantStore for SqlStore {
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> Result<(), StorageError> {
        self.change("open_session", move |tx| Box::pin(sessions::open_session(tx, session, pending))).await
    }

    async fn session(&self, session: &SessionDigest, at: Timestamp) -> Result<Option<AuthorizationSession>, StorageError> {
        let session = *session;
        self.read("session", move |tx| Box::pin(sessions::session(tx, session, at))).await
    }

    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> Result<SignIn, StorageError> {
        let session = *session;
        self.change("sign_in", move |tx| Box::pin(sessions::sign_in(tx, session, replacement, subject, at))).await
    }

    async fn sign_out(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        let session = *session;
        self.change("sign_out", move |tx| Box::pin(sessions::sign_out(tx, session, replacement, at))).await
    }

    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Result<ApprovalOutcome, StorageError> {
        let session = *session;
        self.change("approve_session", move |tx| Box::pin(sessions::approve_session(tx, session, approval, at))).await
    }

    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Result<Option<AuthorizationSession>, StorageError> {
        let session = *session;
        self.change("close_session", move |tx| Box::pin(sessions::close_session(tx, session, at))).await
    }

    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Result<Option<CodeBinding>, StorageError> {
        let code = *code;
        self.look_up("code_binding", move |tx| Box::pin(grants::code_binding(tx, code))).await
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Redemption, StorageError> {
        let code = *code;
        self.change("redeem_authorization_code", move |tx| Box::pin(grants::redeem_authorization_code(tx, code, proof, lifetimes, at)))
            .await
    }

    async fn refresh_binding(&self, grant: &GrantId) -> Result<Option<RefreshBinding>, StorageError> {
        let grant = *grant;
        self.look_up("refresh_binding", move |tx| Box::pin(grants::refresh_binding(tx, grant))).await
    }

    async fn exchange_records(
        &self,
        client: ClientId,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<TokenRecords<CodeBinding>>, StorageError> {
        let code = *code;
        self.look_up("exchange_records", move |tx| Box::pin(token_records::of_code(tx, client, code))).await.map(Some)
    }

    async fn refresh_records(&self, client: ClientId, grant: &GrantId) -> Result<Option<TokenRecords<RefreshBinding>>, StorageError> {
        let grant = *grant;
        self.look_up("refresh_records", move |tx| Box::pin(token_records::of_grant(tx, client, grant))).await.map(Some)
    }

    async fn rotate(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Rotation, StorageError> {
        let grant = *grant;
        self.change("rotate", move |tx| Box::pin(grants::rotate(tx, grant, presented, lifetimes, at))).await
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        let grant = *grant;
        self.change("revoke_grant", move |tx| Box::pin(grants::revoke_grant(tx, grant, at))).await
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        let grant = *grant;
        self.look_up("grant_is_live", move |tx| Box::pin(grants::grant_is_live(tx, grant, at))).await
    }

    async fn consent(&self, subject: &SubjectId, client: &ClientId) -> Result<Option<Consent>, StorageError> {
        let (subject, client) = (subject.clone(), *client);
        self.read("consent", move |tx| Box::pin(consents::consent(tx, subject, client))).await
    }

    async fn consents_of(&self, subject: &SubjectId) -> Result<Vec<(ClientId, Consent)>, StorageError> {
        let subject = subject.clone();
        self.read("consents_of", move |tx| Box::pin(consents::consents_of(tx, subject))).await
    }

    async fn forget_consent(&self, subject: &SubjectId, client: &ClientId) -> Result<bool, StorageError> {
        let (subject, client) = (subject.clone(), *client);
        self.change("forget_consent", move |tx| Box::pin(consents::forget_consent(tx, subject, client))).await
    }

    async fn grants_of(&self, subject: &SubjectId, at: Timestamp) -> Result<Vec<LiveGrant>, StorageError> {
        let subject = subject.clone();
        self.read("grants_of", move |tx| Box::pin(consents::grants_of(tx, subject, at))).await
    }

    async fn withdraw_grant(&self, subject: &SubjectId, grant: &GrantId, at: Timestamp) -> Result<Withdrawal, StorageError> {
        let (subject, grant) = (subject.clone(), *grant);
        self.change("withdraw_grant", move |tx| Box::pin(consents::withdraw_grant(tx, subject, grant, at))).await
    }

    async fn revoke_grants_of(&self, subject: &SubjectId, keys: OwnedApiKeys, at: Timestamp) -> Result<usize, StorageError> {
        let subject = subject.clone();
        self.change_keys("revoke_grants_of", move |tx| Box::pin(consents::revoke_grants_of(tx, subject, keys, at))).await
    }
}

#[async_trait]
impl StoreClock for SqlStore {
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        self.read("now", move |tx| Box::pin(keys::now(tx))).await
    }
}

#[async_trait]
impl KeyStore for SqlStore {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        self.read("signing_keys", move |tx| Box::pin(keys::signing_keys(tx))).await
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
        self.change("install_signing_key", move |tx| Box::pin(keys::install_signing_key(tx, key))).await
    }

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Result<KeyRevocation, StorageError> {
        let id = id.clone();
        self.change("revoke_signing_key", move |tx| Box::pin(keys::revoke_signing_key(tx, id, at))).await
    }

    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Result<bool, StorageError> {
        let (id, seen) = (id.clone(), seen.clone());
        self.change("reseal_signing_key", move |tx| Box::pin(keys::reseal_signing_key(tx, id, seen, sealed))).await
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.change("remove_signing_keys", move |tx| Box::pin(keys::remove_signing_keys(tx, until))).await
    }
}

#[async_trait]
impl RateLimiter for SqlStore {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError> {
        let key = *key;
        self.change("take_many", move |tx| Box::pin(rate_limits::take(tx, key, (quota, calls), now_micros))).await
    }
}
