//! Samples for a client's first sign-in: the authorization URL and programs.

use askama::Template;
use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};

use crate::domain::{Client, ClientPolicy, RedirectUri};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::views::CodeSample;

/// The authorization URL. Parts that differ each time are in braces, which no URL may contain, so
/// the link cannot be used unchanged.
pub(super) fn authorize_link(server: &Server, client: &Client) -> Option<String> {
    let redirect_uri = client.redirect_uris.first()?;
    let address = authorize_url(server, client, redirect_uri);
    Some(format!(
        "{address}&state={{STATE}}&code_challenge={{CODE_CHALLENGE}}&code_challenge_method=S256"
    ))
}

/// Sample programs for the same sign-in; none if the client has no redirect URI.
pub(super) fn for_client(server: &Server, client: &Client) -> Result<Vec<CodeSample>, Error> {
    let Some(redirect_uri) = client.redirect_uris.first() else {
        return Ok(Vec::new());
    };
    let (issuer, client_id, has_secret) = (
        server.shared.management.issuer.as_str(),
        client.id.to_string(),
        client.policy != ClientPolicy::Public,
    );
    let (scope, redirect) = (scope(client), redirect_uri.as_str());
    let shell = Shell {
        issuer: shell_quoted(issuer),
        client_id: shell_quoted(&client_id),
        redirect_uri: shell_quoted(redirect),
        authorize: shell_quoted(&authorize_url(server, client, redirect_uri)),
        has_secret,
    };
    let (issuer, client_id, redirect_uri, scope) = (
        string_literal(issuer),
        string_literal(&client_id),
        string_literal(redirect),
        scope.as_deref().map(string_literal),
    );
    let java_script = JavaScript {
        issuer: &issuer,
        client_id: &client_id,
        redirect_uri: &redirect_uri,
        scope: scope.as_deref(),
        has_secret,
    };
    let python = Python {
        issuer: &issuer,
        client_id: &client_id,
        redirect_uri: &redirect_uri,
        scope: scope.as_deref(),
        has_secret,
    };
    Ok(vec![
        CodeSample {
            language: "curl",
            code: shell.render()?,
        },
        CodeSample {
            language: "JavaScript",
            code: java_script.render()?,
        },
        CodeSample {
            language: "Python",
            code: python.render()?,
        },
    ])
}

#[derive(Template)]
#[template(path = "console/samples/sign_in.sh", escape = "none")]
struct Shell {
    issuer: String,
    client_id: String,
    redirect_uri: String,
    authorize: String,
    has_secret: bool,
}

#[derive(Template)]
#[template(path = "console/samples/sign_in.mjs", escape = "none")]
struct JavaScript<'a> {
    issuer: &'a str,
    client_id: &'a str,
    redirect_uri: &'a str,
    scope: Option<&'a str>,
    has_secret: bool,
}

#[derive(Template)]
#[template(path = "console/samples/sign_in.py", escape = "none")]
struct Python<'a> {
    issuer: &'a str,
    client_id: &'a str,
    redirect_uri: &'a str,
    scope: Option<&'a str>,
    has_secret: bool,
}

/// The constant part of the authorization URL.
fn authorize_url(server: &Server, client: &Client, redirect_uri: &RedirectUri) -> String {
    let id = client.id.to_string();
    let mut query = EString::<Query>::new();
    let scope = scope(client);
    let pairs = [
        ("response_type", Some("code")),
        ("client_id", Some(&*id)),
        ("redirect_uri", Some(redirect_uri.as_str())),
        ("scope", scope.as_deref()),
    ];
    for (name, value) in pairs {
        let Some(value) = value else { continue };
        if !query.is_empty() {
            query.push('&');
        }
        query.encode_str::<Data>(name);
        query.push('=');
        query.encode_str::<Data>(value);
    }
    format!(
        "{}/v1/oauth/authorize?{query}",
        server.shared.management.issuer.as_str()
    )
}

/// The client's allowed scopes, separated by spaces, if there are any.
fn scope(client: &Client) -> Option<String> {
    let scopes: Vec<String> = client
        .allowed_scopes
        .iter()
        .map(ToString::to_string)
        .collect();
    (!scopes.is_empty()).then(|| scopes.join(" "))
}

/// Quotes text for a shell.
fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Quotes text as a string literal of both JavaScript and Python.
fn string_literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
