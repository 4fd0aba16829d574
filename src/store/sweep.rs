//! What is kept how long once it is of no use any more.
//!
//! There is no background task and nothing for an operator to do: what adds a row takes some away. A call that adds one of a kind takes
//! at most [`AT_ONCE`] of that kind that have had their time, those that ended first; as more go than come, their number falls until
//! only those are left that must be kept. So no call does work without bounds, and a store does not grow for ever.
//!
//! | What | When it has had its time | What takes it away |
//! |---|---|---|
//! | a pending session | [`CLOCKS_APART`] after its expiry | [`open_session`](super::GrantStore::open_session) |
//! | a person's session in the console | [`CLOCKS_APART`] after its end, however idle it was | [`open_user_session`](super::UserSessionStore::open_user_session) |
//! | a grant and its code | [`GRANT_KEPT`] after it was revoked; if it never was, after it expired, idle or altogether; or, never redeemed, after its code expired | [`approve_session`](super::GrantStore::approve_session) |
//! | what a user consented to | [`CONSENT_KEPT`] after it was last given or used to skip the consent page | an [`approve_session`](super::GrantStore::approve_session) that remembers |
//! | an API key | [`API_KEY_KEPT`] after it was revoked or, if it never was, expired | [`create_api_key`](super::ApiKeyStore::create_api_key) |
//! | the calls of an API key on a day | [`ApiKey::USAGE_DAYS`](crate::domain::ApiKey::USAGE_DAYS) before the key is used again, or with the key | [`touch_api_keys`](super::ApiKeyStore::touch_api_keys) |
//! | a rate limit's state | [`CLOCKS_APART`] after it rested, which is as good as none | [`take`](super::RateLimiter::take) for a key without one |
//! | an audit record | when the caller says so, no more than [`AUDIT_RECORDS_SWEPT`](super::AUDIT_RECORDS_SWEPT) at once | [`sweep_audit_records`](super::AuditTrail::sweep_audit_records) |
//! | a signing key | when the caller says so, and never the newest | [`remove_signing_keys`](super::KeyStore::remove_signing_keys) |
//!
//! What users consented to also goes when its user takes it back, and with its client.
//!
//! What is gone is unknown, and every answer is then the one for what never was. What has not had its time stays: a used code is
//! recognised for as long as its grant lives, and a revoked grant says so.
//!
//! The clock of a node may be wrong by more than [`CLOCKS_APART`]. PostgreSQL has a clock of its own, so that the store sweeps nothing there that
//! has not ended by that clock too, and the services remove nothing by a clock that is wrong.

use std::time::Duration;

/// How many rows of one kind go at most when one comes.
pub const AT_ONCE: usize = 8;

/// How far apart the clocks of nodes may be, at most, without one taking away what another still needs.
pub const CLOCKS_APART: Duration = Duration::from_secs(60);

/// How long a dead grant is kept. Nothing needs it but people who ask what happened, and nodes whose clock is behind.
pub const GRANT_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a consent is kept that nobody uses: two years, so that it outlasts a school year abroad and a client that is for one season.
pub const CONSENT_KEPT: Duration = Duration::from_secs(2 * 365 * 24 * 60 * 60);

/// How long a dead API key is kept, so that its owner can be told that it expired and which one it was.
pub const API_KEY_KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
