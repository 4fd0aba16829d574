use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::form::{self, FormValues};
use super::samples;
use crate::domain::Role;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::Form;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{FormErrors, ShownOncePage};
use crate::http::management::ManagementError;

/// `GET /clients/new`.
pub(super) async fn show(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    form::page(
        server,
        user,
        None,
        FormValues::empty(),
        (StatusCode::OK, FormErrors::default()),
    )
    .await
}

/// `POST /clients/new`: only this response contains the secret of a confidential client.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (text, is_admin) = (server.texts(), user.subject.role == Role::Admin);
    let fields = Form::parse(server, &user.token, request, form::fields(is_admin))?;
    let values = FormValues::from_form(&fields, is_admin, None);
    let settings = match values.settings(text) {
        Ok(settings) => settings,
        Err(errors) => {
            let page = form::page(
                server,
                user,
                None,
                values,
                (StatusCode::BAD_REQUEST, errors),
            )
            .await?;
            return Ok(with_rule(page, RefusalRule::FieldInvalid));
        }
    };
    let (client, secret) = match user.management(server).create_client(settings, None).await {
        Ok(created) => created,
        Err(ManagementError::Rejected(rejection)) => {
            let errors = FormErrors::from_rejection(&rejection, &form::names(is_admin), text);
            return Ok(with_rule(
                form::page(server, user, None, values, (rejection.status, errors)).await?,
                rejection.rule,
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let continue_href = format!("/clients/{}", client.id);
    let Some(secret) = secret else {
        return server.redirect_with_flash(&continue_href, Flash::Created);
    };
    let page = ShownOncePage {
        text,
        layout: server.layout(user, "clients").without_language_switch(),
        title: text.client_created,
        label: text.secret_value,
        secret: secret.expose().to_owned(),
        advice: vec![text.secret_advice.to_owned()],
        samples: samples::for_client(server, &client)?,
        continue_href,
    };
    server.render(StatusCode::OK, &page)
}
