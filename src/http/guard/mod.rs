//! A layer for services of other people, which checks access tokens before a request reaches them (RFC 6750, RFC 9068).
//!
//! It needs the keys of the authorization service and nothing else of it. What it lets through finds out by a [`Caller`] among the
//! request's extensions who calls.

mod answer;
mod bearer;
mod body;
mod builder;
mod cached_keys;
mod caller;
mod challenge;
mod keys;
mod liveness;
mod refusal;
mod service;
mod visit;
mod wire;

use std::fmt;
use std::sync::Arc;

use http::request::Parts;
use tower::Layer;

pub use body::GuardBody;
pub use builder::{ConfigError, GuardBuilder};
pub use cached_keys::CachedKeys;
pub use caller::{Caller, InsufficientScope};
pub use keys::{FixedKeys, KeySource, KeysUnavailable};
pub use liveness::{Liveness, StoreLiveness};
pub use service::{GuardFuture, Guarded};

use builder::Settings;
use challenge::Challenge;
use refusal::Refusal;
use visit::Visit;
use wire::Claims;

use crate::crypto::{PresentedToken, TokenRejected};
use crate::domain::{ApplicationId, Scope};

/// An error of any kind, for the log.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Lets requests through whose access token was issued by one issuer for one application, as a [`tower::Layer`].
///
/// A token is taken from the header `Authorization: Bearer`, and from nowhere else. The body is never read.
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
/// // Fetches https://school.example/auth/v1/oauth/jwk-set with the HTTP client of your choice, and a deadline.
/// let keys = CachedKeys::new(async || Ok(bytes::Bytes::from_static(b"{\"keys\":[]}")));
/// let guard = Guard::builder("https://school.example/auth", "7d444840-9dc0-41d1-b245-5ffdce74fad2".parse()?, Arc::new(keys)).build()?;
///
/// let hello = service_fn(async |request: Request<String>| {
///     let caller = request.extensions().get::<Caller>().map_or("nobody", |caller| &*caller.subject);
///     Ok::<_, Infallible>(Response::new(format!("Hello, {caller}")))
/// });
/// let hello = guard.require("7d444840-9dc0-41d1-b245-5ffdce74fad2:read".parse()?).layer(hello);
///
/// let answer = hello.oneshot(Request::get("/").body(String::new())?).await?;
/// assert_eq!(answer.status(), 401); // a token is missing
/// # Ok(()) }
/// ```
///
/// # How long a revoked token lives
/// A token is proven by its signature, so without more a revoked one is good until it expires, an hour after its issue by default. With
/// [`GuardBuilder::liveness`] it is dead at once.
#[derive(Clone)]
pub struct Guard {
    settings: Arc<Settings>,
    challenge: Arc<Challenge>,
}

impl Guard {
    /// A guard for the tokens of `issuer`, exactly as in their `iss`, that are meant for the application with the id `audience`.
    pub fn builder(issuer: &str, audience: ApplicationId, keys: Arc<dyn KeySource>) -> GuardBuilder {
        GuardBuilder::new(issuer, audience, keys)
    }

    /// This guard, which also demands a scope. Several may be demanded, one after the other; a token must have all of them.
    #[must_use]
    pub fn require(&self, scope: Scope) -> Self {
        Self { settings: Arc::clone(&self.settings), challenge: Arc::new(self.challenge.demanding(scope)) }
    }

    /// The caller of a request that may pass.
    async fn admit(&self, head: &Parts, visit: &Visit) -> Result<Caller, Refusal> {
        let Settings { clock, keys, liveness, issuer, audience, .. } = &*self.settings;
        let token = bearer::presented(&head.headers, head.uri.query().unwrap_or_default())?;
        let at = clock.now();
        let presented = PresentedToken::read(token)?;
        let signed = keys.verifier(&presented.key, at).await?.signed_claims(&presented)?;
        let claims: Claims<'_> = signed.read(at)?;
        if claims.issuer != *issuer || !claims.is_for(audience) {
            return Err(Refusal::Invalid(TokenRejected::BadClaims));
        }
        let mut caller =
            Caller::of(claims, Arc::clone(&self.challenge), visit.clone()).ok_or(Refusal::Invalid(TokenRejected::BadClaims))?;
        if let Some(liveness) = liveness {
            caller.scopes = liveness.scopes_left(token, &caller, at).await.map_err(Refusal::LivenessUnavailable)?;
            if caller.scopes.is_empty() {
                return Err(Refusal::Revoked);
            }
        }
        match self.challenge.demanded().is_subset(&caller.scopes) {
            true => Ok(caller),
            false => Err(Refusal::InsufficientScope),
        }
    }
}

impl<S> Layer<S> for Guard {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded::new(self.clone(), inner)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Guard");
        fields.field("issuer", &self.settings.issuer).field("audience", &self.settings.audience);
        fields.field("demands", self.challenge.demanded()).finish_non_exhaustive()
    }
}
