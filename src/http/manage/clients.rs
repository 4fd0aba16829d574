use std::sync::Arc;

use http::StatusCode;

use super::permission::Changeable;
use super::{Denial, Desk, NotDone};
use crate::domain::{
    Client, ClientFault, ClientId, ClientPolicy, ClientSecret, ClientSettings, Invalid, PageRequest, RedirectUri, RegisteredSecret,
    ScopeSet, Verification,
};
use crate::http::audit::{Change, Object, Rule};
use crate::store::{ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, Registered};

impl Desk<'_> {
    /// The person's clients.
    pub(crate) async fn clients(&self, page: PageRequest) -> Result<Registered<Arc<Client>>, NotDone> {
        Ok(self.office.storage.clients(self.listed().into(), page).await?)
    }

    /// The clients that no administrator has verified, for administrators.
    pub(crate) async fn clients_to_review(&self, page: PageRequest) -> Result<Registered<Arc<Client>>, NotDone> {
        if !self.is_administrator() {
            return Err(Denial::administrators_only("Only an administrator reviews clients.").into());
        }
        Ok(self.office.storage.clients(ClientFilter::AwaitingReview, page).await?)
    }

    /// Registers a client, with a secret if it is not public. Nobody is shown the secret again. The client is unverified unless an
    /// administrator says otherwise with `verified`.
    pub(crate) async fn create_client(
        &self,
        settings: ClientSettings,
        verified: Option<bool>,
    ) -> Result<(Client, Option<ClientSecret>), NotDone> {
        self.check_privileges((false, false), &settings)?;
        self.check_redirect_uris(&[], &settings)?;
        self.check_name(None, &settings.name)?;
        let verification = match verified {
            Some(verified) => self.reviewed(&settings, verified)?,
            None => Verification::Unverified,
        };
        let (now, entropy) = (self.now(), &self.office.entropy);
        let secret = (settings.policy != ClientPolicy::Public).then(|| ClientSecret::from_random(entropy.bytes()));
        let client = Client {
            id: ClientId::from_random(entropy.bytes()),
            name: settings.name,
            owner: self.person.id.clone(),
            policy: settings.policy,
            secrets: secret.iter().map(|secret| RegisteredSecret { digest: secret.digest(), created_at: now }).collect(),
            redirect_uris: settings.redirect_uris,
            allowed_scopes: settings.allowed_scopes,
            plain_pkce_allowed: settings.plain_pkce_allowed,
            pkce_required: settings.pkce_required,
            first_party: settings.first_party,
            client_credentials_allowed: settings.client_credentials_allowed,
            iss_omitted: settings.iss_omitted,
            verification,
            created_at: now,
            suspended_at: None,
        };
        let at_most = self.at_most(self.office.caps.clients_per_user);
        match self.office.storage.register_client(client.clone(), at_most).await? {
            ClientCreation::Created => {}
            ClientCreation::OwnerHasEnough => {
                let description = format!("You have all the clients that one user may have, which are {at_most}.");
                return Err(Denial::enough(Rule::TooManyClients, description).into());
            }
            ClientCreation::Refused(fault) => return Err(refused(fault).into()),
            ClientCreation::UnknownScope(_) => return Err(scope_unknown().into()),
            ClientCreation::NeedsApproval(_) => return Err(needs_approval().into()),
            ClientCreation::Taken => return Err(NotDone::Failed("a new client's id was taken")),
        }
        self.managed(Object::Client(client.id), Change::Created);
        if !self.access_holds().await? {
            self.take_back(&client).await?;
            return Err(NotDone::AccessEnded);
        }
        Ok((client, secret))
    }

    /// Deletes a client that was registered while the request lost its access. It may be the first of the service's own, which cannot be
    /// deleted as long as it is one of them.
    async fn take_back(&self, client: &Client) -> Result<(), NotDone> {
        let storage = &self.office.storage;
        if client.first_party {
            let seen = client.settings();
            let plain = ClientSettings { first_party: false, allowed_scopes: ScopeSet::default(), ..seen.clone() };
            if storage.update_client(client.id, &seen, plain).await? != ClientUpdate::Updated {
                return Err(NotDone::Failed("a client that was registered without access could not be deleted"));
            }
        }
        if storage.delete_client(client.id, self.now()).await? == ClientDeletion::Deleted {
            self.managed(Object::Client(client.id), Change::Deleted);
        }
        Ok(())
    }

    /// Gives the client other settings, if they are still those that were seen. Their verification is not taken from `new`: administrators
    /// change it with `verified`, and a client becomes unverified when its owner changes what was reviewed. What is verified is what is there:
    /// a verification that comes with another name or other redirect URIs than the client has is refused.
    pub(crate) async fn change_client(
        &self,
        seen: &Changeable<Arc<Client>>,
        mut new: ClientSettings,
        verified: Option<bool>,
    ) -> Result<(), NotDone> {
        let old = seen.settings();
        self.check_privileges((old.first_party, old.client_credentials_allowed), &new)?;
        self.check_name(Some(&old.name), &new.name)?;
        self.check_redirect_uris(&old.redirect_uris, &new)?;
        new.verification = match verified {
            Some(verified) if self.is_administrator() || verified != seen.is_verified() => {
                let reviewed = self.reviewed(&new, verified)?;
                if verified && (&new.name, &new.redirect_uris) != (&old.name, &old.redirect_uris) {
                    return Err(other_than_reviewed().into());
                }
                reviewed
            }
            _ if !self.is_administrator() && differs_from_what_was_reviewed(&old, &new) => Verification::Unverified,
            _ => old.verification.clone(),
        };
        let fields = differences(&old, &new);
        match self.office.storage.update_client(seen.id, &old, new).await? {
            ClientUpdate::Updated => {}
            ClientUpdate::Changed => return Err(changed_meanwhile().into()),
            ClientUpdate::Refused(fault) => return Err(refused(fault).into()),
            ClientUpdate::UnknownScope(_) => return Err(scope_unknown().into()),
            ClientUpdate::NeedsApproval(_) => return Err(needs_approval().into()),
            ClientUpdate::Unknown => return Err(Denial::unknown().into()),
        }
        self.changed(Object::Client(seen.id), &fields);
        Ok(())
    }

    pub(crate) async fn delete_client(&self, client: &Changeable<Arc<Client>>) -> Result<(), NotDone> {
        match self.office.storage.delete_client(client.id, self.now()).await? {
            ClientDeletion::Deleted => {}
            ClientDeletion::LastFirstParty => return Err(last_first_party().into()),
            ClientDeletion::Unknown => return Err(Denial::unknown().into()),
        }
        self.managed(Object::Client(client.id), Change::Deleted);
        Ok(())
    }

    /// The verification of a client with these settings by the person, who has to be an administrator.
    fn reviewed(&self, settings: &ClientSettings, verified: bool) -> Result<Verification, Denial> {
        self.check_privileged("verified", !verified, verified)?;
        match verified {
            true => Ok(Verification::Verified { by: self.person.id.clone(), at: self.now() }),
            false if settings.first_party => {
                Err(Denial::invalid("verified", &Invalid::new("cannot be false for a client that is firstParty")))
            }
            false => Ok(Verification::Unverified),
        }
    }

    /// Refuses more redirect URIs than a client may have, or longer ones. It may keep those from before there was a cap.
    fn check_redirect_uris(&self, old: &[RedirectUri], new: &ClientSettings) -> Result<(), Denial> {
        let caps = &self.office.caps;
        if caps.allow_redirect_uris(old, &new.redirect_uris) {
            return Ok(());
        }
        let (number, bytes) = (caps.redirect_uris_per_client, caps.redirect_uri_bytes_per_client);
        let description = format!("A client may have {number} redirect URIs of {bytes} bytes together.");
        Err(Denial::enough(Rule::TooManyRedirectUris, description).of_field("redirectUris"))
    }

    fn check_privileges(&self, (first_party, credentials): (bool, bool), new: &ClientSettings) -> Result<(), Denial> {
        self.check_privileged("firstParty", first_party, new.first_party)?;
        self.check_privileged("clientCredentialsAllowed", credentials, new.client_credentials_allowed)
    }
}

