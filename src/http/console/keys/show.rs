use http::{Response, StatusCode};

use super::usage;
use crate::domain::{ApiKey, Quota};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::home::SOON;
use crate::http::console::names::Names;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{KeyPage, KeyState, KeyValue};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

const DAY: i64 = 24 * 60 * 60;

/// `GET /keys/{id}`.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let key = who.desk(server).changeable_api_key(id).await?;
    let (text, now, zone) = (server.texts(), server.clock.now(), &server.zone);
    let owner = owner(server, who, &key).await?;
    let page = KeyPage {
        text,
        frame: server.frame(who, here(who, &key)),
        id: key.id.to_string(),
        description: key.description.to_string(),
        warning: warning(server, &key),
        state: KeyState::of(&key, now, text),
        hint: key.hint.clone(),
        back: list(who, &key),
        owner,
        scopes: key.scopes.iter().map(|scope| text.words.api_scope(scope).0.to_owned()).collect(),
        hidden_fields: key.hidden.iter().map(|field| text.words.personal_field(field)).collect(),
        created: Moment::at(key.created_at, zone),
        expires: Moment::at(key.expires_at, zone),
        previous: key.live_previous(now).map(|value| KeyValue::of(value, zone)).collect(),
        last_used: key.last_used_at.map(|at| Moment::at(at, zone)),
        limit: limit(key.quota, text),
        usage: usage::of(server, who, &key).await?,
    };
    server.page(StatusCode::OK, &page)
}

/// The list that the key is in, for whoever looks at it.
pub(super) fn list(who: &SignedIn, key: &ApiKey) -> &'static str {
    if is_own(who, key) { "/keys" } else { "/admin/keys" }
}

/// The entry of the menu that the key is below, for whoever looks at it.
pub(super) fn here(who: &SignedIn, key: &ApiKey) -> &'static str {
    if is_own(who, key) { "keys" } else { "admin" }
}

fn is_own(who: &SignedIn, key: &ApiKey) -> bool {
    key.owner.as_ref() == Some(&who.person.id)
}

/// Whose it is, if it is somebody else's.
async fn owner(server: &Server, who: &SignedIn, key: &ApiKey) -> Result<Option<String>, Refusal> {
    if is_own(who, key) {
        return Ok(None);
    }
    let names = Names::of(server, key.owner.as_ref()).await?;
    Ok(Some(key.owner.as_ref().map_or_else(|| server.texts().nobody.to_owned(), |owner| names.name(owner))))
}

fn warning(server: &Server, key: &ApiKey) -> Option<String> {
    let (text, now) = (server.texts(), server.clock.now());
    if key.expires_at <= now {
        return Some(text.key_warning_expired.to_owned());
    }
    // Rounded up: on its last day it expires in one day.
    let days = key.expires_at.seconds().saturating_sub(now.seconds()).saturating_add(DAY - 1) / DAY;
    (key.expires_at.minus(SOON) <= now).then(|| text.key_warning_soon.of(days))
}

fn limit(quota: Option<Quota>, text: &Texts) -> String {
    let Some(quota) = quota else { return text.limit_of_all.to_owned() };
    let (limit, window, burst) = (quota.limit(), quota.window().as_secs(), quota.burst());
    format!("{}: {limit} · {}: {window} · {}: {burst}", text.rate_limit, text.rate_window, text.rate_burst)
}
