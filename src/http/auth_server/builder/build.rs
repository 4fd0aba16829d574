use std::sync::Arc;
use std::time::Duration;

use super::{AuthServerBuilder, MAX_ACCESS_TOKEN_LIFETIME, MINUTE, Users};
#[cfg(feature = "console")]
use crate::crypto::PasswordLinks;
#[cfg(feature = "console")]
use crate::crypto::Seal;
use crate::crypto::{FormTokens, RefreshTokens};
use crate::domain::{ApiScopes, Application, InvalidValue, KeyRotation, Quota, ReservedNames};
use crate::http::audit::{AuditLog, CountingAuditLog};
use crate::http::auth_server::AuthServer;
use crate::http::auth_server::authorize::session_limiter::SessionLimiter;
use crate::http::auth_server::key_ring::signing_key_generator::SigningKeyGenerator;
use crate::http::auth_server::key_ring::signing_threads::SigningThreads;
use crate::http::auth_server::key_ring::{KeyRing, MIN_PUBLISH_AHEAD};
use crate::http::auth_server::server::{Lifetimes, Shared};
use crate::http::auth_server::token::client_limiter::ClientLimiter;
use crate::http::issuer::Issuer;
use crate::http::login::{Accounts, LoginLimits, LoginService};
use crate::http::management::{ChangeLimiter, SecretUsageRecorder};
use crate::http::pages::PageAssets;
use crate::http::public_url::parse_public_url;
use crate::http::request_metrics::RequestMetrics;
use crate::http::service::ServiceContext;
use crate::http::{ConfigError, Management};

impl AuthServerBuilder {
    /// Checks the settings and loads the signing keys. The first server on a store generates the
    /// first key.
    ///
    /// # Errors
    /// When a setting is invalid, or the storage could not answer.
    pub async fn build(self) -> Result<AuthServer, ConfigError> {
        let issuer = Issuer::parse(&self.issuer).map_err(ConfigError::Issuer)?;
        self.master_key.check().map_err(ConfigError::MasterKey)?;
        if self.master_key.has_weak_secondary() {
            tracing::warn!(
                target: "lyceum::auth",
                "a former or next master key is not random: until it is dropped, anyone who guesses it can forge refresh tokens and forms that are accepted"
            );
        }
        if let Some(url) = &self.external_login {
            parse_public_url(url).map_err(ConfigError::ExternalLogin)?;
        }
        if let Some(url) = &self.documentation {
            parse_public_url(url).map_err(ConfigError::Documentation)?;
        }
        check(&self.lifetimes)?;
        self.user_limits.check().map_err(ConfigError::UserLimits)?;
        check_rotation(&self.schedule)?;
        if self.api_keys.is_none()
            && (self.api_scopes.is_some()
                || !self.api_key_scopes.is_empty()
                || self.api_key_limit.is_some()
                || !self.protected_fields.is_empty()
                || self.api_keys_per_owner.is_some())
        {
            return Err(ConfigError::MissingStore {
                part: "a setting of API keys",
                method: "AuthServerBuilder::api_keys",
            });
        }
        let missing = self.missing_stores();
        let authenticator = match self.users {
            Users::Host(authenticator) => authenticator,
            Users::Accounts(store) => {
                let accounts = Accounts::builder(store).clock(Arc::clone(&self.clock));
                Arc::new(
                    accounts
                        .entropy(Arc::clone(&self.entropy))
                        .audit(Arc::clone(&self.audit))
                        .build()?,
                )
            }
        };
        let limits = self.login_limits.map_or_else(LoginLimits::standard, Ok)?;
        let authorize_limit = match self.authorize_limit {
            Some(limit) => limit,
            None => Quota::new(1000, 10 * MINUTE, 1000).map_err(ConfigError::LoginLimits)?,
        };
        let a_minute = |limit| Quota::new(limit, MINUTE, limit).map_err(ConfigError::LoginLimits);
        let client_limit = self.client_limit.map_or_else(|| a_minute(6_000), Ok)?;
        let failed_client_limit = self.failed_client_limit.map_or_else(|| a_minute(300), Ok)?;
        let management_limit = self.management_limit.map_or_else(|| a_minute(120), Ok)?;
        let audit: Arc<dyn AuditLog> = CountingAuditLog::new(self.audit);
        let login_service = LoginService::new(
            authenticator,
            limits,
            Arc::clone(&self.clock),
            Arc::clone(&audit),
        );
        let generator = SigningKeyGenerator::new(
            self.algorithm,
            self.schedule,
            self.master_key.clone(),
            Arc::clone(&self.entropy),
            Arc::clone(&audit),
        );
        let keys = KeyRing::open(
            self.schedule,
            generator,
            self.master_key.clone(),
            Arc::clone(&self.clock),
            self.storage.clone(),
        )
        .await?;
        let own_application = Application::built_in();
        let accounts = login_service.authenticator.accounts();
        if let Some(accounts) = accounts {
            accounts.add_school_name(self.branding.name().clone());
        }
        let school_names = accounts.map(Accounts::school_names).unwrap_or_default();
        let names = self
            .reserved_names
            .iter()
            .map(String::as_str)
            .chain([&*own_application.name, &**self.branding.name()]);
        let reserved_names =
            ReservedNames::from_iter(names.chain(school_names.iter().map(|name| &**name)));
        let management = Management {
            issuer,
            clock: self.clock,
            entropy: self.entropy,
            audit,
            login_service: Arc::new(login_service),
            form_tokens: Arc::new(FormTokens::new(&self.master_key)),
            #[cfg(feature = "console")]
            password_links: Arc::new(PasswordLinks::new(&self.master_key)),
            #[cfg(feature = "console")]
            upload_seal: Arc::new(Seal::of_uploads(&self.master_key)),
            #[cfg(feature = "console")]
            cookie_seal: Arc::new(Seal::of_cookies(&self.master_key)),
            pages: self.pages,
            assets: Arc::new(PageAssets::new(self.branding)),
            reserved_names: Arc::new(reserved_names),
            students: self.students,
            api_keys: self.api_keys,
            api_scopes: self.api_scopes.unwrap_or_else(ApiScopes::built_in),
            api_key_scopes: self.api_key_scopes,
            api_key_limit: self.api_key_limit,
            protected_fields: self.protected_fields,
            api_keys_per_owner: self.api_keys_per_owner.unwrap_or(20),
            user_limits: self.user_limits,
            change_limiter: Arc::new(ChangeLimiter::new(management_limit)),
            storage: self.storage,
            consents: self.consents,
            secret_usage: self.registry.clone().map(SecretUsageRecorder::new),
            registry: self.registry,
            user_sessions: self.user_sessions,
            shared_user_sessions: Arc::default(),
        };
        let service = Arc::new(ServiceContext {
            metrics: Arc::new(RequestMetrics::new("auth")),
            clock: Arc::clone(&management.clock),
            entropy: Arc::clone(&management.entropy),
            audit: Some(Arc::clone(&management.audit)),
            always_sends_request_id: true,
        });
        match missing[..] {
            [] => {}
            ["api_keys"] => tracing::warn!(
                target: "lyceum::auth",
                "built without AuthServerBuilder::api_keys: users cannot manage API keys; without_api_keys says that this is intended"
            ),
            _ => tracing::info!(
                target: "lyceum::auth",
                missing = missing.join(", "),
                "built without these stores of AuthServerBuilder: what needs them is not served"
            ),
        }
        Ok(AuthServer::new(Shared {
            management,
            service,
            session_limiter: SessionLimiter::new(authorize_limit),
            client_limiter: ClientLimiter::new(client_limit, failed_client_limit),
            lifetimes: self.lifetimes,
            refresh_tokens: RefreshTokens::new(&self.master_key),
            keys,
            signing: SigningThreads::default(),
            external_login: self.external_login,
            redirect_scope_errors: self.redirect_scope_errors,
            refresh_within_allowed_scopes: self.refresh_within_allowed_scopes,
            documentation: self.documentation,
        }))
    }
}

