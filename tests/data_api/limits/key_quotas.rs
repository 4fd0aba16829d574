//! The quota of each key.

use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::{ApiKey, ApiKeyRenewal, ApiKeySecret, ApiScopes};
use lyceum::store::{ApiKeyStore, Creation, Renewal};

use super::{SCHOOL, builder, from, quota, status, told};
use crate::client::{get, request, send};
use crate::school_fixtures::{self, CLUB_KEY, FULL_KEY, NOW, UNKNOWN_KEY};

// Proves: spec 2.13
#[tokio::test]
async fn a_key_may_make_100_requests_at_once_and_then_one_in_600_milliseconds() {
    let (builder, clock) = builder().await;
    let api = builder.build().unwrap();
    for left in (0..100).rev() {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!(
            (
                answer.status.as_u16(),
                answer.header("x-ratelimit-remaining")
            ),
            (200, left.to_string().as_str())
        );
    }
    let denied = get(&api, "/v1/clubs").await;
    assert_eq!(
        (denied.status.as_u16(), denied.reason().0.as_str()),
        (429, "rate_limited")
    );
    assert_eq!(denied.json()["status"], "TOO_MANY_REQUESTS");
    assert_eq!(
        denied.header("retry-after"),
        "1",
        "600 milliseconds, rounded up"
    );
    assert_eq!(
        told(&denied),
        [
            "100",
            "0",
            r#""default";q=100;w=60"#,
            r#""default";r=0;t=1"#
        ]
    );
    assert_eq!(denied.header("cache-control"), "private, no-cache");
    clock.advance(Duration::from_secs(1));
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
    clock.advance(Duration::from_secs(60));
    assert_eq!(
        get(&api, "/v1/clubs").await.header("x-ratelimit-remaining"),
        "99",
        "the whole quota is available again"
    );
}

// Proves: spec 2.13
#[tokio::test]
async fn every_answer_after_the_key_tells_of_the_limit() {
    let (builder, _) = builder().await;
    let api = builder.build().unwrap();
    let first = get(&api, "/v1/clubs").await;
    assert_eq!(
        told(&first),
        [
            "100",
            "99",
            r#""default";q=100;w=60"#,
            r#""default";r=99;t=1"#
        ]
    );
    let mut again = request("GET", "/v1/clubs", Some(FULL_KEY));
    again
        .headers_mut()
        .insert("if-none-match", first.headers["etag"].clone());
    let mut conditional = request("GET", "/v1/clubs", Some(FULL_KEY));
    conditional
        .headers_mut()
        .insert("if-match", "\"other\"".parse().unwrap());
    for (number, (request, status)) in [
        (again, 304),
        (request("GET", "/v1/clubs?x=1", Some(FULL_KEY)), 400),
        (conditional, 412),
        (request("HEAD", "/v1/clubs", Some(FULL_KEY)), 200),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = send(&api, request).await;
        assert_eq!(
            (
                answer.status.as_u16(),
                answer.header("x-ratelimit-remaining")
            ),
            (status, (98 - number).to_string().as_str())
        );
    }
    let forbidden = send(&api, request("GET", "/v1/students", Some(CLUB_KEY))).await;
    assert_eq!(
        (
            forbidden.status.as_u16(),
            forbidden.header("x-ratelimit-remaining")
        ),
        (403, "99")
    );
    for untold in [
        request("GET", "/v1/health", None),
        request("GET", "/v1/clubs", None),
        request("GET", "/v1/clubs", Some(UNKNOWN_KEY)),
    ] {
        assert_eq!(told(&send(&api, untold).await), [""; 4]);
    }
}

