//! The services of a school's database.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::STRICT_TRANSPORT_SECURITY;
use axum::middleware::map_response;
use axum::response::Response;
use lyceum::crypto::{MasterKey, SystemEntropy};
use lyceum::directory::Directory;
use lyceum::domain::{ClassPeriods, Quota, SubjectId, Timestamp};
use lyceum::http::audit::{
    AuditLog, Change, Event, EventKind, ManagedObject, RequestId, StoredAuditLog,
};
use lyceum::http::auth_server::{Accounts, AuthServerBuilder, LoginLimits};
use lyceum::http::console::Console;
use lyceum::http::{
    ApiReference, Branding, Clock, Mailer, Management, Readiness, SystemClock, TrustedProxies,
};
use lyceum::neis::{self, SyncSchedule, SyncScheduleBuilder};
use lyceum::school_year::{HistoryRetention, RemovedHistory};
use lyceum::store::sql::SqlStore;
use lyceum::store::{ApiKeyStore, RateLimiter};
use lyceum::{AuthServer, DataApi};
use tokio::task::JoinHandle;

use crate::BoxError;
use crate::settings::{Addresses, SchoolBounds};

/// Time between two removals of former students and history beyond their time.
const RETENTION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// Paths of the authorization service at the root. All other paths belong to the data API.
const AUTH_SERVER_ROUTES: [&str; 12] = [
    "/v1/oauth/{*path}",
    "/.well-known/oauth-authorization-server",
    "/.well-known/jwks.json",
    "/userinfo",
    "/v1/applications",
    "/v1/applications/{*path}",
    "/v1/clients",
    "/v1/clients/{*path}",
    "/v1/api-keys",
    "/v1/api-keys/{*path}",
    "/v1/grants",
    "/v1/grants/{*path}",
];

/// An opened database with its audit log.
pub struct School {
    pub store: Arc<SqlStore>,
    pub addresses: Addresses,
    bounds: SchoolBounds,
    master_key: MasterKey,
    pub log: StoredAuditLog,
    writing: JoinHandle<()>,
}

impl School {
    pub fn new(
        store: Arc<SqlStore>,
        master_key: MasterKey,
        addresses: Addresses,
        bounds: SchoolBounds,
    ) -> Self {
        let (log, writer) = StoredAuditLog::builder(store.clone()).build();
        Self {
            writing: tokio::spawn(writer.run()),
            store,
            addresses,
            bounds,
            master_key,
            log,
        }
    }

    /// Writes the remaining audit events.
    pub async fn close(self) -> Result<(), BoxError> {
        close(&self.log, self.writing).await
    }

    pub fn now(&self) -> Timestamp {
        SystemClock.now()
    }

    /// Records a change that a command made.
    pub fn record(&self, object: ManagedObject, change: Change) {
        self.record_event(EventKind::Managed {
            by: SubjectId::service(),
            object,
            change,
            fields: Vec::new(),
        });
    }

    /// Records an event of a command.
    pub fn record_event(&self, kind: EventKind) {
        self.log.record(&event(kind));
    }

    /// Removes former students and history beyond their time, at the start and then daily.
    pub fn remove_old_history(
        &self,
        directory: Directory,
        retention: HistoryRetention,
    ) -> impl Future<Output = ()> + use<> {
        let log = self.log.clone();
        async move {
            let mut daily = tokio::time::interval(RETENTION_INTERVAL);
            loop {
                daily.tick().await;
                let outcome = retention.apply(&directory, SystemClock.now()).await;
                let removed = outcome.unwrap_or_else(|failed| {
                    tracing::warn!("old history was not removed: {failed}");
                    failed.removed
                });
                let RemovedHistory { students, entries } = removed;
                if students + entries > 0 {
                    log.record(&event(EventKind::LeaversRemoved {
                        by: SubjectId::service(),
                        students,
                        history: entries,
                    }));
                }
            }
        }
    }

    /// Opens the directory.
    pub async fn directory(&self) -> Result<Directory, BoxError> {
        self.bounds.open(self.store.clone()).await
    }

    /// A schedule of a sync that records its runs and their events.
    pub fn sync_schedule(&self, sync: neis::Sync) -> SyncScheduleBuilder {
        let log = self.log.clone();
        SyncSchedule::builder(sync, self.store.clone(), tokio::time::sleep)
            .on_run(move |run| log.record(&event(run.into())))
    }

