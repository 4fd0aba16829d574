//! The master key of a school's server: the base64 of 32 bytes, on one line.
//!
//! The format tells it from the key of a demo, which is 32 bytes as they are. Each program refuses
//! the other's key, and a database cannot be opened without the key that it was made with.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use base64ct::{Base64, Encoding};
use lyceum::crypto::MasterKey;

use crate::{BoxError, private_file, random};

/// Length of a demo's key in bytes.
const DEMO_LENGTH: usize = 32;

/// Creates the file, unless it exists.
pub fn create(path: &Path) -> Result<(), BoxError> {
    let text = format!("{}\n", Base64::encode_string(&random::<32>()));
    private_file::create(path, text.as_bytes()).map_err(|error| {
        format!("cannot keep the master key in {}: {error}", path.display()).into()
    })
}

/// Reads the file.
pub fn read(path: &Path) -> Result<MasterKey, BoxError> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            format!("there is no master key {name}: `init` makes one together with a database")
        }
        _ => format!("cannot read the master key {name}: {error}"),
    })?;
    if bytes.len() == DEMO_LENGTH {
        return Err(format!(
            "{name} is the master key of a demo, whose accounts and secrets anyone can derive from it: make another database with `init`"
        )
        .into());
    }
    let text = String::from_utf8(bytes).unwrap_or_default();
    MasterKey::from_base64(text.trim_end())
        .map_err(|rule| format!("the master key {name} {rule}").into())
}

/// Whether the bytes of a file are a master key of this format.
pub fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| MasterKey::from_base64(text.trim_end()).is_ok())
}
