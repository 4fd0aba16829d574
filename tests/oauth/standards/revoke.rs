use lyceum::domain::ClientPolicy;

use crate::token::harness::*;

const REVOKE: &str = "/v1/oauth/revoke";

pub fn revoke_fields(client: &TestClient, token: &str) -> Fields {
    Fields::new(&[("token", token), ("client_id", &client.id)])
        .with("client_secret", &client.secret())
}

async fn revoke(harness: &Harness, fields: &Fields) -> TestResponse {
    harness.send(fields.to_request(REVOKE)).await
}

fn assert_done(answer: &TestResponse) {
    let facts = (
        answer.status.as_u16(),
        &*answer.body,
        answer.header("cache-control"),
    );
    assert_eq!(facts, (200, "", "no-store"), "{answer:?}");
}

// Proves: spec 3.18
#[tokio::test]
async fn either_token_ends_its_whole_grant_and_no_other() {
    let harness = Harness::new().await;
    for policy in ClientPolicy::ALL {
        let client = harness.client(*policy).await;
        for is_refresh_token in [true, false] {
            let (tokens, other) = (
                harness.tokens_for(&client, SCOPES).await,
                harness.tokens_for(&client, SCOPES).await,
            );
            let token = if is_refresh_token {
                &tokens.refresh
            } else {
                &tokens.access
            };
            assert_done(&revoke(&harness, &revoke_fields(&client, token)).await);
            assert_eq!(harness.user_info(&tokens.access).await.status, 401);
            let refresh =
                refresh_fields(&client, &tokens.refresh).with("client_secret", &client.secret());
            assert_eq!(
                harness.post(&refresh).await.error(),
                error(400, "invalid_grant")
            );
            assert_eq!(
                harness.user_info(&other.access).await.status,
                200,
                "{policy}"
            );
        }
    }
}

// Proves: threats 33
/// Fails if the client of a token is not compared, or an unknown token causes an error.
#[tokio::test]
async fn only_the_own_tokens_are_revoked_and_every_answer_is_the_same() {
    let harness = Harness::new().await;
    let (client, other) = (
        harness.client(ClientPolicy::Secret).await,
        harness.client(ClientPolicy::Secret).await,
    );
    let theirs = harness.tokens_for(&other, SCOPES).await;
    let mine = harness.tokens_for(&client, SCOPES).await;
    let dead = harness.tokens_for(&client, SCOPES).await;
    let good = revoke(&harness, &revoke_fields(&client, &dead.refresh)).await;
    assert_done(&good);
    let changed = format!("{}A{}", &mine.refresh[..40], &mine.refresh[41..]);
    let forged = format!("{}AAAA", mine.access);
    for token in [
        &*theirs.refresh,
        &theirs.access,
        &dead.refresh,
        &dead.access,
        &changed,
        &forged,
        "x",
        "a.b.c",
        &"A".repeat(3000),
    ] {
        assert_eq!(
            revoke(&harness, &revoke_fields(&client, token)).await,
            good,
            "{token}"
        );
    }
    for tokens in [&theirs, &mine] {
        assert_eq!(harness.user_info(&tokens.access).await.status, 200);
    }
}

// Proves: threats 33
/// Resource servers have seen the access tokens of the client's users. Fails if holding one is
/// enough.
#[tokio::test]
async fn a_grant_that_was_made_by_a_secret_is_ended_only_by_a_secret() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let (by_secret, by_verifier) = (
        harness.tokens_for(&client, SCOPES).await,
        harness.tokens(&client).await,
    );
    for token in [&by_secret.access, &by_secret.refresh] {
        let bare = Fields::new(&[("token", token), ("client_id", &client.id)]);
        assert_eq!(
            revoke(&harness, &bare).await.error(),
            error(401, "invalid_client")
        );
        assert_eq!(harness.user_info(&by_secret.access).await.status, 200);
    }
    assert_done(
        &revoke(
            &harness,
            &Fields::new(&[("token", &by_verifier.access), ("client_id", &client.id)]),
        )
        .await,
    );
    assert_eq!(harness.user_info(&by_verifier.access).await.status, 401);
    assert_done(&revoke(&harness, &revoke_fields(&client, &by_secret.access)).await);
    assert_eq!(harness.user_info(&by_secret.access).await.status, 401);
}

