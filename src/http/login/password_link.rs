//! One-time links, with which owners of accounts set a password without the old one.

use std::time::Duration;

use super::service::warn_if_address_unknown;
use super::{LoginService, PasswordResetOutcome, password_change_fields};
use crate::crypto::{PasswordLinkToken, PasswordLinks};
use crate::domain::{Account, Password};
use crate::http::audit::{Change, EventKind, ManagedObject, RefusalRule};
use crate::http::service::RequestContext;
use crate::store::{ApiKeyAction, StorageError};

/// Why a one-time link was refused.
#[derive(Debug)]
pub(crate) enum PasswordLinkError {
    /// The token is damaged, expired or used, or its account is gone. They are not distinguished.
    Invalid,
    TooManyAttempts {
        retry_after: Duration,
    },
    Storage(StorageError),
}

impl From<StorageError> for PasswordLinkError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl LoginService {
    /// The account of a link, unless the token is invalid. An invalid one counts as a failed login
    /// attempt at its account, and not of its network: pupils who open used links again do not keep
    /// their school from signing in.
    pub(crate) async fn account_of_link(
        &self,
        links: &PasswordLinks,
        token: Option<&PasswordLinkToken>,
        context: &RequestContext,
    ) -> Result<Account, PasswordLinkError> {
        warn_if_address_unknown(context.address);
        let name = token.map_or_else(String::new, |token| token.account().to_string());
        let now = self.clock.now();
        let permit = self
            .attempts
            .acquire(&name, None, now)
            .map_err(|retry_after| {
                let limited = EventKind::SignInLimited { client: None };
                context.record_refusal_as(limited, RefusalRule::SignInLimited);
                PasswordLinkError::TooManyAttempts { retry_after }
            })?;
        let found =
            match (self.authenticator.accounts(), token) {
                (Some(accounts), Some(token)) => accounts
                    .store()
                    .account(token.account())
                    .await
                    .map(|found| {
                        found.filter(|account| {
                            account.password_hash.left_at().is_none()
                                && links.matches(token, account, now)
                        })
                    }),
                _ => Ok(None),
            };
        if !matches!(found, Ok(None)) {
            self.attempts.refund(&permit);
        }
        found?.ok_or(PasswordLinkError::Invalid)
    }

    /// Sets the password of a link's account. Ends everything that a reset by an administrator
    /// ends, and its API keys in the same storage as the user chose. Of two concurrent uses only
    /// one succeeds.
    pub(crate) async fn set_password_by_link(
        &self,
        links: &PasswordLinks,
        token: &PasswordLinkToken,
        new: &Password,
        keys: ApiKeyAction,
        context: &RequestContext,
    ) -> Result<PasswordResetOutcome, PasswordLinkError> {
        let account = self.account_of_link(links, Some(token), context).await?;
        let accounts = self
            .authenticator
            .accounts()
            .ok_or(PasswordLinkError::Invalid)?;
        let outcome = accounts
            .reset_unchanged_password(&account, new, keys)
            .await?;
        match outcome {
            PasswordResetOutcome::Changed => {
                let kind = EventKind::Managed {
                    by: account.id.into(),
                    object: ManagedObject::Password(account.id),
                    change: Change::Changed,
                    fields: password_change_fields(keys),
                };
                context.record(kind);
            }
            PasswordResetOutcome::UnknownAccount => return Err(PasswordLinkError::Invalid),
            _ => {}
        }
        Ok(outcome)
    }
}
