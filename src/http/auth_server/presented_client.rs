use base64ct::{Base64, Encoding};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use zeroize::Zeroizing;

use super::error::Refusal;
use super::token_request::TokenRequest;
use crate::domain::{ClientId, ClientSecret};
use crate::http::pairs;

/// Who a client says it is, and the secret by which it proves that, as one of `client_secret_basic`, `client_secret_post` and `none`
/// (RFC 6749 §2.3.1). Nothing has been checked yet.
#[derive(Debug)]
pub(super) struct PresentedClient {
    pub(super) id: ClientId,
    pub(super) secret: Option<ClientSecret>,
    has_used_header: bool,
}

impl PresentedClient {
    /// Reads the header and the body of a request. Two methods at once are refused: whoever checks only one of them believes the other.
    pub(super) fn read(headers: &HeaderMap, request: &TokenRequest) -> Result<Self, Refusal> {
        let mut values = headers.get_all(AUTHORIZATION).into_iter();
        let header = values.next();
        if values.next().is_some() {
            return Err(Refusal::invalid_request("The Authorization header is repeated."));
        }
        let Some(header) = header else { return Self::in_body(request) };
        if request.client_secret.is_some() {
            return Err(Refusal::invalid_request("The client authenticates in two ways at once."));
        }
        let presented = basic(header).ok_or_else(|| invalid_client(true))?;
        if request.client_id.as_ref().is_some_and(|id| *id != presented.id.to_string()) {
            return Err(invalid_client(true));
        }
        Ok(presented)
    }

    /// The refusal of this client, whatever is wrong with it.
    pub(super) fn refused(&self) -> Refusal {
        invalid_client(self.has_used_header)
    }

    fn in_body(request: &TokenRequest) -> Result<Self, Refusal> {
        let id = request.client_id.as_deref().ok_or_else(|| Refusal::invalid_request("The parameter client_id is missing."))?;
        let id = id.parse().map_err(|_| invalid_client(false))?;
        let secret = request.client_secret.as_deref().map(ClientSecret::presented).transpose().map_err(|_| invalid_client(false))?;
        Ok(Self { id, secret, has_used_header: false })
    }
}

/// Status 401 `invalid_client` (RFC 6749 §5.2): the same bytes for a client that is unknown and one that proved nothing.
fn invalid_client(has_used_header: bool) -> Refusal {
    let refusal = Refusal::new(StatusCode::UNAUTHORIZED, "invalid_client", "The client is unknown, or did not prove who it is.");
    if !has_used_header {
        return refusal;
    }
    refusal.header(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"token endpoint\", charset=\"UTF-8\""))
}

