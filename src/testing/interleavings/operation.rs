use std::num::NonZeroU32;

use super::accounts;
use super::api_keys;
use super::audit_trail;
use super::consents;
use super::directory;
use super::grants;
use super::model::OperationOutcome;
use super::neis::Neis;
use super::registry;
use super::run_ids::{RATE_BURST, RATE_WINDOW, RunIds};
use super::store_handle::StoreHandle;
use super::usage;
use super::user_sessions;
use crate::domain::{
    Account, Quota, RateLimitDecision, Role, SealedKey, SigningAlgorithm, SigningKeyRecord,
};
use crate::store::{Creation, SigningKeyInstallation, SigningKeyRevocation, StorageError};

/// One call of a store. Small numbers, 1 to 9, identify records of one kind; `at` is in seconds
/// from the beginning of the scenario.
///
/// A grant and its authorization code have the same number. Scopes belong to application 1, and
/// clients to another owner; their redirect URIs and other settings are constant. Sessions belong
/// to client 1 and request scope 1 and one of the service's built-in scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field says what it is by its name")]
#[rustfmt::skip]
pub enum Operation {
    /// Opens a session that expires after 600 seconds. It requests scope 1 and `self:read`, or
    /// `manage` from session 7 on.
    OpenSession { session: u8, at: i64 },
    /// Records the signed-in subject and rotates the session token.
    SignIn { session: u8, replacement: u8, subject: u8, at: i64 },
    /// Approves a session: creates a grant with a code that expires after 60 seconds.
    Approve { session: u8, grant: u8, at: i64 },
    /// Same as [`Self::Approve`], and remembers the consent.
    ApproveAndRemember { session: u8, grant: u8, at: i64 },
    /// Same as [`Self::Approve`], if a remembered consent covers the requested scopes.
    ApproveFromConsent { session: u8, grant: u8, at: i64 },
    /// Same as [`Self::Approve`], with a limit on the grants of the user and client. Beyond it, the
    /// least recently used grants are revoked.
    ApproveCapped { session: u8, grant: u8, at_most: u32, at: i64 },
    /// Removes the signed-in subject and rotates the session token.
    SignOut { session: u8, replacement: u8, at: i64 },
    /// Deletes a session without a grant.
    CloseSession { session: u8, at: i64 },
    /// Reads a session.
    Session { session: u8, at: i64 },
    /// Redeems a code.
    Redeem { grant: u8, at: i64 },
    /// Rotates a refresh token.
    Rotate { grant: u8, generation: u32, at: i64 },
    /// Revokes a grant.
    RevokeGrant { grant: u8, at: i64 },
    /// Revokes a grant of a user and deletes their consent to its client.
    WithdrawGrant { subject: u8, grant: u8, at: i64 },
    /// Deletes a user's consent to the client.
    ForgetConsent { subject: u8 },
    /// Revokes every grant and API key of a user and ends their sessions.
    RevokeGrantsOf { subject: u8, at: i64 },
    /// Reads a user's consent.
    Consent { subject: u8 },
    /// Reads a user's live grants.
    GrantsOf { subject: u8, at: i64 },
    /// Reads whether a grant is live.
    GrantIsLive { grant: u8, at: i64 },
    /// Reads the proof that redeeming a code requires.
    CodeBinding { grant: u8 },
    /// Reads the proof that a refresh requires.
    RefreshBinding { grant: u8 },
    /// Registers an application under name 1.
    CreateApplication { application: u8 },
    /// Registers an application of subject 1 under name 1, unless they have `at_most`. All
    /// applications of such a scenario are theirs.
    RegisterApplication { application: u8, at_most: u32 },
    /// Reads the name of an application.
    Application { application: u8 },
    /// Renames an application.
    RenameApplication { application: u8, name: u8 },
    /// Creates a scope under an id, with description 1.
    CreateScope { id: u8, scope: u8 },
    /// Same as [`Self::CreateScope`], unless the application has `at_most`.
    RegisterScope { id: u8, scope: u8, at_most: u32 },
    /// Reads the id of a scope's definition.
    Scope { scope: u8 },
    /// Reads the definition with an id.
    Definition { id: u8 },
    /// Changes the description of a scope.
    DescribeScope { id: u8, description: u8 },
    /// Sets whether clients need an approval to list a scope.
    RequireScopeApproval { id: u8, approval_required: bool },
    /// Approves a client for a scope.
    ApproveScope { id: u8, client: u8 },
    /// Reads the clients that were approved for a scope.
    ScopeApprovals { id: u8 },
    /// Registers a client with two scopes and one secret, which has the client's number.
    CreateClient { client: u8, scopes: [u8; 2] },
    /// Registers such a client of subject 1, unless they have `at_most`. All clients of such a
    /// scenario are theirs.
    RegisterClient { client: u8, scopes: [u8; 2], at_most: u32 },
    /// Reads a client.
    Client { client: u8 },
    /// Deletes an application with its scopes.
    DeleteApplication { application: u8 },
    /// Deletes a scope by the id of its definition.
    DeleteScope { id: u8 },
    /// Withdraws a scope from one client.
    WithdrawScope { id: u8, client: u8 },
    /// Updates the scopes of a client from the expected two to two others.
    UpdateClient { client: u8, seen: [u8; 2], scopes: [u8; 2] },
    /// Deletes a client.
    DeleteClient { client: u8, at: i64 },
    /// Transfers a client to another owner.
    SetClientOwner { client: u8, owner: u8 },
    /// Removes an owner: suspends their clients and reassigns their applications.
    RemoveOwner { owner: u8, at: i64 },
    /// Adds a client secret.
    AddClientSecret { client: u8, secret: u8 },
    /// Removes all but the newest client secret.
    RemoveOlderSecret { client: u8 },
    /// Creates an account. Accounts with an even number write their address in upper case.
    CreateAccount { account: u8, email: u8 },
    /// Reads the address of an account.
    Account { account: u8 },
    /// Reads the account that has an address.
    AccountByEmail { email: u8 },
    /// Creates an API key that expires after 30 days.
    CreateApiKey { key: u8, digest: u8, at: i64 },
    /// Issues an API key to an owner, unless they have `at_most`. Its digest has the key's number.
    IssueApiKey { key: u8, at_most: u32, at: i64 },
    /// Revokes an API key.
    RevokeApiKey { key: u8, at: i64 },
    /// Revokes the API keys of an owner.
    RevokeApiKeysOf { owner: u8, at: i64 },
    /// Renews an API key; the previous value works for another 10 seconds.
    RenewApiKey { key: u8, digest: u8, at: i64 },
    /// Records uses of API keys: one of the first at `at`, and two of the second, the last a second
    /// earlier; 0 for none.
    TouchApiKeys { keys: [u8; 2], at: i64 },
    /// Reads the daily usage of an API key.
    ApiKeyUsage { key: u8 },
    /// Claims the notice that an API key issued at `issued` expires after 30 days.
    ClaimExpiryNotice { key: u8, issued: i64 },
    /// Reads the key that has a value with this digest.
    ApiKey { digest: u8 },
    /// Installs a signing key under a sequence number.
    InstallSigningKey { sequence: u8, key: u8, at: i64 },
    /// Revokes a signing key.
    RevokeSigningKey { key: u8, at: i64 },
    /// Reseals a signing key if its seal is `seen`. The initial seal is the key's own number.
    ResealSigningKey { key: u8, seen: u8, sealed: u8 },
    /// Deletes the signing keys that were superseded by `until`.
    RemoveSigningKeys { until: i64 },
    /// Reads the signing keys.
    SigningKeys,
    /// Takes one call of a quota of two in 60 seconds.
    TakeRateLimit { key: u8, at: i64 },
    /// Puts a club with a leader; 0 for none.
    PutClub { club: u8, leader: u8 },
    /// Removes a club.
    RemoveClub { club: u8 },
    /// Puts a student into a club; 0 for none.
    PutStudent { student: u8, club: u8 },
    /// Removes a student.
    RemoveStudent { student: u8 },
    /// Writes two changes in one batch, of which the second may be rejected: a new club, and a
    /// student who joins a club.
    PutClubAndStudent { club: u8, student: u8, into: u8 },
    /// Reads the clubs with their leaders and members.
    Clubs,
    /// Puts a project of a club with two participants; 0 for none.
    PutProject { project: u8, club: u8, participants: [u8; 2] },
    /// Removes a project.
    RemoveProject { project: u8 },
    /// Reads the projects with their clubs and participants.
    Projects,
    /// Puts a meal, an event or a lesson, in one of several versions.
    PutNeis { what: Neis, number: u8, version: u8 },
    /// Removes a meal, an event or a lesson.
    RemoveNeis { what: Neis, number: u8 },
    /// Reads the meals, events or lessons of the scenario's day.
    Neis { what: Neis },
    /// Replaces the hash of an unchanged password.
    RehashPassword { account: u8, seen: u8, new: u8 },
    /// Changes the password of an account, initially password 1.
    SetPassword { account: u8, seen: u8, new: u8, at: i64 },
    /// Sets the role of an account.
    SetRole { account: u8, is_admin: bool },
    /// Removes an account.
    RemoveAccount { account: u8, at: i64 },
    /// Reads the password and the role of an account.
    Credentials { account: u8 },
    /// Reads the usage of an application's scopes.
    ApplicationUsage { application: u8, at: i64 },
    /// Reads the usage of a scope.
    ScopeUsage { id: u8, at: i64 },
    /// Reads the usage of a client's grants.
    ClientUsage { client: u8, at: i64 },
    /// Appends two audit records of one request, with this number and the next.
    AppendAudit { first: u8, at: i64 },
    /// Reads the audit records, newest first.
    Audit,
    /// Reads the audit records of a request.
    AuditOfRequest { first: u8 },
    /// Deletes audit records up to a time.
    SweepAuditRecords { until: i64 },
    /// Opens a console session of a user, which expires after 600 seconds. Its digest has the
    /// session's number.
    OpenUserSession { session: u8, subject: u8, at: i64 },
    /// Reads the console session with a digest, unless it was idle for 100 seconds.
    UserSession { digest: u8, at: i64 },
    /// Records uses of console sessions: the first at `at`, the second a second earlier; 0 for
    /// none.
    TouchUserSessions { sessions: [u8; 2], at: i64 },
    /// Rotates the digest of a console session.
    MoveUserSession { digest: u8, replacement: u8, at: i64 },
    /// Reads a user's console sessions.
    UserSessionsOf { subject: u8, at: i64 },
    /// Ends one of a user's console sessions.
    EndUserSession { subject: u8, session: u8 },
    /// Ends all of a user's console sessions but one; 0 for none.
    EndUserSessionsOf { subject: u8, except: u8 },
}

