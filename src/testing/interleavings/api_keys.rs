//! API keys, as operations.

use std::time::Duration;

use super::model::Outcome;
use super::names::{API_KEY_ENDS, API_KEY_OVERLAP, DAY, Names};
use super::operation::{Operation, creation};
use crate::domain::{ApiKey, ApiKeyRenewal, ApiScopes, DateRange, HiddenFields, KeyUse, Line};
use crate::store::{Issuance, Renewal, Storage, StorageError};

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::CreateApiKey { key, digest, at } => creation(store.create_api_key(api_key(names, key, digest, at)).await?),
        Operation::IssueApiKey { key, at_most, at } => {
            let owned = ApiKey { owner: Some(names.subject(1)), ..api_key(names, key, key, at) };
            match store.issue_api_key(owned, at_most).await? {
                Issuance::Issued => Outcome::Created,
                Issuance::OwnerHasEnough => Outcome::Refused("the owner has enough"),
                Issuance::Taken => Outcome::Taken,
            }
        }
        Operation::RenewApiKey { key, digest, at } => {
            let overlap = Duration::from_secs(API_KEY_OVERLAP.unsigned_abs());
            let renewal = ApiKeyRenewal { digest: names.api_key_digest(digest), hint: "11111111…cafe".to_owned(), overlap };
            match store.renew_api_key(names.api_key(key), renewal, names.moment(at)).await? {
                Renewal::Renewed(key) => {
                    Outcome::Belongs(key.previous.last().map(|previous| names.number(&previous.digest, Names::api_key_digest)))
                }
                Renewal::Revoked => Outcome::Revoked,
                Renewal::TooManyValues => Outcome::Refused("too many values"),
                Renewal::Taken => Outcome::Taken,
                Renewal::Unknown => Outcome::Unknown,
            }
        }
        Operation::RevokeApiKey { key, at } => Outcome::Is(store.revoke_api_key(names.api_key(key), names.moment(at)).await?),
        Operation::RevokeApiKeysOf { owner, at } => {
            Outcome::Removed(store.revoke_api_keys_of(&names.subject(owner), names.moment(at)).await?)
        }
        Operation::TouchApiKeys { keys, at } => {
            let uses = keys.into_iter().zip([(at, 1), (at - 1, 2)]).filter(|(key, _)| *key > 0);
            let used =
                |(key, (at, calls))| KeyUse { key: names.api_key(key), day: names.day_of(at), calls, last_used_at: names.moment(at) };
            store.touch_api_keys(uses.map(used).collect()).await?;
            Outcome::Done
        }
        Operation::ApiKeyUsage { key } => {
            let days = DateRange::new(names.day(), names.day_of(300 * DAY)).expect("a range");
            let usage = store.api_key_usage(names.api_key(key), days).await?;
            let usage = usage.into_iter().map(|(day, calls)| (names.day().days_until(day), calls));
            Outcome::Usage(usage.collect())
        }
        Operation::ClaimNotice { key, issued } => {
            Outcome::Is(store.claim_expiry_notice(names.api_key(key), names.moment(issued + API_KEY_ENDS)).await?)
        }
        Operation::ApiKey { digest } => {
            let digest = names.api_key_digest(digest);
            let Some(found) = store.api_key(&digest).await? else { return Ok(Outcome::Unknown) };
            let Some(ends) = found.expiry_of(&digest) else { return Ok(Outcome::Refused("no value of the key")) };
            Outcome::ApiKey {
                key: names.number(&found.id, Names::api_key),
                ends: names.seconds(ends),
                revoked_at: found.revoked_at.map(|at| names.seconds(at)),
                last_used_at: found.last_used_at.map(|at| names.seconds(at)),
            }
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn api_key(names: Names, number: u8, digest: u8, at: i64) -> ApiKey {
    ApiKey {
        id: names.api_key(number),
        digest: names.api_key_digest(digest),
        hint: "00000000…cafe".to_owned(),
        previous: Vec::new(),
        owner: None,
        description: Line::literal("급식 알리미"),
        scopes: ApiScopes::built_in(),
        hidden: HiddenFields::default(),
        quota: None,
        created_at: names.moment(at),
        expires_at: names.moment(at).plus(ApiKey::VALIDITY),
        revoked_at: None,
        last_used_at: None,
    }
}
