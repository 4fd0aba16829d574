use http::StatusCode;

use super::{calendars, edit, usage};
use crate::domain::{ApiKey, Quota};
use crate::http::console::code_samples;
use crate::http::console::error::Error;
use crate::http::console::home::EXPIRY_WARNING;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FieldsDecisionBadge, KeyPage, KeyStatusBadge, PreviousKeyValue, ShownOncePage, field_names,
};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

const DAY: u64 = 24 * 60 * 60;

/// `GET /keys/{id}`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    request.server.write_key_usage().await;
    let key = request.management().changeable_api_key(id).await?;
    let warning = warning(request.server, &key);
    page(request, &key, StatusCode::OK, warning).await
}

/// The page of a key, with a warning.
pub(super) async fn page(
    request: &UserRequest<'_>,
    key: &ApiKey,
    status: StatusCode,
    warning: Option<String>,
) -> HandlerResult {
    let server = request.server;
    let (text, now, zone) = (request.texts(), server.now(), server.zone());
    let owner = owner(request, key).await?;
    let page = KeyPage {
        text,
        layout: request.layout(section(request, key)),
        id: key.id.to_string(),
        description: key.description.to_string(),
        warning,
        state: KeyStatusBadge::new(key, now, text),
        last_four: ApiKey::last_four(&key.hint).to_owned(),
        back: list_path(request, key),
        owner,
        scopes: key
            .scopes
            .iter()
            .map(|scope| text.domain.api_scope(scope).0.to_owned())
            .collect(),
        hidden_fields: field_names(key.hidden, text),
        requested_fields: field_names(key.waiting_fields(), text),
        version: edit::version(key).hidden_input(),
        decision: decision(request, key).await?,
        created: DisplayTime::from_timestamp(key.created_at, zone),
        expires: DisplayTime::from_timestamp(key.expires_at, zone),
        previous_values: key
            .live_previous(now)
            .map(|value| PreviousKeyValue::new(value, zone))
            .collect(),
        last_used: key
            .last_used_at
            .map(|at| DisplayTime::from_timestamp(at, zone)),
        limit: limit(key.quota, text),
        usage: usage::chart(request, &[key.id]).await?,
        calendars: calendars::section_of(request, key).await?,
        samples: code_samples::for_key(server, &key.scopes, None),
    };
    request.render(status, &page)
}

/// The page that shows the value of a new or renewed key once.
pub(super) fn value_once(
    request: &UserRequest<'_>,
    key: &ApiKey,
    title: &'static str,
    advice: Vec<String>,
    secret: String,
) -> HandlerResult {
    let text = request.texts();
    let page = ShownOncePage {
        text,
        // The page cannot be requested again in another language.
        layout: request
            .layout(section(request, key))
            .without_language_switch(),
        title,
        label: text.key_value,
        client_id: None,
        advice,
        samples: code_samples::for_key(request.server, &key.scopes, Some(&secret)),
        secret,
        continue_href: format!("/keys/{}", key.id),
    };
    request.render(StatusCode::OK, &page)
}

/// Path of the list in which the user sees the key.
pub(super) fn list_path(request: &UserRequest<'_>, key: &ApiKey) -> &'static str {
    if is_own(request, key) {
        "/keys"
    } else {
        "/admin/keys"
    }
}

/// Menu entry under which the user sees the key.
pub(super) fn section(request: &UserRequest<'_>, key: &ApiKey) -> &'static str {
    if is_own(request, key) {
        "keys"
    } else {
        "admin"
    }
}

fn is_own(request: &UserRequest<'_>, key: &ApiKey) -> bool {
    key.owner.as_ref() == Some(&request.user.subject.id)
}

/// Name of the owner, unless the user is the owner.
async fn owner(request: &UserRequest<'_>, key: &ApiKey) -> Result<Option<String>, Error> {
    if is_own(request, key) {
        return Ok(None);
    }
    let names = UserLabels::load(request.server, key.owner.as_ref()).await?;
    Ok(Some(key.owner.as_ref().map_or_else(
        || request.texts().nobody.to_owned(),
        |owner| names.name(owner),
    )))
}

/// What an administrator decided about the last request for fields, if none waits.
async fn decision(
    request: &UserRequest<'_>,
    key: &ApiKey,
) -> Result<Option<FieldsDecisionBadge>, Error> {
    if !key.waiting_fields().is_empty() {
        return Ok(None);
    }
    let (text, zone) = (request.texts(), request.server.zone());
    let decision = request.management().decision_about_fields(key).await?;
    let is_in_force = !key.settings().approved_fields().is_empty();
    let decision = decision.filter(|decision| is_in_force || !decision.is_approved);
    Ok(decision.map(|decision| {
        let (text, kind) = if decision.is_approved {
            (text.approved, "good")
        } else {
            (text.approvals.denied, "problem")
        };
        FieldsDecisionBadge {
            text,
            kind,
            at: DisplayTime::from_timestamp(decision.at, zone),
        }
    }))
}

fn warning(server: &Server, key: &ApiKey) -> Option<String> {
    let (text, now) = (server.texts(), server.now());
    if key.expires_at <= now {
        return Some(text.key_warning_expired.to_owned());
    }
    // Rounded up: on its last day the key expires in one day.
    let days = key.expires_at.since(now).as_secs().div_ceil(DAY);
    (key.expires_at.minus(EXPIRY_WARNING) <= now).then(|| text.key_warning_soon(days))
}

fn limit(quota: Option<Quota>, text: &Texts) -> String {
    let Some(quota) = quota else {
        return text.limit_of_all.to_owned();
    };
    let (limit, window, burst) = (quota.limit(), quota.window().as_secs(), quota.burst());
    text.key_limit_of(limit, window, burst)
}
