use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use crate::store::sql::signing_keys;
use crate::store::{
    SigningKeyInstallation, SigningKeyRevocation, SigningKeyStore, StorageError, StoreClock,
};

#[async_trait]
impl StoreClock for SqlStore {
    async fn now(&self) -> Result<Option<Timestamp>, StorageError> {
        self.read("now", move |tx| Box::pin(signing_keys::now(tx)))
            .await
    }
}

#[async_trait]
impl SigningKeyStore for SqlStore {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        self.read("signing_keys", move |tx| {
            Box::pin(signing_keys::signing_keys(tx))
        })
        .await
    }

    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> Result<SigningKeyInstallation, StorageError> {
        self.write("install_signing_key", move |tx| {
            Box::pin(signing_keys::install_signing_key(tx, key))
        })
        .await
    }

    async fn revoke_signing_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> Result<SigningKeyRevocation, StorageError> {
        let id = id.clone();
        self.write("revoke_signing_key", move |tx| {
            Box::pin(signing_keys::revoke_signing_key(tx, id, at))
        })
        .await
    }

    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        expected: &SealedKey,
        sealed: SealedKey,
    ) -> Result<bool, StorageError> {
        let (id, expected) = (id.clone(), expected.clone());
        self.write("reseal_signing_key", move |tx| {
            Box::pin(signing_keys::reseal_signing_key(tx, id, expected, sealed))
        })
        .await
    }

    async fn sweep_signing_keys(&self, until: Timestamp) -> Result<usize, StorageError> {
        self.write("sweep_signing_keys", move |tx| {
            Box::pin(signing_keys::sweep_signing_keys(tx, until))
        })
        .await
    }
}
