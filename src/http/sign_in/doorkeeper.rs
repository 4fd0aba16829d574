use std::net::IpAddr;
use std::sync::{Arc, Once};

use super::attempts::Attempts;
use super::{Authenticator, PasswordVerdict, SignInLimits, SignInVerdict};
use crate::domain::{ClientId, Password, Subject};
use crate::http::Clock;
use crate::http::audit::{AuditLog, Event, EventKind, Origin};
use crate::store::StorageError;

/// Lets in whoever proves who they are. All doors have the same one, so that nobody has more attempts for knowing more doors.
#[derive(Debug)]
pub(crate) struct Doorkeeper {
    pub(crate) authenticator: Arc<dyn Authenticator>,
    attempts: Attempts,
    clock: Arc<dyn Clock>,
    audit: Arc<dyn AuditLog>,
}

impl Doorkeeper {
    pub(crate) fn new(
        authenticator: Arc<dyn Authenticator>,
        limits: SignInLimits,
        clock: Arc<dyn Clock>,
        audit: Arc<dyn AuditLog>,
    ) -> Self {
        Self { authenticator, attempts: Attempts::new(limits), clock, audit }
    }

    /// Checks what somebody typed, within the limits on attempts, and records what was refused. Whoever opens the door records who came in.
    /// `client` is where the user is going, if it is not to the service itself.
    ///
    /// # Errors
    /// When whatever keeps the users could not answer.
    pub(crate) async fn authenticate(
        &self,
        email: &str,
        password: &str,
        client: Option<ClientId>,
        origin: Origin,
    ) -> Result<SignInVerdict, StorageError> {
        let verdict = self.verdict(email, password, origin.address).await?;
        match verdict {
            SignInVerdict::SignedIn(_) | SignInVerdict::Busy => {}
            SignInVerdict::Refused => self.record(origin, EventKind::SignInRefused { client }),
            SignInVerdict::TooManyAttempts { .. } => self.record(origin, EventKind::SignInLimited { client }),
        }
        Ok(verdict)
    }

    /// Gives a user of the built-in accounts another password, as [`Accounts::change_password`](super::Accounts::change_password) does. A wrong
    /// old one is a failed attempt to sign in, and counts as one. `None` where a host has users of its own, and no accounts here.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub(crate) async fn change_password(
        &self,
        subject: &Subject,
        old: &Password,
        new: &Password,
        origin: Origin,
    ) -> Result<Option<PasswordVerdict>, StorageError> {
        let (Some(accounts), Ok(id)) = (self.authenticator.accounts(), subject.id.as_str().parse()) else { return Ok(None) };
        tell_if_unknown(origin.address);
        accounts.change_password_within(&self.attempts, subject.email.as_str(), (id, old, new), origin).await.map(Some)
    }

    async fn verdict(&self, email: &str, password: &str, address: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        // Nobody has such a password, so there is nothing to check and nothing to count.
        let Ok(password) = Password::new(password) else { return Ok(SignInVerdict::Refused) };
        tell_if_unknown(address);
        let paid = match self.attempts.pay(email, address, self.clock.now()) {
            Ok(paid) => paid,
            Err(retry_after) => return Ok(SignInVerdict::TooManyAttempts { retry_after }),
        };
        let verdict = self.authenticator.authenticate(email, &password, address).await;
        match verdict {
            Ok(SignInVerdict::Refused) => {}
            Ok(SignInVerdict::SignedIn(_)) => self.attempts.succeeded(&paid),
            _ => self.attempts.pay_back(&paid),
        }
        verdict
    }

    fn record(&self, origin: Origin, kind: EventKind) {
        self.audit.record(&Event::new(origin, self.clock.now(), kind));
    }
}

/// Tells whoever runs the service, once, that strangers cannot be told apart.
fn tell_if_unknown(address: Option<IpAddr>) {
    static TOLD: Once = Once::new();
    if address.is_none() {
        TOLD.call_once(|| tracing::warn!("requests have no ClientAddress, so failed sign-ins are not limited per address"));
    }
}
