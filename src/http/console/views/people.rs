//! People, for administrators.

use askama::Template;

use super::{Choice, Frame, HintedChoice, Pages, Problems};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// Somebody in a list.
#[derive(Debug, Clone)]
pub(crate) struct PersonRow {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) is_you: bool,
    pub(crate) is_admin: bool,
    pub(crate) last_sign_in: Option<Moment>,
    pub(crate) since: Moment,
}

/// Everybody.
#[derive(Debug, Template)]
#[template(path = "console/people.html")]
pub(crate) struct PeoplePage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) are_kept_here: bool,
    pub(crate) email: String,
    pub(crate) roles: Vec<Choice>,
    pub(crate) people: Vec<PersonRow>,
    pub(crate) pages: Pages,
}

/// The form for a new account.
#[derive(Debug, Template)]
#[template(path = "console/person_new.html")]
pub(crate) struct PersonNewPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) email: String,
    pub(crate) roles: Vec<HintedChoice>,
}

/// One person's account.
#[derive(Debug, Template)]
#[template(path = "console/person.html")]
pub(crate) struct PersonPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) email: String,
    pub(crate) address: String,
    pub(crate) id: String,
    pub(crate) is_you: bool,
    pub(crate) since: Moment,
    pub(crate) last_sign_in: Option<Moment>,
    pub(crate) sessions: u64,
    pub(crate) grants: u64,
    pub(crate) keys: u64,
    pub(crate) roles: Vec<HintedChoice>,
}
