use crate::domain::{
    ApiKeyId, ApplicationId, AuditId, ClientId, GrantId, LongText, ShortText, SubjectId, Timestamp,
};

/// An event of the audit trail. It contains no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// Time of the event.
    pub at: Timestamp,
    /// Id of the request that caused the event.
    pub request_id: ShortText,
    /// Type of the event, such as `signed_in`.
    pub kind: ShortText,
    /// The user who acted, or on whose behalf the event happened.
    pub subject: Option<SubjectId>,
    /// The user to whom it was done, if another one or a change of an account.
    pub target: Option<SubjectId>,
    /// The client concerned; of a refused request, the client that made it.
    pub client: Option<ClientId>,
    /// The application concerned.
    pub application: Option<ApplicationId>,
    /// The grant concerned.
    pub grant: Option<GrantId>,
    /// The API key concerned.
    pub api_key: Option<ApiKeyId>,
    /// The whole event as JSON.
    pub json: LongText,
}

/// A stored audit record with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The number. Later records have higher numbers.
    pub id: AuditId,
    /// The record.
    pub record: AuditRecord,
}

/// The number of audit records of one kind and one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCount {
    /// The number of the day since 1970-01-01.
    pub day: i64,
    /// See [`AuditRecord::kind`].
    pub kind: ShortText,
    /// The number of records.
    pub count: u64,
}

/// Filter for audit records. A record matches if it has every value that is set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// See [`AuditRecord::kind`].
    pub kind: Option<ShortText>,
    /// See [`AuditRecord::subject`].
    pub subject: Option<SubjectId>,
    /// See [`AuditRecord::target`].
    pub target: Option<SubjectId>,
    /// See [`AuditRecord::client`].
    pub client: Option<ClientId>,
    /// See [`AuditRecord::application`].
    pub application: Option<ApplicationId>,
    /// See [`AuditRecord::grant`].
    pub grant: Option<GrantId>,
    /// See [`AuditRecord::api_key`].
    pub api_key: Option<ApiKeyId>,
    /// Start of the time range, included.
    pub from: Option<Timestamp>,
    /// End of the time range, excluded.
    pub to: Option<Timestamp>,
}

impl AuditFilter {
    /// Whether the record matches.
    pub fn matches(&self, record: &AuditRecord) -> bool {
        fn agrees<T: PartialEq>(wanted: Option<&T>, has: Option<&T>) -> bool {
            wanted.is_none() || wanted == has
        }
        agrees(self.kind.as_ref(), Some(&record.kind))
            && agrees(self.subject.as_ref(), record.subject.as_ref())
            && agrees(self.target.as_ref(), record.target.as_ref())
            && agrees(self.client.as_ref(), record.client.as_ref())
            && agrees(self.application.as_ref(), record.application.as_ref())
            && agrees(self.grant.as_ref(), record.grant.as_ref())
            && agrees(self.api_key.as_ref(), record.api_key.as_ref())
            && self.from.is_none_or(|from| from <= record.at)
            && self.to.is_none_or(|to| record.at < to)
    }
}
