use super::{DAY, LIFETIMES, api_key, code, grant, rotate, time_of};
use lyceum::domain::{ApiKey, Timestamp};
use lyceum::store::{Rotation, Storage, StorageError};

/// Course of a login. It depends on the login's number alone and repeats every day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoginScenario {
    /// Never signs in.
    NeverSignsIn,
    /// Signs in and decides nothing.
    AbandonsConsent,
    /// Denies the request.
    DeniesConsent,
    /// Never redeems the code.
    NeverRedeemsCode,
    /// Redeems the code twice.
    ReplaysCode,
    /// Revokes the grant after three days.
    RevokesGrant,
    /// Refreshes after a day; a day later an attacker presents the old token.
    RefreshTokenStolen,
    /// Refreshes so many times, every twenty days; after eight times the grant expires.
    Refreshes(u32),
    /// Redeems the code and does nothing more.
    RedeemsOnly,
}

/// Later event of an earlier login.
#[derive(Debug, Clone, Copy)]
pub(super) enum LaterEvent {
    Refresh(u32),
    ReuseOldToken,
    RevokeGrant,
    RefreshExpired(u32),
    AssertRetained,
    AssertDeleted,
}

impl LoginScenario {
    pub(super) const fn from_number(number: u64) -> Self {
        match number % 20 {
            0 | 1 => Self::NeverSignsIn,
            2 => Self::AbandonsConsent,
            3 => Self::DeniesConsent,
            4 => Self::NeverRedeemsCode,
            5 => Self::ReplaysCode,
            6 => Self::RevokesGrant,
            7 => Self::RefreshTokenStolen,
            8 => Self::Refreshes(1),
            9 => Self::Refreshes(3),
            10 => Self::Refreshes(8),
            _ => Self::RedeemsOnly,
        }
    }

    /// Returns the later events of this login, each with the number of days after it.
    pub(super) fn later_events(self) -> Vec<(u64, LaterEvent)> {
        match self {
            Self::RevokesGrant => {
                vec![(3, LaterEvent::RevokeGrant), (5, LaterEvent::AssertDeleted)]
            }
            Self::RefreshTokenStolen => {
                vec![(1, LaterEvent::Refresh(0)), (2, LaterEvent::ReuseOldToken)]
            }
            Self::Refreshes(times) => {
                let mut events: Vec<_> = (0..times)
                    .map(|generation| {
                        (
                            20 * (u64::from(generation) + 1),
                            LaterEvent::Refresh(generation),
                        )
                    })
                    .collect();
                if times == 8 {
                    events.push((180, LaterEvent::RefreshExpired(times)));
                }
                events
            }
            Self::RedeemsOnly => vec![
                (30, LaterEvent::AssertRetained),
                (32, LaterEvent::AssertDeleted),
            ],
            _ => Vec::new(),
        }
    }

    /// Returns the end of this login's grant as seen at `now`; `None` if it never had one.
    pub(super) fn grant_end(self, number: u64, now: Timestamp) -> Option<Timestamp> {
        let after = |days: u32| time_of(number).plus(DAY * days);
        let idle = |days: u32| {
            after(days)
                .plus(LIFETIMES.idle)
                .min(time_of(number).plus(LIFETIMES.absolute))
        };
        let age = now.seconds() - time_of(number).seconds();
        let passed = |days: u32| age >= (DAY * days).as_secs().cast_signed();
        match self {
            Self::NeverSignsIn | Self::AbandonsConsent | Self::DeniesConsent => None,
            Self::NeverRedeemsCode => Some(time_of(number).plus(super::CODE_LIFETIME)),
            Self::ReplaysCode => Some(time_of(number)),
            Self::RevokesGrant if passed(3) => Some(after(3)),
            Self::RefreshTokenStolen if passed(2) => Some(after(2)),
            Self::RefreshTokenStolen if passed(1) => Some(idle(1)),
            Self::Refreshes(times) => Some(idle(
                (0..=times)
                    .map(|time| 20 * time)
                    .filter(|days| passed(*days))
                    .max()
                    .unwrap_or_default(),
            )),
            Self::RevokesGrant | Self::RefreshTokenStolen | Self::RedeemsOnly => Some(idle(0)),
        }
    }
}

impl LaterEvent {
    pub(super) async fn apply(
        self,
        store: &dyn Storage,
        number: u64,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        match self {
            Self::Refresh(generation) => {
                let rotation = rotate(store, number, generation, now).await?;
                assert!(
                    matches!(rotation, Rotation::Rotated(_)),
                    "a live grant is refreshed: {rotation:?}"
                );
            }
            Self::ReuseOldToken => assert_eq!(
                rotate(store, number, 0, now).await?,
                Rotation::Reused {
                    grant: grant(number)
                }
            ),
            Self::RevokeGrant => assert!(
                store.revoke_grant(&grant(number), now).await?,
                "a live grant exists"
            ),
            Self::RefreshExpired(generation) => assert_eq!(
                rotate(store, number, generation, now).await?,
                Rotation::Expired
            ),
            Self::AssertRetained => assert!(
                store.code_binding(&code(number)).await?.is_some(),
                "an ended grant is stored for a day"
            ),
            Self::AssertDeleted => assert_eq!(
                store.code_binding(&code(number)).await?,
                None,
                "an ended grant is deleted after two"
            ),
        }
        Ok(())
    }
}

/// Returns the end of this login's API key.
pub(super) fn api_key_end(number: u64) -> Timestamp {
    let key: ApiKey = api_key(number, time_of(number));
    key.expires_at
}
