use std::time::Duration;

use lyceum::domain::ClientPolicy;
use lyceum::store::RegistryChange;
use serde_json::{Value, json};

use crate::token::harness::*;

const INTROSPECT: &str = "/v1/oauth/introspect";

fn inactive() -> Value {
    json!({ "active": false })
}

// Proves: spec 3.18
#[tokio::test]
async fn introspection_of_an_access_token_has_every_claim() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let tokens = harness.tokens_for(&client, SCOPES).await;
    let mut told = harness.introspect(&client, &tokens.access).await;
    assert_eq!(
        told["jti"].take(),
        harness.claims(&tokens.access).await["jti"]
    );
    assert_eq!(
        told,
        json!({
            "active": true,
            "scope": SCOPES,
            "scopes": ["service:self_read", "service:manage"],
            "client_id": client.id,
            "username": "kim@school.example",
            "sub": "kim@school.example",
            "role": "USER",
            "token_type": "Bearer",
            "aud": ["service"],
            "iss": ISSUER,
            "iat": START.seconds(),
            "exp": START.seconds() + 3600,
            "jti": null,
        })
    );
    harness.clock.advance(Duration::from_secs(3599));
    assert_eq!(
        harness.introspect(&client, &tokens.access).await["active"],
        true
    );
    harness.clock.advance(Duration::from_secs(1));
    assert_eq!(
        harness.introspect(&client, &tokens.access).await,
        inactive()
    );
}

// Proves: spec 3.15
#[tokio::test]
async fn of_the_refresh_tokens_of_a_grant_only_the_current_one_is_active() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let first = harness.tokens_for(&client, SCOPES).await;
    let expected = json!({
        "active": true,
        "scope": SCOPES,
        "scopes": ["service:self_read", "service:manage"],
        "client_id": client.id,
        "username": "kim@school.example",
        "sub": "kim@school.example",
        "role": "USER",
        "iss": ISSUER,
    });
    for _ in 0..2 {
        assert_eq!(
            harness.introspect(&client, &first.refresh).await,
            expected,
            "introspection consumes nothing"
        );
    }
    let refresh = refresh_fields(&client, &first.refresh).with("client_secret", &client.secret());
    let second = harness.post(&refresh).await.tokens();
    assert_eq!(
        harness.introspect(&client, &first.refresh).await,
        inactive()
    );
    assert_eq!(harness.introspect(&client, &second.refresh).await, expected);
    harness.clock.advance(Duration::from_secs(30 * 24 * 3600));
    assert_eq!(
        harness.introspect(&client, &second.refresh).await,
        inactive()
    );
}

// Proves: spec 3.15
#[tokio::test]
async fn no_token_of_a_removed_user_is_active() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let tokens = harness.tokens_for(&client, SCOPES).await;
    harness.users.remove_all();
    for token in [&tokens.refresh, &tokens.access] {
        assert_eq!(harness.introspect(&client, token).await, inactive());
    }
}

// Proves: spec 3.17
#[tokio::test]
async fn introspection_omits_deleted_scopes() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let (read, write) = (
        format!("{application}:read"),
        format!("{application}:write"),
    );
    let allowed = lyceum::domain::ScopeSet::parse(&format!("{read} {write}")).unwrap();
    let client = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.allowed_scopes = allowed
        })
        .await;
    let tokens = harness
        .tokens_for(&client, &format!("{read} {write}"))
        .await;
    let gone = harness
        .store
        .scope_definitions(&lyceum::domain::ScopeSet::parse(&write).unwrap())
        .await
        .unwrap();
    assert_eq!(
        harness.store.delete_scope(gone[0].id).await.unwrap(),
        RegistryChange::Done
    );
    for token in [&tokens.refresh, &tokens.access] {
        let told = harness.introspect(&client, token).await;
        assert_eq!(
            (&told["active"], &told["scope"], &told["scopes"]),
            (&json!(true), &json!(read), &json!([read]))
        );
    }
}

