//! Headers about the key, its rate limit and the age of the data. The limit is in the common
//! `X-RateLimit` headers and in those of draft-ietf-httpapi-ratelimit-headers-11.

use std::fmt;
use std::io::Write as _;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::domain::{ApiKeyId, DataKind, Quota, RateLimitDecision, Timestamp};
use crate::http::retry_after::ceil_seconds;

const KEY_EXPIRES: HeaderName = HeaderName::from_static("x-api-key-expires");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const QUOTA_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const REMAINING_AND_RESET: HeaderName = HeaderName::from_static("ratelimit");
const DIRECTORY_AGE: HeaderName = HeaderName::from_static("x-directory-age");
const DATA_AGE: HeaderName = HeaderName::from_static("x-data-age");
const DATA_AS_OF: HeaderName = HeaderName::from_static("x-data-as-of");

/// Values of these headers, collected while a request is handled, for its response or its error.
#[derive(Default)]
pub(super) struct ResponseHeaders {
    /// The key that the request presents and its time, for the usage of the key; not a header.
    pub(super) key: Option<(ApiKeyId, Timestamp)>,
    /// Expiry of the presented key value, if it expires soon.
    pub(super) key_expires_at: Option<Timestamp>,
    /// Quota of the key.
    pub(super) quota: Option<Quota>,
    /// The limiter's decision, and its time.
    pub(super) decision: Option<(RateLimitDecision, Timestamp)>,
    /// Time since the store last confirmed the data.
    pub(super) directory_age: Option<Duration>,
    /// Time since each kind of records was confirmed to be current.
    pub(super) data_ages: Vec<(DataKind, Duration)>,
    /// When the records of the list were last confirmed to be current.
    pub(super) data_as_of: Option<Timestamp>,
}

impl ResponseHeaders {
    pub(super) fn write(&self, headers: &mut HeaderMap) {
        if let Some(ends) = self.key_expires_at {
            insert_formatted(headers, KEY_EXPIRES, format_args!("{ends}"));
        }
        if let Some(quota) = self.quota {
            headers.insert(LIMIT, HeaderValue::from(quota.limit()));
            insert_formatted(
                headers,
                QUOTA_POLICY,
                format_args!(
                    "\"default\";q={};w={}",
                    quota.limit(),
                    quota.window().as_secs()
                ),
            );
            if let Some((decision, at)) = self.decision {
                let (remaining, reset_after) = remaining_and_reset(quota, decision, at);
                headers.insert(REMAINING, HeaderValue::from(remaining));
                insert_formatted(
                    headers,
                    REMAINING_AND_RESET,
                    format_args!("\"default\";r={remaining};t={}", ceil_seconds(reset_after)),
                );
            }
        }
        if let Some(age) = self.directory_age {
            headers.insert(DIRECTORY_AGE, HeaderValue::from(age.as_secs()));
        }
        if let Some(as_of) = self.data_as_of {
            insert_formatted(headers, DATA_AS_OF, format_args!("{as_of}"));
        }
        if !self.data_ages.is_empty() {
            let ages = self.data_ages.iter();
            let ages = ages.map(|(kind, age)| format!("{kind}={}", age.as_secs()));
            if let Ok(ages) = HeaderValue::try_from(ages.collect::<Vec<_>>().join(", ")) {
                headers.insert(DATA_AGE, ages);
            }
        }
    }
}

/// Remaining calls, and the time until all are available again, or until one is if none remains.
fn remaining_and_reset(
    quota: Quota,
    decision: RateLimitDecision,
    at: Timestamp,
) -> (u32, Duration) {
    match decision {
        RateLimitDecision::Denied { retry_after } => (0, retry_after),
        RateLimitDecision::Allowed {
            remaining: 0,
            arrival,
        } => (0, arrival.since(quota.max_arrival(at))),
        RateLimitDecision::Allowed { remaining, arrival } => (remaining, arrival.since(at)),
    }
}

/// Inserts a header, unless its value is longer than [`format_header_value`] supports.
fn insert_formatted(headers: &mut HeaderMap, name: HeaderName, value: fmt::Arguments<'_>) {
    if let Some(value) = format_header_value(value) {
        headers.insert(name, value);
    }
}

/// Formats a value of up to 128 visible characters with a single allocation.
pub(super) fn format_header_value(value: fmt::Arguments<'_>) -> Option<HeaderValue> {
    let mut buffer = [0; 128];
    let mut unwritten = &mut buffer[..];
    unwritten.write_fmt(value).ok()?;
    let unused = unwritten.len();
    HeaderValue::from_bytes(&buffer[..buffer.len() - unused]).ok()
}