    /// The built-in accounts.
    pub fn accounts(&self) -> Result<Accounts, BoxError> {
        Ok(Accounts::builder(self.store.clone())
            .audit(Arc::new(self.log.clone()))
            .build()?)
    }

    /// The authorization service, which also proves that the master key is the database's.
    pub fn auth_server(&self) -> AuthServerBuilder {
        AuthServer::builder(
            self.store.clone(),
            &self.addresses.auth(),
            self.master_key.clone(),
        )
        .api_keys(self.store.clone())
        .audit(Arc::new(self.log.clone()))
    }

    /// The web interface for commands, which print its links.
    pub fn console(&self, auth: &AuthServer) -> Result<Console, BoxError> {
        Ok(Console::builder(auth.management(), &self.addresses.console()).build()?)
    }
}

/// Writes an event to the audit log of a database that is opened for nothing else.
pub async fn record_event(store: Arc<SqlStore>, kind: EventKind) -> Result<(), BoxError> {
    let (log, writer) = StoredAuditLog::builder(store).build();
    let writing = tokio::spawn(writer.run());
    log.record(&event(kind));
    close(&log, writing).await
}

async fn close(log: &StoredAuditLog, writing: JoinHandle<()>) -> Result<(), BoxError> {
    let is_written = log.close().await;
    writing.await?;
    is_written
        .then_some(())
        .ok_or_else(|| "audit records could not be written: the log has them".into())
}

/// An event that no request caused.
fn event(kind: EventKind) -> Event {
    Event {
        request_id: RequestId::new(&SystemEntropy),
        at: SystemClock.now(),
        address: None,
        kind,
    }
}

/// All services on one router, with the parts that have background work.
pub struct Services {
    pub app: Router,
    pub api: DataApi,
    pub auth: AuthServer,
    pub directory: Directory,
    /// The sync with NEIS, if the settings have the school's codes.
    pub sync: Option<SyncSchedule>,
    pub management: Management,
}

/// Settings of the services, of a demo or of `serve`.
pub struct ServiceSettings {
    /// On every page, and reserved. Without it the pages have a general name.
    pub branding: Branding,
    pub time_zone: String,
    /// When the periods of a school day begin and end, for calendars.
    pub class_periods: ClassPeriods,
    pub api_key_limit: Quota,
    pub bad_key_limit: Quota,
    pub change_limit: Quota,
    /// Failed sign-ins from one address, if not the default.
    pub sign_in_limit: Option<Quota>,
    /// Sign-ins that one address starts, if not the default.
    pub authorize_limit: Option<Quota>,
    pub proxies: TrustedProxies,
    /// The school on NEIS.
    pub neis: Option<NeisSettings>,
    /// What mails one-time links, if anything does.
    pub mailer: Option<Arc<dyn Mailer>>,
}

/// Settings of the sync with NEIS.
pub struct NeisSettings {
    pub client: neis::Client,
    pub school: neis::NeisSchool,
    /// Whether there is a key. Without one NEIS gives five rows of each list.
    pub has_key: bool,
    /// The time of the daily run, such as `05:30`.
    pub time: Option<String>,
}

impl NeisSettings {
    /// What follows from a daily time without a key, which the log, `serve --check` and `doctor` say.
    pub const fn missing_key(&self) -> Option<&'static str> {
        if self.has_key || self.time.is_none() {
            return None;
        }
        Some(
            "there is no daily sync with NEIS without a key, and a sync that is started by hand gets five rows of each list: \
             set neis-key-file, or sync-time to off",
        )
    }
}

