//! Several nodes over one store, a store that is away, and one that was replaced by its backup.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use lyceum::DataApi;
use lyceum::directory::{Directory, DirectoryChange, Writing};
use lyceum::domain::StudentId;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{Advance, DatasetVersion, DirectoryRows, DirectoryStore, StorageError};
use lyceum::testing::ManualClock;

use crate::calls::{get, request, send, send_with};
use crate::measured::support::measured;
use crate::school::{self, NOW};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// A store that can be away, can be replaced by another one, and counts how often it is asked for its version.
#[derive(Debug)]
struct Shifting {
    present: Mutex<Arc<MemoryStore>>,
    is_away: AtomicBool,
    looks: AtomicUsize,
    /// Written just before the next answer about the version, as another process would.
    next: Mutex<Option<(Directory, Vec<DirectoryChange>)>>,
    /// What changed is read while nobody holds this.
    reading: tokio::sync::Mutex<()>,
    reads: AtomicUsize,
}

impl Shifting {
    fn over(store: Arc<MemoryStore>) -> Arc<Self> {
        Arc::new(Self {
            present: Mutex::new(store),
            is_away: AtomicBool::default(),
            looks: AtomicUsize::default(),
            next: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            reads: AtomicUsize::default(),
        })
    }

    fn present(&self) -> Result<Arc<MemoryStore>, StorageError> {
        if self.is_away.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("away", "on purpose"));
        }
        Ok(self.present.lock().unwrap().clone())
    }

    /// How often it was asked for its version since the last time.
    fn looks(&self) -> usize {
        self.looks.swap(0, Ordering::SeqCst)
    }
}

#[async_trait]
impl DirectoryStore for Shifting {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        let next = self.next.lock().unwrap().take();
        if let Some((other, changes)) = next {
            assert!(matches!(other.write(changes).await?, Writing::Written(_)));
        }
        self.present()?.directory_version().await
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        self.present()?.load_directory().await
    }

    async fn directory_changes(&self, since: DatasetVersion) -> Result<Option<DirectoryRows>, StorageError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let _reading = self.reading.lock().await;
        self.present()?.directory_changes(since).await
    }

    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Result<Advance, StorageError> {
        self.present()?.write_directory(expected, change).await
    }
}

/// A directory over a store that may be shared, and the data API over it.
struct Node {
    store: Arc<Shifting>,
    directory: Directory,
    api: DataApi,
}

impl Node {
    async fn new(store: &Arc<MemoryStore>, clock: &ManualClock) -> Self {
        let shifting = Shifting::over(store.clone());
        let directory = Directory::builder(shifting.clone()).clock(Arc::new(clock.clone())).open().await.unwrap();
        // The keys never end, and their store is never away.
        let api = DataApi::builder(directory.clone(), store.clone()).clock(Arc::new(school::Still));
        Self { store: shifting, directory, api: api.without_rate_limit().build().unwrap() }
    }

    async fn write(&self, change: DirectoryChange) {
        assert!(matches!(self.directory.write(vec![change]).await.unwrap(), Writing::Written(_)));
    }

    async fn students(&self) -> Vec<i64> {
        get(&self.api, "/v1/students").await.ids()
    }

