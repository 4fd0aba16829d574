use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::usage;
use crate::domain::{ApiKey, PageRequest, SubjectId};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{KeyRow, KeysPage, Pages};
use crate::store::Registered;

/// `GET /keys`.
pub(super) async fn own(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = Query::of(request)?.page()?;
    let found = who.desk(server).own_api_keys(page).await?;
    list(server, who, page, found, false).await
}

/// `GET /admin/keys`.
pub(super) async fn everybodys(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let page = Query::of(request)?.page()?;
    let found = who.desk(server).api_keys(page).await?;
    list(server, who, page, found, true).await
}

async fn list(
    server: &Server,
    who: &SignedIn,
    page: PageRequest,
    found: Registered<Arc<ApiKey>>,
    everyone: bool,
) -> Result<Response<Body>, Refusal> {
    let (text, now) = (server.texts(), server.clock.now());
    let owners: Vec<&SubjectId> = found.items.iter().filter_map(|key| key.owner.as_ref()).filter(|_| everyone).collect();
    let (names, days) = (Names::of(server, owners).await?, usage::last_days(server, usage::DAYS)?);
    let mut keys = Vec::new();
    for key in &found.items {
        let owner = key.owner.as_ref().map(|owner| names.name(owner));
        let calls = usage::total(&who.desk(server).calls_of(key, days).await?);
        keys.push(KeyRow::of(key, owner, calls, now, text, &server.zone));
    }
    let (path, here) = if everyone { ("/admin/keys", "admin") } else { ("/keys", "keys") };
    let pages = Pages::of(found.total, page, text, |number| server.at(&format!("{path}?page={number}")));
    server.page(StatusCode::OK, &KeysPage { text, frame: server.frame(who, here), everyone, keys, pages })
}
