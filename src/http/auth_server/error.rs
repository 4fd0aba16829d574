use std::borrow::Cow;
use std::time::Duration;

use http::header::{ACCEPT, HeaderName, InvalidHeaderValue, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Response, StatusCode};

use super::server::Server;
use super::wire::OAuthError;
use super::{answer, bearer, page, rules};
use crate::domain::Scope;
use crate::http::audit::Rule;
use crate::http::body::Unreadable;
use crate::http::manage::{Denial, NotDone};
use crate::http::wire::ErrorBody;
use crate::http::{Body, FailureCause};
use crate::oauth::{Fault, TokenError, Untrusted};
use crate::store::StorageError;

/// Why a request is refused: the facts, before a [`Dress`] makes them an answer.
#[derive(Debug)]
pub(super) struct Refusal {
    /// For the log alone, and often finer than what the answer says.
    rule: Rule,
    status: StatusCode,
    error: &'static str,
    description: Cow<'static, str>,
    parameter: Option<Cow<'static, str>>,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<FailureCause>,
}

impl Refusal {
    /// A refusal with its `error` word and an ASCII sentence for whoever reads it.
    pub(super) fn new(rule: Rule, status: StatusCode, error: &'static str, description: impl Into<Cow<'static, str>>) -> Self {
        Self { rule, status, error, description: description.into(), parameter: None, headers: Vec::new(), cause: None }
    }

    /// A refusal that tells its rule: the `error` word is the rule's own.
    pub(super) fn told(rule: Rule, status: StatusCode, description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(rule, status, rule.as_str(), description)
    }

