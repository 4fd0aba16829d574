use std::collections::BTreeMap;

use super::{Model, Outcome, created};
use crate::testing::interleavings::names::{API_KEY_COUNTS, API_KEY_ENDS, API_KEY_OVERLAP, API_KEY_VALUES, DAY};
use crate::testing::interleavings::operation::Operation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiKey {
    digest: u8,
    is_owned: bool,
    /// The values before the last renewals, and until when each works.
    previous: Vec<(u8, i64)>,
    pub(super) expires_at: i64,
    pub(super) revoked_at: Option<i64>,
    last_used_at: Option<i64>,
    /// The calls of each day.
    usage: BTreeMap<i32, u64>,
    /// The end that somebody has told of.
    told: Option<i64>,
}

impl ApiKey {
    fn counts(&self, at: i64) -> bool {
        self.revoked_at.is_none_or(|revoked| at < revoked + API_KEY_COUNTS)
    }
}

impl Model {
    pub(super) fn perform_on_api_keys(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::CreateApiKey { key, digest, at } => self.create_api_key(key, digest, at, false),
            Operation::IssueApiKey { key, at_most, at } => {
                let owned = self.api_keys.values().filter(|key| key.is_owned && key.counts(at)).count();
                if owned >= at_most as usize {
                    return Outcome::Refused("the owner has enough");
                }
                self.create_api_key(key, key, at, true)
            }
            Operation::RenewApiKey { key: number, digest, at } => {
                let Some(key) = self.api_keys.get(&number).cloned() else { return Outcome::Unknown };
                if key.revoked_at.is_some() {
                    return Outcome::Revoked;
                }
                if self.end_of(digest).is_some() {
                    return Outcome::Taken;
                }
                let before = key.digest;
                let replaced = (before, key.expires_at.min(at + API_KEY_OVERLAP));
                let previous: Vec<_> = key.previous.iter().copied().filter(|(_, end)| at < *end).chain([replaced]).collect();
                // The new value, and those that work beside it.
                if 1 + previous.iter().filter(|(_, end)| at < *end).count() > API_KEY_VALUES {
                    return Outcome::Refused("too many values");
                }
                self.api_keys.insert(number, ApiKey { digest, previous, expires_at: at + API_KEY_ENDS, ..key });
                Outcome::Belongs(Some(before))
            }
            Operation::RevokeApiKey { key, at } => {
                let key = self.api_keys.get_mut(&key);
                Outcome::Is(key.map(|key| *key.revoked_at.get_or_insert(at)).is_some())
            }
            Operation::RevokeApiKeysOf { owner, at } => Outcome::Removed(self.revoke_api_keys_of(owner, at)),
            Operation::TouchApiKeys { keys, at } => {
                for (key, (at, calls)) in keys.into_iter().zip([(at, 1), (at - 1, 2)]) {
                    if let Some(key) = self.api_keys.get_mut(&key) {
                        key.touch(at, calls);
                    }
                }
                Outcome::Done
            }
            Operation::ApiKeyUsage { key } => {
                let usage = self.api_keys.get(&key).map(|key| &key.usage);
                Outcome::Usage(usage.into_iter().flatten().map(|(day, calls)| (*day, *calls)).collect())
            }
            Operation::ClaimNotice { key, issued } => {
                let end = issued + API_KEY_ENDS;
                let key = self.api_keys.get_mut(&key).filter(|key| key.revoked_at.is_none() && key.expires_at == end);
                Outcome::Is(key.is_some_and(|key| key.told.replace(end) != Some(end)))
            }
            Operation::ApiKey { digest } => match self.end_of(digest).and_then(|(key, ends)| Some((key, ends, self.api_keys.get(&key)?))) {
                Some((key, ends, found)) => Outcome::ApiKey { key, ends, revoked_at: found.revoked_at, last_used_at: found.last_used_at },
                None => Outcome::Unknown,
            },
            _ => Outcome::Unknown,
        }
    }

    /// Keys that are owned are subject 1's.
    pub(super) fn revoke_api_keys_of(&mut self, owner: u8, at: i64) -> usize {
        let held = self.api_keys.values_mut().filter(|key| owner == 1 && key.is_owned && key.revoked_at.is_none());
        held.map(|key| key.revoked_at = Some(at)).count()
    }

    fn create_api_key(&mut self, key: u8, digest: u8, at: i64, is_owned: bool) -> Outcome {
        let is_new = !self.api_keys.contains_key(&key) && self.end_of(digest).is_none();
        if is_new {
            let (expires_at, usage) = (at + API_KEY_ENDS, BTreeMap::new());
            let new =
                ApiKey { digest, is_owned, previous: Vec::new(), expires_at, revoked_at: None, last_used_at: None, usage, told: None };
            self.api_keys.insert(key, new);
        }
        created(is_new)
    }

    /// The key of which this is a value, and when the value ends.
    fn end_of(&self, digest: u8) -> Option<(u8, i64)> {
        self.api_keys.iter().find_map(|(number, key)| {
            let mut values = [(key.digest, key.expires_at)].into_iter().chain(key.previous.iter().copied());
            values.find(|(value, _)| *value == digest).map(|(_, end)| (*number, end))
        })
    }
}

impl ApiKey {
    /// The first use of a day takes those of 35 days before away.
    fn touch(&mut self, at: i64, calls: u64) {
        self.last_used_at = self.last_used_at.max(Some(at));
        let day = i32::try_from(at.div_euclid(DAY)).unwrap_or_default();
        if !self.usage.contains_key(&day) {
            self.usage.retain(|before, _| day - 35 < *before);
        }
        *self.usage.entry(day).or_default() += calls;
    }
}
