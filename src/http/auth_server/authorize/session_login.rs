use std::time::Duration;

use crate::domain::{AuthorizationSession, ClientId, SessionToken};
use crate::http::audit::{EventKind, RefusalRule};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::http::login::{LoginOutcome, VerifiedUser};
use crate::store::SignIn;

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
        .authenticate(email, password, Some(client), server.context.origin())
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

/// Stores the signed-in user in the session. The session gets a new token, so that a planted or
/// observed old one is useless (session fixation).
pub(super) async fn record_login(
    server: &Server,
    session: &SessionToken,
    replacement: &SessionToken,
    verified: &VerifiedUser,
) -> Result<AuthorizationSession, Error> {
    let subject = verified.user.clone();
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
            if !server
                .management()
                .login_service
                .is_still_valid(verified)
                .await?
            {
                server
                    .storage()
                    .close_session(&replacement.digest(), server.now())
                    .await?;
                return Err(busy());
            }
            server.context.record(EventKind::SignedIn {
                subject: verified.user.id.clone(),
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
