//! Header parameters: algorithms, keys in the token, critical extensions and key ids.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use lyceum::crypto::{TokenVerifier, jwk_set};
use lyceum::domain::{KeyId, SigningAlgorithm, Timestamp};
use lyceum::http::guard::{FixedKeys, KeySource, KeysUnavailable};
use serde_json::{Value, json};

use super::refused;
use crate::fixtures::{
    builder, claims, encoded, es256, guard, header, keys_of, present, signed, signer, token, with,
};

// Proves: threats 27
/// Fails if `alg` is not compared with the key's algorithm.
#[tokio::test]
async fn no_token_chooses_its_algorithm() {
    let (rsa, curve) = (signer(SigningAlgorithm::Rs256), es256());
    let guard = builder(keys_of(&[&*rsa, &*curve])).build().unwrap();
    for signer in [&*rsa, &*curve] {
        assert_eq!(present(&guard, &token(signer)).await.status, 200);
        for alg in [
            "none", "None", "NONE", "nOnE", "", "HS256", "HS384", "HS512", "RS384", "PS256",
            "ES384", "EdDSA", "es256", "rs256",
        ] {
            let changed = with(header(signer), "alg", alg.into());
            refused(&guard, &signed(signer, &changed, &claims()), alg).await;
            let unsigned = format!(
                "{}.{}.",
                encoded(changed.to_string().as_bytes()),
                encoded(claims().to_string().as_bytes())
            );
            refused(&guard, &unsigned, alg).await;
        }
        for alg in [json!(null), json!(1), json!(["ES256"])] {
            let mut changed = header(signer);
            changed["alg"] = alg;
            refused(&guard, &signed(signer, &changed, &claims()), "alg").await;
        }
    }
    // The key id of the other key, and then the signature of the other key.
    let swapped = with(header(&*curve), "kid", rsa.key_id().as_str().into());
    refused(
        &guard,
        &signed(&*curve, &swapped, &claims()),
        "the id of a key of another type",
    )
    .await;
    refused(
        &guard,
        &signed(&*curve, &header(&*rsa), &claims()),
        "the signature of another key",
    )
    .await;
}

// Proves: threats 28
#[tokio::test]
async fn a_key_that_the_token_brings_is_not_used() {
    let (trusted, stranger) = (es256(), es256());
    let guard = guard(&*trusted);
    let key = serde_json::to_value(stranger.public_jwk()).unwrap();
    for (name, value) in [
        ("jwk", key.clone()),
        ("jku", "https://evil.example/keys".into()),
        ("x5u", "https://evil.example/certificate".into()),
        ("x5c", json!(["MIIB"])),
    ] {
        refused(
            &guard,
            &signed(
                &*stranger,
                &with(header(&*stranger), name, value.clone()),
                &claims(),
            ),
            name,
        )
        .await;
        let borrowed = with(
            with(header(&*stranger), name, value.clone()),
            "kid",
            trusted.key_id().as_str().into(),
        );
        refused(&guard, &signed(&*stranger, &borrowed, &claims()), name).await;
        let without_id = with(with(header(&*stranger), name, value), "kid", Value::Null);
        refused(&guard, &signed(&*stranger, &without_id, &claims()), name).await;
    }
}

// Proves: threats 28
/// Fails if `crit` or `b64` is ignored.
#[tokio::test]
async fn unsupported_critical_headers_are_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    for crit in [
        json!(["b64"]),
        json!(["exp"]),
        json!(["x"]),
        json!([]),
        json!("b64"),
        json!({}),
    ] {
        refused(
            &guard,
            &signed(&*curve, &with(header(&*curve), "crit", crit), &claims()),
            "crit",
        )
        .await;
    }
    for b64 in [json!(false), json!(true), json!("false")] {
        refused(
            &guard,
            &signed(&*curve, &with(header(&*curve), "b64", b64), &claims()),
            "b64",
        )
        .await;
    }
    // An unencoded payload (RFC 7797).
    let head = with(
        with(header(&*curve), "b64", false.into()),
        "crit",
        json!(["b64"]),
    )
    .to_string();
    let message = format!(
        "{}.{}",
        encoded(head.as_bytes()),
        claims().to_string().replace('.', "")
    );
    let signature = curve.sign(message.as_bytes()).unwrap();
    let answer = crate::fixtures::ask(
        &guard,
        http::Request::get("/").header(
            "authorization",
            format!("Bearer {message}.{}", encoded(&signature)),
        ),
    )
    .await;
    assert!(answer.status.is_client_error() && answer.caller.is_none());
}

/// Counts its calls.
#[derive(Debug)]
struct Counted(FixedKeys, AtomicUsize);

#[async_trait]
impl KeySource for Counted {
    async fn verifier(
        &self,
        wanted: &KeyId,
        at: Timestamp,
    ) -> Result<Arc<TokenVerifier>, KeysUnavailable> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.verifier(wanted, at).await
    }
}

// Proves: threats 29
/// Fails if every text is accepted as a key id.
#[tokio::test]
async fn a_key_id_that_cannot_be_one_is_looked_up_nowhere() {
    let curve = es256();
    let keys = Arc::new(Counted(
        FixedKeys::new(TokenVerifier::new(&jwk_set([&*curve]))),
        AtomicUsize::new(0),
    ));
    let guard = builder(keys.clone()).build().unwrap();
    let id = curve.key_id().as_str();
    for kid in [
        "",
        "' OR 1=1 --",
        "\"; DROP TABLE signing_keys; --",
        "../../../../dev/null",
        "/etc/passwd",
        "https://evil.example/key",
        "키",
        "a\0b",
        &id[1..],
        &format!("{id} "),
        &format!("{id}\n"),
        &format!("{}가", &id[..40]),
        &"A".repeat(44),
        &"A".repeat(5000),
    ] {
        refused(
            &guard,
            &signed(
                &*curve,
                &with(header(&*curve), "kid", kid.into()),
                &claims(),
            ),
            kid,
        )
        .await;
    }
    for kid in [
        json!(null),
        json!(1),
        json!([id]),
        json!({ "kid": id }),
        json!(true),
    ] {
        let mut changed = header(&*curve);
        changed["kid"] = kid;
        refused(&guard, &signed(&*curve, &changed, &claims()), "kid").await;
    }
    assert_eq!(keys.1.load(Ordering::SeqCst), 0, "a key was looked up");
    refused(
        &guard,
        &signed(
            &*curve,
            &with(header(&*curve), "kid", "A".repeat(43).into()),
            &claims(),
        ),
        "unknown",
    )
    .await;
    assert_eq!(keys.1.load(Ordering::SeqCst), 1);
}
