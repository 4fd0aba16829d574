use super::model::{Model, OperationOutcome};
use super::neis::Neis;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use super::{
    accounts, api_keys, applications, audit_trail, clients, consents, directory, grants,
    rate_limits, signing_keys, usage, user_sessions,
};
use crate::store::{Creation, StorageError};

/// Whether an operation may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repetition {
    /// It may be repeated, also by another caller at the same time.
    Allowed,
    /// It only reads.
    Read,
    /// It has an id that callers draw at random, so that no two calls are the same.
    RandomId,
    /// Same as [`Self::RandomId`], and the id must be unused.
    UnusedId,
}

/// Declares the operations in groups. Each group is named after the module that calls the store,
/// applies the operations to the model and lists their checks. A word in brackets is the
/// operation's [`Repetition`].
macro_rules! operations {
    (@repetition) => { Repetition::Allowed };
    (@repetition $mark:ident) => { Repetition::$mark };
    ($(#[$attribute:meta])* $at:ident: $($kind:ident {
        $($(#[doc = $doc:literal])+ $([$mark:ident])? $name:ident $({ $($field:ident: $type:ty),+ })?,)+
    })+) => {
        $(#[$attribute])*
        pub enum Operation {
            $($($(#[doc = $doc])+ $name $({ $($field: $type),+ })?,)+)+
        }

        impl Operation {
            const fn repetition(self) -> Repetition {
                match self {
                    $($(Self::$name { .. } => operations!(@repetition $($mark)?),)+)+
                }
            }

            /// Returns the time of the operation; 0 if it has none.
            pub(super) const fn at(self) -> i64 {
                let $at = 0;
                match self {
                    $($(Self::$name $({ $($field),+ })? => { $($(let _ = $field;)+)? $at })+)+
                }
            }

            /// Whether the operation calls the directory instead of the store.
            pub(super) fn uses_directory(self) -> bool {
                let kind = match self {
                    $($(Self::$name { .. })|+ => stringify!($kind),)+
                };
                kind == "directory"
            }

            /// Performs the operation on the store, or on the directory over it.
            pub(in crate::testing) async fn call(
                self,
                handle: &StoreHandle,
                ids: RunIds,
            ) -> Result<OperationOutcome, StorageError> {
                match self {
                    $($(Self::$name { .. })|+ => $kind::call(self, handle, ids).await,)+
                }
            }

            /// Performs the operation on the model.
            pub(super) fn apply(self, model: &mut Model) -> OperationOutcome {
                match self {
                    $($(Self::$name { .. })|+ => model.$kind(self),)+
                }
            }

            /// Returns the operations that show the state of the records that this one touches, at
            /// a time.
            pub(super) fn checks(self, at: i64) -> Vec<Self> {
                match self {
                    $($(Self::$name { .. })|+ => $kind::checks(self, at),)+
                }
            }
        }
    };
}

operations! {
    /// One call of a store. Small numbers, 1 to 9, identify records of one kind; `at` is in seconds
    /// from the beginning of the scenario.
    ///
    /// A grant and its authorization code have the same number. Scopes belong to application 1, and
    /// clients to another owner; their redirect URIs and other settings are constant. Sessions
    /// belong to client 1 and request scope 1 and one of the service's built-in scopes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "each field says what it is by its name")]
    at:
    grants {
        /// Opens a session that expires after 600 seconds. It requests scope 1 and `self:read`, or
        /// `manage` from session 7 on.
        [UnusedId] OpenSession { session: u8, at: i64 },
        /// Records the signed-in subject and rotates the session token.
        [RandomId] SignIn { session: u8, replacement: u8, subject: u8, at: i64 },
        /// Removes the signed-in subject and rotates the session token.
        [RandomId] SignOut { session: u8, replacement: u8, at: i64 },
        /// Deletes a session without a grant.
        CloseSession { session: u8, at: i64 },
        /// Reads a session.
        [Read] Session { session: u8, at: i64 },
        /// Redeems a code.
        Redeem { grant: u8, at: i64 },
        /// Rotates a refresh token.
        Rotate { grant: u8, generation: u32, at: i64 },
        /// Revokes a grant.
        RevokeGrant { grant: u8, at: i64 },
        /// Reads whether a grant is live.
        [Read] GrantIsLive { grant: u8, at: i64 },
        /// Reads the proof that redeeming a code requires.
        [Read] CodeBinding { grant: u8 },
        /// Reads the proof that a refresh requires.
        [Read] RefreshBinding { grant: u8 },
    }
    consents {
        /// Approves a session: creates a grant with a code that expires after 60 seconds.
        [RandomId] Approve { session: u8, grant: u8, at: i64 },
        /// Same as [`Self::Approve`], and remembers the consent.
        [RandomId] ApproveAndRemember { session: u8, grant: u8, at: i64 },
        /// Same as [`Self::Approve`], if a remembered consent covers the requested scopes.
        [RandomId] ApproveFromConsent { session: u8, grant: u8, at: i64 },
        /// Same as [`Self::Approve`], with a limit on the grants of the user and client. Beyond it,
        /// the least recently used grants are revoked.
        [RandomId] ApproveCapped { session: u8, grant: u8, at_most: u32, at: i64 },
        /// Revokes a grant of a user and deletes their consent to its client.
        WithdrawGrant { subject: u8, grant: u8, at: i64 },
        /// Deletes a user's consent to the client.
        ForgetConsent { subject: u8 },
        /// Revokes every grant and API key of a user and ends their sessions.
        RevokeGrantsOf { subject: u8, at: i64 },
        /// Reads a user's consent.
        [Read] Consent { subject: u8 },
        /// Reads a user's live grants.
        [Read] GrantsOf { subject: u8, at: i64 },
    }
    applications {
        /// Registers an application under name 1.
        CreateApplication { application: u8 },
        /// Registers an application of subject 1 under name 1, unless they have `at_most`. All
        /// applications of such a scenario are theirs.
        RegisterApplication { application: u8, at_most: u32 },
        /// Reads the name of an application.
        [Read] Application { application: u8 },
        /// Renames an application.
        RenameApplication { application: u8, name: u8 },
        /// Deletes an application with its scopes.
        DeleteApplication { application: u8 },
        /// Creates a scope under an id, with description 1.
        CreateScope { id: u8, scope: u8 },
        /// Same as [`Self::CreateScope`], unless the application has `at_most`.
        RegisterScope { id: u8, scope: u8, at_most: u32 },
        /// Reads the id of a scope's definition.
        [Read] Scope { scope: u8 },
        /// Reads the definition with an id.
        [Read] Definition { id: u8 },
        /// Changes the description of a scope.
        DescribeScope { id: u8, description: u8 },
        /// Sets whether clients need an approval to list a scope.
        RequireScopeApproval { id: u8, approval_required: bool },
        /// Deletes a scope by the id of its definition.
        DeleteScope { id: u8 },
        /// Approves a client for a scope.
        ApproveScope { id: u8, client: u8 },
        /// Reads the clients that were approved for a scope.
        [Read] ScopeApprovals { id: u8 },
        /// Withdraws a scope from one client.
        WithdrawScope { id: u8, client: u8 },
    }
    clients {
        /// Registers a client with two scopes and one secret, which has the client's number.
        CreateClient { client: u8, scopes: [u8; 2] },
        /// Registers such a client of subject 1, unless they have `at_most`. All clients of such a
        /// scenario are theirs.
        RegisterClient { client: u8, scopes: [u8; 2], at_most: u32 },
        /// Reads a client.
        [Read] Client { client: u8 },
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
    }
    accounts {
        /// Creates an account. Accounts with an even number write their address in upper case.
        CreateAccount { account: u8, email: u8 },
        /// Reads the address of an account.
        [Read] Account { account: u8 },
        /// Reads the account that has an address.
        [Read] AccountByEmail { email: u8 },
        /// Replaces the hash of an unchanged password.
        RehashPassword { account: u8, seen: u8, new: u8 },
        /// Changes the password of an account, initially password 1.
        SetPassword { account: u8, seen: u8, new: u8, at: i64 },
        /// Sets the role of an account.
        SetRole { account: u8, is_admin: bool },
        /// Removes an account.
        RemoveAccount { account: u8, at: i64 },
        /// Reads the password and the role of an account.
        [Read] Credentials { account: u8 },
    }
    api_keys {
        /// Creates an API key that expires after 30 days.
        CreateApiKey { key: u8, digest: u8, at: i64 },
        /// Issues an API key to an owner, unless they have `at_most`. Its digest has the key's
        /// number.
        IssueApiKey { key: u8, at_most: u32, at: i64 },
        /// Renews an API key; the previous value works for another 10 seconds.
        RenewApiKey { key: u8, digest: u8, at: i64 },
        /// Revokes an API key.
        RevokeApiKey { key: u8, at: i64 },
        /// Revokes the API keys of an owner.
        RevokeApiKeysOf { owner: u8, at: i64 },
        /// Records uses of API keys: one of the first at `at`, and two of the second, the last a
        /// second earlier; 0 for none.
        TouchApiKeys { keys: [u8; 2], at: i64 },
        /// Reads the daily usage of an API key.
        [Read] ApiKeyUsage { key: u8 },
        /// Claims the notice that an API key issued at `issued` expires after 30 days.
        ClaimExpiryNotice { key: u8, issued: i64 },
        /// Reads the key that has a value with this digest.
        [Read] ApiKey { digest: u8 },
    }
    signing_keys {
        /// Installs a signing key under a sequence number.
        [RandomId] InstallSigningKey { sequence: u8, key: u8, at: i64 },
        /// Revokes a signing key.
        RevokeSigningKey { key: u8, at: i64 },
        /// Reseals a signing key if its seal is `seen`. The initial seal is the key's own number.
        ResealSigningKey { key: u8, seen: u8, sealed: u8 },
        /// Deletes the signing keys that were superseded by `until`.
        RemoveSigningKeys { until: i64 },
        /// Reads the signing keys.
        [Read] SigningKeys,
    }
    rate_limits {
        /// Takes one call of a quota of two in 60 seconds.
        TakeRateLimit { key: u8, at: i64 },
    }
    directory {
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
        [Read] Clubs,
        /// Puts a project of a club with two participants; 0 for none.
        PutProject { project: u8, club: u8, participants: [u8; 2] },
        /// Removes a project.
        RemoveProject { project: u8 },
        /// Reads the projects with their clubs and participants.
        [Read] Projects,
        /// Puts a meal, an event or a lesson, in one of several versions.
        PutNeis { what: Neis, number: u8, version: u8 },
        /// Removes a meal, an event or a lesson.
        RemoveNeis { what: Neis, number: u8 },
        /// Reads the meals, events or lessons of the scenario's day.
        [Read] Neis { what: Neis },
    }
    usage {
        /// Reads the usage of an application's scopes.
        [Read] ApplicationUsage { application: u8, at: i64 },
        /// Reads the usage of a scope.
        [Read] ScopeUsage { id: u8, at: i64 },
        /// Reads the usage of a client's grants.
        [Read] ClientUsage { client: u8, at: i64 },
    }
    audit_trail {
        /// Appends two audit records of one request, with this number and the next.
        AppendAudit { first: u8, at: i64 },
        /// Reads the audit records, newest first.
        [Read] Audit,
        /// Reads the audit records of a request.
        [Read] AuditOfRequest { first: u8 },
        /// Deletes audit records up to a time.
        SweepAuditRecords { until: i64 },
    }
    user_sessions {
        /// Opens a console session of a user, which expires after 600 seconds. Its digest has the
        /// session's number.
        [UnusedId] OpenUserSession { session: u8, subject: u8, at: i64 },
        /// Reads the console session with a digest, unless it was idle for 100 seconds.
        [Read] UserSession { digest: u8, at: i64 },
        /// Records uses of console sessions: the first at `at`, the second a second earlier; 0 for
        /// none.
        TouchUserSessions { sessions: [u8; 2], at: i64 },
        /// Rotates the digest of a console session.
        [RandomId] MoveUserSession { digest: u8, replacement: u8, at: i64 },
        /// Reads a user's console sessions.
        [Read] UserSessionsOf { subject: u8, at: i64 },
        /// Ends one of a user's console sessions.
        EndUserSession { subject: u8, session: u8 },
        /// Ends all of a user's console sessions but one; 0 for none.
        EndUserSessionsOf { subject: u8, except: u8 },
    }
}

impl Operation {
    /// Whether the operation only reads.
    pub const fn is_read(self) -> bool {
        matches!(self.repetition(), Repetition::Read)
    }

    /// Whether the operation needs an unused id, so that it cannot be repeated after it succeeded.
    pub(in crate::testing) const fn needs_fresh_id(self) -> bool {
        matches!(self.repetition(), Repetition::UnusedId)
    }

    /// Whether two callers may make the same call. Ids that callers draw at random never coincide.
    pub(super) const fn may_be_repeated(self) -> bool {
        matches!(self.repetition(), Repetition::Allowed | Repetition::Read)
    }
}

pub(super) const fn creation_outcome(creation: Creation) -> OperationOutcome {
    match creation {
        Creation::Created => OperationOutcome::Created,
        Creation::AlreadyExists => OperationOutcome::AlreadyExists,
    }
}
