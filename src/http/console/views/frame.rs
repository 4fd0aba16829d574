use crate::crypto::FormSession;
use serde::Serialize;

use crate::domain::Role;
use crate::http::console::gate::SignedIn;
use crate::http::console::server::Server;
use crate::http::pages::{script_name, stylesheet_name};

/// What is around every page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Frame {
    /// The name of it all.
    pub(crate) site: String,
    /// Where the pages lie, from the root of the host.
    pub(crate) root: String,
    pub(crate) stylesheet: String,
    pub(crate) script: String,
    /// Which entry of the menu the page is below.
    pub(crate) here: &'static str,
    /// The same page in the other language, if it can be had again.
    pub(crate) language_href: Option<String>,
    pub(crate) is_admin: bool,
    /// Whether API keys are managed here.
    pub(crate) has_keys: bool,
    /// Whether the school's data can be looked at here.
    pub(crate) has_data: bool,
    /// Who has signed in.
    pub(crate) account: String,
    pub(crate) form_token: String,
    /// What has just been done.
    pub(crate) done: Option<&'static str>,
}

impl Server {
    /// What is around a page for nobody in particular.
    pub(crate) fn bare_frame(&self) -> Frame {
        Frame {
            site: self.site.to_string(),
            root: self.address.path().to_owned(),
            stylesheet: self.at(&format!("/assets/{}", stylesheet_name())),
            script: self.at(&format!("/assets/{}", script_name())),
            here: "",
            language_href: self.visit.page.as_deref().map(|page| self.visit.language.switch(&self.at(page))),
            is_admin: false,
            has_keys: self.api_keys.is_some(),
            has_data: self.data.is_some() && self.api_keys.is_some(),
            account: String::new(),
            form_token: String::new(),
            done: self.visit.done.map(|done| done.text(self.texts())),
        }
    }

    /// What is around a page of somebody's, below this entry of the menu.
    pub(crate) fn frame(&self, who: &SignedIn, here: &'static str) -> Frame {
        let is_admin = who.person.role == Role::Admin;
        Frame { here, is_admin, account: who.person.email.to_string(), ..self.bare_frame() }.for_session(self, &who.token)
    }
}

impl Frame {
    /// Around a page that cannot be had again, in the other language neither.
    pub(crate) fn only_once(self) -> Self {
        Self { language_href: None, ..self }
    }

    /// The same around forms that belong to a session.
    pub(crate) fn for_session(&self, server: &Server, session: &impl FormSession) -> Self {
        Self { form_token: server.form_tokens.issue(session), ..self.clone() }
    }
}
