//! What answers tell of the limit on a key: the fields that clients know, and those of draft-ietf-httpapi-ratelimit-headers-11.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::domain::{Quota, RateVerdict};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// Tells what a key may.
pub(super) fn note_quota(notes: &mut HeaderMap, quota: Quota) {
    notes.insert(LIMIT, HeaderValue::from(quota.limit()));
    note(notes, POLICY, format!("\"default\";q={};w={}", quota.limit(), quota.window().as_secs()));
}

/// Tells what a key may now. `t` is the time until all is there again, or until there is one when nothing is left.
pub(super) fn note_verdict(notes: &mut HeaderMap, quota: Quota, verdict: RateVerdict, now_micros: i64) {
    let (remaining, until) = match verdict {
        RateVerdict::Denied { retry_after } => (0, retry_after),
        RateVerdict::Allowed { remaining: 0, arrival_micros } => (0, micros(arrival_micros.saturating_sub(quota.latest(now_micros)))),
        RateVerdict::Allowed { remaining, arrival_micros } => (remaining, micros(arrival_micros.saturating_sub(now_micros))),
    };
    notes.insert(REMAINING, HeaderValue::from(remaining));
    note(notes, STATE, format!("\"default\";r={remaining};t={}", whole_seconds(until)));
}

/// Rounded up, and 1 at least, so that who waits that long has waited long enough.
pub(super) fn whole_seconds(length: Duration) -> u64 {
    length.as_secs().saturating_add(u64::from(length.subsec_nanos() > 0)).max(1)
}

fn micros(length: i64) -> Duration {
    Duration::from_micros(u64::try_from(length).unwrap_or(0))
}

fn note(notes: &mut HeaderMap, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        notes.insert(name, value);
    }
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
