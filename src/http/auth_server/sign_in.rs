use std::net::IpAddr;
use std::sync::Once;
use std::time::Duration;

use bytes::Bytes;
use http::Request;

use super::authenticator::SignInVerdict;
use super::error::Refusal;
use super::server::Server;
use crate::domain::{AuthorizationSession, ClientId, Password, SessionToken, Subject};
use crate::http::ClientAddress;
use crate::http::audit::{EventKind, Rule};
use crate::store::SignIn;

/// Checks what somebody typed on the way to `client`, within the limits on attempts. `None` says that it was wrong.
pub(super) async fn authenticate(
    server: &Server,
    client: ClientId,
    email: &str,
    password: &str,
    address: Option<IpAddr>,
) -> Result<Option<Subject>, Refusal> {
    // Nobody has such a password, so there is nothing to check and nothing to count.
    let Ok(password) = Password::new(password) else {
        server.record(EventKind::SignInRefused { client });
        return Ok(None);
    };
    let limited = |retry_after| {
        server.record(EventKind::SignInLimited { client });
        Refusal::too_many_requests(Rule::SignInLimited, retry_after)
    };
    let paid = server.attempts.pay(email, address, server.clock.now()).map_err(limited)?;
    let verdict = server.authenticator.authenticate(email, &password, address).await;
    match verdict {
        Ok(SignInVerdict::Refused) => {}
        Ok(SignInVerdict::SignedIn(_)) => server.attempts.succeeded(&paid),
        _ => server.attempts.pay_back(&paid),
    }
    match verdict? {
        SignInVerdict::SignedIn(subject) => Ok(Some(subject)),
        SignInVerdict::Refused => {
            server.record(EventKind::SignInRefused { client });
            Ok(None)
        }
        SignInVerdict::TooManyAttempts { retry_after } => Err(limited(retry_after)),
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
            server.record(EventKind::SignedIn { subject: id, client: session.client });
            Ok((replacement, session))
        }
        SignIn::Unknown => Err(Refusal::invalid_session(Rule::SessionEnded)),
    }
}

/// The client's address, where the host knows it.
pub(super) fn address(request: &Request<Bytes>) -> Option<IpAddr> {
    static TOLD: Once = Once::new();
    let address = ClientAddress::among(request.extensions());
    if address.is_none() {
        TOLD.call_once(|| tracing::warn!("requests have no ClientAddress, so failed sign-ins are not limited per address"));
    }
    address
}
