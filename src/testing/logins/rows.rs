use std::time::Duration;

use super::fate::{Fate, api_key_end};
use super::{AT_A_TIME, PER_ADDRESS, PER_API_KEY, PER_SIGNING_KEY, PER_USER_SESSION, SESSION, USER_SESSION, moment};
use crate::domain::Quota;
use crate::store::sweep::{API_KEY_KEPT, CLOCKS_APART, GRANT_KEPT};

/// How many rows of each kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Pending sessions.
    pub sessions: u64,
    /// People's sessions in the console.
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

impl Rows {
    /// How many a store must have after this many logins, which are whole moments.
    fn needed(logins: u64) -> Self {
        let now = moment(logins.saturating_sub(1));
        let count = |so: &dyn Fn(u64) -> bool| (0..logins).filter(|number| so(*number)).count() as u64;
        let waits = |number| matches!(Fate::of(number), Fate::GivesUp | Fate::LeavesTheConsent);
        Self {
            sessions: count(&|number| waits(number) && now < moment(number).plus(SESSION).plus(CLOCKS_APART)),
            user_sessions: count(&|number| {
                number.is_multiple_of(PER_USER_SESSION) && now < moment(number).plus(USER_SESSION).plus(CLOCKS_APART)
            }),
            grants: count(&|number| Fate::of(number).end(number, now).is_some_and(|end| now < end.plus(GRANT_KEPT))),
            api_keys: count(&|number| number.is_multiple_of(PER_API_KEY) && now < api_key_end(number).plus(API_KEY_KEPT)),
            rate_limits: count(&|number| number.is_multiple_of(PER_ADDRESS) && now < moment(number).plus(REST).plus(CLOCKS_APART)),
            signing_keys: logins.div_ceil(PER_SIGNING_KEY).min(2),
        }
    }

    /// Checks that nothing has grown since there were the rows of `before`, but for what one moment leaves until the next one's sweeps.
    ///
    /// # Panics
    /// When the store has grown.
    pub fn assert_not_grown_since(&self, before: &Self) {
        for ((kind, has), (_, had)) in self.by_kind().into_iter().zip(before.by_kind()) {
            assert!(has <= had + AT_A_TIME, "{had} {kind} became {has}");
        }
    }

    /// Checks that these are the rows that are needed after so many logins, and of each kind at most those of one moment more.
    ///
    /// # Panics
    /// When something is missing or the store has grown.
    pub fn assert_no_more_than_needed(&self, logins: u64) {
        for ((kind, has), (_, needs)) in self.by_kind().into_iter().zip(Self::needed(logins).by_kind()) {
            let bounds = needs..=needs + AT_A_TIME;
            assert!(bounds.contains(&has), "after {logins} logins there are {has} {kind}, not {bounds:?}");
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

/// A limit that rests a day after a call, so that there is something to keep.
const REST: Duration = super::DAY;

pub(super) fn quota() -> Quota {
    Quota::new(1, REST, 5).expect("a quota")
}
