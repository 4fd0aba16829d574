use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Mutex;

use super::change::{DirectoryChange, Refusal, Writing};
use super::draft::Draft;
use super::limit::TooManyRecords;
use super::looks::{FRESH, Looked, Looks, NEVER, off_thread, thread};
use super::school::{SchoolResources, SchoolRules};
use super::snapshot::Snapshot;
use crate::clock::{Clock, SystemClock};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::Major;
use crate::metrics::{DIRECTORY_AGE, Gauges};
use crate::outage::Outage;
use crate::store::{Advance, DatasetVersion, DirectoryRows, DirectoryStore, StorageError};

/// How long [`Directory::keep_fresh`] waits between two looks.
const INTERVAL: Duration = Duration::from_millis(500);

/// How often a write is tried, if another process writes meanwhile.
const TRIES: usize = 5;

/// The school's directory: one snapshot in memory that answers every list, over any [`DirectoryStore`].
///
/// Clones share the snapshot: give the same one to [`DataApi`](crate::DataApi), [`AuthServer`](crate::AuthServer) and the console. A write through it is seen
/// at once by every clone; what other processes write is seen within a second. Reading takes no lock and asks the store for its version at most
/// once a second.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::directory::Directory;
/// use lyceum::store::memory::MemoryStore;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let directory = Directory::open(Arc::new(MemoryStore::new())).await?;
/// assert_eq!(directory.snapshot().await?.version().number, 0);
/// # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Directory(Arc<Shared>);

struct Shared {
    looks: Looks,
    /// Held by the write that is under way: of this process's writes, each begins where the one before ended.
    turn: Mutex<()>,
    /// When somebody last asked for a version that the store does not have.
    asked_in_vain_at: AtomicI64,
    outage: Outage,
    /// How many futures of [`Directory::keep_fresh`] are polled.
    kept_fresh: AtomicUsize,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    outage_tolerance: Duration,
    most_records: usize,
    age: Gauges<0>,
}

/// Options of a [`Directory`], each with a default.
#[must_use]
pub struct DirectoryBuilder {
    store: Arc<dyn DirectoryStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    outage_tolerance: Duration,
    most_records: usize,
    rules: SchoolRules,
}

/// What becomes of a batch of changes.
enum Plan {
    /// There is nothing to write.
    Decided(Writing),
    Changed(Arc<DirectoryRows>, Snapshot),
}

impl Directory {
    /// How many changes a batch may have: 10,000. In SQL no other write, such as a sign-in's, gets through while a batch is written.
    pub const MOST_CHANGES: usize = 10_000;

    /// Loads the directory from its store.
    ///
    /// # Errors
    /// When the store does not answer, or what it keeps is damaged.
    pub async fn open(store: Arc<dyn DirectoryStore>) -> Result<Self, StorageError> {
        Self::builder(store).open().await
    }

    /// The same with options.
    pub fn builder(store: Arc<dyn DirectoryStore>) -> DirectoryBuilder {
        DirectoryBuilder {
            store,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            outage_tolerance: Duration::from_secs(5 * 60),
            most_records: usize::MAX,
            rules: SchoolRules::default(),
        }
    }

    /// The present state of the directory.
    ///
    /// If the store was last asked for its version more than a second ago, it is asked first; all callers wait for one answer. They do not wait
    /// while the store is known to be away, nor while [`keep_fresh`](Self::keep_fresh) reads what another process wrote.
    ///
    /// # Errors
    /// When the store has not answered for longer than the [outage tolerance](DirectoryBuilder::outage_tolerance).
    pub async fn snapshot(&self) -> Result<Arc<Snapshot>, StorageError> {
        let now = self.now();
        let is_good = self.0.looks.is_fresh(now) || (self.tolerates(now) && self.is_looked_after(now));
        if !is_good {
            match self.look(now).await {
                Err(_) if self.tolerates(self.now()) => {}
                looked => looked?,
            }
        }
        Ok(self.last())
    }

    /// Whether a reader need not look itself: others do, and what they wait for may take long.
    fn is_looked_after(&self, now: i64) -> bool {
        (self.0.kept_fresh.load(Ordering::Relaxed) > 0 && self.0.looks.is_reading()) || self.0.outage.is_left_alone(now)
    }

