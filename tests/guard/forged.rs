//! Tokens that somebody made up, each of which must be refused: s27 to s30 through the whole guard.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use base64ct::{Base64UrlUnpadded, Encoding};
use lyceum::crypto::{KeySetRejected, TokenVerifier, key_set};
use lyceum::domain::{KeyId, SigningAlgorithm, Timestamp};
use lyceum::http::guard::{FixedKeys, Guard, KeySource, KeysUnavailable};
use serde_json::{Value, json};

use crate::bench::{
    APPLICATION, CLIENT, builder, claims, claims_with, encoded, es256, guard, header, invalid_token, keys_of, present, signed, signed_text,
    signer, token, with,
};

async fn refused(guard: &Guard, token: &str, what: &str) {
    assert_eq!(present(guard, token).await.verdict(), invalid_token(), "{what}: {token}");
}

/// Fails if `alg` is not compared with the key's.
#[tokio::test]
async fn s27_no_token_chooses_its_algorithm() {
    let (rsa, curve) = (signer(SigningAlgorithm::Rs256), es256());
    let guard = builder(keys_of(&[&*rsa, &*curve])).build().unwrap();
    for signer in [&*rsa, &*curve] {
        assert_eq!(present(&guard, &token(signer)).await.status, 200);
        for alg in ["none", "None", "NONE", "nOnE", "", "HS256", "HS384", "HS512", "RS384", "PS256", "ES384", "EdDSA", "es256", "rs256"] {
            let changed = with(header(signer), "alg", alg.into());
            refused(&guard, &signed(signer, &changed, &claims()), alg).await;
            let unsigned = format!("{}.{}.", encoded(changed.to_string().as_bytes()), encoded(claims().to_string().as_bytes()));
            refused(&guard, &unsigned, alg).await;
        }
        for alg in [json!(null), json!(1), json!(["ES256"])] {
            let mut changed = header(signer);
            changed["alg"] = alg;
            refused(&guard, &signed(signer, &changed, &claims()), "alg").await;
        }
    }
    // The algorithm of the other key, and the other key's signature.
    let swapped = with(header(&*curve), "kid", rsa.key_id().as_str().into());
    refused(&guard, &signed(&*curve, &swapped, &claims()), "the id of a key of another type").await;
    refused(&guard, &signed(&*curve, &header(&*rsa), &claims()), "the signature of another key").await;
}

#[tokio::test]
async fn s27_a_public_key_is_no_hmac_secret_in_any_spelling() {
    let rsa = signer(SigningAlgorithm::Rs256);
    let guard = guard(&*rsa);
    let jwk = serde_json::to_value(rsa.public_jwk()).unwrap();
    let modulus = Base64UrlUnpadded::decode_vec(jwk["n"].as_str().unwrap()).unwrap();
    for secret in [jwk.to_string().into_bytes(), modulus, jwk["n"].as_str().unwrap().as_bytes().to_vec(), Vec::new()] {
        for alg in ["HS256", "RS256"] {
            let message = format!(
                "{}.{}",
                encoded(with(header(&*rsa), "alg", alg.into()).to_string().as_bytes()),
                encoded(claims().to_string().as_bytes())
            );
            let tag = aws_lc_rs::hmac::sign(&aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, &secret), message.as_bytes());
            refused(&guard, &format!("{message}.{}", encoded(tag.as_ref())), alg).await;
        }
    }
}

