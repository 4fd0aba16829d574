use std::net::IpAddr;

use super::ManagedObject;
use super::{RefusalRule, RequestId, wire};
use crate::domain::{
    ApiKeyId, ClientId, DataKind, GrantId, KeyId, RecordKind, ScopeSet, SigningAlgorithm,
    StudentId, SubjectId, SyncResult, SyncRunRecord, Timestamp, Year, string_enum,
};

/// An audit event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The id of the request, as in its response's `x-request-id`. Events outside of requests have
    /// their own.
    pub request_id: RequestId,
    /// Time of the event.
    pub at: Timestamp,
    /// The client address of the request, if the host knows it.
    pub address: Option<IpAddr>,
    /// The kind of event, with its data.
    pub kind: EventKind,
}

/// The request that caused an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestOrigin {
    /// See [`Event::request_id`].
    pub(crate) request_id: RequestId,
    /// See [`Event::address`].
    pub(crate) address: Option<IpAddr>,
}

impl Event {
    pub(crate) fn new(
        RequestOrigin {
            request_id,
            address,
        }: RequestOrigin,
        at: Timestamp,
        kind: EventKind,
    ) -> Self {
        Self {
            request_id,
            at,
            address,
            kind,
        }
    }

    /// The event as one line of JSON. Its names are stable across versions.
    pub fn to_json(&self) -> String {
        wire::to_json(self)
    }
}

/// Kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// A user signed in.
    SignedIn {
        /// The user.
        subject: SubjectId,
        /// The client for which the user signs in; `None` for the console.
        client: Option<ClientId>,
    },
    /// An e-mail address or a password was wrong. What was typed is not recorded, because users type
    /// passwords into the wrong field.
    SignInRefused {
        /// The client for which the user signs in; `None` for the console.
        client: Option<ClientId>,
        /// Whose e-mail address was typed. That this user typed it is not known.
        email_owner: EmailOwner,
    },
    /// A login attempt was refused because too many had failed before.
    SignInLimited {
        /// The client for which the user signs in; `None` for the console.
        client: Option<ClientId>,
    },
    /// A user signed out of the console, or switched accounts on the consent page.
    SignedOut {
        /// The user, if signed out of the console.
        subject: Option<SubjectId>,
        /// The client of the authorization session; `None` for the console.
        client: Option<ClientId>,
    },
    /// A user was shown the consent page.
    ConsentAsked {
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
        /// The requested scopes.
        scopes: ScopeSet,
    },
    /// A user consented.
    ConsentGiven {
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
        /// The scopes.
        scopes: ScopeSet,
        /// Whether the consent is remembered.
        remembered: bool,
    },
    /// A user was not asked, because an earlier consent covers the request.
    ConsentRemembered {
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
        /// The scopes.
        scopes: ScopeSet,
    },
    /// A user denied consent.
    ConsentDenied {
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
    },
    /// An authorization code was issued.
    CodeIssued {
        /// The grant that the code is for.
        grant: GrantId,
        /// The client.
        client: ClientId,
        /// The user.
        subject: SubjectId,
        /// The granted scopes.
        scopes: ScopeSet,
    },
    /// A code was redeemed for tokens.
    TokensIssued(IssuedToken),
    /// A refresh token was used and replaced.
    Refreshed(IssuedToken),
    /// The previous refresh token was used within the retry window and returned the same successor.
    RefreshRepeated(IssuedToken),
    /// A client received an access token of its own.
    ClientTokenIssued(IssuedToken),
    /// A single-use secret was used twice, so it may be stolen. The grant is revoked.
    ReuseDetected {
        /// The grant.
        grant: GrantId,
        /// The client that presented it, which may be the attacker or the legitimate client.
        client: ClientId,
        /// The kind of secret.
        of: ReusedSecret,
    },
    /// A client revoked a grant of its own.
    Revoked {
        /// The grant.
        grant: GrantId,
        /// The client.
        client: ClientId,
    },
    /// A grant was revoked at a refresh, because its user no longer exists.
    RevokedWithUser {
        /// The grant.
        grant: GrantId,
        /// The removed user.
        subject: SubjectId,
    },
    /// A grant was revoked because its user approved the same client again and already had as many
    /// grants as the host allows. It was the one that was used longest ago.
    GrantReplaced {
        /// The grant that was revoked.
        grant: GrantId,
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
    },
    /// A user revoked a grant.
    GrantWithdrawn {
        /// The grant.
        grant: GrantId,
        /// The user.
        subject: SubjectId,
    },
    /// A user withdrew a remembered consent. Grants revoked with it are recorded one by one.
    ConsentWithdrawn {
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
    },
    /// A user was signed out everywhere.
    SignedOutEverywhere {
        /// The user.
        subject: SubjectId,
        /// Number of revoked grants.
        grants: usize,
        /// Whether the user's API keys were revoked too.
        api_keys: bool,
    },
    /// A signing key was generated and published.
    SigningKeyInstalled {
        /// The key.
        key: KeyId,
        /// Its algorithm.
        algorithm: SigningAlgorithm,
    },
    /// A signing key was revoked.
    SigningKeyRevoked {
        /// The key.
        key: KeyId,
    },
    /// Expired signing keys were removed.
    SigningKeysRemoved {
        /// Number of keys.
        keys: usize,
    },
    /// The database was restored from a backup: all access has ended, and what may have changed
    /// since is suspended until it is confirmed.
    BackupRestored {
        /// Who restored it.
        by: SubjectId,
        /// Number of suspended accounts, API keys and clients.
        suspended: usize,
    },
    /// Records of the school were imported from a file.
    Imported {
        /// Who imported them.
        by: SubjectId,
        /// The kind of the records.
        kind: RecordKind,
        /// Number of new records.
        added: usize,
        /// Number of changed records.
        changed: usize,
        /// Number of removed records.
        removed: usize,
        /// The numbers of the directory's versions before and after.
        versions: [u64; 2],
    },
    /// A sync read records of the school from their source, or failed to.
    Synced {
        /// Who started it.
        by: SubjectId,
        /// The kind of the records.
        kind: DataKind,
        /// How it ended.
        result: SyncResult,
        /// Number of new records.
        added: usize,
        /// Number of changed records.
        changed: usize,
        /// Number of removed records.
        removed: usize,
        /// The numbers of the directory's versions before and after.
        versions: [u64; 2],
    },
    /// The school year was turned.
    YearTurned {
        /// Who turned it.
        by: SubjectId,
        /// The school year that ended.
        year: Year,
        /// Number of students who graduated.
        graduated: usize,
        /// Number of students who stayed, and changed their class.
        moved: usize,
        /// Number of new students.
        added: usize,
        /// The numbers of the directory's versions before and after.
        versions: [u64; 2],
    },
    /// A turn of the school year was undone.
    YearTurnUndone {
        /// Who undid it.
        by: SubjectId,
        /// The school year that the turn had ended.
        year: Year,
        /// Number of students who got back their enrollment from before the turn.
        restored: usize,
        /// Number of new students who were removed.
        removed: usize,
        /// The numbers of the directory's versions before and after.
        versions: [u64; 2],
    },
    /// The data of one person were erased.
    PersonErased {
        /// Who erased them.
        by: SubjectId,
        /// The student.
        student: StudentId,
        /// Number of deleted records: the student, entries of the history and accounts.
        records: usize,
    },
    /// Former students and history beyond their retention were removed.
    LeaversRemoved {
        /// Who removed them.
        by: SubjectId,
        /// Number of students.
        students: usize,
        /// Number of deleted entries of the history.
        history: usize,
    },
    /// An administrator edited records of the school.
    Edited {
        /// Who edited them.
        by: SubjectId,
        /// The kind of the records.
        kind: RecordKind,
        /// What became of them.
        change: Change,
        /// Number of records, without those that changed as a consequence.
        records: usize,
        /// The id of the record, if it is one.
        record: Option<i64>,
        /// The changed fields of the one record, by their names in the data API; empty for a created
        /// or deleted one. Never values.
        fields: Vec<&'static str>,
        /// The numbers of the directory's versions before and after.
        versions: [u64; 2],
    },
    /// An administrator looked at records of the school, or downloaded audit events, in the console,
    /// with the authority of the role instead of an API key.
    DataViewed {
        /// Who looked.
        by: SubjectId,
        /// The name of the list, such as `students`, `class_history` or `audit_events`.
        list: &'static str,
        /// The names of the filters, without their values.
        filters: Vec<&'static str>,
        /// Number of records on the page or in the file.
        records: usize,
        /// The id of the record, if it is one that was viewed on its own.
        record: Option<i64>,
    },
    /// A user changed a managed object.
    Managed {
        /// The user who made the change.
        by: SubjectId,
        /// The object.
        object: ManagedObject,
        /// The kind of change.
        change: Change,
        /// The changed fields, by their names in the management JSON; empty for created and deleted
        /// objects.
        fields: Vec<&'static str>,
    },
    /// A request was refused.
    Refused(RefusedRequest),
}

