//! A server with a host's own users, a client of each policy, and grants that are created directly
//! in the store.

mod clients;
mod fields;
mod response;
mod users;

use std::sync::Arc;
use std::time::Duration;

use http::Request;
use http::header::AUTHORIZATION;
use lyceum::crypto::{Entropy, TokenVerifier};
use lyceum::domain::{
    AuthorizationCode, AuthorizationSession, ChallengeMethod, CodeChallenge, GrantId, ScopeSet,
    SessionToken, SigningAlgorithm, Timestamp,
};
use lyceum::http::auth_server::{AuthServer, AuthServerBuilder};
use lyceum::http::{Body, Clock};
use lyceum::store::{
    ApiKeyStore, Approval, ApprovalLimits, ApprovalOutcome, AuthStorage, ConsentMode, SignIn,
};
use lyceum::testing::{ManualClock, SeededEntropy};
use serde_json::Value;
use tower::ServiceExt;

use crate::stores::new_store;

pub use clients::TestClient;
pub use fields::{Fields, basic, json, refresh_fields};
pub use response::{TestResponse, Tokens, error};
pub use users::{AfterLookup, Users};

pub const ISSUER: &str = "https://auth.school.example";
pub const MINUTE: Duration = Duration::from_secs(60);
pub const TOKEN: &str = "/v1/oauth/token";
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
pub const CALLBACK: &str = "https://app.example/callback";
pub const SCOPES: &str = "service:self_read service:manage";
/// The password of the user.
pub const PASSWORD: &str = "a password that is right";
/// RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A server with its clock, store and users.
pub struct Harness {
    pub server: AuthServer,
    pub store: Arc<dyn AuthStorage>,
    pub clock: ManualClock,
    pub users: Arc<Users>,
    pub entropy: Arc<dyn Entropy>,
}

impl Harness {
    pub async fn new() -> Self {
        Self::with_settings(|builder| builder).await
    }

    pub async fn with_settings(
        settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        let store = new_store().await;
        let keys: Arc<dyn ApiKeyStore> = store.clone();
        Self::with_store(store, |builder| settings(builder.api_keys(keys))).await
    }

    pub async fn with_store(
        store: Arc<dyn AuthStorage>,
        settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        let (clock, users) = (ManualClock::new(START), Arc::new(Users::default()));
        Self::from_parts(
            store,
            clock,
            users,
            Arc::new(SeededEntropy::new(11)),
            settings,
        )
        .await
    }

    /// A second server with the same users, clock and master key, over another handle of the same
    /// store.
    pub async fn second_node(&self, store: Arc<dyn AuthStorage>) -> Self {
        let (clock, users, entropy) = (
            self.clock.clone(),
            Arc::clone(&self.users),
            Arc::clone(&self.entropy),
        );
        Self::from_parts(store, clock, users, entropy, |builder| builder).await
    }

    async fn from_parts(
        store: Arc<dyn AuthStorage>,
        clock: ManualClock,
        users: Arc<Users>,
        entropy: Arc<dyn Entropy>,
        settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        let builder = AuthServer::builder(store.clone(), ISSUER, lyceum::testing::master_key(3))
            .clock(Arc::new(clock.clone()))
            .entropy(Arc::clone(&entropy))
            .authenticator(users.clone())
            .signing_algorithm(SigningAlgorithm::Es256);
        Self {
            server: settings(builder).build().await.unwrap(),
            store,
            clock,
            users,
            entropy,
        }
    }

    /// A new code of the user, for all scopes.
    pub async fn code(&self, client: &TestClient, challenge: Option<CodeChallenge>) -> String {
        self.code_for(client, challenge, SCOPES).await
    }

    pub async fn code_for(
        &self,
        client: &TestClient,
        challenge: Option<CodeChallenge>,
        scopes: &str,
    ) -> String {
        let (now, [session, replacement]) = (
            self.clock.now(),
            std::array::from_fn(|_| SessionToken::from_random(self.entropy.bytes())),
        );
        let pending = AuthorizationSession {
            client: client.id.parse().unwrap(),
            redirect_uri: CALLBACK.to_owned(),
            state: None,
            scopes: ScopeSet::parse(scopes).unwrap(),
            challenge,
            prompt: lyceum::domain::Prompt::default(),
            subject: None,
            created_at: now,
            expires_at: now.plus(Duration::from_secs(600)),
        };
        self.store
            .open_session(session.digest(), pending)
            .await
            .unwrap();
        let user = self.users.get();
        let signed_in = self
            .store
            .sign_in(&session.digest(), replacement.digest(), user, now)
            .await
            .unwrap();
        assert!(matches!(signed_in, SignIn::SignedIn(_)));
        let code = AuthorizationCode::from_random(self.entropy.bytes());
        let grant = GrantId::from_random(self.entropy.bytes());
        let approval = Approval {
            grant,
            code: code.digest(),
            code_expires_at: now.plus(Duration::from_secs(60)),
            consent_mode: ConsentMode::Once,
            limits: ApprovalLimits::UNLIMITED,
        };
        let approved = self
            .store
            .approve_session(&replacement.digest(), approval, now)
            .await
            .unwrap();
        assert!(matches!(approved, ApprovalOutcome::Approved(_)));
        code.expose().to_owned()
    }

