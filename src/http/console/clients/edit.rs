use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::form::{self, FormValues};
use super::form_version;
use crate::domain::{Client, ClientSettings, Role};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::Form;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::FormErrors;
use crate::http::management::ManagementError;

/// `GET /clients/{id}/edit`.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let client = user.management(server).changeable_client(id).await?;
    page(
        server,
        user,
        &client,
        FormValues::from_settings(&client.settings()),
        (StatusCode::OK, FormErrors::default()),
    )
    .await
}

/// `POST /clients/{id}/edit`. A form made from older settings is refused and shown again with the
/// current ones, so that it cannot undo another user's change.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (text, is_admin, management) = (
        server.texts(),
        user.subject.role == Role::Admin,
        user.management(server),
    );
    let fields = Form::parse(server, &user.token, request, form::fields(is_admin))?;
    let client = management.changeable_client(id).await?;
    let before = client.settings();
    if !form_version::settings(&before).matches(&fields) {
        return changed_meanwhile(server, user, &client).await;
    }
    let values = FormValues::from_form(&fields, is_admin, Some(&before));
    let settings = match values.settings(text) {
        Ok(settings) => in_the_order_of(&before, settings),
        Err(errors) => {
            return Ok(with_rule(
                page(
                    server,
                    user,
                    &client,
                    values,
                    (StatusCode::BAD_REQUEST, errors),
                )
                .await?,
                RefusalRule::FieldInvalid,
            ));
        }
    };
    match management.change_client(&client, settings, None).await {
        Ok(()) => server.redirect_with_flash(&format!("/clients/{}", client.id), Flash::Saved),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            changed_meanwhile(server, user, &*management.changeable_client(id).await?).await
        }
        Err(ManagementError::Rejected(rejection)) if rejection.rule != RefusalRule::NotFound => {
            let errors = FormErrors::from_rejection(&rejection, &form::names(is_admin), text);
            Ok(with_rule(
                page(server, user, &client, values, (rejection.status, errors)).await?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// Orders the allowed scopes as they were registered, new ones last.
fn in_the_order_of(before: &ClientSettings, settings: ClientSettings) -> ClientSettings {
    let chosen = settings.allowed_scopes;
    ClientSettings {
        allowed_scopes: before.allowed_scopes.intersection(&chosen).union(&chosen),
        ..settings
    }
}

async fn changed_meanwhile(
    server: &Server,
    user: &SignedInUser,
    client: &Arc<Client>,
) -> Result<Response<Body>, Error> {
    let errors = FormErrors::for_form(server.texts().errors.changed_meanwhile);
    let page = page(
        server,
        user,
        client,
        FormValues::from_settings(&client.settings()),
        (StatusCode::CONFLICT, errors),
    )
    .await?;
    Ok(with_rule(page, RefusalRule::ChangedMeanwhile))
}

async fn page(
    server: &Server,
    user: &SignedInUser,
    client: &Client,
    values: FormValues,
    outcome: (StatusCode, FormErrors),
) -> Result<Response<Body>, Error> {
    form::page(
        server,
        user,
        Some((client, form_version::settings(&client.settings()))),
        values,
        outcome,
    )
    .await
}
