//! Daily runs on one of many nodes, retries, and runs that somebody asks for.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lyceum::domain::{DataKind, ShortText, SubjectId, SyncResult, SyncRunRecord, Timestamp};
use lyceum::http::Clock;
use lyceum::neis::{
    self, Client, NeisSchool, SchoolKind, SyncAttempt, SyncSchedule, SyncScheduleBuilder,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{Lease, LeaseAcquisition, SyncStore};
use lyceum::testing::{ManualClock, NeisBehavior, NeisReplay};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::harness::{HIGH, KEY, MEALS, NOON, SCHEDULES, changed, days, key, open};
use crate::metrics_capture::capture_metrics;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Requests of a run over a year: of meals, of events, and of 27 times two weeks of lessons.
const REQUESTS: usize = 29;

/// A clock with the pauses of those who wait for it.
#[derive(Clone)]
struct Time {
    clock: ManualClock,
    moved: watch::Sender<()>,
    /// Number of pauses that have begun.
    pauses: watch::Sender<usize>,
}

impl Time {
    fn new(seconds: i64) -> Self {
        Self {
            clock: ManualClock::new(Timestamp::from_seconds(seconds)),
            moved: watch::Sender::new(()),
            pauses: watch::Sender::new(0),
        }
    }

    fn advance(&self, time: Duration) {
        self.clock.advance(time);
        self.moved.send_replace(());
    }

    /// Sleeps by the clock.
    fn pause(&self, time: Duration) -> impl Future<Output = ()> + Send + 'static + use<> {
        let this = self.clone();
        let end = this.clock.now().plus(time);
        async move {
            let mut moved = this.moved.subscribe();
            this.pauses.send_modify(|count| *count += 1);
            while this.clock.now() < end {
                // The sender lives as long as this future.
                let _ = moved.changed().await;
            }
        }
    }

    /// Moves the clock, and waits until so many pauses have begun since.
    async fn advance_until(&self, time: Duration, pauses: usize) {
        let mut seen = self.pauses.subscribe();
        let wanted = *seen.borrow_and_update() + pauses;
        self.advance(time);
        let _ = seen.wait_for(|count| *count >= wanted).await;
    }
}

/// Nodes of a school, with a store and a portal.
struct Nodes {
    portal: NeisReplay,
    store: Arc<MemoryStore>,
    time: Time,
    /// The records of which the hosts were told.
    told: Arc<Mutex<Vec<SyncRunRecord>>>,
}

impl Nodes {
    /// Noon in Korea.
    fn new() -> Self {
        let portal = NeisReplay::start().unwrap();
        portal.require_key(KEY);
        Self {
            portal,
            store: Arc::new(MemoryStore::new()),
            time: Time::new(NOON),
            told: Arc::default(),
        }
    }

    /// A process with its own directory.
    async fn node(&self) -> SyncSchedule {
        self.builder().await.daily_at("05:30").build().unwrap()
    }

    /// A process without a daily time.
    async fn builder(&self) -> SyncScheduleBuilder {
        let client = Client::builder(|_| async {}).key(key());
        let client = client.base_url(&self.portal.url()).build().unwrap();
        let school = NeisSchool::new("Z10", "9999999", SchoolKind::High).unwrap();
        let sync = neis::Sync::new(open(&self.store).await, client, school);
        let sync = sync.clock(Arc::new(self.time.clock.clone()));
        let (time, told) = (self.time.clone(), Arc::clone(&self.told));
        SyncSchedule::builder(sync, self.store.clone(), move |length| time.pause(length))
            .on_run(move |run| told.lock().unwrap().push(run.clone()))
    }

    /// The runs that have ended, the newest first.
    async fn runs(&self) -> Vec<SyncRunRecord> {
        let mut runs = self.store.sync_runs(200).await.unwrap();
        runs.retain(|run| run.result != SyncResult::Running);
        runs
    }

    /// The results of the runs, the newest first.
    async fn results(&self) -> Vec<(DataKind, SyncResult)> {
        let runs = self.runs().await;
        runs.iter().map(|run| (run.kind, run.result)).collect()
    }

