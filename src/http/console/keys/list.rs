use std::sync::Arc;

use http::StatusCode;

use super::usage;
use crate::domain::{ApiKey, ApiKeyId, PageRequest, SubjectId};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{KeyRow, KeysPage, PageLinks};
use crate::store::Paged;

/// `GET /keys`.
pub(crate) async fn list_own(request: &UserRequest<'_>) -> HandlerResult {
    let page = request.query()?.page()?;
    request.server.write_key_usage().await;
    let found = request.management().own_api_keys(page).await?;
    list(request, page, found, false).await
}

/// `GET /admin/keys`.
pub(crate) async fn list_all(request: &UserRequest<'_>) -> HandlerResult {
    let page = request.query()?.page()?;
    request.server.write_key_usage().await;
    let found = request.management().api_keys(page).await?;
    list(request, page, found, true).await
}

async fn list(
    request: &UserRequest<'_>,
    page: PageRequest,
    found: Paged<Arc<ApiKey>>,
    all_owners: bool,
) -> HandlerResult {
    let server = request.server;
    let (text, now) = (request.texts(), server.now());
    let owners: Vec<&SubjectId> = found
        .items
        .iter()
        .filter_map(|key| key.owner.as_ref())
        .filter(|_| all_owners)
        .collect();
    let (names, days) = (
        UserLabels::load(server, owners).await?,
        usage::last_days(server, usage::DAYS)?,
    );
    let ids: Vec<ApiKeyId> = found.items.iter().map(|key| key.id).collect();
    let usage = request.management().daily_api_key_usage(&ids, days).await?;
    let row = |key: &Arc<ApiKey>| {
        let owner = key.owner.as_ref().map(|owner| names.owner(owner));
        let calls = usage.get(&key.id).map_or(0, |calls| usage::total(calls));
        KeyRow::new(key, owner, calls, now, text, server.zone())
    };
    let keys = found.items.iter().map(row).collect();
    let (path, section) = if all_owners {
        ("/admin/keys", "all_keys")
    } else {
        ("/keys", "keys")
    };
    let page_links = PageLinks::new(found.total, page, text, |number| {
        server.href(&format!("{path}?page={number}"))
    });
    request.render(
        StatusCode::OK,
        &KeysPage {
            text,
            layout: request.layout(section),
            all_owners,
            keys,
            page_links,
        },
    )
}
