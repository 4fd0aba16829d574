use std::fmt;

use super::operation::Operation;
use super::run_ids::SESSION_LIFETIME;
use super::schedule::Schedule;

/// Setup, concurrent calls and subsequent checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// Name in reports.
    pub name: String,
    /// Operations that run first, one after the other.
    pub setup: Vec<Operation>,
    /// The two or three calls that run concurrently.
    pub calls: Vec<Operation>,
    /// Operations that run afterwards, one after the other: reads first.
    pub checks: Vec<Operation>,
}

/// Run whose outcomes no sequential order of its calls explains. Its schedule reproduces it: see
/// [`replay`](super::replay).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterleavingFailure {
    /// The scenario.
    pub scenario: Scenario,
    /// Order of the steps.
    pub schedule: Schedule,
    /// Description of the inconsistency, with all outcomes.
    pub reason: String,
}

impl fmt::Display for InterleavingFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scenario,
            schedule,
            reason,
        } = self;
        write!(
            f,
            "{}\n  setup: {:?}\n  schedule: {schedule}\n  {reason}",
            scenario.name, scenario.setup
        )
    }
}

impl std::error::Error for InterleavingFailure {}

impl Scenario {
    /// Whether any of its operations reads or writes the directory.
    pub(in crate::testing) fn uses_directory(&self) -> bool {
        self.setup
            .iter()
            .chain(&self.calls)
            .chain(&self.checks)
            .any(|operation| operation.uses_directory())
    }

    /// Creates a scenario whose checks read every record that its operations touch.
    pub fn new(name: impl Into<String>, setup: &[Operation], calls: &[Operation]) -> Self {
        let (setup, calls) = (setup.to_vec(), calls.to_vec());
        let mut checks = Vec::new();
        for operation in setup.iter().chain(&calls) {
            for check in checks_of(*operation, latest(&calls)) {
                if !checks.contains(&check) {
                    checks.push(check);
                }
            }
        }
        // The stable sort keeps the order of the reads and that of the writes.
        checks.sort_by_key(|operation| !operation.is_read());
        Self {
            name: name.into(),
            setup,
            calls,
            checks,
        }
    }
}