    /// Waits until the hosts were told of so many runs.
    async fn told(&self, count: usize) {
        while self.told.lock().unwrap().len() < count {
            tokio::task::yield_now().await;
        }
    }

    /// Waits until there are so many runs.
    async fn ran(&self, count: usize) {
        while self.runs().await.len() < count {
            tokio::task::yield_now().await;
        }
    }
}

fn ran(attempt: SyncAttempt) -> Vec<neis::YearRun> {
    match attempt {
        SyncAttempt::Ran(runs) => runs,
        other => panic!("{other:?}"),
    }
}

fn administrator() -> SubjectId {
    "administrator".parse().unwrap()
}

/// Fails if a run is not recorded, with who started it and what it changed, or if a second one
/// changes the directory.
#[tokio::test]
async fn a_run_is_recorded_and_a_second_one_changes_nothing() {
    let nodes = Nodes::new();
    nodes.portal.set_answer(MEALS);
    let node = nodes.node().await;
    let runs = ran(node.run_now(administrator()).await.unwrap());
    assert_eq!(runs.len(), 3);
    let status = node.status(9).await.unwrap();
    let [timetables, schedules, meals] = &status.runs[..] else {
        panic!("{status:?}")
    };
    assert_eq!(
        (meals.kind, meals.result),
        (DataKind::Meals, SyncResult::Synced)
    );
    assert_eq!((meals.inserted, meals.versions), (5, [0, 1]));
    assert_eq!(
        (&meals.by, meals.window),
        (&administrator(), days("2026-03-01", "2027-02-28"))
    );
    assert_eq!(schedules.result, SyncResult::Empty);
    assert_eq!((timetables.calls, timetables.versions), (27, [1, 1]));
    let now = nodes.time.clock.now();
    let kinds = [DataKind::Meals, DataKind::Schedules, DataKind::Timetables];
    assert_eq!(status.data_as_of, kinds.map(|kind| (kind, now)));
    assert!(!status.is_running);
    assert_eq!(
        *nodes.told.lock().unwrap(),
        [meals.clone(), schedules.clone(), timetables.clone()]
    );

    nodes.time.advance(HOUR);
    let tag = open(&nodes.store).await.snapshot().await.unwrap().version();
    ran(nodes.node().await.run_now(administrator()).await.unwrap());
    let again = open(&nodes.store).await.snapshot().await.unwrap().version();
    assert_eq!(again, tag);
    let second = &nodes.runs().await[2];
    assert_eq!(
        (second.inserted, second.updated, second.versions),
        (0, 0, [1, 1])
    );
    let as_of = nodes.store.data_as_of().await.unwrap();
    assert_eq!(
        as_of,
        kinds.map(|kind| (kind, now.plus(HOUR))),
        "confirmed again"
    );
}

// Proves: threats 49
/// Fails if two nodes read the portal at the same time, or one after the other.
#[tokio::test]
async fn of_many_nodes_one_syncs() {
    let nodes = Nodes::new();
    nodes.portal.set_answer(MEALS);
    nodes.portal.then([NeisBehavior::Held]);
    let (one, other) = (nodes.node().await, nodes.node().await);
    for node in [&one, &other] {
        tokio::spawn(node.run());
    }
    nodes.portal.requested(1).await;
    let asked = nodes.node().await.run_now(administrator()).await.unwrap();
    assert!(matches!(asked, SyncAttempt::Busy), "{asked:?}");
    assert!(
        other.status(0).await.unwrap().is_running,
        "each node sees that one syncs"
    );
    nodes.portal.release();
    nodes.ran(3).await;
    // Both look again, and one of them a last time.
    nodes.time.advance_until(MINUTE, 2).await;
    nodes.time.advance_until(5 * MINUTE, 2).await;
    assert_eq!(nodes.portal.requests().len(), REQUESTS);
    assert_eq!(nodes.runs().await.len(), 3);
}

