use std::time::Duration;

use crate::domain::{
    ApiKeyDigest, ApiKeyId, ApiKeySecret, ApiScopes, Date, HiddenFields, Quota, ShortText,
    SubjectId, Timestamp,
};

/// A stored API key. Its value is shown only once, when the key is issued or renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The id, used in management and rate limits. It stays when the key is renewed.
    pub id: ApiKeyId,
    /// The digest of the key's current value.
    pub digest: ApiKeyDigest,
    /// The first eight and last four characters of the current value, for lists.
    pub hint: String,
    /// Values replaced by renewals, in order: those that are still valid, and the last replaced one
    /// even if it has expired.
    pub previous: Vec<PreviousValue>,
    /// The owner, if any.
    pub owner: Option<SubjectId>,
    /// The owner's description.
    pub description: ShortText,
    /// The scopes.
    pub scopes: ApiScopes,
    /// The fields that responses to the key omit.
    pub hidden: HiddenFields,
    /// The fields that the owner has asked to have shown. Those of them that are hidden
    /// [wait](ApiKeySettings::waiting_fields) for an administrator; the others are
    /// [approved](ApiKeySettings::approved_fields).
    pub requested: HiddenFields,
    /// The key's own quota, if it differs from the default.
    pub quota: Option<Quota>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When the current value expires, 30 days after issue or renewal; the first second at which it
    /// is invalid.
    pub expires_at: Timestamp,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
    /// When the key was last used, as far as recorded.
    pub last_used_at: Option<Timestamp>,
}

/// A value of a key that a renewal replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviousValue {
    /// The digest.
    pub digest: ApiKeyDigest,
    /// The first eight and last four characters; `None` for values replaced before hints were
    /// stored.
    pub hint: Option<String>,
    /// When the value expires; the first second at which it is invalid.
    pub works_until: Timestamp,
}

/// A new value for a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyRenewal {
    /// The digest of the new value.
    pub digest: ApiKeyDigest,
    /// The first eight and last four characters of the new value.
    pub hint: String,
    /// Time for which the replaced value stays valid, never past its own expiry.
    pub overlap: Duration,
}

/// The settings of a key that can be changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeySettings {
    /// See [`ApiKey::description`].
    pub description: ShortText,
    /// See [`ApiKey::scopes`].
    pub scopes: ApiScopes,
    /// See [`ApiKey::hidden`].
    pub hidden: HiddenFields,
    /// See [`ApiKey::requested`].
    pub requested: HiddenFields,
    /// See [`ApiKey::quota`].
    pub quota: Option<Quota>,
}

/// Number of calls with a key on one day, or a part of it, to be added to what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiKeyDailyUsage {
    /// The key.
    pub key: ApiKeyId,
    /// The day in the school's time zone.
    pub day: Date,
    /// The number of calls, at least one.
    pub calls: u32,
    /// The number of these calls that were answered with an error.
    pub errors: u32,
    /// When the last call was made.
    pub last_used_at: Timestamp,
}

/// Stored number of calls on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyCalls {
    /// The day in the school's time zone.
    pub day: Date,
    /// The number of calls.
    pub calls: u64,
    /// The number of these calls that were answered with an error.
    pub errors: u64,
}

impl ApiKeySettings {
    /// The hidden fields that the owner asks to have shown. An administrator decides.
    pub fn waiting_fields(&self) -> HiddenFields {
        self.requested.intersection(self.hidden)
    }

    /// The fields that the key shows with the approval of an administrator.
    pub fn approved_fields(&self) -> HiddenFields {
        self.requested.difference(self.hidden)
    }

    /// Returns the settings with further hidden fields. Approvals of these fields end.
    #[must_use]
    pub fn with_hidden_fields(self, fields: HiddenFields) -> Self {
        let ended = self.approved_fields().intersection(fields);
        Self {
            hidden: self.hidden.union(fields),
            requested: self.requested.difference(ended),
            ..self
        }
    }
}

impl ApiKey {
    /// Number of days in usage statistics, including days without calls.
    pub const USAGE_DAYS: i32 = 35;

    /// Validity of a key after it is issued or renewed.
    pub const VALIDITY: Duration = Duration::from_secs(30 * 24 * 60 * 60);

    /// Default validity of the replaced value after a renewal.
    pub const DEFAULT_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

    /// Maximum number of valid values of one key, including the current one.
    pub const MAX_LIVE_VALUES: usize = 5;

    /// Time for which a revoked key counts toward its owner's limit.
    ///
    /// A new key has a full rate limit. Without this delay an owner could revoke and issue keys to
    /// evade rate limiting.
    pub const COUNTED_AFTER_REVOCATION: Duration = Duration::from_secs(24 * 60 * 60);

