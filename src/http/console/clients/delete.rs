use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::Client;
use crate::http::Body;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ConfirmPage, FormErrors};
use crate::http::management::ManagementError;

/// `GET /clients/{id}/delete`: shows the affected grants.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let client = user.management(server).changeable_client(id).await?;
    server.render(StatusCode::OK, &confirm_page(server, user, &client).await?)
}

async fn confirm_page(
    server: &Server,
    user: &SignedInUser,
    client: &Client,
) -> Result<ConfirmPage, Error> {
    let text = server.texts();
    let live = server
        .registry
        .client_usage(client.id, server.clock.now())
        .await?
        .unwrap_or_default()
        .live;
    Ok(ConfirmPage {
        title: text.delete_client_title.with(&client.name),
        effects: vec![text.delete_client_effect.to_owned()],
        affected: (live > 0).then(|| text.touches.with(text.count_connections.of(live))),
        action: format!("/clients/{}/delete", client.id),
        button: text.delete,
        ..ConfirmPage::about(text, server.layout(user, "clients"), client)
    })
}

/// `POST /clients/{id}/delete`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    Form::parse(server, &user.token, request, FormFields::default())?;
    let client = management.changeable_client(id).await?;
    match management.delete_client(&client).await {
        Ok(()) => server.redirect_with_flash(
            if client.owner == user.subject.id {
                "/clients"
            } else {
                "/admin/clients"
            },
            Flash::Deleted,
        ),
        Err(ManagementError::Rejected(rejection)) if rejection.status == StatusCode::CONFLICT => {
            let errors = FormErrors::from_rejection(&rejection, &[], server.texts());
            let page = ConfirmPage {
                errors,
                ..confirm_page(server, user, &client).await?
            };
            Ok(with_rule(
                server.render(rejection.status, &page)?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}
