//! The authorization service: OAuth 2.0 with PKCE (RFC 6749, RFC 7636), its login and consent pages, and its tokens.

mod authorize;
mod bearer;
mod builder;
mod client_credentials;
mod client_limits;
mod consent;
mod cookie;
mod error;
mod exchange;
mod external_login;
mod form;
mod introspect;
mod issue;
mod jwk_set;
mod key_maker;
mod key_ring;
mod loaded_keys;
mod login;
mod manage;
mod metadata;
#[cfg(feature = "openapi")]
mod openapi;
mod openings;
mod page;
mod presented_client;
mod presented_token;
mod records;
mod redirect_back;
mod refresh;
mod revoke;
mod route;
mod rules;
mod seen_keys;
mod server;
mod session;
mod sign_in;
mod signing;
mod token;
mod token_request;
mod turns;
mod unknown_keys;
mod userinfo;
mod visit;
mod wire;

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body::Body as HttpBody;
use tower::Service;

pub use builder::AuthServerBuilder;

pub use super::manage::Caps;
pub use super::sign_in::{
    AccountCreation, AccountRead, Accounts, AccountsBuilder, Authenticator, ConfigError, NewPassword, PasswordFault, PasswordPolicy,
    PasswordReset, PasswordVerdict, SignInLimits, SignInVerdict, StandardPasswordPolicy,
};
use super::{Body, Office, ResponseFuture, answer, sensitive};
use crate::crypto::MasterKey;
use crate::domain::KeyId;
use crate::store::{AuthStorage, KeyRevocation, StorageError};
use error::Refusal;
use key_ring::KeysUnavailable;
use server::{Server, Shared};
use visit::Visit;

/// The authorization service as a [`tower::Service`], for any request body.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::crypto::{MasterKey, SystemEntropy};
/// use lyceum::domain::SigningAlgorithm;
/// use lyceum::http::auth_server::AuthServer;
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let storage = Arc::new(MemoryStore::new());
/// // A service reads its key from where it is kept, by `MasterKey::from_base64` or `from_bytes`.
/// let master_key = MasterKey::generate(&SystemEntropy);
/// let server = AuthServer::builder(storage, "https://school.example/auth", master_key)
///     .signing_algorithm(SigningAlgorithm::Es256)
///     .build()
///     .await?;
///
/// let answer = server.oneshot(http::Request::get("/v1/oauth/authorize").body(String::new())?).await?;
/// assert_eq!(answer.status(), 400); // no client was named
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AuthServer {
    shared: Arc<Shared>,
}

impl AuthServer {
    /// A server over a storage.
    ///
    /// `issuer` is the public address under which the endpoints lie, such as `https://auth.school.example` or
    /// `https://school.example/auth`: `https`, or `http` on a loopback address, without query, fragment or trailing slash.
    pub fn builder(storage: Arc<dyn AuthStorage>, issuer: &str, master_key: MasterKey) -> AuthServerBuilder {
        AuthServerBuilder::new(storage, issuer, master_key)
    }

    /// Takes a signing key out of use at once, when its private half may be known to others: it signs no more, its tokens do not hold any
    /// more here, and it is out of the published keys, on this node when this returns and on others within a minute. The next key signs
    /// from now on, or a new one if there is none. Services that keep the published keys may believe its tokens for five minutes longer.
    ///
    /// # Errors
    /// When the storage could not answer. Whether the key is revoked is then unknown: try again.
    pub async fn revoke_signing_key(&self, id: &KeyId) -> Result<KeyRevocation, StorageError> {
        self.shared.keys.revoke(id).await.map_err(|error| match error {
            KeysUnavailable::Storage(error) => error,
            KeysUnavailable::Key(error) => StorageError::failed("the next signing key could not be made or opened", error),
        })
    }

    /// What another service needs to manage the same things by the same rules: users, clients, keys, and the attempts that are left to
    /// whoever guesses a password.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use lyceum::domain::{Password, Role, SigningAlgorithm};
    /// # use lyceum::http::auth_server::{AccountCreation, Accounts, AuthServer, PasswordVerdict};
    /// # use lyceum::store::memory::MemoryStore;
    /// # use lyceum::store::OwnedApiKeys;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let (storage, master_key) = (Arc::new(MemoryStore::new()), lyceum::testing::master_key(7));
    /// let accounts = Arc::new(Accounts::builder(storage.clone()).hashing_cost(8, 1).build()?);
    /// # let (old, new) = (Password::new("an old password")?, Password::new("a new password")?);
    /// # let AccountCreation::Created(id) = accounts.create("kim@school.example".parse()?, &old, Role::User).await? else { panic!() };
    /// let server = AuthServer::builder(storage, "https://auth.school.example", master_key)
    ///     .signing_algorithm(SigningAlgorithm::Es256)
    ///     .authenticator(accounts)
    ///     .build()
    ///     .await?;
    ///
    /// let verdict = server.office().change_password(&id.into(), &old, &new, OwnedApiKeys::Revoke, None).await?;
    /// assert_eq!(verdict, Some(PasswordVerdict::Changed));
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn office(&self) -> Office {
        self.shared.office.clone()
    }

    /// Where the metadata of this server must be found, as a path below the root of its host (RFC 8414 §3.1). A host that nests the service under
    /// a path routes this address to it as well, without taking anything off the path:
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use lyceum::{crypto::MasterKey, domain::SigningAlgorithm, http::auth_server::AuthServer, store::memory::MemoryStore};
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let (storage, master_key) = (Arc::new(MemoryStore::new()), lyceum::testing::master_key(7));
    /// # let builder = AuthServer::builder(storage, "https://school.example/auth", master_key);
    /// let server = builder.signing_algorithm(SigningAlgorithm::Es256).build().await?;
    /// assert_eq!(server.metadata_path(), "/.well-known/oauth-authorization-server/auth");
    /// let router: axum::Router = axum::Router::new().route_service(&server.metadata_path(), server.clone()).nest_service("/auth", server);
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn metadata_path(&self) -> String {
        format!("{}{}", metadata::WELL_KNOWN, self.shared.issuer.path())
    }

    fn new(shared: Shared) -> Self {
        Self { shared: Arc::new(shared) }
    }
}

impl<B> Service<Request<B>> for AuthServer
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> ResponseFuture {
        sensitive::mark_request(request.headers_mut());
        let visit = Visit::new(&self.shared, &request);
        let (dress, underway) = (route::dress(&request), visit.underway(&self.shared, request.method()));
        let server = Arc::new(Server { shared: Arc::clone(&self.shared), visit });
        let after_panic = Arc::clone(&server);
        let on_panic = move || after_panic.finish(after_panic.refused(Refusal::failure("a handler panicked"), dress));
        ResponseFuture::new(underway, async move { route::answer(&server, request).await }, on_panic)
    }
}

impl fmt::Debug for AuthServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}