#[tokio::test]
async fn s27_psychic_and_misshapen_curve_signatures_are_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    let good = token(&*curve);
    let (message, signature) = good.rsplit_once('.').unwrap();
    let signature = Base64UrlUnpadded::decode_vec(signature).unwrap();
    let (r, s) = signature.split_at(32);
    let (zero, order) = ([0; 32].as_slice(), ORDER.as_slice());
    let der = [&[0x30, 0x44, 0x02, 0x20], r, &[0x02, 0x20], s].concat();
    let longer = [r, &[0], s, &[0]].concat();
    for forged in [
        [zero, zero].concat(),
        [r, zero].concat(),
        [zero, s].concat(),
        [order, order].concat(),
        [r, order].concat(),
        [order, s].concat(),
        [s, r].concat(),
        [[0xff; 32].as_slice(), &[0xff; 32]].concat(),
        signature[..63].to_vec(),
        [&*signature, &[0]].concat(),
        longer,
        der,
        Vec::new(),
    ] {
        refused(&guard, &format!("{message}.{}", encoded(&forged)), "signature").await;
    }
}

/// ECDSA lets anyone who sees a signature write it in a second way. Nothing here goes by a token's bytes: it is still the same token, which
/// is known by its `jti` and grant.
#[tokio::test]
async fn s27_the_second_spelling_of_a_signature_makes_no_other_token() {
    let curve = es256();
    let guard = guard(&*curve);
    let good = token(&*curve);
    let (message, signature) = good.rsplit_once('.').unwrap();
    let signature = Base64UrlUnpadded::decode_vec(signature).unwrap();
    let mirrored = [&signature[..32], &minus(&ORDER, &signature[32..])].concat();
    let answer = present(&guard, &format!("{message}.{}", encoded(&mirrored))).await;
    let (one, other) = (present(&guard, &good).await.caller.unwrap(), answer.caller.unwrap());
    assert_eq!((one.token_id, one.grant), (other.token_id, other.grant));
}

#[tokio::test]
async fn s28_a_key_that_the_token_brings_is_not_used() {
    let (trusted, stranger) = (es256(), es256());
    let guard = guard(&*trusted);
    let key = serde_json::to_value(stranger.public_jwk()).unwrap();
    for (name, value) in [
        ("jwk", key.clone()),
        ("jku", "https://evil.example/keys".into()),
        ("x5u", "https://evil.example/certificate".into()),
        ("x5c", json!(["MIIB"])),
    ] {
        refused(&guard, &signed(&*stranger, &with(header(&*stranger), name, value.clone()), &claims()), name).await;
        let borrowed = with(with(header(&*stranger), name, value.clone()), "kid", trusted.key_id().as_str().into());
        refused(&guard, &signed(&*stranger, &borrowed, &claims()), name).await;
        let without_id = with(with(header(&*stranger), name, value), "kid", Value::Null);
        refused(&guard, &signed(&*stranger, &without_id, &claims()), name).await;
    }
}

/// Fails if `crit` or `b64` is passed over.
#[tokio::test]
async fn s28_what_must_be_understood_and_is_not_is_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    for crit in [json!(["b64"]), json!(["exp"]), json!(["x"]), json!([]), json!("b64"), json!({})] {
        refused(&guard, &signed(&*curve, &with(header(&*curve), "crit", crit), &claims()), "crit").await;
    }
    for b64 in [json!(false), json!(true), json!("false")] {
        refused(&guard, &signed(&*curve, &with(header(&*curve), "b64", b64), &claims()), "b64").await;
    }
    // A payload that is not encoded, as RFC 7797 has it.
    let head = with(with(header(&*curve), "b64", false.into()), "crit", json!(["b64"])).to_string();
    let message = format!("{}.{}", encoded(head.as_bytes()), claims().to_string().replace('.', ""));
    let signature = curve.sign(message.as_bytes()).unwrap();
    let answer =
        crate::bench::ask(&guard, http::Request::get("/").header("authorization", format!("Bearer {message}.{}", encoded(&signature))))
            .await;
    assert!(answer.status.is_client_error() && answer.caller.is_none());
}

/// Counts how often it is asked.
#[derive(Debug)]
struct Counted(FixedKeys, AtomicUsize);

#[async_trait]
impl KeySource for Counted {
    async fn verifier(&self, wanted: &KeyId, at: Timestamp) -> Result<Arc<TokenVerifier>, KeysUnavailable> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.verifier(wanted, at).await
    }
}