    /// Whether the store has answered within the last second; if not, it is asked.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn check(&self) -> Result<(), StorageError> {
        let now = self.now();
        if self.0.looks.is_fresh(now) { Ok(()) } else { self.look(now).await }
    }

    /// How long ago the store last confirmed that the snapshot is its present state.
    pub fn age(&self) -> Duration {
        let age = self.now().saturating_sub(self.0.looks.confirmed_at());
        Duration::from_micros(u64::try_from(age).unwrap_or_default())
    }

    /// The present state of the directory for a reader that has seen `version`, in a tag or a cursor. If this process does not know the version, the
    /// store is asked whether another process wrote it, for invented versions at most twice a second.
    ///
    /// # Errors
    /// As [`snapshot`](Self::snapshot), and when `version` is newer than what this process knows and the store did not say whether it exists:
    /// because it is away, or because it was asked about an invented version less than a second ago.
    pub async fn snapshot_after(&self, version: DatasetVersion) -> Result<Arc<Snapshot>, StorageError> {
        let snapshot = self.snapshot().await?;
        if snapshot.knows(version) {
            return Ok(snapshot);
        }
        let now = self.now();
        let since = now.saturating_sub(self.0.asked_in_vain_at.load(Ordering::Relaxed));
        let mut is_sure = !(0..FRESH).contains(&since) && !self.0.outage.is_left_alone(now);
        if is_sure {
            // The first look may have begun before the version was written.
            for _ in 0..2 {
                is_sure = self.look(now).await.is_ok();
                let snapshot = self.last();
                if snapshot.knows(version) {
                    return Ok(snapshot);
                }
            }
            self.0.asked_in_vain_at.store(now, Ordering::Relaxed);
        }
        let snapshot = self.last();
        let present = snapshot.version();
        if !is_sure && version.lineage == present.lineage && version.number > present.number {
            return Err(StorageError::unavailable("the directory", "the store was not asked whether it has this version"));
        }
        Ok(snapshot)
    }

    /// Asks the store for its version twice a second, so that no reader has to wait for it. `pause` waits for a while, such as `tokio::time::sleep`:
    /// spawn the future beside the services. It ends when the last clone of the directory is dropped.
    ///
    /// ```no_run
    /// # async fn run(directory: lyceum::directory::Directory) {
    /// tokio::spawn(directory.keep_fresh(tokio::time::sleep));
    /// # }
    /// ```
    pub fn keep_fresh<P: Future<Output = ()> + Send>(
        &self,
        mut pause: impl FnMut(Duration) -> P + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let shared = Arc::downgrade(&self.0);
        async move {
            let _driver = Driver::of(Weak::clone(&shared));
            while let Some(directory) = shared.upgrade().map(Self) {
                // Readers tell of a failure, and the next look may succeed.
                let _ = directory.look(directory.now()).await;
                drop(directory);
                pause(INTERVAL).await;
            }
        }
    }

    /// Makes all the changes in their order, or none of them.
    ///
    /// * A student's clubs must exist and be of the right kind, or the batch is refused.
    /// * A club's leader must be a member of it. A student who stops being a member, also by leaving the school, stops being its leader.
    /// * A club's kind cannot change while it has members. A removed club leaves its members and projects without it.
    /// * Grades, classes, numbers and majors must be the school's, unless the record had them before.
    /// * A project's club and participants must exist. A removed student leaves their projects.
    /// * Removing what is not there changes nothing and is no fault.
    ///
    /// A batch that changes nothing makes no new version. One with more than [`MOST_CHANGES`](Self::MOST_CHANGES) is refused: the caller knows best
    /// where it can be split.
    ///
    /// # Errors
    /// When the store does not answer. Whether the batch was written is then unknown; the next reader asks the store.
    pub async fn write(&self, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError> {
        if changes.len() > Self::MOST_CHANGES {
            return Ok(Writing::Refused { index: Self::MOST_CHANGES, refusal: Refusal::TooManyChanges });
        }
        let _turn = self.0.turn.lock().await;
        let (changes, state) = (Arc::new(changes), &self.0.looks.state);
        for _ in 0..TRIES {
            let base = self.last();
            match self.plan(&base, &changes).await? {
                Plan::Changed(rows, next) => {
                    let unsure = Unsure(Some(&self.0.looks));
                    let (version, advance) = (rows.version, state.store.write_directory(base.version(), rows).await?);
                    if advance == Advance::Written {
                        state.install(&base, next);
                        unsure.settle();
                        return Ok(Writing::Written(version));
                    }
                }
                Plan::Decided(outcome) => {
                    // A decision that was made on a stale snapshot is not told.
                    if state.store.directory_version().await? == base.version() {
                        return Ok(outcome);
                    }
                }
            }
            state.catch_up(self.now(), &AtomicBool::new(false)).await?;
        }
        Ok(Writing::Contended)
    }

    /// A directory that begins with this one's snapshot and asks another handle on the same data, for tests that load once and follow often.
    #[cfg(feature = "testing")]
    pub(crate) fn forked(&self, store: Arc<dyn DirectoryStore>) -> Self {
        let resources = Arc::clone(&self.0.looks.state.resources);
        let looks = Looks::new(store, resources, Snapshot::clone(&self.last()), NEVER, None);
        Self(Arc::new(Shared {
            looks,
            turn: Mutex::default(),
            asked_in_vain_at: AtomicI64::new(NEVER),
            outage: Outage::default(),
            kept_fresh: AtomicUsize::new(0),
            clock: Arc::clone(&self.0.clock),
            entropy: Arc::clone(&self.0.entropy),
            outage_tolerance: self.0.outage_tolerance,
            most_records: self.0.most_records,
            age: Gauges::new(DIRECTORY_AGE),
        }))
    }

    /// The definitions of the lists.
    pub(crate) fn resources(&self) -> &SchoolResources {
        &self.0.looks.state.resources
    }

    async fn plan(&self, base: &Arc<Snapshot>, changes: &Arc<Vec<DirectoryChange>>) -> Result<Plan, StorageError> {
        let mut mark = [0; 8];
        self.0.entropy.fill(&mut mark);
        let present = base.version();
        let version = DatasetVersion { number: present.number + 1, mark: u64::from_be_bytes(mark), ..present };
        let (base, changes, most) = (Arc::clone(base), Arc::clone(changes), self.0.most_records);
        let resources = Arc::clone(&self.0.looks.state.resources);
        let plan = move || {
            let mut draft = Draft::of(&base, &resources);
            if let Err((index, refusal)) = draft.make_all(&changes) {
                return Plan::Decided(Writing::Refused { index, refusal });
            }
            let changed = base.changed_by(draft.into_rows(version));
            let Some((rows, next)) = changed else { return Plan::Decided(Writing::Written(present)) };
            let records = next.records();
            if records > base.records().max(most) {
                let refusal = Refusal::TooManyRecords(TooManyRecords { records, most });
                return Plan::Decided(Writing::Refused { index: changes.len() - 1, refusal });
            }
            Plan::Changed(Arc::new(rows), next)
        };
        self.0.looks.state.work(plan).await
    }

    /// Looks, and measures how old the data is then.
    async fn look(&self, now: i64) -> Result<(), StorageError> {
        let looked = self.0.looks.look(now).await;
        self.0.age.set([], self.age().as_secs_f64());
        let error = match looked {
            Looked::Fresh => {
                self.0.outage.end();
                return Ok(());
            }
            Looked::Failed(error) => StorageError::shared(&error),
            Looked::TimedOut => StorageError::unavailable("the directory", "the store did not answer in time"),
        };
        self.0.outage.begin(self.now());
        Err(error)
    }

    pub(super) fn last(&self) -> Arc<Snapshot> {
        self.0.looks.state.snapshot.load_full()
    }

    fn tolerates(&self, now: i64) -> bool {
        let age = now.saturating_sub(self.0.looks.confirmed_at());
        u128::try_from(age).is_ok_and(|age| age < self.0.outage_tolerance.as_micros())
    }

    fn now(&self) -> i64 {
        self.0.clock.now_micros()
    }
}

