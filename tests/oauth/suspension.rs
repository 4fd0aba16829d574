//! Clients of removed owners: they accept no sign-ins and get no tokens until an administrator
//! transfers them.

use http::StatusCode;
use lyceum::domain::{
    ClientId, ClientPolicy, ClientSecret, RegisteredSecret, Scope, ScopeSet, SubjectId,
};
use lyceum::store::{OwnerRemoval, SecretAddition};

use crate::harness::{EMAIL, Harness as Pages, get};
use crate::token::harness::*;

/// The id of a client that does not exist.
const UNKNOWN: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

fn departing_user() -> SubjectId {
    "leaver".parse().unwrap()
}

fn id(client: &TestClient) -> ClientId {
    client.id.parse().unwrap()
}

/// Assigns the client to a user and removes that user.
async fn suspend(harness: &Harness, client: &TestClient) {
    assert!(
        harness
            .store
            .set_client_owner(id(client), departing_user())
            .await
            .unwrap()
    );
    let removal = harness
        .store
        .remove_owner(&departing_user(), START)
        .await
        .unwrap();
    assert_eq!(
        removal,
        OwnerRemoval {
            suspended_clients: vec![id(client)],
            ..OwnerRemoval::default()
        }
    );
}

async fn give(harness: &Harness, client: &TestClient) {
    assert!(
        harness
            .store
            .set_client_owner(id(client), "next".parse().unwrap())
            .await
            .unwrap()
    );
    assert_eq!(
        harness
            .store
            .client(id(client))
            .await
            .unwrap()
            .unwrap()
            .secrets,
        [],
        "the former owner may know them"
    );
    let secret = ClientSecret::import(&client.secrets[0]).unwrap().digest();
    let added = harness
        .store
        .add_client_secret(
            id(client),
            RegisteredSecret {
                digest: secret,
                created_at: START,
                last_four: None,
                last_used_at: None,
            },
        )
        .await
        .unwrap();
    assert_eq!(added, SecretAddition::Added);
}

// Proves: spec 3.25
/// Fails if a suspended client gets a token by any grant type, or loses its grants permanently.
#[tokio::test]
async fn a_suspended_client_gets_no_tokens_until_it_is_given_away() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read service:self_read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| {
        (
            client.allowed_scopes,
            client.client_credentials_allowed,
            client.first_party,
        ) = (scopes, true, false);
    };
    let client = harness.client_with(ClientPolicy::Secret, change).await;
    let secret = client.secrets[0].clone();
    let tokens = harness.tokens_for(&client, "service:self_read").await;
    let exchange = harness
        .exchange_fields(&client)
        .await
        .with("client_secret", &secret);
    let refresh = refresh_fields(&client, &tokens.refresh).with("client_secret", &secret);
    let own = Fields::new(&[
        ("grant_type", "client_credentials"),
        ("client_id", &client.id),
        ("client_secret", &secret),
    ]);
    suspend(&harness, &client).await;
    for fields in [&exchange, &refresh, &own] {
        assert_eq!(
            harness.post(fields).await.error(),
            error(400, "unauthorized_client")
        );
    }
    give(&harness, &client).await;
    for fields in [&exchange, &refresh, &own] {
        assert_eq!(
            harness.post(fields).await.status,
            200,
            "nothing was consumed"
        );
    }
}

/// Fails if a suspension is revealed to an unauthenticated client.
#[tokio::test]
async fn the_token_endpoint_reveals_a_suspension_only_to_an_authenticated_client() {
    let harness = Harness::new().await;
    for policy in [
        ClientPolicy::Secret,
        ClientPolicy::SecretOrPkce,
        ClientPolicy::Public,
    ] {
        let client = harness.user_owned_client(policy).await;
        let fields = harness.exchange_fields(&client).await;
        suspend(&harness, &client).await;
        let unknown = harness.post(&fields.with("client_id", UNKNOWN)).await;
        let silent = harness.post(&fields).await;
        assert_eq!(
            (silent.status, &silent.body),
            (unknown.status, &unknown.body),
            "{policy}"
        );
        let wrong: String = "x".repeat(43);
        let guessed = harness.post(&fields.with("client_secret", &wrong)).await;
        assert_eq!(
            (guessed.status, &guessed.body),
            (unknown.status, &unknown.body),
            "{policy}"
        );
    }
}

