//! Access tokens and the key sets that verify them.

use std::sync::{Arc, LazyLock};

use base64ct::{Base64UrlUnpadded, Encoding};
use lyceum::crypto::{
    ACCESS_TOKEN_TYPE, MasterKey, Signer, TokenVerifier, generate_signing_key, jwk_set,
    open_signing_key, sign_token,
};
use lyceum::domain::SigningAlgorithm;
use lyceum::testing::SeededEntropy;
use serde_json::{Value, json};

use super::harness::START;

/// The public key of RFC 7638 §3.1. No test has its private key, so no token with its id is valid.
const RSA_KEY: &str = r#"{"kty":"RSA","alg":"RS256","kid":"rsa","e":"AQAB","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"}"#;

struct Keys {
    signer: Arc<dyn Signer>,
    verifier: TokenVerifier,
    good: String,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let master = MasterKey::from_bytes([3; 32]);
    let record = generate_signing_key(
        SigningAlgorithm::Es256,
        1,
        START,
        &SeededEntropy::new(5),
        &master,
    )
    .expect("a key");
    let signer = open_signing_key(&record, &master).expect("a key");
    let mut keys = jwk_set([&*signer]);
    keys.keys
        .push(serde_json::from_str(RSA_KEY).expect("a key"));
    let claims = json!({ "sub": "kim@school.example", "iat": START.seconds(), "exp": START.seconds() + 3600 });
    let good = sign_token(&*signer, ACCESS_TOKEN_TYPE, &claims).expect("a token");
    Keys {
        signer,
        verifier: TokenVerifier::new(&keys),
        good,
    }
});

/// Checks a token or a key set.
///
/// The first byte selects the rest of the input: `E` edits of a valid token, `S` header and claims
/// to sign, `K` a key set; otherwise the input is a token. `{header}`, `{claims}`, `{signature}`
/// and `{kid}` stand for those of the valid token, `{key}` for its key.
pub fn jwt(input: &[u8]) -> bool {
    let keys = &*KEYS;
    match input.split_first() {
        Some((b'E', edits)) => edited(keys, edits),
        Some((b'S', text)) => signed(keys, &filled_in(keys, text)),
        Some((b'K', text)) => key_set_read(keys, &filled_in(keys, text)),
        _ => alone(keys, &filled_in(keys, input)),
    }
}

/// Checks that only the valid token is accepted.
fn alone(keys: &Keys, token: &str) -> bool {
    let is_accepted = keys.verifier.verify::<Value>(token, START).is_ok();
    assert_eq!(is_accepted, token == keys.good, "{token:?}");
    let named = TokenVerifier::unverified_key_id(token);
    assert!(
        !is_accepted || named.as_ref() == Ok(keys.signer.key_id()),
        "{token:?} names {named:?}"
    );
    is_accepted
}

fn filled_in(keys: &Keys, text: &[u8]) -> String {
    let parts: Vec<_> = keys.good.split('.').collect();
    let text = String::from_utf8_lossy(text);
    let names = ["{header}", "{claims}", "{signature}"];
    let filled = names
        .iter()
        .zip(parts)
        .fold(text.into_owned(), |text, (name, part)| {
            text.replace(name, part)
        });
    let key = serde_json::to_string(keys.signer.public_jwk()).expect("a key");
    filled
        .replace("{kid}", keys.signer.key_id().as_str())
        .replace("{key}", &key)
}

/// Edits the valid token. Each three bytes are a position, modulo the length, and the new byte.
fn edited(keys: &Keys, edits: &[u8]) -> bool {
    let mut token = keys.good.clone().into_bytes();
    for edit in edits.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([edit[0], edit[1]])) % token.len();
        token[at] = edit[2];
    }
    alone(keys, &String::from_utf8_lossy(&token))
}

/// Signs a header line and claims. Checks that a token is accepted only if it is an access token.
fn signed(keys: &Keys, text: &str) -> bool {
    let (header, claims) = text.split_once('\n').unwrap_or((text, "{}"));
    let message = [header, claims]
        .map(|part| Base64UrlUnpadded::encode_string(part.as_bytes()))
        .join(".");
    let signature = keys.signer.sign(message.as_bytes()).expect("a signature");
    let token = format!("{message}.{}", Base64UrlUnpadded::encode_string(&signature));
    let accepted = keys.verifier.verify::<Value>(&token, START);
    let expected = is_access_token(keys, header, claims);
    if let Ok(claims) = &accepted {
        assert!(
            expected.as_ref() == Some(claims),
            "{header} {claims} was accepted"
        );
    } else if token.len() <= 8 * 1024 && expected.is_some() {
        // The verifier refuses duplicate names, which the map of the oracle hides.
        let names = ["alg", "kid", "typ", "crit", "b64", "exp", "iat", "nbf"]
            .map(|name| format!("\"{name}\""));
        let is_repeated = |name: &String| {
            [header, claims]
                .iter()
                .any(|part| part.matches(&**name).count() > 1)
        };
        let may_be_repeated = names.iter().any(is_repeated)
            || [header, claims].iter().any(|part| part.contains("\\u"));
        assert!(
            may_be_repeated,
            "{header} {claims} was refused: {accepted:?}"
        );
    }
    accepted.is_ok()
}

/// The claims, if header and claims are those of an access token valid at the start.
fn is_access_token(keys: &Keys, header: &str, claims: &str) -> Option<Value> {
    let header: Value = serde_json::from_str(header).ok()?;
    let claims: Value = serde_json::from_str(claims).ok()?;
    let says = |name: &str, value: &str| header.get(name).and_then(Value::as_str) == Some(value);
    let is_ours = says("alg", "ES256")
        && says("kid", keys.signer.key_id().as_str())
        && says("typ", ACCESS_TOKEN_TYPE);
    let moment = |name: &str| {
        claims
            .get(name)
            .and_then(Value::as_u64)
            .filter(|at| *at < 253_402_300_800)
            .map(u64::cast_signed)
    };
    let (expires, issued) = (moment("exp")?, moment("iat"));
    let has_begun =
        claims.get("nbf").is_none() || moment("nbf").is_some_and(|begin| begin <= START.seconds());
    let holds = expires > START.seconds() && issued.is_some() && has_begun;
    (header.is_object()
        && is_ours
        && header.get("crit").is_none()
        && header.get("b64").is_none()
        && holds)
        .then_some(claims)
}

/// Checks a key set: the valid token is accepted if the set contains its key, under its id and for
/// signatures.
fn key_set_read(keys: &Keys, text: &str) -> bool {
    let Ok(verifier) = TokenVerifier::from_json(text.as_bytes()) else {
        return false;
    };
    if verifier.verify::<Value>(&keys.good, START).is_err() {
        return false;
    }
    let set: Value = serde_json::from_str(text).expect("it was read before");
    let key = serde_json::to_value(keys.signer.public_jwk()).expect("a key");
    let members = ["kty", "crv", "x", "y", "kid"];
    let is_good = |found: &Value| {
        members.iter().all(|name| found[name] == key[name]) && found["use"] != "enc"
    };
    assert!(
        set["keys"]
            .as_array()
            .is_some_and(|keys| keys.iter().any(is_good)),
        "{text}"
    );
    true
}
