//! OAuth clients.

use askama::Template;

use super::{Frame, Pages, Problems, Sample};
use crate::domain::{Advice, Severity};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// A client in a list.
#[derive(Debug, Clone)]
pub(crate) struct ClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) first_party: bool,
    pub(crate) policy: &'static str,
    pub(crate) scopes: u64,
    pub(crate) live_grants: u64,
    pub(crate) advice: u64,
    pub(crate) advice_kind: &'static str,
}

/// Somebody's clients, or everybody's.
#[derive(Debug, Template)]
#[template(path = "console/clients.html")]
pub(crate) struct ClientsPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) everyone: bool,
    pub(crate) clients: Vec<ClientRow>,
    pub(crate) pages: Pages,
}

/// Something that could be better about a client.
#[derive(Debug, Clone)]
pub(crate) struct AdviceRow {
    pub(crate) kind: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) title: &'static str,
    pub(crate) remedy: &'static str,
}

impl AdviceRow {
    pub(crate) fn of(advice: Advice, text: &'static Texts) -> Self {
        let kind = match advice.severity() {
            Severity::Low => "plain",
            Severity::Medium => "warning",
            Severity::High => "problem",
        };
        let (title, remedy) = text.words.advice(advice);
        Self { kind, severity: text.words.severity(advice.severity()), title, remedy }
    }
}

/// A scope that a client may ask for.
#[derive(Debug, Clone)]
pub(crate) struct ClientScope {
    pub(crate) scope: String,
    pub(crate) description: String,
}

/// A secret of a client, as far as it is known.
#[derive(Debug, Clone)]
pub(crate) struct SecretRow {
    pub(crate) created: Moment,
    pub(crate) is_newest: bool,
}

/// One client.
#[derive(Debug, Template)]
#[template(path = "console/client.html")]
pub(crate) struct ClientPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) may_change: bool,
    pub(crate) advice: Vec<AdviceRow>,
    pub(crate) owner: String,
    pub(crate) policy: &'static str,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) scopes: Vec<ClientScope>,
    pub(crate) settings: Vec<&'static str>,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<Moment>,
    pub(crate) created: Moment,
    pub(crate) has_secrets: bool,
    pub(crate) secrets: Vec<SecretRow>,
    pub(crate) authorize_link: Option<String>,
    pub(crate) samples: Vec<Sample>,
}
