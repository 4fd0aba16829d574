use std::sync::Arc;

use crate::directory::{FieldInfo, ResourceDefinition};
use crate::domain::{ApiKey, ApiKeyId, ApiScope, HiddenFields, PageRequest};
use crate::http::KeyLimit;
use crate::http::console::error::Error;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::KeyOption;
use crate::http::pages::texts::Texts;

/// Authority with which a page reads the school's data.
#[derive(Debug, Clone)]
pub(super) enum Reader {
    /// One of the user's API keys.
    Key {
        key: Arc<ApiKey>,
        /// Whether pages of the list are read with it if no key is asked for.
        is_default: bool,
        limit: KeyLimit,
    },
    /// The user's role: administrators read every list with all fields. The role is that of the
    /// current request, so a user who loses it cannot read the next page.
    Administrator,
}

impl Reader {
    /// Whether the values of the field are hidden from the reader.
    pub(super) fn hides(&self, field: &FieldInfo) -> bool {
        field
            .personal
            .is_some_and(|personal| self.hidden().contains(personal))
    }

    pub(super) fn hidden(&self) -> HiddenFields {
        match self {
            Self::Key { key, .. } => key.hidden,
            Self::Administrator => HiddenFields::default(),
        }
    }

    pub(super) fn may_read(&self, list: &ResourceDefinition) -> bool {
        match self {
            Self::Key { key, .. } => key.scopes.contains(&list.scope),
            Self::Administrator => true,
        }
    }

    /// Whether it is another one than is taken without a choice.
    pub(super) fn is_chosen(&self) -> bool {
        self.parameter().is_some()
    }

    /// Value of the parameter `key`; none for administrators and the key that is taken without it.
    pub(super) fn parameter(&self) -> Option<String> {
        match self {
            Self::Key {
                key,
                is_default: false,
                ..
            } => Some(key.id.to_string()),
            _ => None,
        }
    }
}

/// The authorities that a user can choose from: the user's own active API keys, and the role of an
/// administrator. Nobody reads with the key of another user.
pub(super) struct Readers {
    keys: Vec<Arc<ApiKey>>,
    is_administrator: bool,
}

impl Readers {
    pub(super) async fn load(request: &UserRequest<'_>) -> Result<Self, Error> {
        let is_administrator = request.is_administrator();
        let person = &request.user.subject.id;
        let Some(store) = request.server.api_keys() else {
            return Ok(Self {
                keys: Vec::new(),
                is_administrator,
            });
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
        Ok(Self {
            keys,
            is_administrator,
        })
    }

    /// The key with the id `wanted`. Without one, the role of an administrator, or else the first
    /// key that may read the list, or else the first key.
    pub(super) fn select(
        &self,
        wanted: Option<&str>,
        list: &ResourceDefinition,
    ) -> Result<Option<Reader>, Error> {
        let default = self.default_key(list);
        let key = match wanted {
            None if self.is_administrator => return Ok(Some(Reader::Administrator)),
            None => default,
            Some(wanted) => {
                let id = wanted.parse::<ApiKeyId>().map_err(|_| Error::not_found())?;
                let key = self.keys.iter().find(|key| key.id == id);
                Some(key.ok_or_else(Error::not_found)?)
            }
        };
        Ok(key.map(|key| Reader::Key {
            key: Arc::clone(key),
            is_default: !self.is_administrator
                && default.is_some_and(|default| default.id == key.id),
            limit: KeyLimit::Applies,
        }))
    }

    /// The first key that may read the list, or else the first key.
    fn default_key(&self, list: &ResourceDefinition) -> Option<&Arc<ApiKey>> {
        let mut keys = self.keys.iter();
        let readable = keys.find(|key| key.scopes.contains(&list.scope));
        readable.or(self.keys.first())
    }

    /// The key with which calendar feeds are made: the one of the reader, or else the first that may
    /// have any.
    pub(super) fn key_for_feeds(&self, reader: &Reader) -> Option<ApiKeyId> {
        let chosen = match reader {
            Reader::Key { key, .. } => Some(key),
            Reader::Administrator => None,
        };
        let mut keys = chosen.into_iter().chain(&self.keys);
        let key = keys.find(|key| key.scopes.contains(&ApiScope::NEIS_READ))?;
        Some(key.id)
    }

    /// Options for choosing one.
    pub(super) fn choices(&self, chosen: &Reader, text: &Texts) -> Vec<KeyOption> {
        let administrator = self.is_administrator.then(|| KeyOption {
            value: String::new(),
            label: text.look_as_administrator.to_owned(),
            is_on: matches!(chosen, Reader::Administrator),
        });
        let key = |key: &Arc<ApiKey>| KeyOption {
            value: key.id.to_string(),
            label: format!("{} ({})", key.description, key.hint),
            is_on: matches!(chosen, Reader::Key { key: chosen, .. } if chosen.id == key.id),
        };
        administrator
            .into_iter()
            .chain(self.keys.iter().map(key))
            .collect()
    }
}
