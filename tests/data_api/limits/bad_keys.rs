//! Limits on invalid keys per client network.

use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::{ApiKeySecret, ApiScopes};
use lyceum::http::TrustedProxies;
use lyceum::store::{ApiKeyStore, Creation};
use tower::{Layer, ServiceExt};

use super::{SCHOOL, builder, from, quota, status, told};
use crate::client::{request, send};
use crate::school_fixtures::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, REVOKED_KEY, UNKNOWN_KEY};

// Proves: threats 40
#[tokio::test]
async fn bad_keys_are_counted_for_the_client_that_a_trusted_proxy_names_and_no_other() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    let api = TrustedProxies::x_forwarded_for(&["10.0.0.0/8"])
        .unwrap()
        .layer(api);
    let status = async |peer: &str, forwarded: &str| {
        let mut request = from(peer, UNKNOWN_KEY);
        request
            .headers_mut()
            .insert("x-forwarded-for", forwarded.parse().unwrap());
        api.clone()
            .oneshot(request)
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(status("10.0.0.1", "198.51.100.1").await, 401);
    assert_eq!(status("10.0.0.1", "198.51.100.1").await, 429);
    assert_eq!(
        status("10.0.0.2", "198.51.100.1").await,
        429,
        "through another proxy"
    );
    assert_eq!(
        status("10.0.0.1", "203.0.113.9, 198.51.100.1").await,
        429,
        "a forged address has no effect"
    );
    assert_eq!(
        status("10.0.0.1", "198.51.100.2").await,
        401,
        "another client"
    );
    assert_eq!(status(SCHOOL, "203.0.113.1").await, 401);
    assert_eq!(
        status(SCHOOL, "203.0.113.2").await,
        429,
        "that peer is not trusted"
    );
}

// Proves: spec 2.13
#[tokio::test]
async fn bad_keys_are_limited_per_address_whatever_is_wrong_with_them() {
    for bad in ["nonsense", UNKNOWN_KEY, REVOKED_KEY, EXPIRED_KEY] {
        let (builder, clock) = builder().await;
        let api = builder.bad_key_limit(quota(2, 20, 2)).build().unwrap();
        assert_eq!(
            [
                status(&api, SCHOOL, bad).await,
                status(&api, SCHOOL, bad).await
            ],
            [401, 401],
            "{bad}"
        );
        let answer = send(&api, from(SCHOOL, bad)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (429, "bad_keys_limited"),
            "{bad}"
        );
        assert_eq!(
            (answer.header("retry-after"), told(&answer)),
            ("10", [""; 4])
        );
        assert_eq!(status(&api, "192.0.2.2", bad).await, 401, "another address");
        clock.advance(Duration::from_secs(10));
        assert_eq!(
            [
                status(&api, SCHOOL, bad).await,
                status(&api, SCHOOL, bad).await
            ],
            [401, 429],
            "{bad}"
        );
    }
}

// Proves: threats 40
#[tokio::test]
async fn bad_keys_never_lock_out_a_good_one() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    for _ in 0..50 {
        status(&api, SCHOOL, UNKNOWN_KEY).await;
    }
    assert_eq!(status(&api, SCHOOL, UNKNOWN_KEY).await, 429);
    let good = send(&api, from(SCHOOL, FULL_KEY)).await;
    assert_eq!(
        (good.status.as_u16(), good.header("x-ratelimit-remaining")),
        (200, "99"),
        "its own quota is unaffected"
    );
    assert_eq!(
        status(&api, SCHOOL, CLUB_KEY).await,
        200,
        "also a key that was not cached"
    );
}

// Proves: threats 40
#[tokio::test]
async fn a_key_that_was_bad_before_it_was_issued_is_good_at_once() {
    let store = school_fixtures::store().await;
    let secret = ApiKeySecret::from_random([9; 16]);
    let api = school_fixtures::builder_with_store(store.clone())
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .bad_key_limit(quota(1, 60, 1))
        .build()
        .unwrap();
    assert_eq!(
        [
            status(&api, SCHOOL, secret.expose()).await,
            status(&api, SCHOOL, secret.expose()).await
        ],
        [401, 429]
    );
    assert_eq!(
        store
            .create_api_key(school_fixtures::key(9, ApiScopes::built_in()))
            .await
            .unwrap(),
        Creation::Created
    );
    assert_eq!(status(&api, SCHOOL, secret.expose()).await, 200);
}

// Proves: threats 40
#[tokio::test]
async fn one_ipv6_subscriber_is_one_address() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    assert_eq!(status(&api, "2001:db8::1", UNKNOWN_KEY).await, 401);
    assert_eq!(status(&api, "2001:db8::2", UNKNOWN_KEY).await, 429);
    assert_eq!(status(&api, "2001:db8:0:1::1", UNKNOWN_KEY).await, 401);
    assert_eq!(status(&api, SCHOOL, UNKNOWN_KEY).await, 401);
    assert_eq!(status(&api, "::ffff:192.0.2.1", UNKNOWN_KEY).await, 429);
}

#[tokio::test]
async fn a_missing_key_and_a_client_without_an_address_are_not_counted() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    for _ in 0..3 {
        let mut without_key = from(SCHOOL, FULL_KEY);
        without_key.headers_mut().remove("x-api-key");
        assert_eq!(send(&api, without_key).await.status, 401);
        assert_eq!(
            send(&api, request("GET", "/v1/clubs", Some(UNKNOWN_KEY)))
                .await
                .status,
            401
        );
    }
    assert_eq!(status(&api, SCHOOL, UNKNOWN_KEY).await, 401);
}
