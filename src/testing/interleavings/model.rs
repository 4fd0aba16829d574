mod accounts;
mod api_keys;
mod audit_trail;
mod consents;
mod registry;
mod school;
mod sweep;
mod usage;
mod user_sessions;

use std::collections::{BTreeMap, BTreeSet};

pub use registry::Client;

use super::consents::{MANAGE, SELF_READ};
use super::names::{ABSOLUTE, IDLE, SESSION_ENDS, WINDOW};
use super::neis::Neis;
use super::operation::Operation;

/// What a store must do, in the fewest words: the operations one after the other, on maps of small numbers.
///
/// It has nothing in common with any store. What one store does and the model does not, one of the two does wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    sessions: BTreeMap<u8, Session>,
    grants: BTreeMap<u8, Grant>,
    /// The scopes that each subject allowed, the last one first, and when that was.
    consents: BTreeMap<u8, (Vec<u8>, i64)>,
    /// Their names.
    applications: BTreeMap<u8, u8>,
    scopes: BTreeMap<u8, registry::Definition>,
    /// The clients that were approved for scopes, after these.
    approvals: BTreeSet<(u8, u8)>,
    clients: BTreeMap<u8, Client>,
    accounts: BTreeMap<u8, Account>,
    api_keys: BTreeMap<u8, api_keys::ApiKey>,
    /// Numbers, requests and moments.
    audit: Vec<(u8, u8, i64)>,
    user_sessions: BTreeMap<u8, user_sessions::UserSession>,
    signing_keys: BTreeMap<u8, SigningKey>,
    /// When the calls that were let in would be over at the allowed pace, one each 30 seconds.
    rates: BTreeMap<u8, i64>,
    /// The leaders by the clubs, and the clubs by the students; 0 for none.
    clubs: BTreeMap<u8, u8>,
    students: BTreeMap<u8, u8>,
    /// Their clubs and participants.
    projects: BTreeMap<u8, (u8, BTreeSet<u8>)>,
    /// The versions of meals, events and lessons.
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

/// What an [`Operation`] came to. Times are seconds from the beginning of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each says what it is by its name")]
#[rustfmt::skip]
pub enum Outcome {
    Opened,
    /// There is such a session, this is who has signed in, and whether scope 1 is among its scopes.
    Session { subject: Option<u8>, has_scope: bool },
    NotSignedIn,
    NotConsented,
    /// A redemption or a rotation went well.
    Tokens { generation: u32, has_scope: bool, idle_expires_at: i64, expires_at: i64 },
    /// The previous refresh token, inside its window.
    Repeated(Box<Self>),
    AlreadyRedeemed { at: i64 },
    Reused,
    Expired,
    Revoked,
    Unknown,
    Is(bool),
    /// The scopes that were allowed, and when.
    Consent(Option<(Vec<u8>, i64)>),
    /// Grants, since when they are there and when they were last used.
    Grants(Vec<(u8, i64, i64)>),
    Created,
    Taken,
    Done,
    /// Something else was seen than is there.
    Changed,
    /// A scope that is not there.
    Missing(u8),
    /// A scope that a client may not list yet.
    NeedsApproval(u8),
    /// Whose something is, or under which number it is known; 0 for a stranger.
    Belongs(Option<u8>),
    /// A scope's description, whether it needs an approval, and the name of its application.
    Definition(Option<(u8, bool, u8)>),
    /// The clients that were approved.
    Clients(Vec<u8>),
    /// What is known of a client.
    Client(Option<Client>),
    /// There is such an API key, and this is when the value that was asked for ends.
    ApiKey { key: u8, ends: i64, revoked_at: Option<i64>, last_used_at: Option<i64> },
    /// The days, counted from the story's first, and how often a key was used on them.
    Usage(Vec<(i32, u64)>),
    /// How many went.
    Removed(usize),
    /// A signing key had been revoked before.
    AlreadyRevoked { at: i64 },
    /// Sequence numbers, keys, how they are sealed, and when they were revoked.
    Keys(Vec<(u8, u8, u8, Option<i64>)>),
    Allowed { remaining: u32 },
    Denied { seconds: u64 },
    /// Why a batch was refused.
    Refused(&'static str),
    /// Clubs with leader and members.
    Clubs(Vec<(u8, u8, Vec<u8>)>),
    /// Projects with club and participants.
    Projects(Vec<(u8, u8, Vec<u8>)>),
    /// The numbers and versions of meals, events or lessons.
    Neis(Vec<(u8, u8)>),
    /// An account's password, and whether it is an administrator's.
    Credentials(Option<(u8, bool)>),
    /// The clients that list a scope, how many grants live, and since when the newest.
    InUse { clients: Vec<u8>, live: u64, last: Option<i64> },
    /// The numbers of what happened.
    Audit(Vec<u8>),
    /// There is such a session in the console.
    UserSession { session: u8, subject: u8, last_used_at: i64 },
    /// Sessions in the console, and when they were last used.
    UserSessions(Vec<(u8, i64)>),
    /// The store could not answer, which nothing in a story excuses.
    Failed(String),
}

impl Model {
    /// Does the operation, and takes away what it sweeps.
    pub fn apply(&mut self, operation: Operation) -> Outcome {
        let (outcome, ended) = self.before_its_sweep(operation);
        ended.into_iter().for_each(|row| self.sweep(row));
        outcome
    }

