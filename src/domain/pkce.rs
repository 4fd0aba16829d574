//! Proof Key for Code Exchange (RFC 7636).

use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::domain::{InvalidValue, string_enum};

string_enum! {
    /// Transformation from a verifier to its challenge (RFC 7636 §4.2). The names are
    /// case-sensitive.
    ChallengeMethod {
        /// The SHA-256 of the verifier, as base64url without padding.
        S256 = "S256",
        /// The verifier itself. Only for clients whose registration allows it.
        Plain = "plain",
    }
}

/// A code verifier: 43 to 128 characters of `A-Z a-z 0-9 - . _ ~` (RFC 7636 §4.1).
#[derive(Clone)]
pub struct CodeVerifier(Zeroizing<String>);

impl CodeVerifier {
    /// Parses a verifier from a token request.
    ///
    /// # Errors
    /// If its length or one of its characters is not allowed.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        if is_verifier(text) {
            Ok(Self(Zeroizing::new(text.to_owned())))
        } else {
            Err(InvalidValue::new(
                "must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~",
            ))
        }
    }
}

impl fmt::Debug for CodeVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeVerifier(..)")
    }
}

/// A code challenge and its method (RFC 7636 §4.3).
#[derive(Clone, PartialEq, Eq)]
pub struct CodeChallenge {
    method: ChallengeMethod,
    value: Box<str>,
}

impl CodeChallenge {
    /// Creates a challenge from the parameters of an authorization request.
    ///
    /// # Errors
    /// If the value does not fit the method: an S256 challenge has 43 characters of base64url that
    /// decode to 32 bytes, a plain one has the form of a verifier.
    pub fn new(method: ChallengeMethod, value: &str) -> Result<Self, InvalidValue> {
        let well_formed = match method {
            // The decoder also rejects a last character with unused bits set, which no encoder
            // writes.
            ChallengeMethod::S256 => {
                value.len() == 43
                    && Base64UrlUnpadded::decode(value, &mut [0; 32])
                        .is_ok_and(|bytes| bytes.len() == 32)
            }
            ChallengeMethod::Plain => is_verifier(value),
        };
        if well_formed {
            Ok(Self {
                method,
                value: value.into(),
            })
        } else {
            Err(InvalidValue::new(match method {
                ChallengeMethod::S256 => {
                    "must be the base64url of a SHA-256 without padding, 43 characters"
                }
                ChallengeMethod::Plain => "must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~",
            }))
        }
    }

    /// The method.
    pub const fn method(&self) -> ChallengeMethod {
        self.method
    }

    /// The challenge as sent.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// Whether the verifier matches the challenge (RFC 7636 §4.6). Compares in constant time.
    ///
    /// ```
    /// use lyceum::domain::{ChallengeMethod, CodeChallenge, CodeVerifier};
    ///
    /// // RFC 7636, appendix B
    /// let challenge = CodeChallenge::new(ChallengeMethod::S256, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")?;
    /// let verifier = CodeVerifier::parse("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")?;
    /// assert!(challenge.matches(&verifier));
    /// # Ok::<(), lyceum::domain::InvalidValue>(())
    /// ```
    pub fn matches(&self, verifier: &CodeVerifier) -> bool {
        let made = match self.method {
            ChallengeMethod::S256 => {
                Base64UrlUnpadded::encode_string(&Sha256::digest(verifier.0.as_bytes()))
            }
            ChallengeMethod::Plain => verifier.0.to_string(),
        };
        made.as_bytes().ct_eq(self.value.as_bytes()).into()
    }
}

/// Omits the value, because a plain challenge is a secret.
impl fmt::Debug for CodeChallenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CodeChallenge({}, ..)", self.method)
    }
}

fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_vector_of_rfc_7636_appendix_b_holds() {
        let challenge = CodeChallenge::new(ChallengeMethod::S256, CHALLENGE).unwrap();
        assert!(challenge.matches(&CodeVerifier::parse(VERIFIER).unwrap()));
        assert!(!challenge.matches(&CodeVerifier::parse(CHALLENGE).unwrap()));
    }

    #[test]
    fn a_plain_challenge_is_its_verifier() {
        let challenge = CodeChallenge::new(ChallengeMethod::Plain, VERIFIER).unwrap();
        assert!(challenge.matches(&CodeVerifier::parse(VERIFIER).unwrap()));
        assert!(!challenge.matches(&CodeVerifier::parse(&format!("{VERIFIER}~")).unwrap()));
    }

    #[test]
    fn a_malformed_challenge_is_refused() {
        let padded = format!("{CHALLENGE}=");
        let unused_bits_set = format!("{}N", &CHALLENGE[..42]);
        for value in [
            "",
            &padded,
            &unused_bits_set,
            &CHALLENGE[..42],
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM",
            &"é".repeat(22),
        ] {
            assert!(
                CodeChallenge::new(ChallengeMethod::S256, value).is_err(),
                "{value:?} was accepted"
            );
        }
        assert!(CodeChallenge::new(ChallengeMethod::Plain, "short").is_err());
        for method in ["s256", "S512", "PLAIN", "", "S256 "] {
            assert!(
                method.parse::<ChallengeMethod>().is_err(),
                "{method:?} was accepted"
            );
        }
    }

    #[test]
    fn a_verifier_keeps_its_length_and_alphabet() {
        for length in [43, 128] {
            assert!(CodeVerifier::parse(&"~".repeat(length)).is_ok());
        }
        for text in [
            "~".repeat(42),
            "~".repeat(129),
            format!("{}+", "a".repeat(43)),
            "é".repeat(43),
        ] {
            assert!(CodeVerifier::parse(&text).is_err(), "{text:?} was accepted");
        }
    }

    proptest! {
        #[test]
        fn only_the_verifier_itself_meets_its_challenge(one in "[A-Za-z0-9._~-]{43,128}", other in "[A-Za-z0-9._~-]{43,128}") {
            let challenge = Base64UrlUnpadded::encode_string(&Sha256::digest(one.as_bytes()));
            let challenge = CodeChallenge::new(ChallengeMethod::S256, &challenge).unwrap();
            prop_assert!(challenge.matches(&CodeVerifier::parse(&one).unwrap()));
            prop_assert_eq!(challenge.matches(&CodeVerifier::parse(&other).unwrap()), one == other);
        }
    }
}
