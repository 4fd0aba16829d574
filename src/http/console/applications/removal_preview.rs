//! Preview of the clients and grants that a removal affects.

use std::collections::BTreeSet;

use crate::domain::ClientId;
use crate::http::console::error::Error;
use crate::http::console::form::version::FormVersion;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::AffectedClient;
use crate::store::{ClientSummary, MAX_USAGE_CLIENTS, ScopeUsage};

/// Clients and grants that a removal affects.
pub(super) struct RemovalPreview {
    pub(super) summary: String,
    /// Style of the summary: `good` or `warning`.
    pub(super) kind: &'static str,
    pub(super) clients: Vec<AffectedClient>,
    pub(super) form_version: FormVersion,
}

impl RemovalPreview {
    pub(super) async fn load(request: &UserRequest<'_>, usage: &ScopeUsage) -> Result<Self, Error> {
        let server = request.server;
        let (text, mut affected) = (server.texts(), usage.clients.items.clone());
        affected.extend(clients_with_grants_only(server, usage).await?);
        let count = usage.clients.total + (affected.len() - usage.clients.items.len()) as u64;
        let owners: Vec<_> = affected.iter().map(|client| &client.owner).collect();
        let names = UserLabels::load(server, owners).await?;
        let clients = affected.iter().map(|client| {
            AffectedClient::new(
                client,
                names.for_user(&client.owner, request),
                usage.for_client(&client.id),
                server.zone(),
            )
        });
        let (summary, kind) = match count {
            0 => (text.touches_nobody.to_owned(), "good"),
            _ => {
                let (clients, authorized_apps) = (
                    text.count_clients(count),
                    text.count_connections(usage.grants.live),
                );
                (
                    text.touches(format_args!("{clients}, {authorized_apps}")),
                    "warning",
                )
            }
        };
        let shown = affected
            .iter()
            .map(|client| format!("{} {}", client.id, usage.for_client(&client.id).live));
        let form_version = FormVersion::from_parts(
            [count.to_string(), usage.grants.live.to_string()]
                .into_iter()
                .chain(shown),
        );
        Ok(Self {
            summary,
            kind,
            clients: clients.collect(),
            form_version,
        })
    }
}

/// Clients that no longer list any of the scopes but still have live grants. Together with those
/// that list one, at most `MAX_USAGE_CLIENTS`.
async fn clients_with_grants_only(
    server: &Server,
    usage: &ScopeUsage,
) -> Result<Vec<ClientSummary>, Error> {
    let max = MAX_USAGE_CLIENTS.saturating_sub(usage.clients.items.len());
    let mut others: BTreeSet<ClientId> = usage.by_client.keys().copied().collect();
    for client in &usage.clients.items {
        others.remove(&client.id);
    }
    let ids: Vec<ClientId> = others.into_iter().take(max).collect();
    let found = server.storage().clients_by_id(&ids).await?;
    Ok(found
        .iter()
        .map(|client| ClientSummary {
            id: client.id,
            name: client.name.clone(),
            owner: client.owner.clone(),
        })
        .collect())
}
