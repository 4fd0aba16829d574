use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use crate::domain::{AccountId, InvalidValue, StudentId, Timestamp, fold_case, string_enum};

string_enum! {
    /// A user's role in the service.
    Role {
        /// A user without administration rights.
        User = "USER",
        /// An administrator: manages the records of all owners.
        Admin = "ADMIN",
    }
}

/// An e-mail address: one `@` with text on both sides, at most 254 characters, no blanks or control
/// characters.
///
/// The check only rejects text that cannot be an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(SmolStr);

impl Email {
    /// The address as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address folded for lookups, so that two accounts cannot differ only in case.
    pub fn folded(&self) -> String {
        fold_case(&self.0)
    }
}

impl FromStr for Email {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let parts = text.split_once('@').filter(|(local, domain)| {
            !local.is_empty() && !domain.is_empty() && !domain.contains('@')
        });
        let clean = text.len() <= 254 && !text.chars().any(|c| c.is_control() || c.is_whitespace());
        if parts.is_some() && clean {
            Ok(Self(text.into()))
        } else {
            Err(InvalidValue::new("must be an e-mail address"))
        }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The argon2id hash of a password as stores keep it: a PHC string.
///
/// If a restoration has suspended the account, the text begins with a mark: `!` while the account is
/// suspended or `~` once it is confirmed, and the time of the restoration in epoch seconds, as in
/// `!1790000000$argon2id$…`. The mark makes one-time links invalid that were issued before.
///
/// The account of a student who has left has such a mark too, with the time of the suspension and
/// the word `left`, as in `!1790000000:left$argon2id$…`. If a restoration has suspended it too, before
/// or after, the time of the restoration follows.
///
/// An account whose owner has set no password yet has the text `$none`, which no password matches.
#[derive(Clone)]
pub struct PasswordHash(Box<str>);

impl PasswordHash {
    const SUSPENDED: char = '!';
    const CONFIRMED: char = '~';
    const LEFT: &str = "left";
    const NONE: &str = "$none";

    /// The SQL pattern of the hashes of [leavers](Self::left_at).
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) const LEAVERS: &str = "!%:left%$%";

