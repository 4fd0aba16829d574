//! Copies of the lists that are maintained by `updatedSince` alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::StatusCode;
use http::header::{ETAG, IF_NONE_MATCH};
use serde_json::Value;

use super::change_batches;
use super::open_directory;
use super::requests::RequestTarget;
use super::responses::ApiInstance;
use crate::rng::SeededRng;
use lyceum::directory::WriteOutcome;
use lyceum::store::{DirectoryStore, StorageError};

/// Lists without a filter, and with filters that changes make a record match or no longer match.
const LISTS: [&str; 7] = [
    "/v1/students?includeGraduates=true&includeWithdrawn=true",
    "/v1/students",
    "/v1/students?grade=2",
    "/v1/clubs?includeLeaderInParticipants=true",
    "/v1/clubs?status=ACTIVE",
    "/v1/projects",
    "/v1/projects?status=ENDED",
];

/// Number of additional lists, with filters that the generator chooses.
const RANDOM_LISTS: usize = 5;

/// Counts of the followed changes, to show that a comparison was meaningful.
#[derive(Debug, Clone, Default)]
pub struct FollowReport {
    /// Number of changes that were written.
    pub changes: usize,
    /// Number of responses with changes.
    pub responses: usize,
    /// Number of responses with more to follow, so that changes can be written in between.
    pub partial_responses: usize,
    /// Number of records that were returned as changed.
    pub records: usize,
    /// Number of ids that were returned as deleted.
    pub deleted: usize,
}

/// Writes `changes` random changes to an initially empty store. Copies of its three lists, some
/// with a filter, follow through a [`DataApi`](lyceum::DataApi) by `updatedSince` alone. They
/// request a few changes at a time, more changes are written in between, and sometimes they catch
/// up. At the end each copy must equal a full read. The seed determines everything.
///
/// # Errors
/// When the store cannot write.
///
/// # Panics
/// When a copy differs from a full read, with the seed and the list.
pub async fn follow_changes(
    store: Arc<dyn DirectoryStore>,
    seed: u64,
    changes: usize,
) -> Result<FollowReport, StorageError> {
    let writer = open_directory(Arc::clone(&store)).await?;
    // Behind a load balancer, a client's requests reach the writing node and nodes that follow it.
    let follower = open_directory(Arc::clone(&store)).await?;
    let service = ApiInstance::open("mirrored", follower).await?;
    let (mut rng, mut followed) = (SeededRng::new(!seed), FollowReport::default());
    let mut replicas: Vec<Replica> = LISTS
        .iter()
        .map(|list| Replica::new((*list).to_owned()))
        .collect();
    while replicas.len() < LISTS.len() + RANDOM_LISTS {
        let list = RequestTarget::list(&mut rng).to_string();
        match service.get(&list, None).await.status {
            StatusCode::OK => replicas.push(Replica::new(list)),
            status => assert_eq!(status, StatusCode::BAD_REQUEST, "seed {seed}: {list}"),
        }
    }
    for batch in change_batches(seed) {
        if followed.changes >= changes {
            break;
        }
        let count = batch.len();
        let WriteOutcome::Written(_) = writer.write(batch).await? else {
            continue;
        };
        followed.changes += count;
        for replica in &mut replicas {
            match rng.below(12) {
                0 => {
                    replica
                        .catch_up(&service, seed, &mut rng, &mut followed)
                        .await
                }
                1..=3 => {
                    _ = replica
                        .fetch_changes(&service, seed, &mut rng, &mut followed)
                        .await
                }
                _ => {}
            }
        }
    }
    for replica in &mut replicas {
        replica
            .catch_up(&service, seed, &mut rng, &mut followed)
            .await;
    }
    Ok(followed)
}

/// Copy of a list.
struct Replica {
    list: String,
    cursor: String,
    records: BTreeMap<i64, Value>,
}

impl Replica {
    fn new(list: String) -> Self {
        Self {
            list,
            cursor: "0".to_owned(),
            records: BTreeMap::new(),
        }
    }

    /// Requests changes until there are no more, and compares the copy.
    async fn catch_up(
        &mut self,
        service: &ApiInstance,
        seed: u64,
        rng: &mut SeededRng,
        followed: &mut FollowReport,
    ) {
        while self.fetch_changes(service, seed, rng, followed).await {}
        let whole = service
            .get(&with(&self.list, "size=1000"), None)
            .await
            .data();
        let records: BTreeMap<i64, Value> = list_in(&whole)
            .into_iter()
            .map(|record| (id_of(&record), record))
            .collect();
        assert!(
            records == self.records,
            "seed {seed}: a copy of {} differs from the list: {:#?}, not {records:#?}",
            self.list,
            self.records
        );
        let settled = service
            .get(
                &with(&self.list, &format!("updatedSince={}", self.cursor)),
                None,
            )
            .await
            .data();
        assert_eq!(
            (&settled["totalElements"], &settled["more"]),
            (&0.into(), &false.into()),
            "seed {seed}: {} is followed to the end",
            self.list
        );
    }

    /// Requests some changes and returns whether there are more.
    async fn fetch_changes(
        &mut self,
        service: &ApiInstance,
        seed: u64,
        rng: &mut SeededRng,
        followed: &mut FollowReport,
    ) -> bool {
        let size = rng.pick(&[1, 2, 3, 5, 10, 30, 1000]);
        let target = with(
            &self.list,
            &format!("updatedSince={}&size={size}", self.cursor),
        );
        let response = service.get(&target, None).await;
        assert_eq!(response.status, StatusCode::OK, "seed {seed}: {target}");
        let again = service
            .get(&target, Some((IF_NONE_MATCH, &response.headers[ETAG])))
            .await;
        assert_eq!(
            again.status,
            StatusCode::NOT_MODIFIED,
            "seed {seed}: {target}"
        );
        let data = response.data();
        let (records, gone) = (
            list_in(&data),
            data["deleted"].as_array().cloned().unwrap_or_default(),
        );
        let told = (records.len() + gone.len()) as u64;
        let more = data["more"] == true;
        assert!(told <= size, "seed {seed}: {target} returns {told}");
        assert_eq!(
            data["totalElements"]
                .as_u64()
                .is_some_and(|total| total > told),
            more,
            "seed {seed}: {target} counts the remaining changes"
        );
        followed.responses += usize::from(told > 0);
        followed.partial_responses += usize::from(more);
        followed.records += records.len();
        followed.deleted += gone.len();
        for id in gone {
            self.records.remove(&id.as_i64().expect("an id"));
        }
        self.records
            .extend(records.into_iter().map(|record| (id_of(&record), record)));
        let cursor = data["cursor"].as_str().expect("a cursor").to_owned();
        assert!(
            !more || cursor != self.cursor,
            "seed {seed}: {target} leads nowhere"
        );
        self.cursor = cursor;
        more
    }
}

fn with(list: &str, parameter: &str) -> String {
    format!(
        "{list}{}{parameter}",
        if list.contains('?') { '&' } else { '?' }
    )
}

/// Returns the list in `data`, whatever its name.
fn list_in(data: &Value) -> Vec<Value> {
    ["students", "clubs", "projects"]
        .into_iter()
        .find_map(|name| data[name].as_array())
        .cloned()
        .expect("a list")
}

fn id_of(record: &Value) -> i64 {
    record["id"].as_i64().expect("an id")
}
