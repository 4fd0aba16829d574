use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{AuditEntry, Client, ClientId, SubjectId};
use crate::http::audit::{Change, EventName, ManagedObjectType, RefusalRule, StoredEvent};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::subject_names::SubjectNames;
use crate::http::console::views::{EventRow, LabeledValue};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Builds the rows of audit events, with the current names of users and clients.
pub(super) async fn rows(server: &Server, entries: &[AuditEntry]) -> Result<Vec<EventRow>, Error> {
    let told: Vec<StoredEvent> = entries
        .iter()
        .map(|entry| StoredEvent::parse(entry.record.json.as_str()))
        .collect();
    let names = EventNames::load(server, &told).await?;
    let text = server.texts();
    let row = |(entry, told): (&AuditEntry, &StoredEvent)| {
        let record = &entry.record;
        let word = record.kind.as_str().parse::<EventName>().ok();
        EventRow {
            at: DisplayTime::from_timestamp(record.at, server.zone()),
            badge_kind: word.map_or("", |word| badge_kind(word, told)),
            title: word.map_or_else(
                || record.kind.to_string(),
                |word| text.domain.event(word).to_owned(),
            ),
            facts: facts(told, &names, text),
            address: told.address.clone().unwrap_or_default(),
            request_id: record.request_id.to_string(),
            explanation: told
                .rule
                .as_deref()
                .and_then(|rule| rule.parse::<RefusalRule>().ok())
                .map(|rule| text.domain.rule(rule)),
        }
    };
    Ok(entries.iter().zip(&told).map(row).collect())
}

/// Names of users and clients. A removed one is shown by its id alone.
struct EventNames {
    people: SubjectNames,
    clients: HashMap<ClientId, Arc<Client>>,
}

impl EventNames {
    async fn load(server: &Server, told: &[StoredEvent]) -> Result<Self, Error> {
        let accounts = told
            .iter()
            .filter(|told| is_account(told))
            .filter_map(|told| told.id.as_deref());
        let people = told
            .iter()
            .filter_map(|told| told.subject.as_deref())
            .chain(accounts);
        let people: Vec<SubjectId> = people.filter_map(|id| id.parse().ok()).collect();
        let ids = told
            .iter()
            .flat_map(|told| [&told.client, &told.id])
            .flatten();
        let clients = server
            .shared
            .management
            .clients_by_id(ids.filter_map(|id| id.parse().ok()).collect())
            .await?;
        Ok(Self {
            people: SubjectNames::load(server, &people).await?,
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

fn facts(told: &StoredEvent, names: &EventNames, text: &'static Texts) -> Vec<LabeledValue> {
    let mut facts = Vec::new();
    let mut add = |label, value: Option<String>| {
        facts.extend(value.map(|value| LabeledValue { label, value }))
    };
    add(
        text.fact_person,
        told.subject.as_deref().map(|id| names.person(id)),
    );
    add(
        text.client,
        told.client.as_deref().map(|id| names.client(id)),
    );
    add(text.fact_object, object(told, names, text));
    add(
        text.fact_change,
        told.change.as_deref().map(|word| {
            word.parse::<Change>()
                .map_or(word, |it| text.domain.change(it))
                .to_owned()
        }),
    );
    add(
        text.fact_fields,
        (!told.fields.is_empty()).then(|| told.fields.join(", ")),
    );
    add(
        text.fact_scopes,
        (!told.scopes.is_empty()).then(|| told.scopes.join(" ")),
    );
    add(text.fact_connection, told.grant.clone());
    add(text.key, told.key.clone());
    add(text.fact_count, told.count.map(|count| count.to_string()));
    add(text.fact_rule, told.rule.clone());
    add(
        text.fact_status,
        told.status.map(|status| status.to_string()),
    );
    add(text.fact_endpoint, told.endpoint.clone());
    facts
}

/// The managed object, or the kind of credential that was reused.
fn object(told: &StoredEvent, names: &EventNames, text: &'static Texts) -> Option<String> {
    let Some(word) = told.object.as_deref() else {
        return told.of.clone();
    };
    let label = word
        .parse::<ManagedObjectType>()
        .map_or(word, |word| text.domain.object(word));
    let Some(id) = told.id.as_deref() else {
        return Some(label.to_owned());
    };
    let name = if is_account(told) {
        names.person(id)
    } else {
        names.client(id)
    };
    Some(format!("{label}: {name}"))
}

fn is_account(told: &StoredEvent) -> bool {
    matches!(told.object.as_deref(), Some("account" | "password"))
}

fn badge_kind(word: EventName, told: &StoredEvent) -> &'static str {
    match word {
        EventName::ReuseDetected | EventName::SigningKeyRevoked => "problem",
        EventName::Refused if told.status.is_some_and(|status| status >= 500) => "problem",
        EventName::Refused | EventName::SignInRefused | EventName::SignInLimited => "warning",
        EventName::SignedIn | EventName::ConsentGiven => "good",
        _ => "",
    }
}
