//! A store that is replaced by its backup.

use std::sync::Arc;

use lyceum::store::memory::MemoryStore;
use lyceum::store::{DatasetVersion, DirectoryRows, DirectoryStore, DirectoryWrite};
use lyceum::testing::ManualClock;

use super::{Node, SECOND, no_student};
use crate::client::{get, send_with};
use crate::school_fixtures::{self, NOW};

/// Fails if a version written after the restore passes for the lost one.
#[tokio::test]
async fn after_a_backup_was_restored_the_lists_show_it_and_lost_states_are_unknown() {
    let (store, clock) = (school_fixtures::store().await, ManualClock::new(NOW));
    let node = Node::new(&store, &clock).await;
    let (_, kept) = node.since("0").await;
    let backup = Arc::new(MemoryStore::new());
    copy(&store, &backup).await;
    node.write(no_student(1)).await;
    let (_, lost) = node.since(&kept).await;
    let tag = get(&node.api, "/v1/students")
        .await
        .header("etag")
        .to_owned();

    *node.store.present.lock().unwrap() = backup;
    clock.advance(SECOND);
    assert!(node.students().await.contains(&1), "as in the backup");
    let answer = get(&node.api, &format!("/v1/students?updatedSince={lost}")).await;
    assert_eq!(
        (answer.status.as_u16(), answer.reason().0.as_str()),
        (400, "updated_since_unknown")
    );
    // The next version has the number of the lost one.
    node.write(no_student(2)).await;
    let answer = get(&node.api, &format!("/v1/students?updatedSince={lost}")).await;
    assert_eq!(
        (answer.status.as_u16(), answer.reason().0.as_str()),
        (400, "updated_since_unknown")
    );
    assert_eq!(
        send_with(&node.api, "GET", "/v1/students", &[("if-none-match", &tag)])
            .await
            .status,
        200
    );
    assert_eq!(
        node.since(&kept).await.0["deleted"],
        serde_json::json!([2]),
        "cursors in the backup stay valid"
    );
}

/// Copies the directory and its versions to an empty store.
async fn copy(from: &MemoryStore, to: &MemoryStore) {
    let rows = from.load_directory().await.unwrap();
    for (number, mark) in rows.marks.clone() {
        let version = DatasetVersion {
            number,
            mark,
            ..rows.version
        };
        let change = if version == rows.version {
            rows.clone()
        } else {
            DirectoryRows::empty(version)
        };
        let present = to.directory_version().await.unwrap();
        assert_eq!(
            to.write_directory(present, Arc::new(change)).await.unwrap(),
            DirectoryWrite::Written
        );
    }
}
