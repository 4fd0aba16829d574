use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use super::{
    AuthenticatedBy, ChangeLimiter, ManagementSession, SecretUsageRecorder, Students, UserLimits,
};
#[cfg(feature = "console")]
use crate::crypto::PasswordLinks;
#[cfg(feature = "console")]
use crate::crypto::Seal;
use crate::crypto::{Entropy, FormTokens};
use crate::domain::{
    ApiScopes, Client, ClientId, HiddenFields, Password, Quota, ReservedNames, Role, Subject,
    SubjectId,
};
use crate::http::Clock;
use crate::http::audit::{AuditLog, Event, EventKind, RequestId, RequestOrigin};
use crate::http::issuer::Issuer;
use crate::http::login::{
    LoginService, PasswordChangeOutcome, UserSessions, revoke_owned_api_keys,
};
use crate::http::pages::{CustomPages, PageAssets};
use crate::store::{
    ApiKeyAction, ApiKeyStore, ClientRegistry, ConsentStore, ProtocolStorage, StorageError,
    UserSessionStore,
};

/// Shared state of an [`AuthServer`](crate::http::auth_server::AuthServer), for services that
/// manage the same users, clients and keys. Clones share the state, including the limits on login
/// attempts.
#[derive(Clone)]
pub struct Management {
    /// Public URL of the authorization server.
    pub(crate) issuer: Issuer,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) audit: Arc<dyn AuditLog>,
    pub(crate) login_service: Arc<LoginService>,
    pub(crate) form_tokens: Arc<FormTokens>,
    /// One-time links to set a password.
    #[cfg(feature = "console")]
    pub(crate) password_links: Arc<PasswordLinks>,
    /// Seals uploaded files.
    #[cfg(feature = "console")]
    pub(crate) upload_seal: Arc<Seal>,
    /// Seals what cookies carry to the next page.
    #[cfg(feature = "console")]
    pub(crate) cookie_seal: Arc<Seal>,
    /// The host's own pages.
    pub(crate) pages: Option<Arc<dyn CustomPages>>,
    /// The school's branding, and the files of the pages.
    pub(crate) assets: Arc<PageAssets>,
    /// Names that only administrators may give.
    pub(crate) reserved_names: Arc<ReservedNames>,
    pub(crate) students: Students,
    /// Store of the data API's keys, if they are managed here.
    pub(crate) api_keys: Option<Arc<dyn ApiKeyStore>>,
    /// The scopes that keys can have: the built-in ones and those of the host's own lists.
    pub(crate) api_scopes: ApiScopes,
    /// Scopes that keys of a role may have; all by default.
    pub(crate) api_key_scopes: BTreeMap<Role, ApiScopes>,
    /// The limit of keys without one of their own, if the host tells it.
    pub(crate) api_key_limit: Option<Quota>,
    /// Fields that keys of a role hide until an administrator shows them.
    pub(crate) protected_fields: BTreeMap<Role, HiddenFields>,
    /// Maximum number of keys of a user.
    pub(crate) api_keys_per_owner: u32,
    /// Other limits on a user's records.
    pub(crate) user_limits: UserLimits,
    pub(crate) change_limiter: Arc<ChangeLimiter>,
    pub(crate) storage: Arc<dyn ProtocolStorage>,
    /// Store of consents, if they are remembered.
    pub(crate) consents: Option<Arc<dyn ConsentStore>>,
    /// Store of applications and clients, if they are managed here.
    pub(crate) registry: Option<Arc<dyn ClientRegistry>>,
    /// Uses of client secrets that are not yet written, if the clients are managed here.
    pub(crate) secret_usage: Option<Arc<SecretUsageRecorder>>,
    /// Store of console sessions, if there is a console.
    #[cfg_attr(
        not(feature = "console"),
        expect(dead_code, reason = "only the console reads it")
    )]
    pub(crate) user_sessions: Option<Arc<dyn UserSessionStore>>,
    /// The console's sessions, if it has the origin of the authorization server: then users who are
    /// signed in to one are signed in to the other.
    pub(crate) shared_user_sessions: Arc<OnceLock<Arc<UserSessions>>>,
}

