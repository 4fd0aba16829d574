//! Audit pages.

use askama::Template;
use serde::Serialize;

use super::{FormErrors, Layout, PageLinks, PersonOption, SelectOption};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Row of an audit event.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EventRow {
    pub(crate) at: DisplayTime,
    pub(crate) badge_kind: &'static str,
    pub(crate) title: String,
    /// What happened, in a sentence with the names of people and clients.
    pub(crate) sentence: String,
    pub(crate) facts: Vec<EventFact>,
    pub(crate) address: String,
    pub(crate) request_id: String,
    pub(crate) explanation: Option<&'static str>,
}

impl EventRow {
    /// The page of the record or the account that the event names.
    pub(crate) fn target(&self) -> Option<&str> {
        self.facts.iter().find_map(|fact| fact.href.as_deref())
    }
}

/// A fact of an audit event.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EventFact {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    /// The page of what the fact names, if there is one.
    pub(crate) href: Option<String>,
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
    /// Of or about whom the events are, if a link chose that.
    pub(crate) who: String,
    /// Who did it, as submitted.
    pub(crate) by: String,
    /// To whom or what it was done, as submitted.
    pub(crate) about: String,
    /// People whom the fields suggest.
    pub(crate) people: Vec<PersonOption>,
    /// Path of the export with the same filter, below the root.
    pub(crate) csv: String,
    pub(crate) problem: Option<&'static str>,
    /// The message if a submitted text matches no user, or too many.
    pub(crate) unmatched: Option<String>,
    pub(crate) events: Vec<EventRow>,
    pub(crate) page_links: PageLinks,
    pub(crate) from: String,
    pub(crate) to: String,
}

impl AuditPage {
    /// Whether a filter is set.
    fn is_filtered(&self) -> bool {
        let typed = [&self.who, &self.by, &self.about, &self.from, &self.to];
        let is_kind = |choice: &SelectOption| choice.is_on && !choice.value.is_empty();
        typed.iter().any(|value| !value.is_empty()) || self.kinds.iter().any(is_kind)
    }
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
    pub(crate) errors: FormErrors,
    pub(crate) events: Vec<EventRow>,
}
