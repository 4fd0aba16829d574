//! Client pages.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{CodeSample, FormErrors, Layout, OwnerLabel, PageLinks, PersonOption};
use crate::domain::{
    Advice, Client, RegisteredSecret, ScopeDefinition, Severity, Timestamp, Verification,
};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;
use crate::store::GrantUsage;

/// Row of the client list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) owner: OwnerLabel,
    pub(crate) first_party: bool,
    pub(crate) review: ReviewBadge,
    pub(crate) is_suspended: bool,
    pub(crate) policy: &'static str,
    pub(crate) scopes: u64,
    pub(crate) live_grants: u64,
    pub(crate) advice: u64,
    pub(crate) advice_kind: &'static str,
}

impl ClientRow {
    /// Builds a row.
    pub(crate) fn new(
        client: &Client,
        owner: OwnerLabel,
        usage: &GrantUsage,
        now: Timestamp,
        text: &'static Texts,
    ) -> Self {
        let advice = client.advise(now);
        Self {
            id: client.id.to_string(),
            name: client.name.to_string(),
            owner,
            first_party: client.first_party,
            review: ReviewBadge::new(client, text),
            is_suspended: client.is_suspended(),
            policy: text.policy(client.policy),
            scopes: client.allowed_scopes.len() as u64,
            live_grants: usage.live,
            advice: advice.len() as u64,
            // The most serious advice comes first.
            advice_kind: advice
                .first()
                .map_or("good", |advice| badge_kind(advice.severity())),
        }
    }
}

/// Review status of a client; not shown for first-party clients.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ReviewBadge {
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) is_first_party: bool,
    pub(crate) is_verified: bool,
    pub(crate) awaits_review: bool,
}

impl ReviewBadge {
    pub(crate) fn new(client: &Client, text: &'static Texts) -> Self {
        let (label, kind) = match client.verification {
            Verification::Unverified => (text.review.unverified, "warning"),
            Verification::Assumed => (text.review.assumed, "plain"),
            Verification::Verified { .. } => (text.review.verified, "good"),
        };
        let (is_verified, awaits_review) = (client.is_verified(), client.awaits_review());
        Self {
            label,
            kind,
            is_first_party: client.first_party,
            is_verified,
            awaits_review,
        }
    }
}

/// List of the user's own or of all clients.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/clients.html")]
pub(crate) struct ClientsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) all_owners: bool,
    /// Number of unverified clients, on the list of all clients.
    pub(crate) review_count: Option<String>,
    pub(crate) clients: Vec<ClientRow>,
    pub(crate) page_links: PageLinks,
}

/// Security advice about a client.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AdviceRow {
    pub(crate) kind: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) title: &'static str,
    pub(crate) remedy: &'static str,
}

impl AdviceRow {
    pub(crate) fn new(advice: Advice, text: &'static Texts) -> Self {
        Self {
            kind: badge_kind(advice.severity()),
            severity: text.domain.severity(advice.severity()),
            title: text.domain.advice(advice),
            remedy: text.domain.advice_remedy(advice),
        }
    }
}

/// A scope that a client may request.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ClientScope {
    pub(crate) scope: String,
    pub(crate) description: String,
}

impl ClientScope {
    pub(crate) fn new(definition: &ScopeDefinition, text: &Texts) -> Self {
        Self {
            scope: definition.scope.to_string(),
            description: text.scope_description(definition).to_owned(),
        }
    }
}

/// A secret of a client, without its value.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SecretRow {
    pub(crate) created: DisplayTime,
    /// Its last characters, if they are stored.
    pub(crate) last_four: Option<String>,
    pub(crate) last_used: Option<DisplayTime>,
    pub(crate) is_newest: bool,
}

impl SecretRow {
    /// Rows of a client's secrets, newest last.
    pub(crate) fn list(client: &Client, zone: &TimeZone) -> Vec<Self> {
        let newest = client.secrets.len().saturating_sub(1);
        let row = |(at, secret): (usize, &RegisteredSecret)| Self {
            created: DisplayTime::from_timestamp(secret.created_at, zone),
            last_four: secret.last_four.clone(),
            last_used: secret
                .last_used_at
                .map(|at| DisplayTime::from_timestamp(at, zone)),
            is_newest: at == newest,
        };
        client.secrets.iter().enumerate().map(row).collect()
    }
}

/// Page of a client.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/client.html")]
pub(crate) struct ClientPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    /// Time of the suspension.
    pub(crate) suspended: Option<DisplayTime>,
    /// Whether it is suspended because its owner left, and not because a backup was restored.
    pub(crate) owner_has_left: bool,
    /// Whether users are named by their e-mail addresses, not by the host's ids.
    pub(crate) owner_by_email: bool,
    /// People whom the field of a new owner suggests, for administrators.
    pub(crate) people: Vec<PersonOption>,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) may_change: bool,
    pub(crate) advice: Vec<AdviceRow>,
    pub(crate) owner: String,
    pub(crate) review: ReviewBadge,
    /// Name of the administrator who verified the client, and the time.
    pub(crate) verified_by: Option<(String, DisplayTime)>,
    pub(crate) policy: &'static str,
    pub(crate) redirect_uris: Vec<String>,
    /// Address of the privacy policy.
    pub(crate) policy_uri: Option<String>,
    pub(crate) scopes: Vec<ClientScope>,
    /// Number of requests for scopes by their state: those that wait, those that were approved and
    /// whose scope the client does not list yet, and those that were refused.
    pub(crate) waiting_requests: usize,
    pub(crate) approved_requests: usize,
    pub(crate) refused_requests: usize,
    pub(crate) settings: Vec<&'static str>,
    pub(crate) live_grants: u64,
    pub(crate) last_granted: Option<DisplayTime>,
    pub(crate) created: DisplayTime,
    pub(crate) has_secrets: bool,
    pub(crate) secrets: Vec<SecretRow>,
    pub(crate) authorize_link: Option<String>,
    pub(crate) samples: Vec<CodeSample>,
}

fn badge_kind(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "plain",
        Severity::Medium => "warning",
        Severity::High => "problem",
    }
}
