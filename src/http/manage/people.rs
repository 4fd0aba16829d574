//! The built-in accounts of everybody, which administrators alone manage.

use http::StatusCode;

use super::permission::id_of;
use super::{Denial, Desk, NotDone};
use crate::domain::{Account, AccountId, Email, Needle, PageRequest, Password, Role, SubjectId};
use crate::http::audit::{Change, Object, Rule};
use crate::http::sign_in::{AccountCreation, Accounts, PasswordReset, password_fields};
use crate::store::{AccountChange, AccountRemoval, OwnedApiKeys, Registered};

impl Desk<'_> {
    /// Whether people are kept here, and not by a host that has its own.
    pub(crate) fn has_people(&self) -> bool {
        self.office.doorkeeper.authenticator.accounts().is_some()
    }

    /// The accounts whose e-mail address has the needle somewhere, or all.
    pub(crate) async fn people(&self, search: Option<&Needle>, page: PageRequest) -> Result<Registered<Account>, NotDone> {
        Ok(self.accounts()?.store().accounts(search, page).await?)
    }

    /// The account with this id.
    pub(crate) async fn account(&self, id: &str) -> Result<Account, NotDone> {
        Ok(self.accounts()?.store().account(id_of(id)?).await?.ok_or_else(Denial::unknown)?)
    }

    /// Makes an account, with a password that its owner is told.
    pub(crate) async fn create_account(&self, email: Email, password: &Password, role: Role) -> Result<AccountId, NotDone> {
        match self.accounts()?.create(email, password, role).await? {
            AccountCreation::Created(id) => {
                self.managed(Object::Account(id), Change::Created);
                if !self.access_holds().await? {
                    finished(self.accounts()?.store().remove_account(id, self.now()).await?.change())?;
                    self.managed(Object::Account(id), Change::Deleted);
                    return Err(NotDone::AccessEnded);
                }
                Ok(id)
            }
            AccountCreation::Taken => {
                let description = "Somebody has this e-mail address already.";
                Err(Denial::new(Rule::EmailTaken, StatusCode::CONFLICT, description).of_field("email").into())
            }
            AccountCreation::PasswordRefused(fault) => Err(fault.into()),
            AccountCreation::Busy => Err(busy().into()),
        }
    }

    /// Gives somebody another role, which ends their sessions in the console.
    pub(crate) async fn set_role(&self, account: &Account, role: Role) -> Result<(), NotDone> {
        let accounts = self.accounts()?;
        self.check_other(account)?;
        self.check_access().await?;
        finished(accounts.store().set_role(account.id, role).await?)?;
        self.changed(Object::Account(account.id), &[("role", account.role != role)]);
        Ok(())
    }

    /// Gives somebody a new password in place of one that was lost. One's own is changed by who knows the old one.
    pub(crate) async fn set_password(&self, account: &Account, password: &Password, keys: OwnedApiKeys) -> Result<(), NotDone> {
        let accounts = self.accounts()?;
        self.check_other(account)?;
        match accounts.reset_password(account.id, password, keys).await? {
            PasswordReset::Done => {}
            PasswordReset::Unknown => return Err(Denial::unknown().into()),
            PasswordReset::PasswordRefused(fault) => return Err(fault.into()),
            PasswordReset::Busy => return Err(busy().into()),
        }
        self.record_managed(Object::Password(account.id), Change::Changed, password_fields(keys));
        Ok(self.office.end_api_keys(&account.id.into(), keys).await?)
    }

    /// Removes somebody's account, with all that they have signed in to and their API keys. Their clients are suspended, and their
    /// applications belong to the service from then on.
    pub(crate) async fn remove_account(&self, account: &Account) -> Result<(), NotDone> {
        let accounts = self.accounts()?;
        self.check_other(account)?;
        self.check_access().await?;
        let removal = accounts.store().remove_account(account.id, self.now()).await?;
        finished(removal.change())?;
        self.managed(Object::Account(account.id), Change::Deleted);
        if let AccountRemoval::Removed(removal) = &removal {
            self.record_owner_removal(removal);
        }
        // Where clients or keys are in another store than accounts. Keys are revoked also where clients could not be suspended.
        let owner = account.id.into();
        let clients = self.remove_owner(&owner).await;
        self.office.end_api_keys(&owner, OwnedApiKeys::Revoke).await?;
        clients
    }

    /// Refuses what administrators cannot do to their own accounts.
    pub(crate) fn check_other(&self, account: &Account) -> Result<(), Denial> {
        if SubjectId::from(account.id) != self.person.id {
            return Ok(());
        }
        let description = "Administrators neither change their own role or lost password nor remove themselves.";
        Err(Denial::new(Rule::OwnAccount, StatusCode::FORBIDDEN, description))
    }

    /// For administrators. Where a host has people of its own, there are none here.
    fn accounts(&self) -> Result<&Accounts, Denial> {
        if !self.is_administrator() {
            return Err(Denial::administrators_only("Only an administrator may manage accounts."));
        }
        self.office.doorkeeper.authenticator.accounts().ok_or_else(Denial::unknown)
    }
}

fn finished(change: AccountChange) -> Result<(), Denial> {
    match change {
        AccountChange::Done => Ok(()),
        AccountChange::LastAdministrator => {
            let description = "Nobody else is an administrator, and somebody has to be.";
            Err(Denial::new(Rule::LastAdministrator, StatusCode::CONFLICT, description))
        }
        AccountChange::Unknown => Err(Denial::unknown()),
    }
}

fn busy() -> Denial {
    Denial::new(Rule::SignInBusy, StatusCode::SERVICE_UNAVAILABLE, "More passwords are waiting than can be worked on.")
}
