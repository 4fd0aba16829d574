//! Strangers to this library use the server over a real port: the `oauth2` crate asks for tokens, `jwt-compact` checks them with the
//! published keys, and a browser of a few lines walks through the pages.

#[path = "support/mod.rs"]
mod support;

use std::future::Future;
use std::io;
use std::sync::Arc;

use jwt_compact::alg::{Rsa, RsaPublicKey};
use jwt_compact::jwk::JsonWebKey;
use jwt_compact::{AlgorithmExt, UntrustedToken};
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::domain::{Client, ClientId, ClientPolicy, ClientSecret, Password, RegisteredSecret, Role, ScopeSet, SubjectId, Timestamp};
use lyceum::http::auth_server::{AccountCreation, Accounts, AuthServer};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ClientCreation, ClientRegistry};
use oauth2::basic::{BasicClient, BasicErrorResponseType};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, CsrfToken, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, PkceCodeChallenge,
    RedirectUrl, RequestTokenError, Scope, TokenResponse, TokenUrl,
};
use serde::Deserialize;
use support::{Answer, query_of};

const CALLBACK: &str = "https://app.example/callback";
const LOOPBACK: &str = "http://127.0.0.1/callback";
const EMAIL: &str = "kim.haneul@school.example";
const PASSWORD: &str = "correct horse battery staple";

type Stranger = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// A server on a port of its own, with a confidential and a public client.
struct Deployment {
    origin: String,
    confidential: (ClientId, ClientSecret),
    public: ClientId,
}

impl Deployment {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (store, entropy): (_, &dyn Entropy) = (Arc::new(MemoryStore::new()), &SystemEntropy);
        let accounts = Arc::new(Accounts::builder(store.clone()).hashing_cost(8, 1).build().unwrap());
        let created = accounts.create(EMAIL.parse().unwrap(), &Password::new(PASSWORD).unwrap(), Role::User).await.unwrap();
        assert!(matches!(created, AccountCreation::Created(_)));
        let secret = ClientSecret::from_random(entropy.bytes());
        let (confidential, public) = (ClientId::from_random(entropy.bytes()), ClientId::from_random(entropy.bytes()));
        for (id, policy, secrets, callback) in
            [(confidential, ClientPolicy::Secret, vec![&secret], CALLBACK), (public, ClientPolicy::Public, Vec::new(), LOOPBACK)]
        {
            let created_at = Timestamp::from_seconds(0);
            let client = Client {
                id,
                name: "Timetable".parse().unwrap(),
                owner: SubjectId::service(),
                policy,
                secrets: secrets.into_iter().map(|secret| RegisteredSecret { digest: secret.digest(), created_at }).collect(),
                redirect_uris: vec![callback.parse().unwrap()],
                allowed_scopes: ScopeSet::parse("service:self_read service:manage").unwrap(),
                plain_pkce_allowed: false,
                first_party: true,
                client_credentials_allowed: false,
                created_at,
            };
            assert_eq!(store.create_client(client).await.unwrap(), ClientCreation::Created);
        }
        let server = AuthServer::builder(store, &origin, MasterKey::from_bytes(entropy.bytes())).authenticator(accounts).build();
        tokio::spawn(lyceum::http::serve(listener, server.await.unwrap(), std::future::pending()));
        Self { origin, confidential: (confidential, secret), public }
    }

    fn stranger(&self, id: ClientId, callback: &str) -> Stranger {
        BasicClient::new(oauth2::ClientId::new(id.to_string()))
            .set_auth_uri(AuthUrl::new(format!("{}/v1/oauth/authorize", self.origin)).unwrap())
            .set_token_uri(TokenUrl::new(format!("{}/v1/oauth/token", self.origin)).unwrap())
            .set_redirect_uri(RedirectUrl::new(callback.to_owned()).unwrap())
    }

    /// What another service sees in an access token, if it is genuine.
    async fn read(&self, token: &str) -> Result<Claims, jwt_compact::ValidationError> {
        let keys = support::Client::new().get(&format!("{}/v1/oauth/jwk-set", self.origin), &[]).await.json();
        let untrusted = UntrustedToken::new(token).unwrap();
        let id = untrusted.header().key_id.as_deref().unwrap();
        let key = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"] == id).unwrap();
        let key: JsonWebKey<'_> = serde_json::from_value(key.clone()).unwrap();
        let token = Rsa::rs256().validator::<Claims>(&RsaPublicKey::try_from(&key).unwrap()).validate(&untrusted)?;
        let (_, claims) = token.into_parts();
        assert_eq!((claims.expiration.unwrap() - claims.issued_at.unwrap()).num_seconds(), 3600);
        Ok(claims.custom)
    }
}

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
    let (parts, body) = request.into_parts();
    async move {
        let body = String::from_utf8(body).map_err(io::Error::other)?;
        let answer = support::Client::new().send(http::Request::from_parts(parts, body)).await.map_err(io::Error::other)?;
        let mut response = http::Response::new(answer.body.into_bytes());
        (*response.status_mut(), *response.headers_mut()) = (answer.status, answer.headers);
        Ok(response)
    }
}

/// A browser with one cookie, whose user signs in and allows what is asked.
struct Browser {
    client: support::Client,
    origin: String,
    cookie: String,
}

impl Browser {
    fn new(deployment: &Deployment) -> Self {
        Self { client: support::Client::new(), origin: deployment.origin.clone(), cookie: String::new() }
    }

