use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{ClientId, Consent, GrantId, LiveGrant, SubjectId, Timestamp};
use crate::store::sql::consents;
use crate::store::{ApiKeyAction, ConsentStore, GrantRevocation, StorageError};

#[async_trait]
impl ConsentStore for SqlStore {
    async fn consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> Result<Option<Consent>, StorageError> {
        let (subject, client) = (subject.clone(), *client);
        self.read("consent", move |tx| {
            Box::pin(consents::consent(tx, subject, client))
        })
        .await
    }

    async fn consents_of(
        &self,
        subject: &SubjectId,
    ) -> Result<Vec<(ClientId, Consent)>, StorageError> {
        let subject = subject.clone();
        self.read("consents_of", move |tx| {
            Box::pin(consents::consents_of(tx, subject))
        })
        .await
    }

    async fn delete_consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> Result<bool, StorageError> {
        let (subject, client) = (subject.clone(), *client);
        self.write("delete_consent", move |tx| {
            Box::pin(consents::delete_consent(tx, subject, client))
        })
        .await
    }

    async fn grants_of(
        &self,
        subject: &SubjectId,
        at: Timestamp,
    ) -> Result<Vec<LiveGrant>, StorageError> {
        let subject = subject.clone();
        self.read("grants_of", move |tx| {
            Box::pin(consents::grants_of(tx, subject, at))
        })
        .await
    }

    async fn revoke_grant_and_consent(
        &self,
        subject: &SubjectId,
        grant: &GrantId,
        at: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        let (subject, grant) = (subject.clone(), *grant);
        self.write("revoke_grant_and_consent", move |tx| {
            Box::pin(consents::revoke_grant_and_consent(tx, subject, grant, at))
        })
        .await
    }

    async fn sign_out_everywhere(
        &self,
        subject: &SubjectId,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> Result<usize, StorageError> {
        let subject = subject.clone();
        self.write_api_keys("sign_out_everywhere", move |tx| {
            Box::pin(consents::sign_out_everywhere(tx, subject, keys, at))
        })
        .await
    }
}
