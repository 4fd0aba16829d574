use std::time::Duration;

use lyceum::domain::ClientPolicy;
use lyceum::store::RegistryChange;
use serde_json::{Value, json};

use crate::token::world::*;

const INTROSPECT: &str = "/v1/oauth/introspect";

fn inactive() -> Value {
    json!({ "active": false })
}

#[tokio::test]
async fn decision_3_18_an_access_token_is_told_in_full() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    let tokens = world.tokens_for(&client, SCOPES).await;
    let mut told = world.introspect(&client, &tokens.access).await;
    assert_eq!(told["jti"].take(), world.claims(&tokens.access).await["jti"]);
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
    world.clock.advance(Duration::from_secs(3599));
    assert_eq!(world.introspect(&client, &tokens.access).await["active"], true);
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(world.introspect(&client, &tokens.access).await, inactive());
}

#[tokio::test]
async fn decision_3_15_of_the_refresh_tokens_of_a_grant_only_the_current_one_is_active() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    let first = world.tokens_for(&client, SCOPES).await;
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
        assert_eq!(world.introspect(&client, &first.refresh).await, expected, "to ask uses nothing up");
    }
    let refresh = refresh_fields(&client, &first.refresh).with("client_secret", &client.secret());
    let second = world.post(&refresh).await.tokens();
    assert_eq!(world.introspect(&client, &first.refresh).await, inactive());
    assert_eq!(world.introspect(&client, &second.refresh).await, expected);
    world.clock.advance(Duration::from_secs(30 * 24 * 3600));
    assert_eq!(world.introspect(&client, &second.refresh).await, inactive());
}

#[tokio::test]
async fn decision_3_15_no_token_of_a_user_who_has_left_is_active() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    let tokens = world.tokens_for(&client, SCOPES).await;
    world.users.leave();
    for token in [&tokens.refresh, &tokens.access] {
        assert_eq!(world.introspect(&client, token).await, inactive());
    }
}

#[tokio::test]
async fn decision_3_17_a_scope_that_was_deleted_is_not_told_of_tokens_that_had_it() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let (read, write) = (format!("{application}:read"), format!("{application}:write"));
    let allowed = lyceum::domain::ScopeSet::parse(&format!("{read} {write}")).unwrap();
    let client = world.client_with(ClientPolicy::Secret, |client| client.allowed_scopes = allowed).await;
    let tokens = world.tokens_for(&client, &format!("{read} {write}")).await;
    let gone = world.store.scope_definitions(&lyceum::domain::ScopeSet::parse(&write).unwrap()).await.unwrap();
    assert_eq!(world.store.delete_scope(gone[0].id).await.unwrap(), RegistryChange::Done);
    for token in [&tokens.refresh, &tokens.access] {
        let told = world.introspect(&client, token).await;
        assert_eq!((&told["active"], &told["scope"], &told["scopes"]), (&json!(true), &json!(read), &json!([read])));
    }
}

/// Fails if an empty list of scopes is told as active.
#[tokio::test]
async fn decision_3_17_tokens_whose_scopes_were_all_deleted_are_not_active() {
    let world = World::new().await;
    let application = world.application("owner").await;
    let read = format!("{application}:read");
    let allowed = lyceum::domain::ScopeSet::parse(&read).unwrap();
    let client = world.client_with(ClientPolicy::Secret, |client| client.allowed_scopes = allowed).await;
    let tokens = world.tokens_for(&client, &read).await;
    assert_eq!(world.store.delete_application(application).await.unwrap(), RegistryChange::Done);
    for token in [&tokens.refresh, &tokens.access] {
        assert_eq!(world.introspect(&client, token).await, inactive());
    }
}

/// Fails if introspection or `/userinfo` believes the signature alone, or a store does not revoke.
#[tokio::test]
async fn s02_what_a_replayed_code_issued_is_dead_wherever_it_is_shown() {
    let world = World::new().await;
    let (client, reader) = (world.client(ClientPolicy::Public).await, world.client(ClientPolicy::Secret).await);
    let fields = world.exchange_fields(&client).await;
    let first = world.post(&fields).await.tokens();
    let second = world.refresh(&client, &first.refresh).await.tokens();
    for access in [&first.access, &second.access] {
        assert_eq!(world.introspect(&reader, access).await["active"], true);
        assert_eq!(world.user_info(access).await.status, 200);
    }
    assert_eq!(world.post(&fields).await.error(), error(400, "invalid_grant"));
    for tokens in [&first, &second] {
        assert_eq!(world.introspect(&reader, &tokens.access).await, inactive());
        assert_eq!(world.user_info(&tokens.access).await.error(), error(401, "invalid_token"));
        assert_eq!(world.refresh(&client, &tokens.refresh).await.error(), error(400, "invalid_grant"));
    }
}

