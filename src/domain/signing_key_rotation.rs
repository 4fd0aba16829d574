use std::time::Duration;

use crate::domain::{SigningAlgorithm, SigningKeyRecord, Timestamp};

/// Rotation schedule of the signing keys.
///
/// The state of a key is derived from the times at which keys were created and revoked; it is not
/// stored. All nodes that see the same keys therefore agree on the states.
///
/// ```
/// use std::time::Duration;
///
/// use lyceum::domain::{KeyRotation, KeyState, SealedKey, SigningAlgorithm, SigningKeyRecord, Timestamp};
///
/// const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// let hour = DAY / 24;
/// let schedule = KeyRotation { rotate_every: 90 * DAY, publish_ahead: DAY, token_lifetime: hour, margin: hour };
/// let start = Timestamp::from_seconds(0);
/// let key = |sequence: i64, created_at| SigningKeyRecord {
///     sequence,
///     id: format!("{sequence:043}").parse().unwrap(),
///     algorithm: SigningAlgorithm::Rs256,
///     sealed: SealedKey::from_bytes(Vec::new()),
///     created_at,
///     revoked_at: None,
/// };
/// let keys = [key(1, start), key(2, start.plus(90 * DAY))];
/// let states = |at| schedule.states(&keys, at);
/// assert_eq!(states(start.plus(90 * DAY)), [KeyState::Active, KeyState::Next]);
/// assert_eq!(states(start.plus(91 * DAY)), [KeyState::Retired, KeyState::Active]);
/// assert_eq!(states(start.plus(92 * DAY)), [KeyState::Gone, KeyState::Active]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRotation {
    /// Age of the newest key at which the next one is created. A key also signs for this long.
    pub rotate_every: Duration,
    /// Time for which a key is published before it signs. A change applies to existing keys, too:
    /// if it becomes longer than the newest key's age, that key waits again and the one before it
    /// signs.
    pub publish_ahead: Duration,
    /// Maximum lifetime of access tokens.
    pub token_lifetime: Duration,
    /// Additional time for which a retired key stays published after its last token expires,
    /// because clocks differ and nodes learn of keys late.
    pub margin: Duration,
}

/// State of a signing key at a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// Published before it signs, so that all verifiers know it in time.
    Next,
    /// Signs tokens.
    Active,
    /// Published because its tokens are still valid, but signs no more.
    Retired,
    /// Neither published nor needed, because its last token has expired. May be removed.
    Gone,
    /// Revoked: neither signs nor is published.
    Revoked,
}

impl KeyState {
    /// Whether the key is published.
    pub const fn is_published(self) -> bool {
        matches!(self, Self::Next | Self::Active | Self::Retired)
    }
}

