//! The JSON of events. Its names are defined only here.

mod details;
mod managed_object;
mod serialize;
#[cfg(feature = "console")]
mod stored_event;

use std::net::IpAddr;

use serde::Serialize;

use details::Details;
use managed_object::identify;
#[cfg(feature = "console")]
pub(crate) use stored_event::StoredEvent;

use super::event_name::{EventName, ManagedObjectType};
use super::{
    EmailOwner, Event, EventKind, IssuedToken, ManagedObject, RefusalRule, RefusedRequest,
};
use crate::domain::AuditRecord;

/// An event as one line of JSON.
pub(super) fn to_json(event: &Event) -> String {
    let (name, details) = event_details(&event.kind);
    to_line(event, name, &details)
}

/// The record of an event in the store.
pub(super) fn to_record(event: &Event) -> Option<AuditRecord> {
    let (name, details) = event_details(&event.kind);
    let object = match &event.kind {
        EventKind::Managed { object, .. } => Some(object),
        _ => None,
    };
    let target = match &event.kind {
        EventKind::SignInRefused {
            email_owner: EmailOwner::User(user),
            ..
        } => Some(user.clone()),
        _ => object.and_then(ManagedObject::user),
    };
    Some(AuditRecord {
        at: event.at,
        request_id: event.request_id.as_str().parse().ok()?,
        kind: name.as_str().parse().ok()?,
        subject: details.subject.cloned(),
        target,
        client: match &event.kind {
            EventKind::Refused(refused) if !is_of_client(refused) => None,
            _ => details.client.or(object.and_then(ManagedObject::client)),
        },
        application: object.and_then(ManagedObject::application),
        grant: details.grant,
        api_key: details.api_key.or(object.and_then(ManagedObject::api_key)),
        json: to_line(event, name, &details)
            .parse()
            .or_else(|_| to_line(event, name, &details.clone().without_scopes()).parse())
            .ok()?,
    })
}

/// Whether the program that is the client caused the refusal. Visitors cause those of the pages on
/// which they sign in, in any number, and `prompt=none` asks whether a page is needed.
fn is_of_client(refused: &RefusedRequest) -> bool {
    let is_page = matches!(refused.endpoint, "login" | "consent" | "resume" | "session");
    !is_page && refused.rule != RefusalRule::Prompt
}

fn to_line(event: &Event, name: EventName, details: &Details<'_>) -> String {
    let record = EventJson {
        event: name.as_str(),
        request_id: event.request_id.as_str(),
        at: event.at.seconds(),
        address: event.address,
        details,
    };
    // Serializing a struct with text keys does not fail.
    serde_json::to_string(&record).unwrap_or_else(|_| format!("{{\"event\":\"{name}\"}}"))
}

/// The name of a kind of event.
pub(super) fn event_name(kind: &EventKind) -> &'static str {
    event_details(kind).0.as_str()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventJson<'a> {
    event: &'a str,
    request_id: &'a str,
    /// Epoch seconds.
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<IpAddr>,
    #[serde(flatten)]
    details: &'a Details<'a>,
}

