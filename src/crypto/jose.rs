//! JOSE structures: token headers and times.

use std::borrow::Cow;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};

use crate::domain::Timestamp;

/// The end of the year 9999. Later times are refused as mistakes or attempted overflows.
const MAX_NUMERIC_DATE: u64 = 253_402_300_799;

/// The `typ` of an access token (RFC 9068 §2.1).
pub const ACCESS_TOKEN_TYPE: &str = "at+jwt";

/// Parses a JSON object. A derived deserializer alone would also accept an array of the values,
/// which RFC 7515 §4 and RFC 7519 §7.2 do not allow.
pub(super) fn object<'de, T: Deserialize<'de>>(json: &'de [u8]) -> Result<T, serde_json::Error> {
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err(serde_json::Error::custom("not an object"));
    }
    serde_json::from_slice(json)
}

/// Header fields that are read before the signature is verified.
#[derive(Deserialize)]
pub(super) struct UnverifiedHeader<'a> {
    #[serde(borrow)]
    pub(super) alg: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) kid: Cow<'a, str>,
    #[serde(default, borrow)]
    pub(super) typ: Cow<'a, str>,
    /// Whether `crit` is present, with any value.
    #[serde(default, deserialize_with = "is_present")]
    pub(super) crit: bool,
    /// Whether `b64` is present, with any value. It would change the encoding of the payload.
    #[serde(default, deserialize_with = "is_present")]
    pub(super) b64: bool,
}

/// A key set from outside. Its keys are parsed one by one.
#[derive(Deserialize)]
pub(super) struct UnverifiedKeySet {
    pub(super) keys: Vec<serde_json::Value>,
}

/// Validity times of a token, in whole epoch seconds. RFC 9068 §2.2 requires `exp` and `iat`.
#[derive(Deserialize)]
pub(super) struct TimeClaims {
    exp: NumericDate,
    #[serde(rename = "iat")]
    _issued: NumericDate,
    #[serde(default)]
    nbf: NumericDate,
}

impl TimeBoundClaims for TimeClaims {
    fn validity_period(&self) -> (NumericDate, NumericDate) {
        (self.nbf, self.exp)
    }
}

/// Claims that include the validity period, so that the claims are parsed once.
pub(crate) trait TimeBoundClaims {
    /// `nbf`, by default the epoch, and `exp`.
    fn validity_period(&self) -> (NumericDate, NumericDate);
}

/// A `NumericDate` (RFC 7519 §2), in whole seconds since the epoch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NumericDate(i64);

impl NumericDate {
    pub(crate) const fn timestamp(self) -> Timestamp {
        Timestamp::from_seconds(self.0)
    }
}

fn is_present<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl<'de> Deserialize<'de> for NumericDate {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let seconds = u64::deserialize(value)?;
        if seconds > MAX_NUMERIC_DATE {
            return Err(D::Error::custom("a moment after the year 9999"));
        }
        i64::try_from(seconds).map(Self).map_err(D::Error::custom)
    }
}
