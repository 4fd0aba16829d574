//! One-time links to set a password.

use std::time::Duration;

use super::Management;
use crate::crypto::PasswordLinkToken;
use crate::domain::{Account, Password, SubjectId};
use crate::http::login::{PasswordLinkError, PasswordResetOutcome};
use crate::http::service::RequestContext;
use crate::store::ApiKeyAction;

impl Management {
    /// The token of a link for the account as it is now.
    pub(crate) fn link_token(&self, account: &Account, lifetime: Duration) -> String {
        let expires_at = self.clock.now().plus(lifetime);
        self.password_links.issue(account, expires_at)
    }

    /// The account of a link.
    pub(crate) async fn account_of_link(
        &self,
        token: Option<&PasswordLinkToken>,
        context: &RequestContext,
    ) -> Result<Account, PasswordLinkError> {
        self.login_service
            .account_of_link(&self.password_links, token, context)
            .await
    }

    /// Sets the password of a link's account, and treats its API keys in another store as the user
    /// chose.
    pub(crate) async fn set_password_by_link(
        &self,
        token: &PasswordLinkToken,
        new: &Password,
        keys: ApiKeyAction,
        context: &RequestContext,
    ) -> Result<PasswordResetOutcome, PasswordLinkError> {
        let outcome = self
            .login_service
            .set_password_by_link(&self.password_links, token, new, keys, context)
            .await?;
        if outcome == PasswordResetOutcome::Changed {
            let owner = SubjectId::from(token.account());
            self.end_api_keys(&owner, keys).await?;
        }
        Ok(outcome)
    }
}
