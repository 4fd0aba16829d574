//! Sample programs that call the data API. They contain a new key on the page that shows it, and a
//! placeholder everywhere else.

use super::server::Server;
use super::views::CodeSample;
use crate::domain::ApiScopes;

/// Placeholder for the address of the data API if the console does not know it. The sample's
/// comment asks the reader to replace it.
const PLACEHOLDER_ADDRESS: &str = "https://DATA_API";

/// Placeholder for the key.
const PLACEHOLDER_KEY: &str = "YOUR_KEY";

/// Sample programs that request records of a list, with a placeholder for the key.
pub(super) fn for_request(server: &Server, list: &str, request: &str) -> Vec<CodeSample> {
    with_key(server, list, request, PLACEHOLDER_KEY)
}

/// Sample programs that request records of a list. The URL is not quoted: addresses contain neither
/// quotation marks nor backslashes, and queries are percent-encoded. A
/// key is a UUID.
fn with_key(server: &Server, list: &str, request: &str, key: &str) -> Vec<CodeSample> {
    let address = server
        .shared
        .data
        .as_ref()
        .map_or(PLACEHOLDER_ADDRESS, |source| source.address.as_str());
    let url = format!("{address}{request}");
    vec![
        CodeSample {
            language: "curl",
            code: format!("curl -H 'X-API-KEY: {key}' '{url}'"),
        },
        CodeSample {
            language: "JavaScript",
            code: java_script(&url, list, key),
        },
        CodeSample {
            language: "Python",
            code: python(&url, list, key),
        },
    ]
}

/// Sample programs for a key with these scopes, with a comment about what to replace; none if no
/// known list has one of the scopes. They contain the key's value if it was just created.
pub(super) fn for_key(
    server: &Server,
    scopes: &ApiScopes,
    created: Option<&str>,
) -> Vec<CodeSample> {
    let text = server.texts();
    let lists = server.lists();
    let Some(list) = lists.iter().find(|list| scopes.contains(&list.scope)) else {
        return Vec::new();
    };
    let instruction = match (created, &server.shared.data) {
        (Some(_), Some(_)) => text.sample_with_key,
        (Some(_), None) => text.sample_address,
        (None, Some(_)) => text.sample_key,
        (None, None) => text.sample_places,
    };
    let key = created.unwrap_or(PLACEHOLDER_KEY);
    let with_comment = |CodeSample { language, code }| {
        let comment = if language == "JavaScript" { "//" } else { "#" };
        CodeSample {
            language,
            code: format!("{comment} {instruction}\n{code}"),
        }
    };
    with_key(server, list.name, list.path, key)
        .into_iter()
        .map(with_comment)
        .collect()
}

fn java_script(url: &str, list: &str, key: &str) -> String {
    format!(
        r#"const response = await fetch("{url}", {{
  headers: {{ "X-API-KEY": "{key}" }},
}});
if (!response.ok) throw new Error((await response.json()).message);
const {{ data }} = await response.json();
console.log(data.{list});"#
    )
}

fn python(url: &str, list: &str, key: &str) -> String {
    format!(
        r#"import json
from urllib.request import Request, urlopen

request = Request("{url}", headers={{"X-API-KEY": "{key}"}})
with urlopen(request) as response:
    data = json.load(response)["data"]
print(data["{list}"])"#
    )
}
