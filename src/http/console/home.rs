use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;

use super::error::Error;
use super::keys::usage::{DAYS, last_days};
use super::route_matching::HandlerResult;
use super::server::Server;
use super::sync::badge_kind;
use super::user_request::UserRequest;
use super::views::{
    AttentionItem, FailedSignIns, HomeApp, HomeClient, HomeKey, HomePage, KeyStatusBadge, LastSync,
    Overview, Plot,
};
use crate::domain::{ApiKey, Client, DailyCalls, Date, PageRequest, Severity};
use crate::http::management::AuthorizedApp;
use crate::http::pages::{DisplayTime, initial};
use crate::store::{ClientFilter, Paged};

/// Time before its expiry at which a key needs attention.
pub(super) const EXPIRY_WARNING: Duration = Duration::from_secs(7 * DAY);

const DAY: u64 = 24 * 60 * 60;

/// Number of records in each list.
const SHOWN: usize = 4;

/// `GET /`: what needs attention, and the user's keys, apps and clients.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    let (user, largest_page) = (&request.user.subject, PageRequest::LARGEST);
    let mut apps = request.management().authorized_apps().await?;
    apps.sort_by_key(|app| std::cmp::Reverse(app.allowed.last_used_at));
    let mut keys = match server.api_keys() {
        Some(store) => store.api_keys(Some(&user.id), largest_page).await?,
        None => Paged {
            total: 0,
            items: Vec::new(),
        },
    };
    keys.items.sort_by_key(|key| key.expires_at);
    let clients = server
        .registry()
        .clients(ClientFilter::OwnedBy(&user.id), largest_page)
        .await?;
    let students = &server.shared.management.students;
    let student = students.find(user).await?;
    let page = HomePage {
        text: request.texts(),
        layout: request.layout("home"),
        student: student.map(|record| record.value().student.name.to_string()),
        today: DisplayTime::from_date(Date::from_timestamp(server.now(), server.zone())),
        attention: attention(request, &keys.items, &clients.items).await?,
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
        overview: if request.is_administrator() {
            Some(overview(request).await?)
        } else {
            None
        },
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

fn home_key(server: &Server, key: &Arc<ApiKey>) -> HomeKey {
    HomeKey {
        id: key.id.to_string(),
        description: key.description.to_string(),
        hint: key.hint.clone(),
        state: KeyStatusBadge::new(key, server.now(), server.texts()),
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

/// Numbers for administrators.
async fn overview(request: &UserRequest<'_>) -> Result<Overview, Error> {
    let (server, management) = (request.server, request.management());
    let waiting = management.count_waiting().await?;
    let runs = match server.sync() {
        Some(sync) => sync.status(1).await?.runs,
        None => Vec::new(),
    };
    // Since midnight, as the list of events filters.
    let today = Date::from_timestamp(server.now(), server.zone());
    let midnight = DisplayTime::start_of_day(today, server.zone()).unwrap_or(server.now());
    let failed = management
        .count_failed_sign_ins(server.now().since(midnight))
        .await?;
    Ok(Overview {
        unverified_clients: waiting.unverified_clients,
        scope_requests: waiting.scope_requests,
        failed_sign_ins: failed.map(|count| FailedSignIns {
            count,
            from: today.to_string(),
        }),
        sync: runs.first().map(|run| LastSync {
            at: DisplayTime::from_timestamp(run.started_at, server.zone()),
            result: server.texts().domain.sync_result(run.result),
            kind: badge_kind(run.result),
        }),
    })
}

/// The requests of all keys on the last days.
async fn usage(request: &UserRequest<'_>, keys: &[Arc<ApiKey>]) -> Result<Option<Plot>, Error> {
    let days = last_days(request.server, DAYS)?;
    let mut calls: Vec<DailyCalls> = Vec::new();
    for key in keys {
        for of_key in request.management().daily_api_key_usage(key, days).await? {
            match calls.iter_mut().find(|known| known.day == of_key.day) {
                Some(known) => {
                    known.calls += of_key.calls;
                    known.errors += of_key.errors;
                }
                None => calls.push(of_key),
            }
        }
    }
    Ok((!keys.is_empty()).then(|| Plot::new(&calls, days, request.texts())))
}

/// The user's keys that expire soon or have expired, clients with advice, and requests for scopes.
async fn attention(
    request: &UserRequest<'_>,
    keys: &[Arc<ApiKey>],
    clients: &[Arc<Client>],
) -> Result<Vec<AttentionItem>, Error> {
    let (text, now) = (request.texts(), request.server.now());
    let waiting = request.management().count_waiting_requests().await?;
    let requests = (waiting > 0).then(|| AttentionItem {
        kind: "warning",
        message: text.attention_requests(waiting),
        hint: text.attention_requests_hint,
        href: "/applications/requests".to_owned(),
        action: text.show,
    });
    let expiring_keys = keys
        .iter()
        .filter(|key| key.revoked_at.is_none() && key.expires_at.minus(EXPIRY_WARNING) <= now)
        .map(|key| {
            let has_expired = key.expires_at <= now;
            let (kind, message, hint) = if has_expired {
                let message = text.attention_key_expired(&key.description);
                ("problem", message, text.attention_key_expired_hint)
            } else {
                let message = text.attention_key_expires(&key.description);
                ("warning", message, text.attention_key_expires_hint)
            };
            AttentionItem {
                kind,
                message,
                hint,
                href: format!("/keys/{}/renew", key.id),
                action: text.renew,
            }
        });
    let advised_clients = clients.iter().filter(|client| {
        client
            .advise(now)
            .iter()
            .any(|advice| advice.severity() > Severity::Low)
    });
    let client_advice = advised_clients.map(|client| AttentionItem {
        kind: "warning",
        message: text.attention_client_advice(&client.name),
        hint: text.attention_client_advice_hint,
        href: format!("/clients/{}", client.id),
        action: text.see_advice,
    });
    Ok(expiring_keys.chain(client_advice).chain(requests).collect())
}
