use crate::domain::{ApiKeyId, ApplicationId, AuditId, ClientId, GrantId, Line, Prose, SubjectId, Timestamp};

/// Something that happened, as it is kept for people who look for it. It holds nothing secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// When.
    pub at: Timestamp,
    /// The id of the request in which it happened.
    pub request: Line,
    /// The word for what happened, such as `signed_in`.
    pub kind: Line,
    /// Who did it, or whom it was done for.
    pub subject: Option<SubjectId>,
    /// The client that it is about.
    pub client: Option<ClientId>,
    /// The application that it is about.
    pub application: Option<ApplicationId>,
    /// The grant that it is about.
    pub grant: Option<GrantId>,
    /// The API key that it is about.
    pub api_key: Option<ApiKeyId>,
    /// All that is told of it, as JSON.
    pub line: Prose,
}

/// A record with its place in the trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number. Whatever was kept later has a higher one.
    pub id: AuditId,
    /// What is kept.
    pub record: AuditRecord,
}

/// Which records are wanted: those of which everything that is given here is so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// See [`AuditRecord::kind`].
    pub kind: Option<Line>,
    /// See [`AuditRecord::subject`].
    pub subject: Option<SubjectId>,
    /// See [`AuditRecord::client`].
    pub client: Option<ClientId>,
    /// See [`AuditRecord::application`].
    pub application: Option<ApplicationId>,
    /// See [`AuditRecord::grant`].
    pub grant: Option<GrantId>,
    /// See [`AuditRecord::api_key`].
    pub api_key: Option<ApiKeyId>,
    /// The first moment that is wanted.
    pub from: Option<Timestamp>,
    /// The first moment that is not wanted any more.
    pub to: Option<Timestamp>,
}

impl AuditFilter {
    /// Whether the record is wanted.
    pub fn matches(&self, record: &AuditRecord) -> bool {
        fn is<T: PartialEq>(wanted: Option<&T>, has: Option<&T>) -> bool {
            wanted.is_none() || wanted == has
        }
        is(self.kind.as_ref(), Some(&record.kind))
            && is(self.subject.as_ref(), record.subject.as_ref())
            && is(self.client.as_ref(), record.client.as_ref())
            && is(self.application.as_ref(), record.application.as_ref())
            && is(self.grant.as_ref(), record.grant.as_ref())
            && is(self.api_key.as_ref(), record.api_key.as_ref())
            && self.from.is_none_or(|from| from <= record.at)
            && self.to.is_none_or(|to| record.at < to)
    }
}