    /// Wraps a PHC string of the password hasher, or the text from a store.
    pub fn from_phc(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The text for a store: the PHC string, after the mark if there is one.
    pub fn as_phc(&self) -> &str {
        &self.0
    }

    /// The PHC string alone, for the password hasher.
    pub(crate) fn without_mark(&self) -> &str {
        self.0.find('$').map_or(&*self.0, |start| &self.0[start..])
    }

    /// The hash of an account whose owner has set no password yet: no password is right.
    pub fn none() -> Self {
        Self::from_phc(Self::NONE)
    }

    /// Whether the account has no password yet.
    pub fn is_none(&self) -> bool {
        self.without_mark() == Self::NONE
    }

    /// Whether the account is suspended, after a restoration or because its owner has left: no
    /// password is right.
    pub fn is_suspended(&self) -> bool {
        self.0.starts_with(Self::SUSPENDED)
    }

    /// The hash of the account while it is suspended by a restoration at this time. The account of
    /// a student who has left stays one.
    #[must_use]
    pub fn suspended(&self, at: Timestamp) -> Self {
        let (mark, second) = (Self::SUSPENDED, at.seconds());
        if let Some((left_at, _)) = self.leaver_mark() {
            let (left_at, left) = (left_at.seconds(), Self::LEFT);
            let hash = self.without_mark();
            return Self::from_phc(format!("{mark}{left_at}:{left}:{second}{hash}"));
        }
        Self::from_phc(format!("{mark}{second}{}", self.without_mark()))
    }

    /// The hash of the account once it is confirmed after a restoration: the password from before
    /// is right again. The hash of a student who has left stays as it is.
    #[must_use]
    pub fn confirmed(&self) -> Self {
        match self.0.strip_prefix(Self::SUSPENDED) {
            Some(rest) if self.left_at().is_none() => {
                Self::from_phc(format!("{}{rest}", Self::CONFIRMED))
            }
            _ => self.clone(),
        }
    }

    /// When the account was suspended because its owner is a student who has left.
    pub fn left_at(&self) -> Option<Timestamp> {
        self.leaver_mark().map(|(at, _)| at)
    }

    /// The hash of the account while it is suspended because its owner has left.
    #[must_use]
    pub fn suspended_as_left(&self, at: Timestamp) -> Self {
        let restored = match self.leaver_mark() {
            Some((_, restored)) => restored,
            None if self.is_suspended() => self.0[1..].find('$').map(|end| &self.0[1..=end]),
            None => None,
        };
        let (mark, second, left) = (Self::SUSPENDED, at.seconds(), Self::LEFT);
        let restored = restored.map_or_else(String::new, |second| format!(":{second}"));
        Self::from_phc(format!(
            "{mark}{second}:{left}{restored}{}",
            self.without_mark()
        ))
    }

    /// The hash of the account once its owner is enrolled again: the password from before is right
    /// again, unless a restoration has suspended the account too.
    #[must_use]
    pub fn resumed(&self) -> Self {
        match self.leaver_mark() {
            Some((_, Some(restored))) => Self::from_phc(format!(
                "{}{restored}{}",
                Self::SUSPENDED,
                self.without_mark()
            )),
            Some((at, None)) => Self::from_phc(format!(
                "{}{}{}",
                Self::CONFIRMED,
                at.seconds(),
                self.without_mark()
            )),
            None => self.clone(),
        }
    }

    /// When the account of a leaver was suspended, and the time of a restoration that has suspended
    /// it too.
    fn leaver_mark(&self) -> Option<(Timestamp, Option<&str>)> {
        let mark = self.0.strip_prefix(Self::SUSPENDED)?;
        let mut parts = mark[..mark.find('$')?].splitn(3, ':');
        let second = parts.next()?.parse().ok()?;
        let is_left = parts.next()? == Self::LEFT;
        is_left.then(|| (Timestamp::from_seconds(second), parts.next()))
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(..)")
    }
}

/// A built-in account, for hosts without users of their own.
#[derive(Debug, Clone)]
pub struct Account {
    /// The id.
    pub id: AccountId,
    /// The address that the user signs in with; unique regardless of case.
    pub email: Email,
    /// The hash of the password.
    pub password_hash: PasswordHash,
    /// The role.
    pub role: Role,
    /// When the account was created.
    pub created_at: Timestamp,
    /// The student that the account is known to belong to. It stays when the addresses of the
    /// account and the student differ, or the student is gone.
    pub student: Option<StudentId>,
}

/// The id of a user, assigned by the authenticator: 1 to 255 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubjectId(Box<str>);

impl SubjectId {
    /// The owner of built-in records.
    pub fn service() -> Self {
        Self("service".into())
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as an integer from 1 to 2⁵³ − 1, for clients that parse a number: the `id` of
    /// `/userinfo`, unless the user has [another](Subject::numeric_id). It never changes.
    ///
    /// An id that is such a number in decimal digits, without leading zeros, is that number. Any
    /// other id maps to the first 53 bits of its SHA-256. Two of these may collide, for 10,000
    /// users with a probability of 1 in 180,000,000. A service that grants access by number should
    /// therefore also compare the `sub`. A host should not mix both kinds of ids.
    pub fn numeric_id(&self) -> i64 {
        let as_written = self.0.parse().ok().filter(|number| {
            (1..=Self::MAX_NUMERIC_ID).contains(number) && number.to_string() == *self.0
        });
        as_written
            .unwrap_or_else(|| numeric_id_from_digest(&Sha256::digest(self.0.as_bytes()).into()))
    }

    /// The largest integer that JavaScript and other JSON parsers represent exactly (RFC 8259 §6).
    const MAX_NUMERIC_ID: i64 = (1 << 53) - 1;
}

/// The first 53 bits of a digest as a number; 1 if they are all 0.
fn numeric_id_from_digest(digest: &[u8; 32]) -> i64 {
    let first = digest
        .iter()
        .take(7)
        .fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
    (first >> 3).max(1)
}

impl FromStr for SubjectId {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        if text.is_empty() || text.len() > 255 || text.chars().any(char::is_control) {
            return Err(InvalidValue::new(
                "must have 1 to 255 characters and no control characters",
            ));
        }
        Ok(Self(text.into()))
    }
}

impl From<AccountId> for SubjectId {
    fn from(account: AccountId) -> Self {
        Self(account.to_string().into())
    }
}

/// A signed-in user: the claims of a token about its user (spec 3.14).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The id, which stays when the e-mail address changes.
    pub id: SubjectId,
    /// The `sub` claim.
    pub email: Email,
    /// The `role` claim.
    pub role: Role,
    /// The host's own number for the user, if the derived number is unsuitable. Stores do not save
    /// it: only the value that `Authenticator::subject` returns is used.
    pub numeric_id: Option<NumericUserId>,
    /// The student that the user is known to be, whose record `/userinfo` has; if there is no such
    /// record, the user is no student. Without it the user is the student with the
    /// [address](Self::email). Stores do not save it either.
    pub student: Option<StudentId>,
}

