//! Copies of the lists that are kept by `updatedSince` alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::StatusCode;
use http::header::{ETAG, IF_NONE_MATCH};
use serde_json::Value;

use super::addresses::Address;
use super::answers::Answering;
use super::batches;
use crate::directory::Writing;
use crate::store::{DirectoryStore, StorageError};
use crate::testing::conformance::school::School;
use crate::testing::school::dice::Dice;

/// The lists in full, and with a condition that records come to hold and cease to.
const LISTS: [&str; 7] = [
    "/v1/students?includeGraduates=true&includeWithdrawn=true",
    "/v1/students",
    "/v1/students?grade=2",
    "/v1/clubs?includeLeaderInParticipants=true",
    "/v1/clubs?status=ACTIVE",
    "/v1/projects",
    "/v1/projects?status=ENDED",
];

/// How many more follow lists with conditions that the dice choose.
const CHOSEN: usize = 5;

/// What was followed, so that a search can show that there was something to follow.
#[derive(Debug, Clone, Default)]
pub struct Followed {
    /// How many changes were written.
    pub changes: usize,
    /// How many answers told of changes.
    pub answers: usize,
    /// How many of these were not the last ones, so that something was written before the rest was told, or could have been.
    pub parts: usize,
    /// How many records were told as they are now.
    pub records: usize,
    /// How many ids were told as deleted.
    pub deleted: usize,
}

/// Writes random batches to a store, which is empty at first, until so many changes are written, and lets copies of its three lists, some of them with
/// a filter, follow through a [`DataApi`](crate::DataApi) by `updatedSince` alone. They ask for a few changes at a time, in between more is written, and they
/// are now and then up to date. At the end each copy is what a full read gives. The seed decides everything.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::store::memory::MemoryStore;
/// use lyceum::testing::differential;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let followed = differential::follow_changes(Arc::new(MemoryStore::new()), 1, 200).await?;
/// assert!(followed.records > 0 && followed.deleted > 0);
/// # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
/// ```
///
/// # Errors
/// When the store cannot write.
///
/// # Panics
/// When a copy is not what a full read gives, with the seed and the list.
pub async fn follow_changes(store: Arc<dyn DirectoryStore>, seed: u64, changes: usize) -> Result<Followed, StorageError> {
    let writer = School::over(Arc::clone(&store)).await?;
    // A reader behind a load balancer is answered by nodes that wrote and by others that follow.
    let follower = School::over(Arc::clone(&store)).await?.into_directory();
    let service = Answering::over("mirrored", follower).await?;
    let (mut dice, mut followed) = (Dice::new(!seed), Followed::default());
    let mut mirrors: Vec<Mirror> = LISTS.iter().map(|list| Mirror::of((*list).to_owned())).collect();
    while mirrors.len() < LISTS.len() + CHOSEN {
        let list = Address::list(&mut dice).to_string();
        match service.get(&list, None).await.status {
            StatusCode::OK => mirrors.push(Mirror::of(list)),
            status => assert_eq!(status, StatusCode::BAD_REQUEST, "seed {seed}: {list}"),
        }
    }
    for batch in batches(seed) {
        if followed.changes >= changes {
            break;
        }
        let count = batch.len();
        let Writing::Written(_) = writer.write(batch).await? else { continue };
        followed.changes += count;
        for mirror in &mut mirrors {
            match dice.below(12) {
                0 => mirror.catch_up(&service, seed, &mut dice, &mut followed).await,
                1..=3 => _ = mirror.ask(&service, seed, &mut dice, &mut followed).await,
                _ => {}
            }
        }
    }
    for mirror in &mut mirrors {
        mirror.catch_up(&service, seed, &mut dice, &mut followed).await;
    }
    Ok(followed)
}

/// A copy of a list.
struct Mirror {
    list: String,
    cursor: String,
    records: BTreeMap<i64, Value>,
}

impl Mirror {
    fn of(list: String) -> Self {
        Self { list, cursor: "0".to_owned(), records: BTreeMap::new() }
    }

    /// Asks until nothing more is to be told, and compares.
    async fn catch_up(&mut self, service: &Answering, seed: u64, dice: &mut Dice, followed: &mut Followed) {
        while self.ask(service, seed, dice, followed).await {}
        let whole = service.get(&with(&self.list, "size=1000"), None).await.data();
        let records: BTreeMap<i64, Value> = list_in(&whole).into_iter().map(|record| (id_of(&record), record)).collect();
        assert!(records == self.records, "seed {seed}: a copy of {} is not the list: {:#?}, not {records:#?}", self.list, self.records);
        let settled = service.get(&with(&self.list, &format!("updatedSince={}", self.cursor)), None).await.data();
        assert_eq!((&settled["totalElements"], &settled["more"]), (&0.into(), &false.into()), "seed {seed}: {} is told in full", self.list);
    }

    /// Asks for some changes, and says whether there are more.
    async fn ask(&mut self, service: &Answering, seed: u64, dice: &mut Dice, followed: &mut Followed) -> bool {
        let size = dice.pick(&[1, 2, 3, 5, 10, 30, 1000]);
        let address = with(&self.list, &format!("updatedSince={}&size={size}", self.cursor));
        let answer = service.get(&address, None).await;
        assert_eq!(answer.status, StatusCode::OK, "seed {seed}: {address}");
        let again = service.get(&address, Some((IF_NONE_MATCH, &answer.headers[ETAG]))).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "seed {seed}: {address}");
        let data = answer.data();
        let (records, gone) = (list_in(&data), data["deleted"].as_array().cloned().unwrap_or_default());
        let told = (records.len() + gone.len()) as u64;
        let more = data["more"] == true;
        assert!(told <= size, "seed {seed}: {address} is told {told}");
        assert_eq!(data["totalElements"].as_u64().is_some_and(|total| total > told), more, "seed {seed}: {address} counts what is left");
        followed.answers += usize::from(told > 0);
        followed.parts += usize::from(more);
        followed.records += records.len();
        followed.deleted += gone.len();
        for id in gone {
            self.records.remove(&id.as_i64().expect("an id"));
        }
        self.records.extend(records.into_iter().map(|record| (id_of(&record), record)));
        let cursor = data["cursor"].as_str().expect("a cursor").to_owned();
        assert!(!more || cursor != self.cursor, "seed {seed}: {address} leads nowhere");
        self.cursor = cursor;
        more
    }
}

fn with(list: &str, parameter: &str) -> String {
    format!("{list}{}{parameter}", if list.contains('?') { '&' } else { '?' })
}

/// The list in `data`, whatever its name.
fn list_in(data: &Value) -> Vec<Value> {
    ["students", "clubs", "projects"].into_iter().find_map(|name| data[name].as_array()).cloned().expect("a list")
}

fn id_of(record: &Value) -> i64 {
    record["id"].as_i64().expect("an id")
}
