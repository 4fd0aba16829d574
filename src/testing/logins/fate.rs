use super::{DAY, LIFETIMES, api_key, code, grant, moment, rotate};
use crate::domain::{ApiKey, Timestamp};
use crate::store::{Rotation, Storage, StorageError};

/// What becomes of a login. It follows from its number, and is the same for those on other days at the same place in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Never signs in.
    GivesUp,
    /// Signs in and decides nothing.
    LeavesTheConsent,
    /// Allows nothing.
    Denies,
    /// Never redeems the code.
    LosesTheCode,
    /// Redeems the code twice.
    Replays,
    /// Revokes the grant after three days.
    Leaves,
    /// Refreshes after a day; a day later somebody comes with the old token.
    IsRobbed,
    /// Refreshes so many times, every twenty days; after eight times the grant comes to its end.
    ComesBack(u32),
    /// Redeems the code and is never seen again.
    Once,
}

/// What happens to an earlier login.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    Refresh(u32),
    Theft,
    Revocation,
    ComesTooLate(u32),
    MustBeKnown,
    MustBeGone,
}

impl Fate {
    pub(super) const fn of(number: u64) -> Self {
        match number % 20 {
            0 | 1 => Self::GivesUp,
            2 => Self::LeavesTheConsent,
            3 => Self::Denies,
            4 => Self::LosesTheCode,
            5 => Self::Replays,
            6 => Self::Leaves,
            7 => Self::IsRobbed,
            8 => Self::ComesBack(1),
            9 => Self::ComesBack(3),
            10 => Self::ComesBack(8),
            _ => Self::Once,
        }
    }

    /// What happens later, and after how many days.
    pub(super) fn events(self) -> Vec<(u64, Event)> {
        match self {
            Self::Leaves => vec![(3, Event::Revocation), (5, Event::MustBeGone)],
            Self::IsRobbed => vec![(1, Event::Refresh(0)), (2, Event::Theft)],
            Self::ComesBack(times) => {
                let mut events: Vec<_> =
                    (0..times).map(|generation| (20 * (u64::from(generation) + 1), Event::Refresh(generation))).collect();
                if times == 8 {
                    events.push((180, Event::ComesTooLate(times)));
                }
                events
            }
            Self::Once => vec![(30, Event::MustBeKnown), (32, Event::MustBeGone)],
            _ => Vec::new(),
        }
    }

    /// When the grant of this login is dead, as seen at `now`; `None` when it never had one.
    pub(super) fn end(self, number: u64, now: Timestamp) -> Option<Timestamp> {
        let after = |days: u32| moment(number).plus(DAY * days);
        let idle = |days: u32| after(days).plus(LIFETIMES.idle).min(moment(number).plus(LIFETIMES.absolute));
        let age = now.seconds() - moment(number).seconds();
        let passed = |days: u32| age >= (DAY * days).as_secs().cast_signed();
        match self {
            Self::GivesUp | Self::LeavesTheConsent | Self::Denies => None,
            Self::LosesTheCode => Some(moment(number).plus(super::CODE)),
            Self::Replays => Some(moment(number)),
            Self::Leaves if passed(3) => Some(after(3)),
            Self::IsRobbed if passed(2) => Some(after(2)),
            Self::IsRobbed if passed(1) => Some(idle(1)),
            Self::ComesBack(times) => Some(idle((0..=times).map(|time| 20 * time).filter(|days| passed(*days)).max().unwrap_or_default())),
            Self::Leaves | Self::IsRobbed | Self::Once => Some(idle(0)),
        }
    }
}

impl Event {
    pub(super) async fn happen(self, store: &dyn Storage, number: u64, now: Timestamp) -> Result<(), StorageError> {
        match self {
            Self::Refresh(generation) => {
                let rotation = rotate(store, number, generation, now).await?;
                assert!(matches!(rotation, Rotation::Rotated(_)), "a living grant is refreshed: {rotation:?}");
            }
            Self::Theft => assert_eq!(rotate(store, number, 0, now).await?, Rotation::Reused { grant: grant(number) }),
            Self::Revocation => assert!(store.revoke_grant(&grant(number), now).await?, "a living grant is there"),
            Self::ComesTooLate(generation) => assert_eq!(rotate(store, number, generation, now).await?, Rotation::Expired),
            Self::MustBeKnown => assert!(store.code_binding(&code(number)).await?.is_some(), "a dead grant is kept for a day"),
            Self::MustBeGone => assert_eq!(store.code_binding(&code(number)).await?, None, "a dead grant is not kept for two"),
        }
        Ok(())
    }
}

/// When the API key of this login is dead.
pub(super) fn api_key_end(number: u64) -> Timestamp {
    let key: ApiKey = api_key(number, moment(number));
    key.expires_at
}
