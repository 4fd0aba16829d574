use std::borrow::Cow;
use std::time::Duration;

use http::header::{ALLOW, HeaderName, InvalidHeaderValue, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};

use super::form::flash::Flash;
use super::server::Server;
use super::views::ErrorPage;
use crate::domain::ClientId;
use crate::http::audit::RefusalRule;
use crate::http::management::{ManagementError, Rejection};
use crate::http::pages::texts::Texts;
use crate::http::pages::{STRICT_CSP, View, html_response, render_html};
use crate::http::request_body::BodyReadError;
use crate::http::retry_after::{parse_retry_after, retry_after};
use crate::http::service::CommonError;
use crate::http::{Body, FailureCause, response};
use crate::store::StorageError;

/// Error of a request. The message catalogue maps its rule to the text of the page.
#[derive(Debug)]
pub(super) struct Error {
    rule: RefusalRule,
    status: StatusCode,
    field: Option<&'static str>,
    header: Option<(HeaderName, HeaderValue)>,
    cause: Option<FailureCause>,
}

impl Error {
    pub(super) fn new(rule: RefusalRule, status: StatusCode) -> Self {
        Self {
            rule,
            status,
            field: None,
            header: None,
            cause: None,
        }
    }

    /// Status 404: the record does not exist, or the user may not see it.
    pub(super) fn not_found() -> Self {
        Self::new(RefusalRule::NotFound, StatusCode::NOT_FOUND)
    }

    /// Status 400: the console's own pages send no such request.
    pub(super) fn bad_request(rule: RefusalRule) -> Self {
        Self::new(rule, StatusCode::BAD_REQUEST)
    }

    /// Status 500. The cause is logged and not shown on the page.
    pub(super) fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            cause: Some(FailureCause::new(cause)),
            ..Self::new(RefusalRule::Failed, StatusCode::INTERNAL_SERVER_ERROR)
        }
    }

    /// Status 503: the storage is unavailable.
    pub(super) fn unavailable() -> Self {
        Self::new(
            RefusalRule::StorageUnavailable,
            StatusCode::SERVICE_UNAVAILABLE,
        )
        .with_retry_after(Duration::from_secs(5))
    }

    /// Adds a cause for the log.
    pub(super) fn with_cause(self, cause: FailureCause) -> Self {
        Self {
            cause: Some(cause),
            ..self
        }
    }

    pub(super) fn has_rule(&self, rule: RefusalRule) -> bool {
        self.rule == rule
    }

    /// Adds a header.
    pub(super) fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self {
            header: Some((name, value)),
            ..self
        }
    }

    /// Adds `Retry-After`.
    pub(super) fn with_retry_after(self, length: Duration) -> Self {
        self.with_header(RETRY_AFTER, retry_after(length))
    }

    /// Message of the page, with the time to wait for a limit on sign-ins.
    fn description(&self, text: &'static Texts) -> Cow<'static, str> {
        let wait = self.header.as_ref().and_then(|(name, value)| {
            let is_wait = name == RETRY_AFTER;
            is_wait.then(|| parse_retry_after(value)).flatten()
        });
        let limited = wait.and_then(|wait| text.limited_for(self.rule, wait));
        limited.map_or_else(
            || text.errors.message(self.rule, self.field).into(),
            Cow::Owned,
        )
    }

    /// Renders the error page.
    pub(super) fn into_response(self, server: &Server) -> Response<Body> {
        let text = server.texts();
        let title = match self.status {
            StatusCode::FORBIDDEN if self.rule != RefusalRule::FormToken => text.error_not_allowed,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => text.error_nothing_here,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => text.error_try_later,
            _ => text.error_went_wrong,
        };
        let view = ErrorPage {
            text,
            layout: server.layout_without_form(),
            title,
            description: self.description(text),
            request_id: server.context.id(),
        };
        // Rendering to a string does not fail; if it did, the title alone is sent.
        let mut response = server.render(self.status, &view).unwrap_or_else(|_| {
            html_response(self.status, title.to_owned(), STRICT_CSP, server.language)
        });
        response.headers_mut().extend(self.header);
        response.extensions_mut().insert(self.rule);
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(cause);
        }
        response
    }
}

impl Server {
    /// Renders a page with this status.
    pub(super) fn render(
        &self,
        status: StatusCode,
        view: &impl View,
    ) -> Result<Response<Body>, Error> {
        let language = self.language;
        Ok(html_response(
            status,
            render_html(
                self.shared.management.pages.as_deref(),
                view,
                status,
                language,
            )?,
            STRICT_CSP,
            language,
        ))
    }

    /// Redirects to a page of the console, which shows `flash`.
    pub(super) fn redirect_with_flash(
        &self,
        path: &str,
        flash: Flash,
    ) -> Result<Response<Body>, Error> {
        Ok(response::redirect(
            StatusCode::SEE_OTHER,
            &self.href(&format!("{path}?done={}", flash.code())),
        )?)
    }

    /// Redirects to a page of the console, which shows `flash` with the name of a client.
    pub(super) fn redirect_with_flash_about(
        &self,
        path: &str,
        flash: Flash,
        client: ClientId,
    ) -> Result<Response<Body>, Error> {
        Ok(response::redirect(
            StatusCode::SEE_OTHER,
            &self.href(&format!("{path}?done={}&client={client}", flash.code())),
        )?)
    }
}

/// Attaches the rule to a page with form errors, for the log.
pub(super) fn with_rule(mut response: Response<Body>, rule: RefusalRule) -> Response<Body> {
    response.extensions_mut().insert(rule);
    response
}

impl From<CommonError> for Error {
    fn from(error: CommonError) -> Self {
        match error {
            CommonError::UnknownPath => Self::not_found(),
            CommonError::MethodNotAllowed(methods) => Self::new(
                RefusalRule::MethodNotAllowed,
                StatusCode::METHOD_NOT_ALLOWED,
            )
            .with_header(ALLOW, HeaderValue::from_static(methods)),
            CommonError::Panicked => Self::internal(CommonError::PANIC),
        }
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        let error = Self {
            field: rejection.field,
            ..Self::new(rejection.rule, rejection.status)
        };
        rejection
            .retry_after
            .into_iter()
            .fold(error, Self::with_retry_after)
    }
}

impl From<ManagementError> for Error {
    fn from(error: ManagementError) -> Self {
        match error {
            ManagementError::Rejected(rejection) => rejection.into(),
            ManagementError::Password(fault) => Rejection::from(fault).into(),
            ManagementError::Storage(error) => error.into(),
            ManagementError::AccessEnded => {
                Self::new(RefusalRule::SessionEnded, StatusCode::UNAUTHORIZED)
            }
            ManagementError::Failed(cause) => Self::internal(cause),
        }
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        if !error.is_unavailable() {
            return Self::internal(error);
        }
        Self::unavailable().with_cause(FailureCause::new(error))
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

impl From<BodyReadError> for Error {
    fn from(unreadable: BodyReadError) -> Self {
        match unreadable {
            BodyReadError::TooLarge => {
                Self::new(RefusalRule::BodyTooLong, StatusCode::PAYLOAD_TOO_LARGE)
            }
            BodyReadError::Incomplete => Self::bad_request(RefusalRule::BodyBroken),
        }
    }
}
