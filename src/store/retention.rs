//! Retention of expired rows.
//!
//! Stores need no background job. Every method that inserts a row also deletes up to
//! [`MAX_DELETED_PER_INSERT`] expired rows of the same kind, oldest first. More rows are deleted
//! than inserted, so tables stay bounded, and no call does unbounded work.
//!
//! | Row | Deleted | By |
//! |---|---|---|
//! | pending session | [`CLOCK_SKEW`] after it expires | [`open_session`](super::GrantStore::open_session) |
//! | console session | [`CLOCK_SKEW`] after it expires, even if it was idle for longer | [`open_user_session`](super::UserSessionStore::open_user_session) |
//! | grant and its code | [`GRANT_RETENTION`] after it is revoked; else after its idle or absolute expiry; else, never redeemed, after its code expires | [`approve_session`](super::GrantStore::approve_session) |
//! | consent | [`CONSENT_RETENTION`] after it was last given or used to skip the consent page | an [`approve_session`](super::GrantStore::approve_session) that stores a consent |
//! | API key | [`API_KEY_RETENTION`] after it is revoked or, if it never was, expires | [`create_api_key`](super::ApiKeyStore::create_api_key), [`issue_api_key`](super::ApiKeyStore::issue_api_key) |
//! | calls of an API key on a day | [`ApiKey::USAGE_DAYS`](crate::domain::ApiKey::USAGE_DAYS) later, when the key is used, or with the key | [`record_api_key_usage`](super::ApiKeyStore::record_api_key_usage) |
//! | calendar feed | [`CLOCK_SKEW`] after it expires, or with its key | [`create_calendar_feed`](super::CalendarFeedStore::create_calendar_feed) |
//! | state of a rate limit | [`CLOCK_SKEW`] after it equals no state | [`take`](super::RateLimiter::take) for a key without one |
//! | audit record | when the caller says so, at most [`MAX_SWEPT_AUDIT_RECORDS`](super::MAX_SWEPT_AUDIT_RECORDS) at once | [`sweep_audit_records`](super::AuditStore::sweep_audit_records) |
//! | run of a sync | [`SYNC_RUN_RETENTION`] after its end | [`append_sync_run`](super::SyncStore::append_sync_run) |
//! | signing key | when the caller says so, never the newest | [`sweep_signing_keys`](super::SigningKeyStore::sweep_signing_keys) |
//!
//! Consents are also deleted when the user withdraws them, and with their client.
//!
//! Methods treat a deleted row as one that never existed. Until it is deleted it is recognized: a
//! used code as long as its grant is stored, and a revoked grant as revoked.
//!
//! The clock of a node may be wrong by more than [`CLOCK_SKEW`]. PostgreSQL has a clock of its own:
//! the store deletes only rows that have ended by that clock too, and the services delete nothing
//! while the node's clock is wrong.

use std::time::Duration;

/// Maximum number of expired rows of one kind that an insert deletes.
pub const MAX_DELETED_PER_INSERT: usize = 8;

/// Tolerated difference between the clocks of nodes. Rows are deleted this much later, so that no
/// node deletes a row that another still needs.
pub const CLOCK_SKEW: Duration = Duration::from_secs(60);

/// Retention of grants that have ended, for inspection and for nodes whose clock is behind.
pub const GRANT_RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// Retention of unused consents: two years, longer than a school year abroad or the pause of a
/// seasonal client.
pub const CONSENT_RETENTION: Duration = Duration::from_secs(2 * 365 * 24 * 60 * 60);

/// Retention of API keys that have ended, so that their owners can see which key expired.
pub const API_KEY_RETENTION: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Retention of the runs of a sync, so that an administrator can see when a change came.
pub const SYNC_RUN_RETENTION: Duration = Duration::from_secs(90 * 24 * 60 * 60);
