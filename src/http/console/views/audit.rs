//! Audit pages.

use askama::Template;
use serde::Serialize;

use super::{LabeledValue, Layout, PageLinks, SelectOption};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Row of an audit event.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EventRow {
    pub(crate) at: DisplayTime,
    pub(crate) badge_kind: &'static str,
    pub(crate) title: String,
    pub(crate) facts: Vec<LabeledValue>,
    pub(crate) address: String,
    pub(crate) request_id: String,
    pub(crate) explanation: Option<&'static str>,
}

/// List of audit events, newest first.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/audit.html")]
pub(crate) struct AuditPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// Whether audit events are stored.
    pub(crate) has_audit_store: bool,
    pub(crate) kinds: Vec<SelectOption>,
    pub(crate) who: String,
    pub(crate) problem: Option<&'static str>,
    pub(crate) events: Vec<EventRow>,
    pub(crate) page_links: PageLinks,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// Events of one request.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/request_lookup.html")]
pub(crate) struct RequestLookupPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) has_audit_store: bool,
    pub(crate) id: String,
    pub(crate) events: Vec<EventRow>,
}
