use std::time::Duration;

use lyceum::domain::{ClientPolicy, Role};

use super::harness::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const WINDOW: Duration = Duration::from_secs(30);

// Proves: spec 3.15
#[tokio::test]
async fn a_refresh_token_becomes_another_one_and_a_new_access_token() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let first = harness.tokens(&client).await;
    harness.clock.advance(DAY);
    let answer = harness.refresh(&client, &first.refresh).await;
    let second = answer.tokens();
    assert_eq!(
        (answer.header("cache-control"), answer.header("pragma")),
        ("no-store", "no-cache")
    );
    assert_eq!(
        (&answer.json()["expires_in"], &answer.json()["token_type"]),
        (&3600.into(), &"Bearer".into())
    );
    assert_eq!(second.scope, SCOPES);
    assert_ne!(
        (&second.refresh, &second.access),
        (&first.refresh, &first.access)
    );
    assert_eq!(
        harness.claims(&second.access).await["iat"],
        START.plus(DAY).seconds()
    );
    assert!(harness.is_live(&second.access).await);
}

// Proves: spec 3.15
#[tokio::test]
async fn a_client_that_never_got_its_answer_gets_the_same_successor() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let first = harness.tokens(&client).await;
    let lost = harness.refresh(&client, &first.refresh).await.tokens();
    harness.clock.advance(WINDOW);
    let again = harness.refresh(&client, &first.refresh).await.tokens();
    assert_eq!(again.refresh, lost.refresh);
    assert!(harness.is_live(&again.access).await);
    assert_eq!(harness.refresh(&client, &again.refresh).await.status, 200);
}

// Proves: spec 3.15
#[tokio::test]
async fn an_older_refresh_token_revokes_the_grant() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let too_late = harness.tokens(&client).await;
    let last = harness.refresh(&client, &too_late.refresh).await.tokens();
    harness.clock.advance(WINDOW + Duration::from_secs(1));
    assert_eq!(
        harness.refresh(&client, &too_late.refresh).await.error(),
        error(400, "invalid_grant")
    );
    assert!(!harness.is_live(&last.access).await);
    assert_eq!(
        harness.refresh(&client, &last.refresh).await.error(),
        error(400, "invalid_grant")
    );

    let two_back = harness.tokens(&client).await;
    let one_back = harness.refresh(&client, &two_back.refresh).await.tokens();
    let last = harness.refresh(&client, &one_back.refresh).await.tokens();
    assert_eq!(
        harness.refresh(&client, &two_back.refresh).await.error(),
        error(400, "invalid_grant")
    );
    assert!(!harness.is_live(&last.access).await);
}

// Proves: spec 3.15
#[tokio::test]
async fn a_grant_ends_when_it_is_idle_and_when_it_is_old() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let idle = harness.tokens(&client).await;
    let mut used = harness.tokens(&client).await;
    for _ in 0..6 {
        harness.clock.advance(30 * DAY - Duration::from_secs(1));
        used = harness.refresh(&client, &used.refresh).await.tokens();
    }
    assert_eq!(
        harness.refresh(&client, &idle.refresh).await.error(),
        error(400, "invalid_grant")
    );
    harness.clock.advance(Duration::from_secs(6));
    assert_eq!(
        harness.refresh(&client, &used.refresh).await.error(),
        error(400, "invalid_grant")
    );
}

// Proves: spec 3.15
#[tokio::test]
async fn one_authorization_is_one_grant() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let (phone, laptop) = (harness.tokens(&client).await, harness.tokens(&client).await);
    let stolen = harness.refresh(&client, &phone.refresh).await.tokens();
    harness.clock.advance(DAY);
    assert_eq!(harness.refresh(&client, &phone.refresh).await.status, 400);
    assert_eq!(harness.refresh(&client, &stolen.refresh).await.status, 400);
    assert_eq!(harness.refresh(&client, &laptop.refresh).await.status, 200);
}

