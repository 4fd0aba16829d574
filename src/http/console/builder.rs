use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use super::data::Source;
use super::server::{Lifetimes, Shared};
use super::{ConfigError, Console};
use crate::domain::{Invalid, Line};
use crate::http::issuer::Issuer;
use crate::http::requests::Requests;
use crate::http::{Office, ReadingRoom};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Settings of a [`Console`]. What is required is an argument of [`Console::builder`]; the rest has defaults.
pub struct ConsoleBuilder {
    office: Office,
    address: String,
    site: Option<Line>,
    time_zone: String,
    lifetimes: Lifetimes,
    data: Option<(ReadingRoom, String)>,
}

impl ConsoleBuilder {
    pub(super) fn new(office: Office, address: &str) -> Self {
        Self {
            office,
            address: address.to_owned(),
            site: None,
            time_zone: "Asia/Seoul".to_owned(),
            lifetimes: Lifetimes { idle: 30 * MINUTE, absolute: 12 * HOUR },
            data: None,
        }
    }

    /// The name that stands on every page, such as the school's; `School account` by default. It is
    /// [reserved](crate::http::auth_server::AuthServerBuilder::reserved_names) for administrators.
    ///
    /// # Errors
    /// When it is not one line of at most 255 characters.
    pub fn site(mut self, name: &str) -> Result<Self, ConfigError> {
        self.site = Some(name.parse().map_err(ConfigError::Site)?);
        Ok(self)
    }

    /// The time zone of the school, by its IANA name, in which pages show moments; `Asia/Seoul` by default.
    #[must_use]
    pub fn time_zone(mut self, name: &str) -> Self {
        name.clone_into(&mut self.time_zone);
        self
    }

    /// How long a person stays signed in: without doing anything, 30 minutes by default and at least 1, and altogether, 12 hours by default, no
    /// less than that and at most 30 days. All nodes of a service have the same.
    #[must_use]
    pub fn session_lifetimes(mut self, idle: Duration, absolute: Duration) -> Self {
        self.lifetimes = Lifetimes { idle, absolute };
        self
    }

    /// Lets people look at the school's data by keys of their own: the [reading room](crate::DataApi::reading_room) of the data API, and the address
    /// under which programs find that, such as `https://school.example/api`, for the samples on the pages. It has the rules of the
    /// console's own address. Without it, or without keys that the [`AuthServer`](crate::AuthServer) manages, there are no such pages.
    #[must_use]
    pub fn data(mut self, room: ReadingRoom, address: &str) -> Self {
        self.data = Some((room, address.to_owned()));
        self
    }

    /// The service.
    ///
    /// # Errors
    /// When an option has a value that cannot work.
    pub fn build(self) -> Result<Console, ConfigError> {
        let Lifetimes { idle, absolute } = self.lifetimes;
        if idle < MINUTE || absolute < idle || absolute > 30 * 24 * HOUR {
            return Err(ConfigError::Lifetime(Invalid::new("must be 1 minute or more idle, and altogether no less and at most 30 days")));
        }
        let site = match self.site {
            Some(site) => site,
            None => "School account".parse().map_err(ConfigError::Site)?,
        };
        if let Some(accounts) = self.office.doorkeeper.authenticator.accounts() {
            accounts.refuse_name(site.clone());
        }
        self.office.reserve_name(&site);
        let source = |(room, address): (ReadingRoom, String)| Ok(Source { room, address: Issuer::parse(&address)? });
        let shared = Shared {
            requests: Arc::new(Requests::of("console")),
            address: Issuer::parse(&self.address).map_err(ConfigError::Address)?,
            site,
            zone: TimeZone::get(&self.time_zone).map_err(|_| ConfigError::UnknownTimeZone(self.time_zone))?,
            lifetimes: self.lifetimes,
            data: self.data.map(source).transpose().map_err(ConfigError::DataAddress)?,
            office: self.office,
        };
        Ok(Console { shared: Arc::new(shared) })
    }
}

impl fmt::Debug for ConsoleBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsoleBuilder").field("address", &self.address).finish_non_exhaustive()
    }
}
