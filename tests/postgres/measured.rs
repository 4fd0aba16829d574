use lyceum::domain::GrantId;
use lyceum::store::{DirectoryStore, GrantStore};

use crate::measuring::measured;
use crate::postgres_server::{Cluster, cluster};
use crate::{NOW, needs_postgres, store};

/// Seen to fail when the wait for a connection is not told.
#[test]
fn calls_are_measured_by_method_with_their_waits_and_errors() {
    needs_postgres!();
    measured(async |measured| {
        let url = cluster().schema();
        let store = store(&url).await;
        store.directory_version().await.unwrap();
        store.revoke_grant(&GrantId::from_random([1; 16]), NOW).await.unwrap();
        tokio::task::spawn_blocking(move || Cluster::texts_at(&url, "DROP TABLE directory_version")).await.unwrap();
        store.directory_version().await.unwrap_err();
        let calls =
            ["directory_version", "revoke_grant"].map(|method| measured.of("lyceum_store_duration_seconds_count", &["postgres", method]));
        let waits = ["read", "write"].map(|access| measured.of("lyceum_store_wait_seconds_count", &["postgres", access]));
        let errors = ["failed", "unavailable"].map(|kind| measured.of("lyceum_store_errors_total", &["postgres", kind]));
        assert_eq!((calls, waits, errors), ([2.0, 1.0], [2.0, 1.0], [1.0, 0.0]), "{}", measured.text());
    });
}
