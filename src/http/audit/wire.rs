//! The names of an event's JSON, and nowhere else.

use std::net::IpAddr;

use serde::Serialize;

use super::{Event, EventKind, Issued, Object, Refused};
use crate::domain::{ClientId, GrantId, ScopeSet, SubjectId};

/// An event as one line of JSON.
pub(super) fn rendered(event: &Event) -> String {
    let (word, details) = told(&event.kind);
    let record = Record { event: word, request_id: event.request_id.as_str(), at: event.at.seconds(), address: event.address, details };
    // A struct whose keys are text does not fail.
    serde_json::to_string(&record).unwrap_or_else(|_| format!("{{\"event\":\"{word}\"}}"))
}

/// The name of a kind of event.
pub(super) fn word(kind: &EventKind) -> &'static str {
    told(kind).0
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record<'a> {
    event: &'static str,
    request_id: &'a str,
    /// Epoch seconds.
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<IpAddr>,
    #[serde(flatten)]
    details: Details,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scopes: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endpoint: Option<&'static str>,
}

impl Details {
    fn client(self, client: &ClientId) -> Self {
        Self { client: Some(client.to_string()), ..self }
    }

    fn to(self, client: Option<ClientId>) -> Self {
        Self { client: client.map(|client| client.to_string()), ..self }
    }

    fn subject(self, subject: &SubjectId) -> Self {
        Self { subject: Some(subject.as_str().to_owned()), ..self }
    }

    fn grant(self, grant: &GrantId) -> Self {
        Self { grant: Some(grant.to_string()), ..self }
    }

    fn scopes(self, scopes: &ScopeSet) -> Self {
        Self { scopes: Some(scopes.iter().map(ToString::to_string).collect()), ..self }
    }
}

fn told(kind: &EventKind) -> (&'static str, Details) {
    let none = Details::default();
    match kind {
        EventKind::SignedIn { subject, client } => ("signed_in", none.to(*client).subject(subject)),
        EventKind::SignInRefused { client } => ("sign_in_refused", none.to(*client)),
        EventKind::SignInLimited { client } => ("sign_in_limited", none.to(*client)),
        EventKind::SignedOut { subject, client } => {
            ("signed_out", Details { subject: subject.as_ref().map(|subject| subject.as_str().to_owned()), ..none.to(*client) })
        }
        EventKind::ConsentAsked { subject, client, scopes } => ("consent_asked", none.client(client).subject(subject).scopes(scopes)),
        EventKind::ConsentGiven { subject, client, scopes, remembered } => {
            ("consent_given", Details { remembered: Some(*remembered), ..none.client(client).subject(subject).scopes(scopes) })
        }
        EventKind::ConsentRemembered { subject, client, scopes } => {
            ("consent_remembered", none.client(client).subject(subject).scopes(scopes))
        }
        EventKind::ConsentDenied { subject, client } => ("consent_denied", none.client(client).subject(subject)),
        EventKind::CodeIssued { grant, client, subject, scopes } => {
            ("code_issued", none.client(client).subject(subject).grant(grant).scopes(scopes))
        }
        EventKind::TokensIssued(issued) => ("tokens_issued", of_issued(issued)),
        EventKind::Refreshed(issued) => ("refreshed", of_issued(issued)),
        EventKind::RefreshRepeated(issued) => ("refresh_repeated", of_issued(issued)),
        EventKind::ClientTokenIssued(issued) => ("client_token_issued", of_issued(issued)),
        EventKind::ReuseDetected { grant, client, of } => {
            ("reuse_detected", Details { of: Some(of.as_str()), ..none.client(client).grant(grant) })
        }
        EventKind::Revoked { grant, client } => ("revoked", none.client(client).grant(grant)),
        EventKind::RevokedWithUser { grant, subject } => ("revoked_with_user", none.subject(subject).grant(grant)),
        EventKind::GrantWithdrawn { grant, subject } => ("grant_withdrawn", none.subject(subject).grant(grant)),
        EventKind::ConsentWithdrawn { subject, client } => ("consent_withdrawn", none.client(client).subject(subject)),
        EventKind::SignedOutEverywhere { subject, grants } => {
            ("signed_out_everywhere", Details { count: Some(*grants), ..none.subject(subject) })
        }
        EventKind::SigningKeyInstalled { key, algorithm } => {
            ("signing_key_installed", Details { key: Some(key.to_string()), algorithm: Some(algorithm.as_str()), ..none })
        }
        EventKind::SigningKeyRevoked { key } => ("signing_key_revoked", Details { key: Some(key.to_string()), ..none }),
        EventKind::SigningKeysRemoved { keys } => ("signing_keys_removed", Details { count: Some(*keys), ..none }),
        EventKind::Managed { by, object, change, fields } => {
            let (object, id, client) = named(object);
            let details = Details { client: client.map(|client| client.to_string()), ..none.subject(by) };
            ("managed", Details { object: Some(object), id: Some(id), change: Some(change.as_str()), fields: fields.clone(), ..details })
        }
        EventKind::Refused(refused) => ("refused", of_refusal(refused)),
    }
}

fn of_issued(issued: &Issued) -> Details {
    let details = Details::default().client(&issued.client).scopes(&issued.scopes);
    Details {
        grant: issued.grant.as_ref().map(ToString::to_string),
        subject: issued.subject.as_ref().map(|subject| subject.as_str().to_owned()),
        token_id: Some(issued.token_id.clone()),
        ..details
    }
}

fn of_refusal(refused: &Refused) -> Details {
    Details {
        rule: Some(refused.rule.as_str()),
        status: Some(refused.status),
        endpoint: Some(refused.endpoint),
        client: refused.client.as_ref().map(ToString::to_string),
        ..Details::default()
    }
}

/// What it is, its id, and whose it is where that is not told by the id.
fn named(object: &Object) -> (&'static str, String, Option<&ClientId>) {
    match object {
        Object::Application(id) => ("application", id.to_string(), None),
        Object::Scope(scope) => ("scope", scope.to_string(), None),
        Object::Client(id) => ("client", id.to_string(), None),
        Object::ClientSecret(client) => ("client_secret", client.to_string(), None),
        Object::ScopeApproval { scope, client } => ("scope_approval", scope.to_string(), Some(client)),
        Object::ApiKey(id) => ("api_key", id.to_string(), None),
        Object::Account(id) => ("account", id.to_string(), None),
        Object::Password(account) => ("password", account.to_string(), None),
    }
}
