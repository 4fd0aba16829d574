//! Two pages that explain the demo: the front page and the redirect target of sign-ins.

use axum::extract::State;
use axum::http::Uri;
use axum::response::{Html, IntoResponse};

/// Data of the pages: the demo's URL, and the id and redirect URI of each client.
#[derive(Clone)]
pub struct PageContext {
    pub base_url: String,
    pub web: (String, String),
    pub native: (String, String),
    pub console: (String, String),
    pub developer: (String, String),
    pub sign_in_url: String,
}

pub async fn welcome(State(context): State<PageContext>) -> impl IntoResponse {
    let PageContext {
        base_url,
        sign_in_url,
        ..
    } = &context;
    page(
        "A school on one port",
        &format!(
            "<ul><li><a href=\"{}\">Sign in</a> with a demo account</li>\
             <li><a href=\"{base_url}/console\">Manage</a> your account, API keys, applications and clients</li>\
             <li><a href=\"{base_url}/v1/docs\">What the services take and answer</a></li>\
             <li><a href=\"{base_url}/v1/oauth/jwk-set\">The keys that verify tokens</a></li>\
             <li><a href=\"{base_url}/v1/health\">Health</a></li></ul>\
             <p>Keys and passwords are in the terminal that started the demo.</p>\
             <p>You are asked for consent each time: the demo's clients are on this machine, where anyone could be. \
             What you allow a client at an https address is remembered.</p>",
            escaped(sign_in_url)
        ),
    )
}

pub async fn web_callback(State(context): State<PageContext>, uri: Uri) -> impl IntoResponse {
    callback(
        &context.base_url,
        &context.web,
        "client_secret=…",
        "The secret is in the terminal that started the demo.",
        &uri,
    )
}

pub async fn developer_callback(State(context): State<PageContext>, uri: Uri) -> impl IntoResponse {
    callback(
        &context.base_url,
        &context.developer,
        "client_secret=…",
        "The secret is in the terminal that started the demo.",
        &uri,
    )
}

pub async fn native_callback(State(context): State<PageContext>, uri: Uri) -> impl IntoResponse {
    callback(
        &context.base_url,
        &context.native,
        "code_verifier=…",
        "The verifier is what the client made its code challenge of.",
        &uri,
    )
}

pub async fn console_callback(State(context): State<PageContext>, uri: Uri) -> impl IntoResponse {
    let hint = "The secret is in the terminal that started the demo. The access token opens /v1/applications, /v1/clients, /v1/api-keys and /v1/grants.";
    callback(
        &context.base_url,
        &context.console,
        "client_secret=…",
        hint,
        &uri,
    )
}

/// Shows the code if it is well-formed, because it is inserted into a command line.
fn callback(
    base_url: &str,
    (client_id, redirect_uri): &(String, String),
    proof: &str,
    hint: &str,
    uri: &Uri,
) -> impl IntoResponse + use<> {
    let query = uri.query().unwrap_or_default();
    let value = |name: &str| {
        let value = query
            .split('&')
            .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            .then_some(value)
    };
    match (value("code"), value("error")) {
        (Some(code), _) => page(
            "Signed in",
            &format!(
                "<p>The client has a code, good for one minute. It exchanges the code like this:</p><pre>curl {base_url}/v1/oauth/token \\\n  \
                 -d grant_type=authorization_code \\\n  -d code={code} \\\n  -d redirect_uri={redirect_uri} \\\n  -d client_id={client_id} \\\n  \
                 -d {proof}</pre><p>{hint}</p>"
            ),
        ),
        (None, Some(error)) => page(
            "Not signed in",
            &format!("<p>The service answered <code>{error}</code>.</p>"),
        ),
        (None, None) => page("Nothing to see", "<p>This is where a sign-in ends.</p>"),
    }
}

fn page(title: &str, content: &str) -> impl IntoResponse + use<> {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title><h1>{title}</h1>{content}</html>"
    );
    (
        [
            ("content-security-policy", "default-src 'none'"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
        ],
        Html(html),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
