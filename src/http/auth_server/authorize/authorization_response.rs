use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};
use http::{Response, StatusCode};

use crate::domain::Client;
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::issuer::Issuer;
use crate::http::response;

/// Redirects the user to the client with these parameters, the client's own `state`, and `iss`, so
/// that a client of several servers can identify the issuer (RFC 9207). Clients that cannot handle
/// `iss` can be registered without it.
pub(super) fn redirect_to_client(
    status: StatusCode,
    client: &Client,
    redirect_uri: &str,
    parameters: &[(&str, &str)],
    state: Option<&str>,
    issuer: &Issuer,
) -> Result<Response<Body>, Error> {
    Ok(response::redirect(
        status,
        &authorization_response_uri(client, redirect_uri, parameters, state, issuer),
    )?)
}

/// The URI to which [`redirect_to_client`] redirects.
pub(super) fn authorization_response_uri(
    client: &Client,
    redirect_uri: &str,
    parameters: &[(&str, &str)],
    state: Option<&str>,
    issuer: &Issuer,
) -> String {
    let state = state.map(|state| ("state", state));
    let issuer = (!client.iss_omitted).then(|| ("iss", issuer.as_str()));
    let parameters = parameters.iter().copied().chain(state).chain(issuer);
    append_query(redirect_uri, parameters)
}

/// The target of a redirect URI as shown to users: the host of an http(s) URI, or the scheme of a
/// native app. The scheme includes its colon, because it may be spelled like another service's
/// host.
pub(super) fn destination(redirect_uri: &str) -> &str {
    match redirect_uri.split_once("://") {
        Some(("https" | "http", rest)) => rest.split(['/', '?']).next().unwrap_or(rest),
        _ => redirect_uri
            .split_inclusive(':')
            .next()
            .unwrap_or(redirect_uri),
    }
}

/// Appends parameters to a URI. The existing URI is unchanged, byte for byte (RFC 6749 §3.1.2).
pub(super) fn append_query<'a>(
    uri: &str,
    parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut added = EString::<Query>::new();
    for (name, value) in parameters {
        if !added.is_empty() {
            added.push('&');
        }
        added.encode_str::<Data>(name);
        added.push('=');
        added.encode_str::<Data>(value);
    }
    let separator = match uri.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    format!("{uri}{separator}{added}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::http::form_urlencoded;

    // Proves: spec 3.8
    #[test]
    fn an_existing_query_stays_as_it_is() {
        for (uri, whole) in [
            ("https://app.example/cb", "https://app.example/cb?a=1&b=%26"),
            (
                "https://app.example/cb?",
                "https://app.example/cb?a=1&b=%26",
            ),
            (
                "https://app.example/cb?x=%7e+1",
                "https://app.example/cb?x=%7e+1&a=1&b=%26",
            ),
            (
                "https://app.example/cb?x&",
                "https://app.example/cb?x&a=1&b=%26",
            ),
            ("com.example.app:/cb", "com.example.app:/cb?a=1&b=%26"),
        ] {
            assert_eq!(append_query(uri, [("a", "1"), ("b", "&")]), whole);
        }
    }

    proptest! {
        // Proves: spec 3.8
        #[test]
        fn any_value_comes_back_as_it_was(value in any::<String>()) {
            let uri = append_query("https://app.example/cb", [("state", &*value)]);
            let query = uri.strip_prefix("https://app.example/cb?").unwrap();
            let pairs = form_urlencoded::parse(query).unwrap();
            prop_assert_eq!(&pairs[0].1, &value);
            prop_assert!(http::HeaderValue::try_from(&uri).is_ok());
        }
    }
}
