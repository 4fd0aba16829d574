//! What the small numbers of operations stand for. Each run has names of its own, so that all runs can share one store.

use std::time::Duration;

use crate::domain::{
    AccountId, ApiKeyDigest, ApiKeyId, ApplicationId, AuthorizationCodeDigest, ClientId, ClubId, Date, Email, GrantId, KeyId, PasswordHash,
    ProjectId, RateKey, Scope, ScopeId, SessionDigest, StudentId, SubjectId, Timestamp, UserSessionDigest, UserSessionId,
};
use crate::store::TokenLifetimes;

/// How long things last in these stories, in seconds from their beginning.
pub(super) const SESSION_ENDS: i64 = 600;
pub(super) const CODE_ENDS: i64 = 60;
pub(super) const IDLE: i64 = 1_000;
pub(super) const ABSOLUTE: i64 = 5_000;
pub(super) const WINDOW: i64 = 30;
pub(super) const USER_SESSION_IDLE: i64 = 100;
pub(super) const DAY: i64 = 24 * 60 * 60;
/// For how long a key that is revoked still counts among those of its owner.
pub(super) const API_KEY_COUNTS: i64 = DAY;
pub(super) const API_KEY_ENDS: i64 = 30 * DAY;
pub(super) const API_KEY_OVERLAP: i64 = 10;
pub(super) const API_KEY_VALUES: usize = 5;

pub(super) const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(IDLE.unsigned_abs()),
    absolute: Duration::from_secs(ABSOLUTE.unsigned_abs()),
    retry_window: Duration::from_secs(WINDOW.unsigned_abs()),
};

/// Two calls in 60 seconds, also both at once.
pub(super) const RATE_BURST: u32 = 2;
pub(super) const RATE_WINDOW: Duration = Duration::from_secs(60);

const BEGINNING: i64 = 1_790_000_000;

/// How long before the one before it a run takes place. No story is as long, so for a run's sweeps nothing of the runs before has ended.
const APART: i64 = 130 * 24 * 60 * 60;

/// The same for rate limits, whose microseconds do not reach as far.
const RATES_APART: i64 = 1_000;

/// The names of one run.
#[derive(Debug, Clone, Copy)]
pub(in crate::testing) struct Names(pub(in crate::testing) u64);

impl Names {
    /// The moment so many seconds after the run's beginning.
    pub(super) fn moment(self, seconds: i64) -> Timestamp {
        Timestamp::from_seconds(self.earlier(APART) + seconds)
    }

    /// How many seconds after the run's beginning this is.
    pub(super) fn seconds(self, moment: Timestamp) -> i64 {
        moment.seconds() - self.earlier(APART)
    }

    /// The same moment for rate limits, in microseconds.
    pub(super) fn micros(self, seconds: i64) -> i64 {
        (self.earlier(RATES_APART) + seconds) * 1_000_000
    }

    /// The day of the run's meals, events and lessons.
    pub(super) fn day(self) -> Date {
        let days = i32::try_from(self.0 % 3_000_000).unwrap_or_default();
        Date::MIN.plus_days(days).expect("a day before the last one")
    }

    /// The day of a moment of the story, each 24 hours from its beginning being one.
    pub(super) fn day_of(self, seconds: i64) -> Date {
        let days = i32::try_from(seconds.div_euclid(DAY)).unwrap_or_default();
        self.day().plus_days(days).expect("a day before the last one")
    }

    pub(super) fn session(self, number: u8) -> SessionDigest {
        SessionDigest::from_bytes(self.bytes(number))
    }

    pub(super) fn user_session(self, number: u8) -> UserSessionId {
        UserSessionId::from_random(self.bytes(number))
    }

    pub(super) fn user_session_digest(self, number: u8) -> UserSessionDigest {
        UserSessionDigest::from_bytes(self.bytes(number))
    }

    pub(super) fn code(self, grant: u8) -> AuthorizationCodeDigest {
        AuthorizationCodeDigest::from_bytes(self.bytes(grant))
    }