impl KeyRotation {
    /// The key that signs at `now`: the newest that has been published for long enough. `keys` are
    /// in order of sequence.
    ///
    /// If no key has been published for long enough, the first key of a new store signs at once.
    /// After a revocation, the key that would sign next does. A retired key never signs again, even
    /// if its successor is revoked. `None` if a key must be created first.
    pub fn active<'a>(
        &self,
        keys: &'a [SigningKeyRecord],
        now: Timestamp,
    ) -> Option<&'a SigningKeyRecord> {
        let last = keys
            .iter()
            .rposition(|key| self.activation_time(key).is_some_and(|at| at <= now));
        keys.get(last.unwrap_or(0)..)?
            .iter()
            .find(|key| key.revoked_at.is_none())
    }

    /// The states of the keys at `now`. `keys` are in order of sequence.
    pub fn states(&self, keys: &[SigningKeyRecord], now: Timestamp) -> Vec<KeyState> {
        let active = self
            .active(keys, now)
            .map_or(i64::MAX, |active| active.sequence);
        let state = |(position, key): (usize, &SigningKeyRecord)| {
            if key.revoked_at.is_some() {
                return KeyState::Revoked;
            }
            match key.sequence.cmp(&active) {
                std::cmp::Ordering::Greater => KeyState::Next,
                std::cmp::Ordering::Equal => KeyState::Active,
                std::cmp::Ordering::Less if self.is_gone(&keys[position + 1..], now) => {
                    KeyState::Gone
                }
                std::cmp::Ordering::Less => KeyState::Retired,
            }
        };
        keys.iter().enumerate().map(state).collect()
    }

    /// The newest key if it is published and waits to sign, with the time at which it will.
    #[cfg(feature = "auth-server")]
    pub(crate) fn waiting<'a>(
        &self,
        keys: &'a [SigningKeyRecord],
        now: Timestamp,
    ) -> Option<(&'a SigningKeyRecord, Timestamp)> {
        let newest = keys.iter().rfind(|key| key.revoked_at.is_none())?;
        let is_active = self
            .active(keys, now)
            .is_some_and(|active| active.sequence == newest.sequence);
        let at = self.activation_time(newest)?;
        (!is_active && now < at).then_some((newest, at))
    }

    /// Whether a key of this algorithm must be created at `now`: no key signs, the newest key is
    /// due for rotation, or the active key is the newest and has another algorithm. While a key
    /// waits to sign, a different algorithm is no reason for another key, so that nodes with
    /// different settings do not keep creating keys.
    pub fn is_due(
        &self,
        keys: &[SigningKeyRecord],
        algorithm: SigningAlgorithm,
        now: Timestamp,
    ) -> bool {
        let (Some(active), Some(newest)) = (
            self.active(keys, now),
            keys.iter().rfind(|key| key.revoked_at.is_none()),
        ) else {
            return true;
        };
        newest.created_at.plus(self.rotate_every) <= now
            || (newest.algorithm != algorithm && newest.sequence == active.sequence)
    }

    /// The `until` argument of
    /// [`sweep_signing_keys`](crate::store::SigningKeyStore::sweep_signing_keys) at `now`: a time
    /// before the first published key was superseded. `None` if no key is published.
    pub fn removable_before(&self, keys: &[SigningKeyRecord], now: Timestamp) -> Option<Timestamp> {
        let states = self.states(keys, now);
        let first = states.iter().position(|state| state.is_published())?;
        // Another node may be installing a key, whose time is `now - margin` or later. Because
        // clocks differ, a later key may have an earlier time than the one before it.
        let others = keys
            .get(first + 1..)?
            .iter()
            .map(|key| key.created_at)
            .chain([now.minus(self.margin)]);
        others
            .map(|at| at.minus(Duration::from_secs(1)))
            .chain(keys.get(first).map(|key| key.created_at))
            .min()
    }

    /// Time at which the key begins to sign and the keys before it retire; `None` if it was revoked
    /// before that.
    fn activation_time(&self, key: &SigningKeyRecord) -> Option<Timestamp> {
        let at = key.created_at.plus(self.publish_ahead);
        key.revoked_at
            .is_none_or(|revoked_at| at <= revoked_at)
            .then_some(at)
    }

    /// Whether the last token of a retired key has expired, given the later keys.
    fn is_gone(&self, later: &[SigningKeyRecord], now: Timestamp) -> bool {
        let retired_at = later
            .iter()
            .filter_map(|key| self.activation_time(key))
            .min();
        retired_at.is_some_and(|at| at.plus(self.token_lifetime).plus(self.margin) <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::SealedKey;

    const SCHEDULE: KeyRotation = KeyRotation {
        rotate_every: Duration::from_secs(1_000),
        publish_ahead: Duration::from_secs(100),
        token_lifetime: Duration::from_secs(50),
        margin: Duration::from_secs(5),
    };

    fn timestamp(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds)
    }

    /// Keys with these creation and revocation times.
    fn keys(times: &[(i64, Option<i64>)]) -> Vec<SigningKeyRecord> {
        let key =
            |(sequence, (created_at, revoked_at)): (i64, &(i64, Option<i64>))| SigningKeyRecord {
                sequence,
                id: format!("{sequence:043}").parse().unwrap(),
                algorithm: SigningAlgorithm::Es256,
                sealed: SealedKey::from_bytes(Vec::new()),
                created_at: timestamp(*created_at),
                revoked_at: revoked_at.map(timestamp),
            };
        (1..).zip(times).map(key).collect()
    }

    /// The states as letters: next, active, retired, gone, `x` for revoked.
    fn states(times: &[(i64, Option<i64>)], now: i64) -> String {
        let letter = |state| match state {
            KeyState::Next => 'n',
            KeyState::Active => 'a',
            KeyState::Retired => 'r',
            KeyState::Gone => 'g',
            KeyState::Revoked => 'x',
        };
        SCHEDULE
            .states(&keys(times), timestamp(now))
            .into_iter()
            .map(letter)
            .collect()
    }

    // Proves: spec 3.19
    #[test]
    fn a_key_is_next_active_retired_and_gone_to_the_second() {
        let two = [(0, None), (1_000, None)];
        for (now, expected) in [
            (1_000, "an"),
            (1_099, "an"),
            (1_100, "ra"),
            (1_154, "ra"),
            (1_155, "ga"),
            (9_999, "ga"),
        ] {
            assert_eq!(states(&two, now), expected, "at {now}");
        }
    }

    #[test]
    fn the_first_key_signs_at_once_and_on_a_clock_that_is_behind() {
        for now in [-7, 0, 1, 100] {
            assert_eq!(states(&[(0, None)], now), "a");
            assert_eq!(states(&[(0, None), (3, None)], now), "an");
        }
    }

    // Proves: spec 3.19
    #[test]
    fn after_a_revocation_the_next_key_signs_at_once_and_a_retired_one_never_again() {
        assert_eq!(states(&[(0, Some(50))], 50), "x");
        assert_eq!(
            states(&[(0, None), (1_000, None), (2_000, None)], 2_050),
            "gan"
        );
        assert_eq!(
            states(&[(0, None), (1_000, Some(2_050)), (2_000, None)], 2_050),
            "gxa"
        );
        assert_eq!(
            states(&[(0, None), (1_000, Some(1_120))], 1_120),
            "rx",
            "a retired key does not sign again"
        );
        assert_eq!(states(&[(0, None), (1_000, Some(1_120))], 1_155), "gx");
        assert_eq!(
            states(&[(0, None), (1_000, Some(1_120)), (1_120, None)], 1_121),
            "rxa"
        );
        assert_eq!(
            states(
                &[
                    (0, None),
                    (1_000, Some(1_120)),
                    (1_120, Some(1_130)),
                    (1_130, None)
                ],
                1_131
            ),
            "rxxa"
        );
    }

    #[test]
    fn a_next_key_that_is_revoked_retires_no_other() {
        for now in [1_050, 1_100, 5_000] {
            assert_eq!(
                states(&[(0, None), (1_000, Some(1_050))], now),
                "ax",
                "at {now}"
            );
        }
    }

    #[test]
    fn a_longer_publication_holds_for_a_newest_key_that_is_as_old_or_has_no_older_one_that_may_sign()
     {
        let longer = KeyRotation {
            publish_ahead: Duration::from_secs(500),
            ..SCHEDULE
        };
        let signs = |times: &[(i64, Option<i64>)], now| {
            longer
                .active(&keys(times), timestamp(now))
                .map(|key| key.sequence)
        };
        // The second has signed since 1,100, and the first was gone at 1,155.
        assert_eq!(
            signs(&[(0, None), (1_000, None)], 1_499),
            Some(1),
            "the case that the documentation warns of"
        );
        assert_eq!(signs(&[(0, None), (1_000, None)], 1_500), Some(2));
        assert_eq!(
            signs(&[(0, Some(1_200)), (1_000, None)], 1_201),
            Some(2),
            "the older key was revoked after it was gone"
        );
        assert_eq!(signs(&[(0, Some(300)), (1_000, None)], 1_201), Some(2));
        assert_eq!(
            signs(&[(0, None), (1_000, Some(1_200)), (1_200, None)], 1_201),
            Some(1),
            "revoking the newest key changes nothing"
        );
    }

    #[test]
    fn a_key_is_due_when_none_signs_the_newest_is_old_or_the_algorithm_is_another() {
        let due = |times: &[(i64, Option<i64>)], algorithm, now| {
            SCHEDULE.is_due(&keys(times), algorithm, timestamp(now))
        };
        let (es, rs) = (SigningAlgorithm::Es256, SigningAlgorithm::Rs256);
        assert!(
            due(&[], es, 0)
                && due(&[(0, Some(5))], es, 5)
                && due(&[(0, None), (1_000, Some(1_120))], es, 1_120)
        );
        assert!(!due(&[(0, None)], es, 999) && due(&[(0, None)], es, 1_000));
        assert!(!due(&[(0, None), (1_000, None)], es, 1_999));
        assert!(
            due(&[(0, None), (1_000, Some(1_050))], es, 1_050),
            "replaces the revoked key"
        );
        assert!(due(&[(0, None)], rs, 0), "of the other algorithm");
        assert!(
            !due(&[(0, None), (10, None)], rs, 50),
            "a key waits to sign already"
        );
    }

    #[test]
    fn every_removable_key_was_superseded_by_a_published_one() {
        let removable = |times: &[(i64, Option<i64>)], now| {
            SCHEDULE
                .removable_before(&keys(times), timestamp(now))
                .map(Timestamp::seconds)
        };
        assert_eq!(removable(&[], 0), None);
        assert_eq!(
            removable(&[(0, None), (1_000, None)], 1_154),
            Some(0),
            "the first key supersedes none"
        );
        assert_eq!(removable(&[(0, None), (1_000, None)], 1_155), Some(1_000));
        assert_eq!(
            removable(&[(0, None), (1_000, None), (990, None)], 1_300),
            Some(990),
            "the key of the node with the slow clock signs"
        );
        assert_eq!(
            removable(&[(0, None), (1_000, None), (990, None)], 1_099),
            Some(0)
        );
        assert_eq!(
            removable(&[(1_000, None)], 1_000),
            Some(994),
            "a key being installed may have this second"
        );
        assert_eq!(removable(&[(0, Some(9))], 9), None);
    }
}
