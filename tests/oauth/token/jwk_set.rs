use http::Request;
use lyceum::http::Body;

use super::harness::*;

const PATHS: [&str; 3] = [
    "/v1/oauth/jwk-set",
    "/v1/oauth/jwks",
    "/.well-known/jwks.json",
];

// Proves: spec 3.18
#[tokio::test]
async fn the_keys_are_public_under_three_names() {
    let harness = Harness::new().await;
    let first = harness.get(PATHS[0]).await;
    assert_eq!(
        (first.status.as_u16(), first.header("cache-control")),
        (200, "public, max-age=300")
    );
    for path in PATHS {
        assert_eq!(harness.get(path).await, first);
        let head = harness
            .send(Request::head(path).body(Body::empty()).unwrap())
            .await;
        assert_eq!((head.status, head.body.as_str()), (first.status, ""));
        let post = harness
            .send(Request::post(path).body(Body::empty()).unwrap())
            .await;
        assert_eq!(
            (post.status.as_u16(), post.header("allow")),
            (405, "GET, HEAD, OPTIONS")
        );
    }
    for path in [
        "/v1/oauth/jwk-set/",
        "/v1/oauth/jwk-set/x",
        "/.well-known/jwks.json/",
        "/.well-known/jwks",
    ] {
        assert_eq!(harness.get(path).await.status, 404, "{path}");
    }
}

// Proves: spec 3.18
#[tokio::test]
async fn a_key_says_what_it_is_for_and_keeps_its_private_half() {
    let harness = Harness::new().await;
    let body = harness.get(PATHS[0]).await.json();
    let [key] = &body["keys"].as_array().unwrap()[..] else {
        panic!("{body}")
    };
    assert_eq!((&key["use"], &key["alg"]), (&"sig".into(), &"ES256".into()));
    assert_eq!(key["kid"].as_str().unwrap().len(), 43);
    for private in ["d", "p", "q", "dp", "dq", "qi", "k"] {
        assert!(key.get(private).is_none(), "{private} is there");
    }
}
