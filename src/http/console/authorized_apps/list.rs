use http::StatusCode;

use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AuthorizedAppRow, AuthorizedAppsPage};

/// `GET /apps`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let management = request.management();
    let authorized_apps = management.authorized_apps().await?;
    let scopes = management.scopes_of(&authorized_apps).await?;
    let (zone, text) = (request.server.zone(), request.texts());
    let layout = request.layout("apps");
    let apps = authorized_apps
        .iter()
        .map(|authorized_app| {
            AuthorizedAppRow::new(authorized_app, &scopes, zone, text, &layout.head.site_name)
        })
        .collect();
    let page = AuthorizedAppsPage { text, layout, apps };
    request.render(StatusCode::OK, &page)
}
