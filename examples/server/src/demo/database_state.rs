//! Whether a database is empty, the demo's or another's.

use lyceum::domain::{ApplicationId, ClientId, PageRequest};
use lyceum::store::{ClientFilter, Storage};

use super::KeyFile;
use super::records::{CONSOLE, NATIVE_CLIENT, SERVICE_CLIENT, WEB_CLIENT};
use crate::BoxError;

/// State of the database before this start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DatabaseState {
    /// Without school records, accounts, applications, clients and API keys.
    Nothing,
    /// Contains records of an earlier start of the demo.
    Demo,
    /// Contains other records; the demo adds none.
    Records,
}

impl DatabaseState {
    /// The name for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nothing => "was_empty",
            Self::Demo => "is_demo",
            Self::Records => "has_records",
        }
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Nothing => "was empty and now holds the invented school",
            Self::Demo => {
                "holds the invented school from an earlier start; meals, events and lessons moved on to today"
            }
            Self::Records => {
                "has records of its own, so the demo added nothing: no school, accounts, clients or API keys"
            }
        }
    }
}

/// Inspects the database without changing it.
pub async fn inspect(store: &impl Storage, keys: &KeyFile) -> Result<DatabaseState, BoxError> {
    let few = PageRequest::new(0, 2)?;
    let is_empty = store.directory_version().await?.number == 0
        && store.accounts(None, few).await?.total == 0
        && store.clients(ClientFilter::All, few).await?.total == 0
        && store.api_keys(None, few).await?.total == 0
        && store
            .applications(None, few)
            .await?
            .items
            .iter()
            .all(|application| application.id == ApplicationId::Service);
    if is_empty {
        return Ok(DatabaseState::Nothing);
    }
    // Checked last, because another server that seeds the database creates the first of these
    // before anything else.
    for name in [CONSOLE, WEB_CLIENT, NATIVE_CLIENT, SERVICE_CLIENT] {
        if store
            .client(ClientId::from_random(keys.derive(name)))
            .await?
            .is_some()
        {
            return Ok(DatabaseState::Demo);
        }
    }
    Ok(DatabaseState::Records)
}
