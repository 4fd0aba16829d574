use std::borrow::Cow;
use std::time::Duration;

use http::header::{ALLOW, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};

use super::format::Format;
use super::rate_limit_headers::ceil_seconds;
use super::response;
use super::wire::Problem;
use crate::domain::{ApiScope, InvalidValue, PersonalField};
use crate::http::audit::{RefusalRule, RequestId};
use crate::http::service::CommonError;
use crate::http::wire::ErrorBody;
use crate::http::{Body, FailureCause};
use crate::store::StorageError;

/// Reasons why a request is refused or fails.
#[derive(Debug)]
pub(super) enum Error {
    Common(CommonError),
    KeyMissing,
    KeyRepeated,
    /// Malformed, unknown or revoked; the response does not distinguish these.
    KeyInvalid,
    KeyExpired,
    /// The key's owner is no longer a user. The response is that of an unknown key.
    KeyOwnerGone,
    /// Too many invalid keys came from the client's network.
    TooManyBadKeys {
        retry_after: Duration,
    },
    /// The key's rate limit is exceeded.
    RateLimited {
        retry_after: Duration,
    },
    ScopeMissing(ApiScope),
    /// The parameter would reveal a field that is hidden from the key.
    FieldHidden {
        name: &'static str,
        field: PersonalField,
    },
    QueryMalformed,
    ParameterUnknown {
        name: String,
        known: Vec<&'static str>,
    },
    ParameterRepeated(String),
    ParameterInvalid {
        name: &'static str,
        rule: InvalidValue,
    },
    /// The cursor was not issued by this directory.
    UpdatedSinceUnknown {
        name: &'static str,
    },
    /// The client accepts none of the formats that the endpoint offers.
    NotAcceptable(&'static [Format]),
    /// `If-Match` does not match the current version.
    PreconditionFailed,
    StoreFailed(StorageError),
    StoreUnavailable(StorageError),
    /// The last storage check failed.
    NotReady(FailureCause),
}

impl From<CommonError> for Error {
    fn from(error: CommonError) -> Self {
        Self::Common(error)
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        if error.is_unavailable() {
            Self::StoreUnavailable(error)
        } else {
            Self::StoreFailed(error)
        }
    }
}

/// Status and texts of an error response.
struct ErrorDetails<'a> {
    status: StatusCode,
    message: Cow<'static, str>,
    parameter: Option<Cow<'a, str>>,
}

impl ErrorDetails<'_> {
    fn to_envelope(&self, reason: &str, request_id: &RequestId) -> Response<Body> {
        let body = ErrorBody::new(
            self.status,
            reason,
            &self.message,
            self.parameter.as_deref(),
            request_id.as_str(),
        );
        response::json(self.status, response::to_json(&body))
    }

    fn to_problem(&self, reason: &str, request_id: &RequestId) -> Response<Body> {
        let problem = Problem::new(
            self.status,
            reason,
            &self.message,
            self.parameter.as_deref(),
            request_id.as_str(),
        );
        let mut response = response::json(self.status, response::to_json(&problem));
        response.headers_mut().insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        response
    }
}

