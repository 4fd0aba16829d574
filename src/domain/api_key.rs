use std::time::Duration;

use crate::domain::{ApiKeyDigest, ApiKeyId, ApiKeySecret, ApiScopes, Date, HiddenFields, Line, Quota, SubjectId, Timestamp};

/// An API key as the store keeps it. A value of it is shown once, when it is issued or renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The id by which people and rate limits refer to the key. It stays when the key is renewed.
    pub id: ApiKeyId,
    /// The digest of the key's current value.
    pub digest: ApiKeyDigest,
    /// The first eight and last four characters of the current value, for lists.
    pub hint: String,
    /// The values before the last renewals, in the order in which they were replaced: those that still work, and the one that was replaced
    /// last whether it works or not.
    pub previous: Vec<PreviousValue>,
    /// Who owns the key, if somebody does.
    pub owner: Option<SubjectId>,
    /// What the owner calls the key.
    pub description: Line,
    /// What the key may read.
    pub scopes: ApiScopes,
    /// What the key does without.
    pub hidden: HiddenFields,
    /// How often the key may call, if not as often as all others.
    pub quota: Option<Quota>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first moment at which the current value no longer works: 30 days after issue or renewal.
    pub expires_at: Timestamp,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, as far as that has been written down yet.
    pub last_used_at: Option<Timestamp>,
}

/// A value that a key had before a renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviousValue {
    /// Its digest.
    pub digest: ApiKeyDigest,
    /// Its first eight and last four characters; `None` for a value that was replaced before these were kept.
    pub hint: Option<String>,
    /// The first moment at which it no longer works.
    pub works_until: Timestamp,
}

/// A new value for a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyRenewal {
    /// The digest of the new value.
    pub digest: ApiKeyDigest,
    /// The first eight and last four characters of the new value.
    pub hint: String,
    /// How long the value until now goes on working, which is never past its own expiry.
    pub overlap: Duration,
}

/// What a key was used for on one day, or a part of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    /// The key.
    pub key: ApiKeyId,
    /// The day, where the school is.
    pub day: Date,
    /// How many calls it made, at least one.
    pub calls: u32,
    /// When the last of them was.
    pub last_used_at: Timestamp,
}

impl ApiKey {
    /// How many days are counted, those on which the key was not used among them.
    pub const USAGE_DAYS: i32 = 35;

    /// How long a key works after it is issued or renewed.
    pub const VALIDITY: Duration = Duration::from_secs(30 * 24 * 60 * 60);

    /// How long the value before a renewal goes on working if nobody says otherwise.
    pub const OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

    /// How many values of one key may work at the same time: the current one and those before it.
    pub const MAX_LIVE_VALUES: usize = 5;

    /// How long a key that is revoked still counts among those that its owner may have. A new key has a rate limit that nobody has used up,
    /// so whoever could take another one for it at once would have no limit at all.
    pub const COUNTS_AFTER_REVOCATION: Duration = Duration::from_secs(24 * 60 * 60);

    /// A key that is issued at `at`, of nobody in particular and under the limit of all others.
    pub fn issued(id: ApiKeyId, secret: &ApiKeySecret, description: Line, scopes: ApiScopes, at: Timestamp) -> Self {
        Self {
            id,
            digest: secret.digest(),
            hint: secret.hint(),
            previous: Vec::new(),
            owner: None,
            description,
            scopes,
            hidden: HiddenFields::default(),
            quota: None,
            created_at: at,
            expires_at: at.plus(Self::VALIDITY),
            revoked_at: None,
            last_used_at: None,
        }
    }

    /// The same key with another value. The new value works for as long as a new key, and the replaced one for the overlap, but not past its
    /// own expiry. Values from earlier renewals keep their ends; those that ended before `at` are dropped.
    ///
    /// `None` when more than [`MAX_LIVE_VALUES`](Self::MAX_LIVE_VALUES) values would work at `at`. A renewal without overlap is never refused.
    #[must_use]
    pub fn renewed(&self, renewal: ApiKeyRenewal, at: Timestamp) -> Option<Self> {
        let works_until = at.plus(renewal.overlap).min(self.expires_at);
        let replaced = PreviousValue { digest: self.digest, hint: Some(self.hint.clone()), works_until };
        let previous = self.live_previous(at).cloned().chain([replaced]).collect();
        let renewed = Self { digest: renewal.digest, hint: renewal.hint, previous, expires_at: at.plus(Self::VALIDITY), ..self.clone() };
        (renewed.live_previous(at).count() < Self::MAX_LIVE_VALUES).then_some(renewed)
    }

    /// The values from before a renewal that have not ended at `at`, in the order in which they were replaced. A revoked key has none that
    /// works.
    pub fn live_previous(&self, at: Timestamp) -> impl Iterator<Item = &PreviousValue> {
        self.previous.iter().filter(move |value| at < value.works_until)
    }

    /// The digests of all its values, the current one first.
    pub fn digests(&self) -> impl Iterator<Item = ApiKeyDigest> {
        [self.digest].into_iter().chain(self.previous.iter().map(|value| value.digest))
    }

    /// The first moment at which the value with this digest no longer works, unless the key is revoked before. `None` when it is no value of
    /// this key.
    pub fn expiry_of(&self, digest: &ApiKeyDigest) -> Option<Timestamp> {
        if self.digest.matches(digest) {
            return Some(self.expires_at);
        }
        self.previous.iter().find(|value| value.digest.matches(digest)).map(|value| value.works_until)
    }

