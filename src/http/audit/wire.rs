//! The names of an event's JSON, and nowhere else.

use std::fmt::Display;
use std::net::IpAddr;

#[cfg(feature = "ui")]
use serde::Deserialize;
use serde::{Serialize, Serializer};

use super::words::{EventWord, ObjectWord};
use super::{Event, EventKind, Issued, Object, Refused};
use crate::domain::{AuditRecord, ClientId, GrantId, KeyId, Scope, ScopeSet, SubjectId};

/// An event as one line of JSON.
pub(super) fn rendered(event: &Event) -> String {
    let (word, details) = told(&event.kind);
    line(event, word, &details)
}

/// An event as it is kept.
pub(super) fn record(event: &Event) -> Option<AuditRecord> {
    let (word, details) = told(&event.kind);
    let object = match &event.kind {
        EventKind::Managed { object, .. } => Some(object),
        _ => None,
    };
    Some(AuditRecord {
        at: event.at,
        request: event.request_id.as_str().parse().ok()?,
        kind: word.as_str().parse().ok()?,
        subject: details.subject.cloned(),
        client: details.client.or(object.and_then(Object::client)),
        application: object.and_then(Object::application),
        grant: details.grant,
        api_key: object.and_then(Object::api_key),
        line: line(event, word, &details).parse().or_else(|_| line(event, word, &details.clone().without_scopes()).parse()).ok()?,
    })
}

fn line(event: &Event, word: EventWord, details: &Details<'_>) -> String {
    let record =
        Record { event: word.as_str(), request_id: event.request_id.as_str(), at: event.at.seconds(), address: event.address, details };
    // A struct whose keys are text does not fail.
    serde_json::to_string(&record).unwrap_or_else(|_| format!("{{\"event\":\"{word}\"}}"))
}

/// The name of a kind of event.
pub(super) fn word(kind: &EventKind) -> &'static str {
    told(kind).0.as_str()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record<'a> {
    event: &'a str,
    request_id: &'a str,
    /// Epoch seconds.
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<IpAddr>,
    #[serde(flatten)]
    details: &'a Details<'a>,
}

#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Details<'a> {
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    client: Option<ClientId>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "id")]
    subject: Option<&'a SubjectId>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    grant: Option<GrantId>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "texts")]
    scopes: Option<&'a ScopeSet>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    key: Option<&'a KeyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    fields: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endpoint: Option<&'static str>,
}

impl<'a> Details<'a> {
    fn client(self, client: &ClientId) -> Self {
        Self { client: Some(*client), ..self }
    }

    fn to(self, client: Option<ClientId>) -> Self {
        Self { client, ..self }
    }

    fn subject(self, subject: &'a SubjectId) -> Self {
        Self { subject: Some(subject), ..self }
    }

    fn grant(self, grant: &GrantId) -> Self {
        Self { grant: Some(*grant), ..self }
    }

    fn scopes(self, scopes: &'a ScopeSet) -> Self {
        Self { scopes: Some(scopes), ..self }
    }

    /// The same with the number of scopes in their place, which are more than a record has room for.
    fn without_scopes(self) -> Self {
        Self { count: self.scopes.map(ScopeSet::len), scopes: None, ..self }
    }
}

fn text<S: Serializer>(value: &Option<impl Display>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn id<S: Serializer>(subject: &Option<&SubjectId>, serializer: S) -> Result<S::Ok, S::Error> {
    subject.map(SubjectId::as_str).serialize(serializer)
}

fn texts<S: Serializer>(scopes: &Option<&ScopeSet>, serializer: S) -> Result<S::Ok, S::Error> {
    struct Text<'a>(&'a Scope);
    impl Serialize for Text<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self.0)
        }
    }
    serializer.collect_seq(scopes.iter().flat_map(|scopes| scopes.iter()).map(Text))
}

/// What is kept of an event, for people to read.
#[cfg(feature = "ui")]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Told {
    pub(crate) address: Option<String>,
    pub(crate) client: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) grant: Option<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) token_id: Option<String>,
    pub(crate) of: Option<String>,
    pub(crate) count: Option<u64>,
    pub(crate) key: Option<String>,
    pub(crate) object: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) change: Option<String>,
    pub(crate) fields: Vec<String>,
    pub(crate) rule: Option<String>,
    pub(crate) status: Option<u16>,
    pub(crate) endpoint: Option<String>,
}

#[cfg(feature = "ui")]
impl Told {
    /// What a kept line says; nothing, if it is no line of ours.
    pub(crate) fn of(line: &str) -> Self {
        serde_json::from_str(line).unwrap_or_default()
    }
}