impl DirectoryBuilder {
    /// What time it is; the system's clock by default.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where the marks of versions come from; the operating system's generator by default.
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// For how long the directory is read from memory while the store does not answer; 5 minutes by default. Zero is until the next look, a
    /// second at most.
    pub fn outage_tolerance(mut self, time: Duration) -> Self {
        self.outage_tolerance = time;
        self
    }

    /// How many records of all six kinds the directory may have; any number by default. A process keeps them all in memory, about 2,000 bytes
    /// each: docs/operations.md has measurements.
    ///
    /// A directory that has more is not opened, and a write that would let it grow past this is refused. What another process writes is followed
    /// all the same.
    pub fn most_records(mut self, most: usize) -> Self {
        self.most_records = most;
        self
    }

    /// The school's grades, within 1–12; 1–3 by default. As with the other bounds, what is written and what requests ask for must be within,
    /// while records that the store has beyond are served all the same, and may be written again with the value they have.
    pub fn grades(mut self, grades: RangeInclusive<i32>) -> Self {
        self.rules.grades = grades;
        self
    }

    /// The classes of a grade, within 1–99; 1–4 by default.
    pub fn classes(mut self, classes: RangeInclusive<i32>) -> Self {
        self.rules.classes = classes;
        self
    }

    /// The numbers of a class, within 1–99; 1–18 by default.
    pub fn numbers(mut self, numbers: RangeInclusive<i32>) -> Self {
        self.rules.numbers = numbers;
        self
    }

