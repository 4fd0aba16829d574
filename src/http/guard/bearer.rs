use http::HeaderMap;
use http::header::AUTHORIZATION;

use super::error::Error;
use crate::http::form_decoding;

/// Extracts the access token of a request (RFC 6750 §2.1). A token in the query is refused, even
/// beside one in the header, because URLs end up in logs and browser histories.
pub(super) fn extract_token<'a>(headers: &'a HeaderMap, query: &str) -> Result<&'a str, Error> {
    if query.split('&').any(is_access_token_parameter) {
        return Err(Error::InvalidRequest(
            "The access token belongs in the header Authorization, not in the query.",
        ));
    }
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(Error::MissingToken)?;
    if values.next().is_some() {
        return Err(Error::InvalidRequest(
            "The header Authorization was sent more than once.",
        ));
    }
    let value = value.as_bytes();
    let (scheme, credentials) = match value.iter().position(|byte| *byte == b' ') {
        Some(end) => (&value[..end], value[end..].trim_ascii_start()),
        None => (value, &[][..]),
    };
    // A client that authenticates by another scheme gets a challenge without an error (RFC 6750
    // §3.1).
    if !scheme.eq_ignore_ascii_case(b"Bearer") {
        return Err(Error::MissingToken);
    }
    let token = is_b64token(credentials)
        .then(|| std::str::from_utf8(credentials).ok())
        .flatten();
    token.ok_or(Error::InvalidRequest(
        "The header Authorization must be the word Bearer, a space and one access token.",
    ))
}

fn is_access_token_parameter(pair: &str) -> bool {
    let name = pair.split_once('=').map_or(pair, |(name, _)| name);
    form_decoding::decode(name).is_ok_and(|name| name == "access_token")
}

/// Whether the text is a `b64token` (RFC 6750 §2.1).
fn is_b64token(text: &[u8]) -> bool {
    const ALLOWED: [bool; 256] = {
        let (mut allowed, mut byte) = ([false; 256], 0_u8);
        while byte < 128 {
            allowed[byte as usize] = byte.is_ascii_alphanumeric()
                || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=');
            byte += 1;
        }
        allowed
    };
    // A fold has no branch per byte.
    !text.is_empty()
        && text
            .iter()
            .fold(true, |all, byte| all & ALLOWED[usize::from(*byte)])
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn extracted(values: &[&str], query: &str) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(
                AUTHORIZATION,
                HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            );
        }
        match extract_token(&headers, query) {
            Ok(token) => token.to_owned(),
            Err(Error::MissingToken) => "none".to_owned(),
            Err(Error::InvalidRequest(_)) => "malformed".to_owned(),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_scheme_has_any_case_and_the_token_is_one_word() {
        for value in [
            "Bearer a.b-c_d~e+f/g=",
            "bearer a.b-c_d~e+f/g=",
            "BEARER  a.b-c_d~e+f/g=",
        ] {
            assert_eq!(extracted(&[value], ""), "a.b-c_d~e+f/g=");
        }
        for value in [
            "Bearer",
            "Bearer ",
            "Bearer a b",
            "Bearer a, Bearer b",
            "Bearer a,b",
            "Bearer ä",
            "Bearer \"a\"",
            "Bearer a\tb",
        ] {
            assert_eq!(extracted(&[value], ""), "malformed", "{value}");
        }
    }

    #[test]
    fn a_request_without_a_token_gets_no_error_code() {
        assert_eq!(extracted(&[], ""), "none");
        for value in [
            "Basic YTpi",
            "Bearer:abc",
            "BearerToken abc",
            "DPoP abc",
            "",
        ] {
            assert_eq!(extracted(&[value], ""), "none", "{value}");
        }
    }

    #[test]
    fn two_tokens_or_one_in_the_query_are_refused() {
        assert_eq!(extracted(&["Bearer a", "Bearer a"], ""), "malformed");
        assert_eq!(extracted(&["Bearer a", "Basic YTpi"], ""), "malformed");
        for query in [
            "access_token=a",
            "x=1&access_token=a",
            "access%5Ftoken=a",
            "access_token",
            "%61ccess_token=&x",
        ] {
            assert_eq!(extracted(&["Bearer a"], query), "malformed", "{query}");
            assert_eq!(extracted(&[], query), "malformed", "{query}");
        }
        for query in [
            "Access_token=a",
            "x=access_token",
            "access_token%=a",
            "my_access_token=a",
        ] {
            assert_eq!(extracted(&["Bearer a"], query), "a", "{query}");
        }
    }
}
