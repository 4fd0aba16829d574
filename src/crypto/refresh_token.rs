//! Refresh tokens that are computed instead of stored.
//!
//! A token is one version byte, the 16 bytes of its grant's id, 4 bytes of generation and an
//! HMAC-SHA256 of those 21, as base64url. No store contains a usable token. Every node computes the
//! same token for a grant and generation, so a client that did not receive a response gets the same
//! successor again.

use std::fmt;

use aws_lc_rs::hmac;
use base64ct::{Base64UrlUnpadded, Encoding};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::MasterKey;
use crate::domain::{Generation, GrantId};

const VERSION: u8 = 1;
const BODY_LENGTH: usize = 1 + 16 + 4;
const TOKEN_LENGTH: usize = BODY_LENGTH + 32;
/// 53 bytes make 71 characters.
const ENCODED_LENGTH: usize = 71;

/// Issues and verifies refresh tokens.
#[derive(Debug, Clone)]
pub(crate) struct RefreshTokens {
    /// The first key issues tokens. The others verify tokens issued under other master keys.
    keys: Vec<hmac::Key>,
}

impl RefreshTokens {
    /// Creates the tokens of all servers with this master key.
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self {
            keys: master.hmac_keys("refresh tokens"),
        }
    }

    /// Returns the token of a grant and generation. It is always the same under one master key.
    pub(crate) fn issue(&self, grant: GrantId, generation: Generation) -> RefreshToken {
        let mut bytes = Zeroizing::new([0; TOKEN_LENGTH]);
        let (body, tag) = bytes.split_at_mut(BODY_LENGTH);
        body[0] = VERSION;
        body[1..17].copy_from_slice(grant.as_bytes());
        body[17..].copy_from_slice(&generation.get().to_be_bytes());
        tag.copy_from_slice(hmac::sign(&self.keys[0], body).as_ref());
        RefreshToken(Zeroizing::new(Base64UrlUnpadded::encode_string(
            bytes.as_slice(),
        )))
    }

    /// Returns the grant and generation of a token issued here, `None` for anything else. Compares
    /// in constant time. Does not check whether the grant is still valid.
    pub(crate) fn verify(&self, presented: &str) -> Option<(GrantId, Generation)> {
        let mut bytes = Zeroizing::new([0; TOKEN_LENGTH]);
        if presented.len() != ENCODED_LENGTH {
            return None;
        }
        // The decoder also rejects a last character with unused bits set, so that a token has only
        // one spelling.
        Base64UrlUnpadded::decode(presented, bytes.as_mut_slice()).ok()?;
        let (body, tag) = bytes.split_first_chunk::<BODY_LENGTH>()?;
        self.keys
            .iter()
            .find(|key| hmac::verify(key, body, tag).is_ok())?;
        let (&version, body) = body.split_first()?;
        let (&grant, generation) = body.split_first_chunk::<16>()?;
        let generation = u32::from_be_bytes(generation.try_into().ok()?);
        (version == VERSION).then(|| (Uuid::from_bytes(grant).into(), Generation::new(generation)))
    }
}

/// A refresh token (RFC 6749 §1.5): 71 characters of base64url.
#[derive(Clone)]
pub(crate) struct RefreshToken(Zeroizing<String>);

