//! Account pages for administrators.

use askama::Template;
use serde::Serialize;

use super::{EventRow, FormErrors, Layout, PageLinks, RadioOption, SessionRow, Switch};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Row of the account list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AccountRow {
    pub(crate) id: String,
    pub(crate) email: String,
    /// Name and class of the student, if the owner is one.
    pub(crate) name: Option<String>,
    pub(crate) class: Option<String>,
    /// Why nobody signs in to the account, if so.
    pub(crate) state: Option<&'static str>,
    pub(crate) is_self: bool,
    pub(crate) role: &'static str,
    pub(crate) is_admin: bool,
    pub(crate) last_sign_in: Option<DisplayTime>,
    pub(crate) since: DisplayTime,
}

/// List of accounts.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/accounts.html")]
pub(crate) struct AccountsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// Whether accounts are stored locally, not by the host.
    pub(crate) is_local: bool,
    /// Whether sign-ins are recorded.
    pub(crate) has_sign_in_times: bool,
    /// The submitted search term: a part of a name or an e-mail address, or a class.
    pub(crate) term: String,
    pub(crate) accounts: Vec<AccountRow>,
    pub(crate) page_links: PageLinks,
}

/// The form for a new account.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/account_new.html")]
pub(crate) struct AccountNewPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) email: String,
    pub(crate) roles: Vec<RadioOption>,
}

/// Page of an account.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/account_details.html")]
pub(crate) struct AccountDetailsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) email: String,
    /// Name and class of the student, if the owner is one.
    pub(crate) name: Option<String>,
    pub(crate) class: Option<String>,
    pub(crate) address: String,
    pub(crate) id: String,
    pub(crate) is_self: bool,
    /// Why nobody can sign in to the account, if so.
    pub(crate) notice: Option<String>,
    /// Whether a one-time link can be made.
    pub(crate) can_have_link: bool,
    pub(crate) since: DisplayTime,
    /// Whether sign-ins are recorded.
    pub(crate) has_sign_in_times: bool,
    pub(crate) last_sign_in: Option<DisplayTime>,
    pub(crate) sessions: Vec<SessionRow>,
    /// The latest events of or about the person.
    pub(crate) events: Vec<EventRow>,
    pub(crate) grants: usize,
    pub(crate) keys: u64,
    /// Switch for revoking API keys with a new password.
    pub(crate) switch: Option<Switch>,
    pub(crate) roles: Vec<RadioOption>,
}
