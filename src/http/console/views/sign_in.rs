use askama::Template;

use super::Frame;
use crate::http::console::server::Server;
use crate::http::pages::texts::Texts;

/// The sign-in page.
#[derive(Debug, Template)]
#[template(path = "console/sign_in.html")]
pub(in crate::http::console) struct SignInPage<'a> {
    pub(in crate::http::console) text: &'static Texts,
    pub(in crate::http::console) frame: Frame,
    pub(in crate::http::console) problem: Option<&'static str>,
    /// What was typed before.
    pub(in crate::http::console) email: &'a str,
    /// Where the person goes then.
    pub(in crate::http::console) next: &'a str,
}

impl SignInPage<'_> {
    /// The page as it is at first, with a form of no session yet.
    pub(in crate::http::console) fn new(server: &Server) -> Self {
        Self { text: server.texts(), frame: server.bare_frame(), problem: None, email: "", next: "/" }
    }
}