/// Fails if a run that was missed is left out until the next day, or made on each start.
#[tokio::test]
async fn a_missed_run_is_made_up_for_at_the_start_and_the_next_one_is_on_time() {
    let nodes = Nodes::new();
    let worker = tokio::spawn(nodes.node().await.run());
    nodes.ran(3).await;
    assert_eq!(nodes.runs().await[0].started_at, nodes.time.clock.now());
    worker.abort();
    tokio::spawn(nodes.node().await.run());
    nodes.time.advance_until(MINUTE, 1).await;
    assert_eq!(
        nodes.runs().await.len(),
        3,
        "a restart is no reason for a run"
    );
    // 05:29:00 in Korea, in steps that a worker waits at most.
    let early = Duration::from_secs(17 * 3600 + 29 * 60) - MINUTE;
    for _ in 0..(early.as_secs() / 300) {
        nodes.time.advance_until(5 * MINUTE, 1).await;
    }
    nodes
        .time
        .advance(Duration::from_secs(early.as_secs() % 300));
    assert_eq!(nodes.runs().await.len(), 3);
    nodes.time.advance_until(5 * MINUTE, 1).await;
    nodes.ran(6).await;
    let runs = nodes.runs().await;
    assert!(
        runs[..3].iter().all(|run| run.result == SyncResult::Empty),
        "{runs:?}"
    );
    assert_eq!(runs[0].by, SubjectId::service());
}

/// Fails if a morning without the portal costs the day, or kinds that were read are read again.
#[tokio::test]
async fn kinds_that_failed_are_tried_again_an_hour_later() {
    use SyncResult::{Empty, Synced, Unavailable};
    let nodes = Nodes::new();
    nodes.portal.set_answer(SCHEDULES);
    // The meals, with three more attempts.
    nodes.portal.then(vec![NeisBehavior::Maintenance; 4]);
    tokio::spawn(nodes.node().await.run());
    nodes.ran(3).await;
    let first = [
        (DataKind::Timetables, Empty),
        (DataKind::Schedules, Synced),
        (DataKind::Meals, Unavailable),
    ];
    assert_eq!(nodes.results().await, first);
    let detail = nodes.runs().await[2].detail.clone();
    assert_eq!(detail.as_str(), "the portal is unavailable: status 503");
    let before = nodes.portal.requests().len();
    for _ in 0..11 {
        nodes.time.advance_until(5 * MINUTE, 1).await;
    }
    assert_eq!(nodes.portal.requests().len(), before, "not yet");
    nodes.time.advance_until(5 * MINUTE, 1).await;
    nodes.ran(4).await;
    assert_eq!(nodes.results().await[0], (DataKind::Meals, Empty));
    assert_eq!(nodes.portal.requests().len(), before + 1);
}

// Proves: threats 49
/// Fails if a node that crashed blocks the others for ever, or one that works is not waited for.
#[tokio::test]
async fn the_lease_of_a_crashed_node_ends_and_that_of_a_working_one_is_renewed() {
    let nodes = Nodes::new();
    nodes.portal.otherwise(NeisBehavior::Held);
    let crashing = nodes.node().await;
    let run = tokio::spawn(async move { crashing.run_now(administrator()).await });
    nodes.portal.requested(1).await;
    let other = nodes.node().await;
    // The pause before the renewal has begun with the first request.
    for _ in 0..5 {
        nodes.time.advance_until(MINUTE, 1).await;
        let attempt = other.run_now(administrator()).await.unwrap();
        assert!(matches!(attempt, SyncAttempt::Busy), "{attempt:?}");
    }
    run.abort();
    assert!(run.await.unwrap_err().is_cancelled());
    nodes.portal.otherwise(NeisBehavior::Rows);
    nodes.time.advance(3 * MINUTE - Duration::from_secs(1));
    let attempt = other.run_now(administrator()).await.unwrap();
    assert!(matches!(attempt, SyncAttempt::Busy), "{attempt:?}");
    nodes.time.advance(Duration::from_secs(1));
    assert_eq!(ran(other.run_now(administrator()).await.unwrap()).len(), 3);
}

