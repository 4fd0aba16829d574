use std::net::IpAddr;
use std::sync::Once;
use std::time::Duration;

use bytes::Bytes;
use http::Request;

use super::authenticator::SignInVerdict;
use super::error::Refusal;
use super::server::Server;
use crate::domain::{AuthorizationSession, Password, SessionToken, Subject};
use crate::http::ClientAddress;
use crate::store::SignIn;

/// Checks what somebody typed, within the limits on attempts. `None` says that it was wrong.
pub(super) async fn authenticate(
    server: &Server,
    email: &str,
    password: &str,
    address: Option<IpAddr>,
) -> Result<Option<Subject>, Refusal> {
    // Nobody has such a password, so there is nothing to check and nothing to count.
    let Ok(password) = Password::new(password) else { return Ok(None) };
    server.attempts.pay(email, address, server.clock.now()).map_err(Refusal::too_many_requests)?;
    let verdict = server.authenticator.authenticate(email, &password, address).await;
    if !matches!(verdict, Ok(SignInVerdict::Refused)) {
        server.attempts.pay_back(email, address);
    }
    match verdict? {
        SignInVerdict::SignedIn(subject) => Ok(Some(subject)),
        SignInVerdict::Refused => Ok(None),
        SignInVerdict::TooManyAttempts { retry_after } => Err(Refusal::too_many_requests(retry_after)),
        SignInVerdict::Busy => Err(Refusal::unavailable(Duration::from_secs(2))),
    }
}

/// Writes down who signed in. The session has another token from then on, so that whoever planted or saw the old one has nothing.
pub(super) async fn sign_in(
    server: &Server,
    session: &SessionToken,
    subject: Subject,
) -> Result<(SessionToken, AuthorizationSession), Refusal> {
    let replacement = SessionToken::from_random(server.entropy.bytes());
    match server.storage.sign_in(&session.digest(), replacement.digest(), subject, server.clock.now()).await? {
        SignIn::SignedIn(session) => Ok((replacement, session)),
        SignIn::Unknown => Err(Refusal::invalid_session()),
    }
}

/// The client's address, where the host knows it.
pub(super) fn address(request: &Request<Bytes>) -> Option<IpAddr> {
    static TOLD: Once = Once::new();
    let address = request.extensions().get::<ClientAddress>().map(|ClientAddress(address)| *address);
    if address.is_none() {
        TOLD.call_once(|| tracing::warn!("requests have no ClientAddress, so failed sign-ins are not limited per address"));
    }
    address
}
