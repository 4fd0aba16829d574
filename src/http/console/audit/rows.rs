use super::explanation::{explanation, refusal_rule};
use super::names::{EventNames, is_account};
use super::records::{SchoolRecord, SchoolRecords};
use crate::domain::AuditEntry;
use crate::http::audit::{Change, EventName, ManagedObjectType, StoredEvent};
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
                |word| Sentence::new(event, (&names, about.as_ref()), text).write(word),
            ),
            facts: facts(server, (word, event), (&names, about.as_ref()), text),
            address: event.address.clone().unwrap_or_default(),
            request_id: record.request_id.to_string(),
            explanation: refusal_rule(word, event).map(|rule| text.domain.rule(rule)),
        }
    };
    Ok(entries.iter().zip(&events).map(row).collect())
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

/// An event as a sentence: what happened, in plain words.
struct Sentence<'a> {
    event: &'a StoredEvent,
    /// The user who did it.
    who: String,
    client: String,
    names: &'a EventNames,
    /// The record of the school that was edited, or viewed on its own.
    about: Option<&'a SchoolRecord>,
    text: &'static Texts,
}

impl<'a> Sentence<'a> {
    fn new(
        event: &'a StoredEvent,
        (names, about): (&'a EventNames, Option<&'a SchoolRecord>),
        text: &'static Texts,
    ) -> Self {
        let audit = &text.audit;
        let who = match event.subject.as_deref() {
            None => audit.unknown_user.to_owned(),
            Some("service") => audit.service.to_owned(),
            Some(id) => names.short_person(id),
        };
        let client = match event.client.as_deref() {
            None => audit.console.to_owned(),
            Some(id) => names.short_client(id),
        };
        Self {
            event,
            who,
            client,
            names,
            about,
            text,
        }
    }

    fn write(&self, word: EventName) -> String {
        let (event, audit, who) = (self.event, &self.text.audit, &self.who);
        let object = event.object.as_deref().unwrap_or_default();
        let list = self.text.school.list(object).unwrap_or(object);
        match (word, &event.change, event.count) {
            (EventName::Managed, Some(change), _) => self.managed(object, change),
            (EventName::Refused, ..) if event.rule.is_some() => self.refused(),
            (EventName::DataViewed, _, Some(count)) => match self.about {
                Some(record) => audit.viewed_one(who, &record.name, list),
                None => audit.viewed(who, object, count),
            },
            (EventName::SignInRefused, ..) if event.unknown_email => {
                audit.unknown_email(&self.client)
            }
            (EventName::SignInRefused, ..) if is_account(event) => {
                let id = event.id.as_deref().unwrap_or_default();
                let name = self.names.short_person(id);
                match event.client {
                    Some(_) => audit.wrong_password(name, &self.client),
                    None => audit.wrong_password_here(name),
                }
            }
            (EventName::SignedIn, ..) if event.client.is_none() => audit.signed_in_here(who),
            (EventName::SignedOut, ..) if event.client.is_none() => audit.signed_out_here(who),
            (EventName::Edited, change, _) => {
                let change = change.as_deref().unwrap_or_default();
                match self.about {
                    Some(record) => audit.edited_one(who, change, &record.name, list),
                    None => audit.edited(who, change, list),
                }
            }
            _ => audit.event(word.as_str(), who, &self.client, list),
        }
    }

    /// Who was refused, and why.
    fn refused(&self) -> String {
        let (event, audit) = (self.event, &self.text.audit);
        let why = explanation(Some(EventName::Refused), event, self.text);
        let why = &*why;
        let key = event.api_key.as_deref().and_then(|id| self.names.key(id));
        if event.subject.is_some() {
            audit.refused_person(&self.who, why)
        } else if event.client.is_some() {
            audit.refused_client(&self.client, why)
        } else if let Some(key) = key {
            audit.refused_key(key, why)
        } else {
            audit.refused_request(why)
        }
    }

    /// What a user changed.
    fn managed(&self, object: &str, change: &str) -> String {
        let (names, audit, who, client) = (self.names, &self.text.audit, &self.who, &self.client);
        let id = self.event.id.as_deref().unwrap_or_default();
        let (named, name) = match object {
            "api_key" => match names.key(id) {
                Some(name) => ("named_api_key", name.to_owned()),
                None => (object, id.to_owned()),
            },
            "application" => (object, names.short_application(id)),
            "scope" | "scope_approval" | "scope_request" => (object, names.short_scope(id)),
            "client" | "client_secret" => (object, names.short_client(id)),
            "account" | "password" | "sessions" => (object, names.short_person(id)),
            _ => (object, id.to_owned()),
        };
        match (object, change) {
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
                let change = change_word(object, change);
                audit.managed(who, change, audit.object(named, name))
            }
        }
    }
}

fn facts(
    server: &Server,
    (word, event): (Option<EventName>, &StoredEvent),
    (names, about): (&EventNames, Option<&SchoolRecord>),
    text: &'static Texts,
) -> Vec<EventFact> {
    let mut facts = Vec::new();
    // The filter of one viewed record is its id, and its count is 1: neither is shown.
    let is_one_record_view = word == Some(EventName::DataViewed) && event.id.is_some();
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
        (!event.fields.is_empty() && !is_one_record_view).then(|| fields(event, text)),
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
    let count = event.count;
    let count = count.filter(|_| !is_edit_of_one(event) && !is_one_record_view);
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
        "client" | "client_secret" => names.client(id),
        _ => id.to_owned(),
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
