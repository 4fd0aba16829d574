//! The limit on opened sessions per address.

use http::Request;
use lyceum::http::{Body, ClientAddress, TrustedProxies};
use tower::{Layer, ServiceExt};

use super::*;

/// The response to the first authorization request beyond the limit of an address.
pub async fn the_1001st_authorization_of_an_address() -> TestResponse {
    let harness = Harness::new().await;
    let authorize = async |address| authorize_from(&harness, address).await;
    for _ in 0..1000 {
        assert_eq!(authorize("192.0.2.1").await.status, StatusCode::SEE_OTHER);
    }
    assert_eq!(
        authorize("192.0.2.2").await.status,
        StatusCode::SEE_OTHER,
        "others are not blocked"
    );
    authorize("192.0.2.1").await
}

async fn authorize_from(harness: &Harness, address: &str) -> TestResponse {
    let mut request = Request::get(harness.authorize(&[]))
        .body(Body::empty())
        .unwrap();
    request
        .extensions_mut()
        .insert(ClientAddress(address.parse().unwrap()));
    ask(&harness.server, request).await
}

#[tokio::test]
async fn a_host_chooses_how_many_sign_ins_an_address_may_begin() {
    let harness = Harness::with_settings(|builder| {
        builder.authorize_limit(Quota::new(2, Duration::from_secs(60), 3).unwrap())
    })
    .await;
    for _ in 0..3 {
        assert_eq!(
            authorize_from(&harness, "192.0.2.1").await.status,
            StatusCode::SEE_OTHER
        );
    }
    let refused = authorize_from(&harness, "192.0.2.1").await;
    assert_eq!(
        (refused.status, refused.header(RETRY_AFTER)),
        (StatusCode::TOO_MANY_REQUESTS, "30")
    );
    assert_eq!(
        authorize_from(&harness, "192.0.2.2").await.status,
        StatusCode::SEE_OTHER,
        "others are not blocked"
    );
    harness.clock.advance(Duration::from_secs(30));
    assert_eq!(
        authorize_from(&harness, "192.0.2.1").await.status,
        StatusCode::SEE_OTHER
    );
    let wide = Harness::with_settings(|builder| {
        builder.authorize_limit(Quota::new(2000, Duration::from_secs(60), 2000).unwrap())
    })
    .await;
    for _ in 0..1500 {
        assert_eq!(
            authorize_from(&wide, "192.0.2.1").await.status,
            StatusCode::SEE_OTHER
        );
    }
}

// Proves: threats 40
#[tokio::test]
async fn sign_ins_are_counted_for_the_client_that_a_trusted_proxy_names() {
    let harness = Harness::with_settings(|builder| {
        builder.authorize_limit(Quota::new(1, Duration::from_secs(60), 1).unwrap())
    })
    .await;
    let server = TrustedProxies::forwarded(&["10.0.0.1"])
        .unwrap()
        .layer(harness.server.clone());
    let authorize = async |peer: &str, forwarded: &str| {
        let mut request = Request::get(harness.authorize(&[]))
            .header("forwarded", forwarded)
            .body(Body::empty())
            .unwrap();
        request
            .extensions_mut()
            .insert(ClientAddress(peer.parse().unwrap()));
        server.clone().oneshot(request).await.unwrap().status()
    };
    assert_eq!(
        authorize("10.0.0.1", "for=198.51.100.1").await,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        authorize("10.0.0.1", "for=203.0.113.1, for=198.51.100.1").await,
        StatusCode::TOO_MANY_REQUESTS
    );
    assert_eq!(
        authorize("10.0.0.1", "for=198.51.100.2").await,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        authorize("192.0.2.1", "for=198.51.100.3").await,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        authorize("192.0.2.1", "for=198.51.100.4").await,
        StatusCode::TOO_MANY_REQUESTS,
        "that peer is not trusted"
    );
}

// Proves: threats 42
/// Fails if opened sessions are not counted.
#[tokio::test]
async fn one_address_cannot_fill_the_store_with_sessions() {
    let answer = the_1001st_authorization_of_an_address().await;
    assert_eq!(
        (answer.status, answer.header(RETRY_AFTER)),
        (StatusCode::TOO_MANY_REQUESTS, "1")
    );
}
