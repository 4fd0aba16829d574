//! Settings of a server, a role or a URL that must not affect the store.

use lyceum::domain::{
    ApiKeyId, ApplicationId, AuditFilter, AuditId, ClientId, ClientProof, GrantId, ShortText,
    SubjectId,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::{AuditStore, GrantStore, Redemption};

use crate::postgres_server::{Cluster, cluster};
use crate::{CODE, LIFETIMES, NOW, TIMEOUT, advance, approved_grant, needs_postgres, store};

/// Returns the address of a schema, with settings of its connections.
fn schema_with(settings: &[&str]) -> String {
    let settings: String = settings
        .iter()
        .map(|setting| format!("%20-c{}", setting.replace('=', "%3D")))
        .collect();
    cluster().new_schema() + &settings
}

/// Makes every write of the directory record the value of this expression on its connection.
fn note(url: &str, expression: &str) {
    let trigger = format!(
        "CREATE TABLE noted (what TEXT);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO noted SELECT {expression}; RETURN NULL; END $$;
        CREATE TRIGGER note AFTER UPDATE ON directory_version EXECUTE FUNCTION note()"
    );
    Cluster::query_at(url, &trigger);
}

// Proves: threats 1
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_redemption_wins_and_none_fails_where_transactions_are_serializable_and_read_only() {
    needs_postgres!();
    let store = store(&schema_with(&[
        "default_transaction_isolation=serializable",
        "default_transaction_read_only=on",
    ]))
    .await;
    approved_grant(&store).await;
    let attempts: Vec<_> = (0..64)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                store
                    .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
                    .await
                    .unwrap()
            })
        })
        .collect();
    let mut winners = 0;
    for attempt in attempts {
        match attempt.await.unwrap() {
            Redemption::Redeemed(_) => winners += 1,
            other => assert!(
                matches!(other, Redemption::AlreadyRedeemed { .. }),
                "{other:?}"
            ),
        }
    }
    assert_eq!(winners, 1);
}

#[tokio::test]
async fn commits_are_durable_whatever_the_servers_default() {
    needs_postgres!();
    for (custom, used) in [
        ("off", "on"),
        ("on", "on"),
        ("local", "local"),
        ("remote_write", "remote_write"),
        ("remote_apply", "remote_apply"),
    ] {
        let url = schema_with(&[&format!("synchronous_commit={custom}")]);
        let store = store(&url).await;
        note(&url, "current_setting('synchronous_commit')");
        let _ = advance(&store).await.unwrap();
        assert_eq!(
            Cluster::query_at(&url, "SELECT what FROM noted"),
            [used],
            "{custom}"
        );
    }
}

#[tokio::test]
async fn a_connection_keeps_only_so_many_statements_prepared() {
    needs_postgres!();
    let url = cluster().new_schema();
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .connections(1)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    note(&url, "count(*) FROM pg_prepared_statements");
    // Each combination of conditions is a separate statement.
    for shape in 0..512_u32 {
        let has = |bit: u32| shape & (1 << bit) != 0;
        let filter = AuditFilter {
            kind: has(0).then(|| ShortText::from_static("revoked")),
            subject: has(1).then(SubjectId::service),
            target: None,
            client: has(2).then(|| ClientId::from_random([1; 16])),
            application: has(3).then(|| ApplicationId::from_random([1; 16])),
            grant: has(4).then(|| GrantId::from_random([1; 16])),
            api_key: has(5).then(|| ApiKeyId::from_random([1; 16])),
            from: has(6).then_some(NOW),
            to: has(7).then_some(NOW),
        };
        assert_eq!(
            store
                .audit_records(&filter, has(8).then(|| AuditId::new(1).unwrap()), 1)
                .await
                .unwrap(),
            []
        );
    }
    let _ = advance(&store).await.unwrap();
    let kept: u32 = Cluster::query_at(&url, "SELECT what FROM noted")[0]
        .parse()
        .unwrap();
    assert!((1..=256).contains(&kept), "{kept}");
}