// Proves: spec 3.17
/// Fails if a token without scopes is reported as active.
#[tokio::test]
async fn tokens_whose_scopes_were_all_deleted_are_not_active() {
    let harness = Harness::new().await;
    let application = harness.application("owner").await;
    let read = format!("{application}:read");
    let allowed = lyceum::domain::ScopeSet::parse(&read).unwrap();
    let client = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.allowed_scopes = allowed
        })
        .await;
    let tokens = harness.tokens_for(&client, &read).await;
    assert_eq!(
        harness.store.delete_application(application).await.unwrap(),
        RegistryChange::Done
    );
    for token in [&tokens.refresh, &tokens.access] {
        assert_eq!(harness.introspect(&client, token).await, inactive());
    }
}

// Proves: threats 2
/// Fails if introspection or `/userinfo` checks only the signature, or a store does not revoke.
#[tokio::test]
async fn the_tokens_of_a_replayed_code_are_inactive_at_every_endpoint() {
    let harness = Harness::new().await;
    let (client, reader) = (
        harness.client(ClientPolicy::Public).await,
        harness.client(ClientPolicy::Secret).await,
    );
    let fields = harness.exchange_fields(&client).await;
    let first = harness.post(&fields).await.tokens();
    let second = harness.refresh(&client, &first.refresh).await.tokens();
    for access in [&first.access, &second.access] {
        assert_eq!(harness.introspect(&reader, access).await["active"], true);
        assert_eq!(harness.user_info(access).await.status, 200);
    }
    assert_eq!(
        harness.post(&fields).await.error(),
        error(400, "invalid_grant")
    );
    for tokens in [&first, &second] {
        assert_eq!(
            harness.introspect(&reader, &tokens.access).await,
            inactive()
        );
        assert_eq!(
            harness.user_info(&tokens.access).await.error(),
            error(401, "invalid_token")
        );
        assert_eq!(
            harness.refresh(&client, &tokens.refresh).await.error(),
            error(400, "invalid_grant")
        );
    }
}

// Proves: spec 3.14
#[tokio::test]
async fn only_the_owner_of_an_application_may_introspect_tokens_for_it() {
    let harness = Harness::new().await;
    let (mine, theirs) = (
        harness.application("mine").await,
        harness.application("theirs").await,
    );
    let allowed = format!("{mine}:read {theirs}:read service:self_read");
    let client = harness.client_with(ClientPolicy::Secret, |client| {
        client.allowed_scopes = lyceum::domain::ScopeSet::parse(&allowed).unwrap();
        client.owner = "somebody".parse().unwrap();
    });
    let client = client.await;
    let api = |owner: &'static str| {
        harness.client_with(ClientPolicy::Secret, move |client| {
            client.owner = owner.parse().unwrap()
        })
    };
    let (my_api, their_api, a_stranger) = (
        api("mine").await,
        api("theirs").await,
        api("stranger").await,
    );

    let for_me = harness.tokens_for(&client, &format!("{mine}:read")).await;
    let for_both = harness
        .tokens_for(&client, &format!("{mine}:read {theirs}:read"))
        .await;
    let for_neither = harness.tokens_for(&client, "service:self_read").await;
    for (api, tokens, is_active) in [
        (&my_api, &for_me, true),
        (&my_api, &for_both, true),
        (&my_api, &for_neither, false),
        (&their_api, &for_me, false),
        (&their_api, &for_both, true),
        (&a_stranger, &for_both, false),
        (&a_stranger, &for_neither, false),
        (&client, &for_both, true),
        (&client, &for_neither, true),
    ] {
        let told = harness.introspect(api, &tokens.access).await;
        assert_eq!(told["active"], is_active, "{told}");
        assert!(is_active || told == inactive(), "{told}");
        let of_refresh_token = harness.introspect(api, &tokens.refresh).await;
        assert_eq!(
            of_refresh_token["active"],
            std::ptr::eq(api, &raw const client),
            "{of_refresh_token}"
        );
    }
}