// Proves: threats 33
/// Fails if only refresh tokens are recognised.
#[tokio::test]
async fn a_wrong_hint_still_works() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    for hint in ["access_token", "refresh_token", "nonsense"] {
        let grants = [
            harness.tokens_for(&client, SCOPES).await,
            harness.tokens_for(&client, SCOPES).await,
        ];
        for (tokens, token) in [
            (&grants[0], &grants[0].refresh),
            (&grants[1], &grants[1].access),
        ] {
            assert_done(
                &revoke(
                    &harness,
                    &revoke_fields(&client, token).with("token_type_hint", hint),
                )
                .await,
            );
            assert_eq!(
                harness.user_info(&tokens.access).await.status,
                401,
                "{hint}"
            );
        }
    }
}

// Proves: spec 3.15
#[tokio::test]
async fn a_refresh_token_that_has_been_replaced_ends_its_grant_too() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let first = harness.tokens(&client).await;
    let second = harness.refresh(&client, &first.refresh).await.tokens();
    assert_done(&revoke(&harness, &revoke_fields(&client, &first.refresh)).await);
    assert_eq!(harness.user_info(&second.access).await.status, 401);
}

// Proves: threats 33
/// Fails if the client's id is enough.
#[tokio::test]
async fn a_client_that_does_not_prove_itself_revokes_nothing_and_learns_nothing() {
    let harness = Harness::new().await;
    let (client, public) = (
        harness.client(ClientPolicy::Secret).await,
        harness.client(ClientPolicy::Public).await,
    );
    let tokens = harness.tokens_for(&client, SCOPES).await;
    let fields = revoke_fields(&client, &tokens.refresh);
    let refused = revoke(&harness, &fields.with("client_secret", &public.secrets[0])).await;
    assert_eq!(refused.error(), error(401, "invalid_client"));
    for fields in [
        fields.with("client_secret", ""),
        fields.with("client_id", &public.id),
        fields.with("client_id", "11111111-1111-4111-8111-111111111111"),
        fields.with("client_secret", "wrong").with("token", "x"),
        fields.with("client_secret", "wrong").with("token", ""),
    ] {
        assert_eq!(revoke(&harness, &fields).await, refused, "{fields:?}");
    }
    assert_eq!(harness.user_info(&tokens.access).await.status, 200);
}

// Proves: spec 3.10
#[tokio::test]
async fn a_revocation_is_read_as_strictly_as_a_token_request() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let tokens = harness.tokens_for(&client, SCOPES).await;
    let fields = revoke_fields(&client, &tokens.refresh);
    let missing = revoke(&harness, &fields.with("token", "")).await;
    assert_eq!(missing.error(), error(400, "invalid_request"));
    let twice = Fields([fields.0.clone(), vec![("token".to_owned(), "x".to_owned())]].concat());
    assert_eq!(
        revoke(&harness, &twice).await.error(),
        error(400, "invalid_request")
    );
    let mut header = fields.to_request(REVOKE);
    header.headers_mut().insert(
        "authorization",
        basic(&client.id, &client.secrets[0]).parse().unwrap(),
    );
    assert_eq!(
        harness.send(header).await.error(),
        error(400, "invalid_request")
    );
    let mut in_query = fields.to_request(REVOKE);
    *in_query.uri_mut() = "/v1/oauth/revoke?token=x".parse().unwrap();
    assert_eq!(
        harness.send(in_query).await.error(),
        error(400, "invalid_request")
    );
    assert_eq!(harness.get(REVOKE).await.header("allow"), "POST, OPTIONS");

    let mut json = fields.as_json();
    *json.uri_mut() = REVOKE.parse().unwrap();
    assert_done(&harness.send(json).await);
    assert_eq!(harness.user_info(&tokens.access).await.status, 401);
}
