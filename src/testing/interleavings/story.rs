use std::fmt;

use super::names::SESSION_ENDS;
use super::operation::Operation;
use super::schedule::Schedule;

/// What is there, what is called at once, and what is asked afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// What it is called in reports.
    pub name: String,
    /// What comes before, one after the other.
    pub start: Vec<Operation>,
    /// The two or three calls that run at once.
    pub calls: Vec<Operation>,
    /// What is asked and tried afterwards, one after the other: reads first.
    pub after: Vec<Operation>,
}

/// A run whose answers no order of its calls can explain. Its schedule makes it happen again: see [`replay`](super::replay).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The story.
    pub story: Story,
    /// The order of the steps.
    pub schedule: Schedule,
    /// What was wrong, with all answers.
    pub fault: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { story, schedule, fault } = self;
        write!(f, "{}\n  start: {:?}\n  schedule: {schedule}\n  {fault}", story.name, story.start)
    }
}

impl std::error::Error for Failure {}

impl Story {
    /// Whether any of its operations reads or writes the directory.
    pub(in crate::testing) fn is_about_the_school(&self) -> bool {
        self.start.iter().chain(&self.calls).chain(&self.after).any(|operation| operation.is_of_the_school())
    }

    /// A story that afterwards asks for everything that it touched.
    pub fn new(name: impl Into<String>, start: &[Operation], calls: &[Operation]) -> Self {
        let (start, calls) = (start.to_vec(), calls.to_vec());
        let mut after = Vec::new();
        for operation in start.iter().chain(&calls) {
            for question in questions(*operation, latest(&calls)) {
                if !after.contains(&question) {
                    after.push(question);
                }
            }
        }
        // Stable, so the reads keep their order, and what changes something keeps its own.
        after.sort_by_key(|operation| !operation.is_read());
        Self { name: name.into(), start, calls, after }
    }
}

/// The latest moment that a call is made at.
fn latest(calls: &[Operation]) -> i64 {
    let at = |operation: &Operation| match *operation {
        Operation::OpenSession { at, .. }
        | Operation::SignIn { at, .. }
        | Operation::Approve { at, .. }
        | Operation::ApproveCapped { at, .. }
        | Operation::ApproveRemembered { at, .. }
        | Operation::ApproveUnasked { at, .. }
        | Operation::SignOut { at, .. }
        | Operation::Withdraw { at, .. }
        | Operation::RevokeGrantsOf { at, .. }
        | Operation::GrantsOf { at, .. }
        | Operation::CloseSession { at, .. }
        | Operation::Session { at, .. }
        | Operation::Redeem { at, .. }
        | Operation::Rotate { at, .. }
        | Operation::RevokeGrant { at, .. }
        | Operation::DeleteClient { at, .. }
        | Operation::RemoveOwner { at, .. }
        | Operation::GrantIsLive { at, .. }
        | Operation::CreateApiKey { at, .. }
        | Operation::IssueApiKey { at, .. }
        | Operation::RevokeApiKey { at, .. }
        | Operation::RevokeApiKeysOf { at, .. }
        | Operation::RenewApiKey { at, .. }
        | Operation::TouchApiKeys { at, .. }
        | Operation::TakeCall { at, .. }
        | Operation::ApplicationUsage { at, .. }
        | Operation::ScopeUsage { at, .. }
        | Operation::ClientUsage { at, .. }
        | Operation::OpenUserSession { at, .. }
        | Operation::UserSession { at, .. }
        | Operation::TouchUserSessions { at, .. }
        | Operation::MoveUserSession { at, .. }
        | Operation::UserSessionsOf { at, .. }
        | Operation::SetPassword { at, .. }
        | Operation::RemoveAccount { at, .. } => at,
        _ => 0,
    };
    calls.iter().map(at).max().unwrap_or(0)
}

