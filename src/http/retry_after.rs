use std::time::Duration;

use http::HeaderValue;

/// The value of `Retry-After`: whole seconds, rounded up, at least 1 (RFC 9110 §10.2.3).
pub(crate) fn retry_after(length: Duration) -> HeaderValue {
    HeaderValue::from(ceil_seconds(length))
}

/// The wait in a value of `Retry-After`.
#[cfg(feature = "auth-server")]
pub(crate) fn parse_retry_after(value: &HeaderValue) -> Option<Duration> {
    Some(Duration::from_secs(value.to_str().ok()?.parse().ok()?))
}

/// Seconds, rounded up, at least 1.
pub(crate) fn ceil_seconds(length: Duration) -> u64 {
    length
        .as_secs()
        .saturating_add(u64::from(length.subsec_nanos() > 0))
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Proves: spec 2.13
    #[test]
    fn seconds_are_rounded_up_and_never_none() {
        for (micros, seconds) in [
            (0, 1),
            (1, 1),
            (999_999, 1),
            (1_000_000, 1),
            (1_000_001, 2),
            (59_000_001, 60),
        ] {
            assert_eq!(
                ceil_seconds(Duration::from_micros(micros)),
                seconds,
                "{micros}"
            );
        }
        assert_eq!(ceil_seconds(Duration::MAX), u64::MAX);
    }
}
