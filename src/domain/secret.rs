//! Values that prove something, and the digests by which stores know them.
//!
//! A secret prints as `(..)`, has no `PartialEq`, and is wiped when dropped. Its digest is all that a store ever sees. The secrets here
//! have 122 or more random bits, so a plain SHA-256 is enough; a password is not like that and is hashed with argon2id elsewhere.

use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

use crate::domain::Invalid;

macro_rules! redacted {
    ($($name:ident),+ $(,)?) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )+};
}

macro_rules! secret {
    ($($(#[$meta:meta])* $name:ident => $digest:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name(Zeroizing<String>);

        redacted!($name);

        impl $name {
            /// The secret in the clear, to be given to its owner and to nobody else.
            pub fn expose(&self) -> &str {
                &self.0
            }

            /// What a store may know of the secret.
            pub fn digest(&self) -> $digest {
                $digest(Sha256::digest(self.0.as_bytes()).into())
            }
        }

        #[doc = concat!("The SHA-256 of a [`", stringify!($name), "`].")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $digest([u8; 32]);

        redacted!($digest);

        impl $digest {
            /// A digest as a store keeps it.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes of the digest.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Whether two digests are the same, in a time that does not depend on where they differ.
            pub fn matches(&self, other: &Self) -> bool {
                self.0.ct_eq(&other.0).into()
            }
        }
    )+};
}

secret!(
    /// An authorization code (RFC 6749 §1.3.1): 256 random bits as base64url, 43 characters.
    AuthorizationCode => AuthorizationCodeDigest,
    /// The token of a pending authorization session: 256 random bits as base64url, 43 characters.
    SessionToken => SessionDigest,
    /// The token of a person's session in the console: 256 random bits as base64url, 43 characters.
    UserSessionToken => UserSessionDigest,
    /// A client's secret (RFC 6749 §2.3.1): 256 random bits as base64url, 43 characters, or what [another server issued](ClientSecret::issued_elsewhere).
    ClientSecret => ClientSecretDigest,
    /// An API key as its holder sends it in `X-API-KEY`: a random UUID.
    ApiKeySecret => ApiKeyDigest,
);

macro_rules! from_256_bits {
    ($($name:ident),+) => {$(
        impl $name {
            /// A new secret from 256 random bits.
            pub fn from_random(bits: [u8; 32]) -> Self {
                Self(Zeroizing::new(Base64UrlUnpadded::encode_string(&bits)))
            }

            /// Parses a secret sent in a request. Accepts any well-formed value; it is verified by comparing its digest.
            ///
            /// # Errors
            /// When it is not 43 characters of base64url, which no secret of this kind ever was.
            pub fn presented(text: &str) -> Result<Self, Invalid> {
                let shape = text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
                if shape { Ok(Self(Zeroizing::new(text.to_owned()))) } else { Err(Invalid::new("is not in the form of one issued here")) }
            }
        }
    )+};
}

from_256_bits!(AuthorizationCode, SessionToken, UserSessionToken);

impl ClientSecret {
    /// A new secret from 256 random bits.
    pub fn from_random(bits: [u8; 32]) -> Self {
        Self(Zeroizing::new(Base64UrlUnpadded::encode_string(&bits)))
    }

    /// A secret that another server issued to a client, for a client that moves here and keeps it. Registered with its
    /// [`digest`](Self::digest), it authenticates the client as one issued here would.
    ///
    /// The digest is a plain SHA-256, which protects a secret only if that is random: 128 bits or more, such as 32 hexadecimal digits from a generator. A secret that a person
    /// made up must be replaced by a new one instead.
    ///
    /// # Errors
    /// When it does not have 22 to 512 characters of visible ASCII, since fewer cannot hold 128 bits.
    pub fn issued_elsewhere(text: &str) -> Result<Self, Invalid> {
        if (22..=512).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(Zeroizing::new(text.to_owned())));
        }
        Err(Invalid::new("must have 22 to 512 characters of visible ASCII"))
    }

    /// Parses a secret sent in a request. Accepts any well-formed value; it is verified by comparing its digest.
    ///
    /// # Errors
    /// When no secret could be it, whoever issued it.
    pub fn presented(text: &str) -> Result<Self, Invalid> {
        Self::issued_elsewhere(text)
    }
}

