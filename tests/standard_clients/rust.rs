use std::future::Future;
use std::io;

use jwt_compact::alg::{Rsa, RsaPublicKey};
use jwt_compact::jwk::JsonWebKey;
use jwt_compact::{AlgorithmExt, UntrustedToken};
use lyceum::domain::{ClientId, SigningAlgorithm};
use oauth2::basic::{BasicClient, BasicErrorResponse, BasicErrorResponseType};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, CsrfToken, EndpointSet, HttpRequest, HttpResponse,
    IntrospectionUrl, PkceCodeChallenge, RedirectUrl, RequestTokenError, RevocationUrl, Scope,
    StandardRevocableToken, TokenIntrospectionResponse, TokenResponse, TokenUrl,
};
use serde::Deserialize;
use serde_json::Value;

use crate::deployment::{CALLBACK, Deployment, EMAIL, MountPoint};
use crate::support::{self, query_of};

/// A client with the endpoints for authorization, introspection, revocation and tokens.
type Stranger =
    BasicClient<EndpointSet, oauth2::EndpointNotSet, EndpointSet, EndpointSet, EndpointSet>;

impl Deployment {
    /// Requests the server's metadata from the well-known path of its host, followed by the issuer's
    /// path (RFC 8414 §3.1).
    pub async fn metadata(&self) -> Value {
        let path = self.issuer.strip_prefix(&self.origin).unwrap();
        support::Client::new()
            .get(
                &format!(
                    "{}/.well-known/oauth-authorization-server{path}",
                    self.origin
                ),
                &[],
            )
            .await
            .json()
    }

    /// Creates a client configured from the metadata.
    async fn stranger(&self, id: ClientId, callback: &str) -> Stranger {
        let metadata = self.metadata().await;
        assert_eq!(metadata["issuer"], self.issuer);
        let endpoint = |name: &str| metadata[name].as_str().unwrap().to_owned();
        // The crate revokes only over TLS, which a proxy would terminate.
        let revocation = endpoint("revocation_endpoint").replace("http:", "https:");
        BasicClient::new(oauth2::ClientId::new(id.to_string()))
            .set_auth_uri(AuthUrl::new(endpoint("authorization_endpoint")).unwrap())
            .set_token_uri(TokenUrl::new(endpoint("token_endpoint")).unwrap())
            .set_introspection_url(
                IntrospectionUrl::new(endpoint("introspection_endpoint")).unwrap(),
            )
            .set_revocation_url(RevocationUrl::new(revocation).unwrap())
            .set_redirect_uri(RedirectUrl::new(callback.to_owned()).unwrap())
    }

    /// Verifies an access token as a resource server does, and returns its claims.
    async fn read(&self, token: &str) -> Result<Claims, jwt_compact::ValidationError> {
        let keys = support::Client::new()
            .get(self.metadata().await["jwks_uri"].as_str().unwrap(), &[])
            .await
            .json();
        let untrusted = UntrustedToken::new(token).unwrap();
        let id = untrusted.header().key_id.as_deref().unwrap();
        let key = keys["keys"]
            .as_array()
            .unwrap()
            .iter()
            .find(|key| key["kid"] == id)
            .unwrap();
        let key: JsonWebKey<'_> = serde_json::from_value(key.clone()).unwrap();
        let token = Rsa::rs256()
            .validator::<Claims>(&RsaPublicKey::try_from(&key).unwrap())
            .validate(&untrusted)?;
        let (_, claims) = token.into_parts();
        assert_eq!(
            (claims.expiration.unwrap() - claims.issued_at.unwrap()).num_seconds(),
            3600
        );
        Ok(claims.custom)
    }
}

type TokenFailure = RequestTokenError<io::Error, BasicErrorResponse>;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claims {
    sub: String,
    role: String,
    client_id: String,
    scopes: Vec<String>,
    aud: Vec<String>,
}

