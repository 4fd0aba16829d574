use super::{Model, Outcome, created};
use crate::testing::interleavings::names::{API_KEY_COUNTS, API_KEY_ENDS, API_KEY_OVERLAP};
use crate::testing::interleavings::operation::Operation;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ApiKey {
    digest: u8,
    is_owned: bool,
    /// The value before the last renewal, and until when that works.
    previous: Option<(u8, i64)>,
    pub(super) expires_at: i64,
    pub(super) revoked_at: Option<i64>,
    last_used_at: Option<i64>,
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
                let Some(key) = self.api_keys.get(&number).copied() else { return Outcome::Unknown };
                if key.revoked_at.is_some() {
                    return Outcome::Revoked;
                }
                if self.end_of(digest).is_some() {
                    return Outcome::Taken;
                }
                let previous = Some((key.digest, key.expires_at.min(at + API_KEY_OVERLAP)));
                self.api_keys.insert(number, ApiKey { digest, previous, expires_at: at + API_KEY_ENDS, ..key });
                Outcome::Belongs(Some(key.digest))
            }
            Operation::RevokeApiKey { key, at } => {
                let key = self.api_keys.get_mut(&key);
                Outcome::Is(key.map(|key| *key.revoked_at.get_or_insert(at)).is_some())
            }
            Operation::TouchApiKeys { keys, at } => {
                for (key, at) in keys.into_iter().zip([at, at - 1]) {
                    if let Some(key) = self.api_keys.get_mut(&key) {
                        key.last_used_at = key.last_used_at.max(Some(at));
                    }
                }
                Outcome::Done
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

    fn create_api_key(&mut self, key: u8, digest: u8, at: i64, is_owned: bool) -> Outcome {
        let is_new = !self.api_keys.contains_key(&key) && self.end_of(digest).is_none();
        if is_new {
            let expires_at = at + API_KEY_ENDS;
            self.api_keys
                .insert(key, ApiKey { digest, is_owned, previous: None, expires_at, revoked_at: None, last_used_at: None, told: None });
        }
        created(is_new)
    }

    /// The key of which this is a value, and when the value ends.
    fn end_of(&self, digest: u8) -> Option<(u8, i64)> {
        self.api_keys.iter().find_map(|(number, key)| {
            let values = [Some((key.digest, key.expires_at)), key.previous];
            values.into_iter().flatten().find(|(value, _)| *value == digest).map(|(_, end)| (*number, end))
        })
    }
}
