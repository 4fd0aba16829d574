//! Key sets from other servers.

use std::sync::Arc;

use lyceum::crypto::{InvalidKeySet, TokenVerifier};
use lyceum::http::guard::FixedKeys;
use serde_json::{Value, json};

use crate::fixtures::{builder, es256, present, token, with};

// Proves: threats 28
/// Fails if an encryption key verifies signatures.
#[tokio::test]
async fn a_key_set_from_outside_is_read_key_by_key() {
    let curve = es256();
    let good = serde_json::to_value(curve.public_jwk()).unwrap();
    let others = json!([
        {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "kid": "a"},
        {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA", "kid": "b"},
        {"kty": "oct", "k": "AAAA", "kid": "c"},
        with(good.clone(), "use", "enc".into()),
        with(good.clone(), "kid", Value::Null),
        with(good.clone(), "alg", "ES999".into()),
        with(good.clone(), "key_ops", json!(["sign"])),
        with(good.clone(), "x", "AAAA".into()),
        null, 1, "key", {}, [],
    ]);
    let set = |keys: Value| json!({ "keys": keys, "more": true }).to_string();
    assert_eq!(
        TokenVerifier::from_json(set(others.clone()).as_bytes()).unwrap_err(),
        InvalidKeySet::NoKey
    );
    let mut keys = others.as_array().unwrap().clone();
    keys.push(good.clone());
    let verifier = TokenVerifier::from_json(set(keys.into()).as_bytes()).unwrap();
    assert!(verifier.contains_key(curve.key_id()));
    let guard = builder(Arc::new(FixedKeys::new(verifier))).build().unwrap();
    assert_eq!(present(&guard, &token(&*curve)).await.status, 200);
    for text in [
        "",
        "null",
        "[]",
        "{}",
        "{\"keys\":{}}",
        "{\"keys\":[",
        "<html>",
    ] {
        assert_eq!(
            TokenVerifier::from_json(text.as_bytes()).unwrap_err(),
            InvalidKeySet::Malformed,
            "{text}"
        );
    }
    assert_eq!(
        TokenVerifier::from_json("[".repeat(60_000).as_bytes()).unwrap_err(),
        InvalidKeySet::Malformed
    );
    let long = set(vec![good; 500].into());
    assert_eq!(
        TokenVerifier::from_json(long.as_bytes()).unwrap_err(),
        InvalidKeySet::TooLong
    );
}
