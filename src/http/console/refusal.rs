use std::time::Duration;

use http::header::{HeaderName, InvalidHeaderValue, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};

use super::done::Done;
use super::server::Server;
use super::views::ErrorPage;
use crate::http::audit::Rule;
use crate::http::body::Unreadable;
use crate::http::manage::{Denial, NotDone};
use crate::http::pages::{STRICT, View, html, page};
use crate::http::{Body, FailureCause, answer};
use crate::store::StorageError;

/// Why somebody does not get what they asked for. What they are told of it, the catalogue says by the rule.
#[derive(Debug)]
pub(super) struct Refusal {
    rule: Rule,
    status: StatusCode,
    field: Option<&'static str>,
    header: Option<(HeaderName, HeaderValue)>,
    cause: Option<FailureCause>,
}

impl Refusal {
    pub(super) fn new(rule: Rule, status: StatusCode) -> Self {
        Self { rule, status, field: None, header: None, cause: None }
    }

    /// Status 404: there is nothing, or nothing that this person may know of.
    pub(super) fn not_found() -> Self {
        Self::new(Rule::NotFound, StatusCode::NOT_FOUND)
    }

    /// Status 400: no page of ours sends this.
    pub(super) fn broken(rule: Rule) -> Self {
        Self::new(rule, StatusCode::BAD_REQUEST)
    }

    /// Status 500. The cause is for the host's log; the person only learns that there was one.
    pub(super) fn failure(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { cause: Some(FailureCause::new(cause)), ..Self::new(Rule::Failed, StatusCode::INTERNAL_SERVER_ERROR) }
    }

    /// Status 503: the storage does not answer.
    pub(super) fn unavailable() -> Self {
        Self::new(Rule::StorageUnavailable, StatusCode::SERVICE_UNAVAILABLE).retry_after(Duration::from_secs(5))
    }

    /// The refusal with what it comes from, for the host's log.
    pub(super) fn caused_by(self, cause: FailureCause) -> Self {
        Self { cause: Some(cause), ..self }
    }

    pub(super) fn is_by(&self, rule: Rule) -> bool {
        self.rule == rule
    }

    /// The refusal with a header.
    pub(super) fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    /// To be tried again later: in whole seconds, rounded up, at least 1 (RFC 9110 §10.2.3).
    pub(super) fn retry_after(self, length: Duration) -> Self {
        let seconds = length.as_secs() + u64::from(length.subsec_nanos() > 0);
        self.header(RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }
}

impl Server {
    /// A refusal as a page.
    pub(super) fn refused(&self, refusal: Refusal) -> Response<Body> {
        let text = self.texts();
        let title = match refusal.status {
            StatusCode::FORBIDDEN if refusal.rule != Rule::FormToken => text.error_not_allowed,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => text.error_nothing_here,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => text.error_try_later,
            _ => text.error_went_wrong,
        };
        let description = text.faults.of(refusal.rule, refusal.field);
        let view = ErrorPage { text, frame: self.bare_frame(), title, description, request_id: self.visit.origin.request_id };
        // Writing to a string does not fail; if it did, the title alone would have to do.
        let shown = self.page(refusal.status, &view);
        let mut response = shown.unwrap_or_else(|_| page(refusal.status, title.to_owned(), STRICT, self.visit.language));
        response.headers_mut().extend(refusal.header);
        response.extensions_mut().insert(refusal.rule);
        if let Some(cause) = refusal.cause {
            response.extensions_mut().insert(cause);
        }
        response
    }

    /// A page, with this status.
    pub(super) fn page(&self, status: StatusCode, view: &impl View) -> Result<Response<Body>, Refusal> {
        let language = self.visit.language;
        Ok(page(status, html(self.pages.as_deref(), view, status, language)?, STRICT, language))
    }

    /// The way to a page of ours, which says what has just been done.
    pub(super) fn led_to(&self, path: &str, done: Done) -> Result<Response<Body>, Refusal> {
        Ok(answer::redirect(StatusCode::SEE_OTHER, &self.at(&format!("{path}?done={}", done.code())))?)
    }
}

/// A page that says what is wrong with what somebody sent, for which the log hears of the rule.
pub(super) fn faulty(mut response: Response<Body>, rule: Rule) -> Response<Body> {
    response.extensions_mut().insert(rule);
    response
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Self {
        let refusal = Self { field: denial.field, ..Self::new(denial.rule, denial.status) };
        denial.retry_after.into_iter().fold(refusal, Self::retry_after)
    }
}

impl From<NotDone> for Refusal {
    fn from(not_done: NotDone) -> Self {
        match not_done {
            NotDone::Denied(denial) => denial.into(),
            NotDone::Password(fault) => Denial::from(fault).into(),
            NotDone::Storage(error) => error.into(),
            NotDone::AccessEnded => Self::new(Rule::SessionEnded, StatusCode::UNAUTHORIZED),
            NotDone::Failed(cause) => Self::failure(cause),
        }
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        if !error.is_unavailable() {
            return Self::failure(error);
        }
        Self::unavailable().caused_by(FailureCause::new(error))
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

impl From<Unreadable> for Refusal {
    fn from(unreadable: Unreadable) -> Self {
        match unreadable {
            Unreadable::TooLong => Self::new(Rule::BodyTooLong, StatusCode::PAYLOAD_TOO_LARGE),
            Unreadable::Broken => Self::broken(Rule::BodyBroken),
        }
    }
}
