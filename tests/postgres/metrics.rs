use lyceum::domain::GrantId;
use lyceum::store::{DirectoryStore, GrantStore};

use crate::metrics_capture::capture_metrics;
use crate::postgres_server::{Cluster, cluster};
use crate::{NOW, needs_postgres, store};

/// Checked without the wait for a connection, which fails this test.
#[test]
fn calls_are_measured_by_method_with_their_waits_and_errors() {
    needs_postgres!();
    capture_metrics(async |metrics| {
        let url = cluster().new_schema();
        let store = store(&url).await;
        store.directory_version().await.unwrap();
        store
            .revoke_grant(&GrantId::from_random([1; 16]), NOW)
            .await
            .unwrap();
        tokio::task::spawn_blocking(move || {
            Cluster::query_at(&url, "DROP TABLE directory_version")
        })
        .await
        .unwrap();
        store.directory_version().await.unwrap_err();
        let calls = ["directory_version", "revoke_grant"].map(|method| {
            metrics.value("lyceum_store_duration_seconds_count", &["postgres", method])
        });
        let waits = ["read", "write"]
            .map(|access| metrics.value("lyceum_store_wait_seconds_count", &["postgres", access]));
        let errors = ["failed", "unavailable"]
            .map(|kind| metrics.value("lyceum_store_errors_total", &["postgres", kind]));
        assert_eq!(
            (calls, waits, errors),
            ([2.0, 1.0], [2.0, 1.0], [1.0, 0.0]),
            "{}",
            metrics.text()
        );
    });
}
