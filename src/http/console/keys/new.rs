use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{ApiScopes, HiddenFields, Invalid, Line, PersonalField, Quota};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::samples;
use crate::http::console::server::Server;
use crate::http::console::views::{KeyFieldChoice, KeyNewPage, KeyScopeChoice, Problems, ShownOncePage};
use crate::http::manage::{Denial, NewApiKey, NotDone, known_scopes, own_quota};

const FIELDS: Fields = Fields { once: &["description", "rate_limit", "rate_window", "rate_burst"], lists: &["scopes", "hidden_fields"] };

/// The fields that say what is wrong with them.
const SAYING: &[&str] = &["description", "scopes", "rate_limit", "rate_window", "rate_burst"];

/// `GET /keys/new`.
pub(super) fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    form(server, who, StatusCode::OK, None, Problems::default())
}

/// `POST /keys/new`: the key itself is in this answer alone.
pub(super) async fn submit(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let typed = Form::of_session(server, &who.token, request, FIELDS)?;
    let new = match wishes(server, &typed) {
        Ok(new) => new,
        Err(denials) => return faulted(server, who, &typed, &denials),
    };
    let scopes = new.scopes.clone();
    match who.desk(server).issue_api_key(new).await {
        Ok((key, secret)) => {
            let text = server.texts();
            let page = ShownOncePage {
                text,
                // The other language would have another page, without the key.
                frame: server.frame(who, "keys").only_once(),
                title: text.key_created,
                label: text.key_value,
                secret: secret.expose().to_owned(),
                advice: Vec::new(),
                samples: samples::of_key(server, &scopes),
                next: format!("/keys/{}", key.id),
            };
            server.page(StatusCode::OK, &page)
        }
        Err(NotDone::Denied(denial)) if denial.rule != Rule::AdministratorsOnly => faulted(server, who, &typed, &[denial]),
        Err(not_done) => Err(not_done.into()),
    }
}

/// What is wished, or all that is wrong with it.
fn wishes(server: &Server, typed: &Form<'_>) -> Result<NewApiKey, Vec<Denial>> {
    match (description(typed), scopes(server, typed), hidden(typed), quota(typed)) {
        (Ok(description), Ok(scopes), Ok(hidden), Ok(quota)) => Ok(NewApiKey { description, scopes, hidden, quota }),
        (one, two, three, four) => Err([one.err(), two.err(), three.err(), four.err()].into_iter().flatten().collect()),
    }
}

fn description(typed: &Form<'_>) -> Result<Line, Denial> {
    match typed.field("description").unwrap_or_default() {
        "" => Err(Denial::missing("description")),
        text => text.parse().map_err(|rule| Denial::invalid("description", &rule)),
    }
}

fn scopes(server: &Server, typed: &Form<'_>) -> Result<ApiScopes, Denial> {
    known_scopes(&typed.values("scopes").map(str::to_owned).collect::<Vec<_>>(), &server.api_scopes)
}

fn hidden(typed: &Form<'_>) -> Result<HiddenFields, Denial> {
    let fields: Result<HiddenFields, Invalid> = typed.values("hidden_fields").map(str::parse).collect();
    fields.map_err(|rule| Denial::invalid("hiddenFields", &rule))
}

fn quota(typed: &Form<'_>) -> Result<Option<Quota>, Denial> {
    let number = |name, known_as| match typed.field(name).unwrap_or_default() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| Denial::invalid(known_as, &Invalid::new("must be a whole number"))),
    };
    own_quota(number("rate_limit", "rateLimit")?, number("rate_window", "rateWindowSeconds")?, number("rate_burst", "rateBurst")?)
}

fn faulted(server: &Server, who: &SignedIn, typed: &Form<'_>, denials: &[Denial]) -> Result<Response<Body>, Refusal> {
    let (status, rule) = denials.first().map_or((StatusCode::BAD_REQUEST, Rule::FieldInvalid), |denial| (denial.status, denial.rule));
    let problems = Problems::of_denials(denials, SAYING, server.texts());
    Ok(faulty(form(server, who, status, Some(typed), problems)?, rule))
}

/// The form, with what was typed.
fn form(
    server: &Server,
    who: &SignedIn,
    status: StatusCode,
    typed: Option<&Form<'_>>,
    problems: Problems,
) -> Result<Response<Body>, Refusal> {
    let text = server.texts();
    let field = |name| typed.and_then(|typed| typed.field(name)).unwrap_or_default().to_owned();
    let is_on = |name, word| typed.is_some_and(|typed| typed.values(name).any(|value| value == word));
    let (rate_limit, rate_window, rate_burst) = (field("rate_limit"), field("rate_window"), field("rate_burst"));
    let scopes = who.desk(server).possible_api_scopes();
    let page = KeyNewPage {
        text,
        frame: server.frame(who, "keys"),
        problems,
        description: field("description"),
        scopes: scopes.iter().map(|scope| KeyScopeChoice::of(scope, is_on("scopes", scope.as_str()), text)).collect(),
        hidden_fields: PersonalField::ALL
            .iter()
            .map(|field| KeyFieldChoice::of(*field, is_on("hidden_fields", field.as_str()), text))
            .collect(),
        has_limit: [&rate_limit, &rate_window, &rate_burst].iter().any(|typed| !typed.is_empty()),
        rate_limit,
        rate_window,
        rate_burst,
    };
    server.page(status, &page)
}
