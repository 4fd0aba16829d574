//! What has access to somebody's account.

use askama::Template;
use jiff::tz::TimeZone;

use super::Frame;
use crate::domain::{Client, LiveGrant, ScopeDefinition};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// Something that a client was allowed.
#[derive(Debug, Clone)]
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

/// A client that has access.
#[derive(Debug, Clone)]
pub(crate) struct ConnectedApp {
    pub(crate) id: String,
    pub(crate) client_name: String,
    pub(crate) since: Moment,
    pub(crate) last_used: Moment,
    pub(crate) scopes: Vec<AllowedScope>,
}

impl ConnectedApp {
    /// A grant with what its scopes are for.
    pub(crate) fn of(grant: &LiveGrant, client: &Client, scopes: &[ScopeDefinition], zone: &TimeZone) -> Self {
        Self {
            id: grant.id.to_string(),
            client_name: client.name.to_string(),
            since: Moment::at(grant.since, zone),
            last_used: Moment::at(grant.last_used_at, zone),
            scopes: scopes.iter().map(AllowedScope::of).collect(),
        }
    }
}

/// The clients that have access.
#[derive(Debug, Template)]
#[template(path = "console/apps.html")]
pub(crate) struct AppsPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) grants: Vec<ConnectedApp>,
}
