use std::sync::Arc;

use crate::directory::Definition;
use crate::domain::{ApiKey, ApiKeyId, PageRequest};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::KeyChoice;

/// The keys of a person that work. An administrator, too, reads by nobody else's.
pub(super) struct OwnKeys(Vec<Arc<ApiKey>>);

impl OwnKeys {
    pub(super) async fn of(server: &Server, who: &SignedIn) -> Result<Self, Refusal> {
        let Some(store) = &server.api_keys else { return Ok(Self(Vec::new())) };
        let (mut keys, now) = (store.api_keys(Some(&who.person.id), PageRequest::LARGEST).await?.items, server.clock.now());
        keys.retain(|key| key.owner.as_ref() == Some(&who.person.id) && key.revoked_at.is_none() && now < key.expires_at);
        Ok(Self(keys))
    }

    /// The key with the id that is asked for. If none is, the first that may read the list, or else the first.
    pub(super) fn chosen(&self, wanted: Option<&str>, list: &Definition) -> Result<Option<&Arc<ApiKey>>, Refusal> {
        let Some(wanted) = wanted else {
            return Ok(self.0.iter().find(|key| key.scopes.contains(&list.scope)).or(self.0.first()));
        };
        let id = wanted.parse::<ApiKeyId>().map_err(|_| Refusal::not_found())?;
        self.0.iter().find(|key| key.id == id).map(Some).ok_or_else(Refusal::not_found)
    }

    /// The keys to choose from.
    pub(super) fn choices(&self, chosen: &ApiKey) -> Vec<KeyChoice> {
        let choice = |key: &Arc<ApiKey>| KeyChoice {
            value: key.id.to_string(),
            label: format!("{} ({})", key.description, key.hint),
            is_on: key.id == chosen.id,
        };
        self.0.iter().map(choice).collect()
    }
}
