use lyceum::domain::ClientPolicy;

use crate::token::world::*;

const REVOKE: &str = "/v1/oauth/revoke";

pub fn revoke_fields(client: &TestClient, token: &str) -> Fields {
    Fields::new(&[("token", token), ("client_id", &client.id)]).with("client_secret", &client.secret())
}

async fn revoke(world: &World, fields: &Fields) -> Answer {
    world.send(fields.to(REVOKE)).await
}

fn assert_done(answer: &Answer) {
    let facts = (answer.status.as_u16(), &*answer.body, answer.header("cache-control"));
    assert_eq!(facts, (200, "", "no-store"), "{answer:?}");
}

#[tokio::test]
async fn decision_3_18_either_token_ends_its_whole_grant_and_no_other() {
    let world = World::new().await;
    for policy in ClientPolicy::ALL {
        let client = world.client(*policy).await;
        for is_refresh_token in [true, false] {
            let (tokens, other) = (world.tokens_for(&client, SCOPES).await, world.tokens_for(&client, SCOPES).await);
            let token = if is_refresh_token { &tokens.refresh } else { &tokens.access };
            assert_done(&revoke(&world, &revoke_fields(&client, token)).await);
            assert_eq!(world.user_info(&tokens.access).await.status, 401);
            let refresh = refresh_fields(&client, &tokens.refresh).with("client_secret", &client.secret());
            assert_eq!(world.post(&refresh).await.error(), error(400, "invalid_grant"));
            assert_eq!(world.user_info(&other.access).await.status, 200, "{policy}");
        }
    }
}

/// Fails if the client of an access or refresh token is not compared, or what is no token gets an error.
#[tokio::test]
async fn s33_only_the_own_tokens_are_revoked_and_every_answer_is_the_same() {
    let world = World::new().await;
    let (client, other) = (world.client(ClientPolicy::Secret).await, world.client(ClientPolicy::Secret).await);
    let theirs = world.tokens_for(&other, SCOPES).await;
    let mine = world.tokens_for(&client, SCOPES).await;
    let dead = world.tokens_for(&client, SCOPES).await;
    let good = revoke(&world, &revoke_fields(&client, &dead.refresh)).await;
    assert_done(&good);
    let changed = format!("{}A{}", &mine.refresh[..40], &mine.refresh[41..]);
    let forged = format!("{}AAAA", mine.access);
    for token in [&*theirs.refresh, &theirs.access, &dead.refresh, &dead.access, &changed, &forged, "x", "a.b.c", &"A".repeat(3000)] {
        assert_eq!(revoke(&world, &revoke_fields(&client, token)).await, good, "{token}");
    }
    for tokens in [&theirs, &mine] {
        assert_eq!(world.user_info(&tokens.access).await.status, 200);
    }
}

/// Whoever serves the client's users has seen their access tokens. Fails if holding one is enough.
#[tokio::test]
async fn s33_a_grant_that_was_made_by_a_secret_is_ended_only_by_a_secret() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::SecretOrPkce).await;
    let (by_secret, by_verifier) = (world.tokens_for(&client, SCOPES).await, world.tokens(&client).await);
    for token in [&by_secret.access, &by_secret.refresh] {
        let bare = Fields::new(&[("token", token), ("client_id", &client.id)]);
        assert_eq!(revoke(&world, &bare).await.error(), error(401, "invalid_client"));
        assert_eq!(world.user_info(&by_secret.access).await.status, 200);
    }
    assert_done(&revoke(&world, &Fields::new(&[("token", &by_verifier.access), ("client_id", &client.id)])).await);
    assert_eq!(world.user_info(&by_verifier.access).await.status, 401);
    assert_done(&revoke(&world, &revoke_fields(&client, &by_secret.access)).await);
    assert_eq!(world.user_info(&by_secret.access).await.status, 401);
}

/// Fails if only refresh tokens are recognised.
#[tokio::test]
async fn s33_a_wrong_hint_still_works() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    for hint in ["access_token", "refresh_token", "nonsense"] {
        let grants = [world.tokens_for(&client, SCOPES).await, world.tokens_for(&client, SCOPES).await];
        for (tokens, token) in [(&grants[0], &grants[0].refresh), (&grants[1], &grants[1].access)] {
            assert_done(&revoke(&world, &revoke_fields(&client, token).with("token_type_hint", hint)).await);
            assert_eq!(world.user_info(&tokens.access).await.status, 401, "{hint}");
        }
    }
}

#[tokio::test]
async fn decision_3_15_a_refresh_token_that_has_been_replaced_ends_its_grant_too() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let first = world.tokens(&client).await;
    let second = world.refresh(&client, &first.refresh).await.tokens();
    assert_done(&revoke(&world, &revoke_fields(&client, &first.refresh)).await);
    assert_eq!(world.user_info(&second.access).await.status, 401);
}

/// Fails if the client is only named.
#[tokio::test]
async fn s33_a_client_that_does_not_prove_itself_revokes_nothing_and_learns_nothing() {
    let world = World::new().await;
    let (client, public) = (world.client(ClientPolicy::Secret).await, world.client(ClientPolicy::Public).await);
    let tokens = world.tokens_for(&client, SCOPES).await;
    let fields = revoke_fields(&client, &tokens.refresh);
    let refused = revoke(&world, &fields.with("client_secret", &public.secrets[0])).await;
    assert_eq!(refused.error(), error(401, "invalid_client"));
    for fields in [
        fields.with("client_secret", ""),
        fields.with("client_id", &public.id),
        fields.with("client_id", "11111111-1111-4111-8111-111111111111"),
        fields.with("client_secret", "wrong").with("token", "x"),
        fields.with("client_secret", "wrong").with("token", ""),
    ] {
        assert_eq!(revoke(&world, &fields).await, refused, "{fields:?}");
    }
    assert_eq!(world.user_info(&tokens.access).await.status, 200);
}

#[tokio::test]
async fn decision_3_10_a_revocation_is_read_as_strictly_as_a_token_request() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    let tokens = world.tokens_for(&client, SCOPES).await;
    let fields = revoke_fields(&client, &tokens.refresh);
    let missing = revoke(&world, &fields.with("token", "")).await;
    assert_eq!(missing.error(), error(400, "invalid_request"));
    let twice = Fields([fields.0.clone(), vec![("token".to_owned(), "x".to_owned())]].concat());
    assert_eq!(revoke(&world, &twice).await.error(), error(400, "invalid_request"));
    let mut header = fields.to(REVOKE);
    header.headers_mut().insert("authorization", basic(&client.id, &client.secrets[0]).parse().unwrap());
    assert_eq!(world.send(header).await.error(), error(400, "invalid_request"));
    let mut in_query = fields.to(REVOKE);
    *in_query.uri_mut() = "/v1/oauth/revoke?token=x".parse().unwrap();
    assert_eq!(world.send(in_query).await.error(), error(400, "invalid_request"));
    assert_eq!(world.get(REVOKE).await.header("allow"), "POST, OPTIONS");

    let mut json = fields.as_json();
    *json.uri_mut() = REVOKE.parse().unwrap();
    assert_done(&world.send(json).await);
    assert_eq!(world.user_info(&tokens.access).await.status, 401);
}
