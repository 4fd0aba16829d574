use aws_lc_rs::hmac;
use base64ct::{Base64UrlUnpadded, Encoding};

#[cfg(feature = "console")]
use sha2::{Digest, Sha256};

use super::MasterKey;
#[cfg(feature = "console")]
use crate::domain::SubjectId;
use crate::domain::{SessionToken, UserSessionToken};

/// Tokens of the built-in forms, which protect against cross-site request forgery (RFC 6749
/// §10.12).
///
/// A form's token is an HMAC of its session's digest. It proves that the form was rendered for this
/// session, and does not reveal the session token.
#[derive(Debug, Clone)]
pub(crate) struct FormTokens {
    /// The first key issues tokens. The others verify tokens issued under other master keys.
    keys: Vec<hmac::Key>,
}

impl FormTokens {
    /// Creates the form tokens of all servers with this master key.
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self {
            keys: master.hmac_keys("form tokens"),
        }
    }

    /// The token for the forms of a session: 43 characters of base64url.
    pub(crate) fn issue(&self, session: &impl FormSession) -> String {
        Base64UrlUnpadded::encode_string(
            hmac::sign(&self.keys[0], &session.session_digest()).as_ref(),
        )
    }

    /// Whether the token belongs to a form of this session. Compares in constant time.
    pub(crate) fn matches(&self, session: &impl FormSession, presented: &str) -> bool {
        let mut buffer = [0; 32];
        let tag = Base64UrlUnpadded::decode(presented, &mut buffer);
        tag.is_ok_and(|tag| {
            self.keys
                .iter()
                .any(|key| hmac::verify(key, &session.session_digest(), tag).is_ok())
        })
    }
}

/// A session that has forms.
pub(crate) trait FormSession {
    /// The digest that identifies the session.
    fn session_digest(&self) -> [u8; 32];
}

impl FormSession for SessionToken {
    fn session_digest(&self) -> [u8; 32] {
        *self.digest().as_bytes()
    }
}

impl FormSession for UserSessionToken {
    fn session_digest(&self) -> [u8; 32] {
        *self.digest().as_bytes()
    }
}

/// A user's session, for the forms of signed-in users. Their tokens are of no use to another user,
/// so that a form that outlives its session is given back to its user alone.
#[cfg(feature = "console")]
#[derive(Debug, Clone)]
pub(crate) struct UserForms {
    session: [u8; 32],
    user: SubjectId,
}

#[cfg(feature = "console")]
impl UserForms {
    /// The forms of a user in the session with this digest.
    pub(crate) const fn new(session: [u8; 32], user: SubjectId) -> Self {
        Self { session, user }
    }
}

#[cfg(feature = "console")]
impl FormSession for UserForms {
    fn session_digest(&self) -> [u8; 32] {
        let digest = Sha256::new_with_prefix(self.session);
        digest.chain_update(self.user.as_str()).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn forms(key: u8) -> FormTokens {
        FormTokens::new(&MasterKey::from_bytes([key; 32]))
    }

    // Proves: threats 22
    /// Fails if any well-formed token is accepted.
    #[test]
    fn a_form_belongs_to_one_session_of_one_service() {
        let (mine, yours) = (
            SessionToken::from_random([1; 32]),
            SessionToken::from_random([2; 32]),
        );
        let token = forms(7).issue(&mine);
        assert!(forms(7).matches(&mine, &token));
        assert!(!forms(7).matches(&yours, &token));
        assert!(!forms(8).matches(&mine, &token));
        assert_ne!(token, mine.expose());
    }

    #[test]
    fn a_form_issued_under_a_former_master_key_can_be_posted() {
        let session = SessionToken::from_random([1; 32]);
        let (old, new) = (
            MasterKey::from_bytes([7; 32]),
            MasterKey::from_bytes([8; 32]),
        );
        let token = forms(7).issue(&session);
        assert!(FormTokens::new(&new.clone().with_former(old.clone())).matches(&session, &token));
        assert!(FormTokens::new(&old.with_next(new)).matches(&session, &forms(8).issue(&session)));
    }

    #[test]
    fn a_part_of_a_token_is_no_token() {
        let session = SessionToken::from_random([1; 32]);
        let token = forms(7).issue(&session);
        for text in [
            "",
            &token[..4],
            &token[..40],
            &format!("{token}="),
            &format!("{token}AA"),
        ] {
            assert!(!forms(7).matches(&session, text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_refused_without_a_panic(text in any::<String>(), shaped in "[A-Za-z0-9_-]{43}") {
            let session = SessionToken::from_random([1; 32]);
            prop_assert!(!forms(7).matches(&session, &text));
            prop_assert!(!forms(7).matches(&session, &shaped));
        }

        #[test]
        fn no_bit_can_be_flipped(at in 0..32_usize, bit in 0..8_u8) {
            let session = SessionToken::from_random([1; 32]);
            let mut bytes = Base64UrlUnpadded::decode_vec(&forms(7).issue(&session)).unwrap();
            bytes[at] ^= 1 << bit;
            prop_assert!(!forms(7).matches(&session, &Base64UrlUnpadded::encode_string(&bytes)));
        }
    }
}
