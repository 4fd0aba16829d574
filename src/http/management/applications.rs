use super::permission::{Changeable, check_outcome};
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{Application, ApplicationId, PageRequest, ShortText, Translations};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{ApplicationPatch, LimitedCreation, Paged, RegistryChange};

impl ManagementSession<'_> {
    /// The user's applications; all of them for an administrator.
    pub(crate) async fn applications(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Application>, ManagementError> {
        Ok(self
            .registry()?
            .applications(self.owner_filter(), page)
            .await?)
    }

    pub(crate) async fn create_application(
        &self,
        name: ShortText,
        name_translations: Translations,
    ) -> Result<Application, ManagementError> {
        self.check_name(None, &name)?;
        self.check_translated_names(&Translations::default(), &name_translations)?;
        let id = ApplicationId::from_random(self.management.entropy.bytes());
        let application = Application {
            id,
            name,
            name_translations,
            owner: self.user.id.clone(),
            created_at: self.now(),
        };
        let limit = self.effective_limit(self.management.user_limits.applications_per_user);
        match self
            .registry()?
            .register_application(application.clone(), limit)
            .await?
        {
            LimitedCreation::Created => {}
            LimitedCreation::LimitReached => {
                return Err(Rejection::too_many_applications(limit).into());
            }
            LimitedCreation::AlreadyExists => {
                return Err(ManagementError::Failed("a new application's id was taken"));
            }
        }
        self.record_change(ManagedObject::Application(id), Change::Created);
        if !self.is_still_authenticated().await? {
            if self.registry()?.delete_application(id).await? == RegistryChange::Done {
                self.record_change(ManagedObject::Application(id), Change::Deleted);
            }
            return Err(ManagementError::AccessEnded);
        }
        Ok(application)
    }

    /// Changes the names of an application.
    pub(crate) async fn change_application(
        &self,
        application: &Changeable<Application>,
        change: ApplicationPatch,
    ) -> Result<(), ManagementError> {
        if let Some(name) = &change.name {
            self.check_name(Some(&application.name), name)?;
        }
        if let Some(names) = &change.name_translations {
            self.check_translated_names(&application.name_translations, names)?;
        }
        let fields = [
            ("name", change.name.is_some()),
            ("nameTranslations", change.name_translations.is_some()),
        ];
        check_outcome(
            self.registry()?
                .update_application(application.id, change)
                .await?,
        )?;
        self.record_changed_fields(ManagedObject::Application(application.id), &fields);
        Ok(())
    }

    pub(crate) async fn delete_application(
        &self,
        application: &Changeable<Application>,
    ) -> Result<(), ManagementError> {
        check_outcome(self.registry()?.delete_application(application.id).await?)?;
        self.record_change(ManagedObject::Application(application.id), Change::Deleted);
        Ok(())
    }
}
