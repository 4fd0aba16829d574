use std::sync::Arc;

use super::permission::Changeable;
use super::session::differing;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{
    Client, ClientId, ClientPolicy, ClientSecret, ClientSettings, InvalidClientMetadata,
    InvalidValue, PageRequest, PolicyUri, RedirectUri, RegisteredSecret, ScopeSet, ShortText,
    Verification,
};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, Paged};

impl ManagementSession<'_> {
    /// The user's clients; all of them for an administrator.
    pub(crate) async fn clients(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<Client>>, ManagementError> {
        Ok(self
            .registry()?
            .clients(self.owner_filter().into(), page)
            .await?)
    }

    /// The unverified clients, for administrators.
    pub(crate) async fn clients_to_review(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<Client>>, ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("reviews clients").into());
        }
        Ok(self
            .registry()?
            .clients(ClientFilter::AwaitingReview, page)
            .await?)
    }

    /// Registers a client, with a secret if it is not public. The secret is not shown again. The
    /// client is unverified unless an administrator sets `verified`.
    pub(crate) async fn create_client(
        &self,
        settings: ClientSettings,
        verified: Option<bool>,
    ) -> Result<(Client, Option<ClientSecret>), ManagementError> {
        self.check_privileges((false, false), &settings)?;
        self.check_redirect_uris(&[], &settings)?;
        self.check_name(None, &settings.name)?;
        let verification = match verified {
            Some(verified) => self.verification(&settings, verified)?,
            None => Verification::Unverified,
        };
        let (now, entropy) = (self.now(), &self.management.entropy);
        let secret = (settings.policy != ClientPolicy::Public)
            .then(|| ClientSecret::from_random(entropy.bytes()));
        let client = Client {
            id: ClientId::from_random(entropy.bytes()),
            name: settings.name,
            owner: self.user.id.clone(),
            policy: settings.policy,
            secrets: secret
                .iter()
                .map(|secret| RegisteredSecret::new(secret, now))
                .collect(),
            redirect_uris: settings.redirect_uris,
            allowed_scopes: settings.allowed_scopes,
            plain_pkce_allowed: settings.plain_pkce_allowed,
            pkce_required: settings.pkce_required,
            first_party: settings.first_party,
            client_credentials_allowed: settings.client_credentials_allowed,
            iss_omitted: settings.iss_omitted,
            policy_uri: settings.policy_uri,
            verification,
            created_at: now,
            suspended_at: None,
        };
        let limit = self.effective_limit(self.management.user_limits.clients_per_user);
        match self
            .registry()?
            .register_client(client.clone(), limit)
            .await?
        {
            ClientCreation::Created => {}
            ClientCreation::LimitReached => {
                return Err(Rejection::too_many_clients(limit).into());
            }
            ClientCreation::Invalid(fault) => return Err(client_rejected(fault).into()),
            ClientCreation::UnknownScope(_) => return Err(Rejection::scope_unknown().into()),
            ClientCreation::NeedsApproval(_) => return Err(Rejection::approval_required().into()),
            ClientCreation::AlreadyExists => {
                return Err(ManagementError::Failed("a new client's id was taken"));
            }
        }
        self.record_change(ManagedObject::Client(client.id), Change::Created);
        if !self.is_still_authenticated().await? {
            self.undo_registration(&client).await?;
            return Err(ManagementError::AccessEnded);
        }
        Ok((client, secret))
    }

    /// Deletes a client that was registered while the request lost its access. The last first-party
    /// client cannot be deleted, so this one is first made an ordinary client.
    async fn undo_registration(&self, client: &Client) -> Result<(), ManagementError> {
        let registry = self.registry()?;
        if client.first_party {
            let current = client.settings();
            let plain = ClientSettings {
                first_party: false,
                allowed_scopes: ScopeSet::default(),
                ..current.clone()
            };
            if registry.update_client(client.id, &current, plain).await? != ClientUpdate::Updated {
                return Err(ManagementError::Failed(
                    "a client that was registered without access could not be deleted",
                ));
            }
        }
        if registry.delete_client(client.id, self.now()).await? == ClientDeletion::Deleted {
            self.record_change(ManagedObject::Client(client.id), Change::Deleted);
        }
        Ok(())
    }

    /// Updates the client's settings if they have not changed since they were read. The
    /// verification in `new` is ignored: administrators change it with `verified`, and a client
    /// becomes unverified when its owner changes its name or privacy policy, or adds a redirect URI.
    /// A verification together with another name, other redirect URIs or another privacy policy is
    /// refused, so that exactly the reviewed data is verified.
    pub(crate) async fn change_client(
        &self,
        client: &Changeable<Arc<Client>>,
        mut new: ClientSettings,
        verified: Option<bool>,
    ) -> Result<(), ManagementError> {
        let old = client.settings();
        self.check_privileges((old.first_party, old.client_credentials_allowed), &new)?;
        self.check_name(Some(&old.name), &new.name)?;
        self.check_redirect_uris(&old.redirect_uris, &new)?;
        let decision = verified
            .filter(|verified| self.is_administrator() || *verified != client.is_verified());
        new.verification = match decision {
            Some(verified) => {
                let reviewed = self.verification(&new, verified)?;
                if verified && what_is_reviewed(&new) != what_is_reviewed(&old) {
                    return Err(Rejection::other_than_reviewed().into());
                }
                reviewed
            }
            None if !self.is_administrator() && differs_from_what_was_reviewed(&old, &new) => {
                Verification::Unverified
            }
            None => old.verification.clone(),
        };
        let change = match decision.filter(|_| new.verification != old.verification) {
            Some(true) => Change::Verified,
            Some(false) => Change::Unverified,
            None => Change::Changed,
        };
        let fields = differing(&differences(&old, &new));
        match self.registry()?.update_client(client.id, &old, new).await? {
            ClientUpdate::Updated => {}
            ClientUpdate::Conflict => return Err(Rejection::changed_meanwhile().into()),
            ClientUpdate::Invalid(fault) => return Err(client_rejected(fault).into()),
            ClientUpdate::UnknownScope(_) => return Err(Rejection::scope_unknown().into()),
            ClientUpdate::NeedsApproval(_) => return Err(Rejection::approval_required().into()),
            ClientUpdate::NotFound => return Err(Rejection::not_found().into()),
        }
        self.record_change_of_fields(ManagedObject::Client(client.id), change, fields);
        Ok(())
    }

    pub(crate) async fn delete_client(
        &self,
        client: &Changeable<Arc<Client>>,
    ) -> Result<(), ManagementError> {
        match self
            .registry()?
            .delete_client(client.id, self.now())
            .await?
        {
            ClientDeletion::Deleted => {}
            ClientDeletion::LastFirstParty => return Err(Rejection::last_first_party().into()),
            ClientDeletion::NotFound => return Err(Rejection::not_found().into()),
        }
        self.record_change(ManagedObject::Client(client.id), Change::Deleted);
        Ok(())
    }

    /// The verification of a client with these settings by the user, who must be an administrator.
    fn verification(
        &self,
        settings: &ClientSettings,
        verified: bool,
    ) -> Result<Verification, Rejection> {
        self.check_privileged("verified", !verified, verified)?;
        match verified {
            true => Ok(Verification::Verified {
                by: self.user.id.clone(),
                at: self.now(),
            }),
            false if settings.first_party => Err(Rejection::invalid(
                "verified",
                &InvalidValue::new("cannot be false for a client that is firstParty"),
            )),
            false => Ok(Verification::Unverified),
        }
    }

    /// Refuses redirect URIs above the limits. Existing ones above a limit may stay.
    fn check_redirect_uris(
        &self,
        old: &[RedirectUri],
        new: &ClientSettings,
    ) -> Result<(), Rejection> {
        let limits = &self.management.user_limits;
        if limits.allows_redirect_uris(old, &new.redirect_uris) {
            return Ok(());
        }
        Err(Rejection::too_many_redirect_uris(
            limits.redirect_uris_per_client,
            limits.redirect_uri_bytes_per_client,
        ))
    }

    fn check_privileges(
        &self,
        (first_party, credentials): (bool, bool),
        new: &ClientSettings,
    ) -> Result<(), Rejection> {
        self.check_privileged("firstParty", first_party, new.first_party)?;
        self.check_privileged(
            "clientCredentialsAllowed",
            credentials,
            new.client_credentials_allowed,
        )
    }
}