    /// What changed since, and the next cursor.
    async fn since(&self, cursor: &str) -> (serde_json::Value, String) {
        let answer = get(&self.api, &format!("/v1/students?updatedSince={cursor}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let data = answer.json()["data"].take();
        let next = data["cursor"].as_str().unwrap().to_owned();
        (data, next)
    }
}

async fn two_nodes() -> (Node, Node, ManualClock) {
    let (store, clock) = (school::store().await, ManualClock::at(NOW));
    (Node::new(&store, &clock).await, Node::new(&store, &clock).await, clock)
}

fn no_student(number: i64) -> DirectoryChange {
    DirectoryChange::RemoveStudent(StudentId::new(number).unwrap())
}

/// Fails if a node answers as of before its own write, or never looks at the store again.
#[tokio::test]
async fn a_write_is_seen_at_once_on_its_node_and_within_a_second_on_every_other() {
    let (one, other, clock) = two_nodes().await;
    for number in [1, 2, 3] {
        one.write(no_student(number)).await;
        assert!(!one.students().await.contains(&number));
        assert!(other.students().await.contains(&number), "nothing says so yet");
        clock.advance(SECOND);
        assert!(!other.students().await.contains(&number));
        assert_eq!(get(&one.api, "/v1/students").await.body, get(&other.api, "/v1/students").await.body);
    }
}

/// Fails if a client whose requests go to nodes in turn is shown a state from before the one that it knows.
#[tokio::test]
async fn whoever_knows_a_newer_state_than_the_node_is_shown_it_at_once() {
    let (one, other, _) = two_nodes().await;
    one.write(no_student(1)).await;
    let tag = get(&one.api, "/v1/students").await.header("etag").to_owned();
    let answer = send_with(&other.api, "GET", "/v1/students", &[("if-none-match", &tag)]).await;
    assert_eq!((answer.status, other.store.looks()), (StatusCode::NOT_MODIFIED, 1));
    assert!(!other.students().await.contains(&1));

    one.write(no_student(2)).await;
    let tags = format!("\"a\", {}", get(&one.api, "/v1/clubs").await.header("etag"));
    let answer = send_with(&other.api, "GET", "/v1/students", &[("if-none-match", &tags)]).await;
    assert_eq!((answer.status, answer.ids().contains(&2)), (StatusCode::OK, false), "the tag of another list says so too");
}

/// Fails if a cursor of one node is unknown to the other, or moves on without the change.
#[tokio::test]
async fn a_copy_that_follows_through_two_nodes_in_turn_loses_no_change() {
    let (one, other, _) = two_nodes().await;
    let (_, mut cursor) = one.since("0").await;
    for number in 1..=5 {
        one.write(no_student(number)).await;
        let (told, next) = if number % 2 == 0 { one.since(&cursor).await } else { other.since(&cursor).await };
        if number % 2 == 0 {
            assert!(told["deleted"].as_array().unwrap().contains(&number.into()), "{number}: {told}");
        }
        // The other one is asked with what the writer says, which it does not know yet.
        let (_, newest) = one.since(&next).await;
        let (rest, same) = other.since(&newest).await;
        assert_eq!((&rest["totalElements"], &rest["deleted"], same), (&0.into(), &serde_json::json!([]), newest.clone()), "{number}");
        cursor = newest;
    }
    let (all, _) = other.since("0").await;
    assert_eq!(all["deleted"], serde_json::json!([6, 7, 8, 1, 2, 3, 4, 5]), "in the order of their changes");
}

/// Fails if strangers can have the store asked at every request, by tags and cursors that they make up.
#[tokio::test]
async fn an_invented_newer_state_costs_at_most_two_looks_a_second() {
    let (node, _, clock) = two_nodes().await;
    let version = node.directory.snapshot().await.unwrap().version();
    let invented = |number: u64| format!("{:x}-{:x}-{number:x}", version.lineage, version.number + number);
    for _ in 0..3 {
        for number in 1..=20 {
            let tag = format!("W/\"{}-abc\"", invented(number));
            assert_eq!(send_with(&node.api, "GET", "/v1/clubs", &[("if-none-match", &tag)]).await.status, 200);
            let answer = get(&node.api, &format!("/v1/clubs?updatedSince={}-1", invented(number))).await;
            assert_eq!(answer.status, 503, "the tag was asked about, so this one is not");
            assert!(!answer.header("retry-after").is_empty());
        }
        let looks = node.store.looks();
        assert!((1..=3).contains(&looks), "two for the invented ones and one of the second that has begun, not {looks}");
        clock.advance(SECOND);
    }
}

/// Fails if lists need the store, if they are answered for ever without it, or if the node stays away when the store is back.
#[tokio::test]
async fn while_the_store_is_away_lists_go_on_until_the_tolerance_ends() {
    let (node, other, clock) = two_nodes().await;
    let ready = async || send(&node.api, request("GET", "/v1/health/ready", None)).await.status.as_u16();
    assert_eq!(ready().await, 200);
    node.store.is_away.store(true, Ordering::SeqCst);
    other.write(no_student(1)).await;
    clock.advance(SECOND);
    assert_eq!((ready().await, node.students().await.len()), (503, 5), "it is not ready, and answers as of the last look");
    let tag = get(&node.api, "/v1/clubs").await.header("etag").to_owned();
    clock.advance(5 * MINUTE - SECOND - SECOND);
    assert_eq!(node.students().await.len(), 5);
    assert_eq!(send_with(&node.api, "GET", "/v1/clubs", &[("if-none-match", &tag)]).await.status, 304);
    clock.advance(SECOND);
    for path in ["/v1/students", "/v1/clubs?updatedSince=0", "/v1/neis/meals"] {
        let answer = send_with(&node.api, "GET", path, &[("if-none-match", &tag)]).await;
        assert_eq!((answer.status.as_u16(), answer.header("retry-after").is_empty()), (503, false), "{path}");
        assert_eq!(answer.cause.as_deref(), Some("away"));
    }
    node.store.is_away.store(false, Ordering::SeqCst);
    clock.advance(SECOND);
    assert_eq!((ready().await, node.students().await), (200, vec![2, 3, 4, 5]));
}

/// Fails if a write that fails, which makes the next reader look, ends the time for which old data is told.
#[tokio::test]
async fn a_write_that_fails_while_the_store_is_away_leaves_the_lists_as_they_are() {
    let (node, _, clock) = two_nodes().await;
    node.store.is_away.store(true, Ordering::SeqCst);
    assert!(node.directory.write(vec![no_student(1)]).await.is_err());
    for _ in 0..3 {
        assert_eq!(node.students().await.len(), 5);
        clock.advance(SECOND);
    }
}

/// Fails if each reader waits for a store that hangs.
#[tokio::test]
async fn one_reader_a_second_waits_for_a_store_that_hangs() {
    let (node, other, clock) = two_nodes().await;
    node.store.is_away.store(true, Ordering::SeqCst);
    clock.advance(SECOND);
    assert_eq!(node.students().await.len(), 5);
    node.store.is_away.store(false, Ordering::SeqCst);
    let held = write_and_hold_reading(&node.store, &other, &clock).await;
    let api = node.api.clone();
    let waiting = tokio::spawn(async move { get(&api, "/v1/students").await.ids() });
    turn().await;
    assert!(!waiting.is_finished(), "it asks the store");
    assert_eq!(node.students().await.len(), 5, "others do not wait");
    drop(held);
    assert_eq!(waiting.await.unwrap(), [2, 3, 4, 5]);
    assert_eq!(node.students().await, [2, 3, 4, 5]);
}

/// Fails if requests wait while `keep_fresh` reads what another process wrote.
#[tokio::test]
async fn requests_do_not_wait_for_a_reload_in_the_background() {
    let (node, other, clock) = two_nodes().await;
    let store = node.store.clone();
    let held = write_and_hold_reading(&store, &other, &clock).await;
    let fresh = tokio::spawn(node.directory.keep_fresh(|_| std::future::pending()));
    turn().await;
    let api = node.api.clone();
    let reader = tokio::spawn(async move { get(&api, "/v1/students").await.ids() });
    turn().await;
    assert!(reader.is_finished());
    assert_eq!(reader.await.unwrap().len(), 5);
    drop(held);
    // Who has seen the new version waits for it.
    let newer = other.directory.snapshot().await.unwrap().version();
    assert!(node.directory.snapshot_after(newer).await.unwrap().knows(newer));
    assert_eq!(node.students().await, [2, 3, 4, 5]);
    fresh.abort();
}

/// Writes through `other`. The node sees that a second has passed, and cannot read what was written until the guard is dropped.
async fn write_and_hold_reading<'a>(store: &'a Shifting, other: &Node, clock: &ManualClock) -> tokio::sync::MutexGuard<'a, ()> {
    let held = store.reading.lock().await;
    other.write(no_student(1)).await;
    clock.advance(SECOND);
    held
}

