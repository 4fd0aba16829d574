use std::time::Duration;

use super::login_scenario::{LoginScenario, api_key_end};
use super::{
    LOGINS_PER_ADDRESS, LOGINS_PER_API_KEY, LOGINS_PER_BATCH, LOGINS_PER_SIGNING_KEY,
    LOGINS_PER_USER_SESSION, SESSION_LIFETIME, USER_SESSION_LIFETIME, time_of,
};
use lyceum::domain::Quota;
use lyceum::store::retention::{API_KEY_RETENTION, CLOCK_SKEW, GRANT_RETENTION};

/// Number of rows of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCounts {
    /// Pending sessions.
    pub sessions: u64,
    /// User sessions in the console.
    pub user_sessions: u64,
    /// Grants.
    pub grants: u64,
    /// API keys.
    pub api_keys: u64,
    /// Rate limits.
    pub rate_limits: u64,
    /// Signing keys.
    pub signing_keys: u64,
}

impl RowCounts {
    /// Returns the rows that a store needs after this many logins, a multiple of
    /// [`LOGINS_PER_BATCH`](super::LOGINS_PER_BATCH).
    fn expected(logins: u64) -> Self {
        let now = time_of(logins.saturating_sub(1));
        let count =
            |so: &dyn Fn(u64) -> bool| (0..logins).filter(|number| so(*number)).count() as u64;
        let waits = |number| {
            matches!(
                LoginScenario::from_number(number),
                LoginScenario::NeverSignsIn | LoginScenario::AbandonsConsent
            )
        };
        Self {
            sessions: count(&|number| {
                waits(number) && now < time_of(number).plus(SESSION_LIFETIME).plus(CLOCK_SKEW)
            }),
            user_sessions: count(&|number| {
                number.is_multiple_of(LOGINS_PER_USER_SESSION)
                    && now < time_of(number).plus(USER_SESSION_LIFETIME).plus(CLOCK_SKEW)
            }),
            grants: count(&|number| {
                LoginScenario::from_number(number)
                    .grant_end(number, now)
                    .is_some_and(|end| now < end.plus(GRANT_RETENTION))
            }),
            api_keys: count(&|number| {
                number.is_multiple_of(LOGINS_PER_API_KEY)
                    && now < api_key_end(number).plus(API_KEY_RETENTION)
            }),
            rate_limits: count(&|number| {
                number.is_multiple_of(LOGINS_PER_ADDRESS)
                    && now < time_of(number).plus(RATE_LIMIT_REST).plus(CLOCK_SKEW)
            }),
            signing_keys: logins.div_ceil(LOGINS_PER_SIGNING_KEY).min(2),
        }
    }

    /// Checks that no count has grown since `before` by more than the rows of one moment, which the
    /// next moment's calls delete.
    ///
    /// # Panics
    /// When a count has grown.
    pub fn assert_not_grown_since(&self, before: &Self) {
        for ((kind, has), (_, had)) in self.by_kind().into_iter().zip(before.by_kind()) {
            assert!(has <= had + LOGINS_PER_BATCH, "{had} {kind} became {has}");
        }
    }

    /// Checks that each count is the number of rows that are needed after this many logins, or at
    /// most [`LOGINS_PER_BATCH`](super::LOGINS_PER_BATCH) more.
    ///
    /// # Panics
    /// When rows are missing or a count has grown.
    pub fn assert_as_expected(&self, logins: u64) {
        for ((kind, has), (_, needs)) in self
            .by_kind()
            .into_iter()
            .zip(Self::expected(logins).by_kind())
        {
            let bounds = needs..=needs + LOGINS_PER_BATCH;
            assert!(
                bounds.contains(&has),
                "after {logins} logins there are {has} {kind}, not {bounds:?}"
            );
        }
    }

    const fn by_kind(&self) -> [(&'static str, u64); 6] {
        [
            ("sessions", self.sessions),
            ("sessions in the console", self.user_sessions),
            ("grants", self.grants),
            ("API keys", self.api_keys),
            ("rate limits", self.rate_limits),
            ("signing keys", self.signing_keys),
        ]
    }
}

/// Quota that takes a day to recover, so that its row must be stored that long.
const RATE_LIMIT_REST: Duration = super::DAY;

pub(super) fn quota() -> Quota {
    Quota::new(1, RATE_LIMIT_REST, 5).expect("a quota")
}