/// Fails if access tokens of a suspended client stay active.
#[tokio::test]
async fn access_tokens_of_a_suspended_client_are_not_active() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| {
        (client.allowed_scopes, client.first_party) = (scopes, false)
    };
    let client = harness.client_with(ClientPolicy::Secret, change).await;
    // Owned by the application's owner, so it may introspect the application's tokens.
    let service = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.owner = "owner".parse().unwrap()
        })
        .await;
    let tokens = harness
        .tokens_for(&client, &format!("{application}:read"))
        .await;
    assert_eq!(
        harness.introspect(&service, &tokens.access).await["active"],
        true
    );
    suspend(&harness, &client).await;
    assert_eq!(
        harness.introspect(&service, &tokens.access).await,
        serde_json::json!({ "active": false })
    );
    give(&harness, &client).await;
    assert_eq!(
        harness.introspect(&service, &tokens.access).await["active"],
        true
    );
}

/// Fails if a browser is redirected to a client whose owner was removed.
#[tokio::test]
async fn sign_in_to_a_suspended_client_is_refused() {
    let harness = Pages::new().await;
    let (mut at_login, mut at_consent) = (
        harness.browser_at_login().await,
        harness.browser_at_consent().await,
    );
    let form_token = at_login.form_token("/v1/oauth/login").await;
    let leaver: SubjectId = "leaver".parse().unwrap();
    assert!(
        harness
            .store
            .set_client_owner(harness.client.id, leaver.clone())
            .await
            .unwrap()
    );
    assert_eq!(
        harness
            .store
            .remove_owner(&leaver, START)
            .await
            .unwrap()
            .suspended_clients,
        [harness.client.id]
    );
    let page = harness.browser().get(&harness.authorize(&[])).await;
    assert_eq!(
        (page.status, page.location(), page.is_page()),
        (StatusCode::BAD_REQUEST, "", true),
        "{page:?}"
    );
    let answer = get(&harness.server, &harness.authorize(&[("prompt", "none")])).await;
    assert_eq!(
        (answer.status, answer.json()["error"].clone()),
        (StatusCode::BAD_REQUEST, "unauthorized_client".into())
    );
    let typed = [
        ("form_token", &*form_token),
        ("email", EMAIL),
        ("password", PASSWORD),
    ];
    let checks = harness.accounts.password_checks();
    let signed_in = at_login.post("/v1/oauth/login", &typed).await;
    assert_eq!(
        (signed_in.status, signed_in.location()),
        (StatusCode::UNAUTHORIZED, "")
    );
    assert_eq!(
        harness.accounts.password_checks(),
        checks,
        "no password is checked"
    );
    for (browser, path) in [
        (&mut at_login, "/v1/oauth/login"),
        (&mut at_consent, "/v1/oauth/consent"),
    ] {
        let page = browser.get(path).await;
        assert_eq!(
            (page.status, page.location()),
            (StatusCode::UNAUTHORIZED, ""),
            "{path}"
        );
    }
    assert!(
        harness
            .store
            .set_client_owner(harness.client.id, SubjectId::service())
            .await
            .unwrap()
    );
    assert!(
        at_consent.decide("allow").await.sent_back("code").is_some(),
        "a pending sign-in continues"
    );
    assert!(!harness.client.allowed_scopes.contains(&Scope::manage()));
}

pub async fn introspection_by_a_suspended_client() -> TestResponse {
    let harness = Harness::new().await;
    let client = harness.user_owned_client(ClientPolicy::Secret).await;
    suspend(&harness, &client).await;
    let fields = Fields::new(&[
        ("client_id", &client.id),
        ("client_secret", &client.secrets[0]),
        ("token", "x"),
    ]);
    harness
        .send(fields.to_request("/v1/oauth/introspect"))
        .await
}

#[tokio::test]
async fn a_suspended_client_may_not_introspect() {
    assert_eq!(
        introspection_by_a_suspended_client().await.error(),
        error(400, "unauthorized_client")
    );
}

/// Fails if a host's user with the service's id becomes the owner of removed users' records.
#[tokio::test]
async fn sign_in_with_the_reserved_subject_service_is_refused() {
    let users = std::sync::Arc::new(Users::default());
    users.sign_in_as("service", lyceum::domain::Role::User);
    let harness = Pages::with_settings(|builder| builder.authenticator(users)).await;
    let answer = harness
        .browser_at_login()
        .await
        .sign_in("service@school.example", PASSWORD)
        .await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::INTERNAL_SERVER_ERROR, ""),
        "{answer:?}"
    );
}