/// Lets the other tasks go on until they wait.
async fn turn() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

/// Fails if a mirror is sent back to the beginning because nobody asked the store about its cursor.
#[tokio::test]
async fn a_newer_cursor_that_the_store_was_not_asked_about_is_to_come_again() {
    let (node, other, clock) = two_nodes().await;
    let version = node.directory.snapshot().await.unwrap().version();
    other.write(no_student(1)).await;
    let (_, newer) = other.since("0").await;
    let asked = async |cursor: &str| {
        let answer = get(&node.api, &format!("/v1/students?updatedSince={cursor}")).await;
        (answer.status.as_u16(), answer.header("retry-after").is_empty())
    };
    node.store.is_away.store(true, Ordering::SeqCst);
    assert_eq!(asked(&newer).await, (503, false));
    node.store.is_away.store(false, Ordering::SeqCst);
    clock.advance(SECOND);
    assert_eq!(asked(&newer).await, (200, true));
    let lost = format!("{:x}-{:x}-{:x}-1", version.lineage + 1, version.number, version.mark);
    assert_eq!(asked(&lost).await.0, 400);
    assert_eq!(asked(&lost).await.0, 400, "of another lineage no answer can come");
}

/// Fails if a look that reads is abandoned after five seconds: what takes longer to read would then never be read.
#[tokio::test]
async fn a_node_that_has_much_to_read_is_not_made_to_begin_again() {
    let (node, other, clock) = two_nodes().await;
    let store = node.store.clone();
    let held = write_and_hold_reading(&store, &other, &clock).await;
    let mut waiting = Vec::new();
    for _ in 0..5 {
        let api = node.api.clone();
        waiting.push(tokio::spawn(async move { get(&api, "/v1/students").await.ids() }));
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        clock.advance(10 * SECOND);
    }
    drop(held);
    for answer in waiting {
        assert_eq!(answer.await.unwrap(), [2, 3, 4, 5]);
    }
    assert_eq!(store.reads.load(Ordering::SeqCst), 1);
}

