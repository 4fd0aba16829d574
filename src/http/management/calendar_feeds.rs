//! Management of the calendar feeds of API keys.

use std::sync::Arc;

use super::permission::{Changeable, parse_id};
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{ApiKey, ApiScope, CalendarFeed, CalendarFeedId, CalendarFeedToken, Timestamp};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{CalendarFeedCreation, CalendarFeedStore};

impl ManagementSession<'_> {
    /// Creates a feed of a key that can read the calendars. Its token is not shown again. `None` if
    /// the key has as many feeds as it may have.
    pub(crate) async fn create_calendar_feed(
        &self,
        feeds: &dyn CalendarFeedStore,
        key: &Changeable<Arc<ApiKey>>,
        expires_at: Timestamp,
    ) -> Result<Option<CalendarFeedToken>, ManagementError> {
        if !key.scopes.contains(&ApiScope::NEIS_READ) {
            return Err(Rejection::not_found().into());
        }
        let entropy = &self.management.entropy;
        let token = CalendarFeedToken::from_random(entropy.bytes());
        let feed = CalendarFeed {
            id: CalendarFeedId::from_random(entropy.bytes()),
            key: key.id,
            digest: token.digest(),
            hint: token.hint(),
            created_at: self.now(),
            expires_at,
        };
        let (key, feed_id) = (feed.key, feed.id);
        let object = || ManagedObject::CalendarFeed { key, feed: feed_id };
        match feeds
            .create_calendar_feed(feed, CalendarFeed::MAX_PER_KEY)
            .await?
        {
            CalendarFeedCreation::Created => {}
            CalendarFeedCreation::LimitReached => return Ok(None),
            CalendarFeedCreation::NoKey => return Err(Rejection::not_found().into()),
            CalendarFeedCreation::AlreadyExists => {
                return Err(ManagementError::Failed(
                    "a new calendar feed's id or token was taken",
                ));
            }
        }
        self.record_change(object(), Change::Created);
        if !self.is_still_authenticated().await? {
            if feeds.revoke_calendar_feed(key, feed_id).await? {
                self.record_change(object(), Change::Deleted);
            }
            return Err(ManagementError::AccessEnded);
        }
        Ok(Some(token))
    }

    /// Revokes a feed of the key.
    pub(crate) async fn revoke_calendar_feed(
        &self,
        feeds: &dyn CalendarFeedStore,
        key: &Changeable<Arc<ApiKey>>,
        id: &str,
    ) -> Result<(), ManagementError> {
        let (key, feed) = (key.id, parse_id(id)?);
        if !feeds.revoke_calendar_feed(key, feed).await? {
            return Err(Rejection::not_found().into());
        }
        self.record_change(ManagedObject::CalendarFeed { key, feed }, Change::Deleted);
        Ok(())
    }
}
