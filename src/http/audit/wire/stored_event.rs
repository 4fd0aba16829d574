use serde::Deserialize;

/// The data of a stored event, for display.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StoredEvent {
    pub(crate) address: Option<String>,
    pub(crate) client: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) grant: Option<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) token_id: Option<String>,
    pub(crate) of: Option<String>,
    pub(crate) count: Option<u64>,
    pub(crate) added: Option<u64>,
    pub(crate) changed: Option<u64>,
    pub(crate) removed: Option<u64>,
    pub(crate) versions: Vec<u64>,
    pub(crate) key: Option<String>,
    pub(crate) object: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) unknown_email: bool,
    pub(crate) change: Option<String>,
    pub(crate) fields: Vec<String>,
    pub(crate) rule: Option<String>,
    pub(crate) status: Option<u16>,
    pub(crate) endpoint: Option<String>,
    pub(crate) api_key: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl StoredEvent {
    /// Parses a stored line; empty if it is not valid.
    pub(crate) fn parse(line: &str) -> Self {
        serde_json::from_str(line).unwrap_or_default()
    }
}