// Proves: spec 3.22
#[tokio::test]
async fn refresh_tokens_that_do_not_work_are_refused_in_the_same_words_and_use_nothing_up() {
    let harness = Harness::new().await;
    let (client, other) = (
        harness.client(ClientPolicy::Public).await,
        harness.client(ClientPolicy::Public).await,
    );
    let (mine, theirs) = (harness.tokens(&client).await, harness.tokens(&other).await);
    let refused = harness.refresh(&client, "x").await;
    assert_eq!(refused.error(), error(400, "invalid_grant"));
    let changed = format!("{}A{}", &mine.refresh[..40], &mine.refresh[41..]);
    for token in [
        &theirs.refresh,
        &mine.access,
        &changed,
        &"A".repeat(71),
        &format!("{} ", mine.refresh),
        &mine.refresh.to_lowercase(),
    ] {
        assert_eq!(harness.refresh(&client, token).await, refused, "{token}");
    }
    for (client, tokens) in [(&client, &mine), (&other, &theirs)] {
        assert_eq!(harness.refresh(client, &tokens.refresh).await.status, 200);
    }
    let missing = harness.refresh(&client, "").await;
    assert_eq!(missing.error(), error(400, "invalid_request"));
    assert!(missing.body.contains("refresh_token"));
}

// Proves: threats 20
#[tokio::test]
async fn a_scope_may_narrow_one_token_and_the_grant_keeps_its_own() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let first = harness.tokens(&client).await;
    let narrowed = harness
        .post(&refresh_fields(&client, &first.refresh).with("scope", "service:self_read"))
        .await
        .tokens();
    assert_eq!(narrowed.scope, "service:self_read");
    assert_eq!(
        harness.claims(&narrowed.access).await["scopes"],
        serde_json::json!(["service:self_read"])
    );
    let whole = harness.refresh(&client, &narrowed.refresh).await.tokens();
    assert_eq!(whole.scope, SCOPES);
}

// Proves: threats 20
/// Fails if any requested scope is granted, or the token is rotated first.
#[tokio::test]
async fn a_scope_never_widens_and_a_refused_one_does_not_use_the_token_up() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let code = harness
        .code_for(&client, Some(s256()), "service:self_read")
        .await;
    let first = harness
        .post(&harness.exchange_fields(&client).await.with("code", &code))
        .await
        .tokens();
    assert_eq!(first.scope, "service:self_read");
    let fields = refresh_fields(&client, &first.refresh);
    for scope in [
        "service:manage",
        SCOPES,
        "service:self_read service:other",
        "nonsense",
        "service:self_read ",
        " ",
        "service:",
        ":x",
    ] {
        assert_eq!(
            harness.post(&fields.with("scope", scope)).await.error(),
            error(400, "invalid_scope"),
            "{scope:?}"
        );
    }
    // The token is still current long after the retry window.
    harness.clock.advance(DAY);
    assert_eq!(
        harness.post(&fields).await.tokens().scope,
        "service:self_read"
    );
}

// Proves: spec 3.15
#[tokio::test]
async fn a_refresh_says_who_the_user_is_now() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let first = harness.tokens(&client).await;
    harness
        .users
        .set_email_and_role("haneul@school.example", Role::Admin);
    let second = harness.refresh(&client, &first.refresh).await.tokens();
    let claims = harness.claims(&second.access).await;
    assert_eq!(
        (&claims["sub"], &claims["role"]),
        (&"haneul@school.example".into(), &"ADMIN".into())
    );
}

// Proves: spec 3.15
#[tokio::test]
async fn a_removed_users_grants_refresh_no_more() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    harness.users.remove_all();
    assert_eq!(
        harness.refresh(&client, &tokens.refresh).await.error(),
        error(400, "invalid_grant")
    );
    assert!(!harness.is_live(&tokens.access).await);
}

#[tokio::test]
async fn a_refresh_while_the_users_are_out_of_reach_uses_nothing_up() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    harness.users.set_reachable(false);
    let answer = harness.refresh(&client, &tokens.refresh).await;
    assert_eq!(answer.error(), error(503, "temporarily_unavailable"));
    assert!(
        answer.has_cause
            && !answer.body.contains("planted")
            && !answer.header("retry-after").is_empty()
    );
    harness.users.set_reachable(true);
    harness.clock.advance(DAY);
    assert_eq!(harness.refresh(&client, &tokens.refresh).await.status, 200);
}
