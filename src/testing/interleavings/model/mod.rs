mod retention;

use std::collections::{BTreeMap, BTreeSet};

use super::api_keys::ApiKey;
use super::applications::Definition;
use super::clients::Client;
use super::neis::Neis;
use super::operation::Operation;
use super::user_sessions::UserSession;

/// Reference model of a store: executes the operations one after the other, on maps of small
/// numbers.
///
/// It shares no code with any store, so where a store's outcome differs, one of the two is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    pub(super) sessions: BTreeMap<u8, Session>,
    pub(super) grants: BTreeMap<u8, Grant>,
    /// Scopes that each subject consented to, the latest first, and the time of the consent.
    pub(super) consents: BTreeMap<u8, (Vec<u8>, i64)>,
    /// Names of the applications.
    pub(super) applications: BTreeMap<u8, u8>,
    pub(super) scopes: BTreeMap<u8, Definition>,
    /// Scopes, each with a client that was approved for it.
    pub(super) approvals: BTreeSet<(u8, u8)>,
    pub(super) clients: BTreeMap<u8, Client>,
    pub(super) accounts: BTreeMap<u8, Account>,
    pub(super) api_keys: BTreeMap<u8, ApiKey>,
    /// Number, request and time of each record.
    pub(super) audit: Vec<(u8, u8, i64)>,
    pub(super) user_sessions: BTreeMap<u8, UserSession>,
    pub(super) signing_keys: BTreeMap<u8, SigningKey>,
    /// Theoretical arrival time (GCRA) of each rate limit key, at one call each 30 seconds.
    pub(super) rates: BTreeMap<u8, i64>,
    /// Leaders of the clubs and clubs of the students; 0 for none.
    pub(super) clubs: BTreeMap<u8, u8>,
    pub(super) students: BTreeMap<u8, u8>,
    /// Clubs and participants of the projects.
    pub(super) projects: BTreeMap<u8, (u8, BTreeSet<u8>)>,
    /// Versions of the meals, events and lessons.
    pub(super) neis: BTreeMap<(Neis, u8), u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) subject: Option<u8>,
    pub(super) scopes: Vec<u8>,
    pub(super) expires_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grant {
    pub(super) subject: u8,
    pub(super) has_scope: bool,
    pub(super) code_expires_at: i64,
    pub(super) revoked_at: Option<i64>,
    pub(super) redeemed: Option<Redeemed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) email: u8,
    pub(super) password: u8,
    pub(super) is_admin: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SigningKey {
    pub(super) key: u8,
    pub(super) sealed: u8,
    pub(super) created_at: i64,
    pub(super) revoked_at: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Redeemed {
    pub(super) at: i64,
    pub(super) generation: u32,
    pub(super) rotated_at: i64,
    pub(super) idle_expires_at: i64,
    pub(super) expires_at: i64,
}

/// Outcome of an [`Operation`]. Times are seconds from the beginning of the scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each says what it is by its name")]
#[rustfmt::skip]
pub enum OperationOutcome {
    Opened,
    /// The session exists: the signed-in subject, and whether scope 1 is among its scopes.
    Session { subject: Option<u8>, has_scope: bool },
    NotSignedIn,
    NotConsented,
    /// A redemption or a rotation succeeded.
    Tokens { generation: u32, has_scope: bool, idle_expires_at: i64, expires_at: i64 },
    /// The previous refresh token was used inside its retry window.
    Repeated(Box<Self>),
    AlreadyRedeemed { at: i64 },
    Reused,
    Expired,
    Revoked,
    Unknown,
    Bool(bool),
    /// Scopes of a consent and its time.
    Consent(Option<(Vec<u8>, i64)>),
    /// Grants, each with the times of its creation and last use.
    Grants(Vec<(u8, i64, i64)>),
    Created,
    AlreadyExists,
    Done,
    /// The stored value differs from the expected one.
    Conflict,
    /// The scope does not exist.
    UnknownScope(u8),
    /// The client may not list this scope without an approval.
    NeedsApproval(u8),
    /// Owner of a record, or the number of its id; 0 for an unknown one.
    RefersTo(Option<u8>),
    /// Description of a scope, whether it needs an approval, and the name of its application.
    Definition(Option<(u8, bool, u8)>),
    /// Clients that were approved.
    Clients(Vec<u8>),
    /// Settings of a client.
    Client(Option<Client>),
    /// The API key exists. `ends` is the end of the value that was looked up.
    ApiKey { key: u8, ends: i64, revoked_at: Option<i64>, last_used_at: Option<i64> },
    /// Days, counted from the scenario's first, and the calls of a key on each.
    DailyUsage(Vec<(i32, u64)>),
    /// Number of removed records.
    Removed(usize),
    /// The signing key had been revoked before.
    AlreadyRevoked { at: i64 },
    /// Sequence number, key, seal and time of revocation of each signing key.
    Keys(Vec<(u8, u8, u8, Option<i64>)>),
    Allowed { remaining: u32 },
    RateLimited { seconds: u64 },
    /// Reason why a batch was rejected.
    Refused(&'static str),
    /// Clubs with leader and members.
    Clubs(Vec<(u8, u8, Vec<u8>)>),
    /// Projects with club and participants.
    Projects(Vec<(u8, u8, Vec<u8>)>),
    /// Numbers and versions of meals, events or lessons.
    Neis(Vec<(u8, u8)>),
    /// Password of an account, and whether it is an administrator.
    Credentials(Option<(u8, bool)>),
    /// Clients that list a scope, number of live grants, and creation time of the newest.
    GrantUsage { clients: Vec<u8>, live: u64, last: Option<i64> },
    /// Numbers of audit records.
    Audit(Vec<u8>),
    /// The console session exists.
    UserSession { session: u8, subject: u8, last_used_at: i64 },
    /// Console sessions, and when they were last used.
    UserSessions(Vec<(u8, i64)>),
    /// The store returned an error, which no scenario permits.
    Failed(String),
}

impl Model {
    /// Performs the operation and deletes the expired rows that it sweeps.
    pub fn apply(&mut self, operation: Operation) -> OperationOutcome {
        let (outcome, ended) = self.apply_without_sweep(operation);
        ended.into_iter().for_each(|row| self.sweep(row));
        outcome
    }

    fn perform(&mut self, operation: Operation) -> OperationOutcome {
        operation.apply(self)
    }

    /// Returns the session, unless it has expired at `at`.
    pub(super) fn session(&self, session: u8, at: i64) -> Option<Session> {
        self.sessions
            .get(&session)
            .filter(|session| at < session.expires_at)
            .cloned()
    }
}

pub(super) const fn created(is_new: bool) -> OperationOutcome {
    if is_new {
        OperationOutcome::Created
    } else {
        OperationOutcome::AlreadyExists
    }
}
