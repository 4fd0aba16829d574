//! Authorization service: OAuth 2.0 with PKCE (RFC 6749, RFC 7636), its login and consent pages,
//! and its tokens.

mod authorize;
mod bearer;
mod builder;
mod error;
mod error_reasons;
mod form;
mod introspect;
mod jwk_set;
mod key_ring;
mod management;
mod metadata;
#[cfg(feature = "openapi")]
mod openapi;
mod presented_token;
mod refusal_rules;
mod revoke;
mod route;
mod secret_usage;
mod server;
mod token;
mod userinfo;
mod views;
mod wire;

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body::Body as HttpBody;
use tower::Service;

pub use builder::AuthServerBuilder;
pub use error_reasons::ErrorReason;
pub use key_ring::NextSigningKey;

pub use super::login::{
    AccountCreationOutcome, Accounts, AccountsBuilder, AuthenticationOutcome, Authenticator,
    LoginLimits, NewPassword, PasswordChangeOutcome, PasswordPolicy, PasswordPolicyError,
    PasswordResetOutcome, PreloadedAccount, StandardPasswordPolicy,
};
#[cfg(feature = "data-api")]
pub use super::login::{AddressList, LeaverReport, LineRefusal, RefusedLine};
pub use super::management::UserLimits;
use super::{Body, Management, ResponseFuture, response, service};
use crate::crypto::MasterKey;
use crate::domain::KeyId;
use crate::store::{AuthStorage, ProtocolStorage, SigningKeyRevocation, StorageError};
use builder::Users;
use key_ring::SigningKeyError;
use server::{Server, Shared};

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
/// // Production code loads a stored key: `MasterKey::from_base64` or `from_bytes`.
/// let master_key = MasterKey::generate(&SystemEntropy);
/// let server = AuthServer::builder(storage, "https://school.example/auth", master_key)
///     .signing_algorithm(SigningAlgorithm::Es256)
///     .build()
///     .await?;
///
/// let request = http::Request::get("/v1/oauth/authorize").body(String::new())?;
/// let answer = server.oneshot(request).await?;
/// assert_eq!(answer.status(), 400); // `client_id` is missing
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AuthServer {
    shared: Arc<Shared>,
}

impl AuthServer {
    /// Creates the builder of a server over `storage`, with all layers that it has: management of
    /// clients, remembered consents, the built-in accounts, and sessions of the console. API keys
    /// are managed only with [`AuthServerBuilder::api_keys`].
    ///
    /// `issuer` is the public URL under which the endpoints are served, such as
    /// `https://auth.school.example` or `https://school.example/auth`: `https`, or `http` on a
    /// loopback address, without query, fragment or trailing slash.
    pub fn builder(
        storage: Arc<dyn AuthStorage>,
        issuer: &str,
        master_key: MasterKey,
    ) -> AuthServerBuilder {
        let users = Users::Accounts(storage.clone());
        AuthServerBuilder::new(storage.clone(), users, issuer, master_key)
            .consents(storage.clone())
            .management(storage.clone())
            .user_sessions(storage)
    }

    /// Creates the builder of a server that needs only the storage of the protocol, for a host with
    /// its own users. Each further layer of [`store`](crate::store#layers) is added by its method:
    /// [`consents`](AuthServerBuilder::consents), [`management`](AuthServerBuilder::management),
    /// [`user_sessions`](AuthServerBuilder::user_sessions) and
    /// [`api_keys`](AuthServerBuilder::api_keys). Endpoints of a missing layer respond with 404 and
    /// are not in the OpenAPI document.
    ///
    /// `issuer` is as in [`builder`](Self::builder).
    pub fn protocol_builder(
        storage: Arc<dyn ProtocolStorage>,
        authenticator: Arc<dyn Authenticator>,
        issuer: &str,
        master_key: MasterKey,
    ) -> AuthServerBuilder {
        AuthServerBuilder::new(storage, Users::Host(authenticator), issuer, master_key)
    }