/// Whether users may be shown another name, or be sent elsewhere, than an administrator has seen. A redirect URI that is removed sends
/// nobody elsewhere.
fn differs_from_what_was_reviewed(old: &ClientSettings, new: &ClientSettings) -> bool {
    new.name != old.name || new.redirect_uris.iter().any(|uri| !old.redirect_uris.contains(uri))
}

fn differences(seen: &ClientSettings, new: &ClientSettings) -> [(&'static str, bool); 10] {
    [
        ("name", seen.name != new.name),
        ("policy", seen.policy != new.policy),
        ("redirectUris", seen.redirect_uris != new.redirect_uris),
        ("allowedScopes", seen.allowed_scopes != new.allowed_scopes),
        ("plainPkceAllowed", seen.plain_pkce_allowed != new.plain_pkce_allowed),
        ("pkceRequired", seen.pkce_required != new.pkce_required),
        ("firstParty", seen.first_party != new.first_party),
        ("clientCredentialsAllowed", seen.client_credentials_allowed != new.client_credentials_allowed),
        ("issOmitted", seen.iss_omitted != new.iss_omitted),
        ("verified", seen.verification != new.verification),
    ]
}

fn refused(fault: ClientFault) -> Denial {
    let (name, rule) = match fault {
        ClientFault::ManageIsForFirstParties => ("allowedScopes", "has service:manage, which is for the service's own clients"),
        ClientFault::PublicWithCredentials => ("clientCredentialsAllowed", "cannot be true for a client whose policy is none"),
        ClientFault::PublicWithSecrets | ClientFault::TooManySecrets => ("policy", "does not go with the client's secrets"),
    };
    Denial::invalid(name, &Invalid::new(rule))
}

fn last_first_party() -> Denial {
    let description = "This is the last of the service's own clients, or the last that may ask for service:manage. To delete it, first take service:manage from its allowedScopes and set its firstParty to false.";
    Denial::new(Rule::LastFirstParty, StatusCode::CONFLICT, description)
}

fn scope_unknown() -> Denial {
    let description = "A scope in allowedScopes does not exist; GET /v1/clients/available-scopes lists those that do.";
    Denial::new(Rule::ScopeUnknown, StatusCode::BAD_REQUEST, description).of_field("allowedScopes")
}

fn needs_approval() -> Denial {
    let description = "A scope in allowedScopes has to be approved for this client by the owner of its application first.";
    Denial::new(Rule::ApprovalRequired, StatusCode::FORBIDDEN, description).of_field("allowedScopes")
}

fn other_than_reviewed() -> Denial {
    let description = "The client has another name or other redirectUris than the ones that are to be verified. Nothing of this change was kept; \
                       read the client, review it and try again, and leave verified out to change them.";
    Denial::new(Rule::ChangedMeanwhile, StatusCode::CONFLICT, description)
}

fn changed_meanwhile() -> Denial {
    let description = "Somebody changed the client at the same moment. Nothing of this change was kept; read the client and try again.";
    Denial::new(Rule::ChangedMeanwhile, StatusCode::CONFLICT, description)
}
