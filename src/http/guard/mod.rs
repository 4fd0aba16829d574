//! Layer for other services that checks access tokens before a request reaches them (RFC 6750, RFC
//! 9068).
//!
//! It needs nothing of the authorization service but its keys. The guarded service reads the
//! [`Caller`] from the request's extensions.

mod bearer;
mod body;
mod builder;
mod cached_keys;
mod caller;
mod challenge;
mod error;
mod keys;
mod response;
mod revocation_check;
mod service;
mod wire;

use std::fmt;
use std::sync::Arc;

use http::request::Parts;
use tower::Layer;

pub use body::GuardBody;
pub use builder::GuardBuilder;
pub use cached_keys::CachedKeys;
pub use caller::{Caller, InsufficientScope};
pub use keys::{FixedKeys, KeySource, KeysUnavailable};
pub use revocation_check::{RevocationCheck, StoreRevocationCheck};
pub use service::{GuardFuture, GuardService};

use builder::Settings;
use challenge::Challenge;
use error::Error;
use wire::Claims;

use crate::crypto::{InvalidToken, UnverifiedToken};
use crate::domain::{ApplicationId, Scope};
use crate::http::request_trace::RequestTrace;

/// A boxed error, for the log.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// [`tower::Layer`] that requires an access token from one issuer for one application.
///
/// The token is read only from the header `Authorization: Bearer`. The request body is never read.
///
/// ```
/// use std::convert::Infallible;
/// use std::sync::Arc;
///
/// use http::{Request, Response};
/// use lyceum::http::guard::{CachedKeys, Caller, Guard};
/// use tower::{Layer, ServiceExt, service_fn};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Fetch https://school.example/auth/v1/oauth/jwk-set with any HTTP client and a timeout.
/// let keys = CachedKeys::new(async || Ok(bytes::Bytes::from_static(b"{\"keys\":[]}")));
/// let application = "7d444840-9dc0-41d1-b245-5ffdce74fad2".parse()?;
/// let guard =
///     Guard::builder("https://school.example/auth", application, Arc::new(keys)).build()?;
///
/// let hello = service_fn(async |request: Request<String>| {
///     let caller = request.extensions().get::<Caller>().expect("the guard inserts it");
///     Ok::<_, Infallible>(Response::new(format!("Hello, {}", caller.subject)))
/// });
/// let hello = guard.require("7d444840-9dc0-41d1-b245-5ffdce74fad2:read".parse()?).layer(hello);
///
/// let response = hello.oneshot(Request::get("/").body(String::new())?).await?;
/// assert_eq!(response.status(), 401); // a token is missing
/// # Ok(()) }
/// ```
///
/// # How long is a revoked token valid?
/// Tokens are verified by signature, so by default a revoked token is valid until it expires, an
/// hour after it was issued unless configured otherwise. With [`GuardBuilder::revocation_check`] it
/// is refused at once.
#[derive(Clone)]
pub struct Guard {
    settings: Arc<Settings>,
    challenge: Arc<Challenge>,
}

impl Guard {
    /// Starts a guard for tokens whose `iss` is exactly `issuer`, and whose audience is the
    /// application with the id `audience`.
    pub fn builder(
        issuer: &str,
        audience: ApplicationId,
        keys: Arc<dyn KeySource>,
    ) -> GuardBuilder {
        GuardBuilder::new(issuer, audience, keys)
    }

    /// Returns a guard that also requires this scope. Several calls require all of the scopes.
    #[must_use]
    pub fn require(&self, scope: Scope) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            challenge: Arc::new(self.challenge.requiring(scope)),
        }
    }

    /// Authenticates the caller and checks the required scopes.
    async fn authorize(&self, head: &Parts, trace: &RequestTrace) -> Result<Caller, Error> {
        let Settings {
            clock,
            keys,
            revocation_check,
            issuer,
            audience,
            ..
        } = &*self.settings;
        let token = bearer::extract_token(&head.headers, head.uri.query().unwrap_or_default())?;
        let at = clock.now();
        let presented = UnverifiedToken::parse(token)?;
        let signed = keys
            .verifier(&presented.key, at)
            .await?
            .verify_signature(&presented)?;
        let claims: Claims<'_> = signed.validate(at)?;
        if claims.issuer != *issuer || !claims.is_for(audience) {
            return Err(Error::InvalidToken(InvalidToken::BadClaims));
        }
        let mut caller = Caller::from_claims(claims, Arc::clone(&self.challenge), trace.clone())
            .ok_or(Error::InvalidToken(InvalidToken::BadClaims))?;
        if let Some(check) = revocation_check {
            caller.scopes = check
                .active_scopes(token, &caller, at)
                .await
                .map_err(Error::RevocationCheckUnavailable)?;
            if caller.scopes.is_empty() {
                return Err(Error::RevokedToken);
            }
        }
        match self.challenge.required_scopes().is_subset(&caller.scopes) {
            true => Ok(caller),
            false => Err(Error::InsufficientScope),
        }
    }
}

impl<S> Layer<S> for Guard {
    type Service = GuardService<S>;

    fn layer(&self, inner: S) -> GuardService<S> {
        GuardService::new(self.clone(), inner)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Guard");
        fields
            .field("issuer", &self.settings.issuer)
            .field("audience", &self.settings.audience);
        fields
            .field("demands", self.challenge.required_scopes())
            .finish_non_exhaustive()
    }
}
