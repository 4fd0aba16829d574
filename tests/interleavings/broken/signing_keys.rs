use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

impl StoreClock for BrokenStore {}

delegate!(SigningKeyStore for BrokenStore, except reseal_signing_key, install_signing_key);

impl BrokenStore {
    async fn reseal_signing_key(
        &self,
        id: &KeyId,
        seen: &SealedKey,
        sealed: SealedKey,
    ) -> StorageResult<bool> {
        self.gate.before_step().await?;
        if self.has(Fault::ResealsInTwoSteps) {
            let was_seen = self
                .store()
                .signing_keys()
                .await?
                .into_iter()
                .any(|key| key.id == *id && key.sealed == *seen);
            self.gate.before_step().await?;
            let kept = self
                .store()
                .signing_keys()
                .await?
                .into_iter()
                .find(|key| key.id == *id);
            return match kept.filter(|_| was_seen) {
                Some(kept) => {
                    self.store()
                        .reseal_signing_key(id, &kept.sealed, sealed)
                        .await
                }
                None => Ok(false),
            };
        }
        self.store().reseal_signing_key(id, seen, sealed).await
    }

    async fn install_signing_key(
        &self,
        key: SigningKeyRecord,
    ) -> StorageResult<SigningKeyInstallation> {
        self.gate.before_step().await?;
        let is_free = self
            .store()
            .signing_keys()
            .await?
            .iter()
            .all(|known| known.sequence != key.sequence);
        self.gate.before_step().await?;
        let installation = self.store().install_signing_key(key).await?;
        Ok(if is_free && self.has(Fault::InstallsKeysTwice) {
            SigningKeyInstallation::Installed
        } else {
            installation
        })
    }
}
