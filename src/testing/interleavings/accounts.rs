//! Operations on existing accounts.

use super::model::OperationOutcome;
use super::operation::Operation;
use super::run_ids::RunIds;
use crate::domain::{Account, AccountId, PasswordHash, Role, Timestamp};
use crate::store::{AccountChange, ApiKeyAction, Creation, PasswordChange, Storage, StorageError};

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
    let account = Account {
        id,
        email,
        password_hash,
        role: Role::Admin,
        created_at: Timestamp::from_seconds(0),
    };
    let _: Creation = store.create_account(account).await?;
    Ok(())
}

pub(super) async fn call(
    operation: Operation,
    store: &dyn Storage,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    Ok(match operation {
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
