use std::sync::Arc;

use crate::directory::ResourceDefinition;
use crate::domain::{ApiKey, ApiKeyId, PageRequest};
use crate::http::console::error::Error;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::KeyOption;

/// Active API keys of the user. Administrators also read only with their own keys.
pub(super) struct ActiveKeys(Vec<Arc<ApiKey>>);

impl ActiveKeys {
    pub(super) async fn load(request: &UserRequest<'_>) -> Result<Self, Error> {
        let person = &request.user.subject.id;
        let Some(store) = request.server.api_keys() else {
            return Ok(Self(Vec::new()));
        };
        let (mut keys, now) = (
            store
                .api_keys(Some(person), PageRequest::LARGEST)
                .await?
                .items,
            request.server.now(),
        );
        keys.retain(|key| {
            key.owner.as_ref() == Some(person) && key.revoked_at.is_none() && now < key.expires_at
        });
        Ok(Self(keys))
    }

    /// The key with the id `wanted`. Without one, the first key that may read the list, or else the
    /// first key.
    pub(super) fn select(
        &self,
        wanted: Option<&str>,
        list: &ResourceDefinition,
    ) -> Result<Option<&Arc<ApiKey>>, Error> {
        let Some(wanted) = wanted else {
            return Ok(self
                .0
                .iter()
                .find(|key| key.scopes.contains(&list.scope))
                .or(self.0.first()));
        };
        let id = wanted.parse::<ApiKeyId>().map_err(|_| Error::not_found())?;
        self.0
            .iter()
            .find(|key| key.id == id)
            .map(Some)
            .ok_or_else(Error::not_found)
    }

    /// Options for choosing a key.
    pub(super) fn choices(&self, chosen: &ApiKey) -> Vec<KeyOption> {
        let choice = |key: &Arc<ApiKey>| KeyOption {
            value: key.id.to_string(),
            label: format!("{} ({})", key.description, key.hint),
            is_on: key.id == chosen.id,
        };
        self.0.iter().map(choice).collect()
    }
}
