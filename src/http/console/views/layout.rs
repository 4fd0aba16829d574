use crate::crypto::FormSession;
use serde::Serialize;

use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::pages::texts::Texts;
use crate::http::pages::{DisplayTime, LanguageLink, PageHead, initial};

/// Common parts of every page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Layout {
    #[serde(flatten)]
    pub(crate) head: PageHead,
    /// Path of the console, from the root of the host.
    pub(crate) root: String,
    /// Menu entry of the page.
    pub(crate) section: &'static str,
    /// The same page in the other languages, if it can be requested again.
    pub(crate) languages: Vec<LanguageLink>,
    pub(crate) is_admin: bool,
    /// Whether API keys are managed here.
    pub(crate) has_keys: bool,
    /// Whether the school's data can be browsed here.
    pub(crate) has_data: bool,
    /// Whether there is a sync.
    pub(crate) has_sync: bool,
    /// The last time at which the records of the sync were current, for administrators, if it fails.
    pub(crate) sync_failing_since: Option<DisplayTime>,
    /// Whether administrators edit the school's records here.
    pub(crate) edits_school: bool,
    /// Whether administrators turn the school year here.
    pub(crate) turns_school_year: bool,
    /// Address of the API reference.
    pub(crate) reference: Option<String>,
    /// Whether events of requests are stored, so that users can look them up.
    pub(crate) has_events: bool,
    /// E-mail address of the signed-in user.
    pub(crate) account: String,
    /// The first letter of the address.
    pub(crate) account_initial: String,
    pub(crate) form_token: String,
    /// The id of the form, if it is carried out once.
    pub(crate) form_id: Option<String>,
    /// Notice about the preceding action.
    pub(crate) flash: Option<String>,
}

impl Server {
    /// Layout without a user and a form token.
    pub(crate) fn layout_without_form(&self) -> Layout {
        Layout {
            head: self
                .shared
                .management
                .assets
                .page_head(|name| self.href(&format!("/assets/{name}"))),
            root: self.shared.address.path().to_owned(),
            section: "",
            languages: self.language.links(
                self.page_uri
                    .as_deref()
                    .map(|page| self.href(page))
                    .as_deref(),
            ),
            is_admin: false,
            has_keys: self.api_keys().is_some(),
            has_data: self.shared.data.is_some() && self.api_keys().is_some(),
            has_sync: self.shared.sync.is_some(),
            sync_failing_since: None,
            edits_school: self.edits_school(),
            turns_school_year: self.turns_school_year(),
            reference: self.reference(),
            has_events: self.audit_store().is_some(),
            account: String::new(),
            account_initial: String::new(),
            form_token: String::new(),
            form_id: None,
            flash: self.flash.map(|flash| flash.text(self.texts()).to_owned()),
        }
    }
}

impl UserRequest<'_> {
    /// Layout for a menu entry.
    pub(crate) fn layout(&self, section: &'static str) -> Layout {
        let sync = self.server.sync().filter(|_| self.is_administrator());
        let failing_since = sync.and_then(|sync| sync.failing_since());
        let zone = self.server.zone();
        let is_once = self
            .server
            .route
            .as_ref()
            .is_some_and(|it| it.once().is_some());
        Layout {
            section,
            is_admin: self.is_administrator(),
            sync_failing_since: failing_since.map(|at| DisplayTime::from_timestamp(at, zone)),
            account: self.user.subject.email.to_string(),
            account_initial: initial(self.user.subject.email.as_str()),
            form_id: is_once.then(|| self.new_form_id()),
            ..self.server.layout_without_form()
        }
        .with_form_token(self.server, &self.forms())
        .with_typed_form(self.shown_form().is_some(), self.texts())
    }
}

impl Layout {
    /// Whether the page's entry is in the menu of a phone, and not in the bar.
    pub(crate) fn is_in_menu(&self) -> bool {
        !["", "home", "data", "week", "keys"].contains(&self.section)
    }

    /// Removes the language switch, for a page that cannot be requested again.
    pub(crate) fn without_language_switch(self) -> Self {
        Self {
            languages: Vec::new(),
            ..self
        }
    }

    /// Says that the form has what the user typed before.
    fn with_typed_form(self, is_typed: bool, text: &'static Texts) -> Self {
        let flash = if is_typed {
            Some(text.typed_form_is_back.to_owned())
        } else {
            self.flash
        };
        Self { flash, ..self }
    }

    /// Adds the form token of a session.
    pub(crate) fn with_form_token(&self, server: &Server, session: &impl FormSession) -> Self {
        Self {
            form_token: server.shared.management.form_tokens.issue(session),
            ..self.clone()
        }
    }
}
