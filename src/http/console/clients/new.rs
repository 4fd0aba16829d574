use http::StatusCode;

use super::form::{self, FormValues};
use crate::http::audit::RefusalRule;
use crate::http::console::error::with_rule;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::shown_once::ShownSecret;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::FormErrors;
use crate::http::management::ManagementError;

/// `GET /clients/new`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let typed = request.typed_form(form::FIELDS);
    let values = typed.as_ref().map_or_else(FormValues::empty, |typed| {
        FormValues::from_form(typed, request.is_administrator(), None)
    });
    form::page(
        request,
        None,
        values,
        (StatusCode::OK, FormErrors::default()),
    )
    .await
}

/// `POST /clients/new`: redirects to the page that shows the secret of a confidential client once.
pub(crate) async fn submit(request: &UserRequest<'_>, fields: Form<'_>) -> HandlerResult {
    let (text, is_admin) = (request.texts(), request.is_administrator());
    let values = FormValues::from_form(&fields, is_admin, None);
    let settings = match values.settings(text) {
        Ok(settings) => settings,
        Err(errors) => {
            let page = form::page(request, None, values, (StatusCode::BAD_REQUEST, errors)).await?;
            return Ok(with_rule(page, RefusalRule::FieldInvalid));
        }
    };
    let (client, secret) = match request.management().create_client(settings, None).await {
        Ok(created) => created,
        Err(ManagementError::Rejected(rejection)) => {
            let errors = FormErrors::from_rejection(&rejection, &fields.names(), text);
            return Ok(with_rule(
                form::page(request, None, values, (rejection.status, errors)).await?,
                rejection.rule,
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let continue_href = format!("/clients/{}", client.id);
    let Some(secret) = secret else {
        return request.redirect_with_flash(&continue_href, Flash::Created);
    };
    request.redirect_to_secret(&ShownSecret::NewClient {
        client: client.id.to_string(),
        secret: secret.expose().to_owned(),
    })
}
