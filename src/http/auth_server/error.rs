use std::borrow::Cow;
use std::time::Duration;

use http::header::{ACCEPT, ALLOW, HeaderName, InvalidHeaderValue, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Response, StatusCode};

use super::server::Server;
use super::views::ReturnLink;
use super::wire::OAuthError;
use super::{bearer, refusal_rules, response, views};
use crate::domain::Scope;
use crate::http::audit::RefusalRule;
use crate::http::management::{ManagementError, Rejection};
use crate::http::request_body::BodyReadError;
use crate::http::retry_after::{parse_retry_after, retry_after};
use crate::http::service::{CommonError, RefusedParameter};
use crate::http::wire::ErrorBody;
use crate::http::{Body, FailureCause, quality_values};
use crate::oauth::{AuthorizeError, ErrorCode, NonRedirectableError, TokenError, TokenErrorKind};
use crate::store::StorageError;

/// An error, independent of the [`ErrorFormat`] in which it is rendered. Its constructors are the
/// rows of [`ErrorReason`](super::ErrorReason).
#[derive(Debug)]
pub(super) struct Error {
    /// For the log only; often more specific than the response.
    rule: RefusalRule,
    status: StatusCode,
    error: &'static str,
    description: Cow<'static, str>,
    parameter: Option<Cow<'static, str>>,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<FailureCause>,
}

impl Error {
    /// Creates an error with its `error` code and an ASCII description.
    pub(super) fn from_row(
        status: StatusCode,
        error: &'static str,
        rule: RefusalRule,
        description: Cow<'static, str>,
    ) -> Self {
        Self {
            rule,
            status,
            error,
            description,
            parameter: None,
            headers: Vec::new(),
            cause: None,
        }
    }

    /// An error of the protocol, whose row is in [`oauth`](crate::oauth).
    fn from_oauth(
        status: StatusCode,
        code: ErrorCode,
        rule: RefusalRule,
        description: &'static str,
    ) -> Self {
        Self::from_row(status, code.as_str(), rule, Cow::Borrowed(description))
    }

    /// A body that exceeds the limit or is incomplete.
    pub(super) fn unreadable_body(cause: BodyReadError, limit: usize) -> Self {
        Self::from(match cause {
            BodyReadError::TooLarge => Rejection::body_too_long(limit),
            BodyReadError::Incomplete => Rejection::body_broken(),
        })
    }

