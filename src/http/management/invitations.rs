//! Invitations of the owners of accounts, for administrators.

use super::{Management, ManagementError, ManagementSession, Rejection};
use crate::domain::{Account, AccountId, Email, InvitationState, SubjectId};
use crate::http::audit::{Change, EventKind, ManagedObject, RequestId, RequestOrigin};
use crate::http::login::Accounts;
use crate::store::StorageError;

/// What an invitation found at an address, with the account.
pub(crate) type Invited = (InvitationState, Account);

impl Management {
    /// Creates the missing accounts of these addresses for `by`, and records also the links that are
    /// made `again`. `None` if the users are not the built-in accounts.
    pub(crate) async fn invite(
        &self,
        by: &SubjectId,
        addresses: &[Email],
        again: bool,
    ) -> Result<Option<Vec<Invited>>, StorageError> {
        let Some(accounts) = self.login_service.authenticator.accounts() else {
            return Ok(None);
        };
        self.invite_to(accounts, by, addresses, again, self.host_origin())
            .await
            .map(Some)
    }

    /// The account for which `by` makes a one-time link, which is recorded. `None` if there is no
    /// such account, its owner is a student who has left, or the users are not the built-in accounts.
    pub(crate) async fn allow_password_link(
        &self,
        by: &SubjectId,
        account: AccountId,
    ) -> Result<Option<Account>, StorageError> {
        let Some(accounts) = self.login_service.authenticator.accounts() else {
            return Ok(None);
        };
        let account = accounts.store().account(account).await?;
        let account = account.filter(|account| account.password_hash.left_at().is_none());
        if let Some(account) = &account {
            let link = ManagedObject::Password(account.id);
            self.record_creation(by, link, vec!["link"], self.host_origin());
        }
        Ok(account)
    }

    /// The origin of a call of the host, which no request caused.
    fn host_origin(&self) -> RequestOrigin {
        RequestOrigin {
            request_id: RequestId::new(&*self.entropy),
            address: None,
        }
    }

    async fn invite_to(
        &self,
        accounts: &Accounts,
        by: &SubjectId,
        addresses: &[Email],
        again: bool,
        origin: RequestOrigin,
    ) -> Result<Vec<Invited>, StorageError> {
        let record_created = |account| {
            self.record_creation(by, ManagedObject::Account(account), Vec::new(), origin);
        };
        let found = accounts.create_invited(addresses, &record_created).await?;
        for (state, account) in &found {
            if again && *state == InvitationState::Invited {
                let link = ManagedObject::Password(account.id);
                self.record_creation(by, link, vec!["link"], origin);
            }
        }
        Ok(found)
    }

    fn record_creation(
        &self,
        by: &SubjectId,
        object: ManagedObject,
        fields: Vec<&'static str>,
        origin: RequestOrigin,
    ) {
        let kind = EventKind::Managed {
            by: by.clone(),
            object,
            change: Change::Created,
            fields,
        };
        self.record(origin, kind);
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

    /// Creates the missing accounts of these addresses, and records also the links that are made
    /// `again`.
    pub(crate) async fn invite(
        &self,
        addresses: &[Email],
        again: bool,
    ) -> Result<Vec<Invited>, ManagementError> {
        let accounts = self.built_in_accounts()?;
        self.check_still_authenticated().await?;
        let found =
            self.management
                .invite_to(accounts, &self.user.id, addresses, again, self.origin);
        Ok(found.await?)
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
