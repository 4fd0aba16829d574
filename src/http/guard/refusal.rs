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