// Proves: threats 49
/// Fails if a process that stops between two windows leaves changes without a record or an event,
/// or if the page calls its run one that is under way for ever.
#[tokio::test]
async fn a_run_that_was_interrupted_has_its_record_and_event_and_is_made_up_for() {
    let nodes = Nodes::new();
    nodes.portal.set_answer(HIGH);
    // Meals, events, and lessons up to the two weeks that have some.
    nodes.portal.then(vec![NeisBehavior::Rows; 9]);
    nodes.portal.otherwise(NeisBehavior::Held);
    let crashing = nodes.node().await;
    let run = tokio::spawn(async move { crashing.run_now(administrator()).await });
    nodes.portal.requested(10).await;
    let other = nodes.node().await;
    let status = other.status(9).await.unwrap();
    assert!(status.is_running);
    assert_eq!(status.runs[0].result, SyncResult::Running);
    run.abort();
    assert!(run.await.unwrap_err().is_cancelled());
    nodes.portal.otherwise(NeisBehavior::Rows);
    nodes.told(2).await;

    nodes.time.advance(3 * MINUTE);
    let status = other.status(9).await.unwrap();
    assert!(!status.is_running);
    assert_eq!(status.runs[0].result, SyncResult::Interrupted);
    tokio::spawn(other.run());
    nodes.told(4).await;
    let told = nodes.told.lock().unwrap().clone();
    let (interrupted, again) = (&told[2], &told[3]);
    assert_eq!(
        (interrupted.kind, interrupted.result),
        (DataKind::Timetables, SyncResult::Interrupted)
    );
    assert_eq!(interrupted.by, administrator());
    assert_eq!(interrupted.window, days("2026-03-01", "2027-02-28"));
    assert!(interrupted.inserted > 0, "{interrupted:?}");
    assert_eq!(interrupted.versions, [0, 1]);
    assert_eq!(interrupted.ended_at, nodes.time.clock.now());
    assert_eq!(
        (again.kind, again.result),
        (DataKind::Timetables, SyncResult::Synced)
    );
    assert_eq!((again.inserted, again.versions), (0, [1, 1]));
    let stored: Vec<_> = told.into_iter().rev().collect();
    assert_eq!(
        nodes.store.sync_runs(9).await.unwrap(),
        stored,
        "each is recorded once"
    );
}

/// Fails if a process that syncs at this moment calls its own run an interrupted one.
#[tokio::test]
async fn a_process_syncs_once_at_a_time() {
    let nodes = Nodes::new();
    nodes.portal.then([NeisBehavior::Held]);
    let node = nodes.node().await;
    let first = tokio::spawn({
        let node = node.clone();
        async move { node.run_now(administrator()).await }
    });
    nodes.portal.requested(1).await;
    let second = node.run_now(administrator()).await.unwrap();
    assert!(matches!(second, SyncAttempt::Busy), "{second:?}");
    tokio::spawn(node.run());
    nodes.time.advance_until(MINUTE, 1).await;
    nodes.portal.release();
    assert_eq!(ran(first.await.unwrap().unwrap()).len(), 3);
    let results = nodes.results().await;
    assert!(
        results
            .iter()
            .all(|(_, result)| *result == SyncResult::Empty),
        "{results:?}"
    );
}

// Proves: threats 49
/// Fails if another process, or the same one after a restart, asks a portal whose quota is spent.
#[tokio::test]
async fn every_process_knows_that_the_quota_of_the_day_is_spent() {
    let nodes = Nodes::new();
    nodes.portal.then([NeisBehavior::Code("ERROR-337")]);
    let runs = ran(nodes.node().await.run_now(administrator()).await.unwrap());
    assert_eq!((runs.len(), runs[0].run.calls), (1, 1));
    assert_eq!(runs[0].failures.len(), 1);
    let runs = ran(nodes.node().await.run_now(administrator()).await.unwrap());
    assert_eq!((runs.len(), runs[0].run.calls), (1, 0));
    assert_eq!(nodes.portal.requests().len(), 1);
    assert_eq!(nodes.store.data_as_of().await.unwrap(), []);
    nodes.time.advance(12 * HOUR);
    let runs = ran(nodes.node().await.run_now(administrator()).await.unwrap());
    assert_eq!(
        (runs.len(), nodes.portal.requests().len()),
        (3, 1 + REQUESTS)
    );
}

