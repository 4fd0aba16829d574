//! Page of the clients with access to the user's account.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Layout;
use crate::domain::{Scope, ScopeDefinition};
use crate::http::management::AuthorizedApp;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// A scope granted to a client.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AllowedScope {
    pub(crate) description: String,
    pub(crate) application: String,
}

impl AllowedScope {
    pub(crate) fn new(definition: &ScopeDefinition, text: &Texts, school: &str) -> Self {
        Self {
            description: text.scope_description(definition).to_owned(),
            application: text.scope_source(definition, school).to_owned(),
        }
    }
}

/// A client that has access, or had it and still has the user's consent.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AuthorizedAppRow {
    pub(crate) id: String,
    pub(crate) client_name: String,
    pub(crate) is_unverified: bool,
    pub(crate) since: DisplayTime,
    /// `None` if the client has no access at the moment. A verified one may get it again without
    /// consent.
    pub(crate) last_used: Option<DisplayTime>,
    pub(crate) scopes: Vec<AllowedScope>,
}

impl AuthorizedAppRow {
    /// Builds a row, with the descriptions of its scopes from `definitions`.
    pub(crate) fn new(
        authorized_app: &AuthorizedApp,
        definitions: &[ScopeDefinition],
        zone: &TimeZone,
        text: &Texts,
        school: &str,
    ) -> Self {
        let allowed = &authorized_app.allowed;
        let definition = |scope: &Scope| {
            definitions
                .iter()
                .find(|definition| definition.scope == *scope)
        };
        Self {
            id: authorized_app.client.id.to_string(),
            client_name: authorized_app.client.name.to_string(),
            is_unverified: !authorized_app.client.is_verified(),
            since: DisplayTime::from_timestamp(allowed.since, zone),
            last_used: allowed
                .last_used_at
                .map(|at| DisplayTime::from_timestamp(at, zone)),
            scopes: allowed
                .scopes
                .iter()
                .filter_map(definition)
                .map(|definition| AllowedScope::new(definition, text, school))
                .collect(),
        }
    }
}

/// List of the clients.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/authorized_apps.html")]
pub(crate) struct AuthorizedAppsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) apps: Vec<AuthorizedAppRow>,
}