/// Returns the latest time of these calls.
fn latest(calls: &[Operation]) -> i64 {
    let at = |operation: &Operation| match *operation {
        Operation::OpenSession { at, .. }
        | Operation::SignIn { at, .. }
        | Operation::Approve { at, .. }
        | Operation::ApproveCapped { at, .. }
        | Operation::ApproveAndRemember { at, .. }
        | Operation::ApproveFromConsent { at, .. }
        | Operation::SignOut { at, .. }
        | Operation::WithdrawGrant { at, .. }
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
        | Operation::TakeRateLimit { at, .. }
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

/// Returns the operations that show the state of the records that an operation touches.
fn checks_of(operation: Operation, at: i64) -> Vec<Operation> {
    use Operation as O;
    match operation {
        O::OpenSession { session, .. }
        | O::CloseSession { session, .. }
        | O::Session { session, .. } => session_checks(session, at),
        O::SignIn {
            session,
            replacement,
            ..
        }
        | O::SignOut {
            session,
            replacement,
            ..
        } => [session_checks(session, at), session_checks(replacement, at)].concat(),
        O::ApproveCapped { session, grant, .. } => [
            session_checks(session, at),
            grant_checks(grant, at),
            grant_checks(1, at),
            grant_checks(2, at),
        ]
        .concat(),
        O::Approve { session, grant, .. } => {
            [session_checks(session, at), grant_checks(grant, at)].concat()
        }
        O::ApproveAndRemember { session, grant, .. }
        | O::ApproveFromConsent { session, grant, .. } => [
            session_checks(session, at),
            vec![O::Consent { subject: 1 }],
            grant_checks(grant, at),
        ]
        .concat(),
        O::WithdrawGrant { subject, grant, .. } => {
            [vec![O::Consent { subject }], grant_checks(grant, at)].concat()
        }
        O::RevokeGrantsOf { subject, .. } => {
            vec![
                O::Consent { subject },
                O::GrantsOf { subject, at },
                O::UserSessionsOf { subject, at },
                O::ApiKey { digest: 1 },
            ]
        }
        O::ForgetConsent { subject } | O::Consent { subject } | O::GrantsOf { subject, .. } => {
            vec![
                O::Consent { subject },
                O::GrantsOf { subject, at },
                O::UserSessionsOf { subject, at },
            ]
        }
        O::Redeem { grant, .. }
        | O::Rotate { grant, .. }
        | O::RevokeGrant { grant, .. }
        | O::GrantIsLive { grant, .. }
        | O::CodeBinding { grant }
        | O::RefreshBinding { grant } => grant_checks(grant, at),
        O::CreateApplication { application } | O::Application { application } => {
            vec![
                O::Application { application },
                O::CreateApplication { application },
            ]
        }
        O::RegisterApplication {
            application,
            at_most,
        } => {
            vec![
                O::Application { application },
                O::RegisterApplication {
                    application: 9,
                    at_most,
                },
            ]
        }
        O::RegisterScope { id, scope, at_most } => vec![
            O::Definition { id },
            O::RegisterScope {
                id: 9,
                scope,
                at_most,
            },
        ],
        O::RegisterClient {
            client,
            scopes,
            at_most,
        } => {
            vec![
                O::Client { client },
                O::RegisterClient {
                    client: 9,
                    scopes,
                    at_most,
                },
            ]
        }
        O::RenameApplication { application, .. } => {
            vec![O::Application { application }, O::Definition { id: 1 }]
        }
        O::CreateScope { id, scope } => vec![
            O::Scope { scope },
            O::CreateScope { id, scope: 9 },
            O::CreateScope { id: 9, scope },
        ],
        O::Scope { scope } => vec![O::Scope { scope }],
        O::Definition { id } | O::DescribeScope { id, .. } | O::RequireScopeApproval { id, .. } => {
            vec![O::Definition { id }]
        }
        O::ApproveScope { id, client } | O::WithdrawScope { id, client } => {
            vec![O::Client { client }, O::ScopeApprovals { id }]
        }
        O::ScopeApprovals { id } => vec![O::ScopeApprovals { id }],
        O::CreateClient { client, scopes } => {
            vec![O::Client { client }, O::CreateClient { client, scopes }]
        }
        O::Client { client }
        | O::UpdateClient { client, .. }
        | O::DeleteClient { client, .. }
        | O::AddClientSecret { client, .. }
        | O::SetClientOwner { client, .. }
        | O::RemoveOlderSecret { client } => vec![O::Client { client }],
        O::RemoveOwner { .. } => vec![O::Client { client: 1 }, O::Client { client: 2 }],
        O::DeleteApplication { application } => vec![O::Application { application }],
        O::DeleteScope { .. } => vec![O::Scope { scope: 1 }, O::Scope { scope: 2 }],
        O::CreateAccount { account, email } => {
            vec![
                O::Account { account },
                O::AccountByEmail { email },
                O::CreateAccount { account: 9, email },
            ]
        }
        O::Account { account } => vec![O::Account { account }],
        O::AccountByEmail { email } => vec![O::AccountByEmail { email }],
        O::CreateApiKey { key, digest, .. } => {
            let create = |key, digest| O::CreateApiKey { key, digest, at };
            vec![
                O::ApiKey { digest },
                create(9, digest),
                create(key, 9),
                O::RevokeApiKey { key, at },
            ]
        }
        O::IssueApiKey { key, at_most, .. } => vec![
            O::ApiKey { digest: key },
            O::IssueApiKey {
                key: 9,
                at_most,
                at,
            },
        ],
        O::RenewApiKey { key, digest, .. } => {
            let values = [key, digest].map(|digest| O::ApiKey { digest });
            [
                &values[..],
                &[
                    O::CreateApiKey { key: 9, digest, at },
                    O::RenewApiKey { key, digest: 9, at },
                    O::RevokeApiKey { key, at },
                ],
            ]
            .concat()
        }
        O::RevokeApiKey { key, .. } => vec![O::ApiKey { digest: key }],
        O::RevokeApiKeysOf { .. } => [1, 2, 3, 4].map(|digest| O::ApiKey { digest }).to_vec(),
        O::ClaimExpiryNotice { key, issued } => {
            vec![
                O::ApiKey { digest: key },
                O::ClaimExpiryNotice { key, issued },
            ]
        }
        O::TouchApiKeys { keys, .. } => {
            let touched = keys.into_iter().filter(|key| *key > 0);
            touched
                .flat_map(|key| [O::ApiKey { digest: key }, O::ApiKeyUsage { key }])
                .collect()
        }
        O::ApiKeyUsage { key } => vec![O::ApiKeyUsage { key }],
        O::ApiKey { digest } => vec![O::ApiKey { digest }],
        O::InstallSigningKey { sequence, key, at } => {
            vec![O::SigningKeys, O::InstallSigningKey { sequence, key, at }]
        }
        O::RevokeSigningKey { key, .. } => vec![O::SigningKeys, O::RevokeSigningKey { key, at }],
        O::ResealSigningKey { key, sealed, .. } => vec![
            O::SigningKeys,
            O::ResealSigningKey {
                key,
                seen: sealed,
                sealed: 3,
            },
        ],
        O::RemoveSigningKeys { until } => vec![O::SigningKeys, O::RemoveSigningKeys { until }],
        O::SigningKeys => vec![O::SigningKeys],
        O::TakeRateLimit { key, .. } => vec![O::TakeRateLimit { key, at }],
        O::PutClub { .. }
        | O::RemoveClub { .. }
        | O::PutStudent { .. }
        | O::RemoveStudent { .. }
        | O::PutClubAndStudent { .. }
        | O::Clubs => vec![O::Clubs],
        O::PutProject { .. } | O::RemoveProject { .. } | O::Projects => vec![O::Projects],
        O::PutNeis { what, .. } | O::RemoveNeis { what, .. } | O::Neis { what } => {
            vec![O::Neis { what }]
        }
        O::RehashPassword { account, .. } | O::Credentials { account } => {
            vec![O::Credentials { account }]
        }
        O::SetRole { account, .. } => vec![
            O::Credentials { account },
            O::UserSessionsOf {
                subject: account,
                at,
            },
        ],
        O::SetPassword { account, .. } | O::RemoveAccount { account, .. } => {
            let subject = account;
            let consents = [
                O::Consent { subject },
                O::GrantsOf { subject, at },
                O::UserSessionsOf { subject, at },
            ];
            [
                &[
                    O::Credentials { account },
                    O::Account { account },
                    O::ApiKey { digest: 1 },
                    O::Client { client: 1 },
                ],
                &consents[..],
            ]
            .concat()
        }
        O::ApplicationUsage { application, .. } => vec![O::ApplicationUsage { application, at }],
        O::ScopeUsage { id, .. } => vec![O::ScopeUsage { id, at }],
        O::ClientUsage { client, .. } => vec![O::ClientUsage { client, at }],
        O::AppendAudit { first, .. } | O::AuditOfRequest { first } => {
            vec![O::Audit, O::AuditOfRequest { first }]
        }
        O::Audit | O::SweepAuditRecords { .. } => vec![O::Audit],
        O::OpenUserSession {
            session, subject, ..
        } => [
            user_session_checks(session, at),
            vec![O::UserSessionsOf { subject, at }],
        ]
        .concat(),
        O::UserSession { digest, .. } => user_session_checks(digest, at),
        O::MoveUserSession {
            digest,
            replacement,
            ..
        } => [
            user_session_checks(digest, at),
            user_session_checks(replacement, at),
        ]
        .concat(),
        O::TouchUserSessions { .. } => vec![O::UserSessionsOf { subject: 1, at }],
        O::EndUserSession { subject, .. }
        | O::EndUserSessionsOf { subject, .. }
        | O::UserSessionsOf { subject, .. } => {
            vec![O::UserSessionsOf { subject, at }]
        }
    }
}

/// Reads a session that may have expired; also at an earlier time, which shows whether it was
/// deleted.
fn session_checks(session: u8, at: i64) -> Vec<Operation> {
    let moments = if at < SESSION_LIFETIME {
        vec![at]
    } else {
        vec![at, 0]
    };
    moments
        .into_iter()
        .map(|at| Operation::Session { session, at })
        .collect()
}

/// Reads a console session that may have expired; also at an earlier time, which shows whether it
/// was deleted.
fn user_session_checks(digest: u8, at: i64) -> Vec<Operation> {
    let moments = if at < SESSION_LIFETIME {
        vec![at]
    } else {
        vec![at, 0]
    };
    moments
        .into_iter()
        .map(|at| Operation::UserSession { digest, at })
        .collect()
}

/// Presents the refresh tokens from the newest on, which shows the generation of the grant, and
/// then the code.
fn grant_checks(grant: u8, at: i64) -> Vec<Operation> {
    let reads = [
        Operation::CodeBinding { grant },
        Operation::RefreshBinding { grant },
        Operation::GrantIsLive { grant, at },
    ];
    let rotations = [2, 1, 0].map(|generation| Operation::Rotate {
        grant,
        generation,
        at,
    });
    [
        &reads[..],
        &rotations[..],
        &[Operation::Redeem { grant, at }],
    ]
    .concat()
}
