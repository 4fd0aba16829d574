use lyceum::domain::{Application, ApplicationId, PageRequest, ScopeDefinition, Timestamp};
use lyceum::store::sql::{OpenError, SqlStore};
use lyceum::store::{AccountStore, ClientRegistry};

use crate::postgres_server::{Cluster, cluster};
use crate::{needs_postgres, store};

/// Returns the error of opening the store, and asserts that it is one line without the password.
async fn refusal(url: &str, migrate: bool) -> OpenError {
    let error = SqlStore::postgres(url)
        .migrate(migrate)
        .open()
        .await
        .unwrap_err();
    let text = format!("{error} {error:?}");
    assert_eq!(error.to_string().lines().count(), 1, "{text}");
    assert!(
        !text.contains("kept-out-of-every-message") && !text.contains("correct-horse"),
        "{text}"
    );
    error
}

fn names_of_tables(url: &str) -> Vec<String> {
    Cluster::query_at(
        url,
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1",
    )
}

#[tokio::test]
async fn a_database_without_our_schema_is_refused_unless_it_may_be_made() {
    needs_postgres!();
    let url = cluster().new_schema();
    let error = refusal(&url, false).await;
    assert!(
        matches!(error, OpenError::NotMigrated { schema: 0, .. })
            && error.to_string().contains("migrations allowed"),
        "{error}"
    );
    assert!(names_of_tables(&url).is_empty());
    drop(store(&url).await);
    drop(SqlStore::postgres(&url).open().await.unwrap());
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_left_alone() {
    needs_postgres!();
    let url = cluster().new_schema();
    drop(store(&url).await);
    Cluster::query_at(
        &url,
        "INSERT INTO lyceum_migrations (version, applied_by) VALUES (99, 'the future')",
    );
    for migrate in [false, true] {
        assert!(matches!(
            refusal(&url, migrate).await,
            OpenError::Newer { schema: 99, .. }
        ));
    }
}

#[tokio::test]
async fn tables_of_our_names_that_are_not_ours_are_refused_and_left_alone() {
    needs_postgres!();
    for foreign in [
        "CREATE TABLE students (name TEXT)",
        "CREATE VIEW rate_limits AS SELECT 1",
        "CREATE TABLE lyceum_migrations (id INT)",
    ] {
        let url = cluster().new_schema();
        Cluster::query_at(&url, foreign);
        let before = names_of_tables(&url);
        for migrate in [false, true] {
            assert!(
                matches!(refusal(&url, migrate).await, OpenError::Foreign { .. }),
                "{foreign}"
            );
        }
        assert_eq!(names_of_tables(&url), before);
    }
    // The database may contain other tables.
    let url = cluster().new_schema();
    Cluster::query_at(&url, "CREATE TABLE schema_migrations (version TEXT)");
    drop(store(&url).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_several_that_migrate_at_once_all_succeed() {
    needs_postgres!();
    let known = std::fs::read_dir("migrations/postgres").unwrap().count();
    for _ in 0..3 {
        let url = cluster().new_schema();
        let nodes: Vec<_> = (0..8)
            .map(|_| tokio::spawn(SqlStore::postgres(&url).migrate(true).open()))
            .collect();
        let mut stores = Vec::new();
        for node in nodes {
            stores.push(node.await.unwrap().unwrap());
        }
        for store in &stores {
            assert_eq!(
                store.application(ApplicationId::Service).await.unwrap(),
                Some(Application::built_in())
            );
        }
        let (migrations, scopes) = (
            Cluster::query_at(&url, "SELECT version FROM lyceum_migrations"),
            Cluster::query_at(&url, "SELECT name FROM scopes"),
        );
        assert_eq!(
            (migrations.len(), scopes.len()),
            (known, ScopeDefinition::built_in().len())
        );
    }
}

#[tokio::test]
async fn a_database_that_cannot_hold_our_text_is_refused() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let version: u32 = cluster.texts("SHOW server_version_num")[0].parse().unwrap();
    let provider = if version >= 150_000 {
        "LOCALE_PROVIDER libc"
    } else {
        ""
    };
    cluster.texts(&format!("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' {provider} TEMPLATE template0"));
    let url = cluster.url().replace("/postgres", "/ascii");
    assert!(
        refusal(&url, true)
            .await
            .to_string()
            .ends_with("its encoding is SQL_ASCII and must be UTF8")
    );
    let error = refusal(
        &format!("{}?options=-csearch_path%3Dnowhere", cluster.url()),
        true,
    )
    .await;
    assert!(
        error
            .to_string()
            .ends_with("its search path names no schema that exists"),
        "{error}"
    );
    let error = refusal(&cluster.tcp_url("correct-horse"), true).await;
    assert!(
        matches!(error, OpenError::Unreachable { .. })
            && error.to_string().contains("password authentication failed"),
        "{error}"
    );
    drop(store(&cluster.tcp_url(cluster.password())).await);
}

#[tokio::test]
async fn a_missing_server_is_unreachable_and_an_invalid_url_has_a_reason() {
    needs_postgres!();
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let error = refusal(
        &format!("postgres://kim:correct-horse@{free}/lyceum"),
        false,
    )
    .await;
    assert!(
        matches!(error, OpenError::Unreachable { .. }) && error.to_string().contains("refused"),
        "{error}"
    );
    for url in [
        "",
        "mysql://kim:correct-horse@h/d",
        "postgres://kim:correct-horse@h/d?sslmode=correct-horse",
        "postgres:///lyceum",
    ] {
        assert!(
            matches!(refusal(url, false).await, OpenError::Unusable { .. }),
            "{url}"
        );
    }
    let error = refusal(
        "postgres://kim:correct-horse@h/d?sslrootcert=%2Fnowhere.pem",
        false,
    )
    .await;
    assert!(
        error
            .to_string()
            .contains("certificate authorities cannot be read"),
        "{error}"
    );
}

// Proves: threats 26
#[tokio::test]
async fn debug_of_a_store_and_its_builder_hides_the_password() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let builder = SqlStore::postgres(&cluster.tcp_url(cluster.password())).migrate(true);
    assert!(!format!("{builder:?}").contains(cluster.password()));
    assert!(!format!("{:?}", builder.open().await.unwrap()).contains(cluster.password()));
}

/// What a restoration from a dump leaves: the same rows in tables that are new.
fn restore_dump(url: &str) {
    for statement in [
        "ALTER TABLE lyceum_migrations RENAME TO dumped",
        "CREATE TABLE lyceum_migrations (LIKE dumped INCLUDING ALL)",
        "INSERT INTO lyceum_migrations SELECT * FROM dumped",
        "DROP TABLE dumped",
    ] {
        Cluster::query_at(url, statement);
    }
}

// Proves: threats 44
/// Fails if a database that was restored from a dump is served before what may have been revoked has
/// ended in it, or is refused afterwards.
#[tokio::test]
async fn a_restored_database_is_refused_until_it_is_safe_to_serve() {
    needs_postgres!();
    let url = cluster().new_schema();
    drop(store(&url).await);
    restore_dump(&url);
    for migrate in [false, true] {
        assert!(matches!(
            refusal(&url, migrate).await,
            OpenError::Restored { .. }
        ));
    }
    let at = Timestamp::from_seconds(1_790_000_000);
    let allowed = async || {
        let builder = SqlStore::postgres(&url).migrate(true).allow_restored(true);
        builder.open().await.unwrap()
    };
    allowed().await.after_restore(None, at).await.unwrap();
    drop(SqlStore::postgres(&url).open().await.unwrap());

    // A database that was moved while nothing changed.
    restore_dump(&url);
    assert!(matches!(
        refusal(&url, true).await,
        OpenError::Restored { .. }
    ));
    allowed().await.accept_unchanged_copy().await.unwrap();
    drop(SqlStore::postgres(&url).open().await.unwrap());
}

// Proves: threats 44
/// Fails if a store that was opened before serves a restored database which took the place of its
/// own.
#[tokio::test]
async fn a_database_that_takes_the_place_of_the_opened_one_is_refused() {
    needs_postgres!();
    let url = cluster().new_schema();
    let separator = if url.contains('?') { '&' } else { '?' };
    let named = format!("{url}{separator}application_name=replaced");
    let store = store(&named).await;
    let page = || PageRequest::new(0, 1).unwrap();
    store.accounts(None, page()).await.unwrap();
    restore_dump(&url);
    Cluster::query_at(
        &url,
        "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name = 'replaced'",
    );
    let error = loop {
        match store.accounts(None, page()).await {
            Err(error) if error.to_string() == "PostgreSQL refuses the connection" => break error,
            // The end of the connection is noticed late.
            Err(error) => assert!(error.is_unavailable(), "{error}"),
            Ok(_) => panic!("a restored database is served"),
        }
    };
    assert!(error.is_unavailable());
}
