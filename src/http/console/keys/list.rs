use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::usage;
use crate::domain::{ApiKey, PageRequest, SubjectId};
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::subject_names::SubjectNames;
use crate::http::console::views::{KeyRow, KeysPage, PageLinks};
use crate::store::Paged;

/// `GET /keys`.
pub(super) async fn list_own(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let page = Query::from_request(request)?.page()?;
    let found = user.management(server).own_api_keys(page).await?;
    list(server, user, page, found, false).await
}

/// `GET /admin/keys`.
pub(super) async fn list_all(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let page = Query::from_request(request)?.page()?;
    let found = user.management(server).api_keys(page).await?;
    list(server, user, page, found, true).await
}

async fn list(
    server: &Server,
    user: &SignedInUser,
    page: PageRequest,
    found: Paged<Arc<ApiKey>>,
    all_owners: bool,
) -> Result<Response<Body>, Error> {
    let (text, now) = (server.texts(), server.clock.now());
    let owners: Vec<&SubjectId> = found
        .items
        .iter()
        .filter_map(|key| key.owner.as_ref())
        .filter(|_| all_owners)
        .collect();
    let (names, days) = (
        SubjectNames::load(server, owners).await?,
        usage::last_days(server, usage::DAYS)?,
    );
    let mut keys = Vec::new();
    for key in &found.items {
        let owner = key.owner.as_ref().map(|owner| names.name(owner));
        let calls = usage::total(
            &user
                .management(server)
                .daily_api_key_usage(key, days)
                .await?,
        );
        keys.push(KeyRow::new(key, owner, calls, now, text, &server.zone));
    }
    let (path, section) = if all_owners {
        ("/admin/keys", "admin")
    } else {
        ("/keys", "keys")
    };
    let page_links = PageLinks::new(found.total, page, text, |number| {
        server.href(&format!("{path}?page={number}"))
    });
    server.render(
        StatusCode::OK,
        &KeysPage {
            text,
            layout: server.layout(user, section),
            all_owners,
            keys,
            page_links,
        },
    )
}
