//! A copy that follows by `updatedSince` alone ends equal, over every store.

use std::time::Instant;

use lyceum::testing::differential::{Followed, follow_changes};

use crate::report::report;
use crate::{long, stores};

const CHANGES: usize = 1000;

/// Fails if a club's members are not told when it changes, a project not when a participant goes, or if a cursor leaves its record's id out.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
#[allow(clippy::disallowed_methods, reason = "the duration of a test run")]
async fn copies_that_follow_a_thousand_random_changes_by_updated_since_alone_end_equal() {
    let seeds = if long::is_long() { 40 } else { 1 };
    for seed in 1..=seeds {
        let folder = tempfile::tempdir().unwrap();
        let follow = |(name, store)| async move {
            let start = Instant::now();
            let followed = follow_changes(store, seed, CHANGES).await.unwrap();
            let Followed { changes, answers, parts, records, deleted } = followed;
            let found = format!(
                "{name}, seed {seed}: {changes} changes followed in {answers} answers, {parts} of them parts: {records} records and {deleted} \
                 deleted, {:.1?}",
                start.elapsed(),
            );
            report("mirror", found);
            assert!(changes >= CHANGES && answers > 500 && parts > 100 && records > 1000 && deleted > 300, "{name}: {followed:?}");
        };
        for followed in stores(&folder).await.into_iter().map(follow).map(tokio::spawn).collect::<Vec<_>>() {
            followed.await.unwrap();
        }
    }
}
