mod accounts;
mod api_keys;
mod audit_trail;
mod consents;
mod directory;
mod registry;
mod retention;
mod usage;
mod user_sessions;

use std::collections::{BTreeMap, BTreeSet};

pub use registry::Client;

use super::consents::{MANAGE, SELF_READ};
use super::neis::Neis;
use super::operation::Operation;
use super::run_ids::{ABSOLUTE_LIFETIME, IDLE_TIMEOUT, RETRY_WINDOW, SESSION_LIFETIME};

/// Reference model of a store: executes the operations one after the other, on maps of small
/// numbers.
///
/// It shares no code with any store, so where a store's outcome differs, one of the two is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    sessions: BTreeMap<u8, Session>,
    grants: BTreeMap<u8, Grant>,
    /// Scopes that each subject consented to, the latest first, and the time of the consent.
    consents: BTreeMap<u8, (Vec<u8>, i64)>,
    /// Names of the applications.
    applications: BTreeMap<u8, u8>,
    scopes: BTreeMap<u8, registry::Definition>,
    /// Scopes, each with a client that was approved for it.
    approvals: BTreeSet<(u8, u8)>,
    clients: BTreeMap<u8, Client>,
    accounts: BTreeMap<u8, Account>,
    api_keys: BTreeMap<u8, api_keys::ApiKey>,
    /// Number, request and time of each record.
    audit: Vec<(u8, u8, i64)>,
    user_sessions: BTreeMap<u8, user_sessions::UserSession>,
    signing_keys: BTreeMap<u8, SigningKey>,
    /// Time at which the allowed calls would end at the sustained rate of one each 30 seconds.
    rates: BTreeMap<u8, i64>,
    /// Leaders of the clubs and clubs of the students; 0 for none.
    clubs: BTreeMap<u8, u8>,
    students: BTreeMap<u8, u8>,
    /// Clubs and participants of the projects.
    projects: BTreeMap<u8, (u8, BTreeSet<u8>)>,
    /// Versions of the meals, events and lessons.
    neis: BTreeMap<(Neis, u8), u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Session {
    subject: Option<u8>,
    scopes: Vec<u8>,
    expires_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Grant {
    subject: u8,
    has_scope: bool,
    code_expires_at: i64,
    revoked_at: Option<i64>,
    redeemed: Option<Redeemed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Account {
    email: u8,
    password: u8,
    is_admin: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SigningKey {
    key: u8,
    sealed: u8,
    created_at: i64,
    revoked_at: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Redeemed {
    at: i64,
    generation: u32,
    rotated_at: i64,
    idle_expires_at: i64,
    expires_at: i64,
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
        match operation {
            Operation::OpenSession { session, at } => {
                let scopes = vec![1, if session < 7 { SELF_READ } else { MANAGE }];
                self.sessions.insert(
                    session,
                    Session {
                        subject: None,
                        scopes,
                        expires_at: at + SESSION_LIFETIME,
                    },
                );
                OperationOutcome::Opened
            }
            Operation::SignIn {
                session,
                replacement,
                subject,
                at,
            } => {
                let Some(pending) = self.session(session, at) else {
                    return OperationOutcome::Unknown;
                };
                self.sessions.remove(&session);
                let signed_in = Session {
                    subject: Some(subject),
                    ..pending
                };
                let outcome = signed_in.outcome();
                self.sessions.insert(replacement, signed_in);
                outcome
            }
            Operation::CloseSession { session, at } => {
                let Some(pending) = self.session(session, at) else {
                    return OperationOutcome::Unknown;
                };
                self.sessions.remove(&session);
                pending.outcome()
            }
            Operation::Session { session, at } => self
                .session(session, at)
                .map_or(OperationOutcome::Unknown, |session| session.outcome()),
            Operation::Redeem { grant, at } => self
                .grants
                .get_mut(&grant)
                .map_or(OperationOutcome::Unknown, |grant| grant.redeem(at)),
            Operation::Rotate {
                grant,
                generation,
                at,
            } => self
                .grants
                .get_mut(&grant)
                .map_or(OperationOutcome::Unknown, |grant| {
                    grant.rotate(generation, at)
                }),
            Operation::RevokeGrant { grant, at } => {
                let grant = self.grants.get_mut(&grant);
                OperationOutcome::Bool(grant.map(|grant| grant.revoke(at)).is_some())
            }
            Operation::GrantIsLive { grant, at } => OperationOutcome::Bool(
                self.grants
                    .get(&grant)
                    .is_some_and(|grant| grant.is_live(at)),
            ),
            Operation::CodeBinding { grant } => {
                OperationOutcome::RefersTo(self.grants.get(&grant).map(|grant| grant.subject))
            }
            Operation::RefreshBinding { grant } => {
                let grant = self
                    .grants
                    .get(&grant)
                    .filter(|grant| grant.redeemed.is_some());
                OperationOutcome::RefersTo(grant.map(|grant| grant.subject))
            }
            Operation::CreateApiKey { .. }
            | Operation::IssueApiKey { .. }
            | Operation::RenewApiKey { .. }
            | Operation::RevokeApiKey { .. }
            | Operation::RevokeApiKeysOf { .. }
            | Operation::TouchApiKeys { .. }
            | Operation::ApiKeyUsage { .. }
            | Operation::ClaimExpiryNotice { .. }
            | Operation::ApiKey { .. } => self.perform_on_api_keys(operation),
            Operation::InstallSigningKey { sequence, key, at } => {
                if let Some(first) = self.signing_keys.get(&sequence) {
                    return OperationOutcome::RefersTo(Some(first.key));
                }
                self.signing_keys.insert(
                    sequence,
                    SigningKey {
                        key,
                        sealed: key,
                        created_at: at,
                        revoked_at: None,
                    },
                );
                OperationOutcome::Created
            }
            Operation::RevokeSigningKey { key, at } => {
                let Some(key) = self
                    .signing_keys
                    .values_mut()
                    .find(|known| known.key == key)
                else {
                    return OperationOutcome::Unknown;
                };
                if let Some(at) = key.revoked_at {
                    return OperationOutcome::AlreadyRevoked { at };
                }
                key.revoked_at = Some(at);
                OperationOutcome::Revoked
            }
            Operation::ResealSigningKey { key, seen, sealed } => {
                let kept = self
                    .signing_keys
                    .values_mut()
                    .find(|known| known.key == key && known.sealed == seen);
                OperationOutcome::Bool(kept.map(|key| key.sealed = sealed).is_some())
            }
            Operation::RemoveSigningKeys { until } => {
                let newest = self
                    .signing_keys
                    .iter()
                    .rev()
                    .find(|(_, key)| key.created_at <= until)
                    .map_or(0, |(sequence, _)| *sequence);
                let before = self.signing_keys.len();
                self.signing_keys.retain(|sequence, _| *sequence >= newest);
                OperationOutcome::Removed(before - self.signing_keys.len())
            }
            Operation::SigningKeys => {
                let known = |(sequence, key): (&u8, &SigningKey)| {
                    (*sequence, key.key, key.sealed, key.revoked_at)
                };
                OperationOutcome::Keys(self.signing_keys.iter().map(known).collect())
            }
            Operation::TakeRateLimit { key, at } => self.take_call(key, at),
            Operation::Approve { .. }
            | Operation::ApproveCapped { .. }
            | Operation::ApproveAndRemember { .. }
            | Operation::ApproveFromConsent { .. }
            | Operation::SignOut { .. }
            | Operation::WithdrawGrant { .. }
            | Operation::ForgetConsent { .. }
            | Operation::RevokeGrantsOf { .. }
            | Operation::Consent { .. }
            | Operation::GrantsOf { .. } => self.perform_on_consents(operation),
            Operation::ApplicationUsage { .. }
            | Operation::ScopeUsage { .. }
            | Operation::ClientUsage { .. } => self.perform_on_usage(operation),
            Operation::AppendAudit { .. }
            | Operation::Audit
            | Operation::AuditOfRequest { .. }
            | Operation::SweepAuditRecords { .. } => self.perform_on_audit(operation),
            Operation::OpenUserSession { .. }
            | Operation::UserSession { .. }
            | Operation::TouchUserSessions { .. }
            | Operation::MoveUserSession { .. }
            | Operation::UserSessionsOf { .. }
            | Operation::EndUserSession { .. }
            | Operation::EndUserSessionsOf { .. } => self.perform_on_user_sessions(operation),
            Operation::CreateAccount { .. }
            | Operation::Account { .. }
            | Operation::AccountByEmail { .. }
            | Operation::RehashPassword { .. }
            | Operation::SetPassword { .. }
            | Operation::SetRole { .. }
            | Operation::RemoveAccount { .. }
            | Operation::Credentials { .. } => self.perform_on_accounts(operation),
            _ => self.perform_on_registry(operation),
        }
    }

    /// Returns the session, unless it has expired.
    fn session(&self, session: u8, at: i64) -> Option<Session> {
        self.sessions
            .get(&session)
            .filter(|session| at < session.expires_at)
            .cloned()
    }

    /// Allows two calls at once, and then one each 30 seconds.
    fn take_call(&mut self, key: u8, at: i64) -> OperationOutcome {
        let over = self.rates.get(&key).map_or(at, |over| *over.max(&at));
        let early = over - at - 30;
        if early > 0 {
            return OperationOutcome::RateLimited {
                seconds: early.unsigned_abs(),
            };
        }
        self.rates.insert(key, over + 30);
        OperationOutcome::Allowed {
            remaining: if over == at { 1 } else { 0 },
        }
    }
}

impl Session {
    fn outcome(&self) -> OperationOutcome {
        OperationOutcome::Session {
            subject: self.subject,
            has_scope: self.scopes.contains(&1),
        }
    }
}

impl Grant {
    fn redeem(&mut self, at: i64) -> OperationOutcome {
        if let Some(first) = self.redeemed {
            self.revoke(at);
            return OperationOutcome::AlreadyRedeemed { at: first.at };
        }
        if self.revoked_at.is_some() {
            return OperationOutcome::Revoked;
        }
        if at >= self.code_expires_at {
            return OperationOutcome::Expired;
        }
        let expires_at = at + ABSOLUTE_LIFETIME;
        let redeemed = Redeemed {
            at,
            generation: 0,
            rotated_at: at,
            idle_expires_at: (at + IDLE_TIMEOUT).min(expires_at),
            expires_at,
        };
        self.redeemed = Some(redeemed);
        redeemed.tokens(self.has_scope)
    }

    fn rotate(&mut self, presented: u32, at: i64) -> OperationOutcome {
        let is_live = self.is_live(at);
        let Some(redeemed) = &mut self.redeemed else {
            return OperationOutcome::Unknown;
        };
        if !is_live {
            return if self.revoked_at.is_some() {
                OperationOutcome::Revoked
            } else {
                OperationOutcome::Expired
            };
        }
        if presented > redeemed.generation {
            return OperationOutcome::Unknown;
        }
        if presented == redeemed.generation {
            let idle_expires_at = (at + IDLE_TIMEOUT).min(redeemed.expires_at);
            *redeemed = Redeemed {
                generation: presented + 1,
                rotated_at: at,
                idle_expires_at,
                ..*redeemed
            };
            return redeemed.tokens(self.has_scope);
        }
        if presented + 1 == redeemed.generation && at <= redeemed.rotated_at + RETRY_WINDOW {
            return OperationOutcome::Repeated(Box::new(redeemed.tokens(self.has_scope)));
        }
        self.revoke(at);
        OperationOutcome::Reused
    }

    fn revoke(&mut self, at: i64) {
        self.revoked_at.get_or_insert(at);
    }

    fn is_live(&self, at: i64) -> bool {
        self.revoked_at.is_none()
            && self
                .redeemed
                .is_some_and(|redeemed| at < redeemed.idle_expires_at && at < redeemed.expires_at)
    }
}

impl Redeemed {
    const fn tokens(&self, has_scope: bool) -> OperationOutcome {
        let Self {
            generation,
            idle_expires_at,
            expires_at,
            ..
        } = *self;
        OperationOutcome::Tokens {
            generation,
            has_scope,
            idle_expires_at,
            expires_at,
        }
    }
}

const fn created(is_new: bool) -> OperationOutcome {
    if is_new {
        OperationOutcome::Created
    } else {
        OperationOutcome::AlreadyExists
    }
}
