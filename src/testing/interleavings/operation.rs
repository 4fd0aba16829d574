use std::num::NonZeroU32;

use super::accounts;
use super::api_keys;
use super::audit_trail;
use super::consents;
use super::grants;
use super::handle::Handle;
use super::model::Outcome;
use super::names::{Names, RATE_BURST, RATE_WINDOW};
use super::neis::Neis;
use super::registry;
use super::school;
use super::usage;
use super::user_sessions;
use crate::domain::{Account, Quota, RateVerdict, Role, SealedKey, SigningAlgorithm, SigningKeyRecord};
use crate::store::{Creation, KeyInstallation, KeyRevocation, StorageError};

/// One call of a store. Small numbers, 1 to 9, tell things of one kind apart; `at` is in seconds from the beginning of the story.
///
/// A grant and its authorization code have one number. Scopes are of application 1, and clients of another owner; their redirect URIs and the
/// like are always the same. Sessions are of client 1 and ask for scope 1 and one of the service's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field says what it is by its name")]
#[rustfmt::skip]
pub enum Operation {
    /// Opens a session that ends after 600 seconds. It asks for scope 1, those from session 7 on for scope 2.
    OpenSession { session: u8, at: i64 },
    /// Writes down who signed in, and moves the session.
    SignIn { session: u8, replacement: u8, subject: u8, at: i64 },
    /// Makes a grant of a session, with a code that ends after 60 seconds.
    Approve { session: u8, grant: u8, at: i64 },
    /// The same, and remembers what was asked for.
    ApproveRemembered { session: u8, grant: u8, at: i64 },
    /// The same, if what is remembered covers what is asked for.
    ApproveUnasked { session: u8, grant: u8, at: i64 },
    /// The same as [`Self::Approve`], with so many grants of the user and client at most, of which others make room.
    ApproveCapped { session: u8, grant: u8, at_most: u32, at: i64 },
    /// Forgets who signed in, and moves the session.
    SignOut { session: u8, replacement: u8, at: i64 },
    /// Ends a session without a grant.
    CloseSession { session: u8, at: i64 },
    /// Reads a session.
    Session { session: u8, at: i64 },
    /// Spends a code.
    Redeem { grant: u8, at: i64 },
    /// Uses a refresh token.
    Rotate { grant: u8, generation: u32, at: i64 },
    /// Revokes a grant.
    RevokeGrant { grant: u8, at: i64 },
    /// Revokes a grant of a user and forgets their consent.
    Withdraw { subject: u8, grant: u8, at: i64 },
    /// Forgets what a user let the client have.
    ForgetConsent { subject: u8 },
    /// Revokes every grant and API key of a user and ends their sessions.
    RevokeGrantsOf { subject: u8, at: i64 },
    /// Reads what a user consented to.
    Consent { subject: u8 },
    /// Reads a user's live grants.
    GrantsOf { subject: u8, at: i64 },
    /// Asks whether tokens of a grant hold.
    GrantIsLive { grant: u8, at: i64 },
    /// Reads what a code's client must prove.
    CodeBinding { grant: u8 },
    /// Reads what a grant's client must prove.
    RefreshBinding { grant: u8 },
    /// Registers an application under name 1.
    CreateApplication { application: u8 },
    /// Registers an application of subject 1 under name 1, unless there are so many. Where this is done, all applications are theirs.
    RegisterApplication { application: u8, at_most: u32 },
    /// Reads the name of an application.
    Application { application: u8 },
    /// Gives an application another name.
    RenameApplication { application: u8, name: u8 },
    /// Defines a scope under an id, with description 1.
    CreateScope { id: u8, scope: u8 },
    /// The same, unless the application has so many.
    RegisterScope { id: u8, scope: u8, at_most: u32 },
    /// Reads the id of a scope's definition.
    Scope { scope: u8 },
    /// Reads the definition with an id.
    Definition { id: u8 },
    /// Gives a scope another description.
    DescribeScope { id: u8, description: u8 },
    /// Says of a scope whether clients need an approval.
    GuardScope { id: u8, guarded: bool },
    /// Approves a client for a scope.
    ApproveScope { id: u8, client: u8 },
    /// Reads which clients were approved for a scope.
    Approved { id: u8 },
    /// Registers a client that may ask for two scopes and has one secret, of its own number.
    CreateClient { client: u8, scopes: [u8; 2] },
    /// Registers such a client of subject 1, unless there are so many. Where this is done, all clients are theirs.
    RegisterClient { client: u8, scopes: [u8; 2], at_most: u32 },
    /// Reads a client.
    Client { client: u8 },
    /// Removes an application with its scopes.
    DeleteApplication { application: u8 },
    /// Removes a scope by the id of its definition.
    DeleteScope { id: u8 },
    /// Takes a scope from one client.
    WithdrawScope { id: u8, client: u8 },
    /// Lets a client that was seen with two scopes ask for two others.
    UpdateClient { client: u8, seen: [u8; 2], scopes: [u8; 2] },
    /// Removes a client.
    DeleteClient { client: u8, at: i64 },
    /// Gives a client to another owner.
    GiveClient { client: u8, owner: u8 },
    /// Settles what belongs to an owner who has left.
    RemoveOwner { owner: u8, at: i64 },
    /// Gives a client another secret.
    AddSecret { client: u8, secret: u8 },
    /// Leaves a client its newest secret.
    RemoveOlderSecret { client: u8 },
    /// Registers an account. Accounts with an even number write their address in upper case.
    CreateAccount { account: u8, email: u8 },
    /// Reads the address of an account.
    Account { account: u8 },
    /// Reads whose an address is.
    AccountByEmail { email: u8 },
    /// Keeps an API key, for 30 days.
    CreateApiKey { key: u8, digest: u8, at: i64 },
    /// Keeps an API key with the digest of its number for an owner, unless they have so many.
    IssueApiKey { key: u8, at_most: u32, at: i64 },
    /// Revokes an API key.
    RevokeApiKey { key: u8, at: i64 },
    /// Revokes the API keys of an owner.
    RevokeApiKeysOf { owner: u8, at: i64 },
    /// Gives an API key another value; the one until now goes on for 10 seconds.
    RenewApiKey { key: u8, digest: u8, at: i64 },
    /// Writes down that API keys were used: the first one at the moment, the second one twice, the last time a second before; 0 for none.
    TouchApiKeys { keys: [u8; 2], at: i64 },
    /// Reads how often an API key was used on each day.
    ApiKeyUsage { key: u8 },
    /// Asks who is to tell that an API key ends 30 days after a moment.
    ClaimNotice { key: u8, issued: i64 },
    /// Reads the key of which a value has a digest.
    ApiKey { digest: u8 },
    /// Keeps a signing key under a sequence number.
    InstallKey { sequence: u8, key: u8, at: i64 },
    /// Takes a signing key out of use.
    RevokeKey { key: u8, at: i64 },
    /// Seals a signing key anew that was seen sealed so. At first it is sealed by its own number.
    ResealKey { key: u8, seen: u8, sealed: u8 },
    /// Takes signing keys away that were superseded by then.
    RemoveKeys { until: i64 },
    /// Reads the signing keys.
    SigningKeys,
    /// Takes one of two calls in 60 seconds.
    TakeCall { key: u8, at: i64 },
    /// Puts a club with a leader; 0 for none.
    PutClub { club: u8, leader: u8 },
    /// Removes a club.
    RemoveClub { club: u8 },
    /// Puts a student into a club; 0 for none.
    PutStudent { student: u8, club: u8 },
    /// Removes a student.
    RemoveStudent { student: u8 },
    /// Two changes in one batch, of which the second may be refused: a new club, and a student in a club.
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
    /// Reads the meals, events or lessons of the story's day.
    Neis { what: Neis },
    /// Gives an account another hash of the same password.
    Rehash { account: u8, seen: u8, new: u8 },
    /// Gives an account, which begins with password 1, a new one.
    SetPassword { account: u8, seen: u8, new: u8, at: i64 },
    /// Gives an account another role.
    SetRole { account: u8, is_admin: bool },
    /// Removes an account.
    RemoveAccount { account: u8, at: i64 },
    /// Reads the password and the role of an account.
    Credentials { account: u8 },
    /// Reads who uses the scopes of an application.
    ApplicationUsage { application: u8, at: i64 },
    /// Reads who uses a scope.
    ScopeUsage { id: u8, at: i64 },
    /// Reads which grants of a client are in use.
    ClientUsage { client: u8, at: i64 },
    /// Writes down two things that happened in one request, with this number and the next.
    AppendAudit { first: u8, at: i64 },
    /// Reads what happened, the newest first.
    Audit,
    /// Reads what happened in a request.
    AuditOfRequest { first: u8 },
    /// Takes away what happened by then.
    SweepAudit { until: i64 },
    /// Opens a session of a user in the console, which ends after 600 seconds, under the digest of its number.
    OpenUserSession { session: u8, subject: u8, at: i64 },
    /// Reads the session in the console that has a digest, unless it was idle for 100 seconds.
    UserSession { digest: u8, at: i64 },
    /// Writes down that sessions in the console were used: the first one at the moment, the second one a second before; 0 for none.
    TouchUserSessions { sessions: [u8; 2], at: i64 },
    /// Moves a session in the console to another digest.
    MoveUserSession { digest: u8, replacement: u8, at: i64 },
    /// Reads a user's sessions in the console.
    UserSessionsOf { subject: u8, at: i64 },
    /// Ends one of a user's sessions in the console.
    EndUserSession { subject: u8, session: u8 },
    /// Ends all of a user's sessions in the console but one; 0 for none.
    EndUserSessionsOf { subject: u8, but: u8 },
}

