//! Activity of a client or an API key, for its owner.

use askama::Template;
use serde::Serialize;

use super::{EventFact, FormErrors, Layout, PageLinks, Plot};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// A refused request.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RefusalRow {
    pub(crate) at: DisplayTime,
    pub(crate) title: String,
    pub(crate) explanation: String,
    pub(crate) rule: String,
    pub(crate) status: String,
    pub(crate) endpoint: String,
    pub(crate) request_id: String,
    /// Where an id is looked up: the user, the client and the key whose event it is.
    pub(crate) about: Vec<EventFact>,
}

/// Counts and refusals of a client or a key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/activity.html")]
pub(crate) struct ActivityPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// Whether audit events are stored.
    pub(crate) has_audit_store: bool,
    /// Path of the client or the key, below the root.
    pub(crate) back: String,
    /// Name of the client, or description of the key.
    pub(crate) name: String,
    /// Which requests are counted, and which of them are listed.
    pub(crate) counted: &'static str,
    /// Requests of the last days.
    pub(crate) usage: Plot,
    pub(crate) refusals: Vec<RefusalRow>,
    pub(crate) page_links: PageLinks,
}

/// Events of a request of the user, or of the user's clients and keys.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/own_request.html")]
pub(crate) struct OwnRequestPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) has_audit_store: bool,
    pub(crate) id: String,
    pub(crate) errors: FormErrors,
    pub(crate) events: Vec<RefusalRow>,
}