    /// Status 400 `invalid_request` (RFC 6749 §4.1.2.1 and §5.2).
    pub(super) fn invalid_request(rule: Rule, description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(rule, StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    /// Status 400 `invalid_request`, for a body that is longer than the limit or did not arrive.
    pub(super) fn unreadable(why: Unreadable, limit: usize) -> Self {
        match why {
            Unreadable::TooLong => Self::invalid_request(Rule::BodyTooLong, format!("The body is longer than {limit} bytes.")),
            Unreadable::Broken => Self::invalid_request(Rule::BodyBroken, "The body ended before it was whole."),
        }
    }

    /// Status 401 `invalid_session`: the browser has no authorization session, or it has ended. service.md names the status, not the
    /// word. There is no `WWW-Authenticate`, for nothing that a browser could ask its user would help.
    pub(super) fn invalid_session(rule: Rule) -> Self {
        Self::new(
            rule,
            StatusCode::UNAUTHORIZED,
            "invalid_session",
            "This sign-in has ended: it was answered already, or its time is over. Start again at the application.",
        )
    }

    /// Status 500. The cause is for the host's log; the client only learns that there was one.
    pub(super) fn failure(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let mut refusal = Self::new(Rule::Failed, StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Something went wrong on our side.");
        refusal.cause = Some(FailureCause::new(cause));
        refusal
    }

    /// Status 503, to be tried again later.
    pub(super) fn unavailable(rule: Rule, retry_after: Duration) -> Self {
        Self::new(rule, StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "The service is busy. Try again soon.")
            .retry_after(retry_after)
    }

    /// Status 429: whoever it is has to wait.
    pub(super) fn too_many_requests(rule: Rule, retry_after: Duration) -> Self {
        Self::new(rule, StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "There were too many attempts. Try again later.")
            .retry_after(retry_after)
    }

    /// The same refusal with another sentence.
    pub(super) fn saying(self, description: &'static str) -> Self {
        Self { description: Cow::Borrowed(description), ..self }
    }

    /// Whether the request is at fault, and not the service or the moment.
    pub(super) fn is_of_caller(&self) -> bool {
        self.status.is_client_error() && self.status != StatusCode::TOO_MANY_REQUESTS
    }

    /// The same refusal with a rule that says more.
    pub(super) fn by(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// The refusal with one more header.
    pub(super) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The refusal of one parameter or field, which only the envelope names.
    pub(super) fn of_parameter(mut self, parameter: impl Into<Cow<'static, str>>) -> Self {
        self.parameter = Some(parameter.into());
        self
    }

    /// Whole seconds, rounded up, at least 1 (RFC 9110 §10.2.3).
    fn retry_after(self, length: Duration) -> Self {
        let seconds = length.as_secs() + u64::from(length.subsec_nanos() > 0);
        self.header(RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }

    /// The answer in the dress of its endpoint.
    pub(super) fn into_response(self, dress: Dress, server: &Server) -> Response<Body> {
        let response = match dress {
            Dress::OAuth => return self.into_oauth(),
            Dress::Envelope => {
                let body = ErrorBody::new(self.status, self.error, &self.description, server.visit.origin.request_id.as_str());
                answer::json(self.status, &body.of_parameter(self.parameter.as_deref()))
            }
            Dress::Page => page::error(self.status, self.rule, &self.description, server),
        };
        self.completed(response)
    }

    /// The answer as OAuth has it (RFC 6749 §5.2).
    pub(super) fn into_oauth(self) -> Response<Body> {
        let response = answer::json(self.status, &OAuthError { error: self.error, error_description: &self.description });
        self.completed(response)
    }

    fn completed(mut self, mut response: Response<Body>) -> Response<Body> {
        response.headers_mut().extend(std::mem::take(&mut self.headers));
        self.noted_on(response)
    }

    /// Another answer in the place of this refusal, for which the log hears of it all the same.
    pub(super) fn noted_on(self, mut response: Response<Body>) -> Response<Body> {
        response.extensions_mut().insert(self.rule);
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(cause);
        }
        response
    }
}

/// An answer that is no refusal in form and is one in substance, such as a redirect that tells the client.
pub(super) fn refused(mut response: Response<Body>, rule: Rule) -> Response<Body> {
    response.extensions_mut().insert(rule);
    response
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        if !error.is_unavailable() {
            return Self::failure(error);
        }
        let mut refusal = Self::unavailable(Rule::StorageUnavailable, Duration::from_secs(5));
        refusal.cause = Some(FailureCause::new(error));
        refusal
    }
}

impl From<NotDone> for Refusal {
    fn from(not_done: NotDone) -> Self {
        match not_done {
            NotDone::Denied(denial) => denial.into(),
            #[cfg(feature = "ui")]
            NotDone::Password(fault) => Denial::from(fault).into(),
            NotDone::Storage(error) => error.into(),
            NotDone::AccessEnded => bearer::revoked(&Scope::manage()),
            NotDone::Failed(cause) => Self::failure(cause),
        }
    }
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Self {
        let refusal = Self::told(denial.rule, denial.status, denial.description);
        let refusal = Self { parameter: denial.field.map(Cow::Borrowed), ..refusal };
        denial.retry_after.into_iter().fold(refusal, Self::retry_after)
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        let status = match error.fault() {
            Fault::Request => StatusCode::BAD_REQUEST,
            Fault::Client | Fault::Verifier => StatusCode::UNAUTHORIZED,
        };
        Self::new(rules::of_token(error), status, error.code().as_str(), error.description())
    }
}

impl From<InvalidHeaderValue> for Refusal {
    fn from(error: InvalidHeaderValue) -> Self {
        Self::failure(error)
    }
}

impl From<askama::Error> for Refusal {
    fn from(error: askama::Error) -> Self {
        Self::failure(error)
    }
}

impl From<Untrusted> for Refusal {
    fn from(untrusted: Untrusted) -> Self {
        Self::new(rules::of_untrusted(untrusted), StatusCode::BAD_REQUEST, untrusted.code().as_str(), untrusted.description())
    }
}

/// The shape in which an endpoint says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dress {
    /// `{error, error_description}` (RFC 6749 §5.2).
    OAuth,
    /// `{status, code, message, reason}`, as the data API does.
    Envelope,
    /// A page for people.
    Page,
}

impl Dress {
    /// A page when the client reads HTML, OAuth JSON otherwise.
    pub(super) fn negotiated(headers: &HeaderMap) -> Self {
        if accepts_html(headers) { Self::Page } else { Self::OAuth }
    }
}

/// Whether `Accept` names `text/html` itself; `*/*` is what programs send.
fn accepts_html(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_html = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("text/html"));
        is_html && !parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}