fn told(kind: &EventKind) -> (EventWord, Details<'_>) {
    let none = Details::default();
    match kind {
        EventKind::SignedIn { subject, client } => (EventWord::SignedIn, none.to(*client).subject(subject)),
        EventKind::SignInRefused { client } => (EventWord::SignInRefused, none.to(*client)),
        EventKind::SignInLimited { client } => (EventWord::SignInLimited, none.to(*client)),
        EventKind::SignedOut { subject, client } => (EventWord::SignedOut, Details { subject: subject.as_ref(), ..none.to(*client) }),
        EventKind::ConsentAsked { subject, client, scopes } => {
            (EventWord::ConsentAsked, none.client(client).subject(subject).scopes(scopes))
        }
        EventKind::ConsentGiven { subject, client, scopes, remembered } => {
            (EventWord::ConsentGiven, Details { remembered: Some(*remembered), ..none.client(client).subject(subject).scopes(scopes) })
        }
        EventKind::ConsentRemembered { subject, client, scopes } => {
            (EventWord::ConsentRemembered, none.client(client).subject(subject).scopes(scopes))
        }
        EventKind::ConsentDenied { subject, client } => (EventWord::ConsentDenied, none.client(client).subject(subject)),
        EventKind::CodeIssued { grant, client, subject, scopes } => {
            (EventWord::CodeIssued, none.client(client).subject(subject).grant(grant).scopes(scopes))
        }
        EventKind::TokensIssued(issued) => (EventWord::TokensIssued, of_issued(issued)),
        EventKind::Refreshed(issued) => (EventWord::Refreshed, of_issued(issued)),
        EventKind::RefreshRepeated(issued) => (EventWord::RefreshRepeated, of_issued(issued)),
        EventKind::ClientTokenIssued(issued) => (EventWord::ClientTokenIssued, of_issued(issued)),
        EventKind::ReuseDetected { grant, client, of } => {
            (EventWord::ReuseDetected, Details { of: Some(of.as_str()), ..none.client(client).grant(grant) })
        }
        EventKind::Revoked { grant, client } => (EventWord::Revoked, none.client(client).grant(grant)),
        EventKind::RevokedWithUser { grant, subject } => (EventWord::RevokedWithUser, none.subject(subject).grant(grant)),
        EventKind::GrantReplaced { grant, subject, client } => {
            (EventWord::GrantReplaced, none.client(client).subject(subject).grant(grant))
        }
        EventKind::GrantWithdrawn { grant, subject } => (EventWord::GrantWithdrawn, none.subject(subject).grant(grant)),
        EventKind::ConsentWithdrawn { subject, client } => (EventWord::ConsentWithdrawn, none.client(client).subject(subject)),
        EventKind::SignedOutEverywhere { subject, grants, api_keys } => {
            let fields: &[_] = if *api_keys { &["apiKeys"] } else { &[] };
            (EventWord::SignedOutEverywhere, Details { count: Some(*grants), fields, ..none.subject(subject) })
        }
        EventKind::SigningKeyInstalled { key, algorithm } => {
            (EventWord::SigningKeyInstalled, Details { key: Some(key), algorithm: Some(algorithm.as_str()), ..none })
        }
        EventKind::SigningKeyRevoked { key } => (EventWord::SigningKeyRevoked, Details { key: Some(key), ..none }),
        EventKind::SigningKeysRemoved { keys } => (EventWord::SigningKeysRemoved, Details { count: Some(*keys), ..none }),
        EventKind::Managed { by, object, change, fields } => {
            let (object, id, client) = named(object);
            let details = none.to(client.copied()).subject(by);
            (EventWord::Managed, Details { object: Some(object.as_str()), id: Some(id), change: Some(change.as_str()), fields, ..details })
        }
        EventKind::Refused(refused) => (EventWord::Refused, of_refusal(refused)),
    }
}

fn of_issued(issued: &Issued) -> Details<'_> {
    let details = Details::default().client(&issued.client).scopes(&issued.scopes);
    Details { grant: issued.grant, subject: issued.subject.as_ref(), token_id: Some(&issued.token_id), ..details }
}

fn of_refusal(refused: &Refused) -> Details<'_> {
    Details {
        rule: Some(refused.rule.as_str()),
        status: Some(refused.status),
        endpoint: Some(refused.endpoint),
        client: refused.client,
        ..Details::default()
    }
}

/// What it is, its id, and whose it is where that is not told by the id.
fn named(object: &Object) -> (ObjectWord, String, Option<&ClientId>) {
    match object {
        Object::Application(id) => (ObjectWord::Application, id.to_string(), None),
        Object::Scope(scope) => (ObjectWord::Scope, scope.to_string(), None),
        Object::Client(id) => (ObjectWord::Client, id.to_string(), None),
        Object::ClientSecret(client) => (ObjectWord::ClientSecret, client.to_string(), None),
        Object::ScopeApproval { scope, client } => (ObjectWord::ScopeApproval, scope.to_string(), Some(client)),
        Object::ApiKey(id) => (ObjectWord::ApiKey, id.to_string(), None),
        Object::Account(id) => (ObjectWord::Account, id.to_string(), None),
        Object::Password(account) => (ObjectWord::Password, account.to_string(), None),
    }
}