impl ApiKeySecret {
    /// A new key from 128 random bits, 122 of which stay random in a UUID.
    pub fn from_random(bits: [u8; 16]) -> Self {
        Self(Zeroizing::new(uuid::Builder::from_random_bytes(bits).into_uuid().hyphenated().to_string()))
    }

    /// A key that somebody presents, in either case.
    ///
    /// # Errors
    /// When it is not a hyphenated UUID.
    pub fn presented(text: &str) -> Result<Self, Invalid> {
        const REFUSED: Invalid = Invalid::new("must be a UUID");
        if text.len() != 36 {
            return Err(REFUSED);
        }
        let id = uuid::Uuid::try_parse(text).map_err(|_| REFUSED)?;
        Ok(Self(Zeroizing::new(id.hyphenated().to_string())))
    }

    /// How the key is shown in lists: the first eight characters, `…`, the last four.
    pub fn hint(&self) -> String {
        format!("{}…{}", &self.0[..8], &self.0[32..])
    }
}

/// A password as a user typed it: 1 to 1,024 bytes.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

redacted!(Password);

impl Password {
    /// A password from what was typed.
    ///
    /// # Errors
    /// When it is empty or longer than 1,024 bytes.
    pub fn new(text: &str) -> Result<Self, Invalid> {
        match text.len() {
            1..=1024 => Ok(Self(Zeroizing::new(text.to_owned()))),
            _ => Err(Invalid::new("must have 1 to 1024 bytes")),
        }
    }

    /// How many characters it has in canonical composition (NFC): a Hangul syllable or an accented letter is one, however it was typed.
    pub fn characters(&self) -> usize {
        self.0.nfc().count()
    }

    /// The password in the clear, for the password hash and the rules for new passwords, and for nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_digests_print_nothing_of_themselves() {
        let code = AuthorizationCode::from_random([7; 32]);
        let key = ApiKeySecret::from_random([7; 16]);
        assert_eq!(format!("{code:?} {:?} {key:?}", code.digest()), "AuthorizationCode(..) AuthorizationCodeDigest(..) ApiKeySecret(..)");
        assert_eq!(format!("{:?}", Password::new("hunter2").unwrap()), "Password(..)");
    }

    #[test]
    fn a_presented_secret_has_the_digest_of_the_issued_one() {
        let issued = SessionToken::from_random([9; 32]);
        let presented = SessionToken::presented(issued.expose()).unwrap();
        assert!(issued.digest().matches(&presented.digest()));
        assert!(!issued.digest().matches(&SessionToken::from_random([8; 32]).digest()));
        for text in ["", "short", &"é".repeat(21), &format!("{}=", issued.expose()), &"a".repeat(44)] {
            assert!(SessionToken::presented(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn a_secret_of_another_server_is_presented_as_it_was_issued() {
        for text in ["0123456789abcdef0123456789abcdef", "3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", &"!~".repeat(256)] {
            let kept = ClientSecret::issued_elsewhere(text).unwrap().digest();
            assert!(kept.matches(&ClientSecret::presented(text).unwrap().digest()));
            assert!(!kept.matches(&ClientSecret::presented(&format!("{}x", &text[1..])).unwrap().digest()));
        }
        for text in ["", "hunter2", &"a".repeat(21), &"a".repeat(513), "0123456789abcdef 0123456789abcdef", &"é".repeat(20)] {
            assert!(ClientSecret::issued_elsewhere(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn an_api_key_is_read_in_either_case_and_shown_only_in_part() {
        let issued = ApiKeySecret::from_random([0xC3; 16]);
        let presented = ApiKeySecret::presented(&issued.expose().to_uppercase()).unwrap();
        assert!(issued.digest().matches(&presented.digest()));
        assert_eq!(issued.hint(), "c3c3c3c3…c3c3");
        for text in ["", &issued.expose().replace('-', ""), &format!("{{{}}}", issued.expose())] {
            assert!(ApiKeySecret::presented(text).is_err(), "{text:?} was accepted");
        }
    }
}
