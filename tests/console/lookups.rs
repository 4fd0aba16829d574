//! How many statements a page takes.

use std::sync::Arc;

use http::StatusCode;
use lyceum::directory::Directory;
use lyceum::domain::*;
use lyceum::http::audit::TrailLog;
use lyceum::http::auth_server::{AccountCreation, Accounts, AuthServer};
use lyceum::http::console::Console;
use lyceum::store::sql::SqlStore;
use lyceum::store::*;
use lyceum::testing::{ManualClock, MemoryAuditLog};

use crate::given;
use crate::harness::*;
use crate::statement_counter::StatementCounter;

/// A console over a database whose statements are counted, and its administrator.
async fn counted_world(counter: Arc<StatementCounter>, folder: &std::path::Path) -> World {
    let store: Arc<dyn Storage> = Arc::new(SqlStore::sqlite(folder.join("lyceum.db")).unwrap().watched_by(counter));
    let clock = ManualClock::at(START);
    let accounts = Accounts::builder(store.clone()).clock(Arc::new(clock.clone())).hashing_cost(8, 1).build().unwrap();
    let created = accounts.create(ADMIN.parse().unwrap(), &Password::new(PASSWORD).unwrap(), Role::Admin).await.unwrap();
    let AccountCreation::Created(admin) = created else { panic!("{created:?}") };
    let (log, writer) = TrailLog::builder(store.clone()).build();
    tokio::spawn(writer.run());
    let accounts = Arc::new(accounts);
    let auth = AuthServer::builder(store.clone(), "https://school.example/auth", lyceum::testing::master_key(3))
        .clock(Arc::new(clock.clone()))
        .authenticator(accounts.clone())
        .audit(Arc::new(log.clone()))
        .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let console = Console::builder(auth.office(), ADDRESS).site("Haneul <High> School").unwrap().build().unwrap();
    // Nothing is written any more while pages are counted.
    assert!(log.flush().await);
    let directory = Directory::open(store.clone()).await.unwrap();
    World { console, auth, store, directory, clock, accounts, log: MemoryAuditLog::default(), person: admin.into() }
}

/// One more client that was approved for the scope, one that has it in a grant alone, and an event of each.
async fn one_more(world: &World, number: u8, scope: &Scope, id: ScopeId) {
    let approved = given::client(world, number, "Approved").await;
    assert_eq!(world.store.approve_scope(id, approved, START).await.unwrap(), ScopeApproval::Approved);
    let granted = given::client(world, number + 30, "Granted").await;
    given::grant(world, number, &world.person, granted, std::slice::from_ref(scope), Assent::Once).await;
    for client in [approved, granted] {
        let record = AuditRecord {
            at: START,
            request: format!("request-{client}").parse().unwrap(),
            kind: "revoked".parse().unwrap(),
            subject: None,
            client: Some(client),
            application: None,
            grant: None,
            api_key: None,
            line: format!("{{\"event\":\"revoked\",\"client\":\"{client}\"}}").parse().unwrap(),
        };
        world.store.append_audit_records(vec![record]).await.unwrap();
    }
}

/// Fails if clients are looked up one by one.
#[tokio::test]
async fn a_page_with_many_clients_takes_as_many_statements_as_one_with_few() {
    let (counter, folder) = (Arc::new(StatementCounter::default()), tempfile::tempdir().unwrap());
    let world = counted_world(counter.clone(), folder.path()).await;
    let scope = given::scope(&world, 1, "Cafeteria", "See your points").await;
    let id = ScopeId::from_random([101; 16]);
    let mut browser = world.browser_of(ADMIN).await;
    let page = format!("/applications/{}/scopes/{id}", scope.application);
    let mut counts = Vec::new();
    for numbers in [1..=2, 3..=9] {
        for number in numbers {
            one_more(&world, number, &scope, id).await;
        }
        for path in [page.clone(), format!("{page}/delete"), "/admin/audit?what=revoked".to_owned()] {
            counter.taken();
            let answer = browser.get(&path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
            assert!(answer.body.contains("Granted") || answer.body.contains("Approved"), "{path}: {}", answer.body);
            counts.push(counter.taken());
        }
    }
    let (few, many) = counts.split_at(3);
    assert_eq!(few, many);
}
