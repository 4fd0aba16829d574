//! Operations on accounts.

use super::model::{Account, Model, OperationOutcome, created};
use super::operation::{Operation, creation_outcome};
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::domain::{self, AccountId, PasswordHash, Role, Timestamp};
use crate::store::{AccountChange, ApiKeyAction, Creation, PasswordChange, Storage, StorageError};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* accounts {
        /// Creates an account. Accounts with an even number write their address in upper case.
        CreateAccount { account: u8, email: u8 },
        /// Reads the address of an account.
        [Read] Account { account: u8 },
        /// Reads the account that has an address.
        [Read] AccountByEmail { email: u8 },
        /// Replaces the hash of an unchanged password.
        RehashPassword { account: u8, seen: u8, new: u8 },
        /// Changes the password of an account, initially password 1.
        SetPassword { account: u8, seen: u8, new: u8, $at: i64 },
        /// Sets the role of an account.
        SetRole { account: u8, is_admin: bool },
        /// Removes an account.
        RemoveAccount { account: u8, $at: i64 },
        /// Reads the password and the role of an account.
        [Read] Credentials { account: u8 },
    } } $($rest)* } };
}
pub(super) use operations;

/// Creates an administrator who takes part in no scenario. Scenarios share a store, so the model
/// cannot know which administrator is the last one; the conformance suite tests that, also
/// concurrently.
pub(in crate::testing) async fn create_other_administrator(
    store: &dyn Storage,
) -> Result<(), StorageError> {
    let Ok(email) = "somebody.else@school.example".parse() else {
        return Ok(());
    };
    let (id, password_hash) = (
        AccountId::from_random([0xee; 16]),
        PasswordHash::from_phc("$argon2id$none"),
    );
    let account = domain::Account {
        id,
        email,
        password_hash,
        role: Role::Admin,
        created_at: Timestamp::from_seconds(0),
        student: None,
    };
    let _: Creation = store.create_account(account).await?;
    Ok(())
}

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::CreateAccount { account, email } => creation_outcome(
            store
                .create_account(account_of(ids, account, email))
                .await?,
        ),
        Operation::Account { account } => {
            let found = store.account(ids.account(account)).await?;
            OperationOutcome::RefersTo(
                found.map(|found| {
                    ids.index_of(&found.email, |ids, number| ids.email(number, account))
                }),
            )
        }
        Operation::AccountByEmail { email } => {
            let found = store.account_by_email(&ids.email(email, 1)).await?;
            OperationOutcome::RefersTo(found.map(|found| ids.index_of(&found.id, RunIds::account)))
        }
        Operation::RehashPassword { account, seen, new } => password_outcome(
            store
                .rehash_password(ids.account(account), &ids.password(seen), ids.password(new))
                .await?,
        ),
        Operation::SetPassword {
            account,
            seen,
            new,
            at,
        } => {
            let (seen, new) = (ids.password(seen), ids.password(new));
            password_outcome(
                store
                    .set_password(
                        ids.account(account),
                        &seen,
                        new,
                        ApiKeyAction::Revoke,
                        ids.timestamp(at),
                    )
                    .await?,
            )
        }
        Operation::SetRole { account, is_admin } => {
            let role = if is_admin { Role::Admin } else { Role::User };
            account_outcome(store.set_role(ids.account(account), role).await?)
        }
        Operation::RemoveAccount { account, at } => account_outcome(
            store
                .remove_account(ids.account(account), ids.timestamp(at))
                .await?
                .without_owner_removal(),
        ),
        Operation::Credentials { account } => OperationOutcome::Credentials(
            store.account(ids.account(account)).await?.map(|account| {
                let password = ids
                    .index_of(&account.password_hash.as_phc().to_owned(), |ids, number| {
                        ids.password(number).as_phc().to_owned()
                    });
                (password, account.role == Role::Admin)
            }),
        ),
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::CreateAccount { account, email } => {
            vec![
                Operation::Account { account },
                Operation::AccountByEmail { email },
                Operation::CreateAccount { account: 9, email },
            ]
        }
        Operation::Account { account } => vec![Operation::Account { account }],
        Operation::AccountByEmail { email } => vec![Operation::AccountByEmail { email }],
        Operation::RehashPassword { account, .. } | Operation::Credentials { account } => {
            vec![Operation::Credentials { account }]
        }
        Operation::SetPassword { account, .. } | Operation::RemoveAccount { account, .. } => {
            let subject = account;
            let consents = [
                Operation::Consent { subject },
                Operation::GrantsOf { subject, at },
                Operation::UserSessionsOf { subject, at },
            ];
            [
                &[
                    Operation::Credentials { account },
                    Operation::Account { account },
                    Operation::ApiKey { digest: 1 },
                    Operation::Client { client: 1 },
                ],
                &consents[..],
            ]
            .concat()
        }
        Operation::SetRole { account, .. } => vec![
            Operation::Credentials { account },
            Operation::UserSessionsOf {
                subject: account,
                at,
            },
        ],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn account_outcome(change: AccountChange) -> OperationOutcome {
    match change {
        AccountChange::Done => OperationOutcome::Done,
        AccountChange::LastAdministrator => OperationOutcome::AlreadyExists,
        AccountChange::NotFound => OperationOutcome::Unknown,
    }
}

