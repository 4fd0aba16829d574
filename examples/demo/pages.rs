//! Two pages that make the demo explain itself: the front page, and where a sign-in ends.

use axum::extract::State;
use axum::http::Uri;
use axum::response::{Html, IntoResponse};

/// What the pages tell: the address of the demo and its web client.
#[derive(Clone)]
pub struct Told {
    pub base_url: String,
    pub client_id: String,
    pub redirect_uri: String,
    pub sign_in_url: String,
}

pub async fn welcome(State(told): State<Told>) -> impl IntoResponse {
    let Told { base_url, sign_in_url, .. } = &told;
    page(
        "A school on one port",
        &format!(
            "<ul><li><a href=\"{}\">Sign in</a> with a demo account</li>\
             <li><a href=\"{base_url}/v1/oauth/jwk-set\">The keys that verify tokens</a></li>\
             <li><a href=\"{base_url}/v1/health\">Health</a></li></ul>\
             <p>Keys and passwords are in the terminal that started the demo.</p>",
            escaped(sign_in_url)
        ),
    )
}

pub async fn callback(State(told): State<Told>, uri: Uri) -> impl IntoResponse {
    let query = uri.query().unwrap_or_default();
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(escaped);
    let Told { base_url, client_id, redirect_uri, .. } = &told;
    match (value("code"), value("error")) {
        (Some(code), _) => page(
            "Signed in",
            &format!(
                "<p>The client has a code, good for one minute. It exchanges the code like this:</p><pre>curl {base_url}/v1/oauth/token \\\n  \
                 -d grant_type=authorization_code \\\n  -d code={code} \\\n  -d redirect_uri={redirect_uri} \\\n  -d client_id={client_id} \\\n  \
                 -d client_secret=…</pre><p>The secret is in the terminal that started the demo.</p>"
            ),
        ),
        (None, Some(error)) => page("Not signed in", &format!("<p>The service answered <code>{error}</code>.</p>")),
        (None, None) => page("Nothing to see", "<p>This is where a sign-in ends.</p>"),
    }
}

fn page(title: &str, content: &str) -> impl IntoResponse + use<> {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title><h1>{title}</h1>{content}</html>"
    );
    ([("content-security-policy", "default-src 'none'"), ("referrer-policy", "no-referrer"), ("cache-control", "no-store")], Html(html))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}
