//! A host's own user.

use std::net::IpAddr;

use async_trait::async_trait;
use lyceum::domain::{Password, Role, Subject, SubjectId};
use lyceum::http::auth_server::{AuthenticationOutcome, Authenticator};
use lyceum::store::StorageError;

/// The only user of a host, who signs in with any password. Accounts are elsewhere.
#[derive(Debug)]
pub struct OneUser(pub Subject);

impl OneUser {
    pub fn new(id: &str, email: &str, role: Role) -> Self {
        Self(Subject {
            id: id.parse().unwrap(),
            email: email.parse().unwrap(),
            role,
            numeric_id: None,
            student: None,
        })
    }
}

#[async_trait]
impl Authenticator for OneUser {
    async fn authenticate(
        &self,
        email: &str,
        _: &Password,
        _: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        Ok(if email == self.0.email.as_str() {
            AuthenticationOutcome::SignedIn(self.0.clone())
        } else {
            AuthenticationOutcome::InvalidCredentials
        })
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        Ok(Some(&self.0).filter(|user| user.id == *id).cloned())
    }
}
