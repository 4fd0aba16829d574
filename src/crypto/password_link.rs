use aws_lc_rs::hmac;
use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{FormSession, MasterKey};
use crate::domain::{Account, AccountId, Timestamp};

/// Bytes of a token: the account's id, the second at which it expires, and the HMAC.
const LENGTH: usize = 16 + 8 + 32;

/// Characters of a token.
const CHARACTERS: usize = LENGTH.div_ceil(3) * 4 - 1;

/// Tokens of one-time links, with which the owner of an account sets a password.
///
/// Tokens are not stored. The HMAC covers the account, the expiry, the role and the digest of the
/// current password hash. A new password, another role or the removal of the account therefore
/// voids all links of the account, and a used link voids itself.
#[derive(Debug, Clone)]
pub(crate) struct PasswordLinks {
    /// The first key issues tokens. The others verify tokens issued under other master keys.
    keys: Vec<hmac::Key>,
}

/// A well-formed token that has not been verified.
pub(crate) struct PasswordLinkToken([u8; LENGTH]);

impl PasswordLinks {
    /// Creates the links of all servers with this master key.
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self {
            keys: master.hmac_keys("password links"),
        }
    }

    /// The token of a link for the account as it is now.
    pub(crate) fn issue(&self, account: &Account, expires_at: Timestamp) -> String {
        let seconds = expires_at.seconds().to_be_bytes();
        let message = message(*account.id.as_bytes(), seconds, account);
        let tag = hmac::sign(&self.keys[0], &message);
        let token = [account.id.as_bytes(), &seconds[..], tag.as_ref()].concat();
        Base64UrlUnpadded::encode_string(&token)
    }

    /// Whether the token was issued for the account as it is now, and has not expired. Compares in
    /// constant time.
    pub(crate) fn matches(
        &self,
        token: &PasswordLinkToken,
        account: &Account,
        now: Timestamp,
    ) -> bool {
        let message = message(token.id(), token.seconds(), account);
        let is_issued = self
            .keys
            .iter()
            .any(|key| hmac::verify(key, &message, &token.0[24..]).is_ok());
        is_issued && account.id == token.account() && now < token.expires_at()
    }
}

impl PasswordLinkToken {
    /// Parses the token of a link.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() != CHARACTERS {
            return None;
        }
        let mut bytes = [0; LENGTH];
        Base64UrlUnpadded::decode(text, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// The account that the token is for.
    pub(crate) fn account(&self) -> AccountId {
        Uuid::from_bytes(self.id()).into()
    }

    fn id(&self) -> [u8; 16] {
        std::array::from_fn(|at| self.0[at])
    }

    fn seconds(&self) -> [u8; 8] {
        std::array::from_fn(|at| self.0[16 + at])
    }

    /// The first second at which the token is invalid.
    fn expires_at(&self) -> Timestamp {
        Timestamp::from_seconds(i64::from_be_bytes(self.seconds()))
    }
}

/// The form of a link belongs to its token, so that the page needs no cookie.
impl FormSession for PasswordLinkToken {
    fn session_digest(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

fn message(id: [u8; 16], seconds: [u8; 8], account: &Account) -> Vec<u8> {
    let hash = Sha256::digest(account.password_hash.as_phc());
    [&id[..], &seconds, &hash, account.role.as_str().as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{PasswordHash, Role};

    const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
    const LATER: Timestamp = Timestamp::from_seconds(1_790_000_060);

    fn links(key: u8) -> PasswordLinks {
        PasswordLinks::new(&MasterKey::from_bytes([key; 32]))
    }

    fn account(id: u8) -> Account {
        Account {
            id: AccountId::from_random([id; 16]),
            email: "kim@school.example".parse().unwrap(),
            password_hash: PasswordHash::from_phc("$argon2id$first"),
            role: Role::User,
            created_at: NOW,
            student: None,
        }
    }

    fn is_valid(key: u8, token: &str, account: &Account, now: Timestamp) -> bool {
        PasswordLinkToken::parse(token)
            .is_some_and(|token| links(key).matches(&token, account, now))
    }

    /// Fails if the HMAC does not cover the account, the expiry, the role or the password.
    #[test]
    fn a_link_is_for_one_state_of_one_account_until_it_expires() {
        let token = links(7).issue(&account(1), LATER);
        assert!(is_valid(7, &token, &account(1), NOW));
        assert!(!is_valid(7, &token, &account(1), LATER), "it has expired");
        assert!(!is_valid(8, &token, &account(1), NOW), "another master key");
        assert!(!is_valid(7, &token, &account(2), NOW), "another account");
        let promoted = Account {
            role: Role::Admin,
            ..account(1)
        };
        assert!(!is_valid(7, &token, &promoted, NOW), "another role");
        let changed = Account {
            password_hash: PasswordHash::from_phc("$argon2id$second"),
            ..account(1)
        };
        assert!(!is_valid(7, &token, &changed, NOW), "another password");
        let later = links(7).issue(&account(1), LATER.plus(std::time::Duration::from_secs(1)));
        assert_ne!(token[24..], later[24..]);
    }

    #[test]
    fn a_link_issued_under_a_former_master_key_works() {
        let (old, new) = (
            MasterKey::from_bytes([7; 32]),
            MasterKey::from_bytes([8; 32]),
        );
        let token = PasswordLinkToken::parse(&links(7).issue(&account(1), LATER)).unwrap();
        let rotated = PasswordLinks::new(&new.with_former(old));
        assert!(rotated.matches(&token, &account(1), NOW));
    }

    proptest! {
        /// Fails if a part of the token is not verified.
        #[test]
        fn no_bit_can_be_flipped(at in 0..LENGTH, bit in 0..8_u8) {
            let mut bytes = Base64UrlUnpadded::decode_vec(&links(7).issue(&account(1), LATER)).unwrap();
            bytes[at] ^= 1 << bit;
            prop_assert!(!is_valid(7, &Base64UrlUnpadded::encode_string(&bytes), &account(1), NOW));
        }

        #[test]
        fn arbitrary_text_is_refused_without_a_panic(text in any::<String>(), shaped in "[A-Za-z0-9_-]{75}") {
            prop_assert!(!is_valid(7, &text, &account(1), NOW));
            prop_assert!(!is_valid(7, &shaped, &account(1), NOW));
        }
    }
}
