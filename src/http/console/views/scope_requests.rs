//! Requests for scopes and for hidden fields of keys, and what waits for administrators.

use askama::Template;
use serde::Serialize;

use super::{FormErrors, HiddenInput, KeyStatusBadge, Layout, PageLinks};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// A request that waits, for the user who decides about it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct WaitingRequestRow {
    /// Path of the decision, below the root.
    pub(crate) address: String,
    pub(crate) client: String,
    pub(crate) client_id: String,
    /// Whether the user may see the client's page.
    pub(crate) has_page: bool,
    /// The client's owner, as the user may know them.
    pub(crate) owner: String,
    pub(crate) is_verified: bool,
    pub(crate) is_suspended: bool,
    pub(crate) application: String,
    pub(crate) scope: String,
    pub(crate) scope_name: String,
    pub(crate) description: String,
    pub(crate) reason: String,
    pub(crate) asked_at: DisplayTime,
    /// Version of the request and its client that are approved.
    pub(crate) fields: Vec<HiddenInput>,
    /// The submitted reason of a refusal, if it was not accepted.
    pub(crate) refusal: Option<String>,
}

/// The requests that wait for the owner of applications.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/scope_requests.html")]
pub(crate) struct ScopeRequestsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) requests: Vec<WaitingRequestRow>,
    pub(crate) page_links: PageLinks,
    /// The list to return to after a decision.
    pub(crate) back: &'static str,
}

/// An unverified client.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct UnverifiedClientRow {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Name, class and e-mail address of the owner.
    pub(crate) owner: String,
    /// What some of the scopes allow.
    pub(crate) wants_to: Vec<String>,
    /// Number of further scopes.
    pub(crate) more_scopes: usize,
    pub(crate) redirect_uris: Vec<String>,
    /// Address of the privacy policy, with its label.
    pub(crate) policy_uri: Option<String>,
    pub(crate) created: DisplayTime,
    /// Version of the settings that are verified.
    pub(crate) fields: Vec<HiddenInput>,
}

/// An API key whose owner asks to have hidden fields shown.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FieldsRequestRow {
    pub(crate) id: String,
    /// The description of the key.
    pub(crate) key: String,
    /// Name, class and e-mail address of the owner.
    pub(crate) owner: String,
    /// The name of the owner, or the e-mail address without one.
    pub(crate) short_owner: String,
    pub(crate) fields: Vec<&'static str>,
    pub(crate) scopes: Vec<String>,
    pub(crate) created: DisplayTime,
    /// Whether the key works, and for how long.
    pub(crate) state: KeyStatusBadge,
    /// Version of the key that is decided about.
    pub(crate) version: Vec<HiddenInput>,
}

/// What waits for administrators: unverified clients, and requests for scopes and for hidden fields
/// of keys.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/waiting.html")]
pub(crate) struct WaitingPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    /// Clients of whom people are warned.
    pub(crate) new_clients: Vec<UnverifiedClientRow>,
    /// Clients from before the review of clients, which count as verified.
    pub(crate) older_clients: Vec<UnverifiedClientRow>,
    pub(crate) requests: Vec<WaitingRequestRow>,
    pub(crate) requests_total: u64,
    /// API keys whose owners ask for hidden fields.
    pub(crate) keys: Vec<FieldsRequestRow>,
    pub(crate) keys_total: u64,
    /// Number of clients and requests on all pages.
    pub(crate) total: u64,
    pub(crate) page_links: PageLinks,
    /// The list to return to after a decision.
    pub(crate) back: &'static str,
}

/// A request of the user's client, in any state.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OwnRequestRow {
    pub(crate) scope_id: String,
    pub(crate) application: String,
    pub(crate) owner: String,
    pub(crate) scope: String,
    pub(crate) description: String,
    pub(crate) reason: String,
    pub(crate) asked_at: DisplayTime,
    /// The state in words.
    pub(crate) state: &'static str,
    pub(crate) badge_kind: &'static str,
    pub(crate) is_waiting: bool,
    /// Whether the request is approved and the client does not list the scope yet.
    pub(crate) can_be_added: bool,
    /// Why and when it was refused.
    pub(crate) refusal: Option<(String, DisplayTime)>,
}

/// A scope that can be asked for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RequestableScope {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) is_on: bool,
}

/// The scopes of an application that can be asked for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RequestableScopes {
    pub(crate) application: String,
    pub(crate) owner: String,
    pub(crate) scopes: Vec<RequestableScope>,
}

/// The requests of a client, with the form for another one.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/client_scopes.html")]
pub(crate) struct ClientScopesPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) client_id: String,
    pub(crate) client: String,
    pub(crate) requests: Vec<OwnRequestRow>,
    pub(crate) groups: Vec<RequestableScopes>,
    /// The submitted reason.
    pub(crate) reason: String,
}
