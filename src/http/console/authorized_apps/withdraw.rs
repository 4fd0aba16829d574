use http::StatusCode;

use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::ConfirmPage;

/// `GET /apps/{client}/withdraw`: asks for confirmation.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [client] = request.params();
    let (authorized_app, text) = (
        request.management().authorized_app(client).await?,
        request.texts(),
    );
    let page = ConfirmPage {
        title: text.revoke_app_title(&authorized_app.client.name),
        effects: vec![
            text.revoke_app_effect.to_owned(),
            text.revoke_app_tokens.to_owned(),
        ],
        back: "/apps".to_owned(),
        back_label: text.nav_apps.to_owned(),
        action: format!("/apps/{}/withdraw", authorized_app.client.id),
        button: text.revoke_access,
        ..ConfirmPage::new(text, request.layout("apps"))
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /apps/{client}/withdraw`: revokes the client's access.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [client] = request.params();
    request.management().revoke_authorized_app(client).await?;
    request.redirect_with_flash("/apps", Flash::ConsentWithdrawn)
}