impl AuthServerBuilder {
    /// The methods of the stores that are not set. They are logged, because otherwise a 404 would
    /// be the only sign of a forgotten one.
    fn missing_stores(&self) -> Vec<&'static str> {
        let stores = [
            ("consents", self.consents.is_none()),
            ("management", self.registry.is_none()),
            ("user_sessions", self.user_sessions.is_none()),
            ("api_keys", self.api_keys.is_none() && !self.no_api_keys),
        ];
        let missing = stores.into_iter().filter(|(_, is_missing)| *is_missing);
        missing.map(|(method, _)| method).collect()
    }
}

fn check(lifetimes: &Lifetimes) -> Result<(), ConfigError> {
    const SECOND: Duration = Duration::from_secs(1);
    let refused = |reason| Err(ConfigError::Lifetime(InvalidValue::new(reason)));
    if !(MINUTE..=60 * MINUTE).contains(&lifetimes.session) {
        return refused("must be 1 minute to 1 hour for a session");
    }
    if !(SECOND..=10 * MINUTE).contains(&lifetimes.code) {
        return refused("must be 1 second to 10 minutes for a code");
    }
    if !(SECOND..=MAX_ACCESS_TOKEN_LIFETIME).contains(&lifetimes.access_token) {
        return refused("must be 1 second to 1 day for an access token");
    }
    let refresh = &lifetimes.refresh;
    if refresh.idle < SECOND || refresh.absolute < refresh.idle || refresh.retry_window > 5 * MINUTE
    {
        return refused(
            "must be idle for 1 second or more, altogether no less, with a retry window of at most 5 minutes",
        );
    }
    Ok(())
}

fn check_rotation(schedule: &KeyRotation) -> Result<(), ConfigError> {
    if schedule.publish_ahead < MIN_PUBLISH_AHEAD || schedule.rotate_every < schedule.publish_ahead
    {
        return Err(ConfigError::Lifetime(InvalidValue::new(
            "must be 10 minutes or more for which a signing key is published ahead, and no less for which it signs",
        )));
    }
    Ok(())
}
