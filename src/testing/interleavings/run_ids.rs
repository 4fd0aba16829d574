//! Identifiers of one run. They map the small numbers of operations to ids; each run has its own,
//! so that all runs can share one store.

use std::time::Duration;

use crate::domain::{
    AccountId, ApiKeyDigest, ApiKeyId, ApplicationId, AuthorizationCodeDigest, ClientId, ClubId,
    Date, Email, GrantId, KeyId, PasswordHash, ProjectId, RateLimitKey, Scope, ScopeId,
    SessionDigest, StudentId, SubjectId, Timestamp, UserSessionDigest, UserSessionId,
};
use crate::store::TokenLifetimes;

/// Lifetimes in these scenarios, in seconds from their beginning.
pub(super) const SESSION_LIFETIME: i64 = 600;
pub(super) const CODE_LIFETIME: i64 = 60;
pub(super) const IDLE_TIMEOUT: i64 = 1_000;
pub(super) const ABSOLUTE_LIFETIME: i64 = 5_000;
pub(super) const RETRY_WINDOW: i64 = 30;
pub(super) const USER_SESSION_IDLE_TIMEOUT: i64 = 100;
pub(super) const DAY: i64 = 24 * 60 * 60;
/// Period for which a revoked key still counts towards its owner's limit.
pub(super) const REVOKED_KEY_COUNTS_FOR: i64 = DAY;
pub(super) const API_KEY_LIFETIME: i64 = 30 * DAY;
pub(super) const API_KEY_OVERLAP: i64 = 10;
pub(super) const MAX_API_KEY_VALUES: usize = 5;

pub(super) const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(IDLE_TIMEOUT.unsigned_abs()),
    absolute: Duration::from_secs(ABSOLUTE_LIFETIME.unsigned_abs()),
    retry_window: Duration::from_secs(RETRY_WINDOW.unsigned_abs()),
};

/// Two calls in 60 seconds, also both at once.
pub(super) const RATE_BURST: u32 = 2;
pub(super) const RATE_WINDOW: Duration = Duration::from_secs(60);

const START: i64 = 1_790_000_000;

/// Time between a run and the one before it, which is later. No scenario is as long, so no row of
/// an earlier run has expired for a later one. A [`Timestamp`] has room for 800,000 runs.
const RUN_SPACING: i64 = 130 * 24 * 60 * 60;

/// Identifiers of one run.
#[derive(Debug, Clone, Copy)]
pub(in crate::testing) struct RunIds(pub(in crate::testing) u64);

impl RunIds {
    /// Returns the time so many seconds after the run's beginning.
    pub(super) fn timestamp(self, seconds: i64) -> Timestamp {
        Timestamp::from_seconds(self.start_seconds() + seconds)
    }

    /// Returns the seconds from the run's beginning to `moment`.
    pub(super) fn offset(self, moment: Timestamp) -> i64 {
        moment.seconds() - self.start_seconds()
    }

    /// Returns the day of the run's meals, events and lessons.
    pub(super) fn day(self) -> Date {
        let days = i32::try_from(self.0 % 3_000_000).unwrap_or_default();
        Date::MIN
            .plus_days(days)
            .expect("a day before the last one")
    }

    /// Returns the day of a time of the scenario. Days last 24 hours from the scenario's beginning.
    pub(super) fn day_of(self, seconds: i64) -> Date {
        let days = i32::try_from(seconds.div_euclid(DAY)).unwrap_or_default();
        self.day()
            .plus_days(days)
            .expect("a day before the last one")
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

    /// Returns a scope of application 1.
    pub(super) fn scope(self, number: u8) -> Scope {
        Scope {
            application: self.application(1),
            name: format!("scope-{number}").parse().expect("a scope name"),
        }
    }

    pub(super) fn account(self, number: u8) -> AccountId {
        AccountId::from_random(self.bytes(number))
    }

    /// Returns an address. Its case differs for each account and does not matter.
    pub(super) fn email(self, number: u8, account: u8) -> Email {
        let address = format!("person-{number}-{}@school.example", self.0);
        let address = if account.is_multiple_of(2) {
            address.to_uppercase()
        } else {
            address
        };
        address.parse().expect("an address")
    }

    pub(super) fn password(self, number: u8) -> PasswordHash {
        PasswordHash::from_phc(format!(
            "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA{number}"
        ))
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

    pub(super) fn rate_key(self, number: u8) -> RateLimitKey {
        RateLimitKey::new("scenario", &self.bytes::<16>(number))
    }

    /// Returns a sequence number below those of all earlier runs, so that no key of this run
    /// supersedes one of theirs.
    pub(super) fn sequence(self, number: u8) -> i64 {
        i64::MAX / 2 - self.integer(0) + i64::from(number)
    }

    pub(super) fn key_id(self, number: u8) -> KeyId {
        format!("{:0>43}", self.integer(number))
            .parse()
            .expect("43 characters")
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

    /// Returns the id of an event or a lesson.
    pub(super) fn id_of_neis(self, number: u8) -> String {
        format!("{}-{number}", self.0)
    }

    /// Returns the prefix of the names of this run's clubs and projects.
    pub(super) fn name_prefix(self) -> String {
        format!("<{}>", self.0)
    }

    /// Returns the number that has this identifier; 0 for an identifier of another run.
    pub(super) fn index_of<T: PartialEq>(self, thing: &T, named: impl Fn(Self, u8) -> T) -> u8 {
        (1..=9)
            .find(|number| named(self, *number) == *thing)
            .unwrap_or(0)
    }

    /// Returns the number, then the low bytes of the run, before the bits that UUIDs fix.
    fn bytes<const N: usize>(self, number: u8) -> [u8; N] {
        let mut bytes = [0; N];
        for (byte, value) in bytes.iter_mut().zip(
            [number]
                .into_iter()
                .chain(self.0.to_be_bytes().into_iter().skip(3)),
        ) {
            *byte = value;
        }
        bytes
    }

    fn start_seconds(self) -> i64 {
        START - i64::try_from(self.0).unwrap_or_default() * RUN_SPACING
    }

    /// Returns one of ten integers a run, from 10 on.
    fn integer(self, number: u8) -> i64 {
        i64::try_from(self.0)
            .unwrap_or(i64::MAX / 100)
            .saturating_mul(10)
            .saturating_add(10 + i64::from(number))
    }
}
