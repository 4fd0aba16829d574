use std::fmt;

use super::BoxError;
use super::keys::KeysUnavailable;
use crate::crypto::TokenRejected;

/// Every way in which a request does not reach the service.
#[derive(Debug)]
pub(super) enum Refusal {
    NoToken,
    /// The request is at fault, not its token. The text says how.
    Malformed(&'static str),
    Invalid(TokenRejected),
    Revoked,
    InsufficientScope,
    KeysUnavailable(KeysUnavailable),
    LivenessUnavailable(BoxError),
}

impl Refusal {
    /// What metrics call it.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::NoToken => "token_missing",
            Self::Malformed(_) => "request_malformed",
            Self::Invalid(TokenRejected::Expired) => "token_expired",
            Self::Invalid(_) => "token_invalid",
            Self::Revoked => "token_revoked",
            Self::InsufficientScope => "scope_missing",
            Self::KeysUnavailable(_) => "keys_unavailable",
            Self::LivenessUnavailable(_) => "liveness_unavailable",
        }
    }
}

/// For the log.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken => f.write_str("there is no access token"),
            Self::Malformed(fault) => f.write_str(fault),
            Self::Invalid(reason) => reason.fmt(f),
            Self::Revoked => f.write_str("the token was revoked"),
            Self::InsufficientScope => f.write_str("the token lacks a scope"),
            Self::KeysUnavailable(_) => f.write_str("the keys cannot be had"),
            Self::LivenessUnavailable(_) => f.write_str("nobody can say whether the token is revoked"),
        }
    }
}

impl From<TokenRejected> for Refusal {
    fn from(reason: TokenRejected) -> Self {
        Self::Invalid(reason)
    }
}

impl From<KeysUnavailable> for Refusal {
    fn from(reason: KeysUnavailable) -> Self {
        Self::KeysUnavailable(reason)
    }
}
