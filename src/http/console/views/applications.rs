//! Application pages.

use askama::Template;
use serde::Serialize;

use super::{FormErrors, Layout, OwnerLabel, PageLinks, TranslationField, TranslationRow};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Row of the application list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ApplicationRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: OwnerLabel,
    pub(crate) scopes: u64,
    pub(crate) created: DisplayTime,
}

/// List of the user's own or of all applications.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/applications.html")]
pub(crate) struct ApplicationsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) all_owners: bool,
    /// How many requests for scopes wait for the user, if any.
    pub(crate) waiting: Option<String>,
    pub(crate) applications: Vec<ApplicationRow>,
    pub(crate) page_links: PageLinks,
}

/// Form for an application.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/application_form.html")]
pub(crate) struct ApplicationFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) name: String,
    /// The name in each language of the pages.
    pub(crate) translations: Vec<TranslationField>,
}

/// Use of a scope: the number of clients and the time of the latest grant.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeUsageRow {
    pub(crate) clients: u64,
    pub(crate) last_granted: Option<DisplayTime>,
}

/// Row of a scope.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) approval_required: bool,
    /// Use of the scope, for users who may change it.
    pub(crate) usage: Option<ScopeUsageRow>,
}

/// Page of an application with its scopes.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/application.html")]
pub(crate) struct ApplicationPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) id: String,
    pub(crate) name: String,
    /// The name in every language, if there are several.
    pub(crate) translations: Vec<TranslationRow>,
    pub(crate) owner: String,
    pub(crate) created: DisplayTime,
    /// Reason why the user cannot change the application, if any.
    pub(crate) read_only: Option<&'static str>,
    pub(crate) scopes: Vec<ScopeRow>,
    pub(crate) page_links: PageLinks,
}
