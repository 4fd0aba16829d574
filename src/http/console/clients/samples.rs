//! A client's first sign-in, to be copied: the address that people are sent to, and programs for a terminal.

use askama::Template;
use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};

use crate::domain::{Client, ClientPolicy, RedirectUri};
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::Sample;

/// The address that people are sent to. What differs each time is in braces, which no address may have, so nobody is sent there by mistake.
pub(super) fn authorize_link(server: &Server, client: &Client) -> Option<String> {
    let redirect_uri = client.redirect_uris.first()?;
    let address = authorize(server, client, redirect_uri);
    Some(format!("{address}&state={{STATE}}&code_challenge={{CODE_CHALLENGE}}&code_challenge_method=S256"))
}

/// The same sign-in in several languages. There is none without an address to come back to.
pub(super) fn of(server: &Server, client: &Client) -> Result<Vec<Sample>, Refusal> {
    let Some(redirect_uri) = client.redirect_uris.first() else { return Ok(Vec::new()) };
    let (issuer, client_id, has_secret) = (server.issuer.as_str(), client.id.to_string(), client.policy != ClientPolicy::Public);
    let (scope, redirect) = (scope(client), redirect_uri.as_str());
    let shell = Shell {
        issuer: in_shell(issuer),
        client_id: in_shell(&client_id),
        redirect_uri: in_shell(redirect),
        authorize: in_shell(&authorize(server, client, redirect_uri)),
        has_secret,
    };
    let (issuer, client_id, redirect_uri, scope) = (in_code(issuer), in_code(&client_id), in_code(redirect), scope.as_deref().map(in_code));
    let java_script =
        JavaScript { issuer: &issuer, client_id: &client_id, redirect_uri: &redirect_uri, scope: scope.as_deref(), has_secret };
    let python = Python { issuer: &issuer, client_id: &client_id, redirect_uri: &redirect_uri, scope: scope.as_deref(), has_secret };
    Ok(vec![
        Sample { language: "curl", code: shell.render()? },
        Sample { language: "JavaScript", code: java_script.render()? },
        Sample { language: "Python", code: python.render()? },
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

/// The part of the address that is the same each time.
fn authorize(server: &Server, client: &Client, redirect_uri: &RedirectUri) -> String {
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
    format!("{}/v1/oauth/authorize?{query}", server.issuer.as_str())
}

/// All that the client may ask for, if there is anything.
fn scope(client: &Client) -> Option<String> {
    let scopes: Vec<String> = client.allowed_scopes.iter().map(ToString::to_string).collect();
    (!scopes.is_empty()).then(|| scopes.join(" "))
}

/// A text as a shell writes it.
fn in_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A text as both JavaScript and Python write it.
fn in_code(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
