use crate::domain::{Client, ClientSettings};
use crate::http::console::form::version::FormVersion;

/// Version of all settings. A release that formats them differently reports one false conflict.
pub(in crate::http::console) fn settings(settings: &ClientSettings) -> FormVersion {
    FormVersion::from_parts([format!("{settings:?}")])
}

/// Version of the client's secrets.
pub(super) fn secrets(client: &Client) -> FormVersion {
    FormVersion::from_parts(client.secrets.iter().map(|secret| secret.digest.as_bytes()))
}