/// The settings that an administrator reviews.
fn what_is_reviewed(settings: &ClientSettings) -> (&ShortText, &[RedirectUri], Option<&PolicyUri>) {
    (
        &settings.name,
        &settings.redirect_uris,
        settings.policy_uri.as_ref(),
    )
}

/// Whether the name, the redirect targets or the privacy policy differ from what an administrator
/// reviewed. Removing a redirect URI or the privacy policy does not count.
fn differs_from_what_was_reviewed(old: &ClientSettings, new: &ClientSettings) -> bool {
    new.name != old.name
        || new.policy_uri.is_some() && new.policy_uri != old.policy_uri
        || new
            .redirect_uris
            .iter()
            .any(|uri| !old.redirect_uris.contains(uri))
}

fn differences(old: &ClientSettings, new: &ClientSettings) -> [(&'static str, bool); 11] {
    [
        ("name", old.name != new.name),
        ("policy", old.policy != new.policy),
        ("redirectUris", old.redirect_uris != new.redirect_uris),
        ("allowedScopes", old.allowed_scopes != new.allowed_scopes),
        (
            "plainPkceAllowed",
            old.plain_pkce_allowed != new.plain_pkce_allowed,
        ),
        ("pkceRequired", old.pkce_required != new.pkce_required),
        ("firstParty", old.first_party != new.first_party),
        (
            "clientCredentialsAllowed",
            old.client_credentials_allowed != new.client_credentials_allowed,
        ),
        ("issOmitted", old.iss_omitted != new.iss_omitted),
        ("policyUri", old.policy_uri != new.policy_uri),
        ("verified", old.verification != new.verification),
    ]
}

fn client_rejected(fault: InvalidClientMetadata) -> Rejection {
    let (name, rule) = match fault {
        InvalidClientMetadata::ManageIsForFirstParties => (
            "allowedScopes",
            "has service:manage, which is for first-party clients",
        ),
        InvalidClientMetadata::PublicWithCredentials => (
            "clientCredentialsAllowed",
            "cannot be true for a client whose policy is none",
        ),
        InvalidClientMetadata::PublicWithSecrets | InvalidClientMetadata::TooManySecrets => {
            ("policy", "does not go with the client's secrets")
        }
    };
    Rejection::invalid(name, &InvalidValue::new(rule))
}
