//! Clients whose owner has left: nobody signs in to them and they get no tokens until an administrator gives them to another user.

use http::StatusCode;
use lyceum::domain::{ClientId, ClientPolicy, ClientSecret, RegisteredSecret, Scope, ScopeSet, SubjectId};
use lyceum::store::{OwnerRemoval, SecretAddition};

use crate::harness::{EMAIL, World as Pages, get};
use crate::token::world::*;

/// The id of a client that is not there.
const UNKNOWN: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

fn leaver() -> SubjectId {
    "leaver".parse().unwrap()
}

fn id(client: &TestClient) -> ClientId {
    client.id.parse().unwrap()
}

/// Gives the client to somebody, who leaves.
async fn suspend(world: &World, client: &TestClient) {
    assert!(world.store.set_client_owner(id(client), leaver()).await.unwrap());
    let removal = world.store.remove_owner(&leaver(), START).await.unwrap();
    assert_eq!(removal, OwnerRemoval { suspended_clients: vec![id(client)], ..OwnerRemoval::default() });
}

async fn give(world: &World, client: &TestClient) {
    assert!(world.store.set_client_owner(id(client), "next".parse().unwrap()).await.unwrap());
    assert_eq!(world.store.client(id(client)).await.unwrap().unwrap().secrets, [], "the former owner may know them");
    let secret = ClientSecret::issued_elsewhere(&client.secrets[0]).unwrap().digest();
    let added = world.store.add_client_secret(id(client), RegisteredSecret { digest: secret, created_at: START }).await.unwrap();
    assert_eq!(added, SecretAddition::Added);
}

/// Fails if a suspended client gets a token by any grant type, or loses its grants for good.
#[tokio::test]
async fn a_suspended_client_gets_no_tokens_until_it_is_given_away() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read service:self_read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| {
        (client.allowed_scopes, client.client_credentials_allowed, client.first_party) = (scopes, true, false);
    };
    let client = world.client_with(ClientPolicy::Secret, change).await;
    let secret = client.secrets[0].clone();
    let tokens = world.tokens_for(&client, "service:self_read").await;
    let exchange = world.exchange_fields(&client).await.with("client_secret", &secret);
    let refresh = refresh_fields(&client, &tokens.refresh).with("client_secret", &secret);
    let own = Fields::new(&[("grant_type", "client_credentials"), ("client_id", &client.id), ("client_secret", &secret)]);
    suspend(&world, &client).await;
    for fields in [&exchange, &refresh, &own] {
        assert_eq!(world.post(fields).await.error(), error(400, "unauthorized_client"));
    }
    give(&world, &client).await;
    for fields in [&exchange, &refresh, &own] {
        assert_eq!(world.post(fields).await.status, 200, "nothing was used up");
    }
}

/// Fails if somebody who has not proven to be the client learns that there is one.
#[tokio::test]
async fn the_token_endpoint_tells_of_a_suspension_only_where_the_secret_is_proven() {
    let world = World::new().await;
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce, ClientPolicy::Public] {
        let client = world.user_owned_client(policy).await;
        let fields = world.exchange_fields(&client).await;
        suspend(&world, &client).await;
        let unknown = world.post(&fields.with("client_id", UNKNOWN)).await;
        let silent = world.post(&fields).await;
        assert_eq!((silent.status, &silent.body), (unknown.status, &unknown.body), "{policy}");
        let wrong: String = "x".repeat(43);
        let guessed = world.post(&fields.with("client_secret", &wrong)).await;
        assert_eq!((guessed.status, &guessed.body), (unknown.status, &unknown.body), "{policy}");
    }
}

