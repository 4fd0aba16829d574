use crate::domain::{ApiScope, ApiScopes};
use crate::http::console::views::Sample;
use crate::http::pages::texts::Texts;

/// Where the data API is, its host and this service alone know: whoever reads the sample is told to put the address here.
const ADDRESS: &str = "https://DATA_API";

/// How to read with a key of these scopes, in three languages. The key itself is not in it: it does not belong into a program's text.
pub(super) fn samples(scopes: ApiScopes, text: &Texts) -> Vec<Sample> {
    let address = format!("{ADDRESS}{}", scopes.iter().next().map_or("/v1/students", path));
    let places = text.sample_places;
    let curl = format!("# {places}\ncurl -H \"X-API-KEY: YOUR_KEY\" \\\n  \"{address}\"");
    let javascript = format!(
        "// {places}\nconst answer = await fetch(\"{address}\", {{\n  headers: {{ \"X-API-KEY\": \"YOUR_KEY\" }},\n}});\n\
         console.log(await answer.json());"
    );
    let python = format!(
        "# {places}\nimport json\nfrom urllib.request import Request, urlopen\n\n\
         request = Request(\"{address}\", headers={{\"X-API-KEY\": \"YOUR_KEY\"}})\n\
         with urlopen(request) as answer:\n    print(json.load(answer))"
    );
    [("curl", curl), ("JavaScript", javascript), ("Python", python)].map(|(language, code)| Sample { language, code }).into()
}

/// Something that a key with the scope reads.
fn path(scope: ApiScope) -> &'static str {
    match scope {
        ApiScope::StudentRead => "/v1/students",
        ApiScope::ClubRead => "/v1/clubs",
        ApiScope::ProjectRead => "/v1/projects",
        ApiScope::NeisRead => "/v1/neis/meals",
    }
}