    pub(super) fn grant(self, number: u8) -> GrantId {
        GrantId::from_random(self.bytes(number))
    }

    pub(super) fn client(self, number: u8) -> ClientId {
        ClientId::from_random(self.bytes(number))
    }

    pub(super) fn application(self, number: u8) -> ApplicationId {
        ApplicationId::from_random(self.bytes(number))
    }

    pub(super) fn scope_id(self, number: u8) -> ScopeId {
        ScopeId::from_random(self.bytes(number))
    }

    /// A scope of application 1.
    pub(super) fn scope(self, number: u8) -> Scope {
        Scope { application: self.application(1), name: format!("scope-{number}").parse().expect("a scope name") }
    }

    pub(super) fn account(self, number: u8) -> AccountId {
        AccountId::from_random(self.bytes(number))
    }

    /// An address, in another case for each account, which is no difference.
    pub(super) fn email(self, number: u8, account: u8) -> Email {
        let address = format!("person-{number}-{}@school.example", self.0);
        let address = if account.is_multiple_of(2) { address.to_uppercase() } else { address };
        address.parse().expect("an address")
    }

    pub(super) fn password(self, number: u8) -> PasswordHash {
        PasswordHash::from_phc(format!("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA{number}"))
    }

    pub(super) fn subject(self, number: u8) -> SubjectId {
        SubjectId::from(self.account(number))
    }

    pub(super) fn api_key(self, number: u8) -> ApiKeyId {
        ApiKeyId::from_random(self.bytes(number))
    }

    pub(super) fn api_key_digest(self, number: u8) -> ApiKeyDigest {
        ApiKeyDigest::from_bytes(self.bytes(number))
    }

    pub(super) fn rate_key(self, number: u8) -> RateKey {
        RateKey::new("story", &self.bytes::<16>(number))
    }

    /// Smaller than those of all runs before, so that none of theirs is superseded by one of this run.
    pub(super) fn sequence(self, number: u8) -> i64 {
        i64::MAX / 2 - self.integer(0) + i64::from(number)
    }

    pub(super) fn key_id(self, number: u8) -> KeyId {
        format!("{:0>43}", self.integer(number)).parse().expect("43 characters")
    }

    pub(super) fn club(self, number: u8) -> ClubId {
        ClubId::new(self.integer(number)).expect("an id above 0")
    }

    pub(super) fn student(self, number: u8) -> StudentId {
        StudentId::new(self.integer(number)).expect("an id above 0")
    }

    pub(super) fn project(self, number: u8) -> ProjectId {
        ProjectId::new(self.integer(number)).expect("an id above 0")
    }

    /// The id of an event or a lesson.
    pub(super) fn id_of_neis(self, number: u8) -> String {
        format!("{}-{number}", self.0)
    }

    /// What only the names of this run's clubs and projects begin with.
    pub(super) fn clubs(self) -> String {
        format!("<{}>", self.0)
    }

    /// Which number the thing has; 0 when it is none of this run's.
    pub(super) fn number<T: PartialEq>(self, thing: &T, named: impl Fn(Self, u8) -> T) -> u8 {
        (1..=9).find(|number| named(self, *number) == *thing).unwrap_or(0)
    }

    /// The run, then the number. Sixteen bytes are what ids are made of, and some of their bits are not kept.
    fn bytes<const N: usize>(self, number: u8) -> [u8; N] {
        let mut bytes = [0; N];
        for (byte, value) in bytes.iter_mut().zip([number].into_iter().chain(self.0.to_be_bytes().into_iter().skip(3))) {
            *byte = value;
        }
        bytes
    }

    fn earlier(self, apart: i64) -> i64 {
        BEGINNING - i64::try_from(self.0).unwrap_or_default() * apart
    }

    /// Ten a run, from 10 on.
    fn integer(self, number: u8) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX / 100).saturating_mul(10).saturating_add(10 + i64::from(number))
    }
}
