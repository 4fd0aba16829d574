use std::borrow::Cow;
use std::time::Duration;

use http::header::{ALLOW, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};

use super::format::Format;
use super::notes::whole_seconds;
use super::reply;
use super::route::METHODS;
use super::wire::Problem;
use crate::domain::{ApiScope, Invalid, PersonalField};
use crate::http::audit::{RequestId, Rule};
use crate::http::wire::ErrorBody;
use crate::http::{Body, FailureCause};
use crate::store::StorageError;

/// Every way in which a request ends other than well.
#[derive(Debug)]
pub(super) enum Failure {
    UnknownPath,
    MethodNotAllowed,
    KeyMissing,
    KeyRepeated,
    /// Malformed, unknown or revoked: a stranger need not know which.
    KeyInvalid,
    KeyExpired,
    /// The key's owner is no user any more, which the answer does not tell from an unknown key.
    KeyOwnerGone,
    /// Too many keys that do not work came from the client's network.
    TooManyBadKeys {
        retry_after: Duration,
    },
    /// The key has used up what it may.
    RateLimited {
        retry_after: Duration,
    },
    ScopeMissing(ApiScope),
    /// The parameter would tell of a field that the key does without.
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
        rule: Invalid,
    },
    /// The cursor is none of this directory's.
    UpdatedSinceUnknown {
        name: &'static str,
    },
    /// The client wants none of the formats that the address offers.
    NotAcceptable(&'static [Format]),
    /// The condition of the request names another state than the present one.
    PreconditionFailed,
    StoreFailed(StorageError),
    StoreUnavailable(StorageError),
    /// What the last look at the storage came to.
    NotReady(FailureCause),
    Panicked,
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        if error.is_unavailable() { Self::StoreUnavailable(error) } else { Self::StoreFailed(error) }
    }
}

/// A failure in the dress that clients see.
struct Row<'a> {
    status: StatusCode,
    reason: &'static str,
    message: Cow<'static, str>,
    parameter: Option<Cow<'a, str>>,
}

impl Row<'_> {
    fn in_envelope(&self, request_id: &RequestId) -> Response<Body> {
        let body = ErrorBody::new(self.status, self.reason, &self.message, request_id.as_str());
        reply::json(self.status, reply::rendered(&body.of_parameter(self.parameter.as_deref())))
    }

    fn as_problem(&self, request_id: &RequestId) -> Response<Body> {
        let problem = Problem::new(self.status, self.reason, &self.message, self.parameter.as_deref(), request_id.as_str());
        let mut response = reply::json(self.status, reply::rendered(&problem));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}

