use std::collections::BTreeSet;
use std::time::Duration;

use lyceum::domain::{ChallengeMethod, ClientPolicy, CodeChallenge, Role};
use serde_json::json;

use super::world::*;

#[tokio::test]
async fn decision_3_13_a_code_becomes_an_access_token_and_a_refresh_token() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let answer = world.post(&world.exchange_fields(&client).await).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let body = answer.json();
    let names: BTreeSet<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["access_token", "expires_in", "refresh_token", "scope", "token_type"]));
    assert_eq!((&body["token_type"], &body["expires_in"], &body["scope"]), (&json!("Bearer"), &json!(3600), &json!(SCOPES)));
    assert_eq!((answer.header("cache-control"), answer.header("pragma")), ("no-store", "no-cache"));
}

#[tokio::test]
async fn decision_3_14_an_access_token_says_what_service_md_and_rfc_9068_ask_for() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    let mut claims = world.claims(&tokens.access).await;
    let keys = world.get("/v1/oauth/jwk-set").await.json();
    assert!(claims["jti"].as_str().unwrap().len() > 36);
    claims["jti"].take();
    assert_eq!(
        claims,
        json!({
            "iss": ISSUER,
            "aud": ["service"],
            "sub": "kim@school.example",
            "role": "USER",
            "client_id": client.id,
            "clientId": client.id,
            "scopes": ["service:self_read", "service:manage"],
            "scope": SCOPES,
            "iat": START.seconds(),
            "exp": START.seconds() + 3600,
            "kid": keys["keys"][0]["kid"],
            "jti": null,
        })
    );
    assert!(world.is_live(&tokens.access).await);
    let other = world.tokens(&client).await;
    assert_ne!(world.claims(&other.access).await["jti"], world.claims(&tokens.access).await["jti"]);
}

#[tokio::test]
async fn decision_3_14_the_host_chooses_how_long_an_access_token_holds() {
    let world = World::with(|builder| builder.access_token_lifetime(Duration::from_secs(90))).await;
    let client = world.client(ClientPolicy::Public).await;
    let answer = world.post(&world.exchange_fields(&client).await).await;
    assert_eq!(answer.json()["expires_in"], 90);
    assert_eq!(world.claims(&answer.tokens().access).await["exp"], START.seconds() + 90);
}

#[tokio::test]
async fn decision_3_9_whoever_cannot_prove_the_code_does_not_spend_it() {
    let world = World::new().await;
    let (client, other) = (world.client(ClientPolicy::SecretOrPkce).await, world.client(ClientPolicy::Public).await);
    let good = world.exchange_fields(&client).await;
    let wrong = |first: &str| format!("{first}{}", &VERIFIER[1..]);
    for (name, value, status, word) in [
        ("code_verifier", &*wrong("e"), 401, "invalid_grant"),
        ("code_verifier", "", 401, "invalid_grant"),
        ("code_verifier", "short", 401, "invalid_grant"),
        ("code_verifier", CHALLENGE, 401, "invalid_grant"),
        ("client_secret", "wrong", 401, "invalid_client"),
        ("client_secret", &other.secrets[0], 401, "invalid_client"),
        ("client_id", &other.id, 400, "invalid_grant"),
        ("client_id", "", 400, "invalid_request"),
        ("redirect_uri", "https://app.example/callback/", 400, "invalid_grant"),
        ("redirect_uri", "", 400, "invalid_request"),
        ("grant_type", "", 400, "invalid_request"),
        ("grant_type", "password", 400, "unsupported_grant_type"),
        ("code", "", 400, "invalid_request"),
    ] {
        let answer = world.post(&good.with(name, value)).await;
        assert_eq!(answer.error(), error(status, word), "{name}={value}");
    }
    assert_eq!(world.post(&good).await.status, 200);
}

#[tokio::test]
async fn a_missing_parameter_is_named() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let good = world.exchange_fields(&client).await;
    for name in ["grant_type", "client_id", "code", "redirect_uri"] {
        let answer = world.post(&good.with(name, "")).await;
        assert_eq!(answer.error(), error(400, "invalid_request"));
        assert!(answer.json()["error_description"].as_str().unwrap().contains(name), "{name}: {answer:?}");
    }
}

/// Fails if a store knows the replay and does not revoke.
#[tokio::test]
async fn s02_a_replayed_code_revokes_what_came_of_it() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let fields = world.exchange_fields(&client).await;
    let first = world.post(&fields).await.tokens();
    let second = world.refresh(&client, &first.refresh).await.tokens();
    assert!(world.is_live(&second.access).await);
    assert_eq!(world.post(&fields).await.error(), error(400, "invalid_grant"));
    assert!(!world.is_live(&first.access).await && !world.is_live(&second.access).await);
    for dead in [&first.refresh, &second.refresh] {
        assert_eq!(world.refresh(&client, dead).await.error(), error(400, "invalid_grant"));
    }
}

/// Fails if the code is redeemed before its verifier is looked at.
#[tokio::test]
async fn s02_a_replay_by_somebody_who_cannot_prove_the_code_revokes_nothing() {
    let world = World::new().await;
    let (client, other) = (world.client(ClientPolicy::Public).await, world.client(ClientPolicy::Public).await);
    let fields = world.exchange_fields(&client).await;
    let tokens = world.post(&fields).await.tokens();
    for (name, value) in
        [("client_id", &*other.id), ("code_verifier", CHALLENGE), ("code_verifier", ""), ("redirect_uri", "https://evil.example")]
    {
        assert!(world.post(&fields.with(name, value)).await.status.is_client_error());
    }
    assert!(world.is_live(&tokens.access).await);
}

