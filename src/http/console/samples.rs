//! A request to the data API in the languages of programmers. A word stands in the place of the key, which does not belong into a program's text.

use super::server::Server;
use super::views::Sample;
use crate::domain::ApiScopes;

/// Where the data API is, its host alone knows then: whoever reads the sample is told to put the address here.
const SOMEWHERE: &str = "https://DATA_API";

/// How to ask for records of a list. An address of ours has neither quotation marks nor a backslash, and in a query all is escaped that could
/// be one.
pub(super) fn of(server: &Server, list: &str, request: &str) -> Vec<Sample> {
    let address = server.data.as_ref().map_or(SOMEWHERE, |source| source.address.as_str());
    let url = format!("{address}{request}");
    vec![
        Sample { language: "curl", code: format!("curl -H 'X-API-KEY: YOUR_KEY' '{url}'") },
        Sample { language: "JavaScript", code: java_script(&url, list) },
        Sample { language: "Python", code: python(&url, list) },
    ]
}

/// How to read with a key of these scopes, and what is to be put into it. A key may have none but scopes of lists that are not known here.
pub(super) fn of_key(server: &Server, scopes: &ApiScopes) -> Vec<Sample> {
    let lists = server.lists();
    let Some(list) = lists.iter().find(|list| scopes.contains(&list.scope)) else { return Vec::new() };
    let told = if server.data.is_some() { server.texts().sample_key } else { server.texts().sample_places };
    let with_words = |Sample { language, code }| {
        let comment = if language == "JavaScript" { "//" } else { "#" };
        Sample { language, code: format!("{comment} {told}\n{code}") }
    };
    of(server, list.name, list.path).into_iter().map(with_words).collect()
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