    fn perform(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::OpenSession { session, at } => {
                let scopes = vec![1, if session < 7 { SELF_READ } else { MANAGE }];
                self.sessions.insert(session, Session { subject: None, scopes, expires_at: at + SESSION_ENDS });
                Outcome::Opened
            }
            Operation::SignIn { session, replacement, subject, at } => {
                let Some(pending) = self.session(session, at) else { return Outcome::Unknown };
                self.sessions.remove(&session);
                let signed_in = Session { subject: Some(subject), ..pending };
                let outcome = signed_in.outcome();
                self.sessions.insert(replacement, signed_in);
                outcome
            }
            Operation::CloseSession { session, at } => {
                let Some(pending) = self.session(session, at) else { return Outcome::Unknown };
                self.sessions.remove(&session);
                pending.outcome()
            }
            Operation::Session { session, at } => self.session(session, at).map_or(Outcome::Unknown, |session| session.outcome()),
            Operation::Redeem { grant, at } => self.grants.get_mut(&grant).map_or(Outcome::Unknown, |grant| grant.redeem(at)),
            Operation::Rotate { grant, generation, at } => {
                self.grants.get_mut(&grant).map_or(Outcome::Unknown, |grant| grant.rotate(generation, at))
            }
            Operation::RevokeGrant { grant, at } => {
                let grant = self.grants.get_mut(&grant);
                Outcome::Is(grant.map(|grant| grant.revoke(at)).is_some())
            }
            Operation::GrantIsLive { grant, at } => Outcome::Is(self.grants.get(&grant).is_some_and(|grant| grant.is_live(at))),
            Operation::CodeBinding { grant } => Outcome::Belongs(self.grants.get(&grant).map(|grant| grant.subject)),
            Operation::RefreshBinding { grant } => {
                let grant = self.grants.get(&grant).filter(|grant| grant.redeemed.is_some());
                Outcome::Belongs(grant.map(|grant| grant.subject))
            }
            Operation::CreateApiKey { .. }
            | Operation::IssueApiKey { .. }
            | Operation::RenewApiKey { .. }
            | Operation::RevokeApiKey { .. }
            | Operation::RevokeApiKeysOf { .. }
            | Operation::TouchApiKeys { .. }
            | Operation::ApiKeyUsage { .. }
            | Operation::ClaimNotice { .. }
            | Operation::ApiKey { .. } => self.perform_on_api_keys(operation),
            Operation::InstallKey { sequence, key, at } => {
                if let Some(first) = self.signing_keys.get(&sequence) {
                    return Outcome::Belongs(Some(first.key));
                }
                self.signing_keys.insert(sequence, SigningKey { key, sealed: key, created_at: at, revoked_at: None });
                Outcome::Created
            }
            Operation::RevokeKey { key, at } => {
                let Some(key) = self.signing_keys.values_mut().find(|known| known.key == key) else { return Outcome::Unknown };
                if let Some(at) = key.revoked_at {
                    return Outcome::AlreadyRevoked { at };
                }
                key.revoked_at = Some(at);
                Outcome::Revoked
            }
            Operation::ResealKey { key, seen, sealed } => {
                let kept = self.signing_keys.values_mut().find(|known| known.key == key && known.sealed == seen);
                Outcome::Is(kept.map(|key| key.sealed = sealed).is_some())
            }
            Operation::RemoveKeys { until } => {
                let newest = self.signing_keys.iter().rev().find(|(_, key)| key.created_at <= until).map_or(0, |(sequence, _)| *sequence);
                let before = self.signing_keys.len();
                self.signing_keys.retain(|sequence, _| *sequence >= newest);
                Outcome::Removed(before - self.signing_keys.len())
            }
            Operation::SigningKeys => {
                let known = |(sequence, key): (&u8, &SigningKey)| (*sequence, key.key, key.sealed, key.revoked_at);
                Outcome::Keys(self.signing_keys.iter().map(known).collect())
            }
            Operation::TakeCall { key, at } => self.take_call(key, at),
            Operation::Approve { .. }
            | Operation::ApproveCapped { .. }
            | Operation::ApproveRemembered { .. }
            | Operation::ApproveUnasked { .. }
            | Operation::SignOut { .. }
            | Operation::Withdraw { .. }
            | Operation::ForgetConsent { .. }
            | Operation::RevokeGrantsOf { .. }
            | Operation::Consent { .. }
            | Operation::GrantsOf { .. } => self.perform_with_consents(operation),
            Operation::ApplicationUsage { .. } | Operation::ScopeUsage { .. } | Operation::ClientUsage { .. } => self.tell_usage(operation),
            Operation::AppendAudit { .. } | Operation::Audit | Operation::AuditOfRequest { .. } | Operation::SweepAudit { .. } => {
                self.perform_on_audit(operation)
            }
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
            | Operation::Rehash { .. }
            | Operation::SetPassword { .. }
            | Operation::SetRole { .. }
            | Operation::RemoveAccount { .. }
            | Operation::Credentials { .. } => self.perform_on_accounts(operation),
            _ => self.perform_in_registry(operation),
        }
    }

