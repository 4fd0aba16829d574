//! The JSON that JOSE fixes: what a thumbprint is made of, and what is read of a token before its claims.

use std::borrow::Cow;

use jsonwebtoken::jwk::EllipticCurve;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

use crate::domain::Timestamp;

/// The end of the year 9999; a later moment is a mistake or an attempt at an overflow.
const END_OF_TIME: u64 = 253_402_300_799;

/// What the thumbprint of an RSA key is made of, in its order (RFC 7638 §3.2).
#[derive(Serialize)]
pub(super) struct RsaMembers<'a> {
    pub(super) e: &'a str,
    pub(super) kty: &'static str,
    pub(super) n: &'a str,
}

/// What the thumbprint of an elliptic curve key is made of, in its order.
#[derive(Serialize)]
pub(super) struct CurveMembers<'a> {
    pub(super) crv: &'a EllipticCurve,
    pub(super) kty: &'static str,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
}

/// Reads a JSON object. A derived reader alone would also take an array of the values in their order, which RFC 7515 §4 and RFC 7519 §7.2
/// do not know.
pub(super) fn object<'de, T: Deserialize<'de>>(json: &'de [u8]) -> Result<T, serde_json::Error> {
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err(serde_json::Error::custom("not an object"));
    }
    serde_json::from_slice(json)
}

/// What is read of a header before anything is believed.
#[derive(Deserialize)]
pub(super) struct PresentedHeader<'a> {
    #[serde(borrow)]
    pub(super) alg: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) kid: Cow<'a, str>,
    #[serde(default, borrow)]
    pub(super) typ: Cow<'a, str>,
    /// Whether there is a `crit`, whatever it holds.
    #[serde(default, deserialize_with = "present")]
    pub(super) crit: bool,
    /// Whether there is a `b64`, whatever it holds: its payload would not be what it looks like.
    #[serde(default, deserialize_with = "present")]
    pub(super) b64: bool,
}

/// A key set from outside, of which each key is looked at by itself.
#[derive(Deserialize)]
pub(super) struct PresentedSet {
    pub(super) keys: Vec<serde_json::Value>,
}

/// The times that bound a token, in whole epoch seconds. RFC 9068 §2.2 requires `exp` and `iat`.
#[derive(Deserialize)]
pub(super) struct Times {
    exp: Moment,
    #[serde(rename = "iat")]
    _issued: Moment,
    #[serde(default)]
    nbf: Moment,
}

impl BoundedClaims for Times {
    fn bounds(&self) -> (Moment, Moment) {
        (self.nbf, self.exp)
    }
}

/// Claims that say themselves when they hold, so that they are read once.
pub(crate) trait BoundedClaims {
    /// `nbf`, by default the beginning of time, and `exp`.
    fn bounds(&self) -> (Moment, Moment);
}

/// A claim that is a moment, in whole epoch seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moment(i64);

impl Moment {
    pub(crate) const fn timestamp(self) -> Timestamp {
        Timestamp::from_seconds(self.0)
    }
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let seconds = u64::deserialize(value)?;
        if seconds > END_OF_TIME {
            return Err(D::Error::custom("a moment after the year 9999"));
        }
        i64::try_from(seconds).map(Self).map_err(D::Error::custom)
    }
}
