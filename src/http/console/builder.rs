use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use super::Console;
use super::data::DataSource;
use super::invitations::mailing::Mailing;
use super::server::{CalendarFeeds, Shared};
use crate::domain::InvalidValue;
use crate::http::issuer::Issuer;
use crate::http::login::{SessionLifetimes, UserSessions};
use crate::http::request_metrics::RequestMetrics;
use crate::http::service::ServiceContext;
use crate::http::{ConfigError, DataClient, Mailer, Management, SyncControl};
use crate::store::CalendarFeedStore;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Settings of a [`Console`]. Required settings are arguments of [`Console::builder`]; all others
/// have defaults.
pub struct ConsoleBuilder {
    management: Management,
    address: String,
    time_zone: String,
    session_lifetimes: SessionLifetimes,
    kept_session_lifetimes: SessionLifetimes,
    data: Option<(DataClient, String)>,
    sync: Option<Arc<dyn SyncControl>>,
    calendars: Option<(Arc<dyn CalendarFeedStore>, String)>,
    mailing: Option<Mailing>,
    edits_school: bool,
    has_several_nodes: bool,
    reference: Option<String>,
}

impl ConsoleBuilder {
    pub(super) fn new(management: Management, address: &str) -> Self {
        Self {
            management,
            address: address.to_owned(),
            time_zone: "Asia/Seoul".to_owned(),
            session_lifetimes: SessionLifetimes {
                idle: 30 * MINUTE,
                absolute: 12 * HOUR,
            },
            kept_session_lifetimes: SessionLifetimes {
                idle: 14 * DAY,
                absolute: 30 * DAY,
            },
            data: None,
            sync: None,
            calendars: None,
            mailing: None,
            edits_school: false,
            has_several_nodes: false,
            reference: None,
        }
    }

