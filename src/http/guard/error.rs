use std::fmt;

use super::BoxError;
use super::keys::KeysUnavailable;
use crate::crypto::InvalidToken;

/// Reasons why a request does not reach the service.
#[derive(Debug)]
pub(super) enum Error {
    MissingToken,
    /// The request is malformed, not its token. The text is the error description.
    InvalidRequest(&'static str),
    InvalidToken(InvalidToken),
    RevokedToken,
    InsufficientScope,
    KeysUnavailable(KeysUnavailable),
    RevocationCheckUnavailable(BoxError),
}

impl Error {
    /// Label in metrics.
    pub(super) const fn reason(&self) -> &'static str {
        match self {
            Self::MissingToken => "token_missing",
            Self::InvalidRequest(_) => "request_malformed",
            Self::InvalidToken(InvalidToken::Expired) => "token_expired",
            Self::InvalidToken(_) => "token_invalid",
            Self::RevokedToken => "token_revoked",
            Self::InsufficientScope => "scope_missing",
            Self::KeysUnavailable(_) => "keys_unavailable",
            Self::RevocationCheckUnavailable(_) => "revocation_check_unavailable",
        }
    }
}

/// Text for the log.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingToken => f.write_str("there is no access token"),
            Self::InvalidRequest(fault) => f.write_str(fault),
            Self::InvalidToken(reason) => reason.fmt(f),
            Self::RevokedToken => f.write_str("the token was revoked"),
            Self::InsufficientScope => f.write_str("the token lacks a scope"),
            Self::KeysUnavailable(_) => f.write_str("no verification keys are available"),
            Self::RevocationCheckUnavailable(_) => f.write_str("the revocation check failed"),
        }
    }
}

impl From<InvalidToken> for Error {
    fn from(reason: InvalidToken) -> Self {
        Self::InvalidToken(reason)
    }
}

impl From<KeysUnavailable> for Error {
    fn from(reason: KeysUnavailable) -> Self {
        Self::KeysUnavailable(reason)
    }
}
