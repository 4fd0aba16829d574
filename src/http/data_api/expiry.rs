//! Telling whoever uses a key, while there is time, that it ends.

use std::time::Duration;

use http::header::HeaderName;
use http::{HeaderMap, HeaderValue};

use crate::domain::Timestamp;

const EXPIRES: HeaderName = HeaderName::from_static("x-api-key-expires");

/// How long before its end the answers to a key tell of it (decisions 2.12).
const TOLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Tells on the answer when the presented value of a key ends, if that is soon.
pub(super) fn tell(ends: Timestamp, now: Timestamp, notes: &mut HeaderMap) {
    if now >= ends.minus(TOLD)
        && let Ok(moment) = HeaderValue::try_from(ends.to_string())
    {
        notes.insert(EXPIRES, moment);
    }
}
