//! Sample programs that call the data API. A placeholder stands for the key, which does not belong
//! in source code.

use super::server::Server;
use super::views::CodeSample;
use crate::domain::ApiScopes;

/// Placeholder for the address of the data API if the console does not know it. The sample's
/// comment asks the reader to replace it.
const PLACEHOLDER_ADDRESS: &str = "https://DATA_API";

/// Sample programs that request records of a list. The URL is not quoted: addresses contain neither
/// quotation marks nor backslashes, and queries are percent-encoded.
pub(super) fn for_request(server: &Server, list: &str, request: &str) -> Vec<CodeSample> {
    let address = server
        .shared
        .data
        .as_ref()
        .map_or(PLACEHOLDER_ADDRESS, |source| source.address.as_str());
    let url = format!("{address}{request}");
    vec![
        CodeSample {
            language: "curl",
            code: format!("curl -H 'X-API-KEY: YOUR_KEY' '{url}'"),
        },
        CodeSample {
            language: "JavaScript",
            code: java_script(&url, list),
        },
        CodeSample {
            language: "Python",
            code: python(&url, list),
        },
    ]
}

/// Sample programs for a key with these scopes, with a comment about the placeholders; none if no
/// known list has one of the scopes.
pub(super) fn for_key(server: &Server, scopes: &ApiScopes) -> Vec<CodeSample> {
    let lists = server.lists();
    let Some(list) = lists.iter().find(|list| scopes.contains(&list.scope)) else {
        return Vec::new();
    };
    let instruction = if server.shared.data.is_some() {
        server.texts().sample_key
    } else {
        server.texts().sample_places
    };
    let with_comment = |CodeSample { language, code }| {
        let comment = if language == "JavaScript" { "//" } else { "#" };
        CodeSample {
            language,
            code: format!("{comment} {instruction}\n{code}"),
        }
    };
    for_request(server, list.name, list.path)
        .into_iter()
        .map(with_comment)
        .collect()
}

fn java_script(url: &str, list: &str) -> String {
    format!(
        r#"const response = await fetch("{url}", {{
  headers: {{ "X-API-KEY": "YOUR_KEY" }},
}});
if (!response.ok) throw new Error((await response.json()).message);
const {{ data }} = await response.json();
console.log(data.{list});"#
    )
}

fn python(url: &str, list: &str) -> String {
    format!(
        r#"import json
from urllib.request import Request, urlopen

request = Request("{url}", headers={{"X-API-KEY": "YOUR_KEY"}})
with urlopen(request) as response:
    data = json.load(response)["data"]
print(data["{list}"])"#
    )
}