/// Fails if a run that somebody asks for does not begin, begins twice, or does not name them.
#[tokio::test]
async fn a_run_that_is_asked_for_begins_at_once_and_once() {
    let nodes = Nodes::new();
    let node = nodes.node().await;
    tokio::spawn(node.run());
    nodes.ran(3).await;
    nodes.time.advance_until(MINUTE, 1).await;
    nodes.portal.otherwise(NeisBehavior::Held);
    assert!(node.request_run(administrator()));
    assert!(!node.request_run(administrator()), "it is about to begin");
    assert!(node.status(0).await.unwrap().is_running);
    nodes.portal.requested(REQUESTS + 1).await;
    assert!(!node.request_run(administrator()), "it is running");
    nodes.portal.release();
    nodes.ran(6).await;
    let runs = nodes.runs().await;
    assert!(runs[..3].iter().all(|run| run.by == administrator()));
    while node.status(0).await.unwrap().is_running {
        tokio::task::yield_now().await;
    }
    assert_eq!(nodes.portal.requests().len(), 2 * REQUESTS);
}

// Proves: threats 49
/// Fails if two days without a success go unnoticed, or a success does not end it.
#[tokio::test]
async fn a_sync_without_a_success_for_two_days_is_failing() {
    let nodes = Nodes::new();
    let node = nodes.node().await;
    tokio::spawn(node.run());
    nodes.ran(3).await;
    let success = nodes.runs().await[2].started_at;
    nodes.portal.otherwise(NeisBehavior::Maintenance);
    nodes.time.advance_until(47 * HOUR, 1).await;
    assert_eq!(node.failing_since(), None);
    nodes.ran(6).await;
    nodes.time.advance_until(HOUR, 1).await;
    assert_eq!(node.failing_since(), Some(success));
    // A node that has just been started knows it too.
    let other = nodes.node().await;
    let mut pauses = nodes.time.pauses.subscribe();
    let before = *pauses.borrow_and_update();
    tokio::spawn(other.run());
    let _ = pauses.wait_for(|count| *count > before).await;
    nodes.ran(9).await;
    assert_eq!(other.failing_since(), Some(success));
    nodes.portal.otherwise(NeisBehavior::Rows);
    nodes.time.advance(HOUR);
    nodes.ran(12).await;
    while node.failing_since().is_some() {
        nodes.time.advance(MINUTE);
        tokio::task::yield_now().await;
    }
}

/// A run of meals that took no time.
fn run(result: SyncResult, at: Timestamp) -> SyncRunRecord {
    SyncRunRecord {
        kind: DataKind::Meals,
        window: days("2026-03-01", "2027-02-28"),
        result,
        detail: ShortText::from_static("-"),
        code: None,
        calls: 1,
        inserted: 0,
        updated: 0,
        deleted: 0,
        skipped: 0,
        versions: [0, 0],
        by: SubjectId::service(),
        started_at: at,
        ended_at: at,
    }
}

/// Fails if a wrong code of the school, or trouble of the portal, counts as a confirmation.
#[tokio::test]
async fn a_portal_without_records_that_the_directory_has_confirms_nothing() {
    let nodes = Nodes::new();
    nodes.portal.set_answer(MEALS);
    let node = nodes.node().await;
    ran(node.run_now(administrator()).await.unwrap());
    let first = nodes.time.clock.now();
    nodes.time.advance(HOUR);
    nodes.portal.otherwise(NeisBehavior::Code("INFO-200"));
    ran(node.run_now(administrator()).await.unwrap());
    let results = nodes.results().await;
    assert_eq!(results[2], (DataKind::Meals, SyncResult::Missing));
    assert_eq!(results[1], (DataKind::Schedules, SyncResult::Empty));
    let as_of = nodes.store.data_as_of().await.unwrap();
    assert_eq!(as_of[0], (DataKind::Meals, first));
    assert_eq!(as_of[1], (DataKind::Schedules, first.plus(HOUR)));
}

