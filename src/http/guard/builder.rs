use std::fmt;
use std::sync::Arc;

use super::challenge::Challenge;
use super::{Guard, KeySource, RevocationCheck};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::ApplicationId;
use crate::http::public_url::parse_public_url;
use crate::http::request_metrics::RequestMetrics;
use crate::http::{Clock, ConfigError, ProtectedResource, SystemClock};

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
            revocation_check: None,
            clock: Arc::new(SystemClock),
            metrics: Arc::new(RequestMetrics::new("guard")),
            entropy: Arc::new(SystemEntropy),
        };
        Self {
            settings,
            audience,
            metadata: None,
        }
    }

    /// Sets the clock; the system clock by default. Tokens are validated without leeway, so
    /// synchronise the clocks of your machines.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.settings.clock = clock;
        self
    }

    /// Sets the check whether a token was revoked. There is none by default, and a revoked token is
    /// valid until it expires.
    pub fn revocation_check(mut self, check: Arc<dyn RevocationCheck>) -> Self {
        self.settings.revocation_check = Some(check);
        self
    }

    /// Adds `resource_metadata` (RFC 9728 §5.1) to refusals, so that clients find the service's
    /// metadata.
    pub fn protected_resource(mut self, resource: &ProtectedResource) -> Self {
        self.metadata = Some(resource.metadata_url());
        self
    }

    /// Builds the guard.
    ///
    /// # Errors
    /// When the issuer is not a public URL, and therefore in no token.
    pub fn build(self) -> Result<Guard, ConfigError> {
        parse_public_url(&self.settings.issuer).map_err(ConfigError::Issuer)?;
        let challenge = Challenge::new(self.audience, self.metadata);
        Ok(Guard {
            settings: Arc::new(self.settings),
            challenge: Arc::new(challenge),
        })
    }
}

impl fmt::Debug for GuardBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardBuilder")
            .field("issuer", &self.settings.issuer)
            .finish_non_exhaustive()
    }
}

/// Settings of a built guard.
pub(super) struct Settings {
    pub(super) issuer: String,
    /// The application's id, as in the `aud` of tokens.
    pub(super) audience: String,
    pub(super) keys: Arc<dyn KeySource>,
    pub(super) revocation_check: Option<Arc<dyn RevocationCheck>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) metrics: Arc<RequestMetrics>,
    pub(super) entropy: Arc<dyn Entropy>,
}
