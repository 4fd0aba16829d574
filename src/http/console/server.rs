use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use super::context::RequestContext;
use super::data::DataSource;
use crate::directory::ResourceDefinition;
use crate::domain::ShortText;
use crate::http::Management;
use crate::http::issuer::Issuer;
use crate::http::request_metrics::RequestMetrics;
use crate::store::{ClientRegistry, ConsentStore, UserSessionStore};

/// State of one request: the shared service and the request's context.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) context: RequestContext,
}

impl Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// State shared by all requests.
pub(super) struct Shared {
    pub(super) management: Management,
    pub(super) registry: Arc<dyn ClientRegistry>,
    pub(super) consents: Arc<dyn ConsentStore>,
    pub(super) user_sessions: Arc<dyn UserSessionStore>,
    pub(super) requests: Arc<RequestMetrics>,
    /// Public address of the pages.
    pub(super) address: Issuer,
    /// Name shown on every page.
    pub(super) site_name: ShortText,
    /// Time zone of the school.
    pub(super) zone: TimeZone,
    pub(super) lifetimes: Lifetimes,
    /// Source of the school's data, if the console shows it.
    pub(super) data: Option<DataSource>,
}

impl Deref for Shared {
    type Target = Management;

    fn deref(&self) -> &Management {
        &self.management
    }
}

impl Shared {
    /// Definitions of the data API's lists.
    pub(super) fn lists(&self) -> Vec<&ResourceDefinition> {
        match &self.data {
            Some(source) => source.client.definitions(),
            None => self.management.school_resources().definitions().to_vec(),
        }
    }

    /// URI of a console path, from the root of the host.
    pub(super) fn href(&self, path: &str) -> String {
        format!("{}{path}", self.address.path())
    }
}

/// Lifetimes of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    /// Time without a request.
    pub(super) idle: Duration,
    /// Total time.
    pub(super) absolute: Duration,
}
