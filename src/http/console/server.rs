use std::sync::Arc;

use http::{Method, Request};
use jiff::tz::TimeZone;

use super::data::DataSource;
use super::form::flash::Flash;
use super::invitations::mailing::Mailing;
use super::route_matching::MatchedRoute;
use crate::directory::ResourceDefinition;
use crate::domain::Timestamp;
use crate::http::issuer::Issuer;
use crate::http::login::{Accounts, UserSessions};
use crate::http::pages::Language;
use crate::http::pages::texts::Texts;
use crate::http::service::{RequestContext, ServiceContext};
use crate::http::{Management, SyncControl};
use crate::store::{
    ApiKeyStore, AuditStore, CalendarFeedStore, ClientRegistry, ConsentStore, ProtocolStorage,
    UserSessionStore,
};

/// State of one request: the shared state, and the request's context and route.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) context: RequestContext,
    pub(super) route: Option<MatchedRoute>,
    pub(super) language: Language,
    /// URI that shows the same page again, from the root of the service, if there is one.
    pub(super) page_uri: Option<String>,
    /// Path of the page that has the form of the request, if one is known.
    pub(super) form_page: Option<String>,
    /// Notice about the preceding action, from the query.
    pub(super) flash: Option<Flash>,
}

impl Server {
    pub(super) fn new<B>(shared: &Arc<Shared>, request: &Request<B>) -> Self {
        let (uri, method) = (request.uri(), request.method());
        let route = MatchedRoute::find(uri.path());
        let page_uri = match &route {
            Some(found) if found.route.is_page() => match *method {
                Method::GET | Method::HEAD => uri.path_and_query().map(ToString::to_string),
                // The page of the form.
                _ => Some(uri.path().to_owned()),
            },
            _ => None,
        };
        Self {
            context: RequestContext::new(
                &shared.service,
                MatchedRoute::endpoint(route.as_ref()),
                request.extensions(),
            ),
            page_uri,
            form_page: route.as_ref().and_then(|found| found.form_page(uri.path())),
            shared: Arc::clone(shared),
            route,
            language: Language::from_headers(request.headers()),
            flash: Flash::from_query(uri),
        }
    }

    /// Values of the parameters in the path, in the order of the route's pattern; empty if it has
    /// fewer.
    pub(super) fn params<const N: usize>(&self) -> [&str; N] {
        let params = self.route.as_ref().map_or(&[][..], |found| &found.params);
        std::array::from_fn(|at| params.get(at).map_or("", String::as_str))
    }

    /// Address of the API reference in the language of the request.
    pub(super) fn reference(&self) -> Option<String> {
        let address = self.shared.reference.as_ref()?.as_str();
        Some(match self.texts().language_code {
            "ko" => format!("{address}/ko"),
            _ => address.to_owned(),
        })
    }

    /// Texts in the language of the request.
    pub(super) fn texts(&self) -> &'static Texts {
        self.language.texts()
    }

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
        &*self.shared.user_sessions.store
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

    /// Writes the uses of API keys that this process has not written yet, so that the counts that are
    /// read next include them. A write that fails is logged and repeated later, and one that is late goes
    /// on; pages then show what is stored. Without a data browser the console knows no data API, and its counts are at most a
    /// minute behind.
    pub(super) async fn write_key_usage(&self) {
        if let Some(source) = &self.shared.data {
            source.client.write_key_usage().await;
        }
    }

    /// Store of the audit events, if they are stored.
    pub(super) fn audit_store(&self) -> Option<&Arc<dyn AuditStore>> {
        self.shared.management.audit.store()
    }

    /// The sync, if the host has one.
    pub(super) fn sync(&self) -> Option<&dyn SyncControl> {
        self.shared.sync.as_deref()
    }

    /// Whether administrators edit the school's records here.
    pub(super) fn edits_school(&self) -> bool {
        self.shared.edits_school
    }

    /// Whether administrators turn the school year here.
    pub(super) fn turns_school_year(&self) -> bool {
        self.shared.edits_school && self.shared.management.keeps_school_history()
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
    pub(super) user_sessions: Arc<UserSessions>,
    pub(super) service: Arc<ServiceContext>,
    /// Public address of the pages.
    pub(super) address: Issuer,
    /// Time zone of the school.
    pub(super) zone: TimeZone,
    /// Source of the school's data, if the console shows it.
    pub(super) data: Option<DataSource>,
    /// The sync, if the host has one.
    pub(super) sync: Option<Arc<dyn SyncControl>>,
    /// Calendar feeds, if users create them here.
    pub(super) calendars: Option<CalendarFeeds>,
    /// What mails one-time links.
    pub(super) mailing: Option<Mailing>,
    /// Address of the API reference.
    pub(super) reference: Option<Issuer>,
    /// Whether administrators edit the school's records here.
    pub(super) edits_school: bool,
    /// Whether other processes count requests of API keys, too.
    pub(super) has_several_nodes: bool,
}

/// Calendar feeds, and the data API that serves the calendars.
pub(super) struct CalendarFeeds {
    pub(super) store: Arc<dyn CalendarFeedStore>,
    /// Public address of the data API.
    pub(super) address: Issuer,
}
