use std::time::Duration;

use crate::domain::{AuthorizationSession, ClientId, SessionToken, Subject};
use crate::http::audit::{EventKind, RefusalRule};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::http::login::{LoginOutcome, SignedInUser, UserSessions, VerifiedUser};
use crate::store::{SignIn, StorageError};

/// Verifies the credentials of a user who signs in for `client`, within the limits on attempts.
/// `None` if they are wrong.
pub(super) async fn authenticate(
    server: &Server,
    client: ClientId,
    email: &str,
    password: &str,
) -> Result<Option<VerifiedUser>, Error> {
    match server
        .management()
        .login_service
        .authenticate(email, password, Some(client), &server.context)
        .await?
    {
        LoginOutcome::SignedIn(verified) => Ok(Some(verified)),
        LoginOutcome::InvalidCredentials => Ok(None),
        LoginOutcome::TooManyAttempts { retry_after } => {
            Err(Error::too_many_attempts(RefusalRule::SignInLimited).with_retry_after(retry_after))
        }
        LoginOutcome::Busy => Err(busy()),
    }
}

/// How a user proved to be the one who signs in.
pub(super) enum Proof<'a> {
    Password(&'a VerifiedUser),
    /// A live session of the browser.
    Session(&'a UserSessions, &'a SignedInUser),
}

impl Proof<'_> {
    fn user(&self) -> &Subject {
        match self {
            Self::Password(verified) => &verified.user,
            Self::Session(_, user) => &user.subject,
        }
    }

    /// Whether the proof still holds. What ends a user's sessions misses one that is signed in just
    /// afterwards, so this is checked after it.
    async fn is_still_valid(&self, server: &Server) -> Result<bool, StorageError> {
        match self {
            Self::Password(verified) => {
                let login = &server.management().login_service;
                login.is_still_valid(verified).await
            }
            Self::Session(sessions, user) => sessions.is_live(user, server.now()).await,
        }
    }
}

/// Stores the signed-in user in the session. The session gets a new token, so that a planted or
/// observed old one is useless (session fixation).
pub(super) async fn record_login(
    server: &Server,
    session: &SessionToken,
    replacement: &SessionToken,
    proof: Proof<'_>,
) -> Result<AuthorizationSession, Error> {
    let subject = proof.user().clone();
    let id = subject.id.clone();
    match server
        .storage()
        .sign_in(
            &session.digest(),
            replacement.digest(),
            subject,
            server.now(),
        )
        .await?
    {
        SignIn::SignedIn(session) => {
            if !proof.is_still_valid(server).await? {
                server
                    .storage()
                    .close_session(&replacement.digest(), server.now())
                    .await?;
                return Err(busy());
            }
            server.context.record(EventKind::SignedIn {
                subject: id,
                client: Some(session.client),
            });
            Ok(session)
        }
        SignIn::NotFound => Err(Error::invalid_session(RefusalRule::SessionEnded)),
    }
}

/// Asks the client to retry in 2 seconds.
fn busy() -> Error {
    Error::sign_in_busy().with_retry_after(Duration::from_secs(2))
}