    /// The fields of a valid exchange by a public client, or by one that uses PKCE.
    pub async fn exchange_fields(&self, client: &TestClient) -> Fields {
        let code = self.code(client, Some(s256())).await;
        Fields::new(&[
            ("grant_type", "authorization_code"),
            ("client_id", &client.id),
            ("code", &code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
        ])
    }

    /// The tokens of a new grant.
    pub async fn tokens(&self, client: &TestClient) -> Tokens {
        self.post(&self.exchange_fields(client).await)
            .await
            .tokens()
    }

    /// The tokens of a new grant of these scopes.
    pub async fn tokens_for(&self, client: &TestClient, scopes: &str) -> Tokens {
        let code = self.code_for(client, Some(s256()), scopes).await;
        let fields = self
            .exchange_fields(client)
            .await
            .with("code", &code)
            .with("client_secret", &client.secret());
        self.post(&fields).await.tokens()
    }

    /// The introspection response for a token, to a client that authenticates by its secret.
    pub async fn introspect(&self, client: &TestClient, token: &str) -> Value {
        let fields = Fields::new(&[
            ("token", token),
            ("client_id", &client.id),
            ("client_secret", &client.secrets[0]),
        ]);
        let answer = self.send(fields.to_request("/v1/oauth/introspect")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("cache-control")),
            (200, "no-store"),
            "{answer:?}"
        );
        answer.json()
    }

    /// The response of `/userinfo` to a token.
    pub async fn user_info(&self, access_token: &str) -> TestResponse {
        let request =
            Request::get("/userinfo").header(AUTHORIZATION, format!("Bearer {access_token}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Signs a token with arbitrary claims by this server's key.
    pub async fn signed(&self, typ: &str, claims: &Value) -> String {
        let record = self.store.signing_keys().await.unwrap().pop().unwrap();
        let signer =
            lyceum::crypto::open_signing_key(&record, &lyceum::testing::master_key(3)).unwrap();
        lyceum::crypto::sign_token(&*signer, typ, claims).unwrap()
    }

    pub async fn refresh(&self, client: &TestClient, refresh_token: &str) -> TestResponse {
        self.post(&refresh_fields(client, refresh_token)).await
    }

    pub async fn post(&self, fields: &Fields) -> TestResponse {
        self.send(fields.as_form()).await
    }

    pub async fn send(&self, request: Request<Body>) -> TestResponse {
        let (parts, body) = self
            .server
            .clone()
            .oneshot(request)
            .await
            .unwrap()
            .into_parts();
        let has_cause = parts
            .extensions
            .get::<lyceum::http::FailureCause>()
            .is_some();
        let body = String::from_utf8(body.as_bytes().to_vec()).unwrap();
        TestResponse {
            status: parts.status,
            headers: parts.headers,
            body,
            has_cause,
        }
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Request::get(path).body(Body::empty()).unwrap())
            .await
    }

    /// The claims of an access token, verified against the published keys.
    pub async fn claims(&self, access_token: &str) -> Value {
        let keys = self.get("/v1/oauth/jwk-set").await.json();
        TokenVerifier::new(&serde_json::from_value(keys).unwrap())
            .verify(access_token, self.clock.now())
            .unwrap()
    }

    /// Whether the grant of an access token is live.
    pub async fn is_live(&self, access_token: &str) -> bool {
        let claims = self.claims(access_token).await;
        let grant = claims["jti"]
            .as_str()
            .unwrap()
            .split('.')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        self.store
            .grant_is_live(&grant, self.clock.now())
            .await
            .unwrap()
    }
}

pub fn s256() -> CodeChallenge {
    CodeChallenge::new(ChallengeMethod::S256, CHALLENGE).unwrap()
}
