use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use super::time_index::TimeIndex;
use crate::domain::{
    ApiKey, ApiKeyId, CalendarFeed, CalendarFeedDigest, CalendarFeedId, Timestamp,
};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{CalendarFeedCreation, CalendarFeedStore, StorageError};

/// Calendar feeds by id, with an index of their end.
#[derive(Default)]
pub(super) struct CalendarFeeds {
    feeds: HashMap<CalendarFeedId, CalendarFeed>,
    by_end: TimeIndex<Timestamp, CalendarFeedId>,
}

#[async_trait]
impl CalendarFeedStore for MemoryStore {
    async fn create_calendar_feed(
        &self,
        feed: CalendarFeed,
        limit: u32,
    ) -> Result<CalendarFeedCreation, StorageError> {
        let mut keys = write_lock(&self.api_keys);
        if keys
            .get(feed.key)
            .is_none_or(|key| key.revoked_at.is_some())
        {
            return Ok(CalendarFeedCreation::NoKey);
        }
        Ok(keys.feeds.create(feed, limit))
    }

    async fn calendar_feeds(&self, key: ApiKeyId) -> Result<Vec<CalendarFeed>, StorageError> {
        let keys = read_lock(&self.api_keys);
        let mut feeds: Vec<_> = keys.feeds.of(key).cloned().collect();
        feeds.sort_by_key(|feed| (feed.created_at, feed.id));
        Ok(feeds)
    }

    async fn calendar_feed(
        &self,
        digest: &CalendarFeedDigest,
    ) -> Result<Option<(CalendarFeed, Arc<ApiKey>)>, StorageError> {
        let keys = read_lock(&self.api_keys);
        let mut feeds = keys.feeds.feeds.values();
        let found = feeds.find(|feed| feed.digest.matches(digest));
        Ok(found.and_then(|feed| Some((feed.clone(), Arc::clone(keys.get(feed.key)?)))))
    }

    async fn revoke_calendar_feed(
        &self,
        key: ApiKeyId,
        id: CalendarFeedId,
    ) -> Result<bool, StorageError> {
        let feeds = &mut write_lock(&self.api_keys).feeds;
        let is_of_key = feeds.feeds.get(&id).is_some_and(|feed| feed.key == key);
        Ok(is_of_key && feeds.remove(id))
    }
}

impl CalendarFeeds {
    fn create(&mut self, feed: CalendarFeed, limit: u32) -> CalendarFeedCreation {
        let created_at = feed.created_at;
        let live = self
            .of(feed.key)
            .filter(|other| created_at < other.expires_at);
        if live.take(limit as usize).count() == limit as usize {
            return CalendarFeedCreation::LimitReached;
        }
        let is_taken =
            |other: &CalendarFeed| other.id == feed.id || other.digest.matches(&feed.digest);
        if self.feeds.values().any(is_taken) {
            return CalendarFeedCreation::AlreadyExists;
        }
        self.by_end.insert(feed.expires_at, feed.id);
        self.feeds.insert(feed.id, feed);
        for id in self.by_end.pop_until(created_at.minus(CLOCK_SKEW)) {
            self.feeds.remove(&id);
        }
        CalendarFeedCreation::Created
    }

    /// Deletes the feeds of a deleted key.
    pub(super) fn remove_of(&mut self, key: ApiKeyId) {
        let ids: Vec<_> = self.of(key).map(|feed| feed.id).collect();
        for id in ids {
            self.remove(id);
        }
    }

    fn of(&self, key: ApiKeyId) -> impl Iterator<Item = &CalendarFeed> {
        self.feeds.values().filter(move |feed| feed.key == key)
    }

    fn remove(&mut self, id: CalendarFeedId) -> bool {
        let Some(feed) = self.feeds.remove(&id) else {
            return false;
        };
        self.by_end.remove(feed.expires_at, id);
        true
    }
}
