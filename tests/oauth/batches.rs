//! Applications and clients are read in batches: the number of statements per request does not grow
//! with the number of records.

use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::{Method, Request};
use lyceum::domain::{ClientPolicy, Password, Role, Scope, ScopeSet};
use lyceum::http::Body;
use lyceum::http::audit::{EmailOwner, EventKind};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServerBuilder};
use lyceum::store::sql::SqlStore;
use lyceum::testing::MemoryAuditLog;

use crate::harness as login;
use crate::statement_counter::StatementCounter;
use crate::token::harness::*;

/// A server over a SQLite database whose statements are counted.
async fn counted(folder: &tempfile::TempDir) -> (Harness, Arc<StatementCounter>) {
    let counter = Arc::new(StatementCounter::default());
    let store = SqlStore::sqlite(folder.path().join("lyceum.db"))
        .unwrap()
        .with_transaction_hook(counter.clone());
    (
        Harness::with_store(Arc::new(store), |builder| builder).await,
        counter,
    )
}

async fn statements_of_an_introspection(applications: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (harness, counter) = counted(&folder).await;
    let mut allowed = Vec::new();
    for number in 0..applications {
        let owner = if number + 1 == applications {
            "last"
        } else {
            "others"
        };
        allowed.push(Scope {
            application: harness.application(owner).await,
            name: "read".parse().unwrap(),
        });
    }
    let allowed: ScopeSet = allowed.into_iter().collect();
    let of = async |owner: &str, allowed: ScopeSet| {
        let owner = owner.parse().unwrap();
        let client = harness.client_with(ClientPolicy::Secret, |client| {
            (
                client.owner,
                client.allowed_scopes,
                client.client_credentials_allowed,
            ) = (owner, allowed, true);
        });
        client.await
    };
    let bearer = of("bearer", allowed).await;
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &bearer.id),
        ("client_secret", &bearer.secrets[0]),
    ];
    let answer = harness.post(&Fields::new(&fields)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let token = answer.json()["access_token"].as_str().unwrap().to_owned();
    let stranger = of("stranger", ScopeSet::default()).await;
    assert_eq!(
        harness.introspect(&stranger, &token).await["active"],
        false,
        "the stranger owns none of the applications"
    );
    let last = of("last", ScopeSet::default()).await;
    counter.take();
    assert_eq!(
        harness.introspect(&last, &token).await["active"],
        true,
        "one of the applications is its owner's"
    );
    counter.take()
}

#[tokio::test]
async fn an_introspection_takes_as_many_statements_for_32_applications_as_for_one() {
    let (one, many) = (
        statements_of_an_introspection(1).await,
        statements_of_an_introspection(32).await,
    );
    assert_eq!(one, many);
}

async fn statements_of_a_list_of_grants(clients: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (harness, counter) = counted(&folder).await;
    let console = harness.client(ClientPolicy::Secret).await;
    let token = harness.tokens_for(&console, SCOPES).await.access;
    for _ in 0..clients {
        let client = harness.client(ClientPolicy::Public).await;
        harness.tokens_for(&client, "service:self_read").await;
    }
    let request = Request::builder()
        .method(Method::GET)
        .uri("/v1/grants")
        .header(AUTHORIZATION, format!("Bearer {token}"));
    counter.take();
    let answer = harness.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(
        answer.json()["data"]["grants"].as_array().unwrap().len(),
        clients + 1
    );
    counter.take()
}

#[tokio::test]
async fn a_list_of_grants_takes_as_many_statements_for_40_clients_as_for_one() {
    let (one, many) = (
        statements_of_a_list_of_grants(1).await,
        statements_of_a_list_of_grants(40).await,
    );
    assert_eq!(one, many);
}

// Proves: spec 3.6
/// Fails if only the owner of a known or of an unknown address is looked up by a further statement, by
/// whose time an attacker tells which addresses are known.
#[tokio::test]
async fn a_known_and_an_unknown_address_take_the_same_statements() {
    let folder = tempfile::tempdir().unwrap();
    let counter = Arc::new(StatementCounter::default());
    let store = SqlStore::sqlite(folder.path().join("lyceum.db"))
        .unwrap()
        .with_transaction_hook(counter.clone());
    let accounts = Accounts::builder(Arc::new(store)).hashing_cost(8, 1);
    let accounts = Arc::new(accounts.build().unwrap());
    let password = Password::new(login::PASSWORD).unwrap();
    let created = accounts.create(login::EMAIL.parse().unwrap(), &password, Role::User);
    assert!(matches!(
        created.await.unwrap(),
        AccountCreationOutcome::Created(_)
    ));
    let log = MemoryAuditLog::default();
    let settings = |builder: AuthServerBuilder| {
        let builder = builder.authenticator(accounts.clone());
        builder.audit(Arc::new(log.clone()))
    };
    let harness = login::Harness::with_settings(settings).await;
    let mut browser = harness.browser_at_login().await;
    let mut counts = Vec::new();
    for email in [login::EMAIL, "nobody@school.example", login::EMAIL] {
        counter.take();
        let answer = browser.sign_in(email, "wrong").await;
        assert_eq!(answer.status, 401, "{answer:?}");
        counts.push(counter.take());
    }
    assert_eq!(counts, [counts[0]; 3]);
    assert!(counts[0] > 0);
    let known = log.events().into_iter().filter(|event| {
        matches!(
            event.kind,
            EventKind::SignInRefused {
                email_owner: EmailOwner::User(_),
                ..
            }
        )
    });
    assert_eq!(known.count(), 2);
}
