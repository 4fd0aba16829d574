//! What a form remembers of what it shows, so that nobody acts on what somebody else has changed meanwhile.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::domain::{Client, ClientSettings};

/// A digest of all settings. A version of the service that writes them differently finds them changed, which costs a second look.
pub(super) fn settings(settings: &ClientSettings) -> String {
    Base64UrlUnpadded::encode_string(&Sha256::digest(format!("{settings:?}")))
}

/// A digest of which secrets there are.
pub(super) fn secrets(client: &Client) -> String {
    let digests = client.secrets.iter().fold(Sha256::new(), |digests, secret| digests.chain_update(secret.digest.as_bytes()));
    Base64UrlUnpadded::encode_string(&digests.finalize())
}
