//! Confirmation pages.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{FormErrors, Layout};
use crate::domain::Client;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;
use crate::store::{ClientSummary, GrantUsage};

/// A client that is affected.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AffectedClient {
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<DisplayTime>,
}

impl AffectedClient {
    /// Builds a row. `owner` is the display name of the owner.
    pub(crate) fn new(
        client: &ClientSummary,
        owner: String,
        usage: GrantUsage,
        zone: &TimeZone,
    ) -> Self {
        let last_granted = usage
            .last_granted_at
            .map(|at| DisplayTime::from_timestamp(at, zone));
        Self {
            name: client.name.to_string(),
            owner,
            live_grants: usage.live,
            last_granted,
        }
    }
}

/// A hidden field of the form.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct HiddenInput {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// An optional switch of the form.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

/// Page that asks for confirmation and shows the affected clients.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/confirm.html")]
pub(crate) struct ConfirmPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) affected: Option<String>,
    pub(crate) affected_kind: &'static str,
    pub(crate) clients: Vec<AffectedClient>,
    pub(crate) fields: Vec<HiddenInput>,
    pub(crate) switch: Option<Switch>,
    pub(crate) title: String,
    pub(crate) effects: Vec<String>,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) button: &'static str,
}

impl ConfirmPage {
    /// A page without affected clients. Its texts are to be filled in.
    pub(crate) fn new(text: &'static Texts, layout: Layout) -> Self {
        Self {
            text,
            layout,
            errors: FormErrors::default(),
            affected: None,
            affected_kind: "",
            clients: Vec::new(),
            fields: Vec::new(),
            switch: None,
            title: String::new(),
            effects: Vec::new(),
            back: String::new(),
            back_label: String::new(),
            action: String::new(),
            button: "",
        }
    }

    /// A page about a client, with a link back to it. Its texts are to be filled in.
    pub(crate) fn about(text: &'static Texts, layout: Layout, client: &Client) -> Self {
        let (back, back_label) = (format!("/clients/{}", client.id), client.name.to_string());
        Self {
            affected_kind: "warning",
            back,
            back_label,
            ..Self::new(text, layout)
        }
    }
}
