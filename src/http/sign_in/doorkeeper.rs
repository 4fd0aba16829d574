use std::net::IpAddr;
use std::sync::{Arc, Once};
use std::time::Duration;

use super::attempts::Attempts;
use super::{Authenticator, PasswordVerdict, SignInLimits, SignInVerdict, password_fields};
use crate::domain::{ClientId, Email, Password, PasswordHash, Subject, SubjectId};
use crate::http::Clock;
use crate::http::audit::{AuditLog, Change, Event, EventKind, Object, Origin};
use crate::store::{OwnedApiKeys, StorageError};

/// How often a password is proven while what is kept of it changes: once more after it was hashed anew.
const TRIES: usize = 3;

/// What becomes of somebody at the door.
#[derive(Debug)]
#[must_use]
pub(crate) enum Entry {
    SignedIn(Proven),
    /// There is no such account, or the password was wrong.
    Refused,
    TooManyAttempts {
        retry_after: Duration,
    },
    /// More attempts are waiting than can be worked on.
    Busy,
}

/// Somebody who has proven who they are, and by which password of a built-in account.
#[derive(Debug)]
pub(crate) struct Proven {
    pub(crate) person: Subject,
    email: String,
    kept: Option<PasswordHash>,
}

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
    /// `client` is where the user is going, if it is not to the service itself. What is opened for whoever is let in is good only if what
    /// they have proven [still holds](Self::still_holds) afterwards.
    ///
    /// # Errors
    /// When whatever keeps the users could not answer.
    pub(crate) async fn authenticate(
        &self,
        email: &str,
        password: &str,
        client: Option<ClientId>,
        origin: Origin,
    ) -> Result<Entry, StorageError> {
        let entry = self.entry(email, password, origin.address).await?;
        match entry {
            Entry::SignedIn(_) | Entry::Busy => {}
            Entry::Refused => self.record(origin, EventKind::SignInRefused { client }),
            Entry::TooManyAttempts { .. } => self.record(origin, EventKind::SignInLimited { client }),
        }
        Ok(entry)
    }

    /// Whether what somebody has proven is still so. A new password ends all that was opened before it; what an old one opens a moment later
    /// it would not reach, so whoever opens something asks this then.
    ///
    /// # Errors
    /// When whatever keeps the users could not answer.
    pub(crate) async fn still_holds(&self, proven: &Proven) -> Result<bool, StorageError> {
        let kept = self.kept(&proven.email).await?;
        Ok(kept.as_ref().map(PasswordHash::as_phc) == proven.kept.as_ref().map(PasswordHash::as_phc))
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
        keys: OwnedApiKeys,
        origin: Origin,
    ) -> Result<Option<PasswordVerdict>, StorageError> {
        let Some(accounts) = self.authenticator.accounts() else { return Ok(None) };
        let Ok(id) = subject.id.as_str().parse() else { return Ok(None) };
        tell_if_unknown(origin.address);
        let verdict = accounts.change_password_within(&self.attempts, subject.email.as_str(), (id, old, new, keys), origin.address).await?;
        if verdict == PasswordVerdict::Changed {
            let (by, object) = (subject.id.clone(), Object::Password(id));
            self.record(origin, EventKind::Managed { by, object, change: Change::Changed, fields: password_fields(keys) });
        }
        Ok(Some(verdict))
    }

    async fn entry(&self, email: &str, password: &str, address: Option<IpAddr>) -> Result<Entry, StorageError> {
        // Nobody has such a password, so there is nothing to check and nothing to count.
        let Ok(password) = Password::new(password) else { return Ok(Entry::Refused) };
        tell_if_unknown(address);
        let paid = match self.attempts.pay(email, address, self.clock.now()) {
            Ok(paid) => paid,
            Err(retry_after) => return Ok(Entry::TooManyAttempts { retry_after }),
        };
        let entry = self.prove(email, &password, address).await;
        match entry {
            Ok(Entry::Refused) => {}
            Ok(Entry::SignedIn(_)) => self.attempts.succeeded(&paid),
            _ => self.attempts.pay_back(&paid),
        }
        entry
    }

    async fn prove(&self, email: &str, password: &Password, address: Option<IpAddr>) -> Result<Entry, StorageError> {
        for _ in 0..TRIES {
            let kept = self.kept(email).await?;
            match self.authenticator.authenticate(email, password, address).await? {
                SignInVerdict::SignedIn(person) if person.id == SubjectId::service() => {
                    return Err(StorageError::failed("a user has the id of the service itself", "service"));
                }
                SignInVerdict::SignedIn(person) => {
                    let proven = Proven { person, email: email.to_owned(), kept };
                    if self.still_holds(&proven).await? {
                        return Ok(Entry::SignedIn(proven));
                    }
                }
                SignInVerdict::Refused => return Ok(Entry::Refused),
                SignInVerdict::TooManyAttempts { retry_after } => return Ok(Entry::TooManyAttempts { retry_after }),
                SignInVerdict::Busy => return Ok(Entry::Busy),
            }
        }
        Ok(Entry::Busy)
    }

    /// What is kept of the password of the built-in account with this address, if there is one.
    async fn kept(&self, email: &str) -> Result<Option<PasswordHash>, StorageError> {
        let (Some(accounts), Ok(email)) = (self.authenticator.accounts(), email.parse::<Email>()) else { return Ok(None) };
        Ok(accounts.store().account_by_email(&email).await?.map(|account| account.password_hash))
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;
    use crate::crypto::SystemEntropy;
    use crate::domain::{Quota, SubjectId};
    use crate::http::SystemClock;
    use crate::http::audit::RequestId;

    #[derive(Debug)]
    struct Nobody;

    #[async_trait]
    impl Authenticator for Nobody {
        async fn authenticate(&self, _: &str, _: &Password, _: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
            Ok(SignInVerdict::Refused)
        }

        async fn subject(&self, _: &SubjectId) -> Result<Option<Subject>, StorageError> {
            Ok(None)
        }
    }

    #[derive(Debug, Default)]
    struct Log(Mutex<Vec<EventKind>>);

    impl AuditLog for Log {
        fn record(&self, event: &Event) {
            self.0.lock().unwrap().push(event.kind.clone());
        }
    }

    #[tokio::test]
    async fn every_door_spends_the_same_attempts_and_is_told_from_others() {
        let two_a_day = Quota::new(2, Duration::from_secs(86_400), 2).unwrap();
        let limits = SignInLimits { per_account_and_address: two_a_day, per_account: two_a_day, per_address: two_a_day };
        let log = Arc::new(Log::default());
        let doorkeeper = Doorkeeper::new(Arc::new(Nobody), limits, Arc::new(SystemClock), log.clone());
        let origin = Origin { request_id: RequestId::new(&SystemEntropy), address: None };
        let client = Some(ClientId::from_random([1; 16]));
        for (door, is_limited) in [(client, false), (None, false), (client, true), (None, true)] {
            let verdict = doorkeeper.authenticate("kim@school.example", "wrong", door, origin).await.unwrap();
            assert_eq!(matches!(verdict, Entry::TooManyAttempts { .. }), is_limited, "{verdict:?}");
        }
        let refused = |client| EventKind::SignInRefused { client };
        let limited = |client| EventKind::SignInLimited { client };
        let told = Event::new(origin, SystemClock.now(), refused(None)).to_json();
        assert!(!told.contains("client"), "{told}");
        assert_eq!(*log.0.lock().unwrap(), [refused(client), refused(None), limited(client), limited(None)]);
    }
}
