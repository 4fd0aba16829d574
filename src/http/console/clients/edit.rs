use std::sync::Arc;

use http::StatusCode;

use super::form::{self, FormValues};
use super::form_version;
use crate::domain::{Client, ClientSettings};
use crate::http::audit::RefusalRule;
use crate::http::console::error::with_rule;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::version::FormVersion;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::FormErrors;
use crate::http::management::ManagementError;

/// `GET /clients/{id}/edit`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().changeable_client(id).await?;
    let settings = client.settings();
    let Some(typed) = request.typed_form(form::FIELDS) else {
        return page(
            request,
            &client,
            FormValues::from_settings(&settings),
            (StatusCode::OK, FormErrors::default()),
        )
        .await;
    };
    // The form is still about the settings that it showed.
    form::page(
        request,
        Some((&client, FormVersion::from_form(&typed))),
        FormValues::from_form(&typed, request.is_administrator(), Some(&settings)),
        (StatusCode::OK, FormErrors::default()),
    )
    .await
}

/// `POST /clients/{id}/edit`. A form made from older settings is refused and shown again with the
/// current ones, so that it cannot undo another user's change.
pub(crate) async fn submit(request: &UserRequest<'_>, fields: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let (text, is_admin, management) = (
        request.texts(),
        request.is_administrator(),
        request.management(),
    );
    let client = management.changeable_client(id).await?;
    let before = client.settings();
    if !form_version::settings(&before).matches(&fields) {
        return changed_meanwhile(request, &client).await;
    }
    let values = FormValues::from_form(&fields, is_admin, Some(&before));
    let settings = match values.settings(text) {
        Ok(settings) => in_the_order_of(&before, settings),
        Err(errors) => {
            return Ok(with_rule(
                page(request, &client, values, (StatusCode::BAD_REQUEST, errors)).await?,
                RefusalRule::FieldInvalid,
            ));
        }
    };
    match management.change_client(&client, settings, None).await {
        Ok(()) => request.redirect_with_flash(&format!("/clients/{}", client.id), Flash::Saved),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::ChangedMeanwhile =>
        {
            changed_meanwhile(request, &*management.changeable_client(id).await?).await
        }
        Err(ManagementError::Rejected(rejection)) if rejection.rule != RefusalRule::NotFound => {
            let errors = FormErrors::from_rejection(&rejection, &fields.names(), text);
            Ok(with_rule(
                page(request, &client, values, (rejection.status, errors)).await?,
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

async fn changed_meanwhile(request: &UserRequest<'_>, client: &Arc<Client>) -> HandlerResult {
    let errors = FormErrors::for_form(request.texts().errors.changed_meanwhile);
    let page = page(
        request,
        client,
        FormValues::from_settings(&client.settings()),
        (StatusCode::CONFLICT, errors),
    )
    .await?;
    Ok(with_rule(page, RefusalRule::ChangedMeanwhile))
}

async fn page(
    request: &UserRequest<'_>,
    client: &Client,
    values: FormValues,
    outcome: (StatusCode, FormErrors),
) -> HandlerResult {
    form::page(
        request,
        Some((client, form_version::settings(&client.settings()))),
        values,
        outcome,
    )
    .await
}
