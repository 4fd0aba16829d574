//! Secrets and the digests under which stores save them.
//!
//! A secret formats as `(..)`, has no `PartialEq`, and is zeroized when dropped. Stores only see
//! its digest. Generated secrets have at least 122 random bits, so a plain SHA-256 is enough.
//! Passwords do not, and are hashed with argon2id.

use std::fmt;

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

use crate::domain::InvalidValue;

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
            /// The secret in clear text, for its owner only.
            pub fn expose(&self) -> &str {
                &self.0
            }

            /// The digest for storage.
            pub fn digest(&self) -> $digest {
                $digest(Sha256::digest(self.0.as_bytes()).into())
            }
        }

        #[doc = concat!("The SHA-256 of a [`", stringify!($name), "`].")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $digest([u8; 32]);

        redacted!($digest);

        impl $digest {
            /// Wraps a stored digest.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes of the digest.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Whether the digests are equal. Compares in constant time.
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
    /// The token of a user's session in the console: 256 random bits as base64url, 43 characters.
    UserSessionToken => UserSessionDigest,
    /// A client secret (RFC 6749 §2.3.1): 256 random bits as base64url, 43 characters, or one that
    /// [another server issued](ClientSecret::import).
    ClientSecret => ClientSecretDigest,
    /// An API key as sent in `X-API-KEY`: a random UUID.
    ApiKeySecret => ApiKeyDigest,
    /// The token in the address of a calendar feed: `cal_` and 256 random bits as base64url, 47
    /// characters. The prefix lets programs recognize one that was published by mistake.
    CalendarFeedToken => CalendarFeedDigest,
);

macro_rules! from_256_bits {
    ($($name:ident),+) => {$(
        impl $name {
            /// Creates a secret from 256 random bits.
            pub fn from_random(bits: [u8; 32]) -> Self {
                Self(Zeroizing::new(Base64UrlUnpadded::encode_string(&bits)))
            }

            /// Parses a secret sent in a request. Accepts any well-formed value; it is verified by
            /// comparing its digest.
            ///
            /// # Errors
            /// If it is not 43 characters of base64url, as every secret of this kind is.
            pub fn parse(text: &str) -> Result<Self, InvalidValue> {
                let shape = text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
                if shape { Ok(Self(Zeroizing::new(text.to_owned()))) } else { Err(InvalidValue::new("is not in the form of one issued here")) }
            }
        }
    )+};
}

from_256_bits!(AuthorizationCode, SessionToken, UserSessionToken);

impl ClientSecret {
    /// Creates a secret from 256 random bits.
    pub fn from_random(bits: [u8; 32]) -> Self {
        Self(Zeroizing::new(Base64UrlUnpadded::encode_string(&bits)))
    }

    /// Accepts a secret that another server issued, for a client that moves here and keeps it. Once
    /// its [`digest`](Self::digest) is registered, it authenticates the client like a generated
    /// one.
    ///
    /// The digest is a plain SHA-256, which protects only random secrets of 128 bits or more, such
    /// as 32 hexadecimal digits from a generator. A secret chosen by a person must be replaced.
    ///
    /// # Errors
    /// If it does not have 22 to 512 characters of visible ASCII. Fewer cannot hold 128 bits.
    pub fn import(text: &str) -> Result<Self, InvalidValue> {
        if (22..=512).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Self(Zeroizing::new(text.to_owned())));
        }
        Err(InvalidValue::new(
            "must have 22 to 512 characters of visible ASCII",
        ))
    }

    /// Parses a secret sent in a request. Accepts any well-formed value; it is verified by
    /// comparing its digest.
    ///
    /// # Errors
    /// If it is not a possible client secret.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        Self::import(text)
    }

    /// The last four characters, shown in lists. All characters are ASCII, and there are at least
    /// 22.
    pub fn last_four(&self) -> &str {
        &self.0[self.0.len() - 4..]
    }
}

impl ApiKeySecret {
    /// Creates a key from 128 random bits, of which a UUID contains 122.
    pub fn from_random(bits: [u8; 16]) -> Self {
        Self(Zeroizing::new(
            uuid::Builder::from_random_bytes(bits)
                .into_uuid()
                .hyphenated()
                .to_string(),
        ))
    }

    /// Parses a key sent in a request, in upper or lower case.
    ///
    /// # Errors
    /// If it is not a hyphenated UUID.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        const REFUSED: InvalidValue = InvalidValue::new("must be a UUID");
        if text.len() != 36 {
            return Err(REFUSED);
        }
        let id = uuid::Uuid::try_parse(text).map_err(|_| REFUSED)?;
        Ok(Self(Zeroizing::new(id.hyphenated().to_string())))
    }

    /// The hint shown in lists: the first eight characters, `…`, the last four.
    pub fn hint(&self) -> String {
        format!("{}…{}", &self.0[..8], &self.0[32..])
    }
}

impl CalendarFeedToken {
    const PREFIX: &str = "cal_";

