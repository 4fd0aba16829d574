use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

impl StoreClock for BrokenStore {}

delegate!(
    SigningKeyStore for BrokenStore, except
    signing_keys, install_signing_key, revoke_signing_key, reseal_signing_key
);

impl BrokenStore {
    async fn signing_keys(&self) -> StorageResult<Vec<SigningKeyRecord>> {
        let mut keys = self.store.signing_keys().await?;
        if self.has(Fault::RevokesKeysUntilTheNextOne)
            && let [before @ .., _] = &mut keys[..]
        {
            before.iter_mut().for_each(|key| key.revoked_at = None);
        }
        Ok(keys)
    }

    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> StorageResult<SigningKeyInstallation> {
        let installing = self.store.install_signing_key(key);
        if self.has(Fault::InstallsKeysByCheckThenAct) {
            return self
                .act_after_check(installing, |installation| {
                    *installation == SigningKeyInstallation::Installed
                })
                .await;
        }
        installing.await
    }

    async fn revoke_signing_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> StorageResult<SigningKeyRevocation> {
        if self.has(Fault::RevokesTheNewestKey)
            && let Some(newest) = self.store.signing_keys().await?.last()
        {
            return self.store.revoke_signing_key(&newest.id, at).await;
        }
        let revoking = self.store.revoke_signing_key(id, at);
        if self.has(Fault::RevokesKeysByCheckThenAct) {
            return self
                .act_after_check(revoking, |revocation| {
                    *revocation == SigningKeyRevocation::Revoked
                })
                .await;
        }
        match revoking.await? {
            SigningKeyRevocation::AlreadyRevoked { .. } if self.has(Fault::RevokesKeysAgain) => {
                Ok(SigningKeyRevocation::Revoked)
            }
            revocation => Ok(revocation),
        }
    }

    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        seen: &SealedKey,
        sealed: SealedKey,
    ) -> StorageResult<bool> {
        if self.has(Fault::ResealsWhateverIsKept)
            && let Some(kept) = self
                .store
                .signing_keys()
                .await?
                .into_iter()
                .find(|key| key.id == *id)
        {
            return self
                .store
                .reseal_signing_key(id, &kept.sealed, sealed)
                .await;
        }
        self.store.reseal_signing_key(id, seen, sealed).await
    }
}