    /// Whether at `at` it counts among those that its owner may have: until it is revoked, also when it has expired, and for
    /// [a day](Self::COUNTS_AFTER_REVOCATION) after that.
    pub fn counts(&self, at: Timestamp) -> bool {
        self.revoked_at.is_none_or(|revoked| at < revoked.plus(Self::COUNTS_AFTER_REVOCATION))
    }

    /// Whether the value with this digest works at `at`.
    pub fn works(&self, digest: &ApiKeyDigest, at: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expiry_of(digest).is_some_and(|end| at < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn digest(number: u8) -> ApiKeyDigest {
        ApiKeyDigest::from_bytes([number; 32])
    }

    fn key() -> ApiKey {
        let secret = ApiKeySecret::from_random([1; 16]);
        let key = ApiKey::issued(ApiKeyId::from_random([1; 16]), &secret, Line::literal("급식 알리미"), ApiScopes::built_in(), NOW);
        ApiKey { digest: digest(1), ..key }
    }

    fn renewed(key: &ApiKey, number: u8, overlap: Duration, at: Timestamp) -> ApiKey {
        key.renewed(ApiKeyRenewal { digest: digest(number), hint: format!("renewed {number}"), overlap }, at).unwrap()
    }

    fn working(key: &ApiKey, at: Timestamp) -> Vec<u8> {
        (1..=9).filter(|number| key.works(&digest(*number), at)).collect()
    }

    #[test]
    fn decision_2_12_of_a_renewed_key_both_values_work_until_each_ones_own_end() {
        let at = NOW.plus(10 * DAY);
        let renewed = renewed(&key(), 2, DAY, at);
        assert_eq!(renewed.expiry_of(&digest(2)), Some(at.plus(ApiKey::VALIDITY)));
        assert_eq!(renewed.expiry_of(&digest(1)), Some(at.plus(DAY)));
        assert_eq!(renewed.expiry_of(&digest(3)), None);
        let second = Duration::from_secs(1);
        for (number, end) in [(1, at.plus(DAY)), (2, at.plus(ApiKey::VALIDITY))] {
            assert!(renewed.works(&digest(number), end.minus(second)) && !renewed.works(&digest(number), end));
        }
        let revoked = ApiKey { revoked_at: Some(at), ..renewed };
        assert!(!revoked.works(&digest(1), at) && !revoked.works(&digest(2), at));
        assert_eq!((revoked.created_at, revoked.scopes, revoked.description), (key().created_at, key().scopes, key().description));
    }

    #[test]
    fn decision_2_12_the_old_value_never_works_past_its_own_expiry() {
        let (end, later) = (key().expires_at, key().expires_at.plus(DAY));
        assert_eq!(renewed(&key(), 2, 30 * DAY, end.minus(DAY)).expiry_of(&digest(1)), Some(end));
        assert_eq!(renewed(&key(), 2, DAY, later).expiry_of(&digest(1)), Some(end), "renewed too late, it does not come back");
        let at_once = renewed(&key(), 2, Duration::ZERO, NOW.plus(DAY));
        assert!(!at_once.works(&digest(1), NOW.plus(DAY)) && at_once.works(&digest(2), NOW.plus(DAY)));
    }

    #[test]
    fn a_second_renewal_keeps_the_value_in_production_alive() {
        let later = NOW.plus(DAY / 2);
        let twice = renewed(&renewed(&key(), 2, DAY, NOW), 3, 7 * DAY, later);
        assert_eq!([1, 2].map(|number| twice.expiry_of(&digest(number))), [Some(NOW.plus(DAY)), Some(later.plus(7 * DAY))]);
        assert_eq!(working(&twice, later), [1, 2, 3]);
        assert_eq!(working(&twice, NOW.plus(DAY)), [2, 3]);
        let hints: Vec<_> = twice.live_previous(later).map(|value| value.hint.clone()).collect();
        assert_eq!(hints, [Some(key().hint), Some("renewed 2".to_owned())], "in the order in which they were replaced");
    }

    #[test]
    fn a_renewal_drops_the_values_that_have_ended_and_keeps_the_replaced_one() {
        let (first, second) = (renewed(&key(), 2, DAY, NOW), NOW.plus(DAY));
        let twice = renewed(&first, 3, Duration::ZERO, second);
        assert_eq!(twice.expiry_of(&digest(1)), None);
        assert_eq!(twice.expiry_of(&digest(2)), Some(second), "its holder can be told that it ended");
        assert_eq!(twice.digests().collect::<Vec<_>>(), [digest(3), digest(2)]);
    }

    #[test]
    fn no_more_values_work_at_once_than_one_key_may_have() {
        let full = (2..=5).fold(key(), |key, number| renewed(&key, number, DAY, NOW));
        assert_eq!(working(&full, NOW), [1, 2, 3, 4, 5]);
        let renewal = |overlap| ApiKeyRenewal { digest: digest(6), hint: "renewed 6".to_owned(), overlap };
        let second = Duration::from_secs(1);
        assert_eq!(full.renewed(renewal(second), NOW), None);
        assert_eq!(working(&renewed(&full, 6, Duration::ZERO, NOW), NOW), [1, 2, 3, 4, 6], "without an overlap it is always renewed");
        assert_eq!(full.renewed(renewal(second), NOW.plus(DAY).minus(second)), None);
        assert_eq!(working(&renewed(&full, 6, second, NOW.plus(DAY)), NOW.plus(DAY)), [5, 6], "when the others have ended there is room");
    }
}
