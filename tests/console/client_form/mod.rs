//! Form for the settings of a client.

mod edit;
mod new;
mod scope_options;

use crate::client_fixtures::*;
use crate::harness::*;

/// Fields of a public client's form, without its token.
const PUBLIC: [(&str, &str); 4] = [
    ("name", "Campus App"),
    ("policy", "none"),
    ("redirect_uris", "https://app.example/callback"),
    ("pkce_required", "true"),
];

async fn posted(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    let page = browser.get(path).await.body;
    let token = form_token(&page);
    let mut all = vec![("form_token", &*token)];
    let seen = page
        .contains("name=\"seen\"")
        .then(|| hidden(&page, "seen"));
    all.extend(seen.iter().map(|seen| ("seen", &**seen)));
    all.extend(fields);
    browser.post(path, &all).await
}

/// The fields, with those of the same names replaced.
fn with<'a>(
    fields: &[(&'a str, &'a str)],
    other: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let kept = fields
        .iter()
        .filter(|(name, _)| other.iter().all(|(found, _)| found != name));
    kept.chain(other).copied().collect()
}
