//! People, for administrators.

use askama::Template;
use serde::Serialize;

use super::{Frame, HintedChoice, Pages, Problems, Switch};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// Somebody in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PersonRow {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) is_you: bool,
    pub(crate) role: &'static str,
    pub(crate) is_admin: bool,
    pub(crate) last_sign_in: Option<Moment>,
    pub(crate) since: Moment,
}

/// Everybody.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/people.html")]
pub(crate) struct PeoplePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    /// Whether people are kept here, and not by a host that has its own.
    pub(crate) are_kept_here: bool,
    /// Whether it is kept when people sign in.
    pub(crate) knows_sign_ins: bool,
    /// What addresses are searched for.
    pub(crate) email: String,
    pub(crate) people: Vec<PersonRow>,
    pub(crate) pages: Pages,
}

/// The form for a new account.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/person_new.html")]
pub(crate) struct PersonNewPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) email: String,
    pub(crate) roles: Vec<HintedChoice>,
}

/// One person's account.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/person.html")]
pub(crate) struct PersonPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) email: String,
    pub(crate) address: String,
    pub(crate) id: String,
    pub(crate) is_you: bool,
    pub(crate) since: Moment,
    /// Whether it is kept when people sign in.
    pub(crate) knows_sign_ins: bool,
    pub(crate) last_sign_in: Option<Moment>,
    pub(crate) sessions: usize,
    pub(crate) grants: usize,
    pub(crate) keys: u64,
    /// Whether a new password revokes the API keys too.
    pub(crate) switch: Option<Switch>,
    pub(crate) roles: Vec<HintedChoice>,
}
