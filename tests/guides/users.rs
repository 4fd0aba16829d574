use std::net::IpAddr;

use async_trait::async_trait;
use lyceum::domain::{Password, Role, Subject, SubjectId};
use lyceum::http::auth_server::{AuthenticationOutcome, Authenticator};
use lyceum::store::StorageError;

/// Queries that the school's own system answers.
#[async_trait]
pub trait Directory: std::fmt::Debug + Send + Sync + 'static {
    /// The number of the person with this address and password. It takes as long for an unknown
    /// address as for a wrong password.
    async fn check(&self, email: &str, password: &str) -> Result<Option<String>, std::io::Error>;

    /// The address and the group of the person with this number, unless they have left.
    async fn person(&self, number: &str) -> Result<Option<(String, String)>, std::io::Error>;
}

#[derive(Debug)]
pub struct People<D>(pub D);

#[async_trait]
impl<D: Directory> Authenticator for People<D> {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        _: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        let Some(number) = self.0.check(email, password.expose()).await.map_err(away)? else {
            return Ok(AuthenticationOutcome::InvalidCredentials);
        };
        let id: SubjectId = number.parse().map_err(unusable)?;
        Ok(self.subject(&id).await?.map_or(
            AuthenticationOutcome::InvalidCredentials,
            AuthenticationOutcome::SignedIn,
        ))
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        let Some((email, group)) = self.0.person(id.as_str()).await.map_err(away)? else {
            return Ok(None);
        };
        // Administrators see and change the records of all users.
        let role = if group == "it" {
            Role::Admin
        } else {
            Role::User
        };
        Ok(Some(Subject {
            id: id.clone(),
            email: email.parse().map_err(unusable)?,
            role,
            numeric_id: None,
            student: None,
        }))
    }
}

/// Status 503: it can be tried again.
fn away(error: std::io::Error) -> StorageError {
    StorageError::unavailable("the school's directory", error)
}

/// Status 500: trying again does not help.
fn unusable(error: lyceum::domain::InvalidValue) -> StorageError {
    StorageError::failed("the school's directory", error)
}