/// Fails if two weeks of which the portal lost the lessons count as current, while it has others.
#[tokio::test]
async fn lessons_that_are_to_come_and_that_the_portal_has_lost_are_not_confirmed() {
    let nodes = Nodes::new();
    let lesson = nodes.portal.set_answer(HIGH)[0].clone();
    let [past, soon, later] = ["20260601", "20260612", "20260622"]
        .map(|day| changed(&lesson, json!({ "ALL_TI_YMD": day })));
    let of = |rows: &[&Value]| rows.iter().map(|row| (*row).clone()).collect();
    let node = nodes.node().await;
    for (rows, result) in [
        (of(&[&past, &soon, &later]), SyncResult::Synced),
        (of(&[&soon, &later]), SyncResult::Synced),
        (of(&[&soon]), SyncResult::Missing),
    ] {
        nodes.portal.set_rows("hisTimetable", rows);
        ran(node.run_now(administrator()).await.unwrap());
        assert_eq!(nodes.results().await[0], (DataKind::Timetables, result));
        nodes.time.advance(HOUR);
    }
}

/// Fails if a sync of which the settings refuse every row counts as a confirmation.
#[tokio::test]
async fn a_run_that_can_use_no_row_confirms_nothing() {
    let nodes = Nodes::new();
    let meal = nodes.portal.set_answer(MEALS)[0].clone();
    let unusable = changed(&meal, json!({ "MMEAL_SC_CODE": "9" }));
    nodes.portal.set_rows("mealServiceDietInfo", vec![unusable]);
    let node = nodes.node().await;
    ran(node.run_now(administrator()).await.unwrap());
    let runs = nodes.runs().await;
    let run = runs.iter().find(|run| run.kind == DataKind::Meals).unwrap();
    assert_eq!((run.result, run.skipped), (SyncResult::Rejected, 1));
    assert_eq!(
        run.detail.as_str(),
        "the portal has rows of these days, and none could be used"
    );
}

// Proves: threats 49
/// Fails if a sync that never succeeds goes unnoticed, or if its start moves with later failures.
#[tokio::test]
async fn a_sync_that_has_never_succeeded_is_failing_since_its_first_run() {
    let nodes = Nodes::new();
    nodes.portal.otherwise(NeisBehavior::Maintenance);
    let node = nodes.node().await;
    tokio::spawn(node.run());
    nodes.ran(3).await;
    let first = nodes.runs().await[2].started_at;
    for _ in 0..200 {
        let later = run(SyncResult::Unavailable, first.plus(HOUR));
        nodes.store.append_sync_run(later).await.unwrap();
    }
    nodes.time.advance(48 * HOUR);
    nodes.told(6).await;
    assert_eq!(node.failing_since(), Some(first));
}

/// Fails if the alert does not know since when a kind was never current, if that moves with later
/// runs, or if a kind that was confirmed has such a time too.
#[test]
fn the_metrics_have_the_first_run_of_a_kind_that_was_never_current() {
    capture_metrics(async |metrics| {
        let first_run = |kind| metrics.value("lyceum_sync_first_run_timestamp_seconds", &[kind]);
        let nodes = Nodes::new();
        // The meals, with three more attempts.
        nodes.portal.then(vec![NeisBehavior::Maintenance; 4]);
        tokio::spawn(nodes.node().await.run());
        nodes.ran(3).await;
        assert_eq!(first_run("meals"), 0.0, "there was no run before");
        nodes.time.advance_until(MINUTE, 1).await;
        let kinds = ["meals", "schedules", "timetables"];
        assert_eq!(kinds.map(first_run), [NOON as f64, 0.0, 0.0]);
        // The retry fails too.
        nodes.portal.then(vec![NeisBehavior::Maintenance; 4]);
        nodes.time.advance_until(HOUR, 1).await;
        nodes.ran(4).await;
        nodes.time.advance_until(MINUTE, 1).await;
        assert_eq!(nodes.results().await[0].1, SyncResult::Unavailable);
        assert_eq!(kinds.map(first_run), [NOON as f64, 0.0, 0.0]);
    });
}

