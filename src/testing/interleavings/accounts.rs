//! What becomes of accounts that are there.

use super::model::Outcome;
use super::names::Names;
use super::operation::Operation;
use crate::domain::{Account, AccountId, PasswordHash, Role, Timestamp};
use crate::store::{AccountChange, Creation, OwnedApiKeys, PasswordChange, Storage, StorageError};

/// Makes an administrator who has no part in any story. Stories share a store, so which of theirs is the last one cannot be told; the
/// conformance suite asks for that, of racers too.
pub(in crate::testing) async fn somebody_else_administers(store: &dyn Storage) -> Result<(), StorageError> {
    let Ok(email) = "somebody.else@school.example".parse() else { return Ok(()) };
    let (id, password_hash) = (AccountId::from_random([0xee; 16]), PasswordHash::from_phc("$argon2id$none"));
    let account = Account { id, email, password_hash, role: Role::Admin, created_at: Timestamp::from_seconds(0) };
    let _: Creation = store.create_account(account).await?;
    Ok(())
}

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::Rehash { account, seen, new } => {
            changed(store.rehash_password(names.account(account), &names.password(seen), names.password(new)).await?)
        }
        Operation::SetPassword { account, seen, new, at } => {
            let (seen, new) = (names.password(seen), names.password(new));
            changed(store.set_password(names.account(account), &seen, new, OwnedApiKeys::Revoke, names.moment(at)).await?)
        }
        Operation::SetRole { account, is_admin } => {
            let role = if is_admin { Role::Admin } else { Role::User };
            done(store.set_role(names.account(account), role).await?)
        }
        Operation::RemoveAccount { account, at } => done(store.remove_account(names.account(account), names.moment(at)).await?.change()),
        Operation::Credentials { account } => Outcome::Credentials(store.account(names.account(account)).await?.map(|account| {
            let password =
                names.number(&account.password_hash.as_phc().to_owned(), |names, number| names.password(number).as_phc().to_owned());
            (password, account.role == Role::Admin)
        })),
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn done(change: AccountChange) -> Outcome {
    match change {
        AccountChange::Done => Outcome::Done,
        AccountChange::LastAdministrator => Outcome::Taken,
        AccountChange::Unknown => Outcome::Unknown,
    }
}

fn changed(change: PasswordChange) -> Outcome {
    match change {
        PasswordChange::Changed => Outcome::Done,
        PasswordChange::Differs => Outcome::Changed,
        PasswordChange::Unknown => Outcome::Unknown,
    }
}
