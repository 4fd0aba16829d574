//! A school whose directory follows a replayed portal.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lyceum::directory::{Directory, Snapshot};
use lyceum::domain::{DateRange, Lesson, Meal, SchoolEvent, Timestamp};
use lyceum::neis::{
    self, Client, ClientBuilder, NeisKey, NeisSchool, SchoolKind, SyncKind, SyncRun,
};
use lyceum::store::DatasetVersion;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::{ManualClock, NeisReplay};
use serde_json::{Value, json};

pub const MEALS: &str = include_str!("../support/neis/meals_ok.json");
pub const SCHEDULES: &str = include_str!("../support/neis/schedules_ok.json");
pub const HIGH: &str = include_str!("../support/neis/timetable_his_ok.json");

pub const KEY: &str = "0123456789abcdef0123456789abcdef";

/// 2026-06-10, noon in Korea.
pub const NOON: i64 = 1_781_060_400;

pub struct School {
    pub portal: NeisReplay,
    pub store: Arc<MemoryStore>,
    pub directory: Directory,
    pub clock: ManualClock,
    /// Seconds of each pause between two attempts.
    pub pauses: Arc<Mutex<Vec<u64>>>,
    pub sync: neis::Sync,
}

impl School {
    pub async fn new() -> Self {
        Self::with(SchoolKind::High, |client| client.key(key())).await
    }

    pub async fn with(
        kind: SchoolKind,
        options: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Self {
        let portal = NeisReplay::start().unwrap();
        portal.require_key(KEY);
        let store = Arc::new(MemoryStore::new());
        let directory = open(&store).await;
        let pauses: Arc<Mutex<Vec<u64>>> = Arc::default();
        let counted = Arc::clone(&pauses);
        let client = Client::builder(move |time: Duration| {
            counted.lock().unwrap().push(time.as_secs());
            async {}
        });
        let client = options(client.base_url(&portal.url())).build().unwrap();
        let clock = ManualClock::new(Timestamp::from_seconds(NOON));
        let school = NeisSchool::new("Z10", "9999999", kind).unwrap();
        let sync = neis::Sync::new(directory.clone(), client, school);
        Self {
            sync: sync.clock(Arc::new(clock.clone())),
            portal,
            store,
            directory,
            clock,
            pauses,
        }
    }

    /// Runs over June 2026.
    pub async fn run(&self, kind: SyncKind) -> SyncRun {
        self.sync.run(kind, june()).await.unwrap()
    }

    /// Runs over June 2026 while something else happens, which ends with the run at the latest.
    pub async fn run_during(&self, kind: SyncKind, other: impl Future<Output = ()>) -> SyncRun {
        let run = self.run(kind);
        tokio::pin!(run, other);
        tokio::select! {
            run = &mut run => return run,
            () = &mut other => {}
        }
        run.await
    }

    pub async fn snapshot(&self) -> Arc<Snapshot> {
        self.directory.snapshot().await.unwrap()
    }

    pub async fn version(&self) -> DatasetVersion {
        self.snapshot().await.version()
    }

    pub async fn meals(&self) -> Vec<Meal> {
        let snapshot = self.snapshot().await;
        let meals = snapshot.meals(june()).iter();
        meals.map(|meal| Meal::clone(meal)).collect()
    }

    pub async fn events(&self) -> Vec<SchoolEvent> {
        let snapshot = self.snapshot().await;
        let events = snapshot.events(days("2026-03-01", "2027-02-28")).iter();
        events.map(|event| SchoolEvent::clone(event)).collect()
    }

    pub async fn lessons(&self) -> Vec<Lesson> {
        let snapshot = self.snapshot().await;
        let lessons = snapshot.lessons(june()).iter();
        lessons.map(|lesson| Lesson::clone(lesson)).collect()
    }
}

/// Opens a directory for schools of every size.
pub async fn open(store: &Arc<MemoryStore>) -> Directory {
    let builder = Directory::builder(store.clone());
    builder.grades(1..=12).classes(1..=99).open().await.unwrap()
}

pub fn key() -> NeisKey {
    NeisKey::parse(KEY).unwrap()
}

pub fn days(from: &str, to: &str) -> DateRange {
    DateRange::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
}

pub fn june() -> DateRange {
    days("2026-06-01", "2026-06-30")
}

/// A row with other values in some fields.
pub fn changed(row: &Value, fields: Value) -> Value {
    let mut row = row.clone();
    for (field, value) in fields.as_object().unwrap() {
        row[field] = value.clone();
    }
    row
}

/// Events of June 2026, as many as wanted, with different names.
pub fn many_events(count: usize) -> Vec<Value> {
    let event = |number: usize| {
        json!({
            "ATPT_OFCDC_SC_CODE": "Z10", "ATPT_OFCDC_SC_NM": "가상특별시교육청",
            "SD_SCHUL_CODE": "9999999", "SCHUL_NM": "가상소프트웨어고등학교", "AY": "2026",
            "AA_YMD": format!("202606{:02}", number % 30 + 1), "EVENT_NM": format!("행사 {number}"),
        })
    };
    (0..count).map(event).collect()
}
