//! The host's own users.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

use async_trait::async_trait;
use lyceum::domain::{NumericUserId, Password, Role, Subject, SubjectId};
use lyceum::http::auth_server::{AuthenticationOutcome, Authenticator};
use lyceum::store::{ApiKeyAction, StorageError};

use super::*;

/// A host's own users, one of whom signs in. They can be changed, removed or unavailable.
#[derive(Debug)]
pub struct Users {
    users: Mutex<HashMap<SubjectId, Subject>>,
    current: Mutex<SubjectId>,
    is_reachable: Mutex<bool>,
    /// An event after the next lookup of this user.
    after_lookup: Mutex<Option<(SubjectId, AfterLookup)>>,
}

/// An event right after a user is looked up.
#[derive(Debug)]
pub enum AfterLookup {
    /// The user signs out everywhere, without revoking the API keys.
    SignsOut(Arc<dyn AuthStorage>),
    /// The user is removed.
    Removed,
    /// The users become unavailable.
    Unavailable,
}

impl Default for Users {
    fn default() -> Self {
        let kim = Subject {
            id: "7".parse().unwrap(),
            email: "kim@school.example".parse().unwrap(),
            role: Role::User,
            numeric_id: None,
            student: None,
        };
        let current = Mutex::new(kim.id.clone());
        let users = Mutex::new(HashMap::from([(kim.id.clone(), kim)]));
        Self {
            users,
            current,
            is_reachable: Mutex::new(true),
            after_lookup: Mutex::new(None),
        }
    }
}

impl Users {
    pub fn get(&self) -> Subject {
        self.users.lock().unwrap()[&*self.current.lock().unwrap()].clone()
    }

    /// Selects the user who signs in: a new user, or one with another role.
    pub fn sign_in_as(&self, id: &str, role: Role) {
        let user = Subject {
            id: id.parse().unwrap(),
            email: format!("{id}@school.example").parse().unwrap(),
            role,
            numeric_id: None,
            student: None,
        };
        *self.current.lock().unwrap() = user.id.clone();
        self.users.lock().unwrap().insert(user.id.clone(), user);
    }

    pub fn set_email_and_role(&self, email: &str, role: Role) {
        let user = Subject {
            email: email.parse().unwrap(),
            role,
            ..self.get()
        };
        self.users.lock().unwrap().insert(user.id.clone(), user);
    }

    /// Sets the host's number for the user who signs in.
    pub fn set_number(&self, number: i64) {
        let user = Subject {
            numeric_id: Some(NumericUserId::new(number).unwrap()),
            ..self.get()
        };
        self.users.lock().unwrap().insert(user.id.clone(), user);
    }

    pub fn remove_all(&self) {
        self.users.lock().unwrap().clear();
    }

    /// Triggers the event once, right after the next lookup of the user.
    pub fn after_lookup(&self, id: &str, event: AfterLookup) {
        *self.after_lookup.lock().unwrap() = Some((id.parse().unwrap(), event));
    }

    pub fn set_reachable(&self, is_reachable: bool) {
        *self.is_reachable.lock().unwrap() = is_reachable;
    }
}

#[async_trait]
impl Authenticator for Users {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        _: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        let user = self.get();
        Ok(
            if email == user.email.as_str() && password.expose() == PASSWORD {
                AuthenticationOutcome::SignedIn(user)
            } else {
                AuthenticationOutcome::InvalidCredentials
            },
        )
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        if !*self.is_reachable.lock().unwrap() {
            return Err(StorageError::unavailable("asking for a user", "planted"));
        }
        let found = self.users.lock().unwrap().get(id).cloned();
        let event = self
            .after_lookup
            .lock()
            .unwrap()
            .take_if(|(user, _)| user == id);
        match event {
            Some((_, AfterLookup::SignsOut(store))) => drop(
                store
                    .sign_out_everywhere(id, ApiKeyAction::Keep, START)
                    .await?,
            ),
            Some((_, AfterLookup::Removed)) => drop(self.users.lock().unwrap().remove(id)),
            Some((_, AfterLookup::Unavailable)) => self.set_reachable(false),
            None => {}
        }
        Ok(found)
    }
}
