use base64ct::{Base64UrlUnpadded, Encoding};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::crypto::{Signer, fixtures::rfc_vectors, jwk_set, sign_token};

const AT: Timestamp = Timestamp::from_seconds(1_790_000_000);

fn verifier() -> TokenVerifier {
    TokenVerifier::new(&jwk_set([
        &*rfc_vectors::rs256_signer(),
        &*rfc_vectors::es256_signer(),
    ]))
}

fn verify(token: &str) -> Result<Value, InvalidToken> {
    verifier().verify(token, AT)
}

fn claims() -> Value {
    json!({ "sub": "kim@school.example", "iat": 1_789_999_000, "exp": 1_790_002_600 })
}

fn part(value: &Value) -> String {
    Base64UrlUnpadded::encode_string(value.to_string().as_bytes())
}

/// A token with any header and a valid signature.
fn signed(signer: &dyn Signer, header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", part(header), part(claims));
    let signature = signer.sign(message.as_bytes()).unwrap();
    format!("{message}.{}", Base64UrlUnpadded::encode_string(&signature))
}

fn header(signer: &dyn Signer) -> Value {
    json!({ "typ": "at+jwt", "alg": signer.algorithm().as_str(), "kid": signer.key_id().as_str() })
}

fn header_with(signer: &dyn Signer, name: &str, value: Value) -> Value {
    let mut header = header(signer);
    header[name] = value;
    header
}

#[test]
fn a_token_of_either_algorithm_is_read_back() {
    for signer in [rfc_vectors::rs256_signer(), rfc_vectors::es256_signer()] {
        let token = sign_token(&*signer, ACCESS_TOKEN_TYPE, &claims()).unwrap();
        assert_eq!(verify(&token), Ok(claims()));
    }
}

#[test]
fn the_signatures_of_rfc_7515_appendices_a_2_and_a_3_verify() {
    for (signer, token) in [
        (rfc_vectors::rs256_signer(), rfc_vectors::RFC_7515_A2_TOKEN),
        (rfc_vectors::es256_signer(), rfc_vectors::RFC_7515_A3_TOKEN),
    ] {
        let (message, signature) = token.rsplit_once('.').unwrap();
        let key = VerifyingKey::from_jwk(signer.public_jwk()).unwrap();
        let signature = Base64UrlUnpadded::decode_vec(signature).unwrap();
        assert!(
            key.public
                .verify_sig(message.as_bytes(), &signature)
                .is_ok()
        );
        assert!(
            key.public
                .verify_sig(&message.as_bytes()[1..], &signature)
                .is_err()
        );
    }
}

// Proves: threats 27
/// Fails if `alg` is not compared with the key's.
#[test]
fn a_token_cannot_choose_its_algorithm() {
    let (rsa, p256) = (rfc_vectors::rs256_signer(), rfc_vectors::es256_signer());
    for alg in [
        "none", "None", "NONE", "", "HS256", "RS384", "RS512", "PS256", "ES256", "rs256", "EdDSA",
    ] {
        let header = header_with(&*rsa, "alg", alg.into());
        assert_eq!(
            verify(&signed(&*rsa, &header, &claims())),
            Err(InvalidToken::WrongAlgorithm),
            "{alg}"
        );
    }
    let unsigned = format!(
        "{}.{}.",
        part(&header_with(&*rsa, "alg", "none".into())),
        part(&claims())
    );
    assert_eq!(verify(&unsigned), Err(InvalidToken::WrongAlgorithm));
    let unsigned = format!("{}.{}.", part(&header(&*rsa)), part(&claims()));
    assert_eq!(verify(&unsigned), Err(InvalidToken::BadSignature));
    // An RSA key's id with an elliptic curve signature, and the reverse.
    let swapped = json!({ "typ": "at+jwt", "alg": "ES256", "kid": rsa.key_id().as_str() });
    assert_eq!(
        verify(&signed(&*p256, &swapped, &claims())),
        Err(InvalidToken::WrongAlgorithm)
    );
    assert_eq!(
        verify(&signed(&*p256, &header(&*rsa), &claims())),
        Err(InvalidToken::BadSignature)
    );
    assert_eq!(
        verify(&signed(&*rsa, &header(&*p256), &claims())),
        Err(InvalidToken::BadSignature)
    );
}

// Proves: threats 27
/// Fails if a signature is not verified.
#[test]
fn a_public_key_is_not_an_hmac_secret() {
    let signer = rfc_vectors::rs256_signer();
    let secret = serde_json::to_vec(signer.public_jwk()).unwrap();
    for alg in ["HS256", "RS256"] {
        let message = format!(
            "{}.{}",
            part(&header_with(&*signer, "alg", alg.into())),
            part(&claims())
        );
        let tag = aws_lc_rs::hmac::sign(
            &aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, &secret),
            message.as_bytes(),
        );
        let token = format!(
            "{message}.{}",
            Base64UrlUnpadded::encode_string(tag.as_ref())
        );
        assert!(matches!(
            verify(&token),
            Err(InvalidToken::WrongAlgorithm | InvalidToken::BadSignature)
        ));
    }
}