/// Fails if a look that fails counts, and when a refusal does not say the age.
#[test]
fn the_age_of_the_data_is_measured_and_told_by_the_readiness() {
    measured(async |measured| {
        let (node, other, clock) = two_nodes().await;
        let told = async || send(&node.api, request("GET", "/v1/health/ready", None)).await.header("x-directory-age").to_owned();
        let age = || measured.of("lyceum_directory_age_seconds", &[]);
        clock.advance(SECOND);
        assert_eq!((told().await.as_str(), age(), node.directory.age()), ("0", 0.0, Duration::ZERO));
        node.store.is_away.store(true, Ordering::SeqCst);
        clock.advance(MINUTE);
        assert_eq!((told().await.as_str(), age(), node.directory.age()), ("60", 60.0, MINUTE));
        clock.advance(MINUTE / 10);
        assert_eq!(node.students().await.len(), 5);
        assert_eq!((told().await.as_str(), age()), ("66", 66.0));
        node.store.is_away.store(false, Ordering::SeqCst);
        other.write(no_student(1)).await;
        clock.advance(SECOND);
        assert_eq!((told().await.as_str(), age()), ("0", 0.0));
    });
}

/// Fails if a version that was written again after the restore passes for the one that was lost.
#[tokio::test]
async fn after_a_backup_was_restored_the_lists_show_it_and_lost_states_are_unknown() {
    let (store, clock) = (school::store().await, ManualClock::at(NOW));
    let node = Node::new(&store, &clock).await;
    let (_, kept) = node.since("0").await;
    let backup = Arc::new(MemoryStore::new());
    copy(&store, &backup).await;
    node.write(no_student(1)).await;
    let (_, lost) = node.since(&kept).await;
    let tag = get(&node.api, "/v1/students").await.header("etag").to_owned();

    *node.store.present.lock().unwrap() = backup;
    clock.advance(SECOND);
    assert!(node.students().await.contains(&1), "as the backup has it");
    let answer = get(&node.api, &format!("/v1/students?updatedSince={lost}")).await;
    assert_eq!((answer.status.as_u16(), answer.reason().0.as_str()), (400, "updated_since_unknown"));
    // The next version has the number of the lost one.
    node.write(no_student(2)).await;
    let answer = get(&node.api, &format!("/v1/students?updatedSince={lost}")).await;
    assert_eq!((answer.status.as_u16(), answer.reason().0.as_str()), (400, "updated_since_unknown"));
    assert_eq!(send_with(&node.api, "GET", "/v1/students", &[("if-none-match", &tag)]).await.status, 200);
    assert_eq!(node.since(&kept).await.0["deleted"], serde_json::json!([2]), "states that the backup has go on");
}

/// Makes an empty store a copy of what another keeps of the directory, with its versions.
async fn copy(from: &MemoryStore, to: &MemoryStore) {
    let rows = from.load_directory().await.unwrap();
    for (number, mark) in rows.marks.clone() {
        let version = DatasetVersion { number, mark, ..rows.version };
        let change = if version == rows.version { rows.clone() } else { DirectoryRows::empty(version) };
        let present = to.directory_version().await.unwrap();
        assert_eq!(to.write_directory(present, Arc::new(change)).await.unwrap(), Advance::Written);
    }
}

#[tokio::test]
async fn a_batch_that_changes_nothing_keeps_every_tag_and_cursor() {
    let (one, other, clock) = two_nodes().await;
    let (tag, (_, cursor)) = (get(&one.api, "/v1/clubs").await.header("etag").to_owned(), one.since("0").await);
    assert!(matches!(one.directory.write(Vec::new()).await.unwrap(), Writing::Written(_)));
    assert!(matches!(one.directory.write(school::changes()).await.unwrap(), Writing::Written(_)), "as everything is already");
    one.write(no_student(999)).await;
    clock.advance(SECOND);
    for node in [&one, &other] {
        assert_eq!(send_with(&node.api, "GET", "/v1/clubs", &[("if-none-match", &tag)]).await.status, 304);
        assert_eq!(node.since(&cursor).await.1, cursor);
    }
}

/// Fails if the tag, the total and the records of one answer are of different states.
#[tokio::test]
async fn an_answer_is_of_one_state_although_others_write_meanwhile() {
    let (one, other, clock) = two_nodes().await;
    let whole = async |node: &Node| {
        let answer = get(&node.api, "/v1/students").await;
        (answer.header("etag").to_owned(), answer.json()["data"]["totalElements"].clone(), answer.ids())
    };
    for number in 1..=5 {
        clock.advance(SECOND);
        // The writer writes while the node asks for the version: after the check of the key, and before the list is read.
        *other.store.next.lock().unwrap() = Some((one.directory.clone(), vec![no_student(number)]));
        let (tag, total, ids) = whole(&other).await;
        assert_eq!(total, ids.len());
        assert_eq!((tag, total, ids), whole(&one).await, "all of it is as after the write");
    }
}
