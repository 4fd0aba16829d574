//! Operations on API keys.

use std::collections::BTreeMap;
use std::time::Duration;

use super::model::{Model, OperationOutcome, created};
use super::operation::{Operation, creation_outcome};
use super::run_ids::{
    API_KEY_LIFETIME, API_KEY_OVERLAP, DAY, MAX_API_KEY_VALUES, REVOKED_KEY_COUNTS_FOR, RunIds,
};
use super::store_handle::StoreHandle;
use crate::domain::{
    self, ApiKeyDailyUsage, ApiKeyRenewal, ApiScopes, DateRange, HiddenFields, ShortText,
};
use crate::store::{LimitedCreation, Renewal, StorageError};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* api_keys {
        /// Creates an API key that expires after 30 days.
        CreateApiKey { key: u8, digest: u8, $at: i64 },
        /// Issues an API key to an owner, unless they have `at_most`. Its digest has the key's
        /// number.
        IssueApiKey { key: u8, at_most: u32, $at: i64 },
        /// Renews an API key; the previous value works for another 10 seconds.
        RenewApiKey { key: u8, digest: u8, $at: i64 },
        /// Revokes an API key.
        RevokeApiKey { key: u8, $at: i64 },
        /// Revokes the API keys of an owner.
        RevokeApiKeysOf { owner: u8, $at: i64 },
        /// Records uses of API keys: one of the first at `at`, and two of the second, the last a
        /// second earlier; 0 for none.
        TouchApiKeys { keys: [u8; 2], $at: i64 },
        /// Reads the daily usage of an API key.
        [Read] ApiKeyUsage { key: u8 },
        /// Claims the notice that an API key issued at `issued` expires after 30 days.
        ClaimExpiryNotice { key: u8, issued: i64 },
        /// Reads the key that has a value with this digest.
        [Read] ApiKey { digest: u8 },
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::CreateApiKey { key, digest, at } => {
            creation_outcome(store.create_api_key(api_key(ids, key, digest, at)).await?)
        }
        Operation::IssueApiKey { key, at_most, at } => {
            let owned = domain::ApiKey {
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
                errors: 0,
                last_used_at: ids.timestamp(at),
            };
            store.record_api_key_usage(uses.map(used).collect()).await?;
            OperationOutcome::Done
        }
        Operation::ApiKeyUsage { key } => {
            let days = DateRange::new(ids.day(), ids.day_of(300 * DAY)).expect("a range");
            let id = ids.api_key(key);
            let usage = store.usage_of_api_keys(&[id], days).await?.remove(&id);
            let usage = usage
                .into_iter()
                .flatten()
                .map(|of| (ids.day().days_until(of.day), of.calls));
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

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::CreateApiKey { key, digest, .. } => {
            let create = |key, digest| Operation::CreateApiKey { key, digest, at };
            vec![
                Operation::ApiKey { digest },
                create(9, digest),
                create(key, 9),
                Operation::RevokeApiKey { key, at },
            ]
        }
        Operation::IssueApiKey { key, at_most, .. } => vec![
            Operation::ApiKey { digest: key },
            Operation::IssueApiKey {
                key: 9,
                at_most,
                at,
            },
        ],
        Operation::RenewApiKey { key, digest, .. } => {
            let values = [key, digest].map(|digest| Operation::ApiKey { digest });
            [
                &values[..],
                &[
                    Operation::CreateApiKey { key: 9, digest, at },
                    Operation::RenewApiKey { key, digest: 9, at },
                    Operation::RevokeApiKey { key, at },
                ],
            ]
            .concat()
        }
        Operation::RevokeApiKey { key, .. } => vec![Operation::ApiKey { digest: key }],
        Operation::RevokeApiKeysOf { .. } => [1, 2, 3, 4]
            .map(|digest| Operation::ApiKey { digest })
            .to_vec(),
        Operation::TouchApiKeys { keys, .. } => {
            let touched = keys.into_iter().filter(|key| *key > 0);
            touched
                .flat_map(|key| {
                    [
                        Operation::ApiKey { digest: key },
                        Operation::ApiKeyUsage { key },
                    ]
                })
                .collect()
        }
        Operation::ApiKeyUsage { key } => vec![Operation::ApiKeyUsage { key }],
        Operation::ClaimExpiryNotice { key, issued } => {
            vec![
                Operation::ApiKey { digest: key },
                Operation::ClaimExpiryNotice { key, issued },
            ]
        }
        Operation::ApiKey { digest } => vec![Operation::ApiKey { digest }],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn api_key(ids: RunIds, number: u8, digest: u8, at: i64) -> domain::ApiKey {
    domain::ApiKey {
        id: ids.api_key(number),
        digest: ids.api_key_digest(digest),
        hint: "00000000…cafe".to_owned(),
        previous: Vec::new(),
        owner: None,
        description: ShortText::from_static("급식 알리미"),
        scopes: ApiScopes::built_in(),
        hidden: HiddenFields::default(),
        requested: HiddenFields::default(),
        quota: None,
        created_at: ids.timestamp(at),
        expires_at: ids.timestamp(at).plus(domain::ApiKey::VALIDITY),
        revoked_at: None,
        last_used_at: None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiKey {
    digest: u8,
    is_owned: bool,
    /// Values before the last renewals, and the end of each.
    previous: Vec<(u8, i64)>,
    pub(super) expires_at: i64,
    pub(super) revoked_at: Option<i64>,
    last_used_at: Option<i64>,
    /// Calls of each day.
    usage: BTreeMap<i32, u64>,
    /// Expiry for which the notice was claimed.
    notice_claimed: Option<i64>,
}

impl ApiKey {
    fn counts_toward_limit(&self, at: i64) -> bool {
        self.revoked_at
            .is_none_or(|revoked| at < revoked + REVOKED_KEY_COUNTS_FOR)
    }
}

impl Model {
    pub(super) fn api_keys(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::CreateApiKey { key, digest, at } => {
                self.create_api_key(key, digest, at, false)
            }
            Operation::IssueApiKey { key, at_most, at } => {
                let owned = self
                    .api_keys
                    .values()
                    .filter(|key| key.is_owned && key.counts_toward_limit(at))
                    .count();
                if owned >= at_most as usize {
                    return OperationOutcome::Refused("the owner's limit is reached");
                }
                self.create_api_key(key, key, at, true)
            }
            Operation::RenewApiKey {
                key: number,
                digest,
                at,
            } => {
                let Some(key) = self.api_keys.get(&number).cloned() else {
                    return OperationOutcome::Unknown;
                };
                if key.revoked_at.is_some() {
                    return OperationOutcome::Revoked;
                }
                if self.end_of(digest).is_some() {
                    return OperationOutcome::AlreadyExists;
                }
                let before = key.digest;
                let replaced = (before, key.expires_at.min(at + API_KEY_OVERLAP));
                let previous: Vec<_> = key
                    .previous
                    .iter()
                    .copied()
                    .filter(|(_, end)| at < *end)
                    .chain([replaced])
                    .collect();
                // The new value counts beside those that still work.
                if 1 + previous.iter().filter(|(_, end)| at < *end).count() > MAX_API_KEY_VALUES {
                    return OperationOutcome::Refused("too many values");
                }
                self.api_keys.insert(
                    number,
                    ApiKey {
                        digest,
                        previous,
                        expires_at: at + API_KEY_LIFETIME,
                        ..key
                    },
                );
                OperationOutcome::RefersTo(Some(before))
            }
            Operation::RevokeApiKey { key, at } => {
                let key = self.api_keys.get_mut(&key);
                OperationOutcome::Bool(key.map(|key| *key.revoked_at.get_or_insert(at)).is_some())
            }
            Operation::RevokeApiKeysOf { owner, at } => {
                OperationOutcome::Removed(self.revoke_api_keys_of(owner, at))
            }
            Operation::TouchApiKeys { keys, at } => {
                for (key, (at, calls)) in keys.into_iter().zip([(at, 1), (at - 1, 2)]) {
                    if let Some(key) = self.api_keys.get_mut(&key) {
                        key.touch(at, calls);
                    }
                }
                OperationOutcome::Done
            }
            Operation::ApiKeyUsage { key } => {
                let usage = self.api_keys.get(&key).map(|key| &key.usage);
                OperationOutcome::DailyUsage(
                    usage
                        .into_iter()
                        .flatten()
                        .map(|(day, calls)| (*day, *calls))
                        .collect(),
                )
            }
            Operation::ClaimExpiryNotice { key, issued } => {
                let end = issued + API_KEY_LIFETIME;
                let key = self
                    .api_keys
                    .get_mut(&key)
                    .filter(|key| key.revoked_at.is_none() && key.expires_at == end);
                OperationOutcome::Bool(
                    key.is_some_and(|key| key.notice_claimed.replace(end) != Some(end)),
                )
            }
            Operation::ApiKey { digest } => match self
                .end_of(digest)
                .and_then(|(key, ends)| Some((key, ends, self.api_keys.get(&key)?)))
            {
                Some((key, ends, found)) => OperationOutcome::ApiKey {
                    key,
                    ends,
                    revoked_at: found.revoked_at,
                    last_used_at: found.last_used_at,
                },
                None => OperationOutcome::Unknown,
            },
            _ => OperationOutcome::Unknown,
        }
    }

    /// Revokes the keys of an owner. All owned keys belong to subject 1.
    pub(super) fn revoke_api_keys_of(&mut self, owner: u8, at: i64) -> usize {
        let held = self
            .api_keys
            .values_mut()
            .filter(|key| owner == 1 && key.is_owned && key.revoked_at.is_none());
        held.map(|key| key.revoked_at = Some(at)).count()
    }

    fn create_api_key(&mut self, key: u8, digest: u8, at: i64, is_owned: bool) -> OperationOutcome {
        let is_new = !self.api_keys.contains_key(&key) && self.end_of(digest).is_none();
        if is_new {
            let (expires_at, usage) = (at + API_KEY_LIFETIME, BTreeMap::new());
            let new = ApiKey {
                digest,
                is_owned,
                previous: Vec::new(),
                expires_at,
                revoked_at: None,
                last_used_at: None,
                usage,
                notice_claimed: None,
            };
            self.api_keys.insert(key, new);
        }
        created(is_new)
    }

    /// Returns the key with this value, and the end of the value.
    fn end_of(&self, digest: u8) -> Option<(u8, i64)> {
        self.api_keys.iter().find_map(|(number, key)| {
            let mut values = [(key.digest, key.expires_at)]
                .into_iter()
                .chain(key.previous.iter().copied());
            values
                .find(|(value, _)| *value == digest)
                .map(|(_, end)| (*number, end))
        })
    }
}

impl ApiKey {
    /// Records calls. The first use of a day deletes the counts of days 35 or more before it.
    fn touch(&mut self, at: i64, calls: u64) {
        self.last_used_at = self.last_used_at.max(Some(at));
        let day = i32::try_from(at.div_euclid(DAY)).unwrap_or_default();
        if !self.usage.contains_key(&day) {
            self.usage.retain(|before, _| day - 35 < *before);
        }
        *self.usage.entry(day).or_default() += calls;
    }
}