    /// Status 500. The cause is logged and not part of the response.
    pub(super) fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            cause: Some(FailureCause::new(cause)),
            ..Rejection::failed().into()
        }
    }

    /// Whether the request is at fault, not the service or a limit.
    pub(super) fn is_client_error(&self) -> bool {
        self.status.is_client_error() && self.status != StatusCode::TOO_MANY_REQUESTS
    }

    /// Replaces the rule by a more specific one.
    pub(super) fn with_rule(self, rule: RefusalRule) -> Self {
        Self { rule, ..self }
    }

    /// Adds a response header.
    pub(super) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Names the parameter or field at fault, which only the management API's envelope contains.
    pub(super) fn with_parameter(mut self, parameter: impl Into<Cow<'static, str>>) -> Self {
        self.parameter = Some(parameter.into());
        self
    }

    /// Sets `Retry-After`.
    pub(super) fn with_retry_after(self, duration: Duration) -> Self {
        self.with_header(RETRY_AFTER, retry_after(duration))
    }

    /// Renders the error in the format of its endpoint.
    pub(super) fn into_response(self, server: &Server) -> Response<Body> {
        let response = match server.error_format {
            ErrorFormat::OAuth => return self.into_oauth_response(),
            ErrorFormat::Envelope => {
                let id = server.context.id();
                let parameter = self.parameter.as_deref();
                response::json(
                    self.status,
                    &ErrorBody::new(
                        self.status,
                        self.error,
                        &self.description,
                        parameter,
                        id.as_str(),
                    ),
                )
            }
            ErrorFormat::Page => return self.into_page(None, server),
        };
        self.finish(response)
    }

    /// Renders the error as OAuth JSON (RFC 6749 §5.2).
    pub(super) fn into_oauth_response(self) -> Response<Body> {
        let response = response::json(
            self.status,
            &OAuthError {
                error: self.error,
                error_description: &self.description,
            },
        );
        self.finish(response)
    }

    /// Renders the error as a page, with a link in place of a redirect.
    pub(super) fn into_page(
        self,
        return_link: Option<ReturnLink<'_>>,
        server: &Server,
    ) -> Response<Body> {
        let wait = self.headers.iter().find(|(name, _)| name == RETRY_AFTER);
        let page = views::error(
            self.status,
            self.rule,
            &self.description,
            wait.and_then(|(_, seconds)| parse_retry_after(seconds)),
            return_link,
            server,
        );
        self.finish(page)
    }

    fn finish(mut self, mut response: Response<Body>) -> Response<Body> {
        response
            .headers_mut()
            .extend(std::mem::take(&mut self.headers));
        self.attach_to(response)
    }

    /// Attaches the rule and cause to another response, so that the refusal is still logged.
    pub(super) fn attach_to(self, mut response: Response<Body>) -> Response<Body> {
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

/// Marks a response that is not an error status as a refusal for the log, such as an error
/// redirect.
pub(super) fn with_rule(mut response: Response<Body>, rule: RefusalRule) -> Response<Body> {
    response.extensions_mut().insert(rule);
    response
}

impl From<CommonError> for Error {
    fn from(error: CommonError) -> Self {
        match error {
            CommonError::UnknownPath => Self::not_found(),
            CommonError::MethodNotAllowed(methods) => Self::from(Rejection::method_not_allowed())
                .with_header(ALLOW, HeaderValue::from_static(methods)),
            CommonError::Panicked => Self::internal(CommonError::PANIC),
        }
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        if !error.is_unavailable() {
            return Self::internal(error);
        }
        Self {
            cause: Some(FailureCause::new(error)),
            ..Self::from(Rejection::unavailable()).with_retry_after(Duration::from_secs(5))
        }
    }
}

impl From<ManagementError> for Error {
    fn from(error: ManagementError) -> Self {
        match error {
            ManagementError::Rejected(rejection) => rejection.into(),
            #[cfg(feature = "console")]
            ManagementError::Password(fault) => Rejection::from(fault).into(),
            ManagementError::Storage(error) => error.into(),
            ManagementError::AccessEnded => bearer::revoked_token(&Scope::manage()),
            ManagementError::Failed(cause) => Self::internal(cause),
        }
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        let error = Self {
            parameter: rejection.field.map(Cow::Borrowed),
            ..Self::from_row(
                rejection.status,
                rejection.reason,
                rejection.rule,
                rejection.description,
            )
        };
        rejection
            .retry_after
            .into_iter()
            .fold(error, Self::with_retry_after)
    }
}

impl From<TokenError> for Error {
    fn from(error: TokenError) -> Self {
        let status = match error.kind() {
            TokenErrorKind::Request => StatusCode::BAD_REQUEST,
            TokenErrorKind::Client | TokenErrorKind::Verifier => StatusCode::UNAUTHORIZED,
        };
        let rule = refusal_rules::for_token(error);
        Self::from_oauth(status, error.code(), rule, error.description())
    }
}

impl From<InvalidHeaderValue> for Error {
    fn from(error: InvalidHeaderValue) -> Self {
        Self::internal(error)
    }
}

impl From<askama::Error> for Error {
    fn from(error: askama::Error) -> Self {
        Self::internal(error)
    }
}

impl From<NonRedirectableError> for Error {
    fn from(error: NonRedirectableError) -> Self {
        let rule = refusal_rules::for_non_redirectable(error);
        let status = StatusCode::BAD_REQUEST;
        Self::from_oauth(status, error.code(), rule, error.description())
    }
}

/// The error for clients that are not browsers, or where it is not redirected.
impl From<AuthorizeError> for Error {
    fn from(error: AuthorizeError) -> Self {
        let status = match error.code() {
            ErrorCode::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        let rule = refusal_rules::for_authorize(error);
        Self::from_oauth(status, error.code(), rule, error.description())
    }
}

/// Format of an endpoint's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorFormat {
    /// `{error, error_description}` (RFC 6749 §5.2).
    OAuth,
    /// `{status, code, message, reason}`, as in the data API.
    Envelope,
    /// An HTML page.
    Page,
}

impl ErrorFormat {
    /// A page if the client accepts HTML, OAuth JSON otherwise.
    pub(super) fn negotiate(headers: &HeaderMap) -> Self {
        if accepts_html(headers) {
            Self::Page
        } else {
            Self::OAuth
        }
    }
}

/// Whether `Accept` names `text/html` itself; `*/*` is what API clients send.
fn accepts_html(headers: &HeaderMap) -> bool {
    quality_values::members(headers, ACCEPT)
        .any(|(range, weight)| range.eq_ignore_ascii_case("text/html") && weight > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a response has the rule of a refusal.
    #[test]
    fn an_answer_has_the_error_code_and_not_the_rule() {
        for rule in RefusalRule::ALL {
            let (status, text) = (StatusCode::BAD_REQUEST, Cow::Borrowed("Text."));
            let response =
                Error::from_row(status, "invalid_request", *rule, text).into_oauth_response();
            assert_eq!(response.extensions().get(), Some(rule));
            let body = String::from_utf8_lossy(response.body().as_bytes());
            let answer = format!("{:?} {body}", response.headers());
            assert!(answer.contains("invalid_request"), "{answer}");
            assert!(!answer.contains(rule.as_str()), "{rule}: {answer}");
        }
    }
}
