//! Requests that a reader can try: as a curl command, and with a script from the page itself.

use serde_json::Value;

use super::labels::Labels;

/// A GET request of an operation.
pub(super) struct TryIt {
    /// Address without the path.
    pub(super) server: String,
    pub(super) path: String,
    pub(super) credential: Option<Credential>,
    pub(super) inputs: Vec<Input>,
    pub(super) curl: String,
}

/// The header that authenticates the request.
pub(super) struct Credential {
    pub(super) header: &'static str,
    /// What precedes the value, such as `Bearer`.
    pub(super) prefix: &'static str,
    pub(super) label: &'static str,
}

/// A parameter in the path or the query.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) is_in_path: bool,
    pub(super) is_required: bool,
}

impl TryIt {
    /// `None` for operations that are not GET, that return no JSON, or that need a cookie.
    pub(super) fn new(
        (server, path, method): (&str, &str, &str),
        operation: &Value,
        labels: &Labels,
    ) -> Option<Self> {
        let is_json = operation["responses"]["200"]["content"]["application/json"].is_object();
        if method != "get" || !is_json {
            return None;
        }
        let scheme = operation["security"][0]
            .as_object()
            .and_then(|schemes| schemes.keys().next());
        let credential = match scheme.map(String::as_str) {
            None => None,
            Some("ApiKey") => Some(Credential {
                header: "X-API-KEY",
                prefix: "",
                label: labels.api_key,
            }),
            Some("OAuth2") => Some(Credential {
                header: "Authorization",
                prefix: "Bearer ",
                label: labels.access_token,
            }),
            Some(_) => return None,
        };
        let inputs = operation["parameters"].as_array().into_iter().flatten();
        let inputs = inputs.filter_map(|parameter| {
            let location = parameter["in"].as_str()?;
            ["path", "query"].contains(&location).then(|| Input {
                name: parameter["name"].as_str().unwrap_or_default().to_owned(),
                is_in_path: location == "path",
                is_required: parameter["required"] == true,
            })
        });
        let header = credential.as_ref().map(|credential| {
            let placeholder = if credential.prefix.is_empty() {
                "YOUR_KEY"
            } else {
                "YOUR_TOKEN"
            };
            format!(
                "-H '{}: {}{placeholder}' ",
                credential.header, credential.prefix
            )
        });
        Some(Self {
            curl: format!("curl {}'{server}{path}'", header.unwrap_or_default()),
            server: server.to_owned(),
            path: path.to_owned(),
            credential,
            inputs: inputs.collect(),
        })
    }
}
