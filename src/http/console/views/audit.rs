//! What happened.

use askama::Template;
use serde::Serialize;

use super::{Choice, Fact, Frame, Pages};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// Something that happened.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EventRow {
    pub(crate) at: Moment,
    pub(crate) tone: &'static str,
    pub(crate) what: String,
    pub(crate) facts: Vec<Fact>,
    pub(crate) address: String,
    pub(crate) request_id: String,
    pub(crate) explanation: Option<&'static str>,
}

/// What happened, the latest first.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/audit.html")]
pub(crate) struct AuditPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    /// Whether events are kept where they can be looked up.
    pub(crate) are_kept_here: bool,
    pub(crate) kinds: Vec<Choice>,
    pub(crate) who: String,
    pub(crate) problem: Option<&'static str>,
    pub(crate) events: Vec<EventRow>,
    pub(crate) pages: Pages,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// What happened in one request.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/audit_explain.html")]
pub(crate) struct AuditExplainPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) are_kept_here: bool,
    pub(crate) id: String,
    pub(crate) events: Vec<EventRow>,
}