impl Management {
    /// Changes the password of a user, as
    /// [`Accounts::change_password`](crate::http::auth_server::Accounts::change_password) does, for
    /// a host's own page. A wrong old password counts as a failed login attempt. `None` if the user
    /// does not exist or the users are not the built-in accounts.
    ///
    /// The user's API keys are revoked unless `keys` says otherwise: in the same transaction if one
    /// storage holds both, otherwise right after it.
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn change_password(
        &self,
        user: &SubjectId,
        old: &Password,
        new: &Password,
        keys: ApiKeyAction,
        address: Option<IpAddr>,
    ) -> Result<Option<PasswordChangeOutcome>, StorageError> {
        let Some(subject) = self.login_service.authenticator.subject(user).await? else {
            return Ok(None);
        };
        let origin = RequestOrigin {
            request_id: RequestId::new(&*self.entropy),
            address,
        };
        self.change_password_of(&subject, (old, new), keys, origin)
            .await
    }

    /// Changes the password of an already loaded user, within one request.
    pub(crate) async fn change_password_of(
        &self,
        subject: &Subject,
        (old, new): (&Password, &Password),
        keys: ApiKeyAction,
        origin: RequestOrigin,
    ) -> Result<Option<PasswordChangeOutcome>, StorageError> {
        let outcome = self
            .login_service
            .change_password(subject, old, new, keys, origin)
            .await?;
        if outcome == Some(PasswordChangeOutcome::Changed) {
            self.end_api_keys(&subject.id, keys).await?;
        }
        Ok(outcome)
    }

    /// Revokes a user's API keys if they are in another store.
    pub(super) async fn end_api_keys(
        &self,
        owner: &SubjectId,
        keys: ApiKeyAction,
    ) -> Result<(), StorageError> {
        match keys {
            ApiKeyAction::Revoke => {
                revoke_owned_api_keys(self.api_keys.as_deref(), owner, self.clock.now()).await
            }
            ApiKeyAction::Keep => Ok(()),
        }
    }

    /// Management operations on behalf of this user.
    pub(crate) fn session_for(
        &self,
        user: Subject,
        authenticated_by: AuthenticatedBy,
        origin: RequestOrigin,
    ) -> ManagementSession<'_> {
        ManagementSession {
            management: self,
            user,
            authenticated_by,
            origin,
        }
    }

    /// Shares the sessions of a console with the authorization pages. Of several consoles the first
    /// one shares its sessions.
    #[cfg(feature = "console")]
    pub(crate) fn share_user_sessions(&self, sessions: &Arc<UserSessions>) {
        let _ = self.shared_user_sessions.set(Arc::clone(sessions));
    }

    /// The label of a user on pages: the e-mail address, or the id of a removed user.
    pub(crate) async fn user_label(&self, id: &SubjectId) -> Result<String, StorageError> {
        let authenticator = &self.login_service.authenticator;
        if let Some(subject) = authenticator.subject(id).await? {
            return Ok(subject.email.to_string());
        }
        // A suspended account is no user, but has an address.
        let account = match (authenticator.accounts(), id.as_str().parse()) {
            (Some(accounts), Ok(id)) => accounts.store().account(id).await?,
            _ => None,
        };
        Ok(account.map_or_else(
            || id.as_str().to_owned(),
            |account| account.email.to_string(),
        ))
    }

    /// Whether an owner is no user any more.
    #[cfg(feature = "console")]
    pub(crate) async fn has_left(&self, owner: &SubjectId) -> Result<bool, StorageError> {
        let user = self.login_service.authenticator.subject(owner).await?;
        Ok(user.is_none() && *owner != SubjectId::service())
    }

    /// The existing clients among these, read in one call of the store.
    pub(crate) async fn clients_by_id(
        &self,
        ids: HashSet<ClientId>,
    ) -> Result<HashMap<ClientId, Arc<Client>>, StorageError> {
        let ids: Vec<ClientId> = ids.into_iter().collect();
        let clients = self.storage.clients_by_id(&ids).await?;
        Ok(clients
            .into_iter()
            .map(|client| (client.id, client))
            .collect())
    }

    /// Whether the school's directory is known.
    #[cfg(feature = "console")]
    pub(crate) const fn has_directory(&self) -> bool {
        self.students.directory().is_some()
    }

    /// Whether the school's directory is known and keeps a history.
    #[cfg(feature = "console")]
    pub(crate) fn keeps_school_history(&self) -> bool {
        let directory = self.students.directory();
        directory.is_some_and(|school| school.history_store().is_some())
    }

    /// Whether only administrators may give this name.
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        self.reserved_names.contains(name)
    }

    /// Records an audit event.
    pub(crate) fn record(&self, origin: RequestOrigin, kind: EventKind) {
        self.audit
            .record(&Event::new(origin, self.clock.now(), kind));
    }
}

impl fmt::Debug for Management {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Management")
            .field("issuer", &self.issuer.as_str())
            .finish_non_exhaustive()
    }
}
