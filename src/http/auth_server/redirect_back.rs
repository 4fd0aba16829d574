use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query};
use http::{Response, StatusCode};

use super::answer;
use super::error::Refusal;
use crate::domain::Client;
use crate::http::Body;
use crate::http::issuer::Issuer;

/// Sends the user back to a client with an answer: these parameters, the client's own `state`, and `iss`, so that a client of several
/// servers knows whose answer it is (RFC 9207). A client that fails at `iss` can be registered to do without.
pub(super) fn redirect_back(
    status: StatusCode,
    client: &Client,
    redirect_uri: &str,
    parameters: &[(&str, &str)],
    state: Option<&str>,
    issuer: &Issuer,
) -> Result<Response<Body>, Refusal> {
    Ok(answer::redirect(status, &address_back(client, redirect_uri, parameters, state, issuer))?)
}

/// The address that [`redirect_back`] sends the user to.
pub(super) fn address_back(
    client: &Client,
    redirect_uri: &str,
    parameters: &[(&str, &str)],
    state: Option<&str>,
    issuer: &Issuer,
) -> String {
    let state = state.map(|state| ("state", state));
    let issuer = (!client.iss_omitted).then(|| ("iss", issuer.as_str()));
    let parameters = parameters.iter().copied().chain(state).chain(issuer);
    with_parameters(redirect_uri, parameters)
}

/// Where a redirect URI leads, as people know it: the host of an address, or the scheme that an app on their device has for itself, with its
/// colon, for a scheme may be spelled like the host of another.
pub(super) fn destination(redirect_uri: &str) -> &str {
    match redirect_uri.split_once("://") {
        Some(("https" | "http", rest)) => rest.split(['/', '?']).next().unwrap_or(rest),
        _ => redirect_uri.split_inclusive(':').next().unwrap_or(redirect_uri),
    }
}

/// The URI with more parameters. What it was stays as it is, byte for byte (RFC 6749 §3.1.2).
pub(super) fn with_parameters<'a>(uri: &str, parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
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
    use crate::http::pairs;

    #[test]
    fn decision_3_8_an_existing_query_stays_as_it_is() {
        for (uri, whole) in [
            ("https://app.example/cb", "https://app.example/cb?a=1&b=%26"),
            ("https://app.example/cb?", "https://app.example/cb?a=1&b=%26"),
            ("https://app.example/cb?x=%7e+1", "https://app.example/cb?x=%7e+1&a=1&b=%26"),
            ("https://app.example/cb?x&", "https://app.example/cb?x&a=1&b=%26"),
            ("com.example.app:/cb", "com.example.app:/cb?a=1&b=%26"),
        ] {
            assert_eq!(with_parameters(uri, [("a", "1"), ("b", "&")]), whole);
        }
    }

    proptest! {
        #[test]
        fn decision_3_8_any_value_comes_back_as_it_was(value in any::<String>()) {
            let uri = with_parameters("https://app.example/cb", [("state", &*value)]);
            let query = uri.strip_prefix("https://app.example/cb?").unwrap();
            let pairs = pairs::parse(query).unwrap();
            prop_assert_eq!(&pairs[0].1, &value);
            prop_assert!(http::HeaderValue::try_from(&uri).is_ok());
        }
    }
}
