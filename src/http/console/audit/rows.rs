use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{AuditEntry, Client, ClientId, SubjectId};
use crate::http::audit::{Change, EventName, ManagedObjectType, RefusalRule, StoredEvent};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::views::{EventRow, LabeledValue};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Builds the rows of audit events, with the current names of users and clients.
pub(super) async fn rows(server: &Server, entries: &[AuditEntry]) -> Result<Vec<EventRow>, Error> {
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
        Ok(Self {
            people: UserLabels::load(server, &people).await?,
            clients,
        })
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
    add(text.key, event.key.clone());
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
    matches!(event.object.as_deref(), Some("account" | "password"))
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
