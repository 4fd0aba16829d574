use std::collections::BTreeSet;
use std::time::Duration;

use lyceum::domain::{ChallengeMethod, ClientPolicy, CodeChallenge, Role};
use serde_json::json;

use super::harness::*;

// Proves: spec 3.13
#[tokio::test]
async fn a_code_becomes_an_access_token_and_a_refresh_token() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let answer = harness.post(&harness.exchange_fields(&client).await).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let body = answer.json();
    let names: BTreeSet<&str> = body
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        names,
        BTreeSet::from([
            "access_token",
            "expires_in",
            "refresh_token",
            "scope",
            "token_type"
        ])
    );
    assert_eq!(
        (&body["token_type"], &body["expires_in"], &body["scope"]),
        (&json!("Bearer"), &json!(3600), &json!(SCOPES))
    );
    assert_eq!(
        (answer.header("cache-control"), answer.header("pragma")),
        ("no-store", "no-cache")
    );
}

// Proves: spec 3.14
#[tokio::test]
async fn an_access_token_has_the_documented_claims_and_those_of_rfc_9068() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    let mut claims = harness.claims(&tokens.access).await;
    let keys = harness.get("/v1/oauth/jwk-set").await.json();
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
    assert!(harness.is_live(&tokens.access).await);
    let other = harness.tokens(&client).await;
    assert_ne!(
        harness.claims(&other.access).await["jti"],
        harness.claims(&tokens.access).await["jti"]
    );
}

// Proves: spec 3.14
#[tokio::test]
async fn the_host_chooses_how_long_an_access_token_holds() {
    let harness =
        Harness::with_settings(|builder| builder.access_token_lifetime(Duration::from_secs(90)))
            .await;
    let client = harness.client(ClientPolicy::Public).await;
    let answer = harness.post(&harness.exchange_fields(&client).await).await;
    assert_eq!(answer.json()["expires_in"], 90);
    assert_eq!(
        harness.claims(&answer.tokens().access).await["exp"],
        START.seconds() + 90
    );
}

// Proves: spec 3.9
#[tokio::test]
async fn a_redemption_without_proof_does_not_spend_the_code() {
    let harness = Harness::new().await;
    let (client, other) = (
        harness.client(ClientPolicy::SecretOrPkce).await,
        harness.client(ClientPolicy::Public).await,
    );
    let good = harness.exchange_fields(&client).await;
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
        (
            "redirect_uri",
            "https://app.example/callback/",
            400,
            "invalid_grant",
        ),
        ("redirect_uri", "", 400, "invalid_request"),
        ("grant_type", "", 400, "invalid_request"),
        ("grant_type", "password", 400, "unsupported_grant_type"),
        ("code", "", 400, "invalid_request"),
    ] {
        let answer = harness.post(&good.with(name, value)).await;
        assert_eq!(answer.error(), error(status, word), "{name}={value}");
    }
    assert_eq!(harness.post(&good).await.status, 200);
}

#[tokio::test]
async fn a_missing_parameter_is_named() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let good = harness.exchange_fields(&client).await;
    for name in ["grant_type", "client_id", "code", "redirect_uri"] {
        let answer = harness.post(&good.with(name, "")).await;
        assert_eq!(answer.error(), error(400, "invalid_request"));
        assert!(
            answer.json()["error_description"]
                .as_str()
                .unwrap()
                .contains(name),
            "{name}: {answer:?}"
        );
    }
}

// Proves: threats 2
/// Fails if a store detects the replay and does not revoke.
#[tokio::test]
async fn a_replayed_code_revokes_its_grant() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let fields = harness.exchange_fields(&client).await;
    let first = harness.post(&fields).await.tokens();
    let second = harness.refresh(&client, &first.refresh).await.tokens();
    assert!(harness.is_live(&second.access).await);
    assert_eq!(
        harness.post(&fields).await.error(),
        error(400, "invalid_grant")
    );
    assert!(!harness.is_live(&first.access).await && !harness.is_live(&second.access).await);
    for dead in [&first.refresh, &second.refresh] {
        assert_eq!(
            harness.refresh(&client, dead).await.error(),
            error(400, "invalid_grant")
        );
    }
}

// Proves: threats 2
/// Fails if the code is redeemed before its verifier is checked.
#[tokio::test]
async fn a_replay_without_proof_of_the_code_revokes_nothing() {
    let harness = Harness::new().await;
    let (client, other) = (
        harness.client(ClientPolicy::Public).await,
        harness.client(ClientPolicy::Public).await,
    );
    let fields = harness.exchange_fields(&client).await;
    let tokens = harness.post(&fields).await.tokens();
    for (name, value) in [
        ("client_id", &*other.id),
        ("code_verifier", CHALLENGE),
        ("code_verifier", ""),
        ("redirect_uri", "https://evil.example"),
    ] {
        assert!(
            harness
                .post(&fields.with(name, value))
                .await
                .status
                .is_client_error()
        );
    }
    assert!(harness.is_live(&tokens.access).await);
}

// Proves: spec 3.9
#[tokio::test]
async fn a_code_works_until_its_last_second() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let (in_time, too_late) = (
        harness.exchange_fields(&client).await,
        harness.exchange_fields(&client).await,
    );
    harness.clock.advance(Duration::from_secs(59));
    assert_eq!(harness.post(&in_time).await.status, 200);
    harness.clock.advance(Duration::from_secs(1));
    assert_eq!(
        harness.post(&too_late).await.error(),
        error(400, "invalid_grant")
    );
}

