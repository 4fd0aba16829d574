use std::time::Duration;

use super::error::Refusal;
use super::server::Server;
use crate::domain::{AuthorizationSession, ClientId, SessionToken};
use crate::http::audit::{EventKind, Rule};
use crate::http::sign_in::{Entry, Proven};
use crate::store::SignIn;

/// Checks what somebody typed on the way to `client`, within the limits on attempts. `None` says that it was wrong.
pub(super) async fn authenticate(server: &Server, client: ClientId, email: &str, password: &str) -> Result<Option<Proven>, Refusal> {
    match server.doorkeeper.authenticate(email, password, Some(client), server.visit.origin).await? {
        Entry::SignedIn(proven) => Ok(Some(proven)),
        Entry::Refused => Ok(None),
        Entry::TooManyAttempts { retry_after } => Err(Refusal::too_many_requests(Rule::SignInLimited, retry_after)),
        Entry::Busy => Err(busy()),
    }
}

/// Writes down who signed in. The session has the other token from then on, so that whoever planted or saw the old one has nothing.
pub(super) async fn sign_in(
    server: &Server,
    session: &SessionToken,
    replacement: &SessionToken,
    proven: &Proven,
) -> Result<AuthorizationSession, Refusal> {
    let subject = proven.person.clone();
    match server.storage.sign_in(&session.digest(), replacement.digest(), subject, server.clock.now()).await? {
        SignIn::SignedIn(session) => {
            if !server.doorkeeper.still_holds(proven).await? {
                server.storage.close_session(&replacement.digest(), server.clock.now()).await?;
                return Err(busy());
            }
            server.record(EventKind::SignedIn { subject: proven.person.id.clone(), client: Some(session.client) });
            Ok(session)
        }
        SignIn::Unknown => Err(Refusal::invalid_session(Rule::SessionEnded)),
    }
}

/// To be tried again in a moment.
fn busy() -> Refusal {
    Refusal::unavailable(Rule::SignInBusy, Duration::from_secs(2))
}
