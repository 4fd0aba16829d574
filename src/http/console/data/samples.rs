//! The request of a page in the languages of programmers. Nobody knows the key's value any more, so a word stands in its place.

use super::Source;
use super::asked::Asked;
use crate::http::console::views::Sample;

pub(super) fn of(source: &Source, asked: &Asked) -> Vec<Sample> {
    // An address of ours has neither quotation marks nor a backslash, and in a query all is escaped that could be one.
    let (url, list) = (format!("{}{}", source.address.as_str(), asked.request()), asked.kind.word());
    vec![
        Sample { language: "curl", code: format!("curl -H 'X-API-KEY: YOUR_KEY' '{url}'") },
        Sample { language: "JavaScript", code: java_script(&url, list) },
        Sample { language: "Python", code: python(&url, list) },
    ]
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
