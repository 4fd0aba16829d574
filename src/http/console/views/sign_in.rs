use askama::Template;
use serde::Serialize;

use super::Layout;
use crate::http::console::server::Server;
use crate::http::login::{KeepSignedIn, SignedInUser};
use crate::http::pages::texts::Texts;

/// Sign-in page.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/sign_in.html")]
pub(crate) struct SignInPage<'a> {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) problem: Option<&'a str>,
    /// The submitted e-mail address.
    pub(crate) email: &'a str,
    /// Address to return to after sign-in.
    pub(crate) return_to: &'a str,
    /// Whether the session outlasts the browser.
    pub(crate) keeps_signed_in: bool,
    /// Whether a signed-in user is asked for the password again.
    pub(crate) is_confirmation: bool,
}

impl<'a> SignInPage<'a> {
    /// The page before a submission, without a form token.
    pub(crate) fn new(server: &Server) -> Self {
        Self {
            text: server.texts(),
            layout: server.layout_without_form(),
            problem: None,
            email: "",
            return_to: "/",
            keeps_signed_in: false,
            is_confirmation: false,
        }
    }

    /// The page that asks a signed-in user for the password.
    pub(crate) fn for_confirmation(self, server: &Server, user: &'a SignedInUser) -> Self {
        let choice = server.shared.user_sessions.choice_of(&user.session);
        Self {
            email: user.subject.email.as_str(),
            keeps_signed_in: choice == KeepSignedIn::Yes,
            is_confirmation: true,
            ..self
        }
    }
}
