//! What somebody is asked before something goes.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Frame, Problems};
use crate::domain::Client;
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;
use crate::store::{GrantUsage, ListingClient};

/// A client that is touched.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TouchedClient {
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<Moment>,
}

impl TouchedClient {
    /// A client that lists what goes, and its grants. `owner` is what people know its owner by.
    pub(crate) fn of(client: &ListingClient, owner: String, usage: GrantUsage, zone: &TimeZone) -> Self {
        let last_granted = usage.last_granted_at.map(|at| Moment::at(at, zone));
        Self { name: client.name.to_string(), owner, live_grants: usage.live, last_granted }
    }
}

/// A field that the form sends along.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct HiddenInput {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A choice that the form leaves to the person.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Switch {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

/// The question before something goes, with what it touches.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/confirm.html")]
pub(crate) struct ConfirmPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) touched: Option<String>,
    pub(crate) touched_kind: &'static str,
    pub(crate) clients: Vec<TouchedClient>,
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
    /// A question that touches nobody else, without its words.
    pub(crate) fn new(text: &'static Texts, frame: Frame) -> Self {
        Self {
            text,
            frame,
            problems: Problems::default(),
            touched: None,
            touched_kind: "",
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

    /// A question about a client, which leads back to its page. What it asks is to be filled in.
    pub(crate) fn about(text: &'static Texts, frame: Frame, client: &Client) -> Self {
        let (back, back_label) = (format!("/clients/{}", client.id), client.name.to_string());
        Self { touched_kind: "warning", back, back_label, ..Self::new(text, frame) }
    }
}
