use std::net::IpAddr;
use std::sync::{Arc, Once};
use std::time::Duration;

use super::attempts::LoginAttemptLimiter;
use super::{
    AuthenticationOutcome, Authenticator, LoginLimits, PasswordChangeOutcome,
    password_change_fields,
};
use crate::domain::{Account, ClientId, Email, Password, PasswordHash, Subject, SubjectId};
use crate::http::Clock;
use crate::http::audit::{
    AuditLog, Change, EmailOwner, Event, EventKind, ManagedObject, RefusalRule, RequestOrigin,
};
use crate::http::service::RequestContext;
use crate::store::{ApiKeyAction, StorageError};

/// Maximum attempts at verifying a password while its stored hash changes, for example by a rehash.
const MAX_TRIES: usize = 3;

/// Result of a login attempt.
#[derive(Debug)]
#[must_use]
pub(crate) enum LoginOutcome {
    SignedIn(VerifiedUser),
    /// The account does not exist or the password is wrong.
    InvalidCredentials,
    TooManyAttempts {
        retry_after: Duration,
    },
    /// Too many attempts are queued.
    Busy,
}

/// What became of the credentials. Whose e-mail address was typed reaches the event alone, and no
/// page: [`LoginOutcome`] does not have it.
enum Attempt {
    Refused(EmailOwner),
    Other(LoginOutcome),
}

/// A user whose credentials were verified, with the password hash of the built-in account that they
/// were verified against.
#[derive(Debug)]
pub(crate) struct VerifiedUser {
    pub(crate) user: Subject,
    email: String,
    stored_hash: Option<PasswordHash>,
}

/// Verifies credentials and limits failed attempts. The authorization pages and the console share
/// one instance, so that an attacker cannot double the attempts by alternating between them.
#[derive(Debug)]
pub(crate) struct LoginService {
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(super) attempts: LoginAttemptLimiter,
    pub(super) clock: Arc<dyn Clock>,
    audit: Arc<dyn AuditLog>,
}

impl LoginService {
    pub(crate) fn new(
        authenticator: Arc<dyn Authenticator>,
        limits: LoginLimits,
        clock: Arc<dyn Clock>,
        audit: Arc<dyn AuditLog>,
    ) -> Self {
        Self {
            authenticator,
            attempts: LoginAttemptLimiter::new(limits),
            clock,
            audit,
        }
    }

    /// Verifies credentials within the limits on attempts, and records refusals in `context`. Callers
    /// record successful sign-ins. `client` is the client for which the user signs in; `None` for the
    /// console. After a caller has created a session, it must check that the credentials are [still
    /// valid](Self::is_still_valid).
    ///
    /// # Errors
    /// When the user directory could not answer.
    pub(crate) async fn authenticate(
        &self,
        email: &str,
        password: &str,
        client: Option<ClientId>,
        context: &RequestContext,
    ) -> Result<LoginOutcome, StorageError> {
        let outcome = match self.attempt(email, password, context.address).await? {
            Attempt::Refused(email_owner) => {
                let refused = EventKind::SignInRefused {
                    client,
                    email_owner,
                };
                context.record_refusal_as(refused, RefusalRule::Credentials);
                return Ok(LoginOutcome::InvalidCredentials);
            }
            Attempt::Other(outcome) => outcome,
        };
        if let LoginOutcome::TooManyAttempts { .. } = outcome {
            let limited = EventKind::SignInLimited { client };
            context.record_refusal_as(limited, RefusalRule::SignInLimited);
        }
        Ok(outcome)
    }

    /// Whether the verified password is still the current one. A password change ends all existing
    /// sessions, but misses a session that is created just afterwards with the old password, so
    /// callers check this after they create one.
    ///
    /// # Errors
    /// When the user directory could not answer.
    pub(crate) async fn is_still_valid(
        &self,
        verified: &VerifiedUser,
    ) -> Result<bool, StorageError> {
        let account = self.stored_account(&verified.email).await?;
        Ok(account
            .map(|account| account.password_hash)
            .as_ref()
            .map(PasswordHash::as_phc)
            == verified.stored_hash.as_ref().map(PasswordHash::as_phc))
    }