/// Both halves are form-encoded before they are joined (RFC 6749 §2.3.1).
fn basic(header: &HeaderValue) -> Option<PresentedClient> {
    let (scheme, credentials) = header.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = Zeroizing::new(Base64::decode_vec(credentials.trim_start_matches(' ')).ok()?);
    let (id, secret) = std::str::from_utf8(&bytes).ok()?.split_once(':')?;
    let id = pairs::decode(id).ok()?.parse().ok()?;
    let secret = ClientSecret::presented(&pairs::decode(secret).ok()?).ok()?;
    Some(PresentedClient { id, secret: Some(secret), has_used_header: true })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::error::Dress;
    use super::super::issuer::Issuer;
    use super::*;

    const ID: &str = "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a01";
    const OTHER_ID: &str = "0b7e21c1-53a0-4a50-8a9f-8a35cc6a3a02";

    fn secret() -> String {
        ClientSecret::from_random([0xFB; 32]).expose().to_owned()
    }

    fn request(id: Option<&str>, secret: Option<&str>) -> TokenRequest {
        TokenRequest { client_id: id.map(str::to_owned), client_secret: secret.map(str::to_owned), ..TokenRequest::default() }
    }

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_str(value).unwrap())).collect()
    }

    fn basic_header(credentials: &str) -> String {
        format!("Basic {}", Base64::encode_string(credentials.as_bytes()))
    }

    /// The status, whether `WWW-Authenticate` is there, and the body.
    fn refused(verdict: Result<PresentedClient, Refusal>) -> (u16, bool, String) {
        let issuer = Issuer::parse("https://auth.school.example").unwrap();
        let response = verdict.unwrap_err().into_response(Dress::OAuth, &issuer);
        let body = String::from_utf8(response.body().as_bytes().to_vec()).unwrap();
        (response.status().as_u16(), response.headers().contains_key(WWW_AUTHENTICATE), body)
    }

    #[test]
    fn decision_3_11_a_client_authenticates_in_the_header_or_in_the_body_or_not_at_all() {
        let secret = secret();
        for (headers, request) in [
            (headers(&[&basic_header(&format!("{ID}:{secret}"))]), request(None, None)),
            (headers(&[&basic_header(&format!("{ID}:{secret}"))]), request(Some(ID), None)),
            (
                headers(&[&basic_header(&format!("{}:%{:02x}{}", ID.replace('-', "%2D"), secret.as_bytes()[0], &secret[1..]))]),
                request(None, None),
            ),
            (headers(&[&basic_header(&format!("{ID}:{secret}")).replace("Basic", "bASIC ")]), request(None, None)),
            (headers(&[]), request(Some(ID), Some(&secret))),
        ] {
            let presented = PresentedClient::read(&headers, &request).unwrap();
            assert_eq!((presented.id.to_string().as_str(), presented.secret.unwrap().expose()), (ID, secret.as_str()));
        }
        assert!(PresentedClient::read(&headers(&[]), &request(Some(ID), None)).unwrap().secret.is_none());
    }

    #[test]
    fn decision_3_11_two_ways_at_once_are_refused() {
        let basic = basic_header(&format!("{ID}:{}", secret()));
        for (headers, request) in [
            (headers(&[&basic]), request(Some(ID), Some(&secret()))),
            (headers(&["Bearer x"]), request(Some(ID), Some(&secret()))),
            (headers(&[&basic, &basic]), request(None, None)),
        ] {
            assert_eq!(refused(PresentedClient::read(&headers, &request)).0, 400);
        }
    }

    #[test]
    fn s17_a_header_for_one_client_and_a_body_for_another_is_neither() {
        let headers = headers(&[&basic_header(&format!("{ID}:{}", secret()))]);
        for other in [OTHER_ID, &ID.to_uppercase(), "x"] {
            assert_eq!(refused(PresentedClient::read(&headers, &request(Some(other), None))).0, 401, "{other}");
        }
    }

    #[test]
    fn decision_3_22_a_broken_header_is_an_invalid_client_that_is_told_how_to_authenticate() {
        let expected = (401, true, refused(Err(invalid_client(true))).2);
        for header in [
            "",
            "Basic",
            "Basic ",
            "Basic ***",
            "Basic Og",
            "Bearer abc",
            "Digest username=\"x\"",
            &basic_header(""),
            &basic_header(ID),
            &basic_header(":"),
            &basic_header(&format!("{ID}:")),
            &basic_header(&format!("{ID}:short")),
            &basic_header(&format!("{ID}:{}%", secret())),
            &basic_header(&format!("{ID}%zz:{}", secret())),
            &basic_header(&format!("x:{}", secret())),
            &format!("{}=", basic_header(&format!("{ID}:{}", secret()))),
        ] {
            assert_eq!(refused(PresentedClient::read(&headers(&[header]), &request(None, None))), expected, "{header:?}");
        }
    }

    #[test]
    fn s18_an_id_or_a_secret_that_cannot_be_one_is_refused_like_a_wrong_one() {
        let wrong = PresentedClient::read(&headers(&[]), &request(Some(ID), Some(&secret()))).unwrap().refused();
        let expected = refused(Err(wrong));
        assert_eq!((expected.0, expected.1), (401, false));
        for request in [request(Some("x"), None), request(Some("x"), Some(&secret())), request(Some(ID), Some("short"))] {
            assert_eq!(refused(PresentedClient::read(&headers(&[]), &request)), expected);
        }
    }

    #[test]
    fn a_request_without_a_client_is_told_what_is_missing() {
        for request in [request(None, None), request(None, Some(&secret()))] {
            let (status, _, body) = refused(PresentedClient::read(&headers(&[]), &request));
            assert_eq!(status, 400);
            assert!(body.contains("client_id"), "{body}");
        }
    }

    proptest! {
        #[test]
        fn s41_arbitrary_headers_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80), credentials in any::<String>()) {
            let headers = |value| HeaderMap::from_iter([(AUTHORIZATION, value)]);
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let _ = PresentedClient::read(&headers(value), &request(None, None));
            }
            let value = HeaderValue::from_str(&basic_header(&credentials)).unwrap();
            let _ = PresentedClient::read(&headers(value), &request(None, None));
        }
    }
}
