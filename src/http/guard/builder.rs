use std::fmt;
use std::sync::Arc;

use super::challenge::Challenge;
use super::{Guard, KeySource, Liveness};
use crate::domain::{ApplicationId, Invalid};
use crate::http::address::public_address;
use crate::http::requests::Requests;
use crate::http::{Clock, ProtectedResource, SystemClock};

/// Options of a [`Guard`], each with a default.
#[must_use]
pub struct GuardBuilder {
    settings: Settings,
    audience: ApplicationId,
    metadata: Option<String>,
}

impl GuardBuilder {
    pub(super) fn new(issuer: &str, audience: ApplicationId, keys: Arc<dyn KeySource>) -> Self {
        let settings = Settings {
            issuer: issuer.to_owned(),
            audience: audience.to_string(),
            keys,
            liveness: None,
            clock: Arc::new(SystemClock),
            requests: Arc::new(Requests::of("guard")),
        };
        Self { settings, audience, metadata: None }
    }

    /// What time it is; the system's clock by default. Tokens are held against it without leeway, so keep the clocks of your machines together.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.settings.clock = clock;
        self
    }

    /// Who knows whether a token was revoked. By default nobody is asked, and a revoked token holds until it expires.
    pub fn liveness(mut self, liveness: Arc<dyn Liveness>) -> Self {
        self.settings.liveness = Some(liveness);
        self
    }

    /// Tells refused clients where the service describes itself, by `resource_metadata` (RFC 9728 §5.1).
    pub fn protected_resource(mut self, resource: &ProtectedResource) -> Self {
        self.metadata = Some(resource.metadata_url());
        self
    }

    /// The guard.
    ///
    /// # Errors
    /// When the issuer is not a public address, and so in no token.
    pub fn build(self) -> Result<Guard, ConfigError> {
        public_address(&self.settings.issuer).map_err(ConfigError::Issuer)?;
        let challenge = Challenge::new(self.audience, self.metadata);
        Ok(Guard { settings: Arc::new(self.settings), challenge: Arc::new(challenge) })
    }
}

impl fmt::Debug for GuardBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardBuilder").field("issuer", &self.settings.issuer).finish_non_exhaustive()
    }
}

/// What a built guard goes by.
pub(super) struct Settings {
    pub(super) issuer: String,
    /// The id of the application, as it stands in tokens.
    pub(super) audience: String,
    pub(super) keys: Arc<dyn KeySource>,
    pub(super) liveness: Option<Arc<dyn Liveness>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) requests: Arc<Requests>,
}

/// Why a [`Guard`] could not be built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The issuer is not a public address.
    Issuer(Invalid),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Issuer(rule) => write!(f, "the issuer {rule}"),
        }
    }
}

impl std::error::Error for ConfigError {}
