use super::{Registry, has_enough, paged};
use crate::domain::{Application, ApplicationId, Line, PageRequest, Scope, SubjectId};
use crate::store::memory::grants::Grants;
use crate::store::{Creation, Issuance, Registered, RegistryChange};

impl Registry {
    pub(super) fn create_application(&mut self, application: Application) -> Creation {
        if self.applications.contains_key(&application.id) {
            return Creation::Taken;
        }
        self.applications.insert(application.id, application);
        Creation::Created
    }

    pub(super) fn register_application(&mut self, application: Application, at_most: u32) -> Issuance {
        if has_enough(self.applications.values().filter(|other| other.owner == application.owner), at_most) {
            return Issuance::OwnerHasEnough;
        }
        match self.create_application(application) {
            Creation::Created => Issuance::Issued,
            Creation::Taken => Issuance::Taken,
        }
    }

    pub(super) fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Registered<Application> {
        let owned = self.applications.values().filter(|application| owner.is_none_or(|owner| application.owner == *owner));
        paged(owned.cloned().collect(), |application| (application.created_at, application.id.to_string()), page)
    }

    pub(super) fn rename_application(&mut self, id: ApplicationId, name: Line) -> RegistryChange {
        if id == ApplicationId::Service {
            return RegistryChange::OfTheService;
        }
        let Some(application) = self.applications.get_mut(&id) else {
            return RegistryChange::Unknown;
        };
        for definition in self.scopes.values_mut().filter(|definition| definition.scope.application == id) {
            definition.application_name = name.clone();
        }
        application.name = name;
        RegistryChange::Done
    }

    pub(super) fn delete_application(&mut self, id: ApplicationId, grants: &mut Grants) -> RegistryChange {
        if id == ApplicationId::Service {
            return RegistryChange::OfTheService;
        }
        if self.applications.remove(&id).is_none() {
            return RegistryChange::Unknown;
        }
        let scopes: Vec<Scope> = self.scopes.keys().filter(|scope| scope.application == id).cloned().collect();
        for scope in &scopes {
            self.remove_scope(scope, grants);
        }
        RegistryChange::Done
    }
}