    /// Creates a key issued at `at`, without an owner and with the default quota.
    pub fn new(
        id: ApiKeyId,
        secret: &ApiKeySecret,
        description: ShortText,
        scopes: ApiScopes,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            digest: secret.digest(),
            hint: secret.hint(),
            previous: Vec::new(),
            owner: None,
            description,
            scopes,
            hidden: HiddenFields::default(),
            requested: HiddenFields::default(),
            quota: None,
            created_at: at,
            expires_at: at.plus(Self::VALIDITY),
            revoked_at: None,
            last_used_at: None,
        }
    }

    /// See [`ApiKeySettings::waiting_fields`].
    pub fn waiting_fields(&self) -> HiddenFields {
        self.requested.intersection(self.hidden)
    }

    /// The settings that can be changed.
    pub fn settings(&self) -> ApiKeySettings {
        ApiKeySettings {
            description: self.description.clone(),
            scopes: self.scopes.clone(),
            hidden: self.hidden,
            requested: self.requested,
            quota: self.quota,
        }
    }

    /// Returns the key with other settings.
    #[must_use]
    pub fn with_settings(self, settings: ApiKeySettings) -> Self {
        let ApiKeySettings {
            description,
            scopes,
            hidden,
            requested,
            quota,
        } = settings;
        Self {
            description,
            scopes,
            hidden,
            requested,
            quota,
            ..self
        }
    }

    /// The last four characters of a hint, by which pages name a value.
    pub fn last_four(hint: &str) -> &str {
        let start = hint.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
        &hint[start..]
    }

    /// Returns the key with a new value. The new value has the full validity. The replaced one
    /// stays valid for the overlap, but not past its own expiry. Earlier values keep their expiry;
    /// those expired before `at` are dropped.
    ///
    /// `None` if more than [`MAX_LIVE_VALUES`](Self::MAX_LIVE_VALUES) values would be valid at
    /// `at`. A renewal without overlap is never refused.
    #[must_use]
    pub fn renewed(&self, renewal: ApiKeyRenewal, at: Timestamp) -> Option<Self> {
        let works_until = at.plus(renewal.overlap).min(self.expires_at);
        let replaced = PreviousValue {
            digest: self.digest,
            hint: Some(self.hint.clone()),
            works_until,
        };
        let previous = self.live_previous(at).cloned().chain([replaced]).collect();
        let renewed = Self {
            digest: renewal.digest,
            hint: renewal.hint,
            previous,
            expires_at: at.plus(Self::VALIDITY),
            ..self.clone()
        };
        (renewed.live_previous(at).count() < Self::MAX_LIVE_VALUES).then_some(renewed)
    }

    /// The replaced values that have not expired at `at`, in the order of replacement. Does not
    /// check whether the key is revoked.
    pub fn live_previous(&self, at: Timestamp) -> impl Iterator<Item = &PreviousValue> {
        self.previous
            .iter()
            .filter(move |value| at < value.works_until)
    }

    /// The digests of all values, the current one first.
    pub fn digests(&self) -> impl Iterator<Item = ApiKeyDigest> {
        [self.digest]
            .into_iter()
            .chain(self.previous.iter().map(|value| value.digest))
    }

    /// When the value with this digest expires, unless the key is revoked first. `None` if the key
    /// has no such value.
    pub fn expiry_of(&self, digest: &ApiKeyDigest) -> Option<Timestamp> {
        if self.digest.matches(digest) {
            return Some(self.expires_at);
        }
        self.previous
            .iter()
            .find(|value| value.digest.matches(digest))
            .map(|value| value.works_until)
    }

    /// Whether the key counts toward its owner's limit at `at`. It counts until it is revoked, even
    /// if expired, and for [a day](Self::COUNTED_AFTER_REVOCATION) after that.
    pub fn counts_toward_limit(&self, at: Timestamp) -> bool {
        self.revoked_at
            .is_none_or(|revoked| at < revoked.plus(Self::COUNTED_AFTER_REVOCATION))
    }

    /// Whether the value with this digest is valid at `at`.
    pub fn is_valid(&self, digest: &ApiKeyDigest, at: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expiry_of(digest).is_some_and(|end| at < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PersonalField;

    const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn digest(number: u8) -> ApiKeyDigest {
        ApiKeyDigest::from_bytes([number; 32])
    }

    fn key() -> ApiKey {
        let secret = ApiKeySecret::from_random([1; 16]);
        let key = ApiKey::new(
            ApiKeyId::from_random([1; 16]),
            &secret,
            ShortText::from_static("급식 알리미"),
            ApiScopes::built_in(),
            NOW,
        );
        ApiKey {
            digest: digest(1),
            ..key
        }
    }

    fn renewed(key: &ApiKey, number: u8, overlap: Duration, at: Timestamp) -> ApiKey {
        key.renewed(
            ApiKeyRenewal {
                digest: digest(number),
                hint: format!("renewed {number}"),
                overlap,
            },
            at,
        )
        .unwrap()
    }

    fn working(key: &ApiKey, at: Timestamp) -> Vec<u8> {
        (1..=9)
            .filter(|number| key.is_valid(&digest(*number), at))
            .collect()
    }

    #[test]
    fn a_requested_field_waits_while_it_is_hidden_and_is_approved_when_it_is_shown() {
        use crate::domain::PersonalField::{Dormitory, Email, Sex};
        let fields = |of: &[PersonalField]| of.iter().copied().collect::<HiddenFields>();
        let settings = ApiKeySettings {
            hidden: fields(&[Email]),
            requested: fields(&[Email, Dormitory]),
            ..key().settings()
        };
        assert_eq!(settings.waiting_fields(), fields(&[Email]));
        assert_eq!(settings.approved_fields(), fields(&[Dormitory]));
        let narrower = settings.with_hidden_fields(fields(&[Email, Dormitory, Sex]));
        assert_eq!(narrower.hidden, fields(&[Email, Dormitory, Sex]));
        assert_eq!(
            (narrower.waiting_fields(), narrower.approved_fields()),
            (fields(&[Email]), HiddenFields::default()),
            "an approval that has ended is no request"
        );
    }

    // Proves: spec 2.12
    #[test]
    fn of_a_renewed_key_both_values_work_until_each_ones_own_end() {
        let at = NOW.plus(10 * DAY);
        let renewed = renewed(&key(), 2, DAY, at);
        assert_eq!(
            renewed.expiry_of(&digest(2)),
            Some(at.plus(ApiKey::VALIDITY))
        );
        assert_eq!(renewed.expiry_of(&digest(1)), Some(at.plus(DAY)));
        assert_eq!(renewed.expiry_of(&digest(3)), None);
        let second = Duration::from_secs(1);
        for (number, end) in [(1, at.plus(DAY)), (2, at.plus(ApiKey::VALIDITY))] {
            assert!(
                renewed.is_valid(&digest(number), end.minus(second))
                    && !renewed.is_valid(&digest(number), end)
            );
        }
        let revoked = ApiKey {
            revoked_at: Some(at),
            ..renewed
        };
        assert!(!revoked.is_valid(&digest(1), at) && !revoked.is_valid(&digest(2), at));
        assert_eq!(
            (revoked.created_at, revoked.scopes, revoked.description),
            (key().created_at, key().scopes, key().description)
        );
    }

    // Proves: spec 2.12
    #[test]
    fn the_old_value_never_works_past_its_own_expiry() {
        let (end, later) = (key().expires_at, key().expires_at.plus(DAY));
        assert_eq!(
            renewed(&key(), 2, 30 * DAY, end.minus(DAY)).expiry_of(&digest(1)),
            Some(end)
        );
        assert_eq!(
            renewed(&key(), 2, DAY, later).expiry_of(&digest(1)),
            Some(end),
            "a late renewal does not extend the expired value"
        );
        let at_once = renewed(&key(), 2, Duration::ZERO, NOW.plus(DAY));
        assert!(
            !at_once.is_valid(&digest(1), NOW.plus(DAY))
                && at_once.is_valid(&digest(2), NOW.plus(DAY))
        );
    }

    #[test]
    fn a_second_renewal_keeps_the_value_in_production_alive() {
        let later = NOW.plus(DAY / 2);
        let twice = renewed(&renewed(&key(), 2, DAY, NOW), 3, 7 * DAY, later);
        assert_eq!(
            [1, 2].map(|number| twice.expiry_of(&digest(number))),
            [Some(NOW.plus(DAY)), Some(later.plus(7 * DAY))]
        );
        assert_eq!(working(&twice, later), [1, 2, 3]);
        assert_eq!(working(&twice, NOW.plus(DAY)), [2, 3]);
        let hints: Vec<_> = twice
            .live_previous(later)
            .map(|value| value.hint.clone())
            .collect();
        assert_eq!(
            hints,
            [Some(key().hint), Some("renewed 2".to_owned())],
            "in the order in which they were replaced"
        );
    }

    #[test]
    fn a_renewal_drops_the_values_that_have_ended_and_keeps_the_replaced_one() {
        let (first, second) = (renewed(&key(), 2, DAY, NOW), NOW.plus(DAY));
        let twice = renewed(&first, 3, Duration::ZERO, second);
        assert_eq!(twice.expiry_of(&digest(1)), None);
        assert_eq!(
            twice.expiry_of(&digest(2)),
            Some(second),
            "the last replaced value stays, expired"
        );
        assert_eq!(twice.digests().collect::<Vec<_>>(), [digest(3), digest(2)]);
    }

    #[test]
    fn no_more_values_work_at_once_than_one_key_may_have() {
        let full = (2..=5).fold(key(), |key, number| renewed(&key, number, DAY, NOW));
        assert_eq!(working(&full, NOW), [1, 2, 3, 4, 5]);
        let renewal = |overlap| ApiKeyRenewal {
            digest: digest(6),
            hint: "renewed 6".to_owned(),
            overlap,
        };
        let second = Duration::from_secs(1);
        assert_eq!(full.renewed(renewal(second), NOW), None);
        assert_eq!(
            working(&renewed(&full, 6, Duration::ZERO, NOW), NOW),
            [1, 2, 3, 4, 6],
            "a renewal without overlap is never refused"
        );
        assert_eq!(
            full.renewed(renewal(second), NOW.plus(DAY).minus(second)),
            None
        );
        assert_eq!(
            working(&renewed(&full, 6, second, NOW.plus(DAY)), NOW.plus(DAY)),
            [5, 6],
            "expired values do not count"
        );
    }
}