// Proves: spec 3.22
#[tokio::test]
async fn codes_that_do_not_work_are_refused_in_the_same_words() {
    let harness = Harness::new().await;
    let (client, other) = (
        harness.client(ClientPolicy::Public).await,
        harness.client(ClientPolicy::Public).await,
    );
    let (spent, expired) = (
        harness.exchange_fields(&client).await,
        harness.exchange_fields(&client).await,
    );
    harness.post(&spent).await.tokens();
    harness.clock.advance(Duration::from_secs(60));
    let fresh = harness.exchange_fields(&client).await;
    let unknown = fresh.with("code", &"A".repeat(43));
    let refused = harness.post(&unknown).await;
    assert_eq!(refused.error(), error(400, "invalid_grant"));
    let elsewhere = fresh.with("redirect_uri", "https://app.example/");
    let hostile = fresh.with("code", "' OR 1=1 --\0");
    for fields in [
        spent,
        expired,
        fresh.with("client_id", &other.id),
        elsewhere,
        hostile,
        fresh.with("code", &"A".repeat(4000)),
    ] {
        assert_eq!(harness.post(&fields).await, refused);
    }
}

// Proves: threats 7
/// Fails if a verifier is not required.
#[tokio::test]
async fn leaving_the_verifier_out_does_not_get_around_the_challenge() {
    let harness = Harness::new().await;
    for policy in [ClientPolicy::Secret, ClientPolicy::SecretOrPkce] {
        let client = harness.client(policy).await;
        let fields = harness
            .exchange_fields(&client)
            .await
            .with("client_secret", &client.secrets[0]);
        assert_eq!(
            harness
                .post(&fields.with("code_verifier", ""))
                .await
                .error(),
            error(401, "invalid_grant"),
            "{policy}"
        );
        assert_eq!(harness.post(&fields).await.status, 200, "{policy}");
    }
}

// Proves: threats 8
/// Fails if an unexpected verifier is ignored.
#[tokio::test]
async fn a_verifier_without_a_challenge_is_refused() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let code = harness.code(&client, None).await;
    let fields = harness
        .exchange_fields(&client)
        .await
        .with("code", &code)
        .with("client_secret", &client.secrets[0]);
    assert_eq!(
        harness.post(&fields).await.error(),
        error(400, "invalid_request")
    );
    assert_eq!(
        harness.post(&fields.with("code_verifier", "")).await.status,
        200
    );
}

// Proves: threats 9
#[tokio::test]
async fn a_plain_challenge_is_met_by_itself_and_an_s256_one_is_not() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let plain = CodeChallenge::new(ChallengeMethod::Plain, CHALLENGE).unwrap();
    let code = harness.code(&client, Some(plain)).await;
    let fields = harness.exchange_fields(&client).await.with("code", &code);
    assert_eq!(
        harness.post(&fields).await.error(),
        error(401, "invalid_grant")
    );
    assert_eq!(
        harness
            .post(&fields.with("code_verifier", CHALLENGE))
            .await
            .status,
        200
    );
    let fields = harness
        .exchange_fields(&client)
        .await
        .with("code_verifier", CHALLENGE);
    assert_eq!(
        harness.post(&fields).await.error(),
        error(401, "invalid_grant")
    );
}

// Proves: threats 13
/// Fails if the second redirect URI may end with an extra slash.
#[tokio::test]
async fn the_redirect_uri_is_the_one_of_the_authorization_request_byte_for_byte() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let fields = harness.exchange_fields(&client).await;
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
        assert_eq!(
            harness
                .post(&fields.with("redirect_uri", look_alike))
                .await
                .error(),
            error(400, "invalid_grant"),
            "{look_alike}"
        );
    }
    assert_eq!(harness.post(&fields).await.status, 200);
}

#[tokio::test]
async fn a_user_who_was_removed_since_signing_in_gets_no_token() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let fields = harness.exchange_fields(&client).await;
    harness.users.remove_all();
    assert_eq!(
        harness.post(&fields).await.error(),
        error(400, "invalid_grant")
    );
}

#[tokio::test]
async fn the_role_claim_is_the_one_that_the_user_has_at_the_exchange() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let fields = harness.exchange_fields(&client).await;
    harness
        .users
        .set_email_and_role("kim@school.example", Role::Admin);
    let tokens = harness.post(&fields).await.tokens();
    assert_eq!(harness.claims(&tokens.access).await["role"], "ADMIN");
}

// Proves: threats 8
#[tokio::test]
async fn a_code_from_before_pkce_was_required_is_worth_nothing() {
    let harness = Harness::new().await;
    for (pkce_required, status) in [(false, 200), (true, 401)] {
        let client = harness
            .client_with(ClientPolicy::Secret, |client| {
                client.pkce_required = pkce_required
            })
            .await;
        let code = harness.code(&client, None).await;
        let fields = harness
            .exchange_fields(&client)
            .await
            .with("code", &code)
            .with("code_verifier", "")
            .with("client_secret", &client.secret());
        let answer = harness.post(&fields).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(!pkce_required || answer.error() == error(401, "invalid_grant"));
    }
}