#[tokio::test]
async fn decision_3_9_a_code_works_until_its_last_second() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let (in_time, too_late) = (world.exchange_fields(&client).await, world.exchange_fields(&client).await);
    world.clock.advance(Duration::from_secs(59));
    assert_eq!(world.post(&in_time).await.status, 200);
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(world.post(&too_late).await.error(), error(400, "invalid_grant"));
}

#[tokio::test]
async fn decision_3_22_codes_that_do_not_work_are_refused_in_the_same_words() {
    let world = World::new().await;
    let (client, other) = (world.client(ClientPolicy::Public).await, world.client(ClientPolicy::Public).await);
    let (spent, expired) = (world.exchange_fields(&client).await, world.exchange_fields(&client).await);
    world.post(&spent).await.tokens();
    world.clock.advance(Duration::from_secs(60));
    let fresh = world.exchange_fields(&client).await;
    let unknown = fresh.with("code", &"A".repeat(43));
    let refused = world.post(&unknown).await;
    assert_eq!(refused.error(), error(400, "invalid_grant"));
    let elsewhere = fresh.with("redirect_uri", "https://app.example/");
    let hostile = fresh.with("code", "' OR 1=1 --\0");
    for fields in [spent, expired, fresh.with("client_id", &other.id), elsewhere, hostile, fresh.with("code", &"A".repeat(4000))] {
        assert_eq!(world.post(&fields).await, refused);
    }
}

/// Fails if a missing verifier is not asked for.
#[tokio::test]
async fn s07_leaving_the_verifier_out_does_not_get_around_the_challenge() {
    let world = World::new().await;
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
        let client = world.client(policy).await;
        let fields = world.exchange_fields(&client).await.with("client_secret", &client.secrets[0]);
        assert_eq!(world.post(&fields.with("code_verifier", "")).await.error(), error(401, "invalid_grant"), "{policy}");
        assert_eq!(world.post(&fields).await.status, 200, "{policy}");
    }
}

/// Fails if a verifier that nobody asked for is passed over.
#[tokio::test]
async fn s08_a_verifier_without_a_challenge_is_refused() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::SecretOrPkce).await;
    let code = world.code(&client, None).await;
    let fields = world.exchange_fields(&client).await.with("code", &code).with("client_secret", &client.secrets[0]);
    assert_eq!(world.post(&fields).await.error(), error(400, "invalid_request"));
    assert_eq!(world.post(&fields.with("code_verifier", "")).await.status, 200);
}

#[tokio::test]
async fn s09_a_plain_challenge_is_met_by_itself_and_an_s256_one_is_not() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let plain = CodeChallenge::new(ChallengeMethod::Plain, CHALLENGE).unwrap();
    let code = world.code(&client, Some(plain)).await;
    let fields = world.exchange_fields(&client).await.with("code", &code);
    assert_eq!(world.post(&fields).await.error(), error(401, "invalid_grant"));
    assert_eq!(world.post(&fields.with("code_verifier", CHALLENGE)).await.status, 200);
    let fields = world.exchange_fields(&client).await.with("code_verifier", CHALLENGE);
    assert_eq!(world.post(&fields).await.error(), error(401, "invalid_grant"));
}

/// Fails if the second redirect URI may end in another slash.
#[tokio::test]
async fn s13_the_redirect_uri_is_the_one_of_the_authorization_request_byte_for_byte() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let fields = world.exchange_fields(&client).await;
    for look_alike in [
        "https://app.example/callback?",
        "https://app.example/callback#",
        "https://app.example:443/callback",
        "https://APP.example/callback",
        "https://app.example/./callback",
        "https://app.example/callbac%6b",
        "https://app.example/Callback",
        "https://user@app.example/callback",
        " https://app.example/callback",
        "https://app.example/callback\0",
        "http://app.example/callback",
    ] {
        assert_eq!(world.post(&fields.with("redirect_uri", look_alike)).await.error(), error(400, "invalid_grant"), "{look_alike}");
    }
    assert_eq!(world.post(&fields).await.status, 200);
}

#[tokio::test]
async fn a_user_who_has_left_since_signing_in_gets_nothing() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let fields = world.exchange_fields(&client).await;
    world.users.leave();
    assert_eq!(world.post(&fields).await.error(), error(400, "invalid_grant"));
}

#[tokio::test]
async fn the_role_claim_is_the_one_that_the_user_has_at_the_exchange() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let fields = world.exchange_fields(&client).await;
    world.users.change("kim@school.example", Role::Admin);
    let tokens = world.post(&fields).await.tokens();
    assert_eq!(world.claims(&tokens.access).await["role"], "ADMIN");
}

#[tokio::test]
async fn s08_a_code_from_before_pkce_was_required_is_worth_nothing() {
    let world = World::new().await;
    for (pkce_required, status) in [(false, 200), (true, 401)] {
        let client = world.client_with(ClientPolicy::Secret, |client| client.pkce_required = pkce_required).await;
        let code = world.code(&client, None).await;
        let fields =
            world.exchange_fields(&client).await.with("code", &code).with("code_verifier", "").with("client_secret", &client.secret());
        let answer = world.post(&fields).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(!pkce_required || answer.error() == error(401, "invalid_grant"));
    }
}
