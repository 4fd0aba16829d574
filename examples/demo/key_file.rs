use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use hmac::{Hmac, Mac};
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use sha2::Sha256;

use super::Failure;

/// The demo's master key, in a file of its own beside the database, so that a copy of the database alone is worth nothing.
pub struct KeyFile([u8; 32]);

impl KeyFile {
    /// Reads the file, or makes it.
    pub fn beside(database: &Path) -> Result<Self, Failure> {
        let mut path = database.as_os_str().to_owned();
        path.push(".key");
        let path = PathBuf::from(path);
        let mut bytes = [0; 32];
        let kept = match private(&path) {
            Ok(mut file) => {
                SystemEntropy.fill(&mut bytes);
                file.write_all(&bytes).and_then(|()| file.sync_all())
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => File::open(&path).and_then(|mut file| file.read_exact(&mut bytes)),
            Err(error) => Err(error),
        };
        kept.map_err(|error| format!("cannot keep the master key in {}: {error}", path.display()))?;
        Ok(Self(bytes))
    }

    pub fn master_key(&self) -> MasterKey {
        MasterKey::from_bytes(self.0)
    }

    /// Bytes that only this file makes of the label.
    pub fn derive<const N: usize>(&self, label: &str) -> [u8; N] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        mac.update(b"demo ");
        mac.update(label.as_bytes());
        let digest = mac.finalize().into_bytes();
        std::array::from_fn(|at| digest[at])
    }
}

fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