    /// Revokes a signing key at once, for example when its private key may have leaked.
    ///
    /// The key no longer signs, its tokens are rejected, and it is removed from the published keys:
    /// on this node when this returns, on other nodes within a minute. The next key signs from now
    /// on, or a new one if there is none. Services that cache the published keys may accept its
    /// tokens for five minutes longer.
    ///
    /// # Errors
    /// When the storage could not answer. Whether the key is revoked is then unknown: try again.
    pub async fn revoke_signing_key(
        &self,
        id: &KeyId,
    ) -> Result<SigningKeyRevocation, StorageError> {
        self.shared.keys.revoke(id).await.map_err(storage_error)
    }

    /// Publishes the next signing key now, before it is due. It signs once it has been published
    /// for as long as [`signing_key_rotation`](AuthServerBuilder::signing_key_rotation) says, and
    /// the key before it retires. A key that waits to sign already is returned instead.
    ///
    /// # Errors
    /// When the storage could not answer, or this server's clock differs too much from the store's.
    pub async fn rotate_signing_key(&self) -> Result<NextSigningKey, StorageError> {
        self.shared.keys.rotate().await.map_err(storage_error)
    }

    /// Management operations for services that share this server's users, clients, keys and limits
    /// on login attempts.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use lyceum::domain::{Password, Role, SigningAlgorithm};
    /// # use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServer};
    /// # use lyceum::http::auth_server::PasswordChangeOutcome;
    /// # use lyceum::store::memory::MemoryStore;
    /// # use lyceum::store::ApiKeyAction;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let storage = Arc::new(MemoryStore::new());
    /// # let master_key = lyceum::testing::master_key(7);
    /// let accounts = Arc::new(Accounts::builder(storage.clone()).hashing_cost(8, 1).build()?);
    /// # let (old, new) = (Password::new("an old password")?, Password::new("a new password")?);
    /// # let email: lyceum::domain::Email = "kim@school.example".parse()?;
    /// # let created = accounts.create(email, &old, Role::User).await?;
    /// # let AccountCreationOutcome::Created(id) = created else { panic!() };
    /// let server = AuthServer::builder(storage, "https://auth.school.example", master_key)
    ///     .signing_algorithm(SigningAlgorithm::Es256)
    ///     .authenticator(accounts)
    ///     .build()
    ///     .await?;
    ///
    /// let management = server.management();
    /// let verdict = management
    ///     .change_password(&id.into(), &old, &new, ApiKeyAction::Revoke, None)
    ///     .await?;
    /// assert_eq!(verdict, Some(PasswordChangeOutcome::Changed));
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn management(&self) -> Management {
        self.shared.management.clone()
    }

    /// The path of this server's metadata below the root of its host (RFC 8414 §3.1). A host that
    /// nests the service under a path also routes this path to it, with the full path preserved:
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use lyceum::{domain::SigningAlgorithm, store::memory::MemoryStore};
    /// # use lyceum::http::auth_server::AuthServer;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let storage = Arc::new(MemoryStore::new());
    /// # let master_key = lyceum::testing::master_key(7);
    /// # let builder = AuthServer::builder(storage, "https://school.example/auth", master_key);
    /// let server = builder.signing_algorithm(SigningAlgorithm::Es256).build().await?;
    /// assert_eq!(server.metadata_path(), "/.well-known/oauth-authorization-server/auth");
    /// let router: axum::Router = axum::Router::new()
    ///     .route_service(&server.metadata_path(), server.clone())
    ///     .nest_service("/auth", server);
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn metadata_path(&self) -> String {
        format!(
            "{}{}",
            metadata::WELL_KNOWN,
            self.shared.management.issuer.path()
        )
    }

    fn new(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
        }
    }
}

fn storage_error(error: SigningKeyError) -> StorageError {
    match error {
        SigningKeyError::Storage(error) => error,
        SigningKeyError::Key(error) => {
            StorageError::failed("the next signing key could not be made or opened", error)
        }
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

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        service::respond(Server::new(&self.shared, &request), request)
    }
}

impl fmt::Debug for AuthServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}
