use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;

use super::error::Error;
use super::route_matching::HandlerResult;
use super::server::Server;
use super::user_request::UserRequest;
use super::views::{AttentionItem, HomePage};
use crate::domain::{ApiKey, Client, PageRequest, Severity};
use crate::store::{ClientFilter, Paged};

/// Time before its expiry at which a key needs attention.
pub(super) const EXPIRY_WARNING: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// `GET /`: counts of the user's records, and warnings.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    let (user, largest_page) = (&request.user.subject.id, PageRequest::LARGEST);
    let grants = server.consents().grants_of(user, server.now()).await?;
    let apps: BTreeSet<_> = grants.iter().map(|grant| grant.client).collect();
    let keys = match server.api_keys() {
        Some(store) => store.api_keys(Some(user), largest_page).await?,
        None => Paged {
            total: 0,
            items: Vec::new(),
        },
    };
    let clients = server
        .registry()
        .clients(ClientFilter::OwnedBy(user), largest_page)
        .await?;
    // Only the total is used.
    let smallest_page = PageRequest::new(0, 1).map_err(Error::internal)?;
    let page = HomePage {
        text: request.texts(),
        layout: request.layout("home"),
        attention: attention(server, &keys.items, &clients.items),
        apps: apps.len(),
        keys: keys.total,
        applications: server
            .registry()
            .applications(Some(user), smallest_page)
            .await?
            .total,
        clients: clients.total,
    };
    request.render(StatusCode::OK, &page)
}

/// The user's keys that expire soon or have expired, and clients with advice.
fn attention(server: &Server, keys: &[Arc<ApiKey>], clients: &[Arc<Client>]) -> Vec<AttentionItem> {
    let (text, now) = (server.texts(), server.now());
    let expiring_keys = keys
        .iter()
        .filter(|key| key.revoked_at.is_none() && key.expires_at.minus(EXPIRY_WARNING) <= now)
        .map(|key| {
            let has_expired = key.expires_at <= now;
            let (kind, message) = if has_expired {
                ("problem", text.attention_key_expired(&key.description))
            } else {
                ("warning", text.attention_key_expires(&key.description))
            };
            let (href, action) = (format!("/keys/{}/renew", key.id), text.renew);
            AttentionItem {
                kind,
                message,
                href,
                action,
            }
        });
    let advised_clients = clients.iter().filter(|client| {
        client
            .advise(now)
            .iter()
            .any(|advice| advice.severity() > Severity::Low)
    });
    let client_advice = advised_clients.map(|client| AttentionItem {
        kind: "warning",
        message: text.attention_client_advice(&client.name),
        href: format!("/clients/{}", client.id),
        action: text.see_advice,
    });
    expiring_keys.chain(client_advice).collect()
}
