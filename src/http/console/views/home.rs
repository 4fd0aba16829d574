use askama::Template;
use serde::Serialize;

use super::Layout;
use crate::http::pages::texts::Texts;

/// Start page.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/home.html")]
pub(crate) struct HomePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) attention: Vec<AttentionItem>,
    /// Number of clients with access.
    pub(crate) apps: usize,
    pub(crate) keys: u64,
    pub(crate) applications: u64,
    pub(crate) clients: u64,
}

/// A warning that needs action.
#[derive(Debug, Serialize)]
pub(crate) struct AttentionItem {
    /// Severity: `warning` or `problem`.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// Path of the page that resolves the warning, below the root.
    pub(crate) href: String,
    pub(crate) action: &'static str,
}
