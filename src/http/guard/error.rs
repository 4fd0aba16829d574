use http::StatusCode;

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

/// The row of an error in the table.
pub(super) struct ErrorRow {
    /// Label in metrics.
    pub(super) label: &'static str,
    /// Text for the log.
    pub(super) text: String,
    pub(super) status: StatusCode,
    /// `error` in the response.
    pub(super) code: &'static str,
    /// `error_description` in the response.
    pub(super) description: &'static str,
}

/// Declares the table of errors: label, text for the log, status, error code and description.
macro_rules! error_rows {
    ($($error:pat => $label:literal, $text:expr, $status:ident, $code:literal, $description:expr;)+) => {
        impl Error {
            #[cfg(test)]
            const LABELS: &[&str] = &[$($label),+];

            pub(super) fn row(&self) -> ErrorRow {
                let (label, text, status, code, description) = match self {
                    $($error => ($label, $text.to_string(), StatusCode::$status, $code, $description)),+
                };
                ErrorRow { label, text, status, code, description }
            }
        }
    };
}

// The reason why a token is invalid is only logged, except for expiry, on which a client can act.
error_rows! {
    Self::MissingToken => "token_missing", "there is no access token", UNAUTHORIZED, "unauthorized", "An access token is needed.";
    Self::InvalidRequest(fault) => "request_malformed", fault, BAD_REQUEST, "invalid_request", *fault;
    Self::InvalidToken(reason @ InvalidToken::Expired) => "token_expired", reason, UNAUTHORIZED, "invalid_token", "The access token has expired.";
    Self::InvalidToken(reason) => "token_invalid", reason, UNAUTHORIZED, "invalid_token", "The access token is not valid.";
    Self::RevokedToken => "token_revoked", "the token was revoked", UNAUTHORIZED, "invalid_token", "The access token is not valid.";
    Self::InsufficientScope => "scope_missing", "the token lacks a scope", FORBIDDEN, "insufficient_scope", "The access token does not have the scopes that this needs.";
    Self::KeysUnavailable(_) => "keys_unavailable", "no verification keys are available", SERVICE_UNAVAILABLE, "temporarily_unavailable", "The access token cannot be checked at the moment; try again later.";
    Self::RevocationCheckUnavailable(_) => "revocation_check_unavailable", "the revocation check failed", SERVICE_UNAVAILABLE, "temporarily_unavailable", "The access token cannot be checked at the moment; try again later.";
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Fails if the row of the metric in `docs/operations.md` lacks a label, or has another one.
    #[test]
    fn the_page_lists_the_labels_of_the_table() {
        let page = include_str!("../../../docs/operations.md");
        let row = page
            .lines()
            .find(|line| line.starts_with("| `lyceum_refusals_total`"))
            .unwrap();
        let (_, listed) = row.split_once("of `guard` by ").unwrap();
        let listed: BTreeSet<_> = listed.split('`').skip(1).step_by(2).collect();
        assert_eq!(listed, Error::LABELS.iter().copied().collect());
    }
}
