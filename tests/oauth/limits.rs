use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::header::RETRY_AFTER;
use http::{Request, StatusCode};
use lyceum::domain::{Password, Quota, Subject, SubjectId};
use lyceum::http::auth_server::{Accounts, AuthServerBuilder, Authenticator, SignInLimits, SignInVerdict};
use lyceum::http::{Body, ClientAddress, TrustedProxies};
use lyceum::store::StorageError;
use lyceum::store::memory::MemoryStore;
use tower::{Layer, ServiceExt};

use crate::harness::*;

/// A host's own users, all of whom answer the same.
#[derive(Debug)]
struct Always(fn() -> Result<SignInVerdict, StorageError>);

#[async_trait]
impl Authenticator for Always {
    async fn authenticate(&self, _: &str, _: &Password, _: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        (self.0)()
    }

    async fn subject(&self, _: &SubjectId) -> Result<Option<Subject>, StorageError> {
        Ok(None)
    }
}

async fn world_of(answer: fn() -> Result<SignInVerdict, StorageError>) -> World {
    World::with(|builder| builder.authenticator(Arc::new(Always(answer)))).await
}

#[tokio::test]
async fn decision_3_6_failures_are_limited_per_account_and_the_owner_gets_in_again() {
    let world = World::new().await;
    let mut browser = world.browser_at_login().await;
    for _ in 0..10 {
        assert_eq!(browser.sign_in(EMAIL, "wrong").await.status, StatusCode::UNAUTHORIZED);
    }
    let before = world.accounts.password_checks();
    let blocked = browser.sign_in(&EMAIL.to_uppercase(), PASSWORD).await;
    assert_eq!((blocked.status, blocked.header(RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "90"));
    assert_eq!(world.accounts.password_checks(), before, "a blocked attempt costs no work");
    assert!(blocked.is_page());
    assert_eq!(browser.sign_in("lee@school.example", "wrong").await.status, StatusCode::UNAUTHORIZED, "others are not blocked");
    world.clock.advance(Duration::from_secs(90));
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn decision_3_6_unknown_accounts_are_limited_in_the_same_way() {
    let world = World::new().await;
    let mut browser = world.browser_at_login().await;
    for _ in 0..10 {
        assert_eq!(browser.sign_in("nobody@school.example", "wrong").await.status, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(browser.sign_in("nobody@school.example", "wrong").await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn decision_3_6_failures_are_limited_per_address() {
    let world = World::new().await;
    let mut browser = world.browser_at_login().await;
    browser.address = Some("192.0.2.1".parse().unwrap());
    for number in 0..50 {
        let email = format!("pupil{number}@school.example");
        assert_eq!(browser.sign_in(&email, "wrong").await.status, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS);
    browser.address = Some("192.0.2.2".parse().unwrap());
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn s40_the_owner_gets_in_from_a_known_network_at_every_try_while_strangers_try_for_days() {
    let world = World::new().await;
    let home = "2001:db8::7";
    assert_eq!(sign_in_from(&world, home, PASSWORD).await, StatusCode::SEE_OTHER);
    for round in 0..12 {
        // From a hundred networks, five attempts in each.
        let mut tried = 0;
        while sign_in_from(&world, &format!("198.51.{round}.{}", tried / 5), "wrong").await == StatusCode::UNAUTHORIZED {
            tried += 1;
        }
        assert_eq!(tried, 100, "the account's limit holds elsewhere");
        // At home, with another address of its network.
        assert_eq!(sign_in_from(&world, &format!("2001:db8::{round}"), PASSWORD).await, StatusCode::SEE_OTHER, "round {round}");
        assert_eq!(sign_in_from(&world, "203.0.113.1", PASSWORD).await, StatusCode::TOO_MANY_REQUESTS, "a network that is new");
        world.clock.advance(Duration::from_secs(6 * 60 * 60));
    }
    // Once they rest, the owner makes another network known, and a stranger there has no more attempts than anywhere.
    assert_eq!(sign_in_from(&world, "203.0.113.1", PASSWORD).await, StatusCode::SEE_OTHER);
    for _ in 0..10 {
        assert_eq!(sign_in_from(&world, "203.0.113.1", "wrong").await, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(sign_in_from(&world, "203.0.113.1", "wrong").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(sign_in_from(&world, home, PASSWORD).await, StatusCode::SEE_OTHER);
}

/// What a new browser at this address is told.
async fn sign_in_from(world: &World, address: &str, password: &str) -> StatusCode {
    let mut browser = world.browser();
    browser.address = Some(address.parse().unwrap());
    browser.get(&world.authorize(&[("prompt", "consent")])).await;
    browser.sign_in(EMAIL, password).await.status
}

#[tokio::test]
async fn signing_in_rightly_costs_nothing() {
    let world = World::with(|builder| {
        let once = Quota::new(1, Duration::from_secs(3600), 1).unwrap();
        builder.sign_in_limits(SignInLimits { per_account_and_address: once, per_account: once, per_address: once })
    })
    .await;
    for _ in 0..5 {
        let mut browser = world.browser_at_login().await;
        browser.address = Some("192.0.2.1".parse().unwrap());
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.status, StatusCode::SEE_OTHER);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_guesses_at_once_do_not_slip_through_together() {
    let world = World::new().await;
    let mut browser = world.browser_at_login().await;
    let token = browser.form_token("/v1/oauth/login").await;
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..30 {
        let mut twin = world.browser();
        (twin.cookies, twin.address) = (browser.cookies.clone(), browser.address);
        let token = token.clone();
        let guess = move || async move {
            twin.post("/v1/oauth/login", &[("form_token", &token), ("email", EMAIL), ("password", &format!("guess {number}"))]).await.status
        };
        guesses.spawn(guess());
    }
    let statuses = guesses.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == StatusCode::TOO_MANY_REQUESTS).count(), 20, "{statuses:?}");
}

/// Fails if a full queue looks like a wrong password, or is counted as one.
#[tokio::test]
async fn s34_a_full_queue_is_a_503_with_retry_after_and_does_not_count_as_a_failure() {
    let world = world_of(|| Ok(SignInVerdict::Busy)).await;
    let mut browser = world.browser_at_login().await;
    for _ in 0..12 {
        let answer = browser.sign_in(EMAIL, PASSWORD).await;
        assert_eq!((answer.status, answer.header(RETRY_AFTER)), (StatusCode::SERVICE_UNAVAILABLE, "2"));
        assert!(answer.is_page());
    }
}

/// Fails if the queue has no end.
#[tokio::test]
async fn s34_the_built_in_accounts_are_busy_when_their_queue_is_full() {
    // One thread, and nobody may wait: of attempts that are all made before the first one is done, few can be taken on.
    let accounts = Accounts::builder(Arc::new(MemoryStore::new())).hashing_threads(1, 1).build().unwrap();
    let accounts = Arc::new(accounts);
    let mut attempts = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let accounts = Arc::clone(&accounts);
        attempts.spawn(async move { accounts.authenticate(EMAIL, &Password::new(PASSWORD).unwrap(), None).await.unwrap() });
    }
    let verdicts = attempts.join_all().await;
    let busy = verdicts.iter().filter(|verdict| **verdict == SignInVerdict::Busy).count();
    let refused = verdicts.iter().filter(|verdict| **verdict == SignInVerdict::Refused).count();
    assert!(busy > 0 && refused > 0 && busy + refused == 50, "{busy} busy, {refused} refused");
    assert_eq!(accounts.password_checks(), refused as u64);
}

#[tokio::test]
async fn a_hosts_own_limit_is_passed_on() {
    let world = world_of(|| Ok(SignInVerdict::TooManyAttempts { retry_after: Duration::from_millis(1500) })).await;
    let answer = world.browser_at_login().await.sign_in(EMAIL, PASSWORD).await;
    assert_eq!((answer.status, answer.header(RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "2"));
}

#[tokio::test]
async fn a_broken_backend_is_a_500_and_an_absent_one_a_503_and_neither_says_why() {
    let broken = world_of(|| Err(StorageError::failed("the users table is damaged", "row 7 of db-17.internal"))).await;
    let absent = world_of(|| Err(StorageError::unavailable("the users cannot be reached", "db-17.internal refused"))).await;
    for (world, status, retry_after) in [(&broken, StatusCode::INTERNAL_SERVER_ERROR, ""), (&absent, StatusCode::SERVICE_UNAVAILABLE, "5")]
    {
        let answer = world.browser_at_login().await.sign_in(EMAIL, PASSWORD).await;
        assert_eq!((answer.status, answer.header(RETRY_AFTER)), (status, retry_after));
        assert!(answer.is_page() && answer.has_cause);
        for secret in ["users", "db-17", "damaged", "refused"] {
            assert!(!answer.body.contains(secret), "{}", answer.body);
        }
    }
}

/// Fails if panics are not caught.
#[tokio::test]
async fn s41_a_panicking_handler_answers_500_as_a_page_and_the_server_lives() {
    let world = world_of(|| panic!("planted")).await;
    let mut browser = world.browser_at_login().await;
    let answer = browser.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(answer.is_page() && answer.has_cause && !answer.body.contains("planted"));
    crate::pages::assert_safe(&answer);
    assert_eq!(browser.get("/v1/oauth/login").await.status, StatusCode::OK);
}

#[tokio::test]
async fn decision_3_22_programs_are_told_of_failures_in_json() {
    type Case = (fn() -> Result<SignInVerdict, StorageError>, StatusCode, &'static str, &'static str);
    let wait = || Ok(SignInVerdict::TooManyAttempts { retry_after: Duration::from_secs(7) });
    let cases: [Case; 5] = [
        (|| Ok(SignInVerdict::Busy), StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "2"),
        (wait, StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "7"),
        (|| Err(StorageError::corrupt("planted")), StatusCode::INTERNAL_SERVER_ERROR, "server_error", ""),
        (|| Err(StorageError::unavailable("planted", "planted")), StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "5"),
        (|| panic!("planted"), StatusCode::INTERNAL_SERVER_ERROR, "server_error", ""),
    ];
    for (answer, status, error, retry_after) in cases {
        let settings =
            |builder: AuthServerBuilder| builder.authenticator(Arc::new(Always(answer))).external_login("https://login.school.example/");
        let world = World::with(settings).await;
        let token = get(&world.server, &world.authorize(&[])).await.sent_back("token").unwrap();
        let body = serde_json::json!({"email": EMAIL, "password": PASSWORD, "token": token}).to_string();
        let answer = post_json(&world.server, "/v1/oauth/authorize", body).await;
        assert_eq!((answer.status, answer.header(RETRY_AFTER)), (status, retry_after));
        assert_eq!(answer.json()["error"], error);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.json()["error_description"].is_string() && !answer.body.contains("planted"));
    }
}

/// The answer to one sign-in too many from one address.
pub async fn the_1001st_authorization_of_an_address() -> Answer {
    let world = World::new().await;
    let authorize = async |address| authorize_from(&world, address).await;
    for _ in 0..1000 {
        assert_eq!(authorize("192.0.2.1").await.status, StatusCode::SEE_OTHER);
    }
    assert_eq!(authorize("192.0.2.2").await.status, StatusCode::SEE_OTHER, "others are not blocked");
    authorize("192.0.2.1").await
}

async fn authorize_from(world: &World, address: &str) -> Answer {
    let mut request = Request::get(world.authorize(&[])).body(Body::empty()).unwrap();
    request.extensions_mut().insert(ClientAddress(address.parse().unwrap()));
    ask(&world.server, request).await
}

#[tokio::test]
async fn a_host_chooses_how_many_sign_ins_an_address_may_begin() {
    let world = World::with(|builder| builder.authorize_limit(Quota::new(2, Duration::from_secs(60), 3).unwrap())).await;
    for _ in 0..3 {
        assert_eq!(authorize_from(&world, "192.0.2.1").await.status, StatusCode::SEE_OTHER);
    }
    let refused = authorize_from(&world, "192.0.2.1").await;
    assert_eq!((refused.status, refused.header(RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "30"));
    assert_eq!(authorize_from(&world, "192.0.2.2").await.status, StatusCode::SEE_OTHER, "others are not blocked");
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(authorize_from(&world, "192.0.2.1").await.status, StatusCode::SEE_OTHER);
    let wide = World::with(|builder| builder.authorize_limit(Quota::new(2000, Duration::from_secs(60), 2000).unwrap())).await;
    for _ in 0..1500 {
        assert_eq!(authorize_from(&wide, "192.0.2.1").await.status, StatusCode::SEE_OTHER);
    }
}

#[tokio::test]
async fn s40_sign_ins_are_counted_for_the_client_that_a_trusted_proxy_names() {
    let world = World::with(|builder| builder.authorize_limit(Quota::new(1, Duration::from_secs(60), 1).unwrap())).await;
    let server = TrustedProxies::forwarded(&["10.0.0.1"]).unwrap().layer(world.server.clone());
    let authorize = async |peer: &str, forwarded: &str| {
        let mut request = Request::get(world.authorize(&[])).header("forwarded", forwarded).body(Body::empty()).unwrap();
        request.extensions_mut().insert(ClientAddress(peer.parse().unwrap()));
        server.clone().oneshot(request).await.unwrap().status()
    };
    assert_eq!(authorize("10.0.0.1", "for=198.51.100.1").await, StatusCode::SEE_OTHER);
    assert_eq!(authorize("10.0.0.1", "for=203.0.113.1, for=198.51.100.1").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(authorize("10.0.0.1", "for=198.51.100.2").await, StatusCode::SEE_OTHER);
    assert_eq!(authorize("192.0.2.1", "for=198.51.100.3").await, StatusCode::SEE_OTHER);
    assert_eq!(authorize("192.0.2.1", "for=198.51.100.4").await, StatusCode::TOO_MANY_REQUESTS, "nobody trusts that peer");
}

/// Fails if openings are not counted.
#[tokio::test]
async fn s42_one_address_cannot_fill_the_store_with_sessions() {
    let answer = the_1001st_authorization_of_an_address().await;
    assert_eq!((answer.status, answer.header(RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "1"));
}
