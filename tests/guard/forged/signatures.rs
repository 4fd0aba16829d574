//! Signatures, and the parts of a token.

use base64ct::{Base64UrlUnpadded, Encoding};
use lyceum::domain::SigningAlgorithm;

use super::refused;
use crate::fixtures::{claims, encoded, es256, guard, header, present, signer, token, with};

// Proves: threats 27
#[tokio::test]
async fn a_public_key_is_no_hmac_secret_in_any_spelling() {
    let rsa = signer(SigningAlgorithm::Rs256);
    let guard = guard(&*rsa);
    let jwk = serde_json::to_value(rsa.public_jwk()).unwrap();
    let modulus = Base64UrlUnpadded::decode_vec(jwk["n"].as_str().unwrap()).unwrap();
    for secret in [
        jwk.to_string().into_bytes(),
        modulus,
        jwk["n"].as_str().unwrap().as_bytes().to_vec(),
        Vec::new(),
    ] {
        for alg in ["HS256", "RS256"] {
            let message = format!(
                "{}.{}",
                encoded(
                    with(header(&*rsa), "alg", alg.into())
                        .to_string()
                        .as_bytes()
                ),
                encoded(claims().to_string().as_bytes())
            );
            let tag = aws_lc_rs::hmac::sign(
                &aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, &secret),
                message.as_bytes(),
            );
            refused(&guard, &format!("{message}.{}", encoded(tag.as_ref())), alg).await;
        }
    }
}

// Proves: threats 27
#[tokio::test]
async fn psychic_and_misshapen_curve_signatures_are_refused() {
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
        refused(
            &guard,
            &format!("{message}.{}", encoded(&forged)),
            "signature",
        )
        .await;
    }
}

// Proves: threats 27
/// An ECDSA signature can be changed into a second valid one without the key. The guard does not
/// identify tokens by their bytes: the token is the same, by its `jti` and grant.
#[tokio::test]
async fn the_second_spelling_of_a_signature_makes_no_other_token() {
    let curve = es256();
    let guard = guard(&*curve);
    let good = token(&*curve);
    let (message, signature) = good.rsplit_once('.').unwrap();
    let signature = Base64UrlUnpadded::decode_vec(signature).unwrap();
    let mirrored = [&signature[..32], &minus(&ORDER, &signature[32..])].concat();
    let answer = present(&guard, &format!("{message}.{}", encoded(&mirrored))).await;
    let (one, other) = (
        present(&guard, &good).await.caller.unwrap(),
        answer.caller.unwrap(),
    );
    assert_eq!((one.token_id, one.grant), (other.token_id, other.grant));
}

#[tokio::test]
async fn a_token_has_three_parts_and_one_spelling() {
    let curve = es256();
    let guard = guard(&*curve);
    let good = token(&*curve);
    let [head, body, signature]: [&str; 3] =
        good.split('.').collect::<Vec<_>>().try_into().unwrap();
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

/// The order of P-256.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6,
    0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

/// The difference of two 32-byte numbers.
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