impl Failure {
    /// The answer, in the envelope or as a problem, and a line in the log. It carries the request's id in the body and in `X-Request-Id`,
    /// and the cause of a 5xx only as a [`FailureCause`].
    pub(super) fn into_response(self, request_id: RequestId, as_problem: bool) -> Response<Body> {
        let row = self.row();
        let (status, rule) = (row.status, row.reason);
        let mut response = if as_problem { row.as_problem(&request_id) } else { row.in_envelope(&request_id) };
        if let Ok(id) = HeaderValue::from_str(request_id.as_str()) {
            response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
        }
        if let Some((name, value)) = header_of(status) {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        if let Self::TooManyBadKeys { retry_after } | Self::RateLimited { retry_after } = self {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_seconds(retry_after)));
        }
        let status = status.as_u16();
        match self {
            Self::StoreFailed(error) | Self::StoreUnavailable(error) => {
                let cause = FailureCause::new(error);
                tracing::error!(target: "lyceum::data", %request_id, rule, status, %cause, "failed");
                response.extensions_mut().insert(cause);
            }
            Self::NotReady(cause) => {
                tracing::error!(target: "lyceum::data", %request_id, rule, status, %cause, "failed");
                response.extensions_mut().insert(cause);
            }
            Self::Panicked => tracing::error!(target: "lyceum::data", %request_id, rule, status, "a handler panicked"),
            _ => tracing::info!(target: "lyceum::data", %request_id, rule, status, "refused"),
        }
        response
    }

    /// What the answer, the log and the metrics call it.
    pub(super) fn reason(&self) -> &'static str {
        self.row().reason
    }

    /// The rule by which it is looked up.
    pub(super) fn rule(&self) -> Rule {
        match self {
            Self::UnknownPath => Rule::NotFound,
            Self::MethodNotAllowed => Rule::MethodNotAllowed,
            Self::KeyMissing => Rule::ApiKeyMissing,
            Self::KeyRepeated => Rule::ApiKeyRepeated,
            Self::KeyInvalid => Rule::ApiKeyInvalid,
            Self::KeyExpired => Rule::ApiKeyExpired,
            Self::KeyOwnerGone => Rule::ApiKeyOwnerGone,
            Self::TooManyBadKeys { .. } => Rule::BadKeysLimited,
            Self::RateLimited { .. } => Rule::RateLimited,
            Self::ScopeMissing(_) => Rule::ScopeMissing,
            Self::FieldHidden { .. } => Rule::FieldHidden,
            Self::QueryMalformed => Rule::QueryMalformed,
            Self::ParameterUnknown { .. } => Rule::ParameterUnknown,
            Self::ParameterRepeated(_) => Rule::ParameterRepeated,
            Self::ParameterInvalid { .. } => Rule::ParameterInvalid,
            Self::UpdatedSinceUnknown { .. } => Rule::UpdatedSinceUnknown,
            Self::NotAcceptable(_) => Rule::NotAcceptable,
            Self::PreconditionFailed => Rule::PreconditionFailed,
            Self::StoreUnavailable(_) | Self::NotReady(_) => Rule::StorageUnavailable,
            Self::StoreFailed(_) | Self::Panicked => Rule::Failed,
        }
    }

    fn row(&self) -> Row<'_> {
        use StatusCode as S;
        match self {
            Self::UnknownPath => row(S::NOT_FOUND, "not_found", "There is nothing at this address."),
            Self::MethodNotAllowed => row(S::METHOD_NOT_ALLOWED, "method_not_allowed", "This address answers only GET, HEAD and OPTIONS."),
            Self::KeyMissing => row(S::UNAUTHORIZED, "api_key_missing", "The header X-API-KEY with an API key is missing."),
            Self::KeyRepeated => row(S::UNAUTHORIZED, "api_key_repeated", "The header X-API-KEY was sent more than once."),
            Self::KeyInvalid | Self::KeyOwnerGone => row(S::UNAUTHORIZED, "api_key_invalid", "The API key is not valid."),
            Self::KeyExpired => row(S::UNAUTHORIZED, "api_key_expired", "The API key has expired and must be renewed."),
            Self::TooManyBadKeys { .. } => row(
                S::TOO_MANY_REQUESTS,
                "bad_keys_limited",
                "Too many requests with an invalid API key came from this network; try again later.",
            ),
            Self::RateLimited { .. } => row(
                S::TOO_MANY_REQUESTS,
                "rate_limited",
                "The API key has made too many requests; try again after the time in Retry-After.",
            ),
            Self::ScopeMissing(scope) => row(S::FORBIDDEN, "scope_missing", format!("The API key lacks the scope {scope}.")),
            Self::FieldHidden { name, field } => {
                let message = format!("The API key does without {field}, so the parameter {name} cannot tell of it.");
                Row { parameter: Some(Cow::Borrowed(name)), ..row(S::FORBIDDEN, "field_hidden", message) }
            }
            Self::QueryMalformed => {
                row(S::BAD_REQUEST, "query_malformed", "The query is not percent-encoded UTF-8, or a value in it has no name.")
            }
            Self::ParameterUnknown { name, known } => {
                let message = format!("The parameter {} is not known here; known are {}.", shown(name), known.join(", "));
                Row { parameter: Some(shown(name)), ..row(S::BAD_REQUEST, "parameter_unknown", message) }
            }
            Self::ParameterRepeated(name) => {
                let message = format!("The parameter {} is given more than once.", shown(name));
                Row { parameter: Some(shown(name)), ..row(S::BAD_REQUEST, "parameter_repeated", message) }
            }
            Self::ParameterInvalid { name, rule } => {
                let message = format!("The parameter {name} {rule}.");
                Row { parameter: Some(Cow::Borrowed(name)), ..row(S::BAD_REQUEST, "parameter_invalid", message) }
            }
            Self::UpdatedSinceUnknown { name } => {
                let message = format!("The parameter {name} is of a state that is not known here; start again from 0.");
                Row { parameter: Some(Cow::Borrowed(name)), ..row(S::BAD_REQUEST, "updated_since_unknown", message) }
            }
            Self::NotAcceptable(offered) => {
                let offered: Vec<&str> = offered.iter().map(|format| format.media_type()).collect();
                let message = format!("The header Accept names nothing that this address answers in, which is {}.", offered.join(", "));
                row(S::NOT_ACCEPTABLE, "not_acceptable", message)
            }
            Self::PreconditionFailed => {
                row(S::PRECONDITION_FAILED, "precondition_failed", "The header If-Match names no present state of the answer.")
            }
            Self::StoreUnavailable(_) | Self::NotReady(_) => {
                row(S::SERVICE_UNAVAILABLE, "service_unavailable", "The service cannot answer at the moment; try again later.")
            }
            Self::StoreFailed(_) | Self::Panicked => row(S::INTERNAL_SERVER_ERROR, "internal_error", "The service failed to answer."),
        }
    }
}

fn row(status: StatusCode, reason: &'static str, message: impl Into<Cow<'static, str>>) -> Row<'static> {
    Row { status, reason, message: message.into(), parameter: None }
}

/// The header that the status asks for.
const fn header_of(status: StatusCode) -> Option<(HeaderName, &'static str)> {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => Some((ALLOW, METHODS)),
        StatusCode::UNAUTHORIZED => Some((WWW_AUTHENTICATE, "ApiKey header=\"X-API-KEY\"")),
        // A guess: long enough for a failed connection to be replaced.
        StatusCode::SERVICE_UNAVAILABLE => Some((RETRY_AFTER, "5")),
        _ => None,
    }
}

/// A name that a caller made up, shortened to what helps them find it.
fn shown(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(64) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}
