//! The sync with NEIS, for administrators.

use std::time::Duration;

use http::StatusCode;

use super::error::Error;
use super::form::Form;
use super::form::flash::Flash;
use super::route_matching::HandlerResult;
use super::user_labels::UserLabels;
use super::user_request::UserRequest;
use super::views::{SyncKindRow, SyncPage, SyncRunRow};
use crate::domain::{DataKind, SubjectId, SyncResult, SyncRunRecord, SyncStatus, Timestamp};
use crate::http::SyncControl;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Number of runs on the page.
const RUNS: u32 = 30;

/// Age from which records that are synced each day are marked.
const OLD: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// `GET /admin/sync`: how current each kind is, and the last runs.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (server, text) = (request.server, request.texts());
    let status = sync(request)?.status(RUNS).await?;
    let service = SubjectId::service();
    let by = status.runs.iter().map(|run| &run.by);
    let people: Vec<&SubjectId> = by.filter(|by| **by != service).collect();
    let people = UserLabels::load(server, people).await?;
    let row = |run: &SyncRunRecord| {
        let by = if run.by == service {
            text.sync.by_itself.to_owned()
        } else {
            people.name(&run.by)
        };
        run_row(request, run, by)
    };
    request.render(
        StatusCode::OK,
        &SyncPage {
            text,
            layout: request.layout("sync"),
            is_running: status.is_running,
            kinds: kinds(request, &status),
            runs: status.runs.iter().map(row).collect(),
        },
    )
}

/// `POST /admin/sync`: starts a run in the background, unless one is under way.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let sync = sync(request)?;
    let by = request.user.subject.id.clone();
    let is_started = !sync.status(0).await?.is_running && sync.request_run(by);
    let flash = if is_started {
        Flash::SyncStarted
    } else {
        Flash::SyncRunning
    };
    request.redirect_with_flash("/admin/sync", flash)
}

fn sync<'a>(request: &'a UserRequest<'_>) -> Result<&'a dyn SyncControl, Error> {
    request.server.sync().ok_or_else(Error::not_found)
}

fn kinds(request: &UserRequest<'_>, status: &SyncStatus) -> Vec<SyncKindRow> {
    let (server, text) = (request.server, request.texts());
    let now = server.now();
    let row = |kind: &DataKind| {
        let known = status.data_as_of.iter().find(|(known, _)| known == kind);
        let as_of = known.map(|(_, as_of)| *as_of);
        let is_old = as_of.is_some_and(|as_of| now.since(as_of) >= OLD);
        SyncKindRow {
            name: list_name(*kind, text),
            as_of: as_of.map(|as_of| DisplayTime::from_timestamp(as_of, server.zone())),
            age: as_of.map_or_else(String::new, |as_of| age(now, as_of, text)),
            is_old: is_old && is_synced(*kind),
        }
    };
    DataKind::ALL.iter().map(row).collect()
}

/// Whether the records come from the sync and not from the school itself.
const fn is_synced(kind: DataKind) -> bool {
    matches!(
        kind,
        DataKind::Meals | DataKind::Schedules | DataKind::Timetables
    )
}

fn run_row(request: &UserRequest<'_>, run: &SyncRunRecord, by: String) -> SyncRunRow {
    let text = request.texts();
    SyncRunRow {
        at: DisplayTime::from_timestamp(run.started_at, request.server.zone()),
        kind: list_name(run.kind, text),
        by,
        badge_kind: badge_kind(run.result),
        result: text.domain.sync_result(run.result),
        detail: if run.result.is_success() || run.result == SyncResult::Running {
            String::new()
        } else {
            run.detail.to_string()
        },
        inserted: run.inserted,
        updated: run.updated,
        deleted: run.deleted,
        skipped: run.skipped,
    }
}

/// The class of the badge of a run's result.
pub(super) const fn badge_kind(result: SyncResult) -> &'static str {
    match result {
        SyncResult::Running => "",
        SyncResult::Interrupted => "warning",
        result if result.is_success() => "good",
        _ => "problem",
    }
}

fn list_name(kind: DataKind, text: &'static Texts) -> &'static str {
    let name = kind.as_str();
    text.school.list(name).unwrap_or(name)
}

/// The age in the largest unit of which there are two or more.
fn age(now: Timestamp, as_of: Timestamp, text: &'static Texts) -> String {
    let minutes = now.since(as_of).as_secs() / 60;
    let (hours, days) = (minutes / 60, minutes / (24 * 60));
    match (days, hours) {
        (2.., _) => text.sync.days_ago(days),
        (_, 2..) => text.sync.hours_ago(hours),
        _ => text.sync.minutes_ago(minutes),
    }
}
