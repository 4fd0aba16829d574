//! Invitations of the owners of accounts, for administrators.

use super::{Management, ManagementError, ManagementSession, Rejection};
use crate::domain::{Account, Email, InvitationState, SubjectId};
use crate::http::audit::{Change, EventKind, ManagedObject, RequestId, RequestOrigin};
use crate::store::StorageError;

/// What an invitation found at an address, with the account.
pub(crate) type Invited = (InvitationState, Account);

impl Management {
    /// Creates the missing accounts of these addresses for `by`. `None` if the users are not the
    /// built-in accounts.
    pub(crate) async fn invite(
        &self,
        by: &SubjectId,
        addresses: &[Email],
    ) -> Result<Option<Vec<Invited>>, StorageError> {
        let Some(accounts) = self.login_service.authenticator.accounts() else {
            return Ok(None);
        };
        let found = accounts.create_invited(addresses).await?;
        let origin = RequestOrigin {
            request_id: RequestId::new(&*self.entropy),
            address: None,
        };
        self.record_created(by, &found, origin);
        Ok(Some(found))
    }

    fn record_created(&self, by: &SubjectId, found: &[Invited], origin: RequestOrigin) {
        for (state, account) in found {
            if *state == InvitationState::New {
                let kind = EventKind::Managed {
                    by: by.clone(),
                    object: ManagedObject::Account(account.id),
                    change: Change::Created,
                    fields: Vec::new(),
                };
                self.record(origin, kind);
            }
        }
    }
}

impl ManagementSession<'_> {
    /// What an invitation of each address would find.
    pub(crate) async fn invitation_states(
        &self,
        addresses: &[Email],
    ) -> Result<Vec<InvitationState>, ManagementError> {
        Ok(self
            .built_in_accounts()?
            .invitation_states(addresses)
            .await?)
    }

    /// Creates the missing accounts of these addresses.
    pub(crate) async fn invite(
        &self,
        addresses: &[Email],
    ) -> Result<Vec<Invited>, ManagementError> {
        let accounts = self.built_in_accounts()?;
        self.check_still_authenticated().await?;
        let found = accounts.create_invited(addresses).await?;
        self.management
            .record_created(&self.user.id, &found, self.origin);
        Ok(found)
    }

    /// Checks that the administrator may make a one-time link for the account, and records it.
    pub(crate) async fn allow_password_link(
        &self,
        account: &Account,
    ) -> Result<(), ManagementError> {
        self.built_in_accounts()?;
        self.check_other(account)?;
        if account.password_hash.left_at().is_some() {
            return Err(Rejection::not_found().into());
        }
        self.check_still_authenticated().await?;
        self.record_change_of_fields(
            ManagedObject::Password(account.id),
            Change::Created,
            vec!["link"],
        );
        Ok(())
    }
}
