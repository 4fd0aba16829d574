use http::StatusCode;

use crate::domain::Client;
use crate::http::console::error::Error;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ConfirmPage, FormErrors};
use crate::http::management::ManagementError;

/// `GET /clients/{id}/delete`: shows the affected grants.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().changeable_client(id).await?;
    request.render(StatusCode::OK, &confirm_page(request, &client).await?)
}

async fn confirm_page(request: &UserRequest<'_>, client: &Client) -> Result<ConfirmPage, Error> {
    let server = request.server;
    let text = request.texts();
    let live = server
        .registry()
        .client_usage(client.id, server.now())
        .await?
        .live;
    Ok(ConfirmPage {
        title: text.delete_client_title(&client.name),
        effects: vec![text.delete_client_effect.to_owned()],
        affected: (live > 0).then(|| text.touches(text.count_connections(live))),
        action: format!("/clients/{}/delete", client.id),
        button: text.delete,
        ..ConfirmPage::about(text, request.layout("clients"), client)
    })
}

/// `POST /clients/{id}/delete`.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let client = management.changeable_client(id).await?;
    match management.delete_client(&client).await {
        Ok(()) => request.redirect_with_flash(
            if client.owner == request.user.subject.id {
                "/clients"
            } else {
                "/admin/clients"
            },
            Flash::Deleted,
        ),
        Err(ManagementError::Rejected(rejection)) if rejection.status == StatusCode::CONFLICT => {
            let errors = FormErrors::from_rejection(&rejection, &[], request.texts());
            let page = ConfirmPage {
                errors,
                ..confirm_page(request, &client).await?
            };
            request.render_refused(rejection.status, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}
