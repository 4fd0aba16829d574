//! OAuth clients.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Frame, Pages, Problems, Sample};
use crate::domain::{Advice, Client, ScopeDefinition, Severity, Timestamp, Verification};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;
use crate::store::GrantUsage;

/// A client in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) first_party: bool,
    pub(crate) review: ReviewMark,
    pub(crate) is_suspended: bool,
    pub(crate) policy: &'static str,
    pub(crate) scopes: u64,
    pub(crate) live_grants: u64,
    pub(crate) advice: u64,
    pub(crate) advice_kind: &'static str,
}

impl ClientRow {
    /// A client with its grants. `owner` is what people know its owner by.
    pub(crate) fn of(client: &Client, owner: String, usage: &GrantUsage, now: Timestamp, text: &'static Texts) -> Self {
        let advice = client.advise(now);
        Self {
            id: client.id.to_string(),
            name: client.name.to_string(),
            owner,
            first_party: client.first_party,
            review: ReviewMark::of(client, text),
            is_suspended: client.is_suspended(),
            policy: text.policy(client.policy),
            scopes: client.allowed_scopes.len() as u64,
            live_grants: usage.live,
            advice: advice.len() as u64,
            // The most serious comes first.
            advice_kind: advice.first().map_or("good", |advice| kind_of(advice.severity())),
        }
    }
}

/// How far a client is reviewed, where there is something to say: not of the service's own.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReviewMark {
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) is_first_party: bool,
    pub(crate) is_verified: bool,
    pub(crate) awaits_review: bool,
}

impl ReviewMark {
    pub(crate) fn of(client: &Client, text: &'static Texts) -> Self {
        let (label, kind) = match client.verification {
            Verification::Unverified => (text.review.unverified, "warning"),
            Verification::Assumed => (text.review.assumed, "plain"),
            Verification::Verified { .. } => (text.review.verified, "good"),
        };
        let (is_verified, awaits_review) = (client.is_verified(), client.awaits_review());
        Self { label, kind, is_first_party: client.first_party, is_verified, awaits_review }
    }
}

/// Somebody's clients, or everybody's.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/clients.html")]
pub(crate) struct ClientsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) everyone: bool,
    /// Whether it lists only those that no administrator has verified.
    pub(crate) review: bool,
    /// How many those are, on the list of all.
    pub(crate) to_review: Option<String>,
    pub(crate) clients: Vec<ClientRow>,
    pub(crate) pages: Pages,
}

/// Something that could be better about a client.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AdviceRow {
    pub(crate) kind: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) title: &'static str,
    pub(crate) remedy: &'static str,
}

impl AdviceRow {
    pub(crate) fn of(advice: Advice, text: &'static Texts) -> Self {
        let (title, remedy) = text.words.advice(advice);
        Self { kind: kind_of(advice.severity()), severity: text.words.severity(advice.severity()), title, remedy }
    }
}

/// A scope that a client may ask for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ClientScope {
    pub(crate) scope: String,
    pub(crate) description: String,
}

impl ClientScope {
    pub(crate) fn of(definition: &ScopeDefinition) -> Self {
        Self { scope: definition.scope.to_string(), description: definition.description.to_string() }
    }
}

/// A secret of a client, as far as it is known.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SecretRow {
    pub(crate) created: Moment,
    pub(crate) is_newest: bool,
}

impl SecretRow {
    /// The secrets of a client, the newest last.
    pub(crate) fn all_of(client: &Client, zone: &TimeZone) -> Vec<Self> {
        let newest = client.secrets.len().saturating_sub(1);
        let row = |(at, created_at)| Self { created: Moment::at(created_at, zone), is_newest: at == newest };
        client.secrets.iter().map(|secret| secret.created_at).enumerate().map(row).collect()
    }
}

/// One client.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/client.html")]
pub(crate) struct ClientPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    /// Since when it is suspended.
    pub(crate) suspended: Option<Moment>,
    /// Whether people are named by their e-mail addresses, and not by ids of a host's own.
    pub(crate) owner_by_email: bool,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) may_change: bool,
    pub(crate) advice: Vec<AdviceRow>,
    pub(crate) owner: String,
    pub(crate) review: ReviewMark,
    /// Who verified it, and when.
    pub(crate) verified_by: Option<(String, Moment)>,
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

fn kind_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "plain",
        Severity::Medium => "warning",
        Severity::High => "problem",
    }
}
