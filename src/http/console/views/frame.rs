use crate::crypto::FormSession;
use crate::domain::Role;
use crate::http::console::gate::SignedIn;
use crate::http::console::server::Server;
use crate::http::pages::{script_name, stylesheet_name};

/// What is around every page.
#[derive(Debug, Clone)]
pub(in crate::http::console) struct Frame {
    /// The name of it all.
    pub(super) site: String,
    /// Where the pages lie, from the root of the host.
    pub(super) root: String,
    pub(super) stylesheet: String,
    pub(super) script: String,
    /// Which entry of the menu the page is below.
    pub(super) here: &'static str,
    /// The same page in the other language, if it can be had again.
    pub(super) language_href: Option<String>,
    pub(super) is_admin: bool,
    /// Whether API keys are managed here.
    pub(super) has_keys: bool,
    /// Whether the school's data can be looked at here.
    pub(super) has_data: bool,
    /// Who has signed in.
    pub(super) account: String,
    pub(super) form_token: String,
    /// What has just been done.
    pub(super) done: Option<&'static str>,
}

impl Server {
    /// What is around a page for nobody in particular.
    pub(in crate::http::console) fn bare_frame(&self) -> Frame {
        Frame {
            site: self.site.to_string(),
            root: self.address.path().to_owned(),
            stylesheet: self.at(&format!("/assets/{}", stylesheet_name())),
            script: self.at(&format!("/assets/{}", script_name())),
            here: "",
            language_href: self.visit.page.as_deref().map(|page| self.visit.language.switch(&self.at(page))),
            is_admin: false,
            has_keys: self.api_keys.is_some(),
            has_data: false,
            account: String::new(),
            form_token: String::new(),
            done: self.visit.done.map(|done| done.text(self.texts())),
        }
    }

    /// What is around a page of somebody's, below this entry of the menu.
    pub(in crate::http::console) fn frame(&self, who: &SignedIn, here: &'static str) -> Frame {
        let is_admin = who.person.role == Role::Admin;
        Frame { here, is_admin, account: who.person.email.to_string(), ..self.bare_frame() }.for_session(self, &who.token)
    }
}

impl Frame {
    /// The same around forms that belong to a session.
    pub(in crate::http::console) fn for_session(&self, server: &Server, session: &impl FormSession) -> Self {
        Self { form_token: server.form_tokens.issue(session), ..self.clone() }
    }
}
