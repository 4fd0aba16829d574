use http::StatusCode;

use super::display_names::check_description;
use super::permission::{Changeable, finished};
use super::{Denial, Desk, NotDone};
use crate::domain::{Application, PageRequest, Scope, ScopeDefinition, ScopeDescription, ScopeId, ScopeName};
use crate::http::audit::{Change, Object, Rule};
use crate::store::{Registered, ScopeChange, ScopeCreation};

impl Desk<'_> {
    /// The scopes of an application.
    pub(crate) async fn scopes(&self, of: &Application, page: PageRequest) -> Result<Registered<ScopeDefinition>, NotDone> {
        Ok(self.office.storage.scopes(Some(of.id), page).await?)
    }

    /// Every scope there is, for anyone who can sign in.
    pub(crate) async fn available_scopes(&self, page: PageRequest) -> Result<Registered<ScopeDefinition>, NotDone> {
        Ok(self.office.storage.scopes(None, page).await?)
    }

    pub(crate) async fn create_scope(
        &self,
        of: &Changeable<Application>,
        name: ScopeName,
        description: ScopeDescription,
        approval_required: bool,
    ) -> Result<ScopeDefinition, NotDone> {
        check_description(&description)?;
        let definition = ScopeDefinition {
            id: ScopeId::from_random(self.office.entropy.bytes()),
            scope: Scope { application: of.id, name },
            description,
            application_name: of.name.clone(),
            approval_required,
        };
        let at_most = self.at_most(self.office.caps.scopes_per_application);
        match self.office.storage.register_scope(definition.clone(), at_most).await? {
            ScopeCreation::Created => {}
            ScopeCreation::ApplicationHasEnough => {
                let description = format!("The application has all the scopes that one may have, which are {at_most}.");
                return Err(Denial::enough(Rule::TooManyDefinedScopes, description).into());
            }
            ScopeCreation::NameTaken => return Err(name_taken().into()),
            ScopeCreation::UnknownApplication => return Err(Denial::unknown().into()),
        }
        self.managed(Object::Scope(definition.scope.clone()), Change::Created);
        Ok(definition)
    }

    /// The scope as it becomes. Its name is in tokens and in other people's code, so it never changes.
    pub(crate) async fn change_scope(&self, seen: &Changeable<ScopeDefinition>, change: ScopeChange) -> Result<ScopeDefinition, NotDone> {
        if let Some(description) = change.description.as_ref().filter(|new| **new != seen.description) {
            check_description(description)?;
        }
        let fields = [("description", change.description.is_some()), ("approvalRequired", change.approval_required.is_some())];
        finished(self.office.storage.update_scope(seen.id, change).await?)?;
        self.changed(Object::Scope(seen.scope.clone()), &fields);
        Ok(self.office.storage.scope(seen.id).await?.ok_or_else(Denial::unknown)?)
    }

    pub(crate) async fn delete_scope(&self, definition: &Changeable<ScopeDefinition>) -> Result<(), NotDone> {
        finished(self.office.storage.delete_scope(definition.id).await?)?;
        self.managed(Object::Scope(definition.scope.clone()), Change::Deleted);
        Ok(())
    }
}

fn name_taken() -> Denial {
    Denial::new(Rule::ScopeNameTaken, StatusCode::CONFLICT, "The application has a scope of this name.").of_field("scopeName")
}
