//! Scope pages.

use askama::Template;
use serde::Serialize;

use super::{FormErrors, HiddenInput, Layout, PageLinks, TranslationField, TranslationRow};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Form for a scope.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/scope_form.html")]
pub(crate) struct ScopeFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) is_new: bool,
    pub(crate) scope_name: String,
    pub(crate) description: String,
    /// The description in each language of the pages.
    pub(crate) translations: Vec<TranslationField>,
    pub(crate) approval_required: bool,
    pub(crate) fields: Vec<HiddenInput>,
}

/// Row of a client that uses a scope.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    /// Whether the user may see the client's page.
    pub(crate) has_page: bool,
    pub(crate) is_listed: bool,
    pub(crate) is_approved: bool,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<DisplayTime>,
}

/// Page of a scope with the clients that use it.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/scope.html")]
pub(crate) struct ScopePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) application_address: String,
    pub(crate) application_name: String,
    pub(crate) address: String,
    pub(crate) scope_name: String,
    pub(crate) scope: String,
    pub(crate) description: String,
    /// The description in every language, if there are several.
    pub(crate) translations: Vec<TranslationRow>,
    pub(crate) approval_required: bool,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<DisplayTime>,
    pub(crate) clients: Vec<ScopeClientRow>,
    pub(crate) page_links: PageLinks,
}