/// Fails if any text is an id.
#[tokio::test]
async fn s29_a_key_id_that_cannot_be_one_is_looked_up_nowhere() {
    let curve = es256();
    let keys = Arc::new(Counted(FixedKeys::new(TokenVerifier::new(&key_set([&*curve]))), AtomicUsize::new(0)));
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
        refused(&guard, &signed(&*curve, &with(header(&*curve), "kid", kid.into()), &claims()), kid).await;
    }
    for kid in [json!(null), json!(1), json!([id]), json!({ "kid": id }), json!(true)] {
        let mut changed = header(&*curve);
        changed["kid"] = kid;
        refused(&guard, &signed(&*curve, &changed, &claims()), "kid").await;
    }
    assert_eq!(keys.1.load(Ordering::SeqCst), 0, "a key was looked up");
    refused(&guard, &signed(&*curve, &with(header(&*curve), "kid", "A".repeat(43).into()), &claims()), "unknown").await;
    assert_eq!(keys.1.load(Ordering::SeqCst), 1);
}

/// Fails if a time may be a text, if the issuer or the audience is not compared, or if a token may be of nobody.
#[tokio::test]
async fn s30_a_claim_of_another_type_or_a_missing_one_is_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    let huge: Value = serde_json::from_str("18446744073709551616").unwrap();
    for name in ["exp", "nbf", "iat"] {
        for value in [
            json!("1790003000"),
            json!(1.79e9),
            json!(1_790_003_000.5),
            json!(-1),
            json!(i64::MAX),
            json!(u64::MAX),
            huge.clone(),
            json!([1]),
            json!({}),
            json!(true),
        ] {
            refused(&guard, &signed(&*curve, &header(&*curve), &claims_with(name, value)), name).await;
        }
    }
    for name in ["iss", "sub", "aud", "client_id", "role", "scope", "jti", "exp", "iat"] {
        refused(&guard, &signed(&*curve, &header(&*curve), &claims_with(name, Value::Null)), name).await;
        for value in [json!(-1), json!({}), json!([]), json!(""), json!([1]), json!(true), json!("x y")] {
            // Any text is the name of somebody.
            if (name, &value) != ("sub", &json!("x y")) {
                refused(&guard, &signed(&*curve, &header(&*curve), &claims_with(name, value)), name).await;
            }
        }
    }
    for (name, value) in [
        ("role", json!("OWNER")),
        ("role", json!("user")),
        ("client_id", json!(format!("{{{CLIENT}}}"))),
        ("scope", json!("service:self_read  service:manage")),
        ("scope", json!(["service:self_read"])),
        ("jti", json!("0a")),
        ("jti", json!(format!("{CLIENT}"))),
    ] {
        refused(&guard, &signed(&*curve, &header(&*curve), &claims_with(name, value)), name).await;
    }
    for payload in ["", "null", "[]", "1", "\"x\"", "{", "{}"] {
        refused(&guard, &signed_text(&*curve, &header(&*curve).to_string(), payload), payload).await;
    }
}

#[tokio::test]
async fn s30_a_member_that_is_there_twice_is_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    let (head, body) = (header(&*curve).to_string(), claims().to_string());
    assert_eq!(present(&guard, &signed_text(&*curve, &head, &body)).await.status, 200);
    for name in ["alg", "kid", "typ"] {
        let twice = head.replacen('{', &format!("{{\"{name}\":{},", header(&*curve)[name]), 1);
        refused(&guard, &signed_text(&*curve, &twice, &body), name).await;
    }
    for name in ["iss", "sub", "aud", "client_id", "role", "scope", "jti", "exp", "iat"] {
        let twice = body.replacen('{', &format!("{{\"{name}\":{},", claims()[name]), 1);
        refused(&guard, &signed_text(&*curve, &head, &twice), name).await;
    }
}

