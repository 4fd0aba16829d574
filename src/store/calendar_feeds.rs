use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{ApiKey, ApiKeyId, CalendarFeed, CalendarFeedDigest, CalendarFeedId};

/// Stores calendar feeds, in the database of the API keys that they belong to.
///
/// A feed is deleted with its key. It is stored, but [invalid](CalendarFeed::is_valid), while its
/// key is revoked, expired or suspended: the key alone decides that, so no transition that ends keys
/// has to know of feeds.
#[async_trait]
pub trait CalendarFeedStore: Debug + Send + Sync + 'static {
    /// Stores a new feed, unless its key is revoked or missing, or has `limit` feeds that have not
    /// expired when the new one is created. The limit holds under concurrent calls. A feed that is
    /// stored also deletes a few that had expired: see [`retention`](super::retention).
    async fn create_calendar_feed(
        &self,
        feed: CalendarFeed,
        limit: u32,
    ) -> Result<CalendarFeedCreation, StorageError>;

    /// Returns the feeds of a key, ordered by creation time and then by id, with those that have
    /// expired and are not deleted yet.
    async fn calendar_feeds(&self, key: ApiKeyId) -> Result<Vec<CalendarFeed>, StorageError>;

    /// Returns the feed whose token has this digest, with its key, also if one of them has expired
    /// or is revoked. Both are of one state of the database.
    async fn calendar_feed(
        &self,
        digest: &CalendarFeedDigest,
    ) -> Result<Option<(CalendarFeed, Arc<ApiKey>)>, StorageError>;

    /// Deletes a feed of this key. Returns whether there was one.
    async fn revoke_calendar_feed(
        &self,
        key: ApiKeyId,
        id: CalendarFeedId,
    ) -> Result<bool, StorageError>;
}

/// Result of creating a calendar feed; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum CalendarFeedCreation {
    /// The feed is stored.
    Created,
    /// The key is revoked, or there is no such key. Nothing changed.
    NoKey,
    /// The key has as many feeds as it may have. Nothing changed.
    LimitReached,
    /// The id or the digest is taken. Nothing changed.
    AlreadyExists,
}