    /// Creates a token from 256 random bits.
    pub fn from_random(bits: [u8; 32]) -> Self {
        let random = Zeroizing::new(Base64UrlUnpadded::encode_string(&bits));
        Self(Zeroizing::new([Self::PREFIX, &random].concat()))
    }

    /// Parses a token sent in a request. Accepts any well-formed value; it is verified by comparing
    /// its digest.
    ///
    /// # Errors
    /// If it is not `cal_` with 43 characters of base64url.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match text.strip_prefix(Self::PREFIX) {
            Some(random) if random.len() == 43 && random.bytes().all(is_base64url) => {
                Ok(Self(Zeroizing::new(text.to_owned())))
            }
            _ => Err(InvalidValue::new("is not in the form of one issued here")),
        }
    }

    /// The hint shown in lists: the last four characters.
    pub fn hint(&self) -> String {
        self.0[self.0.len() - 4..].to_owned()
    }
}

/// A password as typed by a user: 1 to 1,024 bytes.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

redacted!(Password);

impl Password {
    /// Creates a password from typed text.
    ///
    /// # Errors
    /// If it is empty or longer than 1,024 bytes.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        match text.len() {
            1..=1024 => Ok(Self(Zeroizing::new(text.to_owned()))),
            _ => Err(InvalidValue::new("must have 1 to 1024 bytes")),
        }
    }

    /// The number of characters in canonical composition (NFC). A Hangul syllable or an accented
    /// letter counts once, however it was typed.
    pub fn characters(&self) -> usize {
        self.0.nfc().count()
    }

    /// The password in clear text, only for hashing and for password rules.
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
        assert_eq!(
            format!("{code:?} {:?} {key:?}", code.digest()),
            "AuthorizationCode(..) AuthorizationCodeDigest(..) ApiKeySecret(..)"
        );
        assert_eq!(
            format!("{:?}", Password::new("hunter2").unwrap()),
            "Password(..)"
        );
    }

    #[test]
    fn a_presented_secret_has_the_digest_of_the_issued_one() {
        let issued = SessionToken::from_random([9; 32]);
        let presented = SessionToken::parse(issued.expose()).unwrap();
        assert!(issued.digest().matches(&presented.digest()));
        assert!(
            !issued
                .digest()
                .matches(&SessionToken::from_random([8; 32]).digest())
        );
        for text in [
            "",
            "short",
            &"é".repeat(21),
            &format!("{}=", issued.expose()),
            &"a".repeat(44),
        ] {
            assert!(SessionToken::parse(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn a_secret_of_another_server_is_presented_as_it_was_issued() {
        for text in [
            "0123456789abcdef0123456789abcdef",
            "3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b",
            &"!~".repeat(256),
        ] {
            let imported = ClientSecret::import(text).unwrap().digest();
            assert!(imported.matches(&ClientSecret::parse(text).unwrap().digest()));
            assert!(
                !imported.matches(
                    &ClientSecret::parse(&format!("{}x", &text[1..]))
                        .unwrap()
                        .digest()
                )
            );
        }
        for text in [
            "",
            "hunter2",
            &"a".repeat(21),
            &"a".repeat(513),
            "0123456789abcdef 0123456789abcdef",
            &"é".repeat(20),
        ] {
            assert!(ClientSecret::import(text).is_err(), "{text:?} was accepted");
        }
    }

    /// Fails if a token of another kind, or one with other characters, is looked up.
    #[test]
    fn a_feed_token_is_recognized_by_its_prefix() {
        let issued = CalendarFeedToken::from_random([0xC3; 32]);
        assert!(issued.expose().starts_with("cal_") && issued.expose().len() == 47);
        assert!(issued.expose().ends_with(&issued.hint()) && issued.hint().len() == 4);
        assert_eq!(format!("{issued:?}"), "CalendarFeedToken(..)");
        let presented = CalendarFeedToken::parse(issued.expose()).unwrap();
        assert!(issued.digest().matches(&presented.digest()));
        for text in [
            "",
            "cal_",
            SessionToken::from_random([1; 32]).expose(),
            &issued.expose().replace("cal_", "CAL_"),
            &format!("{}=", issued.expose()),
            &format!("cal_{}é", "a".repeat(41)),
        ] {
            assert!(
                CalendarFeedToken::parse(text).is_err(),
                "{text:?} was accepted"
            );
        }
    }

    #[test]
    fn an_api_key_is_read_in_either_case_and_shown_only_in_part() {
        let issued = ApiKeySecret::from_random([0xC3; 16]);
        let presented = ApiKeySecret::parse(&issued.expose().to_uppercase()).unwrap();
        assert!(issued.digest().matches(&presented.digest()));
        assert_eq!(issued.hint(), "c3c3c3c3…c3c3");
        for text in [
            "",
            &issued.expose().replace('-', ""),
            &format!("{{{}}}", issued.expose()),
        ] {
            assert!(ApiKeySecret::parse(text).is_err(), "{text:?} was accepted");
        }
    }
}
