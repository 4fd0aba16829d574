//! Operations on API keys.

use std::time::Duration;

use super::model::OperationOutcome;
use super::operation::{Operation, creation_outcome};
use super::run_ids::{API_KEY_LIFETIME, API_KEY_OVERLAP, DAY, RunIds};
use crate::domain::{
    ApiKey, ApiKeyDailyUsage, ApiKeyRenewal, ApiScopes, DateRange, HiddenFields, ShortText,
};
use crate::store::{LimitedCreation, Renewal, Storage, StorageError};

pub(super) async fn call(
    operation: Operation,
    store: &dyn Storage,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    Ok(match operation {
        Operation::CreateApiKey { key, digest, at } => {
            creation_outcome(store.create_api_key(api_key(ids, key, digest, at)).await?)
        }
        Operation::IssueApiKey { key, at_most, at } => {
            let owned = ApiKey {
                owner: Some(ids.subject(1)),
                ..api_key(ids, key, key, at)
            };
            match store.issue_api_key(owned, at_most).await? {
                LimitedCreation::Created => OperationOutcome::Created,
                LimitedCreation::LimitReached => {
                    OperationOutcome::Refused("the owner's limit is reached")
                }
                LimitedCreation::AlreadyExists => OperationOutcome::AlreadyExists,
            }
        }
        Operation::RenewApiKey { key, digest, at } => {
            let overlap = Duration::from_secs(API_KEY_OVERLAP.unsigned_abs());
            let renewal = ApiKeyRenewal {
                digest: ids.api_key_digest(digest),
                hint: "11111111…cafe".to_owned(),
                overlap,
            };
            match store
                .renew_api_key(ids.api_key(key), renewal, ids.timestamp(at))
                .await?
            {
                Renewal::Renewed(key) => OperationOutcome::RefersTo(
                    key.previous
                        .last()
                        .map(|previous| ids.index_of(&previous.digest, RunIds::api_key_digest)),
                ),
                Renewal::Revoked => OperationOutcome::Revoked,
                Renewal::TooManyValues => OperationOutcome::Refused("too many values"),
                Renewal::AlreadyExists => OperationOutcome::AlreadyExists,
                Renewal::NotFound => OperationOutcome::Unknown,
            }
        }
        Operation::RevokeApiKey { key, at } => OperationOutcome::Bool(
            store
                .revoke_api_key(ids.api_key(key), ids.timestamp(at))
                .await?,
        ),
        Operation::RevokeApiKeysOf { owner, at } => OperationOutcome::Removed(
            store
                .revoke_api_keys_of(&ids.subject(owner), ids.timestamp(at))
                .await?,
        ),
        Operation::TouchApiKeys { keys, at } => {
            let uses = keys
                .into_iter()
                .zip([(at, 1), (at - 1, 2)])
                .filter(|(key, _)| *key > 0);
            let used = |(key, (at, calls))| ApiKeyDailyUsage {
                key: ids.api_key(key),
                day: ids.day_of(at),
                calls,
                last_used_at: ids.timestamp(at),
            };
            store.record_api_key_usage(uses.map(used).collect()).await?;
            OperationOutcome::Done
        }
        Operation::ApiKeyUsage { key } => {
            let days = DateRange::new(ids.day(), ids.day_of(300 * DAY)).expect("a range");
            let usage = store.api_key_usage(ids.api_key(key), days).await?;
            let usage = usage
                .into_iter()
                .map(|(day, calls)| (ids.day().days_until(day), calls));
            OperationOutcome::DailyUsage(usage.collect())
        }
        Operation::ClaimExpiryNotice { key, issued } => OperationOutcome::Bool(
            store
                .claim_expiry_notice(ids.api_key(key), ids.timestamp(issued + API_KEY_LIFETIME))
                .await?,
        ),
        Operation::ApiKey { digest } => {
            let digest = ids.api_key_digest(digest);
            let Some(found) = store.api_key(&digest).await? else {
                return Ok(OperationOutcome::Unknown);
            };
            let Some(ends) = found.expiry_of(&digest) else {
                return Ok(OperationOutcome::Refused("no value of the key"));
            };
            OperationOutcome::ApiKey {
                key: ids.index_of(&found.id, RunIds::api_key),
                ends: ids.offset(ends),
                revoked_at: found.revoked_at.map(|at| ids.offset(at)),
                last_used_at: found.last_used_at.map(|at| ids.offset(at)),
            }
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn api_key(ids: RunIds, number: u8, digest: u8, at: i64) -> ApiKey {
    ApiKey {
        id: ids.api_key(number),
        digest: ids.api_key_digest(digest),
        hint: "00000000…cafe".to_owned(),
        previous: Vec::new(),
        owner: None,
        description: ShortText::from_static("급식 알리미"),
        scopes: ApiScopes::built_in(),
        hidden: HiddenFields::default(),
        quota: None,
        created_at: ids.timestamp(at),
        expires_at: ids.timestamp(at).plus(ApiKey::VALIDITY),
        revoked_at: None,
        last_used_at: None,
    }
}