impl Operation {
    /// Whether the operation only reads.
    pub const fn is_read(self) -> bool {
        matches!(
            self,
            Self::Session { .. }
                | Self::GrantIsLive { .. }
                | Self::Consent { .. }
                | Self::GrantsOf { .. }
                | Self::CodeBinding { .. }
                | Self::RefreshBinding { .. }
                | Self::Application { .. }
                | Self::Scope { .. }
                | Self::Definition { .. }
                | Self::ScopeApprovals { .. }
                | Self::Client { .. }
                | Self::Account { .. }
                | Self::AccountByEmail { .. }
                | Self::ApiKey { .. }
                | Self::ApiKeyUsage { .. }
                | Self::SigningKeys
                | Self::Clubs
                | Self::Projects
                | Self::Neis { .. }
                | Self::Credentials { .. }
                | Self::ApplicationUsage { .. }
                | Self::ScopeUsage { .. }
                | Self::ClientUsage { .. }
                | Self::Audit
                | Self::AuditOfRequest { .. }
                | Self::UserSession { .. }
                | Self::UserSessionsOf { .. }
        )
    }

    /// Whether the operation needs an unused id, so that it cannot be repeated after it succeeded.
    pub(in crate::testing) const fn needs_fresh_id(self) -> bool {
        matches!(
            self,
            Self::OpenSession { .. } | Self::OpenUserSession { .. }
        )
    }