// Proves: spec 3.18
#[tokio::test]
async fn introspection_needs_a_client_secret() {
    let harness = Harness::new().await;
    let (either, public) = (
        harness.client(ClientPolicy::SecretOrPkce).await,
        harness.client(ClientPolicy::Public).await,
    );
    let tokens = harness.tokens(&public).await;
    let ask = |client: &TestClient, secret: &str| {
        let fields = Fields::new(&[("token", &tokens.access), ("client_id", &client.id)])
            .with("client_secret", secret);
        harness.send(fields.to_request(INTROSPECT))
    };
    let refused = ask(&either, &public.secrets[0]).await;
    assert_eq!(refused.error(), error(401, "invalid_client"));
    assert_eq!(ask(&either, "").await, refused);
    assert_eq!(ask(&public, "").await, refused);
    assert_eq!(ask(&public, &public.secrets[0]).await, refused);
    assert_eq!(ask(&either, &either.secrets[0]).await.status, 200);
    let mut by_header = Fields::new(&[("token", &tokens.access)]).to_request(INTROSPECT);
    by_header.headers_mut().insert(
        "authorization",
        basic(&either.id, &either.secrets[1]).parse().unwrap(),
    );
    assert_eq!(harness.send(by_header).await.json()["active"], true);
    let missing = harness
        .send(revoke_like(&either).to_request(INTROSPECT))
        .await;
    assert_eq!(missing.error(), error(400, "invalid_request"));
    assert_eq!(harness.get(INTROSPECT).await.header("allow"), "POST");
}

fn revoke_like(client: &TestClient) -> Fields {
    super::revoke::revoke_fields(client, "")
}

// Proves: threats 27, threats 28, threats 29, threats 30
/// Fails if a signature is not checked.
#[tokio::test]
async fn a_token_that_was_not_issued_here_is_not_active_and_opens_nothing() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let access = harness.tokens_for(&client, SCOPES).await.access;
    let claims = harness.claims(&access).await;
    let with = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        claims
    };
    let sound = harness.signed("at+jwt", &claims).await;
    assert_eq!(
        harness.introspect(&client, &sound).await["active"],
        true,
        "the corpus is of this server's key"
    );
    assert_eq!(harness.user_info(&sound).await.status, 200);

    let parts: Vec<&str> = access.split('.').collect();
    let encode = |value: Value| {
        use base64ct::Encoding;
        base64ct::Base64UrlUnpadded::encode_string(value.to_string().as_bytes())
    };
    let kid = claims["kid"].clone();
    let mut corpus = vec![
        format!(
            "{}.{}.",
            encode(json!({ "alg": "none", "typ": "at+jwt", "kid": kid })),
            parts[1]
        ),
        format!(
            "{}.{}.{}",
            encode(json!({ "alg": "HS256", "typ": "at+jwt", "kid": kid })),
            parts[1],
            parts[2]
        ),
        format!(
            "{}.{}.{}",
            encode(
                json!({ "alg": "ES256", "typ": "at+jwt", "kid": "../../keys", "jku": "https://evil.example" })
            ),
            parts[1],
            parts[2]
        ),
        format!(
            "{}.{}.{}",
            encode(json!({ "alg": "ES256", "typ": "at+jwt", "kid": kid, "crit": ["exp"] })),
            parts[1],
            parts[2]
        ),
        format!(
            "{}.{}.{}",
            parts[0],
            encode(with("role", json!("ADMIN"))),
            parts[2]
        ),
        format!("{}.{}.", parts[0], parts[1]),
        harness.signed("JWT", &claims).await,
    ];
    for forged in [
        with("iss", json!("https://evil.example")),
        with("iss", json!(format!("{ISSUER}/"))),
        with("exp", json!(START.seconds())),
        with("exp", json!("1767229200")),
        with("exp", json!(1.767_229_2e9)),
        with("exp", json!(u64::MAX)),
        with("nbf", json!(START.seconds() + 1)),
        with("scopes", json!("service:self_read")),
        with("aud", json!("service")),
        with("jti", json!("11111111-1111-4111-8111-111111111111.00")),
        with("jti", json!("00000000000000000000000000000000")),
        with("jti", json!("' OR 1=1 --")),
        with("sub", Value::Null),
    ] {
        corpus.push(harness.signed("at+jwt", &forged).await);
    }
    for token in &corpus {
        assert_eq!(
            harness.introspect(&client, token).await,
            inactive(),
            "{token}"
        );
        assert_eq!(
            harness.user_info(token).await.error(),
            error(401, "invalid_token"),
            "{token}"
        );
    }
}
