use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Access, Caps, Desk, Pace};
use crate::crypto::{Entropy, FormTokens};
use crate::directory::Directory;
use crate::domain::{ApiScopes, Client, ClientId, Password, ReservedNames, Role, Subject, SubjectId};
use crate::http::Clock;
use crate::http::audit::{AuditLog, Event, EventKind, Origin, RequestId};
use crate::http::issuer::Issuer;
use crate::http::pages::Pages;
use crate::http::sign_in::{Doorkeeper, PasswordVerdict, revoke_owned_api_keys};
use crate::store::{ApiKeyStore, AuthStorage, OwnedApiKeys, StorageError};

/// What an [`AuthServer`](crate::http::auth_server::AuthServer) knows and other services of the same school need to manage the same things
/// by the same rules. All clones are one: whoever guesses passwords at one of the services has no attempts left at the others.
#[derive(Clone)]
pub struct Office {
    /// Where the world finds the authorization server.
    pub(crate) issuer: Issuer,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) audit: Arc<dyn AuditLog>,
    pub(crate) doorkeeper: Arc<Doorkeeper>,
    pub(crate) form_tokens: Arc<FormTokens>,
    /// Pages of the host's own.
    pub(crate) pages: Option<Arc<dyn Pages>>,
    /// Names that only administrators give.
    pub(crate) reserved_names: Arc<RwLock<ReservedNames>>,
    /// Where users are looked up as students.
    pub(crate) directory: Option<Directory>,
    /// Where the keys of the data API are kept, if they are managed here.
    pub(crate) api_keys: Option<Arc<dyn ApiKeyStore>>,
    /// The scopes that keys can have: the built-in ones and those of the host's own lists.
    pub(crate) api_scopes: ApiScopes,
    /// Which of them the keys of a role may have; all if the host has not said.
    pub(crate) api_key_scopes: BTreeMap<Role, ApiScopes>,
    /// How many keys a user may have.
    pub(crate) api_keys_per_owner: u32,
    /// How much else a user may have.
    pub(crate) caps: Caps,
    pub(crate) pace: Arc<Pace>,
    pub(crate) storage: Arc<dyn AuthStorage>,
}

impl Office {
    /// Gives a user another password, as [`Accounts::change_password`](crate::http::auth_server::Accounts::change_password) does, for a
    /// page of the host's own. A wrong old one counts as a failed attempt to sign in. `None` if there is no such user, or the users are not
    /// the built-in accounts.
    ///
    /// The user's API keys are revoked unless `keys` says otherwise: in the same transition where one storage holds both, else right after it.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn change_password(
        &self,
        user: &SubjectId,
        old: &Password,
        new: &Password,
        keys: OwnedApiKeys,
        address: Option<IpAddr>,
    ) -> Result<Option<PasswordVerdict>, StorageError> {
        let Some(subject) = self.doorkeeper.authenticator.subject(user).await? else { return Ok(None) };
        let origin = Origin { request_id: RequestId::new(&*self.entropy), address };
        self.change_password_of(&subject, (old, new), keys, origin).await
    }

    /// The same for a user who is known, within one request.
    pub(crate) async fn change_password_of(
        &self,
        subject: &Subject,
        (old, new): (&Password, &Password),
        keys: OwnedApiKeys,
        origin: Origin,
    ) -> Result<Option<PasswordVerdict>, StorageError> {
        let verdict = self.doorkeeper.change_password(subject, old, new, keys, origin).await?;
        if verdict == Some(PasswordVerdict::Changed) {
            self.end_api_keys(&subject.id, keys).await?;
        }
        Ok(verdict)
    }

    /// Revokes a user's API keys where they are in another store than what has just ended.
    pub(super) async fn end_api_keys(&self, owner: &SubjectId, keys: OwnedApiKeys) -> Result<(), StorageError> {
        match keys {
            OwnedApiKeys::Revoke => revoke_owned_api_keys(self.api_keys.as_deref(), owner, self.clock.now()).await,
            OwnedApiKeys::Keep => Ok(()),
        }
    }

    /// The desk at which this person has come.
    pub(crate) fn desk(&self, person: Subject, access: Access, origin: Origin) -> Desk<'_> {
        Desk { office: self, person, access, origin }
    }

    /// What pages call somebody: the e-mail address, or the id of a user who is gone.
    pub(crate) async fn known_as(&self, id: &SubjectId) -> Result<String, StorageError> {
        let subject = self.doorkeeper.authenticator.subject(id).await?;
        Ok(subject.map_or_else(|| id.as_str().to_owned(), |subject| subject.email.to_string()))
    }

    /// Those of the clients that exist, by one call of the store.
    pub(crate) async fn clients_by_id(&self, ids: HashSet<ClientId>) -> Result<HashMap<ClientId, Arc<Client>>, StorageError> {
        let ids: Vec<ClientId> = ids.into_iter().collect();
        let clients = self.storage.clients_by_id(&ids).await?;
        Ok(clients.into_iter().map(|client| (client.id, client)).collect())
    }

    /// Reserves a name for administrators from now on.
    #[cfg(feature = "ui")]
    pub(crate) fn reserve_name(&self, name: &str) {
        self.reserved_names.write().unwrap_or_else(PoisonError::into_inner).insert(name);
    }

    /// Whether only administrators give this name.
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        self.reserved_names.read().unwrap_or_else(PoisonError::into_inner).contains(name)
    }

    /// Records that something has happened.
    pub(crate) fn record(&self, origin: Origin, kind: EventKind) {
        self.audit.record(&Event::new(origin, self.clock.now(), kind));
    }
}

impl fmt::Debug for Office {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Office").field("issuer", &self.issuer.as_str()).finish_non_exhaustive()
    }
}