/// Builds the services of a school. Their background work is the caller's to start. Without a
/// limiter, each process counts the requests of API keys by itself.
pub async fn services(
    school: &School,
    limiter: Option<Arc<dyn RateLimiter>>,
    settings: &ServiceSettings,
    readiness: Readiness,
) -> Result<Services, BoxError> {
    let addresses = &school.addresses;
    let directory = school.directory().await?;
    let mut auth = school.auth_server();
    if let Some(per_address) = settings.sign_in_limit {
        auth = auth.login_limits(LoginLimits {
            per_address,
            ..LoginLimits::standard()?
        });
    }
    if let Some(per_address) = settings.authorize_limit {
        auth = auth.authorize_limit(per_address);
    }
    for (role, fields) in school.store.protected_fields().await? {
        auth = auth.protected_fields(role, fields);
    }
    let auth = auth
        .directory(directory.clone())
        .management_limit(settings.change_limit)
        .branding(settings.branding.clone())
        .api_key_limit(settings.api_key_limit)
        .build()
        .await?;
    let management = auth.management();
    let keys: Arc<dyn ApiKeyStore> = school.store.clone();
    let api = DataApi::builder(directory.clone(), keys)
        .public_url(&addresses.data_api())
        .authorization_server(&addresses.auth())
        .time_zone(&settings.time_zone)
        .calendar_feeds(school.store.clone())
        .class_periods(settings.class_periods.clone())
        .rate_limit(settings.api_key_limit)
        .bad_key_limit(settings.bad_key_limit)
        .readiness(readiness)
        .audit(Arc::new(school.log.clone()));
    // Nodes that share a limiter share the database, too.
    let has_several_nodes = limiter.is_some();
    let api = match limiter {
        Some(limiter) => api.rate_limiter(limiter),
        None => api,
    };
    let api = api.build()?;
    let console = Console::builder(auth.management(), &addresses.console());
    let console = match &settings.mailer {
        Some(mailer) => console.mailer(mailer.clone(), tokio::time::sleep),
        None => console,
    };
    let console = match has_several_nodes {
        true => console.several_nodes(),
        false => console,
    };
    let sync = match &settings.neis {
        Some(neis) => Some(sync_schedule(school, &directory, settings, neis)?),
        None => None,
    };
    let console = match &sync {
        Some(sync) => console.sync(Arc::new(sync.clone())),
        None => console,
    };
    let console = console
        .time_zone(&settings.time_zone)
        .data_browser(api.data_client(), &addresses.data_api())
        .calendar_feeds(school.store.clone(), &addresses.data_api())
        .api_reference(&addresses.reference())
        .school_editor()
        .build()?;
    let name = settings.branding.name();
    let reference = ApiReference::new(name, [api.openapi(), auth.openapi()])?;

    let mut app = Router::new().nest_service(&addresses.console_path, console);
    for path in ["/v1/openapi.json", "/v1/docs", "/v1/docs/{*path}"] {
        app = app.route_service(path, reference.clone());
    }
    if addresses.auth_path.is_empty() {
        for path in AUTH_SERVER_ROUTES {
            app = app.route_service(path, auth.clone());
        }
    } else {
        // Clients look for the metadata at the root of the host.
        app = app
            .route_service(&auth.metadata_path(), auth.clone())
            .nest_service(&addresses.auth_path, auth.clone());
    }
    app = if addresses.data_api_path.is_empty() {
        app.fallback_service(api.clone())
    } else {
        let metadata = format!(
            "/.well-known/oauth-protected-resource{}",
            addresses.data_api_path
        );
        app.route_service(&metadata, api.clone())
            .nest_service(&addresses.data_api_path, api.clone())
    };
    if addresses.is_https() {
        app = app.layer(map_response(with_strict_transport_security));
    }
    Ok(Services {
        app: app.layer(settings.proxies.clone()),
        api,
        auth,
        directory,
        sync,
        management,
    })
}

fn sync_schedule(
    school: &School,
    directory: &Directory,
    settings: &ServiceSettings,
    neis: &NeisSettings,
) -> Result<SyncSchedule, BoxError> {
    let (client, code) = (neis.client.clone(), neis.school.clone());
    let sync = neis::Sync::new(directory.clone(), client, code);
    let schedule = school.sync_schedule(sync).time_zone(&settings.time_zone);
    let schedule = match &neis.time {
        Some(time) if neis.has_key => schedule.daily_at(time),
        _ => schedule,
    };
    if let Some(missing_key) = neis.missing_key() {
        tracing::warn!("{missing_key}");
    }
    schedule
        .build()
        .map_err(|rule| format!("sync-time {rule}").into())
}

/// Keeps browsers that have been here from ever connecting without TLS (RFC 6797). The whole host is
/// the school's, so that this is the program's to say; other hosts of the domain are not.
async fn with_strict_transport_security(mut response: Response) -> Response {
    let a_year = HeaderValue::from_static("max-age=31536000");
    let headers = response.headers_mut();
    headers.insert(STRICT_TRANSPORT_SECURITY, a_year);
    response
}
