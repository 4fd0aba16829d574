use crate::domain::{Client, ClientSettings};
use crate::http::console::seen::Seen;

/// All settings. A version of the service that writes them differently finds them changed, which costs a second look.
pub(super) fn settings(settings: &ClientSettings) -> Seen {
    Seen::of([format!("{settings:?}")])
}

/// Which secrets there are.
pub(super) fn secrets(client: &Client) -> Seen {
    Seen::of(client.secrets.iter().map(|secret| secret.digest.as_bytes()))
}
