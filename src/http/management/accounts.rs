//! Management of built-in accounts, for administrators only.

use super::permission::parse_id;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{
    Account, AccountId, Email, PageRequest, Password, Role, SearchTerm, SubjectId,
};
use crate::http::audit::{Change, ManagedObject};
use crate::http::login::{
    AccountCreationOutcome, Accounts, PasswordResetOutcome, password_change_fields,
};
use crate::store::{AccountChange, AccountRemoval, ApiKeyAction, Paged};

impl ManagementSession<'_> {
    /// Whether the users are built-in accounts, not the host's own.
    pub(crate) fn has_accounts(&self) -> bool {
        self.management
            .login_service
            .authenticator
            .accounts()
            .is_some()
    }

    /// The accounts whose e-mail address contains the term, or all.
    pub(crate) async fn accounts(
        &self,
        search: Option<&SearchTerm>,
        page: PageRequest,
    ) -> Result<Paged<Account>, ManagementError> {
        Ok(self
            .built_in_accounts()?
            .store()
            .accounts(search, page)
            .await?)
    }

    /// The account with this id.
    pub(crate) async fn account(&self, id: &str) -> Result<Account, ManagementError> {
        Ok(self
            .built_in_accounts()?
            .store()
            .account(parse_id(id)?)
            .await?
            .ok_or_else(Rejection::not_found)?)
    }

    /// Creates an account without a password, which its owner sets by a one-time link.
    pub(crate) async fn create_account(
        &self,
        email: Email,
        role: Role,
    ) -> Result<AccountId, ManagementError> {
        match self
            .built_in_accounts()?
            .create_without_password(email, role)
            .await?
        {
            AccountCreationOutcome::Created(id) => {
                self.record_change(ManagedObject::Account(id), Change::Created);
                if !self.is_still_authenticated().await? {
                    check_outcome(
                        self.built_in_accounts()?
                            .store()
                            .remove_account(id, self.now())
                            .await?
                            .without_owner_removal(),
                    )?;
                    self.record_change(ManagedObject::Account(id), Change::Deleted);
                    return Err(ManagementError::AccessEnded);
                }
                Ok(id)
            }
            AccountCreationOutcome::EmailTaken => Err(Rejection::email_taken().into()),
            AccountCreationOutcome::PasswordRejected(fault) => Err(fault.into()),
            AccountCreationOutcome::Busy => Err(Rejection::busy().into()),
        }
    }

    /// Sets the role of an account, which ends its console sessions. Its API keys hide what is
    /// protected for the new role, whatever they showed by the authority of the old one.
    pub(crate) async fn set_role(
        &self,
        account: &Account,
        role: Role,
    ) -> Result<(), ManagementError> {
        let accounts = self.built_in_accounts()?;
        self.check_other(account)?;
        self.check_still_authenticated().await?;
        // First the keys, so that no failure leaves a key that shows more than the role may see.
        self.hide_protected_fields(account, role).await?;
        check_outcome(accounts.store().set_role(account.id, role).await?)?;
        self.record_changed_fields(
            ManagedObject::Account(account.id),
            &[("role", account.role != role)],
        );
        // And those that the user has made or changed since, with the old role.
        self.hide_protected_fields(account, role).await
    }

    /// Hides what is protected for a new role in the API keys of an account.
    async fn hide_protected_fields(
        &self,
        account: &Account,
        role: Role,
    ) -> Result<(), ManagementError> {
        let fields = self.management.protected_fields.get(&role).copied();
        let fields = fields.filter(|fields| account.role != role && !fields.is_empty());
        let (Some(fields), Some(store)) = (fields, &self.management.api_keys) else {
            return Ok(());
        };
        for key in store.hide_fields_of(&account.id.into(), fields).await? {
            self.record_changed_fields(ManagedObject::ApiKey(key), &[("hiddenFields", true)]);
        }
        Ok(())
    }

    /// Sets a random password in place of a lost one, and returns it. Administrators change their own
    /// with the old password instead.
    pub(crate) async fn set_generated_password(
        &self,
        account: &Account,
        keys: ApiKeyAction,
    ) -> Result<Password, ManagementError> {
        let password = generated_password(self.management.entropy.bytes());
        let password = Password::new(&password)
            .map_err(|_| ManagementError::Failed("a generated password is valid"))?;
        self.set_password(account, &password, keys).await?;
        Ok(password)
    }

    async fn set_password(
        &self,
        account: &Account,
        password: &Password,
        keys: ApiKeyAction,
    ) -> Result<(), ManagementError> {
        let accounts = self.built_in_accounts()?;
        self.check_other(account)?;
        match accounts.reset_password(account.id, password, keys).await? {
            PasswordResetOutcome::Changed => {}
            PasswordResetOutcome::UnknownAccount => return Err(Rejection::not_found().into()),
            PasswordResetOutcome::PasswordRejected(fault) => return Err(fault.into()),
            PasswordResetOutcome::Busy => return Err(Rejection::busy().into()),
        }
        self.record_change_of_fields(
            ManagedObject::Password(account.id),
            Change::Changed,
            password_change_fields(keys),
        );
        Ok(self
            .management
            .end_api_keys(&account.id.into(), keys)
            .await?)
    }

    /// Removes an account, with its sessions, grants and API keys. Its clients are suspended, and
    /// its applications pass to the service.
    pub(crate) async fn remove_account(&self, account: &Account) -> Result<(), ManagementError> {
        let accounts = self.built_in_accounts()?;
        self.check_other(account)?;
        self.check_still_authenticated().await?;
        let removal = accounts
            .store()
            .remove_account(account.id, self.now())
            .await?;
        check_outcome(removal.without_owner_removal())?;
        self.record_change(ManagedObject::Account(account.id), Change::Deleted);
        if let AccountRemoval::Removed(removal) = &removal {
            self.record_owner_removal(removal);
        }
        // For clients or keys in another store than the accounts. Keys are also revoked if
        // suspending the clients failed.
        let owner = account.id.into();
        let clients = self.remove_owner(&owner).await;
        self.management
            .end_api_keys(&owner, ApiKeyAction::Revoke)
            .await?;
        clients
    }

    /// Refuses changes that administrators may not make to their own accounts.
    pub(crate) fn check_other(&self, account: &Account) -> Result<(), Rejection> {
        if SubjectId::from(account.id) != self.user.id {
            return Ok(());
        }
        Err(Rejection::own_account())
    }

    /// The built-in accounts, for administrators. Not found if the host has its own users.
    pub(super) fn built_in_accounts(&self) -> Result<&Accounts, Rejection> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("may manage accounts"));
        }
        self.management
            .login_service
            .authenticator
            .accounts()
            .ok_or_else(Rejection::not_found)
    }
}

/// A password of 100 random bits in groups of five characters, without those that look alike.
fn generated_password(random: [u8; 20]) -> String {
    const CHARACTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut password = String::with_capacity(23);
    for (position, byte) in random.into_iter().enumerate() {
        if position > 0 && position % 5 == 0 {
            password.push('-');
        }
        password.push(char::from(CHARACTERS[usize::from(byte % 32)]));
    }
    password
}

fn check_outcome(change: AccountChange) -> Result<(), Rejection> {
    match change {
        AccountChange::Done => Ok(()),
        AccountChange::LastAdministrator => Err(Rejection::last_administrator()),
        AccountChange::NotFound => Err(Rejection::not_found()),
    }
}

#[cfg(test)]
mod tests {
    use super::generated_password;

    /// Fails if a byte has no character, or several bytes too few.
    #[test]
    fn a_generated_password_has_four_groups_of_characters_that_differ_from_each_other() {
        let password = generated_password(std::array::from_fn(|at| 13 * at as u8));
        assert_eq!(password, "ap4hw-bq5ix-cr6jy-ds7kz");
        assert_eq!(generated_password([255; 20]), "99999-99999-99999-99999");
    }
}
