use std::time::Duration;

use crate::domain::{ApiKey, ApiKeyId, ApiScope, CalendarFeedDigest, CalendarFeedId, Timestamp};

/// A stored calendar feed: a secret address of the school's calendars, for programs that subscribe
/// to them. It belongs to an API key, and its token is shown only once, when it is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarFeed {
    /// The id, used in management.
    pub id: CalendarFeedId,
    /// The key that it belongs to.
    pub key: ApiKeyId,
    /// The digest of its token.
    pub digest: CalendarFeedDigest,
    /// The last four characters of its token, for lists.
    pub hint: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// The end of the academic year in which it was created; the first second at which it is
    /// invalid.
    pub expires_at: Timestamp,
}

impl CalendarFeed {
    /// Maximum number of feeds of one key that have not expired.
    pub const MAX_PER_KEY: u32 = 10;

    /// Interval in which programs are asked to request a feed again.
    pub const REFRESH_INTERVAL: Duration = Duration::from_secs(6 * 60 * 60);

    /// Whether the feed works at `at` with its key: neither has expired, and the key is not revoked
    /// and has the scope of the calendars.
    pub fn is_valid(&self, key: &ApiKey, at: Timestamp) -> bool {
        at < self.expires_at
            && self.key == key.id
            && key.revoked_at.is_none()
            && at < key.expires_at
            && key.scopes.contains(&ApiScope::NEIS_READ)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ApiKeySecret, ApiScopes, CalendarFeedToken, ShortText};

    const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
    const SECOND: Duration = Duration::from_secs(1);

    /// Fails if a feed outlives its key or its academic year, works with another key, or gives a key
    /// the calendars that its scopes do not.
    #[test]
    fn a_feed_works_only_while_its_key_does_and_has_the_scope() {
        let key = ApiKey::new(
            ApiKeyId::from_random([1; 16]),
            &ApiKeySecret::from_random([1; 16]),
            ShortText::from_static("key"),
            ApiScopes::built_in(),
            NOW,
        );
        let token = CalendarFeedToken::from_random([1; 32]);
        let feed = CalendarFeed {
            id: CalendarFeedId::from_random([1; 16]),
            key: key.id,
            digest: token.digest(),
            hint: token.hint(),
            created_at: NOW,
            expires_at: NOW.plus(10 * SECOND),
        };
        assert!(feed.is_valid(&key, NOW) && feed.is_valid(&key, NOW.plus(9 * SECOND)));
        assert!(!feed.is_valid(&key, feed.expires_at));
        let changed = [
            ApiKey {
                revoked_at: Some(NOW),
                ..key.clone()
            },
            ApiKey {
                expires_at: NOW,
                ..key.clone()
            },
            ApiKey {
                scopes: [ApiScope::CLUB_READ].into_iter().collect(),
                ..key.clone()
            },
            ApiKey {
                id: ApiKeyId::from_random([2; 16]),
                ..key
            },
        ];
        for key in changed {
            assert!(!feed.is_valid(&key, NOW), "{key:?}");
        }
    }
}
