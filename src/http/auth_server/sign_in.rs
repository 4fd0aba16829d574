use std::time::Duration;

use super::error::Refusal;
use super::server::Server;
use crate::domain::{AuthorizationSession, ClientId, SessionToken, Subject};
use crate::http::audit::{EventKind, Rule};
use crate::http::sign_in::SignInVerdict;
use crate::store::SignIn;

/// Checks what somebody typed on the way to `client`, within the limits on attempts. `None` says that it was wrong.
pub(super) async fn authenticate(server: &Server, client: ClientId, email: &str, password: &str) -> Result<Option<Subject>, Refusal> {
    match server.doorkeeper.authenticate(email, password, Some(client), server.visit.origin).await? {
        SignInVerdict::SignedIn(subject) => Ok(Some(subject)),
        SignInVerdict::Refused => Ok(None),
        SignInVerdict::TooManyAttempts { retry_after } => Err(Refusal::too_many_requests(Rule::SignInLimited, retry_after)),
        SignInVerdict::Busy => Err(Refusal::unavailable(Rule::SignInBusy, Duration::from_secs(2))),
    }
}

/// Writes down who signed in. The session has another token from then on, so that whoever planted or saw the old one has nothing.
pub(super) async fn sign_in(
    server: &Server,
    session: &SessionToken,
    subject: Subject,
) -> Result<(SessionToken, AuthorizationSession), Refusal> {
    let (replacement, id) = (SessionToken::from_random(server.entropy.bytes()), subject.id.clone());
    match server.storage.sign_in(&session.digest(), replacement.digest(), subject, server.clock.now()).await? {
        SignIn::SignedIn(session) => {
            server.record(EventKind::SignedIn { subject: id, client: Some(session.client) });
            Ok((replacement, session))
        }
        SignIn::Unknown => Err(Refusal::invalid_session(Rule::SessionEnded)),
    }
}