/// What tells the state of whatever the operation touches.
fn questions(operation: Operation, at: i64) -> Vec<Operation> {
    use Operation as O;
    match operation {
        O::OpenSession { session, .. } | O::CloseSession { session, .. } | O::Session { session, .. } => of_a_session(session, at),
        O::SignIn { session, replacement, .. } | O::SignOut { session, replacement, .. } => {
            [of_a_session(session, at), of_a_session(replacement, at)].concat()
        }
        O::ApproveCapped { session, grant, .. } => {
            [of_a_session(session, at), of_a_grant(grant, at), of_a_grant(1, at), of_a_grant(2, at)].concat()
        }
        O::Approve { session, grant, .. } => [of_a_session(session, at), of_a_grant(grant, at)].concat(),
        O::ApproveRemembered { session, grant, .. } | O::ApproveUnasked { session, grant, .. } => {
            [of_a_session(session, at), vec![O::Consent { subject: 1 }], of_a_grant(grant, at)].concat()
        }
        O::Withdraw { subject, grant, .. } => [vec![O::Consent { subject }], of_a_grant(grant, at)].concat(),
        O::RevokeGrantsOf { subject, .. } => {
            vec![O::Consent { subject }, O::GrantsOf { subject, at }, O::UserSessionsOf { subject, at }, O::ApiKey { digest: 1 }]
        }
        O::ForgetConsent { subject } | O::Consent { subject } | O::GrantsOf { subject, .. } => {
            vec![O::Consent { subject }, O::GrantsOf { subject, at }, O::UserSessionsOf { subject, at }]
        }
        O::Redeem { grant, .. }
        | O::Rotate { grant, .. }
        | O::RevokeGrant { grant, .. }
        | O::GrantIsLive { grant, .. }
        | O::CodeBinding { grant }
        | O::RefreshBinding { grant } => of_a_grant(grant, at),
        O::CreateApplication { application } | O::Application { application } => {
            vec![O::Application { application }, O::CreateApplication { application }]
        }
        O::RegisterApplication { application, at_most } => {
            vec![O::Application { application }, O::RegisterApplication { application: 9, at_most }]
        }
        O::RegisterScope { id, scope, at_most } => vec![O::Definition { id }, O::RegisterScope { id: 9, scope, at_most }],
        O::RegisterClient { client, scopes, at_most } => {
            vec![O::Client { client }, O::RegisterClient { client: 9, scopes, at_most }]
        }
        O::RenameApplication { application, .. } => vec![O::Application { application }, O::Definition { id: 1 }],
        O::CreateScope { id, scope } => vec![O::Scope { scope }, O::CreateScope { id, scope: 9 }, O::CreateScope { id: 9, scope }],
        O::Scope { scope } => vec![O::Scope { scope }],
        O::Definition { id } | O::DescribeScope { id, .. } | O::GuardScope { id, .. } => vec![O::Definition { id }],
        O::ApproveScope { id, client } | O::WithdrawScope { id, client } => vec![O::Client { client }, O::Approved { id }],
        O::Approved { id } => vec![O::Approved { id }],
        O::CreateClient { client, scopes } => vec![O::Client { client }, O::CreateClient { client, scopes }],
        O::Client { client }
        | O::UpdateClient { client, .. }
        | O::DeleteClient { client, .. }
        | O::AddSecret { client, .. }
        | O::GiveClient { client, .. }
        | O::RemoveOlderSecret { client } => vec![O::Client { client }],
        O::RemoveOwner { .. } => vec![O::Client { client: 1 }, O::Client { client: 2 }],
        O::DeleteApplication { application } => vec![O::Application { application }],
        O::DeleteScope { .. } => vec![O::Scope { scope: 1 }, O::Scope { scope: 2 }],
        O::CreateAccount { account, email } => {
            vec![O::Account { account }, O::AccountByEmail { email }, O::CreateAccount { account: 9, email }]
        }
        O::Account { account } => vec![O::Account { account }],
        O::AccountByEmail { email } => vec![O::AccountByEmail { email }],
        O::CreateApiKey { key, digest, .. } => {
            let create = |key, digest| O::CreateApiKey { key, digest, at };
            vec![O::ApiKey { digest }, create(9, digest), create(key, 9), O::RevokeApiKey { key, at }]
        }
        O::IssueApiKey { key, at_most, .. } => vec![O::ApiKey { digest: key }, O::IssueApiKey { key: 9, at_most, at }],
        O::RenewApiKey { key, digest, .. } => {
            let values = [key, digest].map(|digest| O::ApiKey { digest });
            [&values[..], &[O::CreateApiKey { key: 9, digest, at }, O::RenewApiKey { key, digest: 9, at }, O::RevokeApiKey { key, at }]]
                .concat()
        }
        O::RevokeApiKey { key, .. } => vec![O::ApiKey { digest: key }],
        O::RevokeApiKeysOf { .. } => [1, 2, 3, 4].map(|digest| O::ApiKey { digest }).to_vec(),
        O::ClaimNotice { key, issued } => vec![O::ApiKey { digest: key }, O::ClaimNotice { key, issued }],
        O::TouchApiKeys { keys, .. } => {
            let touched = keys.into_iter().filter(|key| *key > 0);
            touched.flat_map(|key| [O::ApiKey { digest: key }, O::ApiKeyUsage { key }]).collect()
        }
        O::ApiKeyUsage { key } => vec![O::ApiKeyUsage { key }],
        O::ApiKey { digest } => vec![O::ApiKey { digest }],
        O::InstallKey { sequence, key, at } => vec![O::SigningKeys, O::InstallKey { sequence, key, at }],
        O::RevokeKey { key, .. } => vec![O::SigningKeys, O::RevokeKey { key, at }],
        O::ResealKey { key, sealed, .. } => vec![O::SigningKeys, O::ResealKey { key, seen: sealed, sealed: 3 }],
        O::RemoveKeys { until } => vec![O::SigningKeys, O::RemoveKeys { until }],
        O::SigningKeys => vec![O::SigningKeys],
        O::TakeCall { key, .. } => vec![O::TakeCall { key, at }],
        O::PutClub { .. }
        | O::RemoveClub { .. }
        | O::PutStudent { .. }
        | O::RemoveStudent { .. }
        | O::PutClubAndStudent { .. }
        | O::Clubs => vec![O::Clubs],
        O::PutProject { .. } | O::RemoveProject { .. } | O::Projects => vec![O::Projects],
        O::PutNeis { what, .. } | O::RemoveNeis { what, .. } | O::Neis { what } => vec![O::Neis { what }],
        O::Rehash { account, .. } | O::Credentials { account } => vec![O::Credentials { account }],
        O::SetRole { account, .. } => vec![O::Credentials { account }, O::UserSessionsOf { subject: account, at }],
        O::SetPassword { account, .. } | O::RemoveAccount { account, .. } => {
            let subject = account;
            let consents = [O::Consent { subject }, O::GrantsOf { subject, at }, O::UserSessionsOf { subject, at }];
            [&[O::Credentials { account }, O::Account { account }, O::ApiKey { digest: 1 }, O::Client { client: 1 }], &consents[..]]
                .concat()
        }
        O::ApplicationUsage { application, .. } => vec![O::ApplicationUsage { application, at }],
        O::ScopeUsage { id, .. } => vec![O::ScopeUsage { id, at }],
        O::ClientUsage { client, .. } => vec![O::ClientUsage { client, at }],
        O::AppendAudit { first, .. } | O::AuditOfRequest { first } => vec![O::Audit, O::AuditOfRequest { first }],
        O::Audit | O::SweepAudit { .. } => vec![O::Audit],
        O::OpenUserSession { session, subject, .. } => [of_a_user_session(session, at), vec![O::UserSessionsOf { subject, at }]].concat(),
        O::UserSession { digest, .. } => of_a_user_session(digest, at),
        O::MoveUserSession { digest, replacement, .. } => [of_a_user_session(digest, at), of_a_user_session(replacement, at)].concat(),
        O::TouchUserSessions { .. } => vec![O::UserSessionsOf { subject: 1, at }],
        O::EndUserSession { subject, .. } | O::EndUserSessionsOf { subject, .. } | O::UserSessionsOf { subject, .. } => {
            vec![O::UserSessionsOf { subject, at }]
        }
    }
}

/// Where the session may have expired, also on a clock that is behind, which tells whether it was swept.
fn of_a_session(session: u8, at: i64) -> Vec<Operation> {
    let moments = if at < SESSION_ENDS { vec![at] } else { vec![at, 0] };
    moments.into_iter().map(|at| Operation::Session { session, at }).collect()
}

/// Where the session may be over, also on a clock that is behind, which tells whether it was swept.
fn of_a_user_session(digest: u8, at: i64) -> Vec<Operation> {
    let moments = if at < SESSION_ENDS { vec![at] } else { vec![at, 0] };
    moments.into_iter().map(|at| Operation::UserSession { digest, at }).collect()
}

/// Tokens are presented from the youngest on, which tells where the grant has come to, and at last the code.
fn of_a_grant(grant: u8, at: i64) -> Vec<Operation> {
    let reads = [Operation::CodeBinding { grant }, Operation::RefreshBinding { grant }, Operation::GrantIsLive { grant, at }];
    let rotations = [2, 1, 0].map(|generation| Operation::Rotate { grant, generation, at });
    [&reads[..], &rotations[..], &[Operation::Redeem { grant, at }]].concat()
}
