//! What has access to somebody's account.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Frame;
use crate::domain::{Scope, ScopeDefinition};
use crate::http::manage::Connection;
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// Something that a client was allowed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AllowedScope {
    pub(crate) description: String,
    pub(crate) application: String,
}

impl AllowedScope {
    pub(crate) fn of(definition: &ScopeDefinition) -> Self {
        let (description, application) = (definition.description.to_string(), definition.application_name.to_string());
        Self { description, application }
    }
}

/// A client that has access, or had it and may have it again.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ConnectedApp {
    pub(crate) id: String,
    pub(crate) client_name: String,
    pub(crate) since: Moment,
    /// Nothing, if it has no access at the moment.
    pub(crate) last_used: Option<Moment>,
    pub(crate) scopes: Vec<AllowedScope>,
}

impl ConnectedApp {
    /// A connection with what its scopes are for, which is among `definitions`.
    pub(crate) fn of(connection: &Connection, definitions: &[ScopeDefinition], zone: &TimeZone) -> Self {
        let allowed = &connection.allowed;
        let definition = |scope: &Scope| definitions.iter().find(|definition| definition.scope == *scope);
        Self {
            id: connection.client.id.to_string(),
            client_name: connection.client.name.to_string(),
            since: Moment::at(allowed.since, zone),
            last_used: allowed.last_used_at.map(|at| Moment::at(at, zone)),
            scopes: allowed.scopes.iter().filter_map(definition).map(AllowedScope::of).collect(),
        }
    }
}

/// The clients that have access.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/apps.html")]
pub(crate) struct AppsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) apps: Vec<ConnectedApp>,
}