/// Sends the requests that the `oauth2` crate makes.
fn send(request: HttpRequest) -> impl Future<Output = Result<HttpResponse, io::Error>> {
    let (mut parts, body) = request.into_parts();
    async move {
        parts.uri = parts
            .uri
            .to_string()
            .replace("https:", "http:")
            .parse()
            .map_err(io::Error::other)?;
        let body = String::from_utf8(body).map_err(io::Error::other)?;
        let answer = support::Client::new()
            .send(http::Request::from_parts(parts, body))
            .await
            .map_err(io::Error::other)?;
        let mut response = http::Response::new(answer.body.into_bytes());
        (*response.status_mut(), *response.headers_mut()) = (answer.status, answer.headers);
        Ok(response)
    }
}

#[tokio::test]
async fn a_client_with_a_secret_gets_checks_refreshes_and_revokes_its_tokens() {
    for mount_point in [MountPoint::Root, MountPoint::Nested] {
        let deployment = Deployment::start(mount_point, SigningAlgorithm::Rs256).await;
        let (id, secret) = &deployment.confidential;
        for method in [AuthType::BasicAuth, AuthType::RequestBody] {
            let client = deployment
                .stranger(*id, CALLBACK)
                .await
                .set_client_secret(oauth2::ClientSecret::new(secret.expose().to_owned()));
            use_all(&deployment, &client.set_auth_type(method)).await;
        }
    }
}

async fn use_all(deployment: &Deployment, client: &Stranger) {
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let asked = client
        .authorize_url(CsrfToken::new_random)
        .set_pkce_challenge(challenge);
    let (url, state) = asked
        .add_scope(Scope::new("service:self_read".to_owned()))
        .url();
    let back = deployment.browser().allow(url.as_str()).await;
    assert!(back.starts_with(&format!("{CALLBACK}?")), "{back}");
    let answer = query_of(&back);
    assert_eq!(
        (&answer["state"], &answer["iss"]),
        (state.secret(), &deployment.issuer)
    );

    let code = AuthorizationCode::new(answer["code"].clone());
    let tokens = client
        .exchange_code(code)
        .set_pkce_verifier(verifier)
        .request_async(&send)
        .await
        .unwrap();
    assert_eq!(
        tokens.scopes().unwrap()[..],
        [Scope::new("service:self_read".to_owned())]
    );
    assert_eq!(tokens.expires_in().unwrap().as_secs(), 3600);
    let claims = deployment
        .read(tokens.access_token().secret())
        .await
        .unwrap();
    let id = client.client_id().as_str();
    assert_eq!(
        (&*claims.sub, &*claims.role, &*claims.client_id),
        (EMAIL, "USER", id)
    );
    assert_eq!(
        (claims.scopes, claims.aud),
        (
            vec!["service:self_read".to_owned()],
            vec!["service".to_owned()]
        )
    );

    let user = deployment
        .user_as_java_reads_it(tokens.access_token().secret())
        .await;
    assert!((1..1 << 53).contains(&user), "{user}");

    let refreshed = client
        .exchange_refresh_token(tokens.refresh_token().unwrap())
        .request_async(&send)
        .await
        .unwrap();
    assert_eq!(
        deployment
            .user_as_java_reads_it(refreshed.access_token().secret())
            .await,
        user
    );
    let (access, refresh) = (refreshed.access_token(), refreshed.refresh_token().unwrap());
    assert_ne!(refresh.secret(), tokens.refresh_token().unwrap().secret());
    assert_eq!(
        deployment.read(access.secret()).await.unwrap().scopes,
        ["service:self_read"]
    );

    let told = client
        .introspect(access)
        .request_async(&send)
        .await
        .unwrap();
    assert!(told.active());
    assert_eq!(
        (told.sub(), told.client_id().map(|id| id.as_str())),
        (Some(EMAIL), Some(id))
    );
    assert_eq!(
        (told.iss(), told.scopes().unwrap()),
        (
            Some(&*deployment.issuer),
            &vec![Scope::new("service:self_read".to_owned())]
        )
    );

    client
        .revoke_token(StandardRevocableToken::from(refresh))
        .unwrap()
        .request_async(&send)
        .await
        .unwrap();
    assert!(
        !client
            .introspect(access)
            .request_async(&send)
            .await
            .unwrap()
            .active()
    );
    assert_refused(
        client
            .exchange_refresh_token(refresh)
            .request_async(&send)
            .await,
    );
}

