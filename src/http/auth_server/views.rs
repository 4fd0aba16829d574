use std::time::Duration;

use askama::Template;
use http::{Response, StatusCode};
use serde::Serialize;

use super::server::Server;
use crate::domain::{Scope, ScopeDefinition, SessionToken};
use crate::http::Body;
use crate::http::audit::{RefusalRule, RequestId};
use crate::http::pages::texts::Texts;
use crate::http::pages::{
    CSP_ANY_FORM_ACTION, LanguageLink, PageHead, STRICT_CSP, View, html_response, render_html,
};

/// Template data of the sign-in page.
#[derive(Debug, Serialize, Template)]
#[template(path = "authorize/sign_in.html")]
pub(super) struct LoginPage<'a> {
    #[serde(skip)]
    pub(super) text: &'static Texts,
    pub(super) layout: Layout,
    pub(super) service_name: &'a str,
    /// The user who is signed in already, if the password is not asked for.
    pub(super) account: Option<SignedInAccount<'a>>,
    /// The submitted e-mail address.
    pub(super) email: &'a str,
    pub(super) problem: Option<&'static str>,
    /// Whether the session outlasts the browser. `None` if users are not signed in beyond this
    /// request.
    pub(super) keeps_signed_in: Option<bool>,
    /// Expiry of the session, in UTC.
    pub(super) ends: String,
    pub(super) minutes_left: u64,
}

/// A signed-in user on the sign-in page.
#[derive(Debug, Serialize)]
pub(super) struct SignedInAccount<'a> {
    pub(super) email: &'a str,
    /// Id of the session in this browser.
    pub(super) session: String,
}

/// Template data of the consent page.
#[derive(Debug, Serialize, Template)]
#[template(path = "authorize/consent.html")]
pub(super) struct ConsentPage<'a> {
    #[serde(skip)]
    pub(super) text: &'static Texts,
    pub(super) layout: Layout,
    pub(super) service_name: &'a str,
    /// The first letter of its name.
    pub(super) service_initial: String,
    /// Label of the client's owner, unless the school runs it.
    pub(super) owner: Option<String>,
    /// Whether an administrator has verified the client, or the school runs it.
    pub(super) is_verified: bool,
    /// Whether users are warned of it, because nobody has verified it.
    pub(super) is_unverified: bool,
    pub(super) account: &'a str,
    /// Address of the client's privacy policy.
    pub(super) policy_uri: Option<&'a str>,
    /// The requested scopes.
    pub(super) scopes: &'a [ConsentScope],
    pub(super) something_is_new: bool,
    /// The number of scopes that the user allowed before.
    pub(super) known: usize,
    /// Whether the server has a store of consents, and so a place to withdraw them.
    pub(super) can_withdraw: bool,
    /// Host or scheme to which the user is redirected.
    pub(super) destination: &'a str,
    pub(super) ends: String,
    pub(super) minutes_left: u64,
}

/// A scope on the consent page.
#[derive(Debug, Serialize)]
pub(super) struct ConsentScope {
    pub(super) description: String,
    pub(super) application: String,
    /// What the scope returns of the user, if it is the one of `/userinfo`.
    pub(super) fields: Option<&'static str>,
    /// Whether the user consented to other scopes of this client before, but not to this one.
    pub(super) is_new: bool,
}

impl ConsentScope {
    pub(super) fn new(
        definition: &ScopeDefinition,
        is_new: bool,
        text: &'static Texts,
        school: &str,
    ) -> Self {
        Self {
            description: text.scope_description(definition).to_owned(),
            application: text.scope_source(definition, school).to_owned(),
            fields: (definition.scope == Scope::self_read()).then_some(text.self_read_fields),
            is_new,
        }
    }
}

#[derive(Debug, Serialize, Template)]
#[template(path = "authorize/error.html")]
struct ErrorPage<'a> {
    #[serde(skip)]
    text: &'static Texts,
    layout: Layout,
    title: &'static str,
    /// Whether the client's request is at fault, so that the description is for its developers.
    wrongly_asked: bool,
    description: &'a str,
    return_link: Option<ReturnLink<'a>>,
    request_id: RequestId,
}

/// A link in place of a redirect, which the user may follow.
#[derive(Debug, Serialize)]
pub(super) struct ReturnLink<'a> {
    pub(super) href: &'a str,
    pub(super) destination: &'a str,
}

/// Data of the page layout.
#[derive(Debug, Serialize)]
pub(super) struct Layout {
    /// Path of the endpoints from the root of the host.
    root: String,
    #[serde(flatten)]
    pub(super) head: PageHead,
    /// The same page in the other languages, if the page can be requested again.
    languages: Vec<LanguageLink>,
    form_token: String,
}

