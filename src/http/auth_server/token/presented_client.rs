use base64ct::{Base64, Encoding};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue};
use zeroize::Zeroizing;

use super::token_request::TokenRequest;
use crate::domain::{Client, ClientId};
use crate::http::audit::RefusalRule;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::refusal_rules;
use crate::http::auth_server::server::Server;
use crate::http::form_urlencoded;
use crate::oauth::{
    AuthenticatedClient, PresentedCredentials, TokenError, TokenErrorKind, authenticate_client,
};

/// The client id and secret that a request presents, by `client_secret_basic`, `client_secret_post`
/// or `none` (RFC 6749 §2.3.1). Not yet verified.
pub(in crate::http::auth_server) struct PresentedClient {
    pub(in crate::http::auth_server) id: ClientId,
    secret: Option<Zeroizing<String>>,
    has_used_header: bool,
}

impl PresentedClient {
    /// Reads the credentials from the header and the body. Two methods at once are refused, because
    /// a check of only one would accept the other.
    pub(in crate::http::auth_server) fn read(
        headers: &HeaderMap,
        request: &TokenRequest,
    ) -> Result<Self, Error> {
        let mut values = headers.get_all(AUTHORIZATION).into_iter();
        let Some(header) = values.next() else {
            return Self::from_body(request);
        };
        if values.next().is_some() || request.client_secret.is_some() {
            return Err(TokenError::TwoAuthentications.into());
        }
        let unproven = |rule| client_error(TokenError::InvalidClient, true).with_rule(rule);
        let presented = from_basic(header).ok_or_else(|| unproven(RefusalRule::ClientMalformed))?;
        if request
            .client_id
            .as_ref()
            .is_some_and(|id| *id != presented.id.to_string())
        {
            return Err(unproven(RefusalRule::ClientDiffers));
        }
        Ok(presented)
    }

    /// Authenticates the stored client and, if it used its secret, records that and applies its
    /// rate limit.
    pub(in crate::http::auth_server) fn authenticate<'a>(
        &self,
        server: &Server,
        client: Option<&'a Client>,
    ) -> Result<AuthenticatedClient<'a>, Error> {
        server.context.set_client(self.id);
        let proven = authenticate_client(client, self.proof()).map_err(|error| {
            self.error(error)
                .with_rule(refusal_rules::for_client(client, self.proof()))
        })?;
        server.record_secret_use(&proven);
        server.limit_by_secret(&proven)?;
        Ok(proven)
    }

    /// Authenticates the client and rejects it if it is suspended: it gets no tokens and cannot
    /// introspect any.
    pub(in crate::http::auth_server) fn authenticate_active<'a>(
        &self,
        server: &Server,
        client: Option<&'a Client>,
    ) -> Result<AuthenticatedClient<'a>, Error> {
        self.authenticate(server, client)?
            .reject_suspended()
            .map_err(|error| self.error(error).with_rule(RefusalRule::ClientSuspended))
    }

    /// The presented credentials.
    fn proof(&self) -> PresentedCredentials<'_> {
        self.secret
            .as_ref()
            .map_or(PresentedCredentials::None, |secret| {
                PresentedCredentials::Secret(secret)
            })
    }

    /// An error for this client's request. A client that used the header gets `WWW-Authenticate`
    /// (RFC 6749 §5.2).
    pub(in crate::http::auth_server) fn error(&self, error: TokenError) -> Error {
        client_error(error, self.has_used_header)
    }

    fn from_body(request: &TokenRequest) -> Result<Self, Error> {
        let id = request
            .client_id
            .as_deref()
            .ok_or(TokenError::MissingClientId)?;
        let id = id.parse().map_err(|_| {
            Error::from(TokenError::InvalidClient).with_rule(RefusalRule::ClientMalformed)
        })?;
        Ok(Self {
            id,
            secret: request.client_secret.clone().map(Zeroizing::new),
            has_used_header: false,
        })
    }
}

fn client_error(error: TokenError, has_used_header: bool) -> Error {
    let refusal = Error::from(error);
    if !has_used_header || error.kind() != TokenErrorKind::Client {
        return refusal;
    }
    refusal.with_header(
        WWW_AUTHENTICATE,
        HeaderValue::from_static("Basic realm=\"token endpoint\", charset=\"UTF-8\""),
    )
}

