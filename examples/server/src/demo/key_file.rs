use std::fs;
use std::path::Path;

use hmac::{Hmac, Mac};
use lyceum::crypto::MasterKey;
use lyceum::store::Storage;
use sha2::Sha256;

use crate::{BoxError, master_key_file, private_file, random};

/// The demo's master key, stored apart from the database, so that a copy of the database alone is
/// useless.
pub struct KeyFile([u8; 32]);

impl KeyFile {
    /// Reads the file. Creates it only for an empty database, because a new key cannot decrypt
    /// existing data. If several servers on one machine start at once, the first creates it.
    pub async fn open(store: &impl Storage, path: &Path) -> Result<Self, BoxError> {
        if store.signing_keys().await?.is_empty() && !path.exists() {
            private_file::create(path, &random::<32>()).map_err(|error| {
                format!("cannot keep the master key in {}: {error}", path.display())
            })?;
        }
        let bytes = fs::read(path).map_err(|error| {
            format!(
                "cannot read the master key {}, which the database was made with: {error}",
                path.display()
            )
        })?;
        if master_key_file::is_text(&bytes) {
            let path = path.display();
            return Err(format!("{path} is the master key of a database that `init` made: `serve` serves it, the demo does not").into());
        }
        let bytes = bytes
            .try_into()
            .map_err(|_| format!("the master key {} does not have 32 bytes", path.display()))?;
        Ok(Self(bytes))
    }

    pub fn master_key(&self) -> MasterKey {
        MasterKey::from_bytes(self.0)
    }

    /// Derives bytes from the key and the label.
    pub fn derive<const N: usize>(&self, label: &str) -> [u8; N] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        mac.update(b"demo ");
        mac.update(label.as_bytes());
        let digest = mac.finalize().into_bytes();
        std::array::from_fn(|at| digest[at])
    }
}