/// The event of a run: its numbers, and no record.
impl From<&SyncRunRecord> for EventKind {
    fn from(run: &SyncRunRecord) -> Self {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        Self::Synced {
            by: run.by.clone(),
            kind: run.kind,
            result: run.result,
            added: count(run.inserted),
            changed: count(run.updated),
            removed: count(run.deleted),
            versions: run.versions,
        }
    }
}

/// The user with a typed e-mail address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmailOwner {
    /// A user has it.
    User(SubjectId),
    /// No user has it.
    NoUser,
    /// It was not looked up.
    NotLookedUp,
}

/// Issued tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedToken {
    /// The grant, if the tokens are on behalf of a user.
    pub grant: Option<GrantId>,
    /// The client.
    pub client: ClientId,
    /// The user, if any.
    pub subject: Option<SubjectId>,
    /// The scopes of the access token.
    pub scopes: ScopeSet,
    /// The `jti` of the access token, for correlation with the logs of resource servers.
    pub token_id: String,
}

/// A refused request. The response reveals less, so that an attacker learns nothing from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRequest {
    /// The rule that refused it.
    pub rule: RefusalRule,
    /// The status of the response; 303 if the error was sent to the client by redirect.
    pub status: u16,
    /// The endpoint, by an internal name such as `token` or, in the data API, `students`.
    pub endpoint: &'static str,
    /// The client of the request, as far as known. It has not necessarily authenticated.
    pub client: Option<ClientId>,
    /// The user, if signed in.
    pub subject: Option<SubjectId>,
    /// The API key, if it works.
    pub api_key: Option<ApiKeyId>,
    /// The name of the parameter or field at fault, if it is one that the endpoint has; never its
    /// value, nor a name that only the client knows.
    pub parameter: Option<&'static str>,
}

string_enum! {
    /// A single-use secret.
    ReusedSecret {
        /// An authorization code.
        Code = "code",
        /// A refresh token.
        RefreshToken = "refresh_token",
    }
}

string_enum! {
    /// Change to a managed object.
    Change {
        /// Created.
        Created = "created",
        /// Changed.
        Changed = "changed",
        /// Renewed.
        Renewed = "renewed",
        /// Suspended, because its owner was removed or has left.
        Suspended = "suspended",
        /// Resumed, because its owner is enrolled again.
        Resumed = "resumed",
        /// Confirmed after a restoration had suspended it.
        Confirmed = "confirmed",
        /// Deleted.
        Deleted = "deleted",
        /// Refused by the user who decides about it.
        Refused = "refused",
        /// Verified by an administrator.
        Verified = "verified",
        /// Its verification was taken back by an administrator.
        Unverified = "unverified",
    }
}
