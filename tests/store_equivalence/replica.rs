//! Checks that a copy that follows by `updatedSince` alone ends equal, over every store.

use std::time::Instant;

use crate::comparison::{FollowReport, follow_changes};
use crate::report::report;
use crate::{long_run, stores};

const CHANGES: usize = 1000;

/// Fails if a change of a club does not report its members, if the removal of a participant does
/// not report the project, or if a cursor omits its record's id.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
#[allow(clippy::disallowed_methods, reason = "the duration of a test run")]
async fn replicas_that_follow_updated_since_through_random_changes_end_equal() {
    let seeds = if long_run::is_long_run() { 40 } else { 1 };
    for seed in 1..=seeds {
        let folder = tempfile::tempdir().unwrap();
        let follow = |(name, store)| async move {
            let start = Instant::now();
            let followed = follow_changes(store, seed, CHANGES).await.unwrap();
            let FollowReport {
                changes,
                responses,
                partial_responses,
                records,
                deleted,
            } = followed;
            let found = format!(
                "{name}, seed {seed}: {changes} changes followed in {responses} responses, {partial_responses} of them parts: {records} records and {deleted} \
                 deleted, {:.1?}",
                start.elapsed(),
            );
            report("mirror", found);
            assert!(
                changes >= CHANGES
                    && responses > 500
                    && partial_responses > 100
                    && records > 1000
                    && deleted > 300,
                "{name}: {followed:?}"
            );
        };
        for followed in stores(&folder)
            .await
            .into_iter()
            .map(follow)
            .map(tokio::spawn)
            .collect::<Vec<_>>()
        {
            followed.await.unwrap();
        }
    }
}
