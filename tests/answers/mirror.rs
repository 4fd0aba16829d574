//! A copy that follows by `updatedSince` alone ends equal, over every store.

use std::time::Instant;

use lyceum::testing::differential::{Followed, follow_changes};

use crate::report::report;
use crate::{long, stores};

const CHANGES: usize = 1000;

#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "the duration of a test run")]
async fn copies_that_follow_a_thousand_random_changes_by_updated_since_alone_end_equal() {
    let (seeds, start) = (if long::is_long() { 40 } else { 1 }, Instant::now());
    for seed in 1..=seeds {
        let folder = tempfile::tempdir().unwrap();
        for (name, store) in stores(&folder).await {
            let begun = start.elapsed();
            let followed = follow_changes(store, seed, CHANGES).await.unwrap();
            let Followed { changes, answers, parts, records, deleted } = followed;
            let found = format!(
                "{name}, seed {seed}: {changes} changes followed in {answers} answers, {parts} of them parts: {records} records and {deleted} \
                 deleted, {:.1?}",
                start.elapsed() - begun,
            );
            report("mirror", found);
            assert!(changes >= CHANGES && answers > 1000 && parts > 300 && records > 3000 && deleted > 1000, "{name}: {followed:?}");
        }
    }
}
