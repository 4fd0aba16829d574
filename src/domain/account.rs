use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use crate::domain::{AccountId, Invalid, Timestamp, fold, vocabulary};

vocabulary! {
    /// What a person may do in the service itself.
    Role {
        /// Anyone who can sign in.
        User = "USER",
        /// May manage what others own.
        Admin = "ADMIN",
    }
}

/// An e-mail address: one `@`, something on both sides, at most 254 characters, no blanks or control characters.
///
/// Whether mail arrives there is not ours to say; the rule keeps out what could not be an address at all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(SmolStr);

impl Email {
    /// The address as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address as accounts are found by: folded, so that case never makes two accounts of one person.
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

impl FromStr for Email {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let parts = text.split_once('@').filter(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
        let clean = text.len() <= 254 && !text.chars().any(|c| c.is_control() || c.is_whitespace());
        if parts.is_some() && clean { Ok(Self(text.into())) } else { Err(Invalid::new("must be an e-mail address")) }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The argon2id hash of a password, in the PHC string format.
#[derive(Clone)]
pub struct PasswordHash(Box<str>);

impl PasswordHash {
    /// A hash that the password hasher made, or that a store kept.
    pub fn from_phc(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The PHC string.
    pub fn as_phc(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(..)")
    }
}

/// A built-in account, for hosts that do not bring their own users.
#[derive(Debug, Clone)]
pub struct Account {
    /// The id.
    pub id: AccountId,
    /// The address that the person signs in with; unique whatever its case.
    pub email: Email,
    /// What the password is checked against.
    pub password_hash: PasswordHash,
    /// What the person may do in the service.
    pub role: Role,
    /// When the account was made.
    pub created_at: Timestamp,
}

/// The id of a signed-in person, as whoever signed them in knows them: 1 to 255 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubjectId(Box<str>);

impl SubjectId {
    /// The owner of what came with the service itself.
    pub fn service() -> Self {
        Self("service".into())
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as a whole number from 1 to 2⁵³ − 1, for clients that parse a number: the `id` of `/userinfo`, unless the user has
    /// [another](Subject::number). It never changes.
    ///
    /// An id that is such a number in decimal digits, without leading zeros, is that number: a host whose users have numbers keeps them. Any
    /// other id has the first 53 bits of its SHA-256. Two of those may then have the same number, in a school of 10,000 people with a probability
    /// of 1 in 180,000,000, so a service that grants access by number should compare the `sub` as well. A host should use ids of one kind alone.
    pub fn number(&self) -> i64 {
        let as_written = self.0.parse().ok().filter(|number| (1..=Self::LARGEST).contains(number) && number.to_string() == *self.0);
        as_written.unwrap_or_else(|| number_of(&Sha256::digest(self.0.as_bytes()).into()))
    }

    /// The largest whole number that JavaScript and every other reader of JSON keeps exactly (RFC 8259 §6).
    const LARGEST: i64 = (1 << 53) - 1;
}

/// The first 53 bits of a digest as a number; 1 where they are all 0.
fn number_of(digest: &[u8; 32]) -> i64 {
    let first = digest.iter().take(7).fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
    (first >> 3).max(1)
}

impl FromStr for SubjectId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if text.is_empty() || text.len() > 255 || text.chars().any(char::is_control) {
            return Err(Invalid::new("must have 1 to 255 characters and no control characters"));
        }
        Ok(Self(text.into()))
    }
}

impl From<AccountId> for SubjectId {
    fn from(account: AccountId) -> Self {
        Self(account.to_string().into())
    }
}

/// Who signed in: what a token says of its user (service.md, "JWT access token claims").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The id, which stays when the address changes.
    pub id: SubjectId,
    /// The `sub` claim.
    pub email: Email,
    /// The `role` claim.
    pub role: Role,
    /// The host's own number for the user, where the number that is derived from the id will not do. Stores do not keep it: only the number in
    /// the host's answer to `Authenticator::subject` is used.
    pub number: Option<UserNumber>,
}

impl Subject {
    /// The user as a whole number from 0 to 2⁵³ − 1, for clients that parse a number: the `id` of `/userinfo`. It is the host's own, or else
    /// [derived from the id](SubjectId::number).
    pub fn number(&self) -> i64 {
        self.number.map_or_else(|| self.id.number(), UserNumber::get)
    }
}

/// A host's own number for a user, from 0 to 2⁵³ − 1: every reader of JSON keeps these exactly (RFC 8259 §6). A user's number should never
/// change, nor become another user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserNumber(i64);

impl UserNumber {
    /// A number of the host's.
    ///
    /// # Errors
    /// When it is below 0, or 2⁵³ or more.
    pub fn new(number: i64) -> Result<Self, Invalid> {
        if (0..=SubjectId::LARGEST).contains(&number) { Ok(Self(number)) } else { Err(Invalid::new("must be from 0 to 9007199254740991")) }
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_a_number_keeps_it() {
        for number in [1, 7, 20_260_001, SubjectId::LARGEST] {
            assert_eq!(number.to_string().parse::<SubjectId>().unwrap().number(), number);
        }
    }

    /// Fails if the derivation is changed: clients keep these numbers.
    #[test]
    fn any_other_id_has_the_number_that_sha_256_gives_it() {
        for (id, number) in [
            ("3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", 760_847_704_308_741),
            ("kim", 1_360_985_103_477_066),
            ("0", 3_375_077_322_127_629),
            ("007", 3_469_962_583_109_473),
            ("-7", 5_891_296_663_278_521),
            ("+7", 4_036_580_898_315_174),
            ("9007199254740992", 6_984_352_457_745_639),
        ] {
            assert_eq!(id.parse::<SubjectId>().unwrap().number(), number, "{id}");
        }
    }

    #[test]
    fn a_number_is_above_zero_and_below_two_to_the_53_whatever_the_digest() {
        assert_eq!((number_of(&[0xFF; 32]), number_of(&[0; 32])), (SubjectId::LARGEST, 1));
    }

    /// Fails if a number is taken that some client cannot read, or the host's number is passed over for the derived one.
    #[test]
    fn a_host_brings_a_number_that_every_client_can_read() {
        let subject = |number| Subject { id: "kim".parse().unwrap(), email: "a@b".parse().unwrap(), role: Role::User, number };
        assert_eq!(subject(None).number(), subject(None).id.number());
        for number in [0, 42, SubjectId::LARGEST] {
            assert_eq!(subject(Some(UserNumber::new(number).unwrap())).number(), number);
        }
        for number in [-1, SubjectId::LARGEST + 1, i64::MAX, i64::MIN] {
            assert!(UserNumber::new(number).is_err(), "{number} was accepted");
        }
    }

    #[test]
    fn an_address_has_one_at_sign_and_no_blanks() {
        for text in ["a@b", "kim.haneul@school.example", "한글@학교.example"] {
            assert!(text.parse::<Email>().is_ok(), "{text:?} was refused");
        }
        for text in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n", "a@b\0", &format!("{}@b", "a".repeat(254))] {
            assert!(text.parse::<Email>().is_err(), "{text:?} was accepted");
        }
        assert_eq!("Kim@School.Example".parse::<Email>().unwrap().folded(), "kim@school.example");
    }
}
