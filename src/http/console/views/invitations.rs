//! Pages on which administrators invite people.

use std::fmt;

use askama::Template;
use serde::Serialize;

use super::{FormErrors, Layout, SelectOption};
use crate::http::pages::texts::Texts;

/// Form for invitations.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/invite.html")]
pub(crate) struct InvitePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    /// The grades and classes that have students; empty without a directory.
    pub(crate) grades: Vec<SelectOption>,
    pub(crate) classes: Vec<SelectOption>,
    /// The submitted addresses.
    pub(crate) addresses: String,
}

/// Address that an invitation was checked for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct InvitationRow {
    pub(crate) email: String,
    /// What was found there.
    pub(crate) state: &'static str,
    pub(crate) is_new: bool,
}

/// What an invitation would do, before it is confirmed.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/invite_check.html")]
pub(crate) struct InviteCheckPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) rows: Vec<InvitationRow>,
    /// The refused lines, as sentences.
    pub(crate) refused: Vec<String>,
    /// Number of new accounts.
    pub(crate) new: usize,
    /// Number of accounts without a password, which can have a new link.
    pub(crate) invited: usize,
    /// The addresses, for the form.
    pub(crate) addresses: String,
    /// Whether links are mailed.
    pub(crate) is_mailed: bool,
}

/// Link that was made for an account.
#[derive(Clone, Serialize)]
pub(crate) struct InvitedRow {
    pub(crate) email: String,
    pub(crate) state: &'static str,
    pub(crate) link: Option<String>,
    /// Whether the link was mailed, as a sentence.
    pub(crate) mail: Option<String>,
}

impl fmt::Debug for InvitedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InvitedRow(..)")
    }
}

/// Links, which are shown only once.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/invited.html")]
pub(crate) struct InvitedPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) rows: Vec<InvitedRow>,
    pub(crate) is_mailed: bool,
    pub(crate) continue_href: String,
}
