use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Header};
use serde::Serialize;

use super::{Signer, SigningError};
use crate::domain::SigningAlgorithm;

/// Initial capacity for the claims in bytes, which suffices for most tokens.
const CLAIMS_CAPACITY: usize = 1024;

/// Signs a token in the compact form of RFC 7515 §7.1, with `typ`, `alg` and `kid` in its header.
///
/// ```
/// use lyceum::crypto::{ACCESS_TOKEN_TYPE, MasterKey, SystemEntropy, generate_signing_key, open_signing_key, sign_token};
/// use lyceum::domain::{SigningAlgorithm, Timestamp};
///
/// let master = MasterKey::from_bytes([7; 32]);
/// let record = generate_signing_key(SigningAlgorithm::Es256, 1, Timestamp::from_seconds(0), &SystemEntropy, &master)?;
/// let token = sign_token(&*open_signing_key(&record, &master)?, ACCESS_TOKEN_TYPE, &serde_json::json!({ "sub": "kim@school.example" }))?;
/// assert_eq!(token.split('.').count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the claims cannot be serialized or the signer fails.
pub fn sign_token(
    signer: &dyn Signer,
    typ: &str,
    claims: &impl Serialize,
) -> Result<String, SigningError> {
    sign_with_header(&TokenHeader::new(signer, typ)?, signer, claims)
}

/// The encoded header, shared by all tokens of one type and key.
#[derive(Debug, Clone)]
pub(crate) struct TokenHeader(Arc<str>);

impl TokenHeader {
    pub(crate) fn new(signer: &dyn Signer, typ: &str) -> Result<Self, SigningError> {
        let mut header = Header::new(match signer.algorithm() {
            SigningAlgorithm::Rs256 => Algorithm::RS256,
            SigningAlgorithm::Es256 => Algorithm::ES256,
        });
        header.typ = Some(typ.to_owned());
        header.kid = Some(signer.key_id().as_str().to_owned());
        let json = serde_json::to_vec(&header).map_err(SigningError::Unserializable)?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(&json).into()))
    }
}

/// Signs a token with a header that was encoded for this signer.
pub(crate) fn sign_with_header(
    header: &TokenHeader,
    signer: &dyn Signer,
    claims: &impl Serialize,
) -> Result<String, SigningError> {
    let mut json = Vec::with_capacity(CLAIMS_CAPACITY);
    serde_json::to_writer(&mut json, claims).map_err(SigningError::Unserializable)?;
    // One allocation: the longest usual signature has 512 bytes.
    let mut token = String::with_capacity(header.0.len() + 4 * (json.len() + 512) / 3 + 4);
    token.push_str(&header.0);
    token.push('.');
    BASE64_URL_SAFE_NO_PAD.encode_string(&json, &mut token);
    let signature = signer.sign(token.as_bytes())?;
    token.push('.');
    BASE64_URL_SAFE_NO_PAD.encode_string(&signature, &mut token);
    Ok(token)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use base64ct::{Base64UrlUnpadded, Encoding};

    use super::*;
    use crate::crypto::ACCESS_TOKEN_TYPE;
    use crate::crypto::fixtures::rfc_vectors;

    // Proves: spec 3.14
    #[test]
    fn the_header_has_the_type_the_algorithm_and_the_key_id_and_nothing_else() {
        for (signer, algorithm) in [
            (rfc_vectors::rs256_signer(), "RS256"),
            (rfc_vectors::es256_signer(), "ES256"),
        ] {
            let token = sign_token(
                &*signer,
                ACCESS_TOKEN_TYPE,
                &serde_json::json!({ "sub": "김" }),
            )
            .unwrap();
            let parts: Vec<_> = token
                .split('.')
                .map(|part| Base64UrlUnpadded::decode_vec(part).unwrap())
                .collect();
            let header: serde_json::Value = serde_json::from_slice(&parts[0]).unwrap();
            assert_eq!(
                header,
                serde_json::json!({ "typ": "at+jwt", "alg": algorithm, "kid": signer.key_id().as_str() })
            );
            assert_eq!(parts[1], r#"{"sub":"김"}"#.as_bytes());
            assert_eq!(parts.len(), 3);
        }
    }

    #[test]
    fn claims_without_a_json_form_are_an_error() {
        let claims = HashMap::from([((1, 2), "a key that is no text")]);
        assert!(matches!(
            sign_token(&*rfc_vectors::es256_signer(), "JWT", &claims),
            Err(SigningError::Unserializable(_))
        ));
    }
}
