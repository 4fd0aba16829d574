//! Claims: their types, duplicates, the issuer, the audience and the token type.

use serde_json::{Value, json};

use super::refused;
use crate::fixtures::{
    APPLICATION, CLIENT, claims, claims_with, es256, guard, header, present, signed, signed_text,
    with,
};

// Proves: threats 30
/// Fails if a time may be a string, if the issuer or the audience is not compared, or if a token
/// needs no subject.
#[tokio::test]
async fn a_claim_of_another_type_or_a_missing_one_is_refused() {
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
            refused(
                &guard,
                &signed(&*curve, &header(&*curve), &claims_with(name, value)),
                name,
            )
            .await;
        }
    }
    for name in [
        "iss",
        "sub",
        "aud",
        "client_id",
        "role",
        "scope",
        "jti",
        "exp",
        "iat",
    ] {
        refused(
            &guard,
            &signed(&*curve, &header(&*curve), &claims_with(name, Value::Null)),
            name,
        )
        .await;
        for value in [
            json!(-1),
            json!({}),
            json!([]),
            json!(""),
            json!([1]),
            json!(true),
            json!("x y"),
        ] {
            // Every text is a valid subject.
            if (name, &value) != ("sub", &json!("x y")) {
                refused(
                    &guard,
                    &signed(&*curve, &header(&*curve), &claims_with(name, value)),
                    name,
                )
                .await;
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
        refused(
            &guard,
            &signed(&*curve, &header(&*curve), &claims_with(name, value)),
            name,
        )
        .await;
    }
    for payload in ["", "null", "[]", "1", "\"x\"", "{", "{}"] {
        refused(
            &guard,
            &signed_text(&*curve, &header(&*curve).to_string(), payload),
            payload,
        )
        .await;
    }
}

// Proves: threats 30
#[tokio::test]
async fn a_member_that_is_there_twice_is_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    let (head, body) = (header(&*curve).to_string(), claims().to_string());
    assert_eq!(
        present(&guard, &signed_text(&*curve, &head, &body))
            .await
            .status,
        200
    );
    for name in ["alg", "kid", "typ"] {
        let twice = head.replacen('{', &format!("{{\"{name}\":{},", header(&*curve)[name]), 1);
        refused(&guard, &signed_text(&*curve, &twice, &body), name).await;
    }
    for name in [
        "iss",
        "sub",
        "aud",
        "client_id",
        "role",
        "scope",
        "jti",
        "exp",
        "iat",
    ] {
        let twice = body.replacen('{', &format!("{{\"{name}\":{},", claims()[name]), 1);
        refused(&guard, &signed_text(&*curve, &head, &twice), name).await;
    }
}

#[tokio::test]
async fn a_token_of_another_issuer_or_for_another_audience_is_refused() {
    let curve = es256();
    let guard = guard(&*curve);
    for issuer in [
        "https://school.example/auth/",
        "https://school.example",
        "https://SCHOOL.example/auth",
        "https://evil.example",
        "",
    ] {
        refused(
            &guard,
            &signed(
                &*curve,
                &header(&*curve),
                &claims_with("iss", issuer.into()),
            ),
            issuer,
        )
        .await;
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
        refused(
            &guard,
            &signed(&*curve, &header(&*curve), &claims_with("aud", audience)),
            "aud",
        )
        .await;
    }
    // RFC 7519 §4.1.3: a single audience need not be in a list.
    let single = signed(
        &*curve,
        &header(&*curve),
        &claims_with("aud", APPLICATION.into()),
    );
    assert_eq!(present(&guard, &single).await.status, 200);
    for typ in [
        json!(null),
        json!("JWT"),
        json!("jwt"),
        json!("AT+JWT"),
        json!("id_token"),
        json!(""),
        json!("at+jwt "),
    ] {
        refused(
            &guard,
            &signed(&*curve, &with(header(&*curve), "typ", typ), &claims()),
            "typ",
        )
        .await;
    }
}
