//! Ending of sessions by their user and by administrators.

use super::permission::parse_id;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::Account;
use crate::http::audit::{Change, EventKind, ManagedObject};
use crate::store::ApiKeyAction;

impl ManagementSession<'_> {
    /// Ends one of the user's console sessions.
    pub(crate) async fn end_session(&self, id: &str) -> Result<(), ManagementError> {
        let subject = self.user.id.clone();
        if !self
            .user_sessions()?
            .end_user_session(&subject, parse_id(id)?)
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        self.management.record(
            self.origin,
            EventKind::SignedOut {
                subject: Some(subject),
                client: None,
            },
        );
        Ok(())
    }

    /// Ends all sessions of the user, in the console and at the authorization server, revokes all
    /// grants, and revokes the API keys unless they are kept (`keys`).
    pub(crate) async fn sign_out_everywhere(
        &self,
        keys: ApiKeyAction,
    ) -> Result<(), ManagementError> {
        let subject = self.user.id.clone();
        let grants = self
            .consents()?
            .sign_out_everywhere(&subject, keys, self.now())
            .await?;
        let api_keys = keys == ApiKeyAction::Revoke;
        self.management.record(
            self.origin,
            EventKind::SignedOutEverywhere {
                subject,
                grants,
                api_keys,
            },
        );
        Ok(self.management.end_api_keys(&self.user.id, keys).await?)
    }

    /// Ends a console session of another account, for administrators.
    pub(crate) async fn end_session_of(
        &self,
        account: &Account,
        id: &str,
    ) -> Result<(), ManagementError> {
        self.built_in_accounts()?;
        self.check_other(account)?;
        if !self
            .user_sessions()?
            .end_user_session(&account.id.into(), parse_id(id)?)
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        self.record_change(ManagedObject::Sessions(account.id), Change::Deleted);
        Ok(())
    }

    /// Ends all sessions of another account, in the console and at the authorization server, and
    /// revokes all grants, for administrators. API keys stay.
    pub(crate) async fn sign_out_of_everything(
        &self,
        account: &Account,
    ) -> Result<(), ManagementError> {
        self.built_in_accounts()?;
        self.check_other(account)?;
        self.consents()?
            .sign_out_everywhere(&account.id.into(), ApiKeyAction::Keep, self.now())
            .await?;
        self.record_change(ManagedObject::Sessions(account.id), Change::Deleted);
        Ok(())
    }
}
