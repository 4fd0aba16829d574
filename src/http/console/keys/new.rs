use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{ApiScopes, HiddenFields, InvalidValue, PersonalField, Quota, ShortText};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::form::{Form, FormFields};
use crate::http::console::samples;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{
    FormErrors, KeyFieldOption, KeyNewPage, KeyScopeOption, ShownOncePage,
};
use crate::http::management::{
    ManagementError, NewApiKey, Rejection, parse_api_scopes, parse_quota,
};

const FIELDS: FormFields = FormFields {
    single: &["description", "rate_limit", "rate_window", "rate_burst"],
    repeated: &["scopes", "hidden_fields"],
};

/// Fields that can have an error message.
const FIELDS_WITH_MESSAGES: &[&str] = &[
    "description",
    "scopes",
    "rate_limit",
    "rate_window",
    "rate_burst",
];

/// `GET /keys/new`.
pub(super) fn show(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    form(server, user, StatusCode::OK, None, FormErrors::default())
}

/// `POST /keys/new`: only this response contains the key.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let typed = Form::parse(server, &user.token, request, FIELDS)?;
    let new = match parse_new_key(server, &typed) {
        Ok(new) => new,
        Err(rejections) => return show_errors(server, user, &typed, &rejections),
    };
    let scopes = new.scopes.clone();
    match user.management(server).issue_api_key(new).await {
        Ok((key, secret)) => {
            let text = server.texts();
            let page = ShownOncePage {
                text,
                // The page cannot be requested again in another language.
                layout: server.layout(user, "keys").without_language_switch(),
                title: text.key_created,
                label: text.key_value,
                secret: secret.expose().to_owned(),
                advice: Vec::new(),
                samples: samples::for_key(server, &scopes),
                continue_href: format!("/keys/{}", key.id),
            };
            server.render(StatusCode::OK, &page)
        }
        Err(ManagementError::Rejected(rejection))
            if rejection.rule != RefusalRule::AdministratorsOnly =>
        {
            show_errors(server, user, &typed, &[rejection])
        }
        Err(error) => Err(error.into()),
    }
}

/// Parses the settings of the new key, or returns all rejections.
fn parse_new_key(server: &Server, typed: &Form<'_>) -> Result<NewApiKey, Vec<Rejection>> {
    match (
        description(typed),
        scopes(server, typed),
        hidden(typed),
        quota(typed),
    ) {
        (Ok(description), Ok(scopes), Ok(hidden), Ok(quota)) => Ok(NewApiKey {
            description,
            scopes,
            hidden,
            quota,
        }),
        (one, two, three, four) => Err([one.err(), two.err(), three.err(), four.err()]
            .into_iter()
            .flatten()
            .collect()),
    }
}

fn description(typed: &Form<'_>) -> Result<ShortText, Rejection> {
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
        &server.api_scopes,
    )
}

fn hidden(typed: &Form<'_>) -> Result<HiddenFields, Rejection> {
    let fields: Result<HiddenFields, InvalidValue> =
        typed.values("hidden_fields").map(str::parse).collect();
    fields.map_err(|rule| Rejection::invalid("hiddenFields", &rule))
}

fn quota(typed: &Form<'_>) -> Result<Option<Quota>, Rejection> {
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
    server: &Server,
    user: &SignedInUser,
    typed: &Form<'_>,
    rejections: &[Rejection],
) -> Result<Response<Body>, Error> {
    let (status, rule) = rejections.first().map_or(
        (StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid),
        |rejection| (rejection.status, rejection.rule),
    );
    let errors = FormErrors::from_rejections(rejections, FIELDS_WITH_MESSAGES, server.texts());
    Ok(with_rule(
        form(server, user, status, Some(typed), errors)?,
        rule,
    ))
}

/// Renders the form with the submitted values.
fn form(
    server: &Server,
    user: &SignedInUser,
    status: StatusCode,
    typed: Option<&Form<'_>>,
    errors: FormErrors,
) -> Result<Response<Body>, Error> {
    let text = server.texts();
    let field = |name| {
        typed
            .and_then(|typed| typed.field(name))
            .unwrap_or_default()
            .to_owned()
    };
    let is_on =
        |name, word| typed.is_some_and(|typed| typed.values(name).any(|value| value == word));
    let (rate_limit, rate_window, rate_burst) = (
        field("rate_limit"),
        field("rate_window"),
        field("rate_burst"),
    );
    let scopes = user.management(server).grantable_api_scopes();
    let page = KeyNewPage {
        text,
        layout: server.layout(user, "keys"),
        errors,
        description: field("description"),
        scopes: scopes
            .iter()
            .map(|scope| KeyScopeOption::new(scope, is_on("scopes", scope.as_str()), text))
            .collect(),
        hidden_fields: PersonalField::ALL
            .iter()
            .map(|field| KeyFieldOption::new(*field, is_on("hidden_fields", field.as_str()), text))
            .collect(),
        has_limit: [&rate_limit, &rate_window, &rate_burst]
            .iter()
            .any(|typed| !typed.is_empty()),
        rate_limit,
        rate_window,
        rate_burst,
    };
    server.render(status, &page)
}
