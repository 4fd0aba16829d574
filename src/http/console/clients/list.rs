use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Client, PageRequest, SubjectId};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{ClientRow, ClientsPage, Pages};
use crate::store::{ClientFilter, Registered};

/// `GET /clients`: one's own, also for administrators.
pub(super) async fn own(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = Query::of(request)?.page()?;
    let found = server.storage.clients(ClientFilter::OwnedBy(&who.person.id), page).await?;
    list(server, who, page, &found, false).await
}

/// `GET /admin/clients`: everybody's, for administrators.
pub(in crate::http::console) async fn everybodys(
    server: &Server,
    who: &SignedIn,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    who.check_administrator()?;
    let page = Query::of(request)?.page()?;
    let found = server.storage.clients(ClientFilter::All, page).await?;
    list(server, who, page, &found, true).await
}

async fn list(
    server: &Server,
    who: &SignedIn,
    page: PageRequest,
    found: &Registered<Arc<Client>>,
    everyone: bool,
) -> Result<Response<Body>, Refusal> {
    let (text, now) = (server.texts(), server.clock.now());
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
    server.page(StatusCode::OK, &ClientsPage { text, frame, everyone, clients, pages })
}