fn password_outcome(change: PasswordChange) -> OperationOutcome {
    match change {
        PasswordChange::Changed => OperationOutcome::Done,
        PasswordChange::Conflict => OperationOutcome::Conflict,
        PasswordChange::NotFound => OperationOutcome::Unknown,
    }
}

fn account_of(ids: RunIds, number: u8, email: u8) -> domain::Account {
    domain::Account {
        id: ids.account(number),
        email: ids.email(email, number),
        password_hash: ids.password(1),
        role: Role::User,
        created_at: ids.timestamp(0),
        student: None,
    }
}

impl Model {
    /// Performs the operations on accounts. An account and its subject have the same number.
    pub(super) fn accounts(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::CreateAccount { account, email } => {
                let is_new = !self.accounts.contains_key(&account)
                    && !self.accounts.values().any(|taken| taken.email == email);
                if is_new {
                    self.accounts.insert(
                        account,
                        Account {
                            email,
                            password: 1,
                            is_admin: false,
                        },
                    );
                }
                created(is_new)
            }
            Operation::Account { account } => {
                OperationOutcome::RefersTo(self.accounts.get(&account).map(|account| account.email))
            }
            Operation::AccountByEmail { email } => OperationOutcome::RefersTo(
                self.accounts
                    .iter()
                    .find(|(_, taken)| taken.email == email)
                    .map(|(account, _)| *account),
            ),
            Operation::RehashPassword { account, seen, new } => {
                self.change_password(account, seen, new)
            }
            Operation::SetPassword {
                account,
                seen,
                new,
                at,
            } => {
                let outcome = self.change_password(account, seen, new);
                if outcome == OperationOutcome::Done {
                    Operation::RevokeGrantsOf {
                        subject: account,
                        at,
                    }
                    .apply(self);
                }
                outcome
            }
            Operation::SetRole { account, is_admin } => {
                let Some(found) = self.accounts.get_mut(&account) else {
                    return OperationOutcome::Unknown;
                };
                if std::mem::replace(&mut found.is_admin, is_admin) != is_admin {
                    Operation::EndUserSessionsOf {
                        subject: account,
                        except: 0,
                    }
                    .apply(self);
                }
                OperationOutcome::Done
            }
            Operation::RemoveAccount { account, at } => {
                if self.accounts.remove(&account).is_none() {
                    return OperationOutcome::Unknown;
                }
                Operation::RevokeGrantsOf {
                    subject: account,
                    at,
                }
                .apply(self);
                self.consents.remove(&account);
                self.remove_owner(account, at);
                OperationOutcome::Done
            }
            Operation::Credentials { account } => OperationOutcome::Credentials(
                self.accounts
                    .get(&account)
                    .map(|account| (account.password, account.is_admin)),
            ),
            _ => OperationOutcome::Unknown,
        }
    }

    fn change_password(&mut self, account: u8, seen: u8, new: u8) -> OperationOutcome {
        match self.accounts.get_mut(&account) {
            None => OperationOutcome::Unknown,
            Some(account) if account.password != seen => OperationOutcome::Conflict,
            Some(account) => {
                account.password = new;
                OperationOutcome::Done
            }
        }
    }
}
