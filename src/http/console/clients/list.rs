use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{PageRequest, SubjectId};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{ClientRow, ClientsPage, Pages};
use crate::store::ClientFilter;

/// Whose clients a page lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listed {
    Own,
    Everybodys,
    ToReview,
}

/// `GET /clients`: one's own, also for administrators.
pub(super) async fn own(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    list(server, who, request, Listed::Own).await
}

/// `GET /admin/clients`: everybody's, for administrators.
pub(in crate::http::console) async fn everybodys(
    server: &Server,
    who: &SignedIn,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    list(server, who, request, Listed::Everybodys).await
}

/// `GET /admin/clients/review`: those that no administrator has verified, for administrators.
pub(in crate::http::console) async fn to_review(
    server: &Server,
    who: &SignedIn,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    list(server, who, request, Listed::ToReview).await
}

async fn list(server: &Server, who: &SignedIn, request: &Request<Bytes>, listed: Listed) -> Result<Response<Body>, Refusal> {
    let (text, now, page) = (server.texts(), server.clock.now(), Query::of(request)?.page()?);
    let (filter, everyone) = match listed {
        Listed::Own => (ClientFilter::OwnedBy(&who.person.id), false),
        Listed::Everybodys => (ClientFilter::All, true),
        Listed::ToReview => (ClientFilter::AwaitingReview, true),
    };
    let found = server.storage.clients(filter, page).await?;
    let owners: Vec<&SubjectId> = found.items.iter().filter(|_| everyone).map(|client| &client.owner).collect();
    let owners = Names::of(server, owners).await?;
    let mut clients = Vec::with_capacity(found.items.len());
    for client in &found.items {
        // Whoever is deleted at this moment has none.
        let usage = server.storage.client_usage(client.id, now).await?.unwrap_or_default();
        clients.push(ClientRow::of(client, owners.name(&client.owner), &usage, now, text));
    }
    let frame = server.frame(who, if everyone { "admin" } else { "clients" });
    let pages = Pages::of(found.total, page, text, |page| format!("?page={page}"));
    let to_review = if listed == Listed::Everybodys { waiting(server).await? } else { 0 };
    let to_review = (to_review > 0).then(|| text.review.count.of(to_review));
    server.page(StatusCode::OK, &ClientsPage { text, frame, everyone, review: listed == Listed::ToReview, to_review, clients, pages })
}

/// How many clients wait for a review.
async fn waiting(server: &Server) -> Result<u64, Refusal> {
    let one = PageRequest::new(0, 1).map_err(Refusal::failure)?;
    Ok(server.storage.clients(ClientFilter::AwaitingReview, one).await?.total)
}