// Proves: threats 28
#[test]
fn a_key_in_the_header_is_not_looked_at() {
    let (trusted, stranger) = (rfc_vectors::rs256_signer(), rfc_vectors::es256_signer());
    let verifier = TokenVerifier::new(&jwk_set([&*trusted]));
    let own_key = serde_json::to_value(stranger.public_jwk()).unwrap();
    for (name, value) in [
        ("jwk", own_key),
        ("jku", "https://evil.example/keys".into()),
        ("x5u", "https://evil.example".into()),
    ] {
        let forged = signed(
            &*stranger,
            &header_with(&*stranger, name, value.clone()),
            &claims(),
        );
        assert_eq!(
            verifier.verify::<Value>(&forged, AT),
            Err(InvalidToken::UnknownKey),
            "{name}"
        );
        let honest = signed(&*trusted, &header_with(&*trusted, name, value), &claims());
        assert_eq!(verifier.verify(&honest, AT), Ok(claims()), "{name}");
    }
}

// Proves: threats 28
/// Fails if `crit` is ignored.
#[test]
fn an_extension_that_must_be_understood_is_refused() {
    let signer = rfc_vectors::es256_signer();
    for value in [
        json!(["b64"]),
        json!(["exp"]),
        json!([]),
        json!("b64"),
        Value::Null,
    ] {
        let header = header_with(&*signer, "crit", value.clone());
        assert_eq!(
            verify(&signed(&*signer, &header, &claims())),
            Err(InvalidToken::UnknownExtension),
            "{value}"
        );
    }
}

// Proves: threats 29
#[test]
fn a_key_id_is_a_thumbprint_or_unknown() {
    let signer = rfc_vectors::es256_signer();
    for kid in [
        "",
        "../../etc/passwd",
        "' OR 1=1 --",
        "a\0b",
        &"A".repeat(43),
        &"A".repeat(4000),
        &format!("{} ", signer.key_id()),
    ] {
        let header = header_with(&*signer, "kid", kid.into());
        assert_eq!(
            verify(&signed(&*signer, &header, &claims())),
            Err(InvalidToken::UnknownKey),
            "{kid:?}"
        );
    }
    for kid in [json!(1), json!(["a"]), Value::Null] {
        assert_eq!(
            verify(&signed(
                &*signer,
                &header_with(&*signer, "kid", kid),
                &claims()
            )),
            Err(InvalidToken::Malformed)
        );
    }
}

