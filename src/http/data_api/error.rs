use std::borrow::Cow;
use std::time::Duration;

use http::header::{ALLOW, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};

use super::error_reasons::ErrorReason;
use super::format::Format;
use super::response;
use super::wire::Problem;
use crate::http::audit::{RefusalRule, RequestId};
use crate::http::retry_after::retry_after;
use crate::http::service::{CommonError, RefusedParameter};
use crate::http::wire::ErrorBody;
use crate::http::{Body, FailureCause};
use crate::store::StorageError;

/// A refused or failed request. Its constructors are the rows of [`ErrorReason`].
#[derive(Debug)]
pub(super) struct Error {
    status: StatusCode,
    reason: &'static str,
    /// For the audit log only.
    rule: RefusalRule,
    message: Cow<'static, str>,
    parameter: Option<Cow<'static, str>>,
    /// In a box, so that a result with this error stays small.
    header: Option<Box<(HeaderName, HeaderValue)>>,
    /// The cause of a 5xx, for the log only.
    cause: Option<FailureCause>,
}

impl Error {
    pub(super) fn from_row(
        status: StatusCode,
        reason: &'static str,
        rule: RefusalRule,
        message: Cow<'static, str>,
    ) -> Self {
        // The header that responses of this status require.
        let header = match status {
            StatusCode::UNAUTHORIZED => Some((WWW_AUTHENTICATE, "ApiKey header=\"X-API-KEY\"")),
            // An estimate of the time in which a failed connection is replaced.
            StatusCode::SERVICE_UNAVAILABLE => Some((RETRY_AFTER, "5")),
            _ => None,
        };
        Self {
            status,
            reason,
            rule,
            message,
            parameter: None,
            header: header.map(|(name, value)| Box::new((name, HeaderValue::from_static(value)))),
            cause: None,
        }
    }

    pub(super) fn with_parameter(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self {
            parameter: Some(name.into()),
            ..self
        }
    }

    pub(super) fn with_retry_after(self, duration: Duration) -> Self {
        Self {
            header: Some(Box::new((RETRY_AFTER, retry_after(duration)))),
            ..self
        }
    }

    pub(super) fn with_cause(self, cause: FailureCause) -> Self {
        Self {
            cause: Some(cause),
            ..self
        }
    }

    /// The client accepts none of the formats that the endpoint offers.
    pub(super) fn no_format(offered: &[Format]) -> Self {
        let offered: Vec<&str> = offered.iter().map(|format| format.media_type()).collect();
        Self::not_acceptable(offered.join(", "))
    }

    pub(super) const fn rule(&self) -> RefusalRule {
        self.rule
    }

    /// Builds the response, as envelope or problem JSON. The rule and the cause of a 5xx are only
    /// its extensions.
    pub(super) fn into_response(
        self,
        request_id: RequestId,
        prefers_problem: bool,
    ) -> Response<Body> {
        let (status, reason, parameter) = (self.status, self.reason, self.parameter.as_deref());
        let (message, id) = (&*self.message, request_id.as_str());
        let mut response = if prefers_problem {
            let problem = Problem::new(status, reason, message, parameter, id);
            let mut response = response::json(status, response::to_json(&problem));
            let media_type = HeaderValue::from_static("application/problem+json");
            response.headers_mut().insert(CONTENT_TYPE, media_type);
            response
        } else {
            let body = ErrorBody::new(status, reason, message, parameter, id);
            response::json(status, response::to_json(&body))
        };
        response
            .headers_mut()
            .extend(self.header.map(|header| *header));
        response.extensions_mut().insert(self.rule);
        if let Some(known) = RefusedParameter::from_error(self.parameter.as_ref()) {
            response.extensions_mut().insert(known);
        }
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(cause);
        }
        response
    }
}

impl From<CommonError> for Error {
    fn from(error: CommonError) -> Self {
        match error {
            CommonError::UnknownPath => Self::not_found(),
            CommonError::MethodNotAllowed(methods) => Self {
                header: Some(Box::new((ALLOW, HeaderValue::from_static(methods)))),
                ..Self::method_not_allowed()
            },
            CommonError::Panicked => {
                Self::failed().with_cause(FailureCause::new(CommonError::PANIC))
            }
        }
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        let failure = if error.is_unavailable() {
            Self::unavailable()
        } else {
            Self::failed()
        };
        failure.with_cause(FailureCause::new(error))
    }
}

/// The word for a rule in logs and metrics, which is that of the response.
pub(super) fn reason(rule: RefusalRule) -> &'static str {
    ErrorReason::ALL
        .iter()
        .find(|reason| reason.rules().contains(&rule))
        .map_or(rule.as_str(), |reason| reason.as_str())
}

/// Truncates a parameter name from the client to 64 characters.
pub(super) fn truncated(name: String) -> String {
    match name.char_indices().nth(64) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}