impl Server {
    /// The layout of a page with a form, for the browser's session.
    pub(super) fn layout(&self, session: &SessionToken) -> Layout {
        Layout {
            form_token: self.management().form_tokens.issue(session),
            ..self.layout_without_form()
        }
    }

    /// The layout of a page without a form.
    fn layout_without_form(&self) -> Layout {
        let asset = |name: &str| self.issuer().endpoint_path(&format!("assets/{name}"));
        Layout {
            root: self.issuer().endpoints_path(),
            head: self.management().assets.page_head(asset),
            languages: self.language.links(self.page_uri.as_deref()),
            form_token: String::new(),
        }
    }

    /// The texts in the language of the request.
    pub(super) fn texts(&self) -> &'static Texts {
        self.language.texts()
    }
}

/// Renders the sign-in page; status 401 after a failure.
pub(super) fn login(
    page: &LoginPage<'_>,
    server: &Server,
) -> Result<Response<Body>, askama::Error> {
    let status = if page.problem.is_some() {
        StatusCode::UNAUTHORIZED
    } else {
        StatusCode::OK
    };
    // The form's response may redirect to the client at once if the user has consented before.
    render(page, status, CSP_ANY_FORM_ACTION, server)
}

/// Renders the consent page.
pub(super) fn consent(
    page: &ConsentPage<'_>,
    server: &Server,
) -> Result<Response<Body>, askama::Error> {
    render(page, StatusCode::OK, CSP_ANY_FORM_ACTION, server)
}

/// Renders an error page. `description` is the description in the OAuth error; a link stands in
/// place of a redirect.
pub(super) fn error(
    status: StatusCode,
    rule: RefusalRule,
    description: &str,
    wait: Option<Duration>,
    return_link: Option<ReturnLink<'_>>,
    server: &Server,
) -> Response<Body> {
    let (text, layout) = (server.texts(), server.layout_without_form());
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
        RefusalRule::SessionMissing
        | RefusalRule::SessionEnded
        | RefusalRule::SessionNotSignedIn => text.errors.authorization_ended,
        rule => text.errors.message(rule, None),
    };
    let limited = wait.and_then(|wait| text.limited_for(rule, wait));
    let description = limited.as_deref().unwrap_or(description);
    let page = ErrorPage {
        text,
        layout,
        title,
        wrongly_asked,
        description,
        return_link,
        request_id: server.context.id(),
    };
    // Writing to a string does not fail; the title is the fallback.
    render(&page, status, STRICT_CSP, server)
        .unwrap_or_else(|_| html_response(status, title.to_owned(), STRICT_CSP, server.language))
}

fn render(
    view: &impl View,
    status: StatusCode,
    policy: &'static str,
    server: &Server,
) -> Result<Response<Body>, askama::Error> {
    let language = server.language;
    Ok(html_response(
        status,
        render_html(server.management().pages.as_deref(), view, status, language)?,
        policy,
        language,
    ))
}

impl View for LoginPage<'_> {
    const NAME: &'static str = "authorize/sign_in";
}

impl View for ConsentPage<'_> {
    const NAME: &'static str = "authorize/consent";
}

impl View for ErrorPage<'_> {
    const NAME: &'static str = "authorize/error";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::texts::EN;
    use crate::http::pages::{Branding, PageAssets};

    /// Fails if a page shows one of several other languages only.
    #[test]
    fn a_page_links_to_every_other_language() {
        let page = |languages: &[(&'static str, &'static str)]| {
            let links = languages.iter().map(|(code, name)| LanguageLink {
                code,
                name,
                href: format!("/login?language={code}"),
            });
            let layout = Layout {
                root: String::new(),
                head: PageAssets::new(Branding::default()).page_head(str::to_owned),
                languages: links.collect(),
                form_token: String::new(),
            };
            let page = LoginPage {
                text: &EN,
                layout,
                service_name: "Lunch",
                account: None,
                email: "",
                problem: None,
                keeps_signed_in: None,
                ends: String::new(),
                minutes_left: 5,
            };
            let html = page.render().unwrap();
            let foot = html.split_once("<p class=\"quiet foot\">");
            foot.map(|(_, rest)| rest.split_once("</p>").unwrap().0.to_owned())
        };
        let korean = "<a href=\"/login?language=ko\" lang=\"ko\" hreflang=\"ko\">한국어</a>";
        let french = "<a href=\"/login?language=fr\" lang=\"fr\" hreflang=\"fr\">Français</a>";
        assert_eq!(page(&[]), None);
        assert_eq!(page(&[("ko", "한국어")]).as_deref(), Some(korean));
        assert_eq!(
            page(&[("ko", "한국어"), ("fr", "Français")]),
            Some(format!("{korean} · {french}"))
        );
    }
}
