//! Somebody's own account.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Fact, Frame, Problems, Switch};
use crate::domain::UserSession;
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// A place at which somebody is signed in.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) browser: String,
    pub(crate) is_this: bool,
    pub(crate) since: Moment,
    pub(crate) last_seen: Moment,
}

impl SessionRow {
    /// A session as a list has it; `is_this` if it is the one that the list is shown in.
    pub(crate) fn of(session: &UserSession, is_this: bool, text: &Texts, zone: &TimeZone) -> Self {
        Self {
            id: session.id.to_string(),
            browser: session.browser.as_ref().map_or_else(|| text.browser_unknown.to_owned(), ToString::to_string),
            is_this,
            since: Moment::at(session.created_at, zone),
            last_seen: Moment::at(session.last_used_at, zone),
        }
    }
}

/// Somebody's profile and sessions.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/account.html")]
pub(crate) struct AccountPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) email: String,
    pub(crate) role: &'static str,
    pub(crate) since: Option<Moment>,
    pub(crate) student: Vec<Fact>,
    pub(crate) can_change_password: bool,
    pub(crate) sessions: Vec<SessionRow>,
}

/// The form for another password.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/account_password.html")]
pub(crate) struct AccountPasswordPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    /// Whether API keys are revoked too.
    pub(crate) switch: Option<Switch>,
}