#[tokio::test]
async fn a_token_for_somebody_else_or_of_somebody_else_is_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    for issuer in ["https://school.example/auth/", "https://school.example", "https://SCHOOL.example/auth", "https://evil.example", ""] {
        refused(&guard, &signed(&*curve, &header(&*curve), &claims_with("iss", issuer.into())), issuer).await;
    }
    for audience in [
        json!(["service"]),
        json!([]),
        json!("service"),
        json!(""),
        json!(CLIENT),
        json!(APPLICATION.to_uppercase()),
        json!([[APPLICATION]]),
    ] {
        refused(&guard, &signed(&*curve, &header(&*curve), &claims_with("aud", audience)), "aud").await;
    }
    // RFC 7519 §4.1.3: a single audience may stand without a list.
    let single = signed(&*curve, &header(&*curve), &claims_with("aud", APPLICATION.into()));
    assert_eq!(present(&guard, &single).await.status, 200);
    for typ in [json!(null), json!("JWT"), json!("jwt"), json!("AT+JWT"), json!("id_token"), json!(""), json!("at+jwt ")] {
        refused(&guard, &signed(&*curve, &with(header(&*curve), "typ", typ), &claims()), "typ").await;
    }
}

#[tokio::test]
async fn a_token_has_three_parts_and_one_spelling() {
    let curve = es256();
    let guard = guard(&*curve);
    let good = token(&*curve);
    let [head, body, signature]: [&str; 3] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
    for forged in [
        format!("{head}.{body}"),
        format!("{head}..{signature}"),
        format!(".{body}.{signature}"),
        format!("{head}.{body}."),
        format!("{good}."),
        format!(".{good}"),
        format!("{good}.{signature}"),
        format!("{head}.{body}.{signature}.AAAA.AAAA"),
        format!("{good}="),
        good[..good.len() - 1].to_owned(),
        "...".to_owned(),
        "..".to_owned(),
        ".".to_owned(),
        "A".repeat(9000),
    ] {
        refused(&guard, &forged, "shape").await;
    }
}

/// Fails if a key for encryption checks signatures.
#[tokio::test]
async fn s28_a_key_set_from_outside_is_read_key_by_key() {
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
    assert_eq!(TokenVerifier::from_json(set(others.clone()).as_bytes()).unwrap_err(), KeySetRejected::NoKey);
    let mut keys = others.as_array().unwrap().clone();
    keys.push(good.clone());
    let verifier = TokenVerifier::from_json(set(keys.into()).as_bytes()).unwrap();
    assert!(verifier.knows(curve.key_id()));
    let guard = builder(Arc::new(FixedKeys::new(verifier))).build().unwrap();
    assert_eq!(present(&guard, &token(&*curve)).await.status, 200);
    for text in ["", "null", "[]", "{}", "{\"keys\":{}}", "{\"keys\":[", "<html>"] {
        assert_eq!(TokenVerifier::from_json(text.as_bytes()).unwrap_err(), KeySetRejected::Malformed, "{text}");
    }
    assert_eq!(TokenVerifier::from_json("[".repeat(60_000).as_bytes()).unwrap_err(), KeySetRejected::Malformed);
    let long = set(vec![good; 500].into());
    assert_eq!(TokenVerifier::from_json(long.as_bytes()).unwrap_err(), KeySetRejected::TooLong);
}

/// The order of P-256.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
    0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

/// The difference of two numbers of 32 bytes.
fn minus(from: &[u8; 32], what: &[u8]) -> Vec<u8> {
    let mut difference = from.to_vec();
    let mut borrow = 0;
    for at in (0..32).rev() {
        let digit = i16::from(from[at]) - i16::from(what[at]) - borrow;
        borrow = i16::from(digit < 0);
        difference[at] = u8::try_from(digit.rem_euclid(256)).unwrap();
    }
    difference
}
