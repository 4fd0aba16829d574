use std::sync::Arc;

use super::config_error::ConfigError;
use crate::crypto::{Entropy, MasterKey, Signer, generate, open};
use crate::domain::{SigningAlgorithm, SigningKeyRecord, Timestamp};
use crate::store::{KeyInstallation, KeyStore};

/// The keys of a server.
pub(super) struct SigningKeys {
    /// Every key, in order of sequence.
    pub(super) accepted: Vec<Arc<dyn Signer>>,
    /// The newest key of the server's algorithm.
    pub(super) active: Arc<dyn Signer>,
}

/// Loads the keys. The first server on a storage makes the first key; of several that start at once, all use the key of the one that won.
pub(super) async fn load(
    storage: &dyn KeyStore,
    algorithm: SigningAlgorithm,
    master_key: &MasterKey,
    entropy: &dyn Entropy,
    now: Timestamp,
) -> Result<SigningKeys, ConfigError> {
    loop {
        let records = storage.signing_keys().await?;
        let accepted = opened(&records, master_key)?;
        if let Some(active) = accepted.iter().rfind(|key| key.algorithm() == algorithm) {
            return Ok(SigningKeys { active: Arc::clone(active), accepted });
        }
        let sequence = records.last().map_or(1, |last| last.sequence.saturating_add(1));
        let record = generate(algorithm, sequence, now, entropy, master_key).map_err(ConfigError::SigningKey)?;
        // Whether this key is kept now or another node was first, the store knows it; look again.
        let (KeyInstallation::Installed | KeyInstallation::Existing(_)) = storage.install_signing_key(record).await?;
    }
}

fn opened(records: &[SigningKeyRecord], master_key: &MasterKey) -> Result<Vec<Arc<dyn Signer>>, ConfigError> {
    records.iter().map(|record| open(record, master_key).map_err(ConfigError::SigningKey)).collect()
}
