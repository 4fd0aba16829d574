//! Console: the web interface for users and administrators.

mod builder;

// The pages, each in a file or a folder.
mod accounts;
mod activity;
mod applications;
mod audit;
mod authorized_apps;
mod clients;
mod data;
mod home;
mod invitations;
mod keys;
mod own_account;
mod school;
mod school_year;
mod shown_once;
mod sign_in;
mod sign_out;
mod sync;
mod waiting;

// From a request to the handler of its page.
mod cookie;
mod dispatch;
mod error;
mod query;
mod return_to;
mod route_matching;
mod routes;
mod server;
mod session;
mod user_request;

// Forms, what they hand to the next page, and what several pages show.
mod code_samples;
mod form;
mod people;
mod revoke_keys;
mod user_labels;
mod views;
mod wire;

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use http_body::Body as HttpBody;
use tower::Service;

pub use builder::ConsoleBuilder;
pub use invitations::{Invitation, InvitationOptions};

use super::{Body, Management, ResponseFuture, service};
use crate::domain::{AccountId, SubjectId};
use crate::store::StorageError;
use server::{Server, Shared};

/// The console as a [`tower::Service`] for any request body. Its pages are in Korean and English
/// and work without JavaScript.
///
/// The console manages the records of the [`AuthServer`](crate::AuthServer) that its [`Management`]
/// belongs to, with the same rules and the same accounts.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::AuthServer;
/// use lyceum::domain::SigningAlgorithm;
/// use lyceum::http::Branding;
/// use lyceum::http::console::Console;
/// use lyceum::crypto::{MasterKey, SystemEntropy};
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let builder = AuthServer::builder(
///     Arc::new(MemoryStore::new()),
///     "https://school.example/auth",
///     MasterKey::generate(&SystemEntropy),
/// );
/// let builder = builder.signing_algorithm(SigningAlgorithm::Es256);
/// let auth = builder.branding(Branding::new("Star High School")?).build().await?;
/// let console = Console::builder(auth.management(), "https://school.example/console").build()?;
///
/// let answer = console.oneshot(http::Request::get("/").body(String::new())?).await?;
/// assert_eq!(answer.headers()["location"], "/console/sign-in?done=first"); // without a session
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Console {
    shared: Arc<Shared>,
}

impl Console {
    /// A common [lifetime](InvitationOptions::lifetime) of the link of one account.
    pub const PASSWORD_LINK_LIFETIME: Duration = Duration::from_secs(72 * 60 * 60);

    /// Creates a builder for a console of a [`Management`].
    ///
    /// `address` is the public address of the pages, such as `https://school.example/console`:
    /// `https`, or `http` on a loopback address, without query, fragment or trailing slash. A host
    /// that nests the service under its path strips that path from the requests.
    pub fn builder(management: Management, address: &str) -> ConsoleBuilder {
        ConsoleBuilder::new(management, address)
    }

    /// Makes a one-time link, with which the owner of an account sets a password without the old
    /// one: the first password of an account that was [created without
    /// one](crate::http::auth_server::Accounts::create_without_password), or one in place of a lost
    /// one. With a [`Mailer`](ConsoleBuilder::mailer) it is [mailed](InvitationOptions::mailed). `by`
    /// is the administrator, for the event. `None` if there is no such account, its owner is a
    /// student who has left, or the users are not the built-in accounts.
    ///
    /// The link is not stored. It is valid for its [lifetime](InvitationOptions::lifetime) and for
    /// the account as it is now: when the password is set, by this link or otherwise, or the role
    /// changes, it is void. The owner decides on its page whether the API keys of the account are
    /// revoked.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn password_link(
        &self,
        by: &SubjectId,
        account: AccountId,
        options: &InvitationOptions,
    ) -> Result<Option<Invitation>, StorageError> {
        let found = self
            .shared
            .management
            .allow_password_link(by, account)
            .await?;
        Ok(match found {
            Some(account) => Some(self.shared.send_link(&account, options).await),
            None => None,
        })
    }
}

impl<B> Service<Request<B>> for Console
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

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console")
            .field("address", &self.shared.address.as_str())
            .finish_non_exhaustive()
    }
}
