//! Who may see and change what: its owner, and administrators (service.md, "Scope definition and authorization").

use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use http::StatusCode;

use super::{Denial, Desk, NotDone};
use crate::domain::{ApiKey, Application, ApplicationId, Client, ClientId, ScopeDefinition, SubjectId};
use crate::http::audit::Rule;
use crate::store::RegistryChange;

/// Something that the person at the desk may change. Nothing else can be handed to what changes it, so nobody forgets to ask.
#[derive(Debug)]
pub(crate) struct Changeable<T>(T);

impl<T> Deref for Changeable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Ids are as they were sent. One that is malformed names nothing.
impl Desk<'_> {
    /// The application with this id, which anyone may see: its name and scopes are what every user is shown who is asked to allow them.
    pub(crate) async fn application(&self, id: &str) -> Result<Application, NotDone> {
        Ok(self.office.storage.application(id_of(id)?).await?.ok_or_else(Denial::unknown)?)
    }

    /// The application with this id, for whoever may change it. The service's own stays as it is.
    pub(crate) async fn changeable_application(&self, id: &str) -> Result<Changeable<Application>, NotDone> {
        let application = self.application(id).await?;
        self.check_application(&application)?;
        Ok(Changeable(application))
    }

    /// Refuses who may not change the application.
    pub(crate) fn check_application(&self, application: &Application) -> Result<(), Denial> {
        self.check_owner(Some(&application.owner))?;
        if application.id == ApplicationId::Service { Err(Denial::of_the_service()) } else { Ok(()) }
    }

    /// The scope with this id of the application with that one, for whoever may change both.
    pub(crate) async fn changeable_scope(&self, application: &str, id: &str) -> Result<Changeable<ScopeDefinition>, NotDone> {
        let application = self.changeable_application(application).await?;
        let scope = self.office.storage.scope(id_of(id)?).await?;
        let scope = scope.filter(|definition| definition.scope.application == application.id);
        Ok(scope.map(Changeable).ok_or_else(Denial::unknown)?)
    }

    /// The client with this id, for whoever may see it.
    pub(crate) async fn client(&self, id: &str) -> Result<Arc<Client>, NotDone> {
        let client = self.office.storage.client(id_of::<ClientId>(id)?).await?.ok_or_else(Denial::unknown)?;
        self.check_owner(Some(&client.owner))?;
        Ok(client)
    }

    /// The client with this id, for whoever may change it. One of the service's own is trusted with `service:manage`, so whoever could send
    /// its users elsewhere could manage in everybody's name: only administrators change it, also if somebody else owns it.
    pub(crate) async fn changeable_client(&self, id: &str) -> Result<Changeable<Arc<Client>>, NotDone> {
        let client = self.client(id).await?;
        if client.first_party && !self.is_administrator() {
            return Err(Denial::administrators_only("Only an administrator may change one of the service's own clients.").into());
        }
        Ok(Changeable(client))
    }

    /// The key with this id, for whoever may change it. One that is revoked is gone.
    pub(crate) async fn changeable_api_key(&self, id: &str) -> Result<Changeable<Arc<ApiKey>>, NotDone> {
        let key = self.api_key_store()?.api_key_by_id(id_of(id)?).await?.ok_or_else(Denial::unknown)?;
        self.check_owner(key.owner.as_ref())?;
        if key.revoked_at.is_some() { Err(Denial::unknown().into()) } else { Ok(Changeable(key)) }
    }

    /// Refuses a setting that only administrators may change, unless it stays as it is.
    pub(super) fn check_privileged(&self, name: &'static str, old: bool, new: bool) -> Result<(), Denial> {
        if old == new || self.is_administrator() {
            return Ok(());
        }
        Err(Denial::administrators_only("Only an administrator may change this field.").of_field(name))
    }

    /// Refuses who neither owns it nor is an administrator. What nobody owns is an administrator's.
    pub(super) fn check_owner(&self, owner: Option<&SubjectId>) -> Result<(), Denial> {
        if owner == Some(&self.person.id) || self.is_administrator() {
            return Ok(());
        }
        let description = "This belongs to somebody else, and you are not an administrator.";
        Err(Denial::new(Rule::NotOwner, StatusCode::FORBIDDEN, description))
    }
}

/// An id as it was sent.
pub(super) fn id_of<T: FromStr>(text: &str) -> Result<T, Denial> {
    text.parse().map_err(|_| Denial::unknown())
}

/// What became of a change, as far as there is something to refuse.
pub(super) fn finished(change: RegistryChange) -> Result<(), Denial> {
    match change {
        RegistryChange::Done => Ok(()),
        RegistryChange::OfTheService => Err(Denial::of_the_service()),
        RegistryChange::Unknown => Err(Denial::unknown()),
    }
}
