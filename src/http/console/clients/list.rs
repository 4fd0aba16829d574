use std::sync::Arc;

use http::StatusCode;

use crate::domain::{Client, ClientId, PageRequest, SubjectId};
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ClientRow, ClientsPage, PageLinks};
use crate::store::ClientFilter;

/// The clients that a page lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListScope {
    Own,
    All,
}

/// `GET /clients`: the user's own clients, also for administrators.
pub(crate) async fn list_own(request: &UserRequest<'_>) -> HandlerResult {
    list(request, ListScope::Own).await
}

/// `GET /admin/clients`: all clients, for administrators.
pub(crate) async fn list_all(request: &UserRequest<'_>) -> HandlerResult {
    list(request, ListScope::All).await
}

async fn list(request: &UserRequest<'_>, list_scope: ListScope) -> HandlerResult {
    let server = request.server;
    let (text, now, page) = (request.texts(), server.now(), request.query()?.page()?);
    let (filter, all_owners) = match list_scope {
        ListScope::Own => (ClientFilter::OwnedBy(&request.user.subject.id), false),
        ListScope::All => (ClientFilter::All, true),
    };
    let found = server.registry().clients(filter, page).await?;
    let owners: Vec<&SubjectId> = found
        .items
        .iter()
        .filter(|_| all_owners)
        .map(|client| &client.owner)
        .collect();
    let owners = UserLabels::load(server, owners).await?;
    let ids: Vec<ClientId> = found.items.iter().map(|client| client.id).collect();
    let mut usage = server.registry().usage_of_clients(&ids, now).await?;
    let row = |client: &Arc<Client>| {
        let usage = usage.remove(&client.id).unwrap_or_default();
        ClientRow::new(client, owners.owner(&client.owner), &usage, now, text)
    };
    let clients = found.items.iter().map(row).collect();
    let layout = request.layout(if all_owners { "all_clients" } else { "clients" });
    let page_links = PageLinks::new(found.total, page, text, |page| format!("?page={page}"));
    let review_count = if list_scope == ListScope::All {
        count_unverified(server).await?
    } else {
        0
    };
    let review_count = (review_count > 0).then(|| text.review.count(review_count));
    request.render(
        StatusCode::OK,
        &ClientsPage {
            text,
            layout,
            all_owners,
            review_count,
            clients,
            page_links,
        },
    )
}

/// Number of clients that await review.
async fn count_unverified(server: &Server) -> Result<u64, Error> {
    let one = PageRequest::new(0, 1).map_err(Error::internal)?;
    Ok(server
        .registry()
        .clients(ClientFilter::AwaitingReview, one)
        .await?
        .total)
}
