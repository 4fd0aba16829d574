use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use hmac::{Hmac, Mac};
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::store::Storage;
use sha2::Sha256;

use super::BoxError;

/// The demo's master key, stored apart from the database, so that a copy of the database alone is
/// useless.
pub struct KeyFile([u8; 32]);

impl KeyFile {
    /// Reads the file. Creates it only for an empty database, because a new key cannot decrypt
    /// existing data. If several servers on one machine start at once, the first creates it.
    pub async fn open(store: &impl Storage, path: &Path) -> Result<Self, BoxError> {
        if store.signing_keys().await?.is_empty() && !path.exists() {
            create(path).map_err(|error| {
                format!("cannot keep the master key in {}: {error}", path.display())
            })?;
        }
        let bytes = fs::read(path).map_err(|error| {
            format!(
                "cannot read the master key {}, which the database was made with: {error}",
                path.display()
            )
        })?;
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

/// Creates the file atomically, unless it exists.
fn create(path: &Path) -> std::io::Result<()> {
    let mut bytes = [0; 32];
    SystemEntropy.fill(&mut bytes);
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(&draft)
        .and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()));
    // A link never replaces a file that another process has created, but some file systems have no
    // links.
    let placed = written.and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => fs::rename(&draft, path),
        _ => Ok(()),
    });
    let _ = fs::remove_file(&draft);
    placed
}