fn event_details(kind: &EventKind) -> (EventName, Details<'_>) {
    let none = Details::default();
    match kind {
        EventKind::SignedIn { subject, client } => (
            EventName::SignedIn,
            none.for_client(*client).subject(subject),
        ),
        EventKind::SignInRefused {
            client,
            email_owner,
        } => {
            let details = none.for_client(*client);
            let details = match email_owner {
                EmailOwner::User(user) => Details {
                    object: Some(ManagedObjectType::Account.as_str()),
                    id: Some(user.as_str().to_owned()),
                    ..details
                },
                EmailOwner::NoUser => Details {
                    unknown_email: Some(true),
                    ..details
                },
                EmailOwner::NotLookedUp => details,
            };
            (EventName::SignInRefused, details)
        }
        EventKind::SignInLimited { client } => (EventName::SignInLimited, none.for_client(*client)),
        EventKind::SignedOut { subject, client } => (
            EventName::SignedOut,
            Details {
                subject: subject.as_ref(),
                ..none.for_client(*client)
            },
        ),
        EventKind::ConsentAsked {
            subject,
            client,
            scopes,
        } => (
            EventName::ConsentAsked,
            none.client(client).subject(subject).scopes(scopes),
        ),
        EventKind::ConsentGiven {
            subject,
            client,
            scopes,
            remembered,
        } => (
            EventName::ConsentGiven,
            Details {
                remembered: Some(*remembered),
                ..none.client(client).subject(subject).scopes(scopes)
            },
        ),
        EventKind::ConsentRemembered {
            subject,
            client,
            scopes,
        } => (
            EventName::ConsentRemembered,
            none.client(client).subject(subject).scopes(scopes),
        ),
        EventKind::ConsentDenied { subject, client } => (
            EventName::ConsentDenied,
            none.client(client).subject(subject),
        ),
        EventKind::CodeIssued {
            grant,
            client,
            subject,
            scopes,
        } => (
            EventName::CodeIssued,
            none.client(client)
                .subject(subject)
                .grant(grant)
                .scopes(scopes),
        ),
        EventKind::TokensIssued(issued) => (EventName::TokensIssued, issued_details(issued)),
        EventKind::Refreshed(issued) => (EventName::Refreshed, issued_details(issued)),
        EventKind::RefreshRepeated(issued) => (EventName::RefreshRepeated, issued_details(issued)),
        EventKind::ClientTokenIssued(issued) => {
            (EventName::ClientTokenIssued, issued_details(issued))
        }
        EventKind::ReuseDetected { grant, client, of } => (
            EventName::ReuseDetected,
            Details {
                of: Some(of.as_str()),
                ..none.client(client).grant(grant)
            },
        ),
        EventKind::Revoked { grant, client } => {
            (EventName::Revoked, none.client(client).grant(grant))
        }
        EventKind::RevokedWithUser { grant, subject } => (
            EventName::RevokedWithUser,
            none.subject(subject).grant(grant),
        ),
        EventKind::GrantReplaced {
            grant,
            subject,
            client,
        } => (
            EventName::GrantReplaced,
            none.client(client).subject(subject).grant(grant),
        ),
        EventKind::GrantWithdrawn { grant, subject } => (
            EventName::GrantWithdrawn,
            none.subject(subject).grant(grant),
        ),
        EventKind::ConsentWithdrawn { subject, client } => (
            EventName::ConsentWithdrawn,
            none.client(client).subject(subject),
        ),
        EventKind::SignedOutEverywhere {
            subject,
            grants,
            api_keys,
        } => {
            let fields: &[_] = if *api_keys { &["apiKeys"] } else { &[] };
            (
                EventName::SignedOutEverywhere,
                Details {
                    count: Some(*grants),
                    fields,
                    ..none.subject(subject)
                },
            )
        }
        EventKind::SigningKeyInstalled { key, algorithm } => (
            EventName::SigningKeyInstalled,
            Details {
                key: Some(key),
                algorithm: Some(algorithm.as_str()),
                ..none
            },
        ),
        EventKind::SigningKeyRevoked { key } => (
            EventName::SigningKeyRevoked,
            Details {
                key: Some(key),
                ..none
            },
        ),
        EventKind::SigningKeysRemoved { keys } => (
            EventName::SigningKeysRemoved,
            Details {
                count: Some(*keys),
                ..none
            },
        ),
        EventKind::BackupRestored { by, suspended } => (
            EventName::BackupRestored,
            Details {
                count: Some(*suspended),
                ..none.subject(by)
            },
        ),
        EventKind::Imported {
            by,
            kind,
            added,
            changed,
            removed,
            versions,
        } => (
            EventName::Imported,
            Details {
                object: Some(kind.as_str()),
                count: Some(added + changed + removed),
                added: Some(*added),
                changed: Some(*changed),
                removed: Some(*removed),
                versions: Some(*versions),
                ..none.subject(by)
            },
        ),
        EventKind::Synced {
            by,
            kind,
            result,
            added,
            changed,
            removed,
            versions,
        } => (
            EventName::Synced,
            Details {
                object: Some(kind.as_str()),
                result: Some(result.as_str()),
                count: Some(added.saturating_add(*changed).saturating_add(*removed)),
                added: Some(*added),
                changed: Some(*changed),
                removed: Some(*removed),
                versions: Some(*versions),
                ..none.subject(by)
            },
        ),
        EventKind::YearTurned {
            by,
            year,
            graduated,
            moved,
            added,
            versions,
        } => (
            EventName::YearTurned,
            Details {
                count: Some(graduated + moved + added),
                year: Some(year.get()),
                graduated: Some(*graduated),
                added: Some(*added),
                changed: Some(*moved),
                versions: Some(*versions),
                ..none.subject(by)
            },
        ),
        EventKind::YearTurnUndone {
            by,
            year,
            restored,
            removed,
            versions,
        } => (
            EventName::YearTurnUndone,
            Details {
                count: Some(restored + removed),
                year: Some(year.get()),
                changed: Some(*restored),
                removed: Some(*removed),
                versions: Some(*versions),
                ..none.subject(by)
            },
        ),
        EventKind::PersonErased {
            by,
            student,
            records,
        } => (
            EventName::PersonErased,
            Details {
                object: Some("students"),
                id: Some(student.to_string()),
                count: Some(*records),
                ..none.subject(by)
            },
        ),
        EventKind::LeaversRemoved {
            by,
            students,
            history,
        } => (
            EventName::LeaversRemoved,
            Details {
                object: Some("students"),
                count: Some(students + history),
                removed: Some(*students),
                ..none.subject(by)
            },
        ),
        EventKind::Edited {
            by,
            kind,
            change,
            records,
            record,
            fields,
            versions,
        } => (
            EventName::Edited,
            Details {
                object: Some(kind.as_str()),
                id: record.map(|record| record.to_string()),
                change: Some(change.as_str()),
                fields,
                count: Some(*records),
                versions: Some(*versions),
                ..none.subject(by)
            },
        ),
        EventKind::DataViewed {
            by,
            list,
            filters,
            records,
            record,
        } => (
            EventName::DataViewed,
            Details {
                object: Some(*list),
                id: record.map(|record| record.to_string()),
                count: Some(*records),
                fields: filters,
                ..none.subject(by)
            },
        ),
        EventKind::Managed {
            by,
            object,
            change,
            fields,
        } => {
            let (object, id, client) = identify(object);
            let details = none.for_client(client.copied()).subject(by);
            (
                EventName::Managed,
                Details {
                    object: Some(object.as_str()),
                    id: Some(id),
                    change: Some(change.as_str()),
                    fields,
                    ..details
                },
            )
        }
        EventKind::Refused(refused) => (EventName::Refused, refusal_details(refused)),
    }
}

fn issued_details(issued: &IssuedToken) -> Details<'_> {
    let details = Details::default()
        .client(&issued.client)
        .scopes(&issued.scopes);
    Details {
        grant: issued.grant,
        subject: issued.subject.as_ref(),
        token_id: Some(&issued.token_id),
        ..details
    }
}

fn refusal_details(refused: &RefusedRequest) -> Details<'_> {
    Details {
        rule: Some(refused.rule.as_str()),
        status: Some(refused.status),
        endpoint: Some(refused.endpoint),
        client: refused.client,
        subject: refused.subject.as_ref(),
        api_key: refused.api_key,
        parameter: refused.parameter,
        ..Details::default()
    }
}
