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
mod tests;
