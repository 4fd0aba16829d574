//! Applications and their scopes.

use askama::Template;
use serde::Serialize;

use super::{Frame, Pages, Problems};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// An application in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ApplicationRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) scopes: u64,
    pub(crate) created: Moment,
}

/// Somebody's applications, or everybody's.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/applications.html")]
pub(crate) struct ApplicationsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) everyone: bool,
    pub(crate) applications: Vec<ApplicationRow>,
    pub(crate) pages: Pages,
}

/// The form for an application.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/application_form.html")]
pub(crate) struct ApplicationFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) name: String,
}

/// How many clients use a scope, and when somebody allowed it last.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeUse {
    pub(crate) clients: u64,
    pub(crate) last_granted: Option<Moment>,
}

/// A scope of an application.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) approval_required: bool,
    /// Who uses it, for whoever may change it.
    pub(crate) used: Option<ScopeUse>,
}

/// One application with its scopes.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/application.html")]
pub(crate) struct ApplicationPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) created: Moment,
    /// Why it cannot be changed, if it cannot.
    pub(crate) read_only: Option<&'static str>,
    pub(crate) scopes: Vec<ScopeRow>,
    pub(crate) pages: Pages,
}
