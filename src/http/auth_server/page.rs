use askama::Template;
use http::{Response, StatusCode};
use serde::Serialize;

use super::server::Server;
use super::wire::RequestedScope;
use crate::domain::SessionToken;
use crate::http::Body;
use crate::http::audit::{RequestId, Rule};
use crate::http::pages::texts::Texts;
use crate::http::pages::{ENDS_ELSEWHERE, STRICT, View, html, page, script_name, stylesheet_name};

/// What the sign-in page shows.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/authorize/sign_in.html")]
pub(super) struct SignInPage<'a> {
    #[serde(skip)]
    pub(super) text: &'static Texts,
    pub(super) frame: Frame,
    pub(super) service_name: &'a str,
    pub(super) email: &'a str,
    pub(super) problem: Option<&'static str>,
    /// When there is no time left, in UTC.
    pub(super) ends: String,
    pub(super) minutes_left: i64,
}

/// What the consent page shows.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/authorize/consent.html")]
pub(super) struct ConsentPage<'a> {
    #[serde(skip)]
    pub(super) text: &'static Texts,
    pub(super) frame: Frame,
    pub(super) service_name: &'a str,
    /// Who registered the client, if no administrator has verified it.
    pub(super) unverified_owner: Option<String>,
    pub(super) account: &'a str,
    /// What the user allowed to this client before, and what not, or not any more.
    pub(super) scopes: &'a [AskedScope],
    pub(super) something_is_new: bool,
    pub(super) something_is_known: bool,
    /// Where the user goes from here.
    pub(super) destination: &'a str,
    pub(super) ends: String,
    pub(super) minutes_left: i64,
}

/// A scope on the consent page.
#[derive(Debug, Serialize)]
pub(super) struct AskedScope {
    pub(super) description: String,
    pub(super) application: String,
    /// Whether the user allowed something to this client before, and not this.
    pub(super) is_new: bool,
}

impl AskedScope {
    pub(super) fn of(scope: RequestedScope, is_new: bool) -> Self {
        Self { description: scope.description, application: scope.application_name, is_new }
    }
}

#[derive(Debug, Serialize, Template)]
#[template(path = "console/authorize/error.html")]
struct ErrorPage<'a> {
    #[serde(skip)]
    text: &'static Texts,
    frame: Frame,
    title: &'static str,
    /// Whether the fault is in what an application's link asked for, so that the description is for its makers.
    wrongly_asked: bool,
    description: &'a str,
    way_back: Option<WayBack<'a>>,
    request_id: RequestId,
}

/// Where a redirect would have led, for the user to decide.
#[derive(Debug, Serialize)]
pub(super) struct WayBack<'a> {
    pub(super) href: &'a str,
    pub(super) destination: &'a str,
}

/// What is around every page.
#[derive(Debug, Serialize)]
pub(super) struct Frame {
    /// Where the endpoints lie, from the root of the host.
    root: String,
    stylesheet: String,
    script: String,
    /// The same page in the other language, if there is one to come back to.
    language_href: Option<String>,
    form_token: String,
}

impl Server {
    /// What is around a page of the browser's session.
    pub(super) fn frame(&self, session: &SessionToken) -> Frame {
        Frame { form_token: self.form_tokens.issue(session), ..self.bare_frame() }
    }

    /// What is around a page without a form.
    fn bare_frame(&self) -> Frame {
        let asset = |name: &str| self.issuer.endpoint(&format!("assets/{name}"));
        Frame {
            root: self.issuer.root(),
            stylesheet: asset(stylesheet_name()),
            script: asset(script_name()),
            language_href: self.visit.page.as_deref().map(|address| self.visit.language.switch(address)),
            form_token: String::new(),
        }
    }

    /// What the pages of the request say.
    pub(super) fn texts(&self) -> &'static Texts {
        self.visit.language.texts()
    }
}

/// The sign-in page; status 401 after a failure.
pub(super) fn sign_in(page: &SignInPage<'_>, server: &Server) -> Result<Response<Body>, askama::Error> {
    let status = if page.problem.is_some() { StatusCode::UNAUTHORIZED } else { StatusCode::OK };
    // Who has allowed all of it before is sent on from here.
    shown(page, status, ENDS_ELSEWHERE, server)
}

/// The consent page.
pub(super) fn consent(page: &ConsentPage<'_>, server: &Server) -> Result<Response<Body>, askama::Error> {
    shown(page, StatusCode::OK, ENDS_ELSEWHERE, server)
}

/// A page that says what went wrong. `description` is what programs are told of it.
pub(super) fn error(status: StatusCode, rule: Rule, description: &str, server: &Server) -> Response<Body> {
    error_with(status, rule, description, None, server)
}

/// The same with a link that takes the place of a redirect.
pub(super) fn error_with(
    status: StatusCode,
    rule: Rule,
    description: &str,
    way_back: Option<WayBack<'_>>,
    server: &Server,
) -> Response<Body> {
    let (text, frame) = (server.texts(), server.bare_frame());
    let title = match status {
        StatusCode::UNAUTHORIZED => text.error_start_again,
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => text.error_nothing_here,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => text.error_try_later,
        status if status.is_server_error() => text.error_went_wrong,
        _ => text.error_cannot_go_on,
    };
    let wrongly_asked = status == StatusCode::BAD_REQUEST;
    let description = match rule {
        _ if wrongly_asked => description,
        Rule::SessionMissing | Rule::SessionEnded | Rule::SessionNotSignedIn => text.faults.authorization_ended,
        rule => text.faults.of(rule, None),
    };
    let page = ErrorPage { text, frame, title, wrongly_asked, description, way_back, request_id: server.visit.origin.request_id };
    // Writing to a string does not fail; if it did, the title alone would have to do.
    shown(&page, status, STRICT, server).unwrap_or_else(|_| self::page(status, title.to_owned(), STRICT, server.visit.language))
}

fn shown(view: &impl View, status: StatusCode, policy: &'static str, server: &Server) -> Result<Response<Body>, askama::Error> {
    let language = server.visit.language;
    Ok(page(status, html(server.pages.as_deref(), view, status, language)?, policy, language))
}

impl View for SignInPage<'_> {
    const NAME: &'static str = "authorize/sign_in";
}

impl View for ConsentPage<'_> {
    const NAME: &'static str = "authorize/consent";
}

impl View for ErrorPage<'_> {
    const NAME: &'static str = "authorize/error";
}
