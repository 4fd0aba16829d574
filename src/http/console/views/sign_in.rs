use askama::Template;
use serde::Serialize;

use super::Frame;
use crate::http::console::server::Server;
use crate::http::pages::texts::Texts;

/// The sign-in page.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/sign_in.html")]
pub(crate) struct SignInPage<'a> {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problem: Option<&'static str>,
    /// What was typed before.
    pub(crate) email: &'a str,
    /// Where the person goes then.
    pub(crate) next: &'a str,
}

impl SignInPage<'_> {
    /// The page as it is at first, with a form of no session yet.
    pub(crate) fn new(server: &Server) -> Self {
        Self { text: server.texts(), frame: server.bare_frame(), problem: None, email: "", next: "/" }
    }
}