fn assert_refused<T: std::fmt::Debug>(answer: Result<T, TokenFailure>) {
    let RequestTokenError::ServerResponse(error) = answer.unwrap_err() else {
        panic!("not an OAuth error")
    };
    assert_eq!(error.error(), &BasicErrorResponseType::InvalidGrant);
}

#[tokio::test]
async fn a_client_without_a_secret_gets_its_tokens_by_pkce_and_a_replay_takes_them_away() {
    let deployment = Deployment::start(MountPoint::Root, SigningAlgorithm::Rs256).await;
    let callback = "http://127.0.0.1:51234/callback";
    let client = deployment
        .stranger(deployment.public, callback)
        .await
        .set_auth_type(AuthType::RequestBody);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, _) = client
        .authorize_url(CsrfToken::new_random)
        .set_pkce_challenge(challenge)
        .url();
    let back = deployment.browser().allow(url.as_str()).await;
    let code = AuthorizationCode::new(query_of(&back)["code"].clone());
    let verifier = || oauth2::PkceCodeVerifier::new(verifier.secret().clone());
    let tokens = client
        .exchange_code(code.clone())
        .set_pkce_verifier(verifier())
        .request_async(&send)
        .await
        .unwrap();
    assert_eq!(
        tokens.scopes().unwrap().len(),
        2,
        "no scope was asked for, so all of the client's are granted"
    );

    let replay = client
        .exchange_code(code)
        .set_pkce_verifier(verifier())
        .request_async(&send)
        .await;
    let refresh = client
        .exchange_refresh_token(tokens.refresh_token().unwrap())
        .request_async(&send)
        .await;
    assert_refused(replay);
    assert_refused(refresh);
}

#[tokio::test]
async fn a_token_that_was_tampered_with_is_not_genuine() {
    let deployment = Deployment::start(MountPoint::Root, SigningAlgorithm::Rs256).await;
    let client = deployment
        .stranger(deployment.public, "http://127.0.0.1:1/callback")
        .await
        .set_auth_type(AuthType::RequestBody);
    let mut tokens = Vec::new();
    for scope in ["service:self_read", &deployment.scope.to_string()] {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let asked = client
            .authorize_url(CsrfToken::new_random)
            .set_pkce_challenge(challenge);
        let (url, _) = asked.add_scope(Scope::new(scope.to_owned())).url();
        let back = deployment.browser().allow(url.as_str()).await;
        let code = AuthorizationCode::new(query_of(&back)["code"].clone());
        let answer = client
            .exchange_code(code)
            .set_pkce_verifier(verifier)
            .request_async(&send)
            .await
            .unwrap();
        tokens.push(answer.access_token().secret().clone());
    }
    let parts: Vec<Vec<&str>> = tokens
        .iter()
        .map(|token| token.split('.').collect())
        .collect();
    assert_eq!(
        deployment.read(&tokens[0]).await.unwrap().scopes,
        ["service:self_read"]
    );
    let swapped = format!("{}.{}.{}", parts[0][0], parts[1][1], parts[0][2]);
    assert!(deployment.read(&swapped).await.is_err());
    let other = if parts[0][2].starts_with('A') {
        'B'
    } else {
        'A'
    };
    let changed = format!(
        "{}.{}.{other}{}",
        parts[0][0],
        parts[0][1],
        &parts[0][2][1..]
    );
    assert!(deployment.read(&changed).await.is_err());
}
