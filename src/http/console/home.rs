use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use http::{Response, StatusCode};

use super::gate::SignedIn;
use super::refusal::Refusal;
use super::server::Server;
use super::views::{Attention, HomePage};
use crate::domain::{ApiKey, Client, PageRequest, Severity};
use crate::http::Body;
use crate::store::{ClientFilter, Registered};

/// How long before its end a key needs attention.
pub(super) const SOON: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// `GET /`: what there is, and what needs attention.
pub(super) async fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    let (person, everything) = (&who.person.id, PageRequest::LARGEST);
    let grants = server.storage.grants_of(person, server.clock.now()).await?;
    let apps: BTreeSet<_> = grants.iter().map(|grant| grant.client).collect();
    let keys = match &server.api_keys {
        Some(store) => store.api_keys(Some(person), everything).await?,
        None => Registered { total: 0, items: Vec::new() },
    };
    let clients = server.storage.clients(ClientFilter::OwnedBy(person), everything).await?;
    let one = PageRequest::new(0, 1).map_err(Refusal::failure)?;
    let page = HomePage {
        text: server.texts(),
        frame: server.frame(who, "home"),
        attention: attention(server, &keys.items, &clients.items),
        apps: apps.len(),
        keys: keys.total,
        applications: server.storage.applications(Some(person), one).await?.total,
        clients: clients.total,
    };
    server.page(StatusCode::OK, &page)
}

fn attention(server: &Server, keys: &[Arc<ApiKey>], clients: &[Arc<Client>]) -> Vec<Attention> {
    let (text, now) = (server.texts(), server.clock.now());
    let ending = keys.iter().filter(|key| key.revoked_at.is_none() && key.expires_at.minus(SOON) <= now).map(|key| {
        let has_expired = key.expires_at <= now;
        let (kind, message) = if has_expired { ("problem", text.attention_key_expired) } else { ("warning", text.attention_key_expires) };
        let (href, action) = (format!("/keys/{}/renew", key.id), text.renew);
        Attention { kind, message: message.with(&key.description), href, action }
    });
    let unsafe_clients = clients.iter().filter(|client| client.advise(now).iter().any(|advice| advice.severity() > Severity::Low));
    let advised = unsafe_clients.map(|client| Attention {
        kind: "warning",
        message: text.attention_client_advice.with(&client.name),
        href: format!("/clients/{}", client.id),
        action: text.see_advice,
    });
    ending.chain(advised).collect()
}
