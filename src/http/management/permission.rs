//! Permission checks: owners and administrators may see and change an object (spec 3.27).

use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{
    ApiKey, Application, ApplicationId, Client, ClientId, ScopeDefinition, SubjectId,
};
use crate::store::RegistryChange;

/// An object that the session's user may change. Methods that change an object require this type,
/// so that the check cannot be omitted.
#[derive(Debug)]
pub(crate) struct Changeable<T>(T);

impl<T> Deref for Changeable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Loads objects by id and checks permissions. Ids are unparsed; a malformed one is not found.
impl ManagementSession<'_> {
    /// The application with this id. Every user may see it: consent pages show its name and scopes
    /// to any user.
    pub(crate) async fn application(&self, id: &str) -> Result<Application, ManagementError> {
        Ok(self
            .registry()?
            .application(parse_id(id)?)
            .await?
            .ok_or_else(Rejection::not_found)?)
    }

    /// The application with this id, if the user may change it. The service's own cannot be
    /// changed.
    pub(crate) async fn changeable_application(
        &self,
        id: &str,
    ) -> Result<Changeable<Application>, ManagementError> {
        let application = self.application(id).await?;
        self.check_application(&application)?;
        Ok(Changeable(application))
    }

    /// Refuses users who may not change the application.
    pub(crate) fn check_application(&self, application: &Application) -> Result<(), Rejection> {
        self.check_owner(Some(&application.owner))?;
        if application.id == ApplicationId::Service {
            Err(Rejection::service_owned())
        } else {
            Ok(())
        }
    }

    /// The scope of this application, if the user may change both.
    pub(crate) async fn changeable_scope(
        &self,
        application: &str,
        id: &str,
    ) -> Result<Changeable<ScopeDefinition>, ManagementError> {
        let application = self.changeable_application(application).await?;
        let scope = self.registry()?.scope(parse_id(id)?).await?;
        let scope = scope.filter(|definition| definition.scope.application == application.id);
        Ok(scope.map(Changeable).ok_or_else(Rejection::not_found)?)
    }

    /// The client with this id, if the user may see it.
    pub(crate) async fn client(&self, id: &str) -> Result<Arc<Client>, ManagementError> {
        let client = self
            .management
            .storage
            .client(parse_id::<ClientId>(id)?)
            .await?
            .ok_or_else(Rejection::not_found)?;
        self.check_owner(Some(&client.owner))?;
        Ok(client)
    }

    /// The client with this id, if the user may change it. First-party clients are trusted with
    /// `service:manage`, and changed redirect URIs could take over that access. Only administrators
    /// change them, regardless of their owner.
    pub(crate) async fn changeable_client(
        &self,
        id: &str,
    ) -> Result<Changeable<Arc<Client>>, ManagementError> {
        let client = self.client(id).await?;
        if client.first_party && !self.is_administrator() {
            return Err(Rejection::administrators_only("may change a first-party client").into());
        }
        Ok(Changeable(client))
    }

    /// The key with this id, if the user may change it. A revoked key is not found.
    pub(crate) async fn changeable_api_key(
        &self,
        id: &str,
    ) -> Result<Changeable<Arc<ApiKey>>, ManagementError> {
        let key = self
            .api_key_store()?
            .api_key_by_id(parse_id(id)?)
            .await?
            .ok_or_else(Rejection::not_found)?;
        self.check_owner(key.owner.as_ref())?;
        if key.revoked_at.is_some() {
            Err(Rejection::not_found().into())
        } else {
            Ok(Changeable(key))
        }
    }

    /// Refuses a setting that only administrators may change, unless it stays as it is.
    pub(super) fn check_privileged(
        &self,
        name: &'static str,
        old: bool,
        new: bool,
    ) -> Result<(), Rejection> {
        if old == new || self.is_administrator() {
            return Ok(());
        }
        Err(Rejection::administrators_only("may change this field").with_parameter(name))
    }

    /// Refuses users who are neither the owner nor an administrator. Objects without an owner are
    /// for administrators.
    pub(super) fn check_owner(&self, owner: Option<&SubjectId>) -> Result<(), Rejection> {
        if owner == Some(&self.user.id) || self.is_administrator() {
            return Ok(());
        }
        Err(Rejection::not_owner())
    }
}

/// Parses an id; a malformed one is not found.
pub(super) fn parse_id<T: FromStr>(text: &str) -> Result<T, Rejection> {
    text.parse().map_err(|_| Rejection::not_found())
}

/// Maps the result of a change to a refusal.
pub(super) fn check_outcome(change: RegistryChange) -> Result<(), Rejection> {
    match change {
        RegistryChange::Done => Ok(()),
        RegistryChange::BuiltIn => Err(Rejection::service_owned()),
        RegistryChange::NotFound => Err(Rejection::not_found()),
    }
}
