use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use super::context::RequestContext;
use super::data::DataSource;
use crate::directory::ResourceDefinition;
use crate::domain::{ShortText, Timestamp};
use crate::http::Management;
use crate::http::issuer::Issuer;
use crate::http::login::Accounts;
use crate::http::request_metrics::RequestMetrics;
use crate::store::{
    ApiKeyStore, AuditStore, ClientRegistry, ConsentStore, ProtocolStorage, UserSessionStore,
};

/// State of one request: the shared service and the request's context.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) context: RequestContext,
}

impl Server {
    pub(super) fn storage(&self) -> &dyn ProtocolStorage {
        &*self.shared.management.storage
    }

    pub(super) fn registry(&self) -> &dyn ClientRegistry {
        &*self.shared.registry
    }

    pub(super) fn consents(&self) -> &dyn ConsentStore {
        &*self.shared.consents
    }

    pub(super) fn user_sessions(&self) -> &dyn UserSessionStore {
        &*self.shared.user_sessions
    }

    pub(super) fn now(&self) -> Timestamp {
        self.shared.management.clock.now()
    }

    /// The built-in accounts, unless the host has its own users.
    pub(super) fn accounts(&self) -> Option<&Accounts> {
        self.shared
            .management
            .login_service
            .authenticator
            .accounts()
    }

    /// Store of the API keys, if they are managed here.
    pub(super) fn api_keys(&self) -> Option<&Arc<dyn ApiKeyStore>> {
        self.shared.management.api_keys.as_ref()
    }

    /// Store of the audit events, if they are stored.
    pub(super) fn audit_store(&self) -> Option<&Arc<dyn AuditStore>> {
        self.shared.management.audit.store()
    }

    /// Time zone of the school.
    pub(super) fn zone(&self) -> &TimeZone {
        &self.shared.zone
    }

    /// Definitions of the data API's lists.
    pub(super) fn lists(&self) -> Vec<&ResourceDefinition> {
        match &self.shared.data {
            Some(source) => source.client.definitions(),
            None => {
                let school = self.shared.management.students.resources();
                school.definitions().to_vec()
            }
        }
    }

    /// URI of a console path, from the root of the host.
    pub(super) fn href(&self, path: &str) -> String {
        format!("{}{path}", self.shared.address.path())
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

/// Lifetimes of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    /// Time without a request.
    pub(super) idle: Duration,
    /// Total time.
    pub(super) absolute: Duration,
}