#[tokio::test]
async fn decision_3_14_the_owner_of_an_application_may_ask_about_tokens_for_it_and_nobody_else_may() {
    let world = World::new().await;
    let (mine, theirs) = (world.application("mine").await, world.application("theirs").await);
    let allowed = format!("{mine}:read {theirs}:read service:self_read");
    let client = world.client_with(ClientPolicy::Secret, |client| {
        client.allowed_scopes = lyceum::domain::ScopeSet::parse(&allowed).unwrap();
        client.owner = "somebody".parse().unwrap();
    });
    let client = client.await;
    let api = |owner: &'static str| world.client_with(ClientPolicy::Secret, move |client| client.owner = owner.parse().unwrap());
    let (my_api, their_api, a_stranger) = (api("mine").await, api("theirs").await, api("stranger").await);

    let for_me = world.tokens_for(&client, &format!("{mine}:read")).await;
    let for_both = world.tokens_for(&client, &format!("{mine}:read {theirs}:read")).await;
    let for_neither = world.tokens_for(&client, "service:self_read").await;
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
        let told = world.introspect(api, &tokens.access).await;
        assert_eq!(told["active"], is_active, "{told}");
        assert!(is_active || told == inactive(), "{told}");
        let of_refresh_token = world.introspect(api, &tokens.refresh).await;
        assert_eq!(of_refresh_token["active"], std::ptr::eq(api, &raw const client), "{of_refresh_token}");
    }
}

#[tokio::test]
async fn decision_3_18_whoever_proves_no_secret_may_not_ask() {
    let world = World::new().await;
    let (either, public) = (world.client(ClientPolicy::SecretOrPkce).await, world.client(ClientPolicy::Public).await);
    let tokens = world.tokens(&public).await;
    let ask = |client: &TestClient, secret: &str| {
        let fields = Fields::new(&[("token", &tokens.access), ("client_id", &client.id)]).with("client_secret", secret);
        world.send(fields.to(INTROSPECT))
    };
    let refused = ask(&either, &public.secrets[0]).await;
    assert_eq!(refused.error(), error(401, "invalid_client"));
    assert_eq!(ask(&either, "").await, refused);
    assert_eq!(ask(&public, "").await, refused);
    assert_eq!(ask(&public, &public.secrets[0]).await, refused);
    assert_eq!(ask(&either, &either.secrets[0]).await.status, 200);
    let mut by_header = Fields::new(&[("token", &tokens.access)]).to(INTROSPECT);
    by_header.headers_mut().insert("authorization", basic(&either.id, &either.secrets[1]).parse().unwrap());
    assert_eq!(world.send(by_header).await.json()["active"], true);
    let missing = world.send(revoke_like(&either).to(INTROSPECT)).await;
    assert_eq!(missing.error(), error(400, "invalid_request"));
    assert_eq!(world.get(INTROSPECT).await.header("allow"), "POST");
}

fn revoke_like(client: &TestClient) -> Fields {
    super::revoke::revoke_fields(client, "")
}

/// Fails if a signature is not checked.
#[tokio::test]
async fn s27_s28_s29_s30_a_token_that_was_not_issued_here_is_not_active_and_opens_nothing() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    let access = world.tokens_for(&client, SCOPES).await.access;
    let claims = world.claims(&access).await;
    let with = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        claims
    };
    let sound = world.signed("at+jwt", &claims).await;
    assert_eq!(world.introspect(&client, &sound).await["active"], true, "the corpus is of this server's key");
    assert_eq!(world.user_info(&sound).await.status, 200);

    let parts: Vec<&str> = access.split('.').collect();
    let encode = |value: Value| {
        use base64ct::Encoding;
        base64ct::Base64UrlUnpadded::encode_string(value.to_string().as_bytes())
    };
    let kid = claims["kid"].clone();
    let mut corpus = vec![
        format!("{}.{}.", encode(json!({ "alg": "none", "typ": "at+jwt", "kid": kid })), parts[1]),
        format!("{}.{}.{}", encode(json!({ "alg": "HS256", "typ": "at+jwt", "kid": kid })), parts[1], parts[2]),
        format!(
            "{}.{}.{}",
            encode(json!({ "alg": "ES256", "typ": "at+jwt", "kid": "../../keys", "jku": "https://evil.example" })),
            parts[1],
            parts[2]
        ),
        format!("{}.{}.{}", encode(json!({ "alg": "ES256", "typ": "at+jwt", "kid": kid, "crit": ["exp"] })), parts[1], parts[2]),
        format!("{}.{}.{}", parts[0], encode(with("role", json!("ADMIN"))), parts[2]),
        format!("{}.{}.", parts[0], parts[1]),
        world.signed("JWT", &claims).await,
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
        corpus.push(world.signed("at+jwt", &forged).await);
    }
    for token in &corpus {
        assert_eq!(world.introspect(&client, token).await, inactive(), "{token}");
        assert_eq!(world.user_info(token).await.error(), error(401, "invalid_token"), "{token}");
    }
}