    /// Changes the password of a user of the built-in accounts, as
    /// [`Accounts::change_password`](super::Accounts::change_password) does. A wrong old password
    /// counts as a failed login attempt. `None` if the host has its own users.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub(crate) async fn change_password(
        &self,
        subject: &Subject,
        old: &Password,
        new: &Password,
        keys: ApiKeyAction,
        origin: RequestOrigin,
    ) -> Result<Option<PasswordChangeOutcome>, StorageError> {
        let Some(accounts) = self.authenticator.accounts() else {
            return Ok(None);
        };
        let Ok(id) = subject.id.as_str().parse() else {
            return Ok(None);
        };
        warn_if_address_unknown(origin.address);
        let outcome = accounts
            .change_password_within(
                &self.attempts,
                subject.email.as_str(),
                (id, old, new, keys),
                origin.address,
            )
            .await?;
        if outcome == PasswordChangeOutcome::Changed {
            let (by, object) = (subject.id.clone(), ManagedObject::Password(id));
            self.record(
                origin,
                EventKind::Managed {
                    by,
                    object,
                    change: Change::Changed,
                    fields: password_change_fields(keys),
                },
            );
        }
        Ok(Some(outcome))
    }

    async fn attempt(
        &self,
        email: &str,
        password: &str,
        address: Option<IpAddr>,
    ) -> Result<Attempt, StorageError> {
        // No account can have such a password, so nothing is checked, looked up or counted.
        let Ok(password) = Password::new(password) else {
            return Ok(Attempt::Refused(EmailOwner::NotLookedUp));
        };
        warn_if_address_unknown(address);
        let permit = match self.attempts.acquire(email, address, self.clock.now()) {
            Ok(permit) => permit,
            Err(retry_after) => {
                return Ok(Attempt::Other(LoginOutcome::TooManyAttempts {
                    retry_after,
                }));
            }
        };
        let outcome = self.verify(email, &password, address).await;
        match outcome {
            Ok(Attempt::Refused(_)) => {}
            Ok(Attempt::Other(LoginOutcome::SignedIn(_))) => self.attempts.succeeded(&permit),
            _ => self.attempts.refund(&permit),
        }
        outcome
    }

    async fn verify(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<Attempt, StorageError> {
        for _ in 0..MAX_TRIES {
            let account = self.stored_account(email).await?;
            match self
                .authenticator
                .authenticate(email, password, address)
                .await?
            {
                AuthenticationOutcome::SignedIn(user) if user.id == SubjectId::service() => {
                    return Err(StorageError::failed(
                        "a user has the id of the service itself",
                        "service",
                    ));
                }
                AuthenticationOutcome::SignedIn(user) => {
                    let verified = VerifiedUser {
                        user,
                        email: email.to_owned(),
                        stored_hash: account.map(|account| account.password_hash),
                    };
                    if self.is_still_valid(&verified).await? {
                        return Ok(Attempt::Other(LoginOutcome::SignedIn(verified)));
                    }
                }
                AuthenticationOutcome::InvalidCredentials => {
                    let owner = self.email_owner(email, account.as_ref()).await;
                    return Ok(Attempt::Refused(owner));
                }
                AuthenticationOutcome::TooManyAttempts { retry_after } => {
                    let outcome = LoginOutcome::TooManyAttempts { retry_after };
                    return Ok(Attempt::Other(outcome));
                }
                AuthenticationOutcome::Busy => break,
            }
        }
        Ok(Attempt::Other(LoginOutcome::Busy))
    }

    /// The user with a refused e-mail address: the owner of the built-in `account`, which was read
    /// before the password was checked, or the user whom the authenticator names. The authenticator
    /// is called in both cases, so that known and unknown addresses take the same time.
    async fn email_owner(&self, email: &str, account: Option<&Account>) -> EmailOwner {
        let named = self.authenticator.email_owner(email).await;
        let named = named.unwrap_or_else(|error| {
            tracing::warn!(%error, "the address of a refused sign-in could not be looked up");
            EmailOwner::NotLookedUp
        });
        account.map_or(named, |account| EmailOwner::User(account.id.into()))
    }

    /// The built-in account with this address.
    async fn stored_account(&self, email: &str) -> Result<Option<Account>, StorageError> {
        let (Some(accounts), Ok(email)) = (self.authenticator.accounts(), email.parse::<Email>())
        else {
            return Ok(None);
        };
        accounts.store().account_by_email(&email).await
    }

    fn record(&self, origin: RequestOrigin, kind: EventKind) {
        self.audit
            .record(&Event::new(origin, self.clock.now(), kind));
    }
}

/// Warns the operator once that attempts cannot be limited per address.
pub(super) fn warn_if_address_unknown(address: Option<IpAddr>) {
    static WARNED: Once = Once::new();
    if address.is_none() {
        WARNED.call_once(|| {
            tracing::warn!(
                "requests have no ClientAddress, so failed sign-ins are not limited per address"
            )
        });
    }
}

#[cfg(test)]
mod tests;