impl Subject {
    /// The user as an integer from 0 to 2⁵³ − 1, for clients that parse a number: the `id` of
    /// `/userinfo`. It is the host's own number, or else
    /// [derived from the id](SubjectId::numeric_id).
    pub fn numeric_id(&self) -> i64 {
        self.numeric_id
            .map_or_else(|| self.id.numeric_id(), NumericUserId::get)
    }
}

/// A host's own number for a user, from 0 to 2⁵³ − 1, which JSON parsers represent exactly (RFC
/// 8259 §6). A user's number should never change or be assigned to another user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumericUserId(i64);

impl NumericUserId {
    /// Creates the id from a number.
    ///
    /// # Errors
    /// If it is below 0, or 2⁵³ or more.
    pub fn new(number: i64) -> Result<Self, InvalidValue> {
        if (0..=SubjectId::MAX_NUMERIC_ID).contains(&number) {
            Ok(Self(number))
        } else {
            Err(InvalidValue::new("must be from 0 to 9007199254740991"))
        }
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
        for number in [1, 7, 20_260_001, SubjectId::MAX_NUMERIC_ID] {
            assert_eq!(
                number
                    .to_string()
                    .parse::<SubjectId>()
                    .unwrap()
                    .numeric_id(),
                number
            );
        }
    }

