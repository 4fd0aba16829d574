//! The headers about the key, its rate limit and the age of the data. The limit is told in the headers that clients know, and in those of
//! draft-ietf-httpapi-ratelimit-headers-11.

use std::fmt;
use std::io::Write as _;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::domain::{Quota, RateVerdict, Timestamp};

const KEY_EXPIRES: HeaderName = HeaderName::from_static("x-api-key-expires");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");
const DIRECTORY_AGE: HeaderName = HeaderName::from_static("x-directory-age");

/// What is learned on the way to an answer and stands on it, also if it is a refusal.
#[derive(Default)]
pub(super) struct Notes {
    /// When the presented value of the key ends, if that is soon.
    pub(super) key_ends: Option<Timestamp>,
    /// The quota of the key.
    pub(super) quota: Option<Quota>,
    /// What the limiter said, and when, in microseconds since the epoch.
    pub(super) verdict: Option<(RateVerdict, i64)>,
    /// For how long the store has not confirmed the data.
    pub(super) directory_age: Option<Duration>,
}

impl Notes {
    pub(super) fn write(&self, headers: &mut HeaderMap) {
        if let Some(ends) = self.key_ends {
            note(headers, KEY_EXPIRES, format_args!("{ends}"));
        }
        if let Some(quota) = self.quota {
            headers.insert(LIMIT, HeaderValue::from(quota.limit()));
            note(headers, POLICY, format_args!("\"default\";q={};w={}", quota.limit(), quota.window().as_secs()));
            if let Some((verdict, at)) = self.verdict {
                let (remaining, until) = left(quota, verdict, at);
                headers.insert(REMAINING, HeaderValue::from(remaining));
                note(headers, STATE, format_args!("\"default\";r={remaining};t={}", whole_seconds(until)));
            }
        }
        if let Some(age) = self.directory_age {
            headers.insert(DIRECTORY_AGE, HeaderValue::from(age.as_secs()));
        }
    }
}

/// How many calls are left, and the time until all are there again, or until there is one when none is left.
fn left(quota: Quota, verdict: RateVerdict, now_micros: i64) -> (u32, Duration) {
    match verdict {
        RateVerdict::Denied { retry_after } => (0, retry_after),
        RateVerdict::Allowed { remaining: 0, arrival_micros } => (0, micros(arrival_micros.saturating_sub(quota.latest(now_micros)))),
        RateVerdict::Allowed { remaining, arrival_micros } => (remaining, micros(arrival_micros.saturating_sub(now_micros))),
    }
}

/// Rounded up, and 1 at least, so that a client that waits this long is not refused again.
pub(super) fn whole_seconds(length: Duration) -> u64 {
    length.as_secs().saturating_add(u64::from(length.subsec_nanos() > 0)).max(1)
}

fn micros(length: i64) -> Duration {
    Duration::from_micros(u64::try_from(length).unwrap_or(0))
}

/// A header whose value is short.
fn note(headers: &mut HeaderMap, name: HeaderName, value: fmt::Arguments<'_>) {
    if let Some(value) = short(value) {
        headers.insert(name, value);
    }
}

/// A value of up to 128 visible characters, made in one allocation.
pub(super) fn short(value: fmt::Arguments<'_>) -> Option<HeaderValue> {
    let mut room = [0; 128];
    let mut rest = &mut room[..];
    rest.write_fmt(value).ok()?;
    let unused = rest.len();
    HeaderValue::from_bytes(&room[..room.len() - unused]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_2_13_seconds_are_rounded_up_and_never_none() {
        for (micros, seconds) in [(0, 1), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (59_000_001, 60)] {
            assert_eq!(whole_seconds(Duration::from_micros(micros)), seconds, "{micros}");
        }
        assert_eq!(whole_seconds(Duration::MAX), u64::MAX);
    }
}