/// Parses a Basic header. Id and secret are form-encoded before they are joined, and an empty
/// secret counts as absent (RFC 6749 §2.3.1): some libraries send public clients this way.
fn from_basic(header: &HeaderValue) -> Option<PresentedClient> {
    let (scheme, credentials) = header.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = Zeroizing::new(Base64::decode_vec(credentials.trim_start_matches(' ')).ok()?);
    let (id, secret) = std::str::from_utf8(&bytes).ok()?.split_once(':')?;
    let id = form_urlencoded::decode(id).ok()?.parse().ok()?;
    let secret = Zeroizing::new(form_urlencoded::decode(secret).ok()?.into_owned());
    Some(PresentedClient {
        id,
        secret: Some(secret).filter(|secret| !secret.is_empty()),
        has_used_header: true,
    })
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
        TokenRequest {
            client_id: id.map(str::to_owned),
            client_secret: secret.map(str::to_owned),
            ..TokenRequest::default()
        }
    }

    fn headers(values: &[&str]) -> HeaderMap {
        values
            .iter()
            .map(|value| (AUTHORIZATION, HeaderValue::from_str(value).unwrap()))
            .collect()
    }

    fn basic_header(credentials: &str) -> String {
        format!("Basic {}", Base64::encode_string(credentials.as_bytes()))
    }

    /// The status, whether `WWW-Authenticate` is there, and the body.
    fn refused(verdict: Result<PresentedClient, Error>) -> (u16, bool, String) {
        let Err(error) = verdict else {
            panic!("it was accepted")
        };
        let response = error.into_oauth_response();
        let body = String::from_utf8(response.body().as_bytes().to_vec()).unwrap();
        (
            response.status().as_u16(),
            response.headers().contains_key(WWW_AUTHENTICATE),
            body,
        )
    }

    // Proves: spec 3.11
    #[test]
    fn a_client_authenticates_in_the_header_or_in_the_body_or_not_at_all() {
        let secret = secret();
        for (headers, request) in [
            (
                headers(&[&basic_header(&format!("{ID}:{secret}"))]),
                request(None, None),
            ),
            (
                headers(&[&basic_header(&format!("{ID}:{secret}"))]),
                request(Some(ID), None),
            ),
            (
                headers(&[&basic_header(&format!(
                    "{}:%{:02x}{}",
                    ID.replace('-', "%2D"),
                    secret.as_bytes()[0],
                    &secret[1..]
                ))]),
                request(None, None),
            ),
            (
                headers(&[&basic_header(&format!("{ID}:{secret}")).replace("Basic", "bASIC ")]),
                request(None, None),
            ),
            (headers(&[]), request(Some(ID), Some(&secret))),
        ] {
            let presented = PresentedClient::read(&headers, &request).unwrap();
            assert_eq!(
                (
                    presented.id.to_string(),
                    presented.secret.unwrap().to_string()
                ),
                (ID.to_owned(), secret.clone())
            );
        }
        assert!(
            PresentedClient::read(&headers(&[]), &request(Some(ID), None))
                .unwrap()
                .secret
                .is_none()
        );
    }

    // Proves: spec 3.11
    #[test]
    fn an_empty_secret_in_the_header_is_none() {
        let headers = headers(&[&basic_header(&format!("{ID}:"))]);
        let presented = PresentedClient::read(&headers, &request(None, None)).unwrap();
        assert_eq!(
            (presented.id.to_string(), presented.secret.is_none()),
            (ID.to_owned(), true)
        );
        assert!(
            refused(Err(presented.error(TokenError::InvalidClient))).1,
            "the response says how to authenticate"
        );
        assert_eq!(
            refused(PresentedClient::read(
                &headers,
                &request(None, Some(&secret()))
            ))
            .0,
            400,
            "the header still counts as a method"
        );
    }

    // Proves: spec 3.11
    #[test]
    fn two_ways_at_once_are_refused() {
        let basic = basic_header(&format!("{ID}:{}", secret()));
        for (headers, request) in [
            (headers(&[&basic]), request(Some(ID), Some(&secret()))),
            (headers(&["Bearer x"]), request(Some(ID), Some(&secret()))),
            (headers(&[&basic, &basic]), request(None, None)),
        ] {
            assert_eq!(refused(PresentedClient::read(&headers, &request)).0, 400);
        }
    }

    // Proves: threats 17
    /// Fails if the body's client is not compared with the header's.
    #[test]
    fn a_header_for_one_client_and_a_body_for_another_is_neither() {
        let headers = headers(&[&basic_header(&format!("{ID}:{}", secret()))]);
        for other in [OTHER_ID, &ID.to_uppercase(), "x"] {
            assert_eq!(
                refused(PresentedClient::read(&headers, &request(Some(other), None))).0,
                401,
                "{other}"
            );
        }
    }

    // Proves: spec 3.22
    #[test]
    fn a_malformed_header_is_an_invalid_client_and_gets_a_challenge() {
        let expected = (
            401,
            true,
            refused(Err(client_error(TokenError::InvalidClient, true))).2,
        );
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
            assert_eq!(
                refused(PresentedClient::read(
                    &headers(&[header]),
                    &request(None, None)
                )),
                expected,
                "{header:?}"
            );
        }
    }

    // Proves: threats 18
    /// Fails if it gets a different response.
    #[test]
    fn an_id_that_cannot_be_one_is_refused_like_a_wrong_secret() {
        let wrong = PresentedClient::read(&headers(&[]), &request(Some(ID), Some(&secret())))
            .unwrap()
            .error(TokenError::InvalidClient);
        let expected = refused(Err(wrong));
        assert_eq!((expected.0, expected.1), (401, false));
        for request in [
            request(Some("x"), None),
            request(Some("x"), Some(&secret())),
        ] {
            assert_eq!(
                refused(PresentedClient::read(&headers(&[]), &request)),
                expected
            );
        }
    }

    #[test]
    fn a_request_without_a_client_gets_an_error_with_the_missing_parameter() {
        for request in [request(None, None), request(None, Some(&secret()))] {
            let (status, _, body) = refused(PresentedClient::read(&headers(&[]), &request));
            assert_eq!(status, 400);
            assert!(body.contains("client_id"), "{body}");
        }
    }

    proptest! {
        // Proves: threats 41
        /// Fails if credentials that are not text panic.
        #[test]
        fn arbitrary_headers_are_read_or_refused(
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
