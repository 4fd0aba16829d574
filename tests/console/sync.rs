//! The page about a sync, and what other pages say when it fails.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use http::StatusCode;
use lyceum::domain::{
    DataKind, DateRange, ShortText, SubjectId, SyncResult, SyncRunRecord, SyncStatus, Timestamp,
};
use lyceum::http::SyncControl;
use lyceum::store::StorageError;

use crate::harness::*;
use crate::pages::assert_safe;

/// A sync that runs when the test says so.
#[derive(Default)]
pub struct TestSync {
    status: Mutex<TestStatus>,
}

impl TestSync {
    /// A sync that was run so often by this administrator.
    pub fn with_runs(by: &SubjectId, count: usize) -> Self {
        let sync = Self::default();
        sync.status.lock().unwrap().runs = vec![run(SyncResult::Synced, by.clone()); count];
        sync
    }
}

#[derive(Default, Clone)]
struct TestStatus {
    is_running: bool,
    runs: Vec<SyncRunRecord>,
    data_as_of: Vec<(DataKind, Timestamp)>,
    failing_since: Option<Timestamp>,
    requested_by: Option<SubjectId>,
}

#[async_trait]
impl SyncControl for TestSync {
    fn request_run(&self, by: SubjectId) -> bool {
        let mut status = self.status.lock().unwrap();
        status.is_running = true;
        status.requested_by = Some(by);
        true
    }

    async fn status(&self, runs: u32) -> Result<SyncStatus, StorageError> {
        let status = self.status.lock().unwrap().clone();
        Ok(SyncStatus {
            is_running: status.is_running,
            runs: status.runs.into_iter().take(runs as usize).collect(),
            data_as_of: status.data_as_of,
        })
    }

    fn failing_since(&self) -> Option<Timestamp> {
        self.status.lock().unwrap().failing_since
    }
}

async fn harness() -> (Harness, Arc<TestSync>) {
    let sync = Arc::new(TestSync::default());
    let control = Arc::clone(&sync);
    let console = |builder: lyceum::http::console::ConsoleBuilder| builder.sync(control);
    let harness = Harness::with_console(console).await;
    (harness, sync)
}

fn run(result: SyncResult, by: SubjectId) -> SyncRunRecord {
    SyncRunRecord {
        kind: DataKind::Meals,
        window: DateRange::single_day("2026-01-01".parse().unwrap()),
        result,
        detail: ShortText::from_static("status 503 <b>"),
        code: None,
        calls: 4,
        inserted: 11,
        updated: 22,
        deleted: 33,
        skipped: 44,
        versions: [1, 2],
        by,
        started_at: START,
        ended_at: START,
    }
}

/// Fails if the page does not say what happened, in either language.
#[tokio::test]
async fn administrators_see_the_runs_and_how_current_the_data_is() {
    let (harness, sync) = harness().await;
    {
        let mut status = sync.status.lock().unwrap();
        status.runs = vec![
            run(SyncResult::Unavailable, SubjectId::service()),
            run(SyncResult::Synced, harness.person.clone()),
            run(SyncResult::Running, SubjectId::service()),
            run(SyncResult::Interrupted, SubjectId::service()),
        ];
        status.data_as_of = vec![(DataKind::Meals, START)];
    }
    harness.clock.advance(3 * 24 * 60 * MINUTE);
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/sync").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    for text in [
        "NEIS could not be reached; a scheduled sync tries again in an hour",
        "status 503 &#60;b&#62;",
        "Up to date",
        "<span class=\"badge \">Running</span></td>",
        "<span class=\"badge warning\">Interrupted before it ended</span> <small",
        "Schedule or command",
        EMAIL,
        ">11<",
        ">22<",
        ">33<",
        ">44<",
        "<span class=\"badge warning\">3 days</span>",
        "Unknown",
    ] {
        assert!(page.body.contains(text), "{text}: {}", page.body);
    }
    browser.language = "ko";
    let page = browser.get("/admin/sync").await;
    assert!(
        page.body
            .contains("자동 동기화가 켜져 있으면 한 시간 뒤 다시 시도해요"),
        "{}",
        page.body
    );
    assert!(page.body.contains("3일"));
    assert!(
        browser
            .get("/admin/audit")
            .await
            .body
            .contains("/admin/sync\"")
    );
}

/// Fails if the button starts no run, or a second one.
#[tokio::test]
async fn a_press_starts_a_run_and_a_second_one_says_that_it_is_running() {
    let (harness, sync) = harness().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/sync").await;
    assert!(page.body.contains("There are no runs yet."));
    let token = form_token(&page.body);
    let answer = browser.post("/admin/sync", &[("form_token", &token)]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let page = browser.follow().await;
    assert!(page.body.contains("Sync started."), "{}", page.body);
    assert!(page.body.contains("A sync is running. It takes"));
    let requested = sync.status.lock().unwrap().requested_by.take();
    assert!(requested.is_some_and(|by| by != harness.person && by != SubjectId::service()));
    let token = form_token(&page.body);
    let answer = browser.post("/admin/sync", &[("form_token", &token)]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let page = browser.follow().await;
    assert!(
        page.body.contains("A sync is already running."),
        "{}",
        page.body
    );
    assert_eq!(sync.status.lock().unwrap().requested_by, None);
    let forged = browser.post("/admin/sync", &[("form_token", "x")]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
}

// Proves: threats 49
/// Fails if a failing sync is not told to administrators, or is told to others.
#[tokio::test]
async fn every_page_of_administrators_says_that_the_sync_fails() {
    let (harness, sync) = harness().await;
    let text = "have not been updated since";
    let mut admin = harness.browser_of(ADMIN).await;
    for path in ["/", "/admin/people", "/clients"] {
        assert!(!admin.get(path).await.body.contains(text), "{path}");
    }
    sync.status.lock().unwrap().failing_since = Some(START);
    for path in ["/", "/admin/people", "/clients", "/admin/sync"] {
        let page = admin.get(path).await;
        assert_safe(&page);
        assert!(page.body.contains(text), "{path}");
    }
    let mut person = harness.browser_of(EMAIL).await;
    assert!(!person.get("/").await.body.contains(text));
    assert_eq!(
        person.get("/admin/sync").await.status,
        StatusCode::FORBIDDEN
    );
}

/// Fails if a console without a sync has a page of it.
#[tokio::test]
async fn without_a_sync_there_is_no_page() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(ADMIN).await;
    assert_eq!(
        browser.get("/admin/sync").await.status,
        StatusCode::NOT_FOUND
    );
    assert!(
        !browser
            .get("/admin/people")
            .await
            .body
            .contains("/admin/sync")
    );
}
