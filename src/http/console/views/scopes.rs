//! Scopes, and who uses them.

use askama::Template;
use serde::Serialize;

use super::{Frame, HiddenInput, Pages, Problems};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// The form for a scope.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/scope_form.html")]
pub(crate) struct ScopeFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) is_new: bool,
    pub(crate) scope_name: String,
    pub(crate) description: String,
    pub(crate) approval_required: bool,
    pub(crate) fields: Vec<HiddenInput>,
}

/// A client that uses a scope.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    /// Whether whoever asks may see its page.
    pub(crate) has_page: bool,
    pub(crate) is_listed: bool,
    pub(crate) is_approved: bool,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<Moment>,
}

/// One scope, and who uses it.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/scope.html")]
pub(crate) struct ScopePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) application_address: String,
    pub(crate) application_name: String,
    pub(crate) address: String,
    pub(crate) scope_name: String,
    pub(crate) scope: String,
    pub(crate) description: String,
    pub(crate) approval_required: bool,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<Moment>,
    pub(crate) clients: Vec<ScopeClientRow>,
    pub(crate) pages: Pages,
    pub(crate) client_id: String,
}
