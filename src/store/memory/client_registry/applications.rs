use super::{Registry, is_at_limit, paginate};
use crate::domain::{Application, ApplicationId, PageRequest, Scope, SubjectId};
use crate::store::memory::grants::Grants;
use crate::store::{ApplicationPatch, Creation, LimitedCreation, Paged, RegistryChange};

impl Registry {
    pub(super) fn create_application(&mut self, application: Application) -> Creation {
        if self.applications.contains_key(&application.id) {
            return Creation::AlreadyExists;
        }
        self.applications.insert(application.id, application);
        Creation::Created
    }

    pub(super) fn register_application(
        &mut self,
        application: Application,
        limit: u32,
    ) -> LimitedCreation {
        if is_at_limit(
            self.applications
                .values()
                .filter(|other| other.owner == application.owner),
            limit,
        ) {
            return LimitedCreation::LimitReached;
        }
        match self.create_application(application) {
            Creation::Created => LimitedCreation::Created,
            Creation::AlreadyExists => LimitedCreation::AlreadyExists,
        }
    }

    pub(super) fn applications(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Paged<Application> {
        let owned = self
            .applications
            .values()
            .filter(|application| owner.is_none_or(|owner| application.owner == *owner));
        paginate(
            owned.cloned().collect(),
            |application| (application.created_at, application.id.to_string()),
            page,
        )
    }

    pub(super) fn update_application(
        &mut self,
        id: ApplicationId,
        change: ApplicationPatch,
    ) -> RegistryChange {
        if id == ApplicationId::Service {
            return RegistryChange::BuiltIn;
        }
        let Some(application) = self.applications.get_mut(&id) else {
            return RegistryChange::NotFound;
        };
        let ApplicationPatch {
            name,
            name_translations,
        } = change;
        if let Some(name) = name {
            application.name = name;
        }
        if let Some(translations) = name_translations {
            application.name_translations = translations;
        }
        for definition in self
            .scopes
            .values_mut()
            .filter(|definition| definition.scope.application == id)
        {
            definition.application_name = application.name.clone();
            definition.application_name_translations = application.name_translations.clone();
        }
        RegistryChange::Done
    }

    pub(super) fn delete_application(
        &mut self,
        id: ApplicationId,
        grants: &mut Grants,
    ) -> RegistryChange {
        if id == ApplicationId::Service {
            return RegistryChange::BuiltIn;
        }
        if self.applications.remove(&id).is_none() {
            return RegistryChange::NotFound;
        }
        let scopes: Vec<Scope> = self
            .scopes
            .keys()
            .filter(|scope| scope.application == id)
            .cloned()
            .collect();
        for scope in &scopes {
            self.remove_scope(scope, grants);
        }
        RegistryChange::Done
    }
}