    /// The session, unless it has expired.
    fn session(&self, session: u8, at: i64) -> Option<Session> {
        self.sessions.get(&session).filter(|session| at < session.expires_at).cloned()
    }

    /// Two at once, and then one each 30 seconds.
    fn take_call(&mut self, key: u8, at: i64) -> Outcome {
        let over = self.rates.get(&key).map_or(at, |over| *over.max(&at));
        let early = over - at - 30;
        if early > 0 {
            return Outcome::Denied { seconds: early.unsigned_abs() };
        }
        self.rates.insert(key, over + 30);
        Outcome::Allowed { remaining: if over == at { 1 } else { 0 } }
    }
}

impl Session {
    fn outcome(&self) -> Outcome {
        Outcome::Session { subject: self.subject, has_scope: self.scopes.contains(&1) }
    }
}

impl Grant {
    fn redeem(&mut self, at: i64) -> Outcome {
        if let Some(first) = self.redeemed {
            self.revoke(at);
            return Outcome::AlreadyRedeemed { at: first.at };
        }
        if self.revoked_at.is_some() {
            return Outcome::Revoked;
        }
        if at >= self.code_expires_at {
            return Outcome::Expired;
        }
        let expires_at = at + ABSOLUTE;
        let redeemed = Redeemed { at, generation: 0, rotated_at: at, idle_expires_at: (at + IDLE).min(expires_at), expires_at };
        self.redeemed = Some(redeemed);
        redeemed.tokens(self.has_scope)
    }

    fn rotate(&mut self, presented: u32, at: i64) -> Outcome {
        let is_live = self.is_live(at);
        let Some(redeemed) = &mut self.redeemed else { return Outcome::Unknown };
        if !is_live {
            return if self.revoked_at.is_some() { Outcome::Revoked } else { Outcome::Expired };
        }
        if presented > redeemed.generation {
            return Outcome::Unknown;
        }
        if presented == redeemed.generation {
            let idle_expires_at = (at + IDLE).min(redeemed.expires_at);
            *redeemed = Redeemed { generation: presented + 1, rotated_at: at, idle_expires_at, ..*redeemed };
            return redeemed.tokens(self.has_scope);
        }
        if presented + 1 == redeemed.generation && at <= redeemed.rotated_at + WINDOW {
            return Outcome::Repeated(Box::new(redeemed.tokens(self.has_scope)));
        }
        self.revoke(at);
        Outcome::Reused
    }

    fn revoke(&mut self, at: i64) {
        self.revoked_at.get_or_insert(at);
    }

    fn is_live(&self, at: i64) -> bool {
        self.revoked_at.is_none() && self.redeemed.is_some_and(|redeemed| at < redeemed.idle_expires_at && at < redeemed.expires_at)
    }
}

impl Redeemed {
    const fn tokens(&self, has_scope: bool) -> Outcome {
        let Self { generation, idle_expires_at, expires_at, .. } = *self;
        Outcome::Tokens { generation, has_scope, idle_expires_at, expires_at }
    }
}

const fn created(is_new: bool) -> Outcome {
    if is_new { Outcome::Created } else { Outcome::Taken }
}
