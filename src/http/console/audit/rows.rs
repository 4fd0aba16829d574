use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::domain::{ApplicationId, AuditEntry, Client, ClientId, SubjectId};
use crate::http::audit::{Change, EventName, ManagedObjectType, RefusalRule, StoredEvent};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::views::{EventRow, LabeledValue};
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
    let text = server.texts();
    let row = |(entry, event): (&AuditEntry, &StoredEvent)| {
        let record = &entry.record;
        let word = record.kind.as_str().parse::<EventName>().ok();
        EventRow {
            at: DisplayTime::from_timestamp(record.at, server.zone()),
            badge_kind: word.map_or("", |word| badge_kind(word, event)),
            title: word.map_or_else(
                || record.kind.to_string(),
                |word| text.domain.event(word).to_owned(),
            ),
            sentence: word.map_or_else(
                || record.kind.to_string(),
                |word| sentence(word, event, &names, text),
            ),
            facts: facts(event, &names, text),
            address: event.address.clone().unwrap_or_default(),
            request_id: record.request_id.to_string(),
            explanation: event
                .rule
                .as_deref()
                .and_then(|rule| rule.parse::<RefusalRule>().ok())
                .map(|rule| text.domain.rule(rule)),
        }
    };
    Ok(entries.iter().zip(&events).map(row).collect())
}

/// Current names of the users and clients in events. For a removed one, its id.
struct EventNames {
    people: UserLabels,
    clients: HashMap<ClientId, Arc<Client>>,
    applications: HashMap<ApplicationId, String>,
}

impl EventNames {
    async fn load(server: &Server, events: &[StoredEvent]) -> Result<Self, Error> {
        let accounts = events
            .iter()
            .filter(|event| is_account(event))
            .filter_map(|event| event.id.as_deref());
        let people = events
            .iter()
            .filter_map(|event| event.subject.as_deref())
            .chain(accounts);
        let people: Vec<SubjectId> = people.filter_map(|id| id.parse().ok()).collect();
        let ids = events
            .iter()
            .flat_map(|event| [&event.client, &event.id])
            .flatten();
        let clients = server
            .shared
            .management
            .clients_by_id(ids.filter_map(|id| id.parse().ok()).collect())
            .await?;
        let applications: HashSet<ApplicationId> = events
            .iter()
            .filter_map(|event| event.id.as_deref()?.split(':').next()?.parse().ok())
            .collect();
        let applications: Vec<ApplicationId> = applications.into_iter().collect();
        let applications = match applications.is_empty() {
            true => Vec::new(),
            false => server.storage().applications_by_id(&applications).await?,
        };
        Ok(Self {
            people: UserLabels::load(server, &people).await?,
            clients,
            applications: applications
                .into_iter()
                .map(|application| (application.id, application.name.to_string()))
                .collect(),
        })
    }

    /// The name of a user, or the e-mail address.
    fn short_person(&self, id: &str) -> String {
        id.parse()
            .map_or_else(|_| id.to_owned(), |id| self.people.short(&id))
    }

    /// The name of a client, or the id of a removed one.
    fn short_client(&self, id: &str) -> String {
        let client = id.parse().ok().and_then(|id| self.clients.get(&id));
        client.map_or_else(|| id.to_owned(), |client| client.name.to_string())
    }

    /// The name of an application, or the id of a removed one.
    fn application(&self, id: &str) -> String {
        let name = id.parse().ok().and_then(|id| self.applications.get(&id));
        name.map_or_else(|| id.to_owned(), Clone::clone)
    }

    /// A scope with the name of its application.
    fn scope(&self, scope: &str) -> String {
        match scope.split_once(':') {
            Some((application, name)) => format!("{}: {name}", self.application(application)),
            None => scope.to_owned(),
        }
    }

    fn person(&self, id: &str) -> String {
        id.parse()
            .map_or_else(|_| id.to_owned(), |id| self.people.name(&id))
    }

    fn client(&self, id: &str) -> String {
        let client = id.parse().ok().and_then(|id| self.clients.get(&id));
        client.map_or_else(|| id.to_owned(), |client| format!("{} ({id})", client.name))
    }
}

/// What happened, in plain words.
fn sentence(
    word: EventName,
    event: &StoredEvent,
    names: &EventNames,
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
        EventName::Managed => managed_sentence(event, (&who, &client), names, text),
        EventName::Refused if event.subject.is_some() => audit.refused_person(&who),
        EventName::Refused if event.client.is_some() => audit.refused_client(&client),
        EventName::Edited => {
            let list = text.school.list(object).unwrap_or(object);
            audit.edited(&who, change, list)
        }
        _ => {
            let list = text.school.list(object).unwrap_or(object);
            audit.event(word.as_str(), &who, &client, list)
        }
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
    let (object, change, id) = (word(&event.object), word(&event.change), word(&event.id));
    let name = match object.as_str() {
        "application" => names.application(&id),
        "scope" | "scope_approval" | "scope_request" => names.scope(&id),
        "client" | "client_secret" => names.short_client(&id),
        "account" | "password" | "sessions" => names.short_person(&id),
        _ => id,
    };
    match (object.as_str(), change.as_str()) {
        ("scope_approval", "created") => audit.approved(who, client, name),
        ("scope_approval", "deleted") => audit.approval_withdrawn(who, client, name),
        ("scope_request", "created") => audit.scope_asked(who, client, name),
        ("scope_request", "refused") => audit.scope_refused(who, client, name),
        ("scope_request", "deleted") => audit.scope_request_withdrawn(who, client, name),
        ("sessions", _) => audit.signed_out(who, name),
        ("password", "created") => audit.link_made(who, name),
        _ => audit.managed(who, &change, audit.object(&object, name)),
    }
}

fn facts(event: &StoredEvent, names: &EventNames, text: &'static Texts) -> Vec<LabeledValue> {
    let mut facts = Vec::new();
    let mut add = |label, value: Option<String>| {
        facts.extend(value.map(|value| LabeledValue { label, value }))
    };
    add(
        text.fact_person,
        event.subject.as_deref().map(|id| names.person(id)),
    );
    add(
        text.client,
        event.client.as_deref().map(|id| names.client(id)),
    );
    add(text.fact_object, object(event, names, text));
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
        (!event.fields.is_empty()).then(|| event.fields.join(", ")),
    );
    add(
        text.fact_scopes,
        (!event.scopes.is_empty()).then(|| event.scopes.join(" ")),
    );
    add(text.fact_connection, event.grant.clone());
    add(
        text.key,
        event.key.clone().or_else(|| event.api_key.clone()),
    );
    add(
        text.fact_versions,
        (!event.versions.is_empty()).then(|| {
            let versions: Vec<String> = event.versions.iter().map(u64::to_string).collect();
            versions.join(" → ")
        }),
    );
    add(text.fact_count, event.count.map(|count| count.to_string()));
    add(text.fact_rule, event.rule.clone());
    add(
        text.fact_status,
        event.status.map(|status| status.to_string()),
    );
    add(text.fact_endpoint, event.endpoint.clone());
    facts
}

/// The managed object, or the kind of credential that was reused.
fn object(event: &StoredEvent, names: &EventNames, text: &'static Texts) -> Option<String> {
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
    let name = if is_account(event) {
        names.person(id)
    } else {
        names.client(id)
    };
    Some(format!("{label}: {name}"))
}

fn is_account(event: &StoredEvent) -> bool {
    matches!(
        event.object.as_deref(),
        Some("account" | "password" | "sessions")
    )
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