/// Fails if records of a school that does not sync each day are called a failure, or a failed run
/// is not.
#[tokio::test]
async fn without_a_daily_time_only_failed_runs_make_a_sync_fail() {
    let nodes = Nodes::new();
    let node = nodes.builder().await.build().unwrap();
    ran(node.run_now(administrator()).await.unwrap());
    let success = nodes.time.clock.now();
    tokio::spawn(node.run());
    nodes.time.advance_until(72 * HOUR, 1).await;
    assert_eq!(node.failing_since(), None);
    nodes.portal.otherwise(NeisBehavior::Maintenance);
    ran(node.run_now(administrator()).await.unwrap());
    nodes.time.advance_until(5 * MINUTE, 1).await;
    assert_eq!(node.failing_since(), Some(success));
}

/// Fails if a fault that ends each run is repeated every minute, or ends the daily runs.
#[tokio::test]
async fn after_a_panic_the_next_run_is_an_hour_later() {
    let nodes = Nodes::new();
    let builder = nodes.builder().await.daily_at("05:30");
    let node = builder.on_run(|_| panic!("of the test")).build().unwrap();
    tokio::spawn(node.run());
    nodes.ran(1).await;
    for _ in 0..11 {
        nodes.time.advance_until(5 * MINUTE, 1).await;
        assert_eq!(nodes.runs().await.len(), 1);
    }
    while nodes.runs().await.len() < 2 {
        nodes.time.advance_until(5 * MINUTE, 1).await;
    }
}

/// Fails if the runs of a node whose clock was ahead keep the others from syncing.
#[tokio::test]
async fn runs_of_the_future_do_not_count() {
    let nodes = Nodes::new();
    let year = nodes.time.clock.now().plus(365 * 24 * HOUR);
    for result in [SyncResult::Synced, SyncResult::KeyRefused] {
        nodes
            .store
            .append_sync_run(run(result, year))
            .await
            .unwrap();
    }
    let now = nodes.time.clock.now();
    let status = nodes.node().await.status(0).await.unwrap();
    assert_eq!(status.data_as_of, [(DataKind::Meals, now)]);
    tokio::spawn(nodes.node().await.run());
    nodes.told(3).await;
    let as_of = nodes.store.data_as_of().await.unwrap();
    assert_eq!(
        as_of[0],
        (DataKind::Meals, now),
        "a success corrects the time"
    );
}

// Proves: threats 49
/// Fails if a confirmation of a node whose clock was ahead hides for as long that the sync fails.
#[tokio::test]
async fn a_confirmation_of_the_future_hides_no_failure() {
    let nodes = Nodes::new();
    let node = nodes.node().await;
    tokio::spawn(node.run());
    nodes.ran(3).await;
    let success = nodes.runs().await[2].started_at;
    let ahead = run(SyncResult::Synced, success.plus(30 * 24 * HOUR));
    nodes.store.append_sync_run(ahead).await.unwrap();
    nodes.portal.otherwise(NeisBehavior::Maintenance);
    nodes.time.advance_until(47 * HOUR, 1).await;
    nodes.ran(7).await;
    nodes.time.advance_until(HOUR, 1).await;
    assert_eq!(node.failing_since(), Some(success));
}

// Proves: threats 49
/// Fails if the lease of a node whose clock was ahead keeps all others from syncing for as long.
#[tokio::test]
async fn a_lease_of_the_future_keeps_nobody_from_syncing() {
    let nodes = Nodes::new();
    let year = Lease {
        holder: ShortText::from_static("a node whose clock was ahead"),
        expires_at: nodes.time.clock.now().plus(365 * 24 * HOUR),
    };
    let name = ShortText::from_static("neis-sync");
    let acquired = nodes
        .store
        .acquire_lease(&name, year.clone(), year.expires_at.minus(MINUTE));
    assert_eq!(acquired.await.unwrap(), LeaseAcquisition::Acquired);
    let node = nodes.node().await;
    assert!(!node.status(0).await.unwrap().is_running);
    assert_eq!(ran(node.run_now(administrator()).await.unwrap()).len(), 3);
}
