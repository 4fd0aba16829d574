use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{PageRequest, SubjectId};
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::subject_names::SubjectNames;
use crate::http::console::views::{ClientRow, ClientsPage, PageLinks};
use crate::store::ClientFilter;

/// The clients that a page lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListScope {
    Own,
    All,
    Unverified,
}

/// `GET /clients`: the user's own clients, also for administrators.
pub(super) async fn list_own(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    list(server, user, request, ListScope::Own).await
}

/// `GET /admin/clients`: all clients, for administrators.
pub(in crate::http::console) async fn list_all(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    list(server, user, request, ListScope::All).await
}

/// `GET /admin/clients/review`: clients that no administrator has verified, for administrators.
pub(in crate::http::console) async fn list_unverified(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    user.check_administrator()?;
    list(server, user, request, ListScope::Unverified).await
}

async fn list(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
    list_scope: ListScope,
) -> Result<Response<Body>, Error> {
    let (text, now, page) = (
        server.texts(),
        server.clock.now(),
        Query::from_request(request)?.page()?,
    );
    let (filter, all_owners) = match list_scope {
        ListScope::Own => (ClientFilter::OwnedBy(&user.subject.id), false),
        ListScope::All => (ClientFilter::All, true),
        ListScope::Unverified => (ClientFilter::AwaitingReview, true),
    };
    let found = server.registry.clients(filter, page).await?;
    let owners: Vec<&SubjectId> = found
        .items
        .iter()
        .filter(|_| all_owners)
        .map(|client| &client.owner)
        .collect();
    let owners = SubjectNames::load(server, owners).await?;
    let mut clients = Vec::with_capacity(found.items.len());
    for client in &found.items {
        // A client that was deleted meanwhile has no usage.
        let usage = server
            .registry
            .client_usage(client.id, now)
            .await?
            .unwrap_or_default();
        clients.push(ClientRow::new(
            client,
            owners.name(&client.owner),
            &usage,
            now,
            text,
        ));
    }
    let layout = server.layout(user, if all_owners { "admin" } else { "clients" });
    let page_links = PageLinks::new(found.total, page, text, |page| format!("?page={page}"));
    let review_count = if list_scope == ListScope::All {
        count_unverified(server).await?
    } else {
        0
    };
    let review_count = (review_count > 0).then(|| text.review.count.of(review_count));
    server.render(
        StatusCode::OK,
        &ClientsPage {
            text,
            layout,
            all_owners,
            only_unverified: list_scope == ListScope::Unverified,
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
        .registry
        .clients(ClientFilter::AwaitingReview, one)
        .await?
        .total)
}
