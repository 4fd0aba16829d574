use std::time::Duration;

use lyceum::domain::{ClientPolicy, Role};

use super::world::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const WINDOW: Duration = Duration::from_secs(30);

#[tokio::test]
async fn decision_3_15_a_refresh_token_becomes_another_one_and_a_new_access_token() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let first = world.tokens(&client).await;
    world.clock.advance(DAY);
    let answer = world.refresh(&client, &first.refresh).await;
    let second = answer.tokens();
    assert_eq!((answer.header("cache-control"), answer.header("pragma")), ("no-store", "no-cache"));
    assert_eq!((&answer.json()["expires_in"], &answer.json()["token_type"]), (&3600.into(), &"Bearer".into()));
    assert_eq!(second.scope, SCOPES);
    assert_ne!((&second.refresh, &second.access), (&first.refresh, &first.access));
    assert_eq!(world.claims(&second.access).await["iat"], START.plus(DAY).seconds());
    assert!(world.is_live(&second.access).await);
}

#[tokio::test]
async fn decision_3_15_a_client_that_never_got_its_answer_gets_the_same_successor() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let first = world.tokens(&client).await;
    let lost = world.refresh(&client, &first.refresh).await.tokens();
    world.clock.advance(WINDOW);
    let again = world.refresh(&client, &first.refresh).await.tokens();
    assert_eq!(again.refresh, lost.refresh);
    assert!(world.is_live(&again.access).await);
    assert_eq!(world.refresh(&client, &again.refresh).await.status, 200);
}

#[tokio::test]
async fn decision_3_15_whatever_is_older_revokes_the_grant() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let too_late = world.tokens(&client).await;
    let last = world.refresh(&client, &too_late.refresh).await.tokens();
    world.clock.advance(WINDOW + Duration::from_secs(1));
    assert_eq!(world.refresh(&client, &too_late.refresh).await.error(), error(400, "invalid_grant"));
    assert!(!world.is_live(&last.access).await);
    assert_eq!(world.refresh(&client, &last.refresh).await.error(), error(400, "invalid_grant"));

    let two_back = world.tokens(&client).await;
    let one_back = world.refresh(&client, &two_back.refresh).await.tokens();
    let last = world.refresh(&client, &one_back.refresh).await.tokens();
    assert_eq!(world.refresh(&client, &two_back.refresh).await.error(), error(400, "invalid_grant"));
    assert!(!world.is_live(&last.access).await);
}

#[tokio::test]
async fn decision_3_15_a_grant_ends_when_it_is_idle_and_when_it_is_old() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let idle = world.tokens(&client).await;
    let mut used = world.tokens(&client).await;
    for _ in 0..6 {
        world.clock.advance(30 * DAY - Duration::from_secs(1));
        used = world.refresh(&client, &used.refresh).await.tokens();
    }
    assert_eq!(world.refresh(&client, &idle.refresh).await.error(), error(400, "invalid_grant"));
    world.clock.advance(Duration::from_secs(6));
    assert_eq!(world.refresh(&client, &used.refresh).await.error(), error(400, "invalid_grant"));
}

#[tokio::test]
async fn decision_3_15_one_authorization_is_one_grant() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let (phone, laptop) = (world.tokens(&client).await, world.tokens(&client).await);
    let stolen = world.refresh(&client, &phone.refresh).await.tokens();
    world.clock.advance(DAY);
    assert_eq!(world.refresh(&client, &phone.refresh).await.status, 400);
    assert_eq!(world.refresh(&client, &stolen.refresh).await.status, 400);
    assert_eq!(world.refresh(&client, &laptop.refresh).await.status, 200);
}

#[tokio::test]
async fn decision_3_22_refresh_tokens_that_do_not_work_are_refused_in_the_same_words_and_use_nothing_up() {
    let world = World::new().await;
    let (client, other) = (world.client(ClientPolicy::Public).await, world.client(ClientPolicy::Public).await);
    let (mine, theirs) = (world.tokens(&client).await, world.tokens(&other).await);
    let refused = world.refresh(&client, "x").await;
    assert_eq!(refused.error(), error(400, "invalid_grant"));
    let changed = format!("{}A{}", &mine.refresh[..40], &mine.refresh[41..]);
    for token in [&theirs.refresh, &mine.access, &changed, &"A".repeat(71), &format!("{} ", mine.refresh), &mine.refresh.to_lowercase()] {
        assert_eq!(world.refresh(&client, token).await, refused, "{token}");
    }
    for (client, tokens) in [(&client, &mine), (&other, &theirs)] {
        assert_eq!(world.refresh(client, &tokens.refresh).await.status, 200);
    }
    let missing = world.refresh(&client, "").await;
    assert_eq!(missing.error(), error(400, "invalid_request"));
    assert!(missing.body.contains("refresh_token"));
}

#[tokio::test]
async fn s20_a_scope_may_narrow_one_token_and_the_grant_keeps_its_own() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let first = world.tokens(&client).await;
    let narrowed = world.post(&refresh_fields(&client, &first.refresh).with("scope", "service:self_read")).await.tokens();
    assert_eq!(narrowed.scope, "service:self_read");
    assert_eq!(world.claims(&narrowed.access).await["scopes"], serde_json::json!(["service:self_read"]));
    let whole = world.refresh(&client, &narrowed.refresh).await.tokens();
    assert_eq!(whole.scope, SCOPES);
}

/// Fails if whatever is asked for is granted, or the token is rotated first.
#[tokio::test]
async fn s20_a_scope_never_widens_and_a_refused_one_does_not_use_the_token_up() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let code = world.code_for(&client, Some(s256()), "service:self_read").await;
    let first = world.post(&world.exchange_fields(&client).await.with("code", &code)).await.tokens();
    assert_eq!(first.scope, "service:self_read");
    let fields = refresh_fields(&client, &first.refresh);
    for scope in ["service:manage", SCOPES, "service:self_read service:other", "nonsense", "service:self_read ", " ", "service:", ":x"] {
        assert_eq!(world.post(&fields.with("scope", scope)).await.error(), error(400, "invalid_scope"), "{scope:?}");
    }
    // Long after the retry window the token is still the current one.
    world.clock.advance(DAY);
    assert_eq!(world.post(&fields).await.tokens().scope, "service:self_read");
}

#[tokio::test]
async fn decision_3_15_a_refresh_says_who_the_user_is_now() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let first = world.tokens(&client).await;
    world.users.change("haneul@school.example", Role::Admin);
    let second = world.refresh(&client, &first.refresh).await.tokens();
    let claims = world.claims(&second.access).await;
    assert_eq!((&claims["sub"], &claims["role"]), (&"haneul@school.example".into(), &"ADMIN".into()));
}

#[tokio::test]
async fn decision_3_15_a_user_who_has_left_stops_refreshing() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    world.users.leave();
    assert_eq!(world.refresh(&client, &tokens.refresh).await.error(), error(400, "invalid_grant"));
    assert!(!world.is_live(&tokens.access).await);
}

#[tokio::test]
async fn a_refresh_while_the_users_are_out_of_reach_uses_nothing_up() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    world.users.set_reachable(false);
    let answer = world.refresh(&client, &tokens.refresh).await;
    assert_eq!(answer.error(), error(503, "temporarily_unavailable"));
    assert!(answer.has_cause && !answer.body.contains("planted") && !answer.header("retry-after").is_empty());
    world.users.set_reachable(true);
    world.clock.advance(DAY);
    assert_eq!(world.refresh(&client, &tokens.refresh).await.status, 200);
}