impl Operation {
    /// Whether it changes nothing.
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
                | Self::Approved { .. }
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

    /// Whether it gives something a name that must be new, so that doing it again is no fair question once it was done.
    pub(in crate::testing) const fn draws_a_name(self) -> bool {
        matches!(self, Self::OpenSession { .. } | Self::OpenUserSession { .. })
    }

    /// Whether it goes to the directory over the store, and not to the store.
    pub(super) const fn is_of_the_school(self) -> bool {
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

    /// Calls the store, or the directory over it.
    pub(in crate::testing) async fn call(self, handle: &Handle, names: Names) -> Result<Outcome, StorageError> {
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
            | Self::RefreshBinding { .. } => grants::call(self, store, names).await?,
            Self::Approve { .. }
            | Self::ApproveCapped { .. }
            | Self::ApproveRemembered { .. }
            | Self::ApproveUnasked { .. }
            | Self::Withdraw { .. }
            | Self::ForgetConsent { .. }
            | Self::RevokeGrantsOf { .. }
            | Self::Consent { .. }
            | Self::GrantsOf { .. } => consents::call(self, store, names).await?,
            Self::ApplicationUsage { .. } | Self::ScopeUsage { .. } | Self::ClientUsage { .. } => usage::call(self, store, names).await?,
            Self::AppendAudit { .. } | Self::Audit | Self::AuditOfRequest { .. } | Self::SweepAudit { .. } => {
                audit_trail::call(self, store, names).await?
            }
            Self::OpenUserSession { .. }
            | Self::UserSession { .. }
            | Self::TouchUserSessions { .. }
            | Self::MoveUserSession { .. }
            | Self::UserSessionsOf { .. }
            | Self::EndUserSession { .. }
            | Self::EndUserSessionsOf { .. } => user_sessions::call(self, store, names).await?,
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
            | Self::GuardScope { .. }
            | Self::DeleteScope { .. }
            | Self::ApproveScope { .. }
            | Self::Approved { .. }
            | Self::WithdrawScope { .. }
            | Self::CreateClient { .. }
            | Self::Client { .. }
            | Self::UpdateClient { .. }
            | Self::DeleteClient { .. }
            | Self::GiveClient { .. }
            | Self::RemoveOwner { .. }
            | Self::AddSecret { .. }
            | Self::RemoveOlderSecret { .. } => registry::call(self, store, names).await?,
            Self::CreateAccount { account, email } => creation(store.create_account(account_of(names, account, email)).await?),
            Self::Account { account } => {
                let found = store.account(names.account(account)).await?;
                Outcome::Belongs(found.map(|found| names.number(&found.email, |names, number| names.email(number, account))))
            }
            Self::AccountByEmail { email } => {
                let found = store.account_by_email(&names.email(email, 1)).await?;
                Outcome::Belongs(found.map(|found| names.number(&found.id, Names::account)))
            }
            Self::CreateApiKey { .. }
            | Self::IssueApiKey { .. }
            | Self::RenewApiKey { .. }
            | Self::RevokeApiKey { .. }
            | Self::RevokeApiKeysOf { .. }
            | Self::TouchApiKeys { .. }
            | Self::ApiKeyUsage { .. }
            | Self::ClaimNotice { .. }
            | Self::ApiKey { .. } => api_keys::call(self, store, names).await?,
            Self::InstallKey { sequence, key, at } => match store.install_signing_key(signing_key(names, sequence, key, at)).await? {
                KeyInstallation::Installed => Outcome::Created,
                KeyInstallation::Existing(key) => Outcome::Belongs(Some(names.number(&key.id, Names::key_id))),
            },
            Self::RevokeKey { key, at } => match store.revoke_signing_key(&names.key_id(key), names.moment(at)).await? {
                KeyRevocation::Revoked => Outcome::Revoked,
                KeyRevocation::AlreadyRevoked { at } => Outcome::AlreadyRevoked { at: names.seconds(at) },
                KeyRevocation::Unknown => Outcome::Unknown,
            },
            Self::ResealKey { key, seen, sealed } => {
                Outcome::Is(store.reseal_signing_key(&names.key_id(key), &sealed_key(seen), sealed_key(sealed)).await?)
            }
            Self::RemoveKeys { until } => Outcome::Removed(store.remove_signing_keys(names.moment(until)).await?),
            Self::SigningKeys => {
                let keys = store.signing_keys().await?;
                let number = |sequence| names.number(&sequence, Names::sequence);
                let of_the_run = keys.iter().filter(|key| number(key.sequence) > 0);
                let key = |key: &SigningKeyRecord| {
                    let revoked_at = key.revoked_at.map(|at| names.seconds(at));
                    let sealed = names.number(&key.sealed, |_, number| sealed_key(number));
                    (number(key.sequence), names.number(&key.id, Names::key_id), sealed, revoked_at)
                };
                Outcome::Keys(of_the_run.map(key).collect())
            }
            Self::TakeCall { key, at } => match store.take_many(&names.rate_key(key), quota(), NonZeroU32::MIN, names.micros(at)).await? {
                RateVerdict::Allowed { remaining, .. } => Outcome::Allowed { remaining },
                RateVerdict::Denied { retry_after } => Outcome::Denied { seconds: retry_after.as_secs() },
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
            | Self::Neis { .. } => school::call(self, handle.school().await?, names).await?,
            Self::Rehash { .. }
            | Self::SetPassword { .. }
            | Self::SetRole { .. }
            | Self::RemoveAccount { .. }
            | Self::Credentials { .. } => accounts::call(self, store, names).await?,
        })
    }
}

pub(super) const fn creation(creation: Creation) -> Outcome {
    match creation {
        Creation::Created => Outcome::Created,
        Creation::Taken => Outcome::Taken,
    }
}

fn account_of(names: Names, number: u8, email: u8) -> Account {
    Account {
        id: names.account(number),
        email: names.email(email, number),
        password_hash: names.password(1),
        role: Role::User,
        created_at: names.moment(0),
    }
}

fn signing_key(names: Names, sequence: u8, key: u8, at: i64) -> SigningKeyRecord {
    SigningKeyRecord {
        sequence: names.sequence(sequence),
        id: names.key_id(key),
        algorithm: SigningAlgorithm::Es256,
        sealed: sealed_key(key),
        created_at: names.moment(at),
        revoked_at: None,
    }
}

fn sealed_key(number: u8) -> SealedKey {
    SealedKey::from_bytes(vec![number; 8])
}

fn quota() -> Quota {
    Quota::new(RATE_BURST, RATE_WINDOW, RATE_BURST).expect("a quota")
}
