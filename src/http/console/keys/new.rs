use http::StatusCode;

use super::form_fields::{self, ShownValues};
use super::show::value_once;
use crate::domain::HiddenFields;
use crate::http::audit::RefusalRule;
use crate::http::console::error::with_rule;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::shown_once::ShownSecret;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, KeyNewPage};
use crate::http::management::{ManagementError, Rejection};

pub(crate) const FIELDS: FormFields =
    FormFields::new(&["description", "rate_limit", "rate_window", "rate_burst"])
        .with_repeated(form_fields::REPEATED);

/// `GET /keys/new`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let typed = request.typed_form(FIELDS);
    form(
        request,
        StatusCode::OK,
        typed.as_ref(),
        FormErrors::default(),
    )
}

/// `POST /keys/new`: redirects to the page that shows the key once.
pub(crate) async fn submit(request: &UserRequest<'_>, typed: Form<'_>) -> HandlerResult {
    let known = &request.server.shared.management.api_scopes;
    let new = match form_fields::parse(&typed, known) {
        Ok(new) => new,
        Err(rejections) => return show_errors(request, &typed, &rejections),
    };
    match request.management().issue_api_key(new).await {
        Ok((key, secret)) => request.redirect_to_secret(&ShownSecret::NewKey {
            key: key.id.to_string(),
            secret: secret.expose().to_owned(),
        }),
        Err(ManagementError::Rejected(rejection))
            if rejection.rule != RefusalRule::AdministratorsOnly =>
        {
            show_errors(request, &typed, &[rejection])
        }
        Err(error) => Err(error.into()),
    }
}

/// The page that shows a new key once.
pub(crate) async fn shown(request: &UserRequest<'_>, id: &str, secret: String) -> HandlerResult {
    let (key, title) = (
        request.management().changeable_api_key(id).await?,
        request.texts().key_created,
    );
    value_once(request, &key, title, Vec::new(), secret)
}

fn show_errors(
    request: &UserRequest<'_>,
    typed: &Form<'_>,
    rejections: &[Rejection],
) -> HandlerResult {
    let (status, rule, errors) = form_fields::errors(typed, rejections, None, request.texts());
    Ok(with_rule(form(request, status, Some(typed), errors)?, rule))
}

/// Renders the form with the submitted values.
fn form(
    request: &UserRequest<'_>,
    status: StatusCode,
    typed: Option<&Form<'_>>,
    errors: FormErrors,
) -> HandlerResult {
    let text = request.texts();
    let shown = ShownValues {
        typed,
        key: None,
        text,
    };
    let limit = shown.limit();
    let protected = request.management().protected_fields();
    let scopes = request.management().grantable_api_scopes();
    let page = KeyNewPage {
        text,
        layout: request.layout("keys"),
        errors,
        description: shown.description(),
        scopes: shown.scopes(&scopes),
        hidden_fields: shown.hidden(HiddenFields::all().difference(protected)),
        requested_fields: shown.requested(protected),
        has_limit: [&limit.limit, &limit.window, &limit.burst]
            .iter()
            .any(|typed| !typed.is_empty()),
        limit,
    };
    request.render(status, &page)
}