    /// Sets what mails one-time links to the owners of accounts; without it administrators pass them
    /// on. `pause` sleeps for the given time, like `tokio::time::sleep`: a page mails for 20 seconds
    /// at most, and lists the links that were not accepted by then.
    #[must_use]
    pub fn mailer<P: Future<Output = ()> + Send + 'static>(
        mut self,
        mailer: Arc<dyn Mailer>,
        pause: impl Fn(Duration) -> P + Send + Sync + 'static,
    ) -> Self {
        self.mailing = Some(Mailing::new(mailer, pause));
        self
    }

    /// Sets the time zone in which pages show times, by its IANA name; `Asia/Seoul` by default.
    #[must_use]
    pub fn time_zone(mut self, name: &str) -> Self {
        name.clone_into(&mut self.time_zone);
        self
    }

    /// Sets how long users stay signed in, in the console and, if it has the origin of the
    /// authorization server, there too: `idle` since the last request (30 minutes by default, at
    /// least 1 minute) and `absolute` in total (12 hours by default, at least `idle`, at most 30
    /// days), in whole seconds. All nodes of a service must use the same values.
    ///
    /// Sessions of users who tick "Keep me signed in" last longer: see
    /// [`kept_session_lifetimes`](Self::kept_session_lifetimes).
    #[must_use]
    pub fn session_lifetimes(mut self, idle: Duration, absolute: Duration) -> Self {
        self.session_lifetimes = SessionLifetimes::in_seconds(idle, absolute);
        self
    }

    /// Sets how long users stay signed in who tick "Keep me signed in": `idle` since the last
    /// request (14 days by default) and `absolute` in total (30 days by default), with the rules of
    /// [`session_lifetimes`](Self::session_lifetimes). A time that is shorter than that of other
    /// sessions is replaced by it; with equal total times, the choice only keeps the session when
    /// the browser is closed.
    #[must_use]
    pub fn kept_session_lifetimes(mut self, idle: Duration, absolute: Duration) -> Self {
        self.kept_session_lifetimes = SessionLifetimes::in_seconds(idle, absolute);
        self
    }

    /// Adds pages on which users browse the school's data with their own API keys, and administrators
    /// without one. Each page that an administrator reads without a key is an audit event.
    ///
    /// `client` is the [data client](crate::DataApi::data_client) of the data API. `address` is the
    /// data API's public address for the code samples, such as `https://school.example/api`; the
    /// rules of the console's own address apply. The [`AuthServer`](crate::AuthServer) has to
    /// manage [API keys](crate::http::auth_server::AuthServerBuilder::api_keys).
    #[must_use]
    pub fn data_browser(mut self, client: DataClient, address: &str) -> Self {
        self.data = Some((client, address.to_owned()));
        self
    }

    /// Adds a page on which administrators see the runs of a sync, such as a `SyncSchedule` of the
    /// feature `neis`, and start one. Their other pages tell them when it has failed for two days.
    #[must_use]
    pub fn sync(mut self, sync: Arc<dyn SyncControl>) -> Self {
        self.sync = Some(sync);
        self
    }

    /// Lets users create calendar feeds on the pages of their API keys, for calendar programs that
    /// subscribe to the school's schedules, meals and timetables.
    ///
    /// `feeds` is that of
    /// [`DataApiBuilder::calendar_feeds`](crate::http::data_api::DataApiBuilder::calendar_feeds), in
    /// the database of the keys. `address` is the data API's public address, with the rules of
    /// [`data_browser`](Self::data_browser). The time zone decides when the academic year ends, and
    /// the feeds with it.
    #[must_use]
    pub fn calendar_feeds(mut self, feeds: Arc<dyn CalendarFeedStore>, address: &str) -> Self {
        self.calendars = Some((feeds, address.to_owned()));
        self
    }

    /// Links the [API reference](crate::http::ApiReference) at this address, such as
    /// `https://school.example/v1/docs`, from the menu and the pages of API keys. The rules of the
    /// console's own address apply.
    #[must_use]
    pub fn api_reference(mut self, address: &str) -> Self {
        self.reference = Some(address.to_owned());
        self
    }

    /// Adds pages on which administrators edit the school's students, clubs and projects. The
    /// [`AuthServer`](crate::AuthServer) has to know the school's
    /// [directory](crate::http::auth_server::AuthServerBuilder::directory).
    #[must_use]
    pub const fn school_editor(mut self) -> Self {
        self.edits_school = true;
        self
    }

    /// Says that several processes serve the data API of this database. The pages of API keys then
    /// say that their counts can be a few minutes behind: they include the requests at this process
    /// at once, and those at others when these have written them.
    #[must_use]
    pub const fn several_nodes(mut self) -> Self {
        self.has_several_nodes = true;
        self
    }

    /// Builds the service.
    ///
    /// # Errors
    /// When a setting is invalid, or the [`AuthServer`](crate::AuthServer) has no store of clients,
    /// consents or console sessions.
    pub fn build(self) -> Result<Console, ConfigError> {
        let (unkept, kept) = (self.session_lifetimes, self.kept_session_lifetimes);
        if [unkept, kept]
            .iter()
            .any(|it| it.idle < MINUTE || it.absolute < it.idle || it.absolute > 30 * DAY)
        {
            return Err(ConfigError::Lifetime(InvalidValue::new(
                "must be 1 minute or more idle, and altogether no less and at most 30 days",
            )));
        }
        let missing = |method| ConfigError::MissingStore {
            part: "the console",
            method,
        };
        let management = &self.management;
        let registry = management.registry.clone();
        let consents = management.consents.clone();
        let user_sessions = management.user_sessions.clone();
        if self.data.is_some() && management.api_keys.is_none() {
            return Err(ConfigError::MissingStore {
                part: "the data browser",
                method: "AuthServerBuilder::api_keys",
            });
        }
        if self.calendars.is_some() && management.api_keys.is_none() {
            return Err(ConfigError::MissingStore {
                part: "the calendar feeds",
                method: "AuthServerBuilder::api_keys",
            });
        }
        if self.edits_school && !management.has_directory() {
            return Err(ConfigError::MissingStore {
                part: "the school editor",
                method: "AuthServerBuilder::directory",
            });
        }
        let source = |(client, address): (DataClient, String)| {
            Ok(DataSource {
                client,
                address: Issuer::parse(&address)?,
            })
        };
        let address = Issuer::parse(&self.address).map_err(ConfigError::ConsoleAddress)?;
        let registry = registry.ok_or_else(|| missing("AuthServerBuilder::management"))?;
        let consents = consents.ok_or_else(|| missing("AuthServerBuilder::consents"))?;
        let user_sessions = Arc::new(UserSessions {
            store: user_sessions.ok_or_else(|| missing("AuthServerBuilder::user_sessions"))?,
            unkept,
            kept: kept.max(unkept),
            is_secure: address.is_secure(),
        });
        let shared = Shared {
            service: Arc::new(ServiceContext {
                metrics: Arc::new(RequestMetrics::new("console")),
                clock: Arc::clone(&self.management.clock),
                entropy: Arc::clone(&self.management.entropy),
                audit: Some(Arc::clone(&self.management.audit)),
                always_sends_request_id: true,
            }),
            address,
            zone: TimeZone::get(&self.time_zone)
                .map_err(|_| ConfigError::UnknownTimeZone(self.time_zone))?,
            edits_school: self.edits_school,
            has_several_nodes: self.has_several_nodes,
            data: self
                .data
                .map(source)
                .transpose()
                .map_err(ConfigError::DataAddress)?,
            sync: self.sync,
            calendars: self
                .calendars
                .map(|(feeds, address)| {
                    Ok(CalendarFeeds {
                        store: feeds,
                        address: Issuer::parse(&address)?,
                    })
                })
                .transpose()
                .map_err(ConfigError::DataAddress)?,
            registry,
            consents,
            user_sessions,
            mailing: self.mailing,
            reference: self
                .reference
                .map(|address| Issuer::parse(&address))
                .transpose()
                .map_err(ConfigError::Documentation)?,
            management: self.management,
        };
        let management = &shared.management;
        if shared.address.has_origin_of(&management.issuer) {
            management.share_user_sessions(&shared.user_sessions);
        }
        Ok(Console {
            shared: Arc::new(shared),
        })
    }
}

impl fmt::Debug for ConsoleBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsoleBuilder")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