impl Error {
    /// Builds the response, as envelope or problem JSON. The rule and the cause of a 5xx are only
    /// its extensions.
    pub(super) fn into_response(
        self,
        request_id: RequestId,
        prefers_problem: bool,
    ) -> Response<Body> {
        let details = self.details();
        let (status, rule) = (details.status, self.rule());
        let mut response = if prefers_problem {
            details.to_problem(reason(rule), &request_id)
        } else {
            details.to_envelope(reason(rule), &request_id)
        };
        if let Some((name, value)) = header_for(status) {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
        if let Self::TooManyBadKeys { retry_after } | Self::RateLimited { retry_after } = self {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(ceil_seconds(retry_after)));
        }
        if let Self::Common(CommonError::MethodNotAllowed(methods)) = self {
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static(methods));
        }
        response.extensions_mut().insert(rule);
        if let Some(cause) = self.into_cause() {
            response.extensions_mut().insert(cause);
        }
        response
    }

    fn into_cause(self) -> Option<FailureCause> {
        match self {
            Self::StoreFailed(error) | Self::StoreUnavailable(error) => {
                Some(FailureCause::new(error))
            }
            Self::NotReady(cause) => Some(cause),
            Self::Common(error @ CommonError::Panicked) => Some(FailureCause::new(error.text())),
            _ => None,
        }
    }

    /// The rule in the audit log.
    fn rule(&self) -> RefusalRule {
        match self {
            Self::Common(CommonError::UnknownPath) => RefusalRule::NotFound,
            Self::Common(CommonError::MethodNotAllowed(_)) => RefusalRule::MethodNotAllowed,
            Self::KeyMissing => RefusalRule::ApiKeyMissing,
            Self::KeyRepeated => RefusalRule::ApiKeyRepeated,
            Self::KeyInvalid => RefusalRule::ApiKeyInvalid,
            Self::KeyExpired => RefusalRule::ApiKeyExpired,
            Self::KeyOwnerGone => RefusalRule::ApiKeyOwnerGone,
            Self::TooManyBadKeys { .. } => RefusalRule::BadKeysLimited,
            Self::RateLimited { .. } => RefusalRule::RateLimited,
            Self::ScopeMissing(_) => RefusalRule::ScopeMissing,
            Self::FieldHidden { .. } => RefusalRule::FieldHidden,
            Self::QueryMalformed => RefusalRule::QueryMalformed,
            Self::ParameterUnknown { .. } => RefusalRule::ParameterUnknown,
            Self::ParameterRepeated(_) => RefusalRule::ParameterRepeated,
            Self::ParameterInvalid { .. } => RefusalRule::ParameterInvalid,
            Self::UpdatedSinceUnknown { .. } => RefusalRule::UpdatedSinceUnknown,
            Self::NotAcceptable(_) => RefusalRule::NotAcceptable,
            Self::PreconditionFailed => RefusalRule::PreconditionFailed,
            Self::StoreUnavailable(_) | Self::NotReady(_) => RefusalRule::StorageUnavailable,
            Self::StoreFailed(_) | Self::Common(CommonError::Panicked) => RefusalRule::Failed,
        }
    }

    fn details(&self) -> ErrorDetails<'_> {
        use StatusCode as S;
        match self {
            Self::Common(error @ CommonError::UnknownPath) => details(S::NOT_FOUND, error.text()),
            Self::Common(CommonError::MethodNotAllowed(_)) => details(
                S::METHOD_NOT_ALLOWED,
                "This address answers only GET, HEAD and OPTIONS.",
            ),
            Self::KeyMissing => details(
                S::UNAUTHORIZED,
                "The header X-API-KEY with an API key is missing.",
            ),
            Self::KeyRepeated => details(
                S::UNAUTHORIZED,
                "The header X-API-KEY was sent more than once.",
            ),
            Self::KeyInvalid | Self::KeyOwnerGone => {
                details(S::UNAUTHORIZED, "The API key is not valid.")
            }
            Self::KeyExpired => details(
                S::UNAUTHORIZED,
                "The API key has expired and must be renewed.",
            ),
            Self::TooManyBadKeys { .. } => details(
                S::TOO_MANY_REQUESTS,
                "Too many requests with an invalid API key came from this network; try again later.",
            ),
            Self::RateLimited { .. } => details(
                S::TOO_MANY_REQUESTS,
                "The API key has made too many requests; try again after the time in Retry-After.",
            ),
            Self::ScopeMissing(scope) => details(
                S::FORBIDDEN,
                format!("The API key lacks the scope {scope}."),
            ),
            Self::FieldHidden { name, field } => {
                let message = format!(
                    "The API key does without {field}, so the parameter {name} cannot tell of it."
                );
                ErrorDetails {
                    parameter: Some(Cow::Borrowed(name)),
                    ..details(S::FORBIDDEN, message)
                }
            }
            Self::QueryMalformed => details(
                S::BAD_REQUEST,
                "The query is not percent-encoded UTF-8, or a value in it has no name.",
            ),
            Self::ParameterUnknown { name, known } => {
                let message = format!(
                    "The parameter {} is not known here; known are {}.",
                    truncated(name),
                    known.join(", ")
                );
                ErrorDetails {
                    parameter: Some(truncated(name)),
                    ..details(S::BAD_REQUEST, message)
                }
            }
            Self::ParameterRepeated(name) => {
                let message = format!("The parameter {} is given more than once.", truncated(name));
                ErrorDetails {
                    parameter: Some(truncated(name)),
                    ..details(S::BAD_REQUEST, message)
                }
            }
            Self::ParameterInvalid { name, rule } => {
                let message = format!("The parameter {name} {rule}.");
                ErrorDetails {
                    parameter: Some(Cow::Borrowed(name)),
                    ..details(S::BAD_REQUEST, message)
                }
            }
            Self::UpdatedSinceUnknown { name } => {
                let message = format!(
                    "The parameter {name} is of a state that is not known here; start again from 0."
                );
                ErrorDetails {
                    parameter: Some(Cow::Borrowed(name)),
                    ..details(S::BAD_REQUEST, message)
                }
            }
            Self::NotAcceptable(offered) => {
                let offered: Vec<&str> = offered.iter().map(|format| format.media_type()).collect();
                let message = format!(
                    "The header Accept names nothing that this address answers in, which is {}.",
                    offered.join(", ")
                );
                details(S::NOT_ACCEPTABLE, message)
            }
            Self::PreconditionFailed => details(
                S::PRECONDITION_FAILED,
                "The header If-Match names no present state of the answer.",
            ),
            Self::StoreUnavailable(_) | Self::NotReady(_) => details(
                S::SERVICE_UNAVAILABLE,
                "The service cannot answer at the moment; try again later.",
            ),
            Self::StoreFailed(_) | Self::Common(CommonError::Panicked) => {
                details(S::INTERNAL_SERVER_ERROR, "The service failed to answer.")
            }
        }
    }
}

/// The word for a rule in responses, logs and metrics. It is the rule's own, unless that would say
/// more than clients may know.
pub(super) const fn reason(rule: RefusalRule) -> &'static str {
    match rule {
        RefusalRule::ApiKeyOwnerGone => RefusalRule::ApiKeyInvalid.as_str(),
        RefusalRule::StorageUnavailable => "service_unavailable",
        RefusalRule::Failed => "internal_error",
        rule => rule.as_str(),
    }
}

fn details(status: StatusCode, message: impl Into<Cow<'static, str>>) -> ErrorDetails<'static> {
    ErrorDetails {
        status,
        message: message.into(),
        parameter: None,
    }
}

/// The header that responses of this status require.
const fn header_for(status: StatusCode) -> Option<(HeaderName, &'static str)> {
    match status {
        StatusCode::UNAUTHORIZED => Some((WWW_AUTHENTICATE, "ApiKey header=\"X-API-KEY\"")),
        // An estimate of the time in which a failed connection is replaced.
        StatusCode::SERVICE_UNAVAILABLE => Some((RETRY_AFTER, "5")),
        _ => None,
    }
}

/// Truncates a parameter name from the client to 64 characters.
fn truncated(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(64) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}