// Proves: threats 30
/// Fails if a time may be a string or a fraction.
#[test]
fn a_time_is_a_whole_number_in_range() {
    let signer = rfc_vectors::es256_signer();
    let huge: Value = serde_json::from_str("18446744073709551616").unwrap();
    for name in ["exp", "nbf", "iat"] {
        for value in [
            json!("1790002600"),
            json!(1.79e9),
            json!(-1),
            json!(u64::MAX),
            json!(i64::MAX),
            huge.clone(),
            json!([1]),
            Value::Null,
        ] {
            let mut claims = claims();
            claims[name] = value.clone();
            assert_eq!(
                verify(&signed(&*signer, &header(&*signer), &claims)),
                Err(InvalidToken::BadClaims),
                "{name} {value}"
            );
        }
    }
    for name in ["exp", "iat"] {
        let mut claims = claims();
        claims.as_object_mut().unwrap().remove(name);
        assert_eq!(
            verify(&signed(&*signer, &header(&*signer), &claims)),
            Err(InvalidToken::BadClaims),
            "without {name}"
        );
    }
    let twice = format!(
        "{}.{}",
        part(&header(&*signer)),
        Base64UrlUnpadded::encode_string(br#"{"iat":1,"exp":1,"exp":1790002600}"#)
    );
    let signature = signer.sign(twice.as_bytes()).unwrap();
    assert_eq!(
        verify(&format!(
            "{twice}.{}",
            Base64UrlUnpadded::encode_string(&signature)
        )),
        Err(InvalidToken::BadClaims)
    );
}

// Proves: threats 30
/// Fails if only `serde_json` checks the structure.
#[test]
fn header_and_claims_are_objects_and_not_their_values_in_order() {
    let signer = rfc_vectors::es256_signer();
    let listed = json!(["ES256", signer.key_id().as_str(), "at+jwt"]);
    assert_eq!(
        verify(&signed(&*signer, &listed, &claims())),
        Err(InvalidToken::Malformed)
    );
    let listed = json!([1_790_002_600, 1_789_999_000]);
    assert_eq!(
        verify(&signed(&*signer, &header(&*signer), &listed)),
        Err(InvalidToken::BadClaims)
    );
    assert_eq!(
        TokenVerifier::from_json(b"[[]]").unwrap_err(),
        InvalidKeySet::Malformed
    );
}

#[test]
fn a_token_holds_from_its_first_moment_to_the_one_before_its_last() {
    let signer = rfc_vectors::es256_signer();
    let times = |nbf: i64, exp: i64| {
        let claims = json!({ "iat": 0, "nbf": nbf, "exp": exp });
        verify(&signed(&*signer, &header(&*signer), &claims)).map(|_| ())
    };
    assert_eq!(times(AT.seconds(), AT.seconds() + 1), Ok(()));
    assert_eq!(
        times(AT.seconds() + 1, AT.seconds() + 2),
        Err(InvalidToken::NotYetValid)
    );
    assert_eq!(times(0, AT.seconds()), Err(InvalidToken::Expired));
}

#[test]
fn a_token_that_was_made_for_something_else_is_refused() {
    let signer = rfc_vectors::es256_signer();
    for typ in ["JWT", "AT+JWT", "application/at+jwt", "at+jwt ", ""] {
        let token = sign_token(&*signer, typ, &claims()).unwrap();
        assert_eq!(verify(&token), Err(InvalidToken::WrongType), "{typ:?}");
    }
    let untyped = json!({ "alg": "ES256", "kid": signer.key_id().as_str() });
    assert_eq!(
        verify(&signed(&*signer, &untyped, &claims())),
        Err(InvalidToken::WrongType)
    );
}

#[test]
fn the_signature_is_checked_before_the_claims_are_read() {
    let signer = rfc_vectors::es256_signer();
    let token = format!(
        "{}.{}.AAAA",
        part(&header(&*signer)),
        Base64UrlUnpadded::encode_string(b"not json")
    );
    assert_eq!(verify(&token), Err(InvalidToken::BadSignature));
}

#[test]
fn a_token_has_one_spelling_and_a_length() {
    let signer = rfc_vectors::rs256_signer();
    let token = sign_token(&*signer, ACCESS_TOKEN_TYPE, &claims()).unwrap();
    for changed in [
        format!("{token}="),
        format!("{token}."),
        format!(" {token}"),
        format!("{token}\n"),
        token.replacen('.', "..", 1),
    ] {
        assert_eq!(verify(&changed), Err(InvalidToken::Malformed), "{changed}");
    }
    let long = json!({ "iat": 0, "exp": 1_790_002_600, "padding": "a".repeat(8 * 1024) });
    assert_eq!(
        verify(&sign_token(&*signer, ACCESS_TOKEN_TYPE, &long).unwrap()),
        Err(InvalidToken::Malformed)
    );
}

#[test]
fn a_key_that_is_not_for_these_signatures_is_left_out() {
    let good = serde_json::to_value(rfc_vectors::rs256_signer().public_jwk()).unwrap();
    let changed = |name: &str, value: Value| {
        let mut key = good.clone();
        key[name] = value;
        TokenVerifier::new(&JwkSet {
            keys: vec![serde_json::from_value(key).unwrap()],
        })
        .keys
        .len()
    };
    assert_eq!(changed("use", "sig".into()), 1);
    for (name, value) in [
        ("use", "enc"),
        ("alg", "PS256"),
        ("kid", "short"),
        ("n", ""),
        ("n", "***"),
        ("e", ""),
    ] {
        assert_eq!(changed(name, value.into()), 0, "{name} {value}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arbitrary_text_is_refused_without_a_panic(text in any::<String>(), parts in "[A-Za-z0-9_-]{0,40}[.][A-Za-z0-9_-]{0,40}[.][A-Za-z0-9_-]{0,90}") {
        prop_assert!(verify(&text).is_err());
        prop_assert!(verify(&parts).is_err());
    }

    #[test]
    fn no_bit_can_be_flipped(at in any::<prop::sample::Index>(), bit in 0..7_u8, rsa in any::<bool>()) {
        let signer = if rsa { rfc_vectors::rs256_signer() } else { rfc_vectors::es256_signer() };
        let mut token = sign_token(&*signer, ACCESS_TOKEN_TYPE, &claims()).unwrap().into_bytes();
        let at = at.index(token.len());
        token[at] ^= 1 << bit;
        prop_assert!(verify(std::str::from_utf8(&token).unwrap()).is_err());
    }

    #[test]
    fn no_part_can_be_cut_off(length in any::<prop::sample::Index>()) {
        let token = sign_token(&*rfc_vectors::es256_signer(), ACCESS_TOKEN_TYPE, &claims()).unwrap();
        prop_assert!(verify(&token[..length.index(token.len())]).is_err());
    }
}
