//! What the small numbers of operations stand for. Each run has names of its own, so that all runs can share one store.

use std::time::Duration;

use crate::domain::{
    AccountId, ApiKeyDigest, ApiKeyId, ApplicationId, AuthorizationCodeDigest, ClientId, ClubId, Email, GrantId, KeyId, RateKey, Scope,
    ScopeId, SessionDigest, StudentId, SubjectId, Timestamp,
};
use crate::store::TokenLifetimes;

/// How long things last in these stories, in seconds from their beginning.
pub(super) const SESSION_ENDS: i64 = 600;
pub(super) const CODE_ENDS: i64 = 60;
pub(super) const IDLE: i64 = 1_000;
pub(super) const ABSOLUTE: i64 = 5_000;
pub(super) const WINDOW: i64 = 30;

pub(super) const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(IDLE.unsigned_abs()),
    absolute: Duration::from_secs(ABSOLUTE.unsigned_abs()),
    retry_window: Duration::from_secs(WINDOW.unsigned_abs()),
};

/// Two calls in 60 seconds, also both at once.
pub(super) const RATE_BURST: u32 = 2;
pub(super) const RATE_WINDOW: Duration = Duration::from_secs(60);

const BEGINNING: i64 = 1_790_000_000;

/// The moment so many seconds after a story's beginning.
pub(super) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(BEGINNING + seconds)
}

/// How many seconds after a story's beginning this is.
pub(super) fn seconds(moment: Timestamp) -> i64 {
    moment.seconds() - BEGINNING
}

/// The names of one run.
#[derive(Debug, Clone, Copy)]
pub(in crate::testing) struct Names(pub(in crate::testing) u64);

impl Names {
    pub(super) fn session(self, number: u8) -> SessionDigest {
        SessionDigest::from_bytes(self.bytes(number))
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

    pub(super) fn sequence(self, number: u8) -> i64 {
        self.integer(number)
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

    /// What only the names of this run's clubs begin with.
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

    /// Ten a run, from 10 on.
    fn integer(self, number: u8) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX / 100).saturating_mul(10).saturating_add(10 + i64::from(number))
    }
}
