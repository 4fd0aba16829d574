use super::permission::{Changeable, finished};
use super::{Denial, Desk, NotDone};
use crate::domain::{Application, ApplicationId, Line, PageRequest};
use crate::http::audit::{Change, Object, Rule};
use crate::store::{Issuance, Registered, RegistryChange};

impl Desk<'_> {
    /// The person's applications.
    pub(crate) async fn applications(&self, page: PageRequest) -> Result<Registered<Application>, NotDone> {
        Ok(self.office.storage.applications(self.listed(), page).await?)
    }

    pub(crate) async fn create_application(&self, name: Line) -> Result<Application, NotDone> {
        self.check_name(None, &name)?;
        let id = ApplicationId::from_random(self.office.entropy.bytes());
        let application = Application { id, name, owner: self.person.id.clone(), created_at: self.now() };
        let at_most = self.at_most(self.office.caps.applications_per_user);
        match self.office.storage.register_application(application.clone(), at_most).await? {
            Issuance::Issued => {}
            Issuance::OwnerHasEnough => {
                let description = format!("You have all the applications that one user may have, which are {at_most}.");
                return Err(Denial::enough(Rule::TooManyApplications, description).into());
            }
            Issuance::Taken => return Err(NotDone::Failed("a new application's id was taken")),
        }
        self.managed(Object::Application(id), Change::Created);
        if !self.access_holds().await? {
            if self.office.storage.delete_application(id).await? == RegistryChange::Done {
                self.managed(Object::Application(id), Change::Deleted);
            }
            return Err(NotDone::AccessEnded);
        }
        Ok(application)
    }

    pub(crate) async fn rename_application(&self, application: &Changeable<Application>, name: Line) -> Result<(), NotDone> {
        self.check_name(Some(&application.name), &name)?;
        finished(self.office.storage.rename_application(application.id, name).await?)?;
        self.changed(Object::Application(application.id), &[("name", true)]);
        Ok(())
    }

    pub(crate) async fn delete_application(&self, application: &Changeable<Application>) -> Result<(), NotDone> {
        finished(self.office.storage.delete_application(application.id).await?)?;
        self.managed(Object::Application(application.id), Change::Deleted);
        Ok(())
    }
}
