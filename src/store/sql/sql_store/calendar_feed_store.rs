use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{ApiKey, ApiKeyId, CalendarFeed, CalendarFeedDigest, CalendarFeedId};
use crate::store::sql::calendar_feeds;
use crate::store::{CalendarFeedCreation, CalendarFeedStore, StorageError};

#[async_trait]
impl CalendarFeedStore for SqlStore {
    async fn create_calendar_feed(
        &self,
        feed: CalendarFeed,
        limit: u32,
    ) -> Result<CalendarFeedCreation, StorageError> {
        self.write("create_calendar_feed", move |tx| {
            Box::pin(calendar_feeds::create_calendar_feed(tx, feed, limit))
        })
        .await
    }

    async fn calendar_feeds(&self, key: ApiKeyId) -> Result<Vec<CalendarFeed>, StorageError> {
        self.read("calendar_feeds", move |tx| {
            Box::pin(calendar_feeds::calendar_feeds(tx, key))
        })
        .await
    }

    async fn calendar_feed(
        &self,
        digest: &CalendarFeedDigest,
    ) -> Result<Option<(CalendarFeed, Arc<ApiKey>)>, StorageError> {
        let digest = *digest;
        self.read("calendar_feed", move |tx| {
            Box::pin(calendar_feeds::calendar_feed(tx, digest))
        })
        .await
    }

    async fn revoke_calendar_feed(
        &self,
        key: ApiKeyId,
        id: CalendarFeedId,
    ) -> Result<bool, StorageError> {
        self.write("revoke_calendar_feed", move |tx| {
            Box::pin(calendar_feeds::revoke_calendar_feed(tx, key, id))
        })
        .await
    }
}