    /// Whether the operation calls the directory instead of the store.
    pub(super) const fn uses_directory(self) -> bool {
        matches!(
            self,
            Self::PutClub { .. }
                | Self::RemoveClub { .. }
                | Self::PutStudent { .. }
                | Self::RemoveStudent { .. }
                | Self::PutClubAndStudent { .. }
                | Self::Clubs
                | Self::PutProject { .. }
                | Self::RemoveProject { .. }
                | Self::Projects
                | Self::PutNeis { .. }
                | Self::RemoveNeis { .. }
                | Self::Neis { .. }
        )
    }

    /// Performs the operation on the store, or on the directory over it.
    pub(in crate::testing) async fn call(
        self,
        handle: &StoreHandle,
        ids: RunIds,
    ) -> Result<OperationOutcome, StorageError> {
        let store = handle.store();
        Ok(match self {
            Self::OpenSession { .. }
            | Self::SignIn { .. }
            | Self::SignOut { .. }
            | Self::CloseSession { .. }
            | Self::Session { .. }
            | Self::Redeem { .. }
            | Self::Rotate { .. }
            | Self::RevokeGrant { .. }
            | Self::GrantIsLive { .. }
            | Self::CodeBinding { .. }
            | Self::RefreshBinding { .. } => grants::call(self, store, ids).await?,
            Self::Approve { .. }
            | Self::ApproveCapped { .. }
            | Self::ApproveAndRemember { .. }
            | Self::ApproveFromConsent { .. }
            | Self::WithdrawGrant { .. }
            | Self::ForgetConsent { .. }
            | Self::RevokeGrantsOf { .. }
            | Self::Consent { .. }
            | Self::GrantsOf { .. } => consents::call(self, store, ids).await?,
            Self::ApplicationUsage { .. } | Self::ScopeUsage { .. } | Self::ClientUsage { .. } => {
                usage::call(self, store, ids).await?
            }
            Self::AppendAudit { .. }
            | Self::Audit
            | Self::AuditOfRequest { .. }
            | Self::SweepAuditRecords { .. } => audit_trail::call(self, store, ids).await?,
            Self::OpenUserSession { .. }
            | Self::UserSession { .. }
            | Self::TouchUserSessions { .. }
            | Self::MoveUserSession { .. }
            | Self::UserSessionsOf { .. }
            | Self::EndUserSession { .. }
            | Self::EndUserSessionsOf { .. } => user_sessions::call(self, store, ids).await?,
            Self::CreateApplication { .. }
            | Self::RegisterApplication { .. }
            | Self::RegisterScope { .. }
            | Self::RegisterClient { .. }
            | Self::Application { .. }
            | Self::RenameApplication { .. }
            | Self::DeleteApplication { .. }
            | Self::CreateScope { .. }
            | Self::Scope { .. }
            | Self::Definition { .. }
            | Self::DescribeScope { .. }
            | Self::RequireScopeApproval { .. }
            | Self::DeleteScope { .. }
            | Self::ApproveScope { .. }
            | Self::ScopeApprovals { .. }
            | Self::WithdrawScope { .. }
            | Self::CreateClient { .. }
            | Self::Client { .. }
            | Self::UpdateClient { .. }
            | Self::DeleteClient { .. }
            | Self::SetClientOwner { .. }
            | Self::RemoveOwner { .. }
            | Self::AddClientSecret { .. }
            | Self::RemoveOlderSecret { .. } => registry::call(self, store, ids).await?,
            Self::CreateAccount { account, email } => creation_outcome(
                store
                    .create_account(account_of(ids, account, email))
                    .await?,
            ),
            Self::Account { account } => {
                let found = store.account(ids.account(account)).await?;
                OperationOutcome::RefersTo(found.map(|found| {
                    ids.index_of(&found.email, |ids, number| ids.email(number, account))
                }))
            }
            Self::AccountByEmail { email } => {
                let found = store.account_by_email(&ids.email(email, 1)).await?;
                OperationOutcome::RefersTo(
                    found.map(|found| ids.index_of(&found.id, RunIds::account)),
                )
            }
            Self::CreateApiKey { .. }
            | Self::IssueApiKey { .. }
            | Self::RenewApiKey { .. }
            | Self::RevokeApiKey { .. }
            | Self::RevokeApiKeysOf { .. }
            | Self::TouchApiKeys { .. }
            | Self::ApiKeyUsage { .. }
            | Self::ClaimExpiryNotice { .. }
            | Self::ApiKey { .. } => api_keys::call(self, store, ids).await?,
            Self::InstallSigningKey { sequence, key, at } => match store
                .install_signing_key(signing_key(ids, sequence, key, at))
                .await?
            {
                SigningKeyInstallation::Installed => OperationOutcome::Created,
                SigningKeyInstallation::Existing(key) => {
                    OperationOutcome::RefersTo(Some(ids.index_of(&key.id, RunIds::key_id)))
                }
            },
            Self::RevokeSigningKey { key, at } => match store
                .revoke_signing_key(&ids.key_id(key), ids.timestamp(at))
                .await?
            {
                SigningKeyRevocation::Revoked => OperationOutcome::Revoked,
                SigningKeyRevocation::AlreadyRevoked { at } => {
                    OperationOutcome::AlreadyRevoked { at: ids.offset(at) }
                }
                SigningKeyRevocation::NotFound => OperationOutcome::Unknown,
            },
            Self::ResealSigningKey { key, seen, sealed } => OperationOutcome::Bool(
                store
                    .reseal_signing_key(&ids.key_id(key), &sealed_key(seen), sealed_key(sealed))
                    .await?,
            ),
            Self::RemoveSigningKeys { until } => {
                OperationOutcome::Removed(store.sweep_signing_keys(ids.timestamp(until)).await?)
            }
            Self::SigningKeys => {
                let keys = store.signing_keys().await?;
                let number = |sequence| ids.index_of(&sequence, RunIds::sequence);
                let of_the_run = keys.iter().filter(|key| number(key.sequence) > 0);
                let key = |key: &SigningKeyRecord| {
                    let revoked_at = key.revoked_at.map(|at| ids.offset(at));
                    let sealed = ids.index_of(&key.sealed, |_, number| sealed_key(number));
                    (
                        number(key.sequence),
                        ids.index_of(&key.id, RunIds::key_id),
                        sealed,
                        revoked_at,
                    )
                };
                OperationOutcome::Keys(of_the_run.map(key).collect())
            }
            Self::TakeRateLimit { key, at } => match store
                .take_many(&ids.rate_key(key), quota(), NonZeroU32::MIN, ids.micros(at))
                .await?
            {
                RateLimitDecision::Allowed { remaining, .. } => {
                    OperationOutcome::Allowed { remaining }
                }
                RateLimitDecision::Denied { retry_after } => OperationOutcome::RateLimited {
                    seconds: retry_after.as_secs(),
                },
            },
            Self::PutClub { .. }
            | Self::RemoveClub { .. }
            | Self::PutStudent { .. }
            | Self::RemoveStudent { .. }
            | Self::PutClubAndStudent { .. }
            | Self::Clubs
            | Self::PutProject { .. }
            | Self::RemoveProject { .. }
            | Self::Projects
            | Self::PutNeis { .. }
            | Self::RemoveNeis { .. }
            | Self::Neis { .. } => directory::call(self, handle.directory().await?, ids).await?,
            Self::RehashPassword { .. }
            | Self::SetPassword { .. }
            | Self::SetRole { .. }
            | Self::RemoveAccount { .. }
            | Self::Credentials { .. } => accounts::call(self, store, ids).await?,
        })
    }
}

pub(super) const fn creation_outcome(creation: Creation) -> OperationOutcome {
    match creation {
        Creation::Created => OperationOutcome::Created,
        Creation::AlreadyExists => OperationOutcome::AlreadyExists,
    }
}

fn account_of(ids: RunIds, number: u8, email: u8) -> Account {
    Account {
        id: ids.account(number),
        email: ids.email(email, number),
        password_hash: ids.password(1),
        role: Role::User,
        created_at: ids.timestamp(0),
    }
}

fn signing_key(ids: RunIds, sequence: u8, key: u8, at: i64) -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: ids.sequence(sequence),
        id: ids.key_id(key),
        algorithm: SigningAlgorithm::Es256,
        sealed: sealed_key(key),
        created_at: ids.timestamp(at),
        revoked_at: None,
    }
}

fn sealed_key(number: u8) -> SealedKey {
    SealedKey::from_bytes(vec![number; 8])
}

fn quota() -> Quota {
    Quota::new(RATE_BURST, RATE_WINDOW, RATE_BURST).expect("a quota")
}
