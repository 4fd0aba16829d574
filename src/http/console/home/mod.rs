mod attention;
mod overview;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;

use crate::domain::{ApiKey, ApiKeyId, Client, Date, PageRequest};
use crate::http::console::data::week;
use crate::http::console::error::Error;
use crate::http::console::keys::usage::chart;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    AttentionItem, HomeApp, HomeClient, HomeKey, HomePage, KeyStatusBadge, Overview, Plot,
};
use crate::http::management::AuthorizedApp;
use crate::http::pages::texts::Texts;
use crate::http::pages::{DisplayTime, initial};
use crate::store::{ClientFilter, Paged};
use attention::{attention, decisions};
use overview::overview;

/// Time before its expiry at which a key needs attention.
pub(crate) const EXPIRY_WARNING: Duration = Duration::from_secs(7 * DAY);

pub(crate) const DAY: u64 = 24 * 60 * 60;

/// Days before its expiry from which a key has its number of days.
const SHOWN_DAYS: u64 = EXPIRY_WARNING.as_secs() / DAY;

/// Number of records in each list.
const SHOWN: usize = 4;

/// `GET /`: what needs attention, and the user's keys, apps and clients.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    let (user, largest_page) = (&request.user.subject, PageRequest::LARGEST);
    let mut apps = request.management().authorized_apps().await?;
    apps.sort_by_key(|app| std::cmp::Reverse(app.allowed.last_used_at));
    server.write_key_usage().await;
    let mut keys = match server.api_keys() {
        Some(store) => store.api_keys(Some(&user.id), largest_page).await?,
        None => Paged {
            total: 0,
            items: Vec::new(),
        },
    };
    let now = server.now();
    let expired = |key: &ApiKey| key.expires_at <= now;
    keys.items.sort_by_key(|key| (expired(key), key.expires_at));
    let clients = server
        .registry()
        .clients(ClientFilter::OwnedBy(&user.id), largest_page)
        .await?;
    let students = &server.shared.management.students;
    let student = students.find(user).await?;
    let overview = match request.is_administrator() {
        true => Some(overview(request).await?),
        false => None,
    };
    let attention = attention(request, &keys.items, &clients.items).await?;
    let page = HomePage {
        text: request.texts(),
        layout: request.layout("home"),
        student: student
            .as_ref()
            .map(|record| record.value().student.name.to_string()),
        day: match &student {
            Some(record) => week::day_card(request, record.value()).await?,
            None => None,
        },
        today: DisplayTime::from_date(Date::from_timestamp(server.now(), server.zone())),
        summary: summary(request.texts(), &attention, overview.as_ref()),
        attention,
        decisions: decisions(request, &clients.items).await?,
        usage: usage(request, &keys.items).await?,
        keys: some(&keys.items, |key| home_key(server, key)),
        key_count: keys.total,
        apps: some(&apps, |app| home_app(server, app)),
        app_count: apps.len(),
        clients: some(&clients.items, home_client),
        client_count: clients.total,
        application_count: server
            .registry()
            .applications(Some(&user.id), smallest_page()?)
            .await?
            .total,
        overview,
    };
    request.render(StatusCode::OK, &page)
}

/// A page of which only the total is used.
fn smallest_page() -> Result<PageRequest, Error> {
    PageRequest::new(0, 1).map_err(Error::internal)
}

fn some<T, R>(records: &[T], row: impl Fn(&T) -> R) -> Vec<R> {
    records.iter().take(SHOWN).map(row).collect()
}

/// What needs attention, in one line: the numbers for administrators as far as they are above 0.
fn summary(
    text: &'static Texts,
    attention: &[AttentionItem],
    overview: Option<&Overview>,
) -> String {
    let waiting = overview.map_or(0, |overview| overview.waiting_count);
    let failed = overview.and_then(|overview| overview.failed_sign_ins.as_ref());
    let failed = failed.map_or(0, |failed| failed.count);
    let mut numbers = Vec::new();
    if waiting > 0 {
        numbers.push(text.home_waiting(waiting));
    }
    if failed > 0 {
        numbers.push(text.home_failed(failed));
    }
    if !numbers.is_empty() {
        numbers.join(", ")
    } else if attention.is_empty() {
        text.nothing_needs_attention.to_owned()
    } else {
        text.needs_attention.to_owned()
    }
}

fn home_key(server: &Server, key: &Arc<ApiKey>) -> HomeKey {
    let (text, now) = (server.texts(), server.now());
    let state = KeyStatusBadge::new(key, now, text);
    let left = u64::try_from(key.expires_at.seconds() - now.seconds()).unwrap_or(0);
    let days = left.div_ceil(DAY);
    HomeKey {
        id: key.id.to_string(),
        description: key.description.to_string(),
        hint: format!("…{}", ApiKey::last_four(&key.hint)),
        state: match days {
            0 => Some(state.text.to_owned()),
            _ => (days <= SHOWN_DAYS).then(|| text.key_days_left(days)),
        },
        state_kind: state.kind,
        expires: DisplayTime::from_timestamp(key.expires_at, server.zone()),
    }
}

fn home_app(server: &Server, app: &AuthorizedApp) -> HomeApp {
    let time = |at| DisplayTime::from_timestamp(at, server.zone());
    HomeApp {
        name: app.client.name.to_string(),
        initial: initial(&app.client.name),
        since: time(app.allowed.since),
        last_used: app.allowed.last_used_at.map(time),
    }
}

fn home_client(client: &Arc<Client>) -> HomeClient {
    HomeClient {
        id: client.id.to_string(),
        name: client.name.to_string(),
        initial: initial(&client.name),
        is_unverified: !client.is_verified(),
    }
}

/// The requests of all keys on the last days.
async fn usage(request: &UserRequest<'_>, keys: &[Arc<ApiKey>]) -> Result<Option<Plot>, Error> {
    if keys.is_empty() {
        return Ok(None);
    }
    let ids: Vec<ApiKeyId> = keys.iter().map(|key| key.id).collect();
    chart(request, &ids).await.map(Some)
}
