use std::collections::BTreeMap;

use super::{Model, OperationOutcome, created};
use crate::testing::interleavings::operation::Operation;
use crate::testing::interleavings::run_ids::{
    API_KEY_LIFETIME, API_KEY_OVERLAP, DAY, MAX_API_KEY_VALUES, REVOKED_KEY_COUNTS_FOR,
};

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
    pub(super) fn perform_on_api_keys(&mut self, operation: Operation) -> OperationOutcome {
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