impl RefreshToken {
    /// The token in clear text, for its client only.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshToken(..)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(key: u8) -> RefreshTokens {
        RefreshTokens::new(&MasterKey::from_bytes([key; 32]))
    }

    // Proves: spec 3.15
    #[test]
    fn the_same_generation_of_a_grant_always_has_the_same_token() {
        let grant = GrantId::from_random([1; 16]);
        let token = tokens(7).issue(grant, Generation::new(3));
        assert_eq!(
            token.expose(),
            tokens(7).issue(grant, Generation::new(3)).expose()
        );
        assert_ne!(
            token.expose(),
            tokens(7).issue(grant, Generation::new(4)).expose()
        );
        assert_ne!(
            token.expose(),
            tokens(7)
                .issue(GrantId::from_random([2; 16]), Generation::new(3))
                .expose()
        );
        assert_eq!(token.expose().len(), ENCODED_LENGTH);
    }

    #[test]
    fn a_token_of_another_master_key_does_not_open() {
        let token = tokens(7).issue(GrantId::from_random([1; 16]), Generation::FIRST);
        assert!(tokens(7).verify(token.expose()).is_some());
        assert!(tokens(8).verify(token.expose()).is_none());
    }

    #[test]
    fn a_token_has_one_spelling() {
        let token = tokens(7).issue(GrantId::from_random([1; 16]), Generation::FIRST);
        let text = token.expose();
        // 71 characters encode two bits more than 53 bytes.
        let last = text.chars().last().unwrap();
        for other in ('A'..='Z')
            .chain('a'..='z')
            .chain('0'..='9')
            .chain(['-', '_'])
            .filter(|other| *other != last)
        {
            assert!(
                tokens(7)
                    .verify(&format!("{}{other}", &text[..70]))
                    .is_none(),
                "{other}"
            );
        }
        for changed in [
            String::new(),
            format!("{text}="),
            format!(" {text}"),
            format!("{text}A"),
            text[..70].to_owned(),
            "é".repeat(71),
        ] {
            assert!(tokens(7).verify(&changed).is_none(), "{changed:?}");
        }
    }

    #[test]
    fn tokens_of_a_former_and_of_the_next_master_key_open_and_the_present_one_makes() {
        let (grant, generation) = (GrantId::from_random([1; 16]), Generation::new(3));
        let [old, new] = [7, 8].map(|key| MasterKey::from_bytes([key; 32]));
        let issue = |master: &MasterKey| {
            RefreshTokens::new(master)
                .issue(grant, generation)
                .expose()
                .to_owned()
        };
        for both in [
            new.clone().with_former(old.clone()),
            new.clone().with_next(old.clone()),
        ] {
            assert_eq!(issue(&both), issue(&new));
            for token in [issue(&old), issue(&new)] {
                assert_eq!(
                    RefreshTokens::new(&both).verify(&token),
                    Some((grant, generation))
                );
            }
            assert_eq!(
                RefreshTokens::new(&both).verify(&issue(&MasterKey::from_bytes([9; 32]))),
                None
            );
        }
        assert_eq!(RefreshTokens::new(&new).verify(&issue(&old)), None);
    }

    #[test]
    fn a_token_and_its_maker_print_nothing_of_the_secret() {
        let token = tokens(7).issue(GrantId::from_random([1; 16]), Generation::FIRST);
        assert_eq!(format!("{token:?}"), "RefreshToken(..)");
        assert_eq!(format!("{:?}", tokens(7)), format!("{:?}", tokens(8)));
    }

    proptest! {
        #[test]
        fn every_token_opens_to_what_it_was_issued_for(bits in any::<[u8; 16]>(), number in any::<u32>()) {
            let (grant, generation) = (GrantId::from(Uuid::from_bytes(bits)), Generation::new(number));
            prop_assert_eq!(tokens(7).verify(tokens(7).issue(grant, generation).expose()), Some((grant, generation)));
        }

        #[test]
        fn no_bit_can_be_flipped(at in 0..TOKEN_LENGTH, bit in 0..8_u8) {
            let token = tokens(7).issue(GrantId::from_random([1; 16]), Generation::FIRST);
            let mut bytes = Base64UrlUnpadded::decode_vec(token.expose()).unwrap();
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(tokens(7).verify(&Base64UrlUnpadded::encode_string(&bytes)), None);
        }

        #[test]
        fn arbitrary_text_is_refused_without_a_panic(text in any::<String>(), shaped in "[A-Za-z0-9_-]{71}") {
            prop_assert_eq!(tokens(7).verify(&text), None);
            prop_assert_eq!(tokens(7).verify(&shaped), None);
        }
    }
}
