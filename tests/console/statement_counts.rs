//! Number of SQL statements of a page.

use std::sync::Arc;

use http::StatusCode;
use lyceum::directory::Directory;
use lyceum::domain::*;
use lyceum::http::audit::StoredAuditLog;
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServer};
use lyceum::http::console::Console;
use lyceum::store::sql::SqlStore;
use lyceum::store::*;
use lyceum::testing::{ManualClock, MemoryAuditLog};

use crate::fixtures;
use crate::harness::*;
use crate::statement_counter::StatementCounter;

/// A console over a database that counts its statements, with an administrator.
async fn counting_harness(counter: Arc<StatementCounter>, folder: &std::path::Path) -> Harness {
    let store: Arc<dyn Storage> = Arc::new(
        SqlStore::sqlite(folder.join("lyceum.db"))
            .unwrap()
            .with_transaction_hook(counter),
    );
    let clock = ManualClock::new(START);
    let accounts = Accounts::builder(store.clone())
        .clock(Arc::new(clock.clone()))
        .hashing_cost(8, 1)
        .build()
        .unwrap();
    let created = accounts
        .create(
            ADMIN.parse().unwrap(),
            &Password::new(PASSWORD).unwrap(),
            Role::Admin,
        )
        .await
        .unwrap();
    let AccountCreationOutcome::Created(admin) = created else {
        panic!("{created:?}")
    };
    let (log, writer) = StoredAuditLog::builder(store.clone()).build();
    tokio::spawn(writer.run());
    let accounts = Arc::new(accounts);
    let auth = AuthServer::builder(
        store.clone(),
        "https://school.example/auth",
        lyceum::testing::master_key(3),
    )
    .clock(Arc::new(clock.clone()))
    .authenticator(accounts.clone())
    .audit(Arc::new(log.clone()))
    .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let console = Console::builder(auth.management(), ADDRESS)
        .site_name("Haneul <High> School")
        .unwrap()
        .build()
        .unwrap();
    // Audit events are written before the statements of pages are counted.
    assert!(log.flush().await);
    let directory = Directory::open(store.clone()).await.unwrap();
    Harness {
        console,
        auth,
        store,
        directory,
        clock,
        accounts,
        log: MemoryAuditLog::default(),
        person: admin.into(),
    }
}

/// Adds a client with an approval for the scope, a client with a grant for it, and an event of
/// each.
async fn one_more(harness: &Harness, number: u8, scope: &Scope, id: ScopeId) {
    let approved = fixtures::client(harness, number, "Approved").await;
    assert_eq!(
        harness
            .store
            .approve_scope(id, approved, START)
            .await
            .unwrap(),
        ScopeApproval::Approved
    );
    let granted = fixtures::client(harness, number + 30, "Granted").await;
    fixtures::grant(
        harness,
        number,
        &harness.person,
        granted,
        std::slice::from_ref(scope),
        ConsentMode::Once,
    )
    .await;
    for client in [approved, granted] {
        let record = AuditRecord {
            at: START,
            request_id: format!("request-{client}").parse().unwrap(),
            kind: "revoked".parse().unwrap(),
            subject: None,
            client: Some(client),
            application: None,
            grant: None,
            api_key: None,
            json: format!("{{\"event\":\"revoked\",\"client\":\"{client}\"}}")
                .parse()
                .unwrap(),
        };
        harness
            .store
            .append_audit_records(vec![record])
            .await
            .unwrap();
    }
}

/// Fails if clients are loaded one by one.
#[tokio::test]
async fn a_page_with_many_clients_takes_as_many_statements_as_one_with_few() {
    let (counter, folder) = (
        Arc::new(StatementCounter::default()),
        tempfile::tempdir().unwrap(),
    );
    let harness = counting_harness(counter.clone(), folder.path()).await;
    let scope = fixtures::scope(&harness, 1, "Cafeteria", "See your points").await;
    let id = ScopeId::from_random([101; 16]);
    let mut browser = harness.browser_of(ADMIN).await;
    let page = format!("/applications/{}/scopes/{id}", scope.application);
    let mut counts = Vec::new();
    for numbers in [1..=2, 3..=9] {
        for number in numbers {
            one_more(&harness, number, &scope, id).await;
        }
        for path in [
            page.clone(),
            format!("{page}/delete"),
            "/admin/audit?what=revoked".to_owned(),
        ] {
            counter.take();
            let answer = browser.get(&path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
            assert!(
                answer.body.contains("Granted") || answer.body.contains("Approved"),
                "{path}: {}",
                answer.body
            );
            counts.push(counter.take());
        }
    }
    let (few, many) = counts.split_at(3);
    assert_eq!(few, many);
}
