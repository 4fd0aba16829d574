//! What waits for administrators: unverified clients and requests for scopes, in one list.

use http::StatusCode;

use super::applications::requests::{FROM_WAITING, FailedRefusal, rows};
use super::clients::form_version;
use super::error::Error;
use super::route_matching::HandlerResult;
use super::user_labels::UserLabels;
use super::user_request::UserRequest;
use super::views::{PageLinks, ReviewBadge, UnverifiedClientRow, WaitingPage};
use crate::domain::SubjectId;
use crate::http::pages::DisplayTime;

/// `GET /admin/waiting`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let page = page(request, None).await?;
    request.render(StatusCode::OK, &page)
}

/// Builds the page. Both lists are paged together: the page number counts in each.
pub(super) async fn page(
    request: &UserRequest<'_>,
    failed: Option<FailedRefusal<'_>>,
) -> Result<WaitingPage, Error> {
    let (server, text, page) = (request.server, request.texts(), request.query()?.page()?);
    let management = request.management();
    let unverified = management.clients_to_review(page).await?;
    let requests = management.all_waiting_requests(page).await?;
    let owners: Vec<&SubjectId> = unverified
        .items
        .iter()
        .map(|client| &client.owner)
        .collect();
    let people = UserLabels::load(server, owners).await?;
    let clients = unverified.items.iter().map(|client| UnverifiedClientRow {
        id: client.id.to_string(),
        name: client.name.to_string(),
        owner: people.full(&client.owner),
        review: ReviewBadge::new(client, text),
        redirect_uris: client
            .redirect_uris
            .iter()
            .map(ToString::to_string)
            .collect(),
        policy_uri: client
            .policy_uri
            .as_ref()
            .map(|uri| text.review.policy_uri(uri)),
        created: DisplayTime::from_timestamp(client.created_at, server.zone()),
        fields: vec![form_version::settings(&client.settings()).hidden_input()],
    });
    let longest = unverified.total.max(requests.total);
    let page_links = PageLinks::counted(
        text.entries(unverified.total + requests.total),
        longest,
        page,
        text,
        |page| server.href(&format!("/admin/waiting?page={page}")),
    );
    Ok(WaitingPage {
        text,
        layout: request.layout("waiting"),
        clients: clients.collect(),
        clients_total: unverified.total,
        requests: rows(request, &requests.items, failed.as_ref()).await?,
        requests_total: requests.total,
        errors: failed.map(|failed| failed.errors).unwrap_or_default(),
        page_links,
        back: FROM_WAITING,
    })
}
