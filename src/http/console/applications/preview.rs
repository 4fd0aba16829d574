//! What somebody is shown of others before something goes.

use std::collections::BTreeSet;

use crate::domain::ClientId;
use crate::http::console::names::Names;
use crate::http::console::refusal::Refusal;
use crate::http::console::seen::Seen;
use crate::http::console::server::Server;
use crate::http::console::views::TouchedClient;
use crate::store::{ListingClient, ScopeUsage, USAGE_CLIENTS_NAMED};

/// The clients that lose something, and their connections.
pub(super) struct Preview {
    pub(super) summary: String,
    /// How the summary is said.
    pub(super) kind: &'static str,
    pub(super) clients: Vec<TouchedClient>,
    pub(super) seen: Seen,
}

impl Preview {
    pub(super) async fn of(server: &Server, usage: &ScopeUsage) -> Result<Self, Refusal> {
        let (text, mut touched) = (server.texts(), usage.clients.items.clone());
        touched.extend(not_listing(server, usage).await?);
        let count = usage.clients.total + (touched.len() - usage.clients.items.len()) as u64;
        let owners: Vec<_> = touched.iter().map(|client| &client.owner).collect();
        let names = Names::of(server, owners).await?;
        let clients = touched.iter().map(|client| TouchedClient::of(client, names.name(&client.owner), usage.of(&client.id), &server.zone));
        let (summary, kind) = match count {
            0 => (text.touches_nobody.to_owned(), "good"),
            _ => {
                let (clients, connections) = (text.count_clients.of(count), text.count_connections.of(usage.grants.live));
                (text.touches.with(format_args!("{clients}, {connections}")), "warning")
            }
        };
        let shown = touched.iter().map(|client| format!("{} {}", client.id, usage.of(&client.id).live));
        let seen = Seen::of([count.to_string(), usage.grants.live.to_string()].into_iter().chain(shown));
        Ok(Self { summary, kind, clients: clients.collect(), seen })
    }
}

/// The clients that list nothing of it any more and have live grants all the same, as far as there is room beside those that do.
async fn not_listing(server: &Server, usage: &ScopeUsage) -> Result<Vec<ListingClient>, Refusal> {
    let room = USAGE_CLIENTS_NAMED.saturating_sub(usage.clients.items.len());
    let mut others: BTreeSet<ClientId> = usage.by_client.keys().copied().collect();
    for client in &usage.clients.items {
        others.remove(&client.id);
    }
    let ids: Vec<ClientId> = others.into_iter().take(room).collect();
    let found = server.storage.clients_by_id(&ids).await?;
    Ok(found.iter().map(|client| ListingClient { id: client.id, name: client.name.clone(), owner: client.owner.clone() }).collect())
}
