//! Pages of the user's own account.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{FormErrors, LabeledValue, Layout, Switch};
use crate::domain::UserSession;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Row of a session.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) browser: String,
    pub(crate) is_current: bool,
    pub(crate) since: DisplayTime,
    pub(crate) last_seen: DisplayTime,
}

impl SessionRow {
    /// Builds a row. `is_current` marks the session of the request.
    pub(crate) fn new(
        session: &UserSession,
        is_current: bool,
        text: &Texts,
        zone: &TimeZone,
    ) -> Self {
        Self {
            id: session.id.to_string(),
            browser: session
                .browser
                .as_ref()
                .map_or_else(|| text.browser_unknown.to_owned(), ToString::to_string),
            is_current,
            since: DisplayTime::from_timestamp(session.created_at, zone),
            last_seen: DisplayTime::from_timestamp(session.last_used_at, zone),
        }
    }
}

/// Profile and sessions of the user.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/own_account.html")]
pub(crate) struct OwnAccountPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) email: String,
    pub(crate) role: &'static str,
    pub(crate) since: Option<DisplayTime>,
    pub(crate) student: Vec<LabeledValue>,
    pub(crate) can_change_password: bool,
    pub(crate) sessions: Vec<SessionRow>,
}

/// Form of a one-time link.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/password_link.html")]
pub(crate) struct PasswordLinkPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    /// E-mail address of the account.
    pub(crate) email: String,
    /// Whether it is the account's first password.
    pub(crate) is_first: bool,
    /// Whether the keys of the account are revoked, if it can have any.
    pub(crate) switch: Option<Switch>,
    /// Token of the link, for the address of the form.
    pub(crate) token: String,
}

/// Form for changing the password.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/change_password.html")]
pub(crate) struct ChangePasswordPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    /// Switch for revoking API keys too.
    pub(crate) switch: Option<Switch>,
}
