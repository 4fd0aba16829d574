use super::explanation;
use super::names::{EventNames, is_account};
use super::records::{SchoolRecord, SchoolRecords};
use crate::domain::AuditEntry;
use crate::http::audit::{Change, EventName, ManagedObjectType, RefusalRule, StoredEvent};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::views::{EventFact, EventRow};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Builds the rows of audit events, with the current names of users and clients.
pub(in crate::http::console) async fn rows(
    server: &Server,
    entries: &[AuditEntry],
) -> Result<Vec<EventRow>, Error> {
    let events: Vec<StoredEvent> = entries
        .iter()
        .map(|entry| StoredEvent::parse(entry.record.json.as_str()))
        .collect();
    let names = EventNames::load(server, &events).await?;
    let records = SchoolRecords::load(server, &events).await?;
    let text = server.texts();
    let row = |(entry, event): (&AuditEntry, &StoredEvent)| {
        let record = &entry.record;
        let word = record.kind.as_str().parse::<EventName>().ok();
        let about = records.of(event);
        EventRow {
            at: DisplayTime::with_seconds(record.at, server.zone()),
            badge_kind: word.map_or("", |word| badge_kind(word, event)),
            title: word.map_or_else(|| record.kind.to_string(), |word| title(word, event, text)),
            sentence: word.map_or_else(
                || record.kind.to_string(),
                |word| sentence(word, event, (&names, about.as_ref()), text),
            ),
            facts: facts(server, event, (&names, about.as_ref()), text),
            address: event.address.clone().unwrap_or_default(),
            request_id: record.request_id.to_string(),
            explanation: known_rule(event).map(|rule| text.domain.rule(rule)),
        }
    };
    Ok(entries.iter().zip(&events).map(row).collect())
}

fn known_rule(event: &StoredEvent) -> Option<RefusalRule> {
    event.rule.as_deref()?.parse().ok()
}

/// The kind of the event in a word or two; of a managed object, what became of it.
fn title(word: EventName, event: &StoredEvent, text: &'static Texts) -> String {
    match (word, &event.change) {
        (EventName::Managed, Some(change)) => {
            let object = event.object.as_deref().unwrap_or_default();
            text.audit.tag(change_word(object, change))
        }
        _ => text.domain.event(word).to_owned(),
    }
}

/// The word for a change of an object, where people say another one than the log.
fn change_word<'a>(object: &str, change: &'a str) -> &'a str {
    match (object, change) {
        ("api_key" | "calendar_feed", "deleted") => "revoked",
        ("scope_approval", "created") => "approved",
        ("scope_request", "created") => "asked",
        ("sessions", _) => "signed_out",
        _ => change,
    }
}

/// What happened, in plain words.
fn sentence(
    word: EventName,
    event: &StoredEvent,
    (names, about): (&EventNames, Option<&SchoolRecord>),
    text: &'static Texts,
) -> String {
    let audit = &text.audit;
    let who = event.subject.as_deref();
    let who = who.map_or_else(
        || audit.unknown_user.to_owned(),
        |id| match id {
            "service" => audit.service.to_owned(),
            id => names.short_person(id),
        },
    );
    let client = event.client.as_deref();
    let client = client.map_or_else(
        || audit.console.to_owned(),
        |client| names.short_client(client),
    );
    let (object, change) = (
        event.object.as_deref().unwrap_or_default(),
        event.change.as_deref().unwrap_or_default(),
    );
    match word {
        EventName::Managed if event.change.is_some() => {
            managed_sentence(event, (&who, &client), names, text)
        }
        EventName::Refused if event.rule.is_some() => {
            refused_sentence(event, (&who, &client), names, text)
        }
        EventName::DataViewed if event.count.is_some() => {
            audit.viewed(&who, object, event.count.unwrap_or_default())
        }
        EventName::SignInRefused if event.unknown_email => audit.unknown_email(&client),
        EventName::SignInRefused if is_account(event) => {
            let name = event.id.as_deref().unwrap_or_default();
            audit.wrong_password(names.short_person(name), &client)
        }
        EventName::Edited => {
            let list = text.school.list(object).unwrap_or(object);
            match about {
                Some(record) => audit.edited_one(&who, change, &record.name, list),
                None => audit.edited(&who, change, list),
            }
        }
        _ => {
            let list = text.school.list(object).unwrap_or(object);
            audit.event(word.as_str(), &who, &client, list)
        }
    }
}

/// Who was refused, and why.
fn refused_sentence(
    event: &StoredEvent,
    (who, client): (&str, &str),
    names: &EventNames,
    text: &'static Texts,
) -> String {
    let audit = &text.audit;
    let why = explanation(event, text);
    let why = &*why;
    let key = event.api_key.as_deref().and_then(|id| names.key(id));
    if event.subject.is_some() {
        audit.refused_person(who, why)
    } else if event.client.is_some() {
        audit.refused_client(client, why)
    } else if let Some(key) = key {
        audit.refused_key(key, why)
    } else {
        audit.refused_request(why)
    }
}