    /// Fails if the derivation changes: clients store these numbers.
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
            assert_eq!(
                id.parse::<SubjectId>().unwrap().numeric_id(),
                number,
                "{id}"
            );
        }
    }

    #[test]
    fn a_number_is_above_zero_and_below_two_to_the_53_whatever_the_digest() {
        assert_eq!(
            (
                numeric_id_from_digest(&[0xFF; 32]),
                numeric_id_from_digest(&[0; 32])
            ),
            (SubjectId::MAX_NUMERIC_ID, 1)
        );
    }

    /// Fails if a number is accepted that some client cannot parse, or if the derived number takes
    /// precedence over the host's.
    #[test]
    fn a_host_brings_a_number_that_every_client_can_read() {
        let subject = |numeric_id| Subject {
            id: "kim".parse().unwrap(),
            email: "a@b".parse().unwrap(),
            role: Role::User,
            numeric_id,
            student: None,
        };
        assert_eq!(subject(None).numeric_id(), subject(None).id.numeric_id());
        for number in [0, 42, SubjectId::MAX_NUMERIC_ID] {
            assert_eq!(
                subject(Some(NumericUserId::new(number).unwrap())).numeric_id(),
                number
            );
        }
        for number in [-1, SubjectId::MAX_NUMERIC_ID + 1, i64::MAX, i64::MIN] {
            assert!(NumericUserId::new(number).is_err(), "{number} was accepted");
        }
    }

    /// Fails if a confirmation loses the password, if a second suspension needs two of them, or if
    /// the hash is a text that it has been before.
    #[test]
    fn a_confirmed_hash_has_the_password_from_before_and_is_another_text() {
        let at = Timestamp::from_seconds;
        let phc = "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA";
        let hash = PasswordHash::from_phc(phc);
        let suspended = hash.suspended(at(1_790_000_000));
        let again = suspended.suspended(at(1_790_000_001));
        let states = [
            hash.clone(),
            suspended.clone(),
            suspended.confirmed(),
            again.clone(),
            again.confirmed(),
        ];
        assert_eq!(
            states.each_ref().map(PasswordHash::is_suspended),
            [false, true, false, true, false]
        );
        for (number, state) in states.iter().enumerate() {
            assert_eq!(state.without_mark(), phc);
            let earlier = &states[..number];
            assert!(earlier.iter().all(|one| one.as_phc() != state.as_phc()));
        }
        assert_eq!(hash.confirmed().as_phc(), phc);
    }

    /// Fails if an account that a build before schema 17 suspended cannot be confirmed.
    #[test]
    fn a_suspension_without_a_time_is_confirmed_too() {
        let suspended = PasswordHash::from_phc("!$argon2id$hash");
        assert!(suspended.is_suspended());
        assert_eq!(suspended.confirmed().without_mark(), "$argon2id$hash");
    }

    /// Fails if a leaver who is enrolled again lacks the password from before, if a restoration is
    /// confirmed by an enrollment, or if a confirmation lets a leaver in.
    #[test]
    fn the_hash_of_a_leaver_is_suspended_until_the_student_is_enrolled_again() {
        let at = Timestamp::from_seconds;
        let phc = "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA";
        let hash = PasswordHash::from_phc(phc);
        let left = hash.suspended_as_left(at(1_790_000_000));
        assert_eq!(left.as_phc(), format!("!1790000000:left{phc}"));
        assert_eq!(left.left_at(), Some(at(1_790_000_000)));
        assert!(left.is_suspended() && left.confirmed().is_suspended());
        assert_eq!(left.resumed().as_phc(), format!("~1790000000{phc}"));
        assert_eq!((hash.left_at(), hash.resumed().as_phc()), (None, phc));

        let restored = hash.suspended(at(1_790_000_001));
        assert_eq!(restored.left_at(), None);
        let both = restored.suspended_as_left(at(1_790_000_002));
        assert_eq!(both.left_at(), Some(at(1_790_000_002)));
        assert_eq!(both.resumed().as_phc(), restored.as_phc());
        let again = both.suspended_as_left(at(1_790_000_003));
        assert_eq!(again.resumed().as_phc(), restored.as_phc());

        for earlier in [&left, &both] {
            let restored = earlier.suspended(at(1_790_000_004)).confirmed();
            assert_eq!(restored.left_at(), earlier.left_at());
            assert_ne!(restored.as_phc(), earlier.as_phc());
            let resumed = format!("!1790000004{phc}");
            assert_eq!(restored.resumed().as_phc(), resumed);
        }
    }

    #[test]
    fn an_account_without_a_password_stays_one_while_it_is_suspended() {
        let none = PasswordHash::none();
        let at = Timestamp::from_seconds(1_790_000_000);
        for hash in [
            none.clone(),
            none.suspended(at),
            none.suspended(at).confirmed(),
            none.suspended_as_left(at),
            none.suspended_as_left(at).resumed(),
        ] {
            assert!(hash.is_none());
        }
        assert!(!PasswordHash::from_phc("$argon2id$hash").is_none());
    }

    #[test]
    fn an_address_has_one_at_sign_and_no_blanks() {
        for text in ["a@b", "kim.haneul@school.example", "한글@학교.example"] {
            assert!(text.parse::<Email>().is_ok(), "{text:?} was refused");
        }
        for text in [
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            "a b@c",
            "a@b\n",
            "a@b\0",
            &format!("{}@b", "a".repeat(254)),
        ] {
            assert!(text.parse::<Email>().is_err(), "{text:?} was accepted");
        }
        assert_eq!(
            "Kim@School.Example".parse::<Email>().unwrap().folded(),
            "kim@school.example"
        );
    }
}