// Proves: spec 2.13
#[tokio::test]
async fn the_reset_time_is_until_the_quota_is_full_or_until_one_request_fits() {
    let (builder, clock) = builder().await;
    let api = builder.rate_limit(quota(4, 40, 3)).build().unwrap();
    let mut states = Vec::new();
    for _ in 0..4 {
        let answer = get(&api, "/v1/clubs").await;
        states.push((
            answer.header("ratelimit").to_owned(),
            answer.header("retry-after").to_owned(),
        ));
        assert_eq!(answer.header("ratelimit-policy"), r#""default";q=4;w=40"#);
    }
    let state = |state: &str, retry: &str| (format!("\"default\";{state}"), retry.to_owned());
    assert_eq!(
        states,
        [
            state("r=2;t=10", ""),
            state("r=1;t=20", ""),
            state("r=0;t=10", ""),
            state("r=0;t=10", "10")
        ]
    );
    let api_of_fractions = school_fixtures::builder()
        .await
        .rate_limit(quota(4, 10, 1))
        .build()
        .unwrap();
    assert_eq!(
        get(&api_of_fractions, "/v1/clubs")
            .await
            .header("ratelimit"),
        r#""default";r=0;t=3"#
    );
    assert_eq!(
        get(&api_of_fractions, "/v1/clubs")
            .await
            .header("retry-after"),
        "3",
        "two and a half seconds, rounded up"
    );
    clock.advance(Duration::from_secs(10));
    assert_eq!(
        get(&api, "/v1/clubs").await.status,
        200,
        "a client that waits for `Retry-After` is allowed"
    );
}

// Proves: spec 2.13
#[tokio::test]
async fn a_denied_request_costs_nothing() {
    let (builder, clock) = builder().await;
    let api = builder.rate_limit(quota(1, 10, 1)).build().unwrap();
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
    for second in 0..10_u64 {
        assert_eq!(
            get(&api, "/v1/clubs").await.header("retry-after"),
            (10 - second).to_string()
        );
        clock.advance(Duration::from_secs(1));
    }
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
}

// Proves: spec 2.3
#[tokio::test]
async fn the_limit_comes_after_the_key_and_before_the_scope() {
    let (builder, _) = builder().await;
    let api = builder.rate_limit(quota(1, 60, 1)).build().unwrap();
    assert_eq!(
        send(&api, request("GET", "/v1/students?x=%", Some(CLUB_KEY)))
            .await
            .status,
        403
    );
    for (method, path, key, status) in [
        ("GET", "/v1/students?x=%", CLUB_KEY, 429),
        ("GET", "/v1/students?x=%", UNKNOWN_KEY, 401),
        ("POST", "/v1/students", CLUB_KEY, 405),
        ("GET", "/v1/nothing", CLUB_KEY, 404),
    ] {
        assert_eq!(
            send(&api, request(method, path, Some(key))).await.status,
            status,
            "{method} {path}"
        );
    }
}

// Proves: spec 2.13
#[tokio::test]
async fn services_that_share_a_limiter_share_its_counts() {
    let store = school_fixtures::store().await;
    let node = async || {
        let builder = school_fixtures::builder_with_store(store.clone())
            .await
            .clock(Arc::new(school_fixtures::FixedClock));
        builder
            .rate_limiter(store.clone())
            .rate_limit(quota(2, 60, 2))
            .build()
            .unwrap()
    };
    let (one, other) = (node().await, node().await);
    assert_eq!(get(&one, "/v1/clubs").await.status, 200);
    assert_eq!(
        get(&other, "/v1/clubs")
            .await
            .header("x-ratelimit-remaining"),
        "0"
    );
    assert_eq!(get(&one, "/v1/clubs").await.status, 429);
}

#[tokio::test]
async fn a_host_with_its_own_limiter_turns_the_limit_off() {
    let (builder, _) = builder().await;
    let api = builder
        .rate_limit(quota(1, 60, 1))
        .without_rate_limit()
        .build()
        .unwrap();
    for _ in 0..3 {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!((answer.status.as_u16(), told(&answer)), (200, [""; 4]));
    }
}

// Proves: threats 40
#[tokio::test]
async fn the_limit_follows_the_key_and_no_header_address_or_spelling() {
    let store = school_fixtures::store().await;
    assert_eq!(
        store
            .create_api_key(school_fixtures::key(0xAB, ApiScopes::built_in()))
            .await
            .unwrap(),
        Creation::Created
    );
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .rate_limit(quota(3, 60, 3))
        .build()
        .unwrap();
    let lower = "abababab-abab-4bab-abab-abababababab";
    let mut statuses = Vec::new();
    for (number, key) in [
        lower,
        &lower.to_uppercase(),
        lower,
        &lower.to_uppercase(),
        lower,
    ]
    .into_iter()
    .enumerate()
    {
        let mut request = from(&format!("198.51.100.{number}"), key);
        for header in ["x-forwarded-for", "x-real-ip", "x-client-ip"] {
            request
                .headers_mut()
                .insert(header, format!("203.0.113.{number}").parse().unwrap());
        }
        request.headers_mut().insert(
            "forwarded",
            format!("for=203.0.113.{number}").parse().unwrap(),
        );
        statuses.push(send(&api, request).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 429, 429]);
    assert_eq!(
        status(&api, SCHOOL, CLUB_KEY).await,
        200,
        "another key has its own quota"
    );
}

// Proves: spec 2.13
/// Fails if a renewal gives the key a second quota.
#[tokio::test]
async fn both_values_of_a_renewed_key_share_one_limit() {
    let (store, new) = (
        school_fixtures::store().await,
        ApiKeySecret::from_random([0xCD; 16]),
    );
    let api = school_fixtures::builder_with_store(store.clone())
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .rate_limit(quota(2, 60, 2))
        .build()
        .unwrap();
    assert_eq!(status(&api, SCHOOL, FULL_KEY).await, 200);
    let key = store
        .api_key(&ApiKeySecret::parse(FULL_KEY).unwrap().digest())
        .await
        .unwrap()
        .unwrap();
    let renewal = ApiKeyRenewal {
        digest: new.digest(),
        hint: new.hint(),
        overlap: ApiKey::DEFAULT_OVERLAP,
    };
    assert!(matches!(
        store.renew_api_key(key.id, renewal, NOW).await.unwrap(),
        Renewal::Renewed(_)
    ));
    assert_eq!(status(&api, SCHOOL, new.expose()).await, 200);
    for value in [FULL_KEY, new.expose()] {
        assert_eq!(status(&api, SCHOOL, value).await, 429);
    }
}

// Proves: spec 2.13
/// Fails if all keys have the host's quota.
#[tokio::test]
async fn a_key_may_have_a_limit_of_its_own() {
    let store = school_fixtures::store().await;
    for (number, own) in [(0x71, Some(quota(3, 60, 2))), (0x72, None)] {
        let key = ApiKey {
            quota: own,
            ..school_fixtures::key(number, ApiScopes::built_in())
        };
        assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    }
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .rate_limit(quota(1, 60, 1))
        .build()
        .unwrap();
    for (number, policy, statuses) in [
        (0x71, r#""default";q=3;w=60"#, [200, 200, 429]),
        (0x72, r#""default";q=1;w=60"#, [200, 429, 429]),
    ] {
        let key = ApiKeySecret::from_random([number; 16]);
        for status in statuses {
            let answer = send(&api, request("GET", "/v1/clubs", Some(key.expose()))).await;
            assert_eq!(
                (answer.status.as_u16(), answer.header("ratelimit-policy")),
                (status, policy)
            );
        }
    }
}