    /// The school's majors in their order; by default those of service.md. The console shows a major that it has no text for by its name.
    pub fn majors(mut self, majors: impl IntoIterator<Item = Major>) -> Self {
        self.rules.majors = super::school::majors(&majors.into_iter().collect::<Vec<_>>());
        self
    }

    /// Loads the directory from its store.
    ///
    /// # Errors
    /// When bounds cannot be a school's, the store does not answer, what it keeps is damaged, or there are more than
    /// [`most_records`](Self::most_records), which is [`TooManyRecords`].
    pub async fn open(self) -> Result<Directory, StorageError> {
        let resources = Arc::new(SchoolResources::new(&self.rules.checked()?));
        let now = self.clock.now_micros();
        let rows = self.store.load_directory().await?;
        let (records, most) = (rows.records(), self.most_records);
        if records > most {
            return Err(StorageError::failed("the directory cannot be opened", TooManyRecords { records, most }));
        }
        let thread = thread();
        let snapshot = off_thread(&thread, {
            let resources = Arc::clone(&resources);
            move || Snapshot::loaded(rows, &resources)
        })
        .await?;
        Ok(Directory(Arc::new(Shared {
            looks: Looks::new(self.store, resources, snapshot, now, Some(thread)),
            turn: Mutex::default(),
            asked_in_vain_at: AtomicI64::new(NEVER),
            outage: Outage::default(),
            kept_fresh: AtomicUsize::new(0),
            clock: self.clock,
            entropy: self.entropy,
            outage_tolerance: self.outage_tolerance,
            most_records: self.most_records,
            age: Gauges::new(DIRECTORY_AGE),
        })))
    }
}

/// Counts a future of [`Directory::keep_fresh`] from its first poll until it is dropped.
struct Driver(Weak<Shared>);

impl Driver {
    fn of(shared: Weak<Shared>) -> Self {
        if let Some(shared) = shared.upgrade() {
            shared.kept_fresh.fetch_add(1, Ordering::Relaxed);
        }
        Self(shared)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.kept_fresh.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A write whose outcome is not known yet. If it is dropped so, because the store failed or the caller went away, the next reader looks.
struct Unsure<'a>(Option<&'a Looks>);

impl Unsure<'_> {
    fn settle(mut self) {
        self.0 = None;
    }
}

impl Drop for Unsure<'_> {
    fn drop(&mut self) {
        if let Some(looks) = self.0 {
            looks.forget();
        }
    }
}

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Directory").field(&self.last()).finish()
    }
}

impl fmt::Debug for DirectoryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirectoryBuilder").finish_non_exhaustive()
    }
}