/// Fails if access tokens of a suspended client go on.
#[tokio::test]
async fn access_tokens_of_a_suspended_client_are_not_active() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let scopes = ScopeSet::parse(&format!("{application}:read")).unwrap();
    let change = |client: &mut lyceum::domain::Client| (client.allowed_scopes, client.first_party) = (scopes, false);
    let client = world.client_with(ClientPolicy::Secret, change).await;
    // It serves the application, so it may ask about tokens for it.
    let service = world.client_with(ClientPolicy::Secret, |client| client.owner = "owner".parse().unwrap()).await;
    let tokens = world.tokens_for(&client, &format!("{application}:read")).await;
    assert_eq!(world.introspect(&service, &tokens.access).await["active"], true);
    suspend(&world, &client).await;
    assert_eq!(world.introspect(&service, &tokens.access).await, serde_json::json!({ "active": false }));
    give(&world, &client).await;
    assert_eq!(world.introspect(&service, &tokens.access).await["active"], true);
}

/// Fails if a browser is sent to a client whose owner has left.
#[tokio::test]
async fn nobody_signs_in_to_a_suspended_client() {
    let world = Pages::new().await;
    let (mut at_login, mut at_consent) = (world.browser_at_login().await, world.browser_at_consent().await);
    let form_token = at_login.form_token("/v1/oauth/login").await;
    let leaver: SubjectId = "leaver".parse().unwrap();
    assert!(world.store.set_client_owner(world.client.id, leaver.clone()).await.unwrap());
    assert_eq!(world.store.remove_owner(&leaver, START).await.unwrap().suspended_clients, [world.client.id]);
    let page = world.browser().get(&world.authorize(&[])).await;
    assert_eq!((page.status, page.location(), page.is_page()), (StatusCode::BAD_REQUEST, "", true), "{page:?}");
    let answer = get(&world.server, &world.authorize(&[("prompt", "none")])).await;
    assert_eq!((answer.status, answer.json()["error"].clone()), (StatusCode::BAD_REQUEST, "unauthorized_client".into()));
    let typed = [("form_token", &*form_token), ("email", EMAIL), ("password", PASSWORD)];
    let checks = world.accounts.password_checks();
    let signed_in = at_login.post("/v1/oauth/login", &typed).await;
    assert_eq!((signed_in.status, signed_in.location()), (StatusCode::UNAUTHORIZED, ""));
    assert_eq!(world.accounts.password_checks(), checks, "no password is checked");
    for (browser, path) in [(&mut at_login, "/v1/oauth/login"), (&mut at_consent, "/v1/oauth/consent")] {
        let page = browser.get(path).await;
        assert_eq!((page.status, page.location()), (StatusCode::UNAUTHORIZED, ""), "{path}");
    }
    assert!(world.store.set_client_owner(world.client.id, SubjectId::service()).await.unwrap());
    assert!(at_consent.decide("allow").await.sent_back("code").is_some(), "a sign-in that had begun goes on");
    assert!(!world.client.allowed_scopes.contains(&Scope::manage()));
}

pub async fn introspection_by_a_suspended_client() -> Answer {
    let world = World::new().await;
    let client = world.user_owned_client(ClientPolicy::Secret).await;
    suspend(&world, &client).await;
    let fields = Fields::new(&[("client_id", &client.id), ("client_secret", &client.secrets[0]), ("token", "x")]);
    world.send(fields.to("/v1/oauth/introspect")).await
}

#[tokio::test]
async fn a_suspended_client_is_told_about_no_token() {
    assert_eq!(introspection_by_a_suspended_client().await.error(), error(400, "unauthorized_client"));
}

/// Fails if a host's user with the service's id becomes the owner of what users who left had.
#[tokio::test]
async fn nobody_signs_in_with_the_id_of_the_service_itself() {
    let users = std::sync::Arc::new(Users::default());
    users.enter("service", lyceum::domain::Role::User);
    let world = Pages::with(|builder| builder.authenticator(users)).await;
    let answer = world.browser_at_login().await.sign_in("service@school.example", PASSWORD).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::INTERNAL_SERVER_ERROR, ""), "{answer:?}");
}
