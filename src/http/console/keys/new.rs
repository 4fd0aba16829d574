use http::StatusCode;

use crate::domain::{ApiScopes, HiddenFields, InvalidValue, Quota, ShortText};
use crate::http::audit::RefusalRule;
use crate::http::console::code_samples;
use crate::http::console::error::with_rule;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::shown_once::ShownSecret;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FormErrors, KeyFieldOption, KeyLimitFields, KeyNewPage, KeyScopeOption, ShownOncePage,
};
use crate::http::management::{
    ManagementError, NewApiKey, Rejection, parse_api_scopes, parse_quota,
};

pub(crate) const FIELDS: FormFields =
    FormFields::new(&["description", "rate_limit", "rate_window", "rate_burst"]).with_repeated(&[
        "scopes",
        "hidden_fields",
        "requested_fields",
    ]);

/// Fields that can have an error message.
const FIELDS_WITH_MESSAGES: &[&str] = &[
    "description",
    "scopes",
    "rate_limit",
    "rate_window",
    "rate_burst",
];

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
    let server = request.server;
    let new = match parse_new_key(server, &typed) {
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
    let text = request.texts();
    let key = request.management().changeable_api_key(id).await?;
    let page = ShownOncePage {
        text,
        // The page cannot be requested again in another language.
        layout: request.layout("keys").without_language_switch(),
        title: text.key_created,
        label: text.key_value,
        advice: Vec::new(),
        client_id: None,
        samples: code_samples::for_key(request.server, &key.scopes, Some(&secret)),
        secret,
        continue_href: format!("/keys/{}", key.id),
    };
    request.render(StatusCode::OK, &page)
}

/// Parses the settings of the new key, or returns all rejections.
fn parse_new_key(server: &Server, typed: &Form<'_>) -> Result<NewApiKey, Vec<Rejection>> {
    match (
        description(typed),
        scopes(server, typed),
        hidden(typed),
        requested(typed),
        quota(typed),
    ) {
        (Ok(description), Ok(scopes), Ok(hidden), Ok(requested), Ok(quota)) => Ok(NewApiKey {
            description,
            scopes,
            hidden,
            requested,
            quota,
        }),
        (one, two, three, four, five) => {
            let errors = [one.err(), two.err(), three.err(), four.err(), five.err()];
            Err(errors.into_iter().flatten().collect())
        }
    }
}

pub(super) fn description(typed: &Form<'_>) -> Result<ShortText, Rejection> {
    match typed.field("description").unwrap_or_default() {
        "" => Err(Rejection::missing("description")),
        text => text
            .parse()
            .map_err(|rule| Rejection::invalid("description", &rule)),
    }
}

fn scopes(server: &Server, typed: &Form<'_>) -> Result<ApiScopes, Rejection> {
    parse_api_scopes(
        &typed
            .values("scopes")
            .map(str::to_owned)
            .collect::<Vec<_>>(),
        &server.shared.management.api_scopes,
    )
}

pub(super) fn hidden(typed: &Form<'_>) -> Result<HiddenFields, Rejection> {
    fields(typed, "hidden_fields").map_err(|rule| Rejection::invalid("hiddenFields", &rule))
}

pub(super) fn requested(typed: &Form<'_>) -> Result<HiddenFields, Rejection> {
    fields(typed, "requested_fields").map_err(|rule| Rejection::invalid("requestedFields", &rule))
}

fn fields(typed: &Form<'_>, name: &str) -> Result<HiddenFields, InvalidValue> {
    typed.values(name).map(str::parse).collect()
}

pub(super) fn quota(typed: &Form<'_>) -> Result<Option<Quota>, Rejection> {
    let number = |name, known_as| match typed.field(name).unwrap_or_default() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| {
            Rejection::invalid(known_as, &InvalidValue::new("must be a whole number"))
        }),
    };
    parse_quota(
        number("rate_limit", "rateLimit")?,
        number("rate_window", "rateWindowSeconds")?,
        number("rate_burst", "rateBurst")?,
    )
}

fn show_errors(
    request: &UserRequest<'_>,
    typed: &Form<'_>,
    rejections: &[Rejection],
) -> HandlerResult {
    let (status, rule) = rejections.first().map_or(
        (StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid),
        |rejection| (rejection.status, rejection.rule),
    );
    let errors = FormErrors::from_rejections(rejections, FIELDS_WITH_MESSAGES, request.texts());
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
    let field = |name| {
        typed
            .and_then(|typed| typed.field(name))
            .unwrap_or_default()
            .to_owned()
    };
    let is_on =
        |name, word| typed.is_some_and(|typed| typed.values(name).any(|value| value == word));
    let limit = KeyLimitFields {
        limit: field("rate_limit"),
        window: field("rate_window"),
        burst: field("rate_burst"),
    };
    let protected = request.management().protected_fields();
    let scopes = request.management().grantable_api_scopes();
    let page = KeyNewPage {
        text,
        layout: request.layout("keys"),
        errors,
        description: field("description"),
        scopes: scopes
            .iter()
            .map(|scope| KeyScopeOption::new(scope, is_on("scopes", scope.as_str()), text))
            .collect(),
        hidden_fields: HiddenFields::all()
            .difference(protected)
            .iter()
            .map(|field| KeyFieldOption::new(field, is_on("hidden_fields", field.as_str()), text))
            .collect(),
        requested_fields: protected
            .iter()
            .map(|field| {
                KeyFieldOption::new(field, is_on("requested_fields", field.as_str()), text)
            })
            .collect(),
        has_limit: [&limit.limit, &limit.window, &limit.burst]
            .iter()
            .any(|typed| !typed.is_empty()),
        limit,
    };
    request.render(status, &page)
}