/// What a user changed, in plain words.
fn managed_sentence(
    event: &StoredEvent,
    (who, client): (&str, &str),
    names: &EventNames,
    text: &'static Texts,
) -> String {
    let audit = &text.audit;
    let word = |word: &Option<String>| word.clone().unwrap_or_default();
    let (mut object, change, id) = (word(&event.object), word(&event.change), word(&event.id));
    let name = match object.as_str() {
        "api_key" => match names.key(&id) {
            Some(name) => {
                object = "named_api_key".to_owned();
                name.to_owned()
            }
            None => id,
        },
        "application" => names.short_application(&id),
        "scope" | "scope_approval" | "scope_request" => names.short_scope(&id),
        "client" | "client_secret" => names.short_client(&id),
        "account" | "password" | "sessions" => names.short_person(&id),
        _ => id,
    };
    match (object.as_str(), change.as_str()) {
        ("scope_approval", "created") => audit.approved(who, client, name),
        ("scope_approval", "deleted") => audit.approval_withdrawn(who, name, client),
        ("scope_request", "created") => audit.scope_asked(who, name, client),
        ("scope_request", "refused") => audit.scope_refused(who, client, name),
        ("scope_request", "deleted") => audit.scope_request_withdrawn(who, client, name),
        ("sessions", _) => audit.signed_out(who, name),
        ("client", "verified") => audit.client_verified(who, name),
        ("client", "unverified") => audit.client_unverified(who, name),
        ("password", "created") => audit.link_made(who, name),
        _ => {
            let change = change_word(event.object.as_deref().unwrap_or_default(), &change);
            audit.managed(who, change, audit.object(&object, name))
        }
    }
}

fn facts(
    server: &Server,
    event: &StoredEvent,
    (names, about): (&EventNames, Option<&SchoolRecord>),
    text: &'static Texts,
) -> Vec<EventFact> {
    let mut facts = Vec::new();
    let mut add = |label, value: Option<String>| {
        facts.extend(value.map(|value| EventFact {
            label,
            value,
            href: None,
        }))
    };
    add(
        text.fact_person,
        event.subject.as_deref().map(|id| names.person(id)),
    );
    add(
        text.client,
        event.client.as_deref().map(|id| names.client(id)),
    );
    add(text.fact_object, object(event, (names, about), text));
    add(
        text.fact_change,
        event.change.as_deref().map(|word| {
            word.parse::<Change>()
                .map_or(word, |change| text.domain.change(change))
                .to_owned()
        }),
    );
    add(
        text.fact_fields,
        (!event.fields.is_empty()).then(|| fields(event, text)),
    );
    add(
        text.fact_scopes,
        (!event.scopes.is_empty()).then(|| {
            let scopes = event.scopes.iter().map(|scope| names.scope(scope));
            scopes.collect::<Vec<_>>().join(", ")
        }),
    );
    add(text.fact_connection, event.grant.clone());
    add(
        text.key,
        event
            .key
            .clone()
            .or_else(|| event.api_key.as_deref().map(|id| names.key_with_id(id))),
    );
    add(
        text.fact_versions,
        (!event.versions.is_empty()).then(|| {
            let versions: Vec<String> = event.versions.iter().map(u64::to_string).collect();
            versions.join(" → ")
        }),
    );
    // Of an edited record, the number 1 says nothing.
    let count = event.count.filter(|_| !is_edit_of_one(event));
    add(text.fact_count, count.map(|count| count.to_string()));
    add(text.fact_rule, event.rule.clone());
    add(text.fact_parameter, event.parameter.clone());
    add(
        text.fact_status,
        event.status.map(|status| status.to_string()),
    );
    add(text.fact_endpoint, event.endpoint.clone());
    let target = facts.iter_mut().find(|fact| fact.label == text.fact_object);
    if let Some(target) = target {
        let record = about.and_then(|record| record.href.clone());
        target.href = record.or_else(|| account_page(server, event, names));
    }
    facts
}

/// The page of the account that an event is about, unless it is removed.
fn account_page(server: &Server, event: &StoredEvent, names: &EventNames) -> Option<String> {
    let is_built_in = is_account(event) && server.accounts().is_some();
    let id = event.id.as_deref().filter(|_| is_built_in)?;
    (names.person(id) != id).then(|| server.href(&format!("/admin/people/{id}")))
}

/// Whether one record of the school was edited.
fn is_edit_of_one(event: &StoredEvent) -> bool {
    !event.versions.is_empty() && event.id.is_some()
}

/// The names of fields; of an edited record in the words of its form.
fn fields(event: &StoredEvent, text: &'static Texts) -> String {
    let label = |field: &String| match is_edit_of_one(event) {
        true => text.school.field(field).unwrap_or(field).to_owned(),
        false => field.clone(),
    };
    event
        .fields
        .iter()
        .map(label)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The managed object, or the kind of credential that was reused.
fn object(
    event: &StoredEvent,
    (names, about): (&EventNames, Option<&SchoolRecord>),
    text: &'static Texts,
) -> Option<String> {
    let Some(word) = event.object.as_deref() else {
        return event.of.clone();
    };
    let label = word.parse::<ManagedObjectType>().map_or_else(
        |_| text.school.list(word).unwrap_or(word),
        |word| text.domain.object(word),
    );
    let Some(id) = event.id.as_deref() else {
        return Some(label.to_owned());
    };
    if let Some(record) = about {
        return Some(format!("{label}: {}", record.name));
    }
    let name = match word {
        _ if is_account(event) => names.person(id),
        "application" => names.application(id),
        "scope" | "scope_approval" | "scope_request" => names.scope(id),
        "api_key" => names.key_with_id(id),
        _ => names.client(id),
    };
    Some(format!("{label}: {name}"))
}

fn badge_kind(word: EventName, event: &StoredEvent) -> &'static str {
    match word {
        EventName::ReuseDetected | EventName::SigningKeyRevoked => "problem",
        EventName::Refused if event.status.is_some_and(|status| status >= 500) => "problem",
        EventName::Refused
        | EventName::SignInRefused
        | EventName::SignInLimited
        | EventName::BackupRestored => "warning",
        EventName::SignedIn | EventName::ConsentGiven => "good",
        _ => "",
    }
}
