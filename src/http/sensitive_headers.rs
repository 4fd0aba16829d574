use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE, HeaderName};

/// Marks request headers with secrets as sensitive, so that their values are not printed.
pub(crate) fn mark_request(headers: &mut HeaderMap) {
    const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
    mark(headers, &[AUTHORIZATION, COOKIE, API_KEY]);
}

/// Marks response headers that contain codes or session tokens.
#[cfg(any(feature = "data-api", feature = "auth-server"))]
pub(crate) fn mark_response(headers: &mut HeaderMap) {
    mark(headers, &[http::header::LOCATION, http::header::SET_COOKIE]);
}

fn mark(headers: &mut HeaderMap, secrets: &[HeaderName]) {
    for (name, value) in headers {
        if secrets.contains(name) {
            value.set_sensitive(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    // Proves: threats 26
    #[test]
    fn every_value_of_a_header_with_secrets_is_marked_and_no_other() {
        let mut headers = HeaderMap::new();
        for name in [
            "authorization",
            "cookie",
            "x-api-key",
            "accept",
            "location",
            "set-cookie",
        ] {
            headers.append(name, HeaderValue::from_static("one"));
            headers.append(name, HeaderValue::from_static("two"));
        }
        let marked = |headers: &HeaderMap| -> Vec<String> {
            headers
                .iter()
                .filter(|(_, value)| value.is_sensitive())
                .map(|(name, _)| name.to_string())
                .collect()
        };
        mark_request(&mut headers);
        assert_eq!(
            marked(&headers),
            [
                "authorization",
                "authorization",
                "cookie",
                "cookie",
                "x-api-key",
                "x-api-key"
            ]
        );
        headers = headers
            .into_iter()
            .filter_map(|(name, value)| {
                Some((name?, HeaderValue::from_bytes(value.as_bytes()).ok()?))
            })
            .collect();
        mark_response(&mut headers);
        assert_eq!(marked(&headers), ["location", "set-cookie"]);
    }
}
