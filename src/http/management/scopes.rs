use super::display_names::{check_description, check_translated_descriptions};
use super::permission::{Changeable, check_outcome};
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{
    Application, PageRequest, Scope, ScopeDefinition, ScopeDescription, ScopeId, ScopeName,
    Translations,
};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{Paged, ScopeCreation, ScopePatch};

impl ManagementSession<'_> {
    /// The scopes of an application.
    pub(crate) async fn scopes(
        &self,
        application: &Application,
        page: PageRequest,
    ) -> Result<Paged<ScopeDefinition>, ManagementError> {
        Ok(self.registry()?.scopes(Some(application.id), page).await?)
    }

    /// All scopes, for any signed-in user.
    pub(crate) async fn available_scopes(
        &self,
        page: PageRequest,
    ) -> Result<Paged<ScopeDefinition>, ManagementError> {
        Ok(self.registry()?.scopes(None, page).await?)
    }

    /// Creates a scope of an application, within the limit.
    pub(crate) async fn create_scope(
        &self,
        application: &Changeable<Application>,
        name: ScopeName,
        description: ScopeDescription,
        description_translations: Translations,
        approval_required: bool,
    ) -> Result<ScopeDefinition, ManagementError> {
        check_description(&description)?;
        check_translated_descriptions(&Translations::default(), &description_translations)?;
        let definition = ScopeDefinition {
            id: ScopeId::from_random(self.management.entropy.bytes()),
            scope: Scope {
                application: application.id,
                name,
            },
            description,
            description_translations,
            application_name: application.name.clone(),
            application_name_translations: application.name_translations.clone(),
            approval_required,
        };
        let limit = self.effective_limit(self.management.user_limits.scopes_per_application);
        match self
            .registry()?
            .register_scope(definition.clone(), limit)
            .await?
        {
            ScopeCreation::Created => {}
            ScopeCreation::LimitReached => {
                return Err(Rejection::too_many_defined_scopes(limit).into());
            }
            ScopeCreation::NameTaken => return Err(Rejection::scope_name_taken().into()),
            ScopeCreation::UnknownApplication => return Err(Rejection::not_found().into()),
        }
        self.record_change(
            ManagedObject::Scope(definition.scope.clone()),
            Change::Created,
        );
        Ok(definition)
    }

    /// Changes a scope. Its name never changes, because tokens and the code of clients contain it.
    pub(crate) async fn change_scope(
        &self,
        current: &Changeable<ScopeDefinition>,
        change: ScopePatch,
    ) -> Result<ScopeDefinition, ManagementError> {
        if let Some(description) = change
            .description
            .as_ref()
            .filter(|new| **new != current.description)
        {
            check_description(description)?;
        }
        if let Some(descriptions) = &change.description_translations {
            check_translated_descriptions(&current.description_translations, descriptions)?;
        }
        let fields = [
            ("description", change.description.is_some()),
            (
                "descriptionTranslations",
                change.description_translations.is_some(),
            ),
            ("approvalRequired", change.approval_required.is_some()),
        ];
        check_outcome(self.registry()?.update_scope(current.id, change).await?)?;
        self.record_changed_fields(ManagedObject::Scope(current.scope.clone()), &fields);
        Ok(self
            .registry()?
            .scope(current.id)
            .await?
            .ok_or_else(Rejection::not_found)?)
    }

    pub(crate) async fn delete_scope(
        &self,
        definition: &Changeable<ScopeDefinition>,
    ) -> Result<(), ManagementError> {
        check_outcome(self.registry()?.delete_scope(definition.id).await?)?;
        self.record_change(
            ManagedObject::Scope(definition.scope.clone()),
            Change::Deleted,
        );
        Ok(())
    }
}