    /// Follows an authorization URL to where the user is sent back to.
    async fn allow(&mut self, url: &str) -> String {
        let login = self.visit(url, &[]).await.header("location").to_owned();
        let page = self.visit(&login, &[]).await;
        let fields = [("form_token", form_token(&page)), ("email", EMAIL), ("password", PASSWORD)];
        let consent = self.visit(&login, &fields).await.header("location").to_owned();
        let page = self.visit(&consent, &[]).await;
        let fields = [("form_token", form_token(&page)), ("decision", "allow")];
        self.visit(&consent, &fields).await.header("location").to_owned()
    }

    /// Opens an address, or posts a form to it.
    async fn visit(&mut self, address: &str, form: &[(&str, &str)]) -> Answer {
        let url = if address.starts_with('/') { format!("{}{address}", self.origin) } else { address.to_owned() };
        let headers = [("accept", "text/html"), ("cookie", &*self.cookie)];
        let answer = match form {
            [] => self.client.get(&url, &headers).await,
            form => self.client.post_form(&url, &headers, form).await,
        };
        assert!(answer.status.is_success() || answer.status == 303, "{url}: {} {}", answer.status, answer.body);
        if let Some(cookie) = answer.headers.get("set-cookie") {
            self.cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        }
        answer
    }
}

fn form_token(page: &Answer) -> &str {
    page.body.split("name=\"form_token\" value=\"").nth(1).unwrap().split('"').next().unwrap()
}

#[tokio::test]
async fn a_client_with_a_secret_gets_checks_and_refreshes_its_tokens() {
    let deployment = Deployment::start().await;
    let (id, secret) = &deployment.confidential;
    let client = deployment.stranger(*id, CALLBACK).set_client_secret(oauth2::ClientSecret::new(secret.expose().to_owned()));
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let asked = client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge);
    let (url, state) = asked.add_scope(Scope::new("service:self_read".to_owned())).url();

    let back = Browser::new(&deployment).allow(url.as_str()).await;
    assert!(back.starts_with(&format!("{CALLBACK}?")), "{back}");
    let answer = query_of(&back);
    assert_eq!((&answer["state"], &answer["iss"]), (state.secret(), &deployment.origin));

    let code = AuthorizationCode::new(answer["code"].clone());
    let tokens = client.exchange_code(code.clone()).set_pkce_verifier(verifier).request_async(&send).await.unwrap();
    assert_eq!(tokens.scopes().unwrap()[..], [Scope::new("service:self_read".to_owned())]);
    assert_eq!(tokens.expires_in().unwrap().as_secs(), 3600);
    let claims = deployment.read(tokens.access_token().secret()).await.unwrap();
    assert_eq!((&*claims.sub, &*claims.role, &*claims.client_id), (EMAIL, "USER", &*id.to_string()));
    assert_eq!((claims.scopes, claims.aud), (vec!["service:self_read".to_owned()], vec!["service".to_owned()]));

    let refreshed = client.exchange_refresh_token(tokens.refresh_token().unwrap()).request_async(&send).await.unwrap();
    assert_ne!(refreshed.refresh_token().unwrap().secret(), tokens.refresh_token().unwrap().secret());
    assert_eq!(deployment.read(refreshed.access_token().secret()).await.unwrap().scopes, ["service:self_read"]);
}

#[tokio::test]
async fn a_client_without_a_secret_gets_its_tokens_by_pkce_and_a_replay_takes_them_away() {
    let deployment = Deployment::start().await;
    let callback = "http://127.0.0.1:51234/callback";
    let client = deployment.stranger(deployment.public, callback).set_auth_type(AuthType::RequestBody);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, _) = client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge).url();
    let back = Browser::new(&deployment).allow(url.as_str()).await;
    let code = AuthorizationCode::new(query_of(&back)["code"].clone());
    let verifier = || oauth2::PkceCodeVerifier::new(verifier.secret().clone());
    let tokens = client.exchange_code(code.clone()).set_pkce_verifier(verifier()).request_async(&send).await.unwrap();
    assert_eq!(tokens.scopes().unwrap().len(), 2, "no scope was asked for, so all of the client's are granted");

    let replay = client.exchange_code(code).set_pkce_verifier(verifier()).request_async(&send).await;
    let refresh = client.exchange_refresh_token(tokens.refresh_token().unwrap()).request_async(&send).await;
    for refused in [replay, refresh] {
        let RequestTokenError::ServerResponse(error) = refused.unwrap_err() else { panic!("not an OAuth error") };
        assert_eq!(error.error(), &BasicErrorResponseType::InvalidGrant);
    }
}

#[tokio::test]
async fn a_token_that_was_tampered_with_is_not_genuine() {
    let deployment = Deployment::start().await;
    let client = deployment.stranger(deployment.public, "http://127.0.0.1:1/callback").set_auth_type(AuthType::RequestBody);
    let mut tokens = Vec::new();
    for scope in ["service:self_read", "service:manage"] {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let asked = client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge);
        let (url, _) = asked.add_scope(Scope::new(scope.to_owned())).url();
        let back = Browser::new(&deployment).allow(url.as_str()).await;
        let code = AuthorizationCode::new(query_of(&back)["code"].clone());
        let answer = client.exchange_code(code).set_pkce_verifier(verifier).request_async(&send).await.unwrap();
        tokens.push(answer.access_token().secret().clone());
    }
    let parts: Vec<Vec<&str>> = tokens.iter().map(|token| token.split('.').collect()).collect();
    assert_eq!(deployment.read(&tokens[0]).await.unwrap().scopes, ["service:self_read"]);
    let swapped = format!("{}.{}.{}", parts[0][0], parts[1][1], parts[0][2]);
    assert!(deployment.read(&swapped).await.is_err());
    let other = if parts[0][2].starts_with('A') { 'B' } else { 'A' };
    let changed = format!("{}.{}.{other}{}", parts[0][0], parts[0][1], &parts[0][2][1..]);
    assert!(deployment.read(&changed).await.is_err());
}
