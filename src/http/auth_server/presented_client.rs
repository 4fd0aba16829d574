use base64ct::{Base64, Encoding};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue};
use zeroize::Zeroizing;

use super::error::Refusal;
use super::rules;
use super::server::Server;
use super::token_request::TokenRequest;
use crate::domain::{Client, ClientId};
use crate::http::audit::Rule;
use crate::http::pairs;
use crate::oauth::{ClientAuthentication, Fault, Presented, TokenError, authenticate};

/// Who a client says it is, and the secret by which it proves that, as one of `client_secret_basic`, `client_secret_post` and `none`
/// (RFC 6749 §2.3.1). Nothing has been checked yet.
pub(super) struct PresentedClient {
    pub(super) id: ClientId,
    secret: Option<Zeroizing<String>>,
    has_used_header: bool,
}

impl PresentedClient {
    /// Reads the header and the body of a request. Two methods at once are refused: whoever checks only one of them believes the other.
    pub(super) fn read(headers: &HeaderMap, request: &TokenRequest) -> Result<Self, Refusal> {
        let mut values = headers.get_all(AUTHORIZATION).into_iter();
        let Some(header) = values.next() else { return Self::in_body(request) };
        if values.next().is_some() || request.client_secret.is_some() {
            return Err(TokenError::TwoAuthentications.into());
        }
        let unproven = |rule| refusal(TokenError::InvalidClient, true).by(rule);
        let presented = basic(header).ok_or_else(|| unproven(Rule::ClientMalformed))?;
        if request.client_id.as_ref().is_some_and(|id| *id != presented.id.to_string()) {
            return Err(unproven(Rule::ClientDiffers));
        }
        Ok(presented)
    }

    /// The client that was found under its id, once it has proven what it must and, if that was its secret, its limit allows the request.
    pub(super) fn authenticate<'a>(&self, server: &Server, client: Option<&'a Client>) -> Result<ClientAuthentication<'a>, Refusal> {
        server.is_about(self.id);
        let proven = authenticate(client, self.proof()).map_err(|error| self.refusal(error).by(rules::of_client(client, self.proof())))?;
        server.count_by_secret(&proven)?;
        Ok(proven)
    }

    /// Authenticates the client, and rejects it if it is suspended: it gets no tokens and may not ask about them.
    pub(super) fn authenticate_in_use<'a>(&self, server: &Server, client: Option<&'a Client>) -> Result<ClientAuthentication<'a>, Refusal> {
        self.authenticate(server, client)?.reject_suspended().map_err(|error| self.refusal(error).by(Rule::ClientSuspended))
    }

    /// What it presents, for the decision.
    fn proof(&self) -> Presented<'_> {
        self.secret.as_ref().map_or(Presented::Nothing, |secret| Presented::Secret(secret))
    }

    /// A refusal of this client's request. One that tried the header is told again how to authenticate (RFC 6749 §5.2).
    pub(super) fn refusal(&self, error: TokenError) -> Refusal {
        refusal(error, self.has_used_header)
    }

    fn in_body(request: &TokenRequest) -> Result<Self, Refusal> {
        let id = request.client_id.as_deref().ok_or(TokenError::MissingClientId)?;
        let id = id.parse().map_err(|_| Refusal::from(TokenError::InvalidClient).by(Rule::ClientMalformed))?;
        Ok(Self { id, secret: request.client_secret.clone().map(Zeroizing::new), has_used_header: false })
    }
}

fn refusal(error: TokenError, has_used_header: bool) -> Refusal {
    let refusal = Refusal::from(error);
    if !has_used_header || error.fault() != Fault::Client {
        return refusal;
    }
    refusal.header(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"token endpoint\", charset=\"UTF-8\""))
}

/// Both halves are form-encoded before they are joined, and an empty secret is one that is left out (RFC 6749 §2.3.1): some libraries name public
/// clients so.
fn basic(header: &HeaderValue) -> Option<PresentedClient> {
    let (scheme, credentials) = header.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = Zeroizing::new(Base64::decode_vec(credentials.trim_start_matches(' ')).ok()?);
    let (id, secret) = std::str::from_utf8(&bytes).ok()?.split_once(':')?;
    let id = pairs::decode(id).ok()?.parse().ok()?;
    let secret = Zeroizing::new(pairs::decode(secret).ok()?.into_owned());
    Some(PresentedClient { id, secret: Some(secret).filter(|secret| !secret.is_empty()), has_used_header: true })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::ClientSecret;

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
        let Err(refusal) = verdict else { panic!("it was accepted") };
        let response = refusal.into_oauth();
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
            assert_eq!((presented.id.to_string(), presented.secret.unwrap().to_string()), (ID.to_owned(), secret.clone()));
        }
        assert!(PresentedClient::read(&headers(&[]), &request(Some(ID), None)).unwrap().secret.is_none());
    }

    #[test]
    fn decision_3_11_an_empty_secret_in_the_header_is_none() {
        let headers = headers(&[&basic_header(&format!("{ID}:"))]);
        let presented = PresentedClient::read(&headers, &request(None, None)).unwrap();
        assert_eq!((presented.id.to_string(), presented.secret.is_none()), (ID.to_owned(), true));
        assert!(refused(Err(presented.refusal(TokenError::InvalidClient))).1, "whoever must have one is told how to authenticate");
        assert_eq!(refused(PresentedClient::read(&headers, &request(None, Some(&secret())))).0, 400, "it stays a method");
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

    /// Fails if the body's client is not compared with the header's.
    #[test]
    fn s17_a_header_for_one_client_and_a_body_for_another_is_neither() {
        let headers = headers(&[&basic_header(&format!("{ID}:{}", secret()))]);
        for other in [OTHER_ID, &ID.to_uppercase(), "x"] {
            assert_eq!(refused(PresentedClient::read(&headers, &request(Some(other), None))).0, 401, "{other}");
        }
    }

    #[test]
    fn decision_3_22_a_broken_header_is_an_invalid_client_that_is_told_how_to_authenticate() {
        let expected = (401, true, refused(Err(refusal(TokenError::InvalidClient, true))).2);
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
            &basic_header(&format!("{ID}:{}%", secret())),
            &basic_header(&format!("{ID}%zz:{}", secret())),
            &basic_header(&format!("x:{}", secret())),
            &format!("{}=", basic_header(&format!("{ID}:{}", secret()))),
        ] {
            assert_eq!(refused(PresentedClient::read(&headers(&[header]), &request(None, None))), expected, "{header:?}");
        }
    }

    /// Fails if it gets an answer of its own.
    #[test]
    fn s18_an_id_that_cannot_be_one_is_refused_like_a_wrong_secret() {
        let wrong = PresentedClient::read(&headers(&[]), &request(Some(ID), Some(&secret()))).unwrap().refusal(TokenError::InvalidClient);
        let expected = refused(Err(wrong));
        assert_eq!((expected.0, expected.1), (401, false));
        for request in [request(Some("x"), None), request(Some("x"), Some(&secret()))] {
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
        /// Fails if credentials that are no text panic.
        #[test]
        fn s41_arbitrary_headers_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..80),
            credentials in prop_oneof![any::<String>().prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..60)],
        ) {
            let headers = |value| HeaderMap::from_iter([(AUTHORIZATION, value)]);
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let _ = PresentedClient::read(&headers(value), &request(None, None));
            }
            let value = HeaderValue::from_str(&format!("Basic {}", Base64::encode_string(&credentials))).unwrap();
            let _ = PresentedClient::read(&headers(value), &request(None, None));
        }
    }
}
