use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::domain::{AccountId, ApiKeyId, ApplicationId, Client, ClientId, SubjectId};
use crate::http::audit::StoredEvent;
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::pages::texts::Texts;

/// Current names of what events are about.
pub(super) struct EventNames {
    text: &'static Texts,
    people: UserLabels,
    clients: HashMap<ClientId, Arc<Client>>,
    applications: HashMap<ApplicationId, String>,
    keys: HashMap<ApiKeyId, String>,
}

impl EventNames {
    /// Loads the names with one statement a kind, and none for kinds that no event names.
    pub(super) async fn load(server: &Server, events: &[StoredEvent]) -> Result<Self, Error> {
        let accounts = events
            .iter()
            .filter(|event| is_account(event))
            .filter_map(|event| event.id.as_deref());
        let people = events
            .iter()
            .filter_map(|event| event.subject.as_deref())
            .chain(accounts);
        let people = people.filter_map(|id| id.parse().ok());
        // The service acts by itself here; it does not stand for the administrators.
        let people: Vec<SubjectId> = people.filter(|id| *id != SubjectId::service()).collect();
        let client_ids = events
            .iter()
            .flat_map(|event| event.client.as_deref().into_iter().chain(client_id(event)));
        let client_ids: HashSet<ClientId> = client_ids.filter_map(|id| id.parse().ok()).collect();
        let clients = match client_ids.is_empty() {
            true => HashMap::new(),
            false => server.shared.management.clients_by_id(client_ids).await?,
        };
        let applications: HashSet<ApplicationId> = events
            .iter()
            .flat_map(|event| {
                let scopes = event.scopes.iter().map(String::as_str);
                scopes.chain(application_or_scope(event))
            })
            .filter_map(|id| id.split(':').next()?.parse().ok())
            .collect();
        let applications: Vec<ApplicationId> = applications.into_iter().collect();
        let applications = match applications.is_empty() {
            true => Vec::new(),
            false => server.storage().applications_by_id(&applications).await?,
        };
        Ok(Self {
            text: server.texts(),
            people: UserLabels::load(server, &people).await?,
            clients,
            applications: applications
                .into_iter()
                .map(|application| (application.id, application.name.to_string()))
                .collect(),
            keys: key_names(server, events).await?,
        })
    }

    /// The name of a user, or the e-mail address. The id of a removed account says nothing, so it
    /// is left to the details.
    pub(super) fn short_person(&self, id: &str) -> String {
        let Ok(user) = id.parse() else {
            return id.to_owned();
        };
        let name = self.people.short(&user);
        match name == id && id.parse::<AccountId>().is_ok() {
            true => self.text.audit.removed_account.to_owned(),
            false => name,
        }
    }

    /// The name of a client.
    pub(super) fn short_client(&self, id: &str) -> String {
        let client = id.parse().ok().and_then(|id| self.clients.get(&id));
        client.map_or_else(
            || self.text.audit.deleted_client.to_owned(),
            |client| client.name.to_string(),
        )
    }

    /// The name of an application.
    pub(super) fn short_application(&self, id: &str) -> String {
        let name = id.parse().ok().and_then(|id| self.applications.get(&id));
        name.map_or_else(
            || self.text.audit.deleted_application.to_owned(),
            Clone::clone,
        )
    }

    /// A scope with the name of its application.
    pub(super) fn short_scope(&self, scope: &str) -> String {
        match scope.split_once(':') {
            Some((application, name)) => {
                format!("{}: {name}", self.short_application(application))
            }
            None => scope.to_owned(),
        }
    }

    /// The name of an application, or the id of a removed one.
    pub(super) fn application(&self, id: &str) -> String {
        let name = id.parse().ok().and_then(|id| self.applications.get(&id));
        name.map_or_else(|| id.to_owned(), Clone::clone)
    }

    /// A scope with the name of its application, or the id of a removed one.
    pub(super) fn scope(&self, scope: &str) -> String {
        match scope.split_once(':') {
            Some((application, name)) => format!("{}: {name}", self.application(application)),
            None => scope.to_owned(),
        }
    }

    /// The name of an API key that is still stored.
    pub(super) fn key(&self, id: &str) -> Option<&str> {
        let name = id.parse().ok().and_then(|id| self.keys.get(&id));
        name.map(String::as_str)
    }

    /// The name of an API key, as far as known, and its id.
    pub(super) fn key_with_id(&self, id: &str) -> String {
        self.key(id)
            .map_or_else(|| id.to_owned(), |name| format!("{name} ({id})"))
    }

    /// The e-mail address of a user, or the id.
    pub(super) fn person(&self, id: &str) -> String {
        id.parse()
            .map_or_else(|_| id.to_owned(), |id| self.people.name(&id))
    }

    /// The name of a client, as far as known, and its id.
    pub(super) fn client(&self, id: &str) -> String {
        let client = id.parse().ok().and_then(|id| self.clients.get(&id));
        client.map_or_else(|| id.to_owned(), |client| format!("{} ({id})", client.name))
    }
}

/// Whether the event is about a built-in account.
pub(super) fn is_account(event: &StoredEvent) -> bool {
    matches!(
        event.object.as_deref(),
        Some("account" | "password" | "sessions")
    )
}

/// The id of the client that the event is about.
fn client_id(event: &StoredEvent) -> Option<&str> {
    let is_client = matches!(event.object.as_deref(), Some("client" | "client_secret"));
    event.id.as_deref().filter(|_| is_client)
}

/// The id of the application, or the scope, that the event is about.
fn application_or_scope(event: &StoredEvent) -> Option<&str> {
    let is_either = matches!(
        event.object.as_deref(),
        Some("application" | "scope" | "scope_approval" | "scope_request")
    );
    event.id.as_deref().filter(|_| is_either)
}

/// The names of the keys in events, also of revoked ones.
async fn key_names(
    server: &Server,
    events: &[StoredEvent],
) -> Result<HashMap<ApiKeyId, String>, Error> {
    let of_event = |event: &StoredEvent| {
        let managed = event.id.as_deref();
        let managed = managed.filter(|_| event.object.as_deref() == Some("api_key"));
        event.api_key.as_deref().or(managed)?.parse().ok()
    };
    let ids: HashSet<ApiKeyId> = events.iter().filter_map(of_event).collect();
    let (Some(store), false) = (server.api_keys(), ids.is_empty()) else {
        return Ok(HashMap::new());
    };
    let ids: Vec<ApiKeyId> = ids.into_iter().collect();
    let keys = store.api_keys_by_id(&ids).await?;
    Ok(keys
        .iter()
        .map(|key| (key.id, key.description.to_string()))
        .collect())
}
