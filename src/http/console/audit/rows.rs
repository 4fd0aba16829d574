use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{AuditEntry, Client, ClientId, SubjectId};
use crate::http::audit::{Change, EventWord, ObjectWord, Rule, Told};
use crate::http::console::names::Names;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{EventRow, Fact};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// What people see of events, with the names that things have now.
pub(super) async fn rows(server: &Server, entries: &[AuditEntry]) -> Result<Vec<EventRow>, Refusal> {
    let told: Vec<Told> = entries.iter().map(|entry| Told::of(entry.record.line.as_str())).collect();
    let known = Known::of(server, &told).await?;
    let text = server.texts();
    let row = |(entry, told): (&AuditEntry, &Told)| {
        let record = &entry.record;
        let word = record.kind.as_str().parse::<EventWord>().ok();
        EventRow {
            at: Moment::at(record.at, &server.zone),
            tone: word.map_or("", |word| tone(word, told)),
            what: word.map_or_else(|| record.kind.to_string(), |word| text.words.event(word).to_owned()),
            facts: facts(told, &known, text),
            address: told.address.clone().unwrap_or_default(),
            request_id: record.request.to_string(),
            explanation: told.rule.as_deref().and_then(|rule| rule.parse::<Rule>().ok()).map(|rule| text.rules.explained(rule)),
        }
    };
    Ok(entries.iter().zip(&told).map(row).collect())
}

/// The names of people and clients. What is gone has its id alone.
struct Known {
    people: Names,
    clients: HashMap<ClientId, Arc<Client>>,
}

impl Known {
    async fn of(server: &Server, told: &[Told]) -> Result<Self, Refusal> {
        let accounts = told.iter().filter(|told| is_account(told)).filter_map(|told| told.id.as_deref());
        let people = told.iter().filter_map(|told| told.subject.as_deref()).chain(accounts);
        let people: Vec<SubjectId> = people.filter_map(|id| id.parse().ok()).collect();
        let ids = told.iter().flat_map(|told| [&told.client, &told.id]).flatten();
        let clients = server.clients_by_id(ids.filter_map(|id| id.parse().ok()).collect()).await?;
        Ok(Self { people: Names::of(server, &people).await?, clients })
    }

    fn person(&self, id: &str) -> String {
        id.parse().map_or_else(|_| id.to_owned(), |id| self.people.name(&id))
    }

    fn client(&self, id: &str) -> String {
        let client = id.parse().ok().and_then(|id| self.clients.get(&id));
        client.map_or_else(|| id.to_owned(), |client| format!("{} ({id})", client.name))
    }
}

fn facts(told: &Told, known: &Known, text: &'static Texts) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |label, value: Option<String>| facts.extend(value.map(|value| Fact { label, value }));
    add(text.fact_person, told.subject.as_deref().map(|id| known.person(id)));
    add(text.client, told.client.as_deref().map(|id| known.client(id)));
    add(text.fact_object, object(told, known, text));
    add(text.fact_change, told.change.as_deref().map(|word| word.parse::<Change>().map_or(word, |it| text.words.change(it)).to_owned()));
    add(text.fact_fields, (!told.fields.is_empty()).then(|| told.fields.join(", ")));
    add(text.fact_scopes, (!told.scopes.is_empty()).then(|| told.scopes.join(" ")));
    add(text.fact_connection, told.grant.clone());
    add(text.key, told.key.clone());
    add(text.fact_count, told.count.map(|count| count.to_string()));
    add(text.fact_rule, told.rule.clone());
    add(text.fact_status, told.status.map(|status| status.to_string()));
    add(text.fact_endpoint, told.endpoint.clone());
    facts
}

/// What was managed, or what was used twice.
fn object(told: &Told, known: &Known, text: &'static Texts) -> Option<String> {
    let Some(word) = told.object.as_deref() else { return told.of.clone() };
    let label = word.parse::<ObjectWord>().map_or(word, |word| text.words.object(word));
    let Some(id) = told.id.as_deref() else { return Some(label.to_owned()) };
    let name = if is_account(told) { known.person(id) } else { known.client(id) };
    Some(format!("{label}: {name}"))
}

fn is_account(told: &Told) -> bool {
    matches!(told.object.as_deref(), Some("account" | "password"))
}

fn tone(word: EventWord, told: &Told) -> &'static str {
    match word {
        EventWord::ReuseDetected | EventWord::SigningKeyRevoked => "problem",
        EventWord::Refused if told.status.is_some_and(|status| status >= 500) => "problem",
        EventWord::Refused | EventWord::SignInRefused | EventWord::SignInLimited => "warning",
        EventWord::SignedIn | EventWord::ConsentGiven => "good",
        _ => "",
    }
}
