//! Tests of events during the signing of a token.

use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use http::Request;
use http::header::CONTENT_TYPE;
use jsonwebtoken::jwk::Jwk;
use tower::ServiceExt;

use super::*;
use crate::crypto::{Signer, SigningError};
use crate::domain::{
    Account, AccountId, AuthorizationCode, AuthorizationSession, ChallengeMethod, Client, ClientId,
    ClientPolicy, ClientProof, ClientSecret, CodeChallenge, Email, GrantId, KeyId, PasswordHash,
    RegisteredSecret, Role, SessionToken, SigningAlgorithm, SubjectId, Verification,
};
use crate::http::FailureCause;
use crate::http::auth_server::AuthServer;
use crate::store::memory::MemoryStore;
use crate::store::{
    AccountStore, Approval, ApprovalLimits, ClientCreation, ClientRegistry, ConsentMode,
    GrantStore, Redemption, TokenLifetimes,
};
use crate::testing::{ManualClock, SeededEntropy};

const NOW: Timestamp = Timestamp::from_seconds(1_767_225_600);
const CALLBACK: &str = "https://app.example/callback";
const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::MAX,
    absolute: Duration::MAX,
    retry_window: Duration::ZERO,
};
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// An event during the signing of a token.
#[derive(Debug, Clone)]
enum SigningAccident {
    None,
    Revocation,
    Replay(AuthorizationCode),
    Error,
}

/// A signer that triggers a [`SigningAccident`].
#[derive(Debug)]
struct InterruptingSigner {
    inner: Arc<dyn Signer>,
    store: Arc<MemoryStore>,
    accident: SigningAccident,
}

impl Signer for InterruptingSigner {
    fn key_id(&self) -> &KeyId {
        self.inner.key_id()
    }

    fn algorithm(&self) -> SigningAlgorithm {
        self.inner.algorithm()
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
        if matches!(self.accident, SigningAccident::Error) {
            return Err(SigningError::Refused);
        }
        // The memory store never suspends.
        let revocation = async {
            match &self.accident {
                SigningAccident::Revocation => {
                    assert!(self.store.revoke_grant(&grant(), NOW).await.unwrap())
                }
                SigningAccident::Replay(code) => {
                    let code = code.digest();
                    let replay = self
                        .store
                        .redeem_authorization_code(&code, ClientProof::Pkce, LIFETIMES, NOW)
                        .await
                        .unwrap();
                    assert!(matches!(replay, Redemption::AlreadyRedeemed { .. }));
                }
                SigningAccident::None | SigningAccident::Error => {}
            }
        };
        let polled = std::pin::pin!(revocation).poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_ready());
        self.inner.sign(message)
    }

    fn public_jwk(&self) -> &Jwk {
        self.inner.public_jwk()
    }
}

fn grant() -> GrantId {
    GrantId::from_random([5; 16])
}

fn client() -> Client {
    Client {
        id: ClientId::from_random([1; 16]),
        name: "Timetable".parse().unwrap(),
        owner: SubjectId::service(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec![CALLBACK.parse().unwrap()],
        allowed_scopes: ScopeSet::parse("service:self_read").unwrap(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: NOW,
        suspended_at: None,
    }
}

/// A client that may introspect tokens for the service.
fn reader() -> Client {
    let secrets = vec![RegisteredSecret::new(&secret(), NOW)];
    Client {
        id: ClientId::from_random([2; 16]),
        policy: ClientPolicy::Secret,
        secrets,
        ..client()
    }
}

fn secret() -> ClientSecret {
    ClientSecret::from_random([6; 32])
}

/// A store with a grant whose code has just been issued.
async fn allowed(code: &AuthorizationCode) -> Arc<MemoryStore> {
    let store = Arc::new(MemoryStore::new());
    for client in [client(), reader()] {
        assert_eq!(
            store.create_client(client).await.unwrap(),
            ClientCreation::Created
        );
    }
    let (id, email) = (
        AccountId::from_random([8; 16]),
        "kim@school.example".parse::<Email>().unwrap(),
    );
    let password_hash = PasswordHash::from_phc("never checked here");
    let account = Account {
        id,
        email: email.clone(),
        password_hash,
        role: Role::User,
        created_at: NOW,
        student: None,
    };
    let _ = store.create_account(account).await.unwrap();
    let subject = Subject {
        id: id.into(),
        email,
        role: Role::User,
        numeric_id: None,
        student: None,
    };
    let session = AuthorizationSession {
        client: client().id,
        redirect_uri: CALLBACK.to_owned(),
        state: None,
        scopes: client().allowed_scopes,
        challenge: Some(
            CodeChallenge::new(
                ChallengeMethod::S256,
                "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            )
            .unwrap(),
        ),
        prompt: crate::domain::Prompt::default(),
        subject: Some(subject),
        created_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(60)),
    };
    let token = SessionToken::from_random([9; 32]).digest();
    store.open_session(token, session).await.unwrap();
    let approval = Approval {
        grant: grant(),
        code: code.digest(),
        code_expires_at: NOW.plus(Duration::from_secs(60)),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    let _ = store.approve_session(&token, approval, NOW).await.unwrap();
    store
}

/// A server whose signer triggers the accident.
async fn server(store: &Arc<MemoryStore>, accident: SigningAccident) -> AuthServer {
    let builder = AuthServer::builder(
        store.clone(),
        "https://auth.school.example",
        crate::testing::master_key(3),
    )
    .clock(Arc::new(ManualClock::new(NOW)))
    .entropy(Arc::new(SeededEntropy::new(1)))
    .signing_algorithm(SigningAlgorithm::Es256);
    let mut server = Arc::into_inner(builder.build().await.unwrap().shared).unwrap();
    server.keys.replace_signers(|inner| {
        Arc::new(InterruptingSigner {
            inner,
            store: Arc::clone(store),
            accident: accident.clone(),
        })
    });
    AuthServer::new(server)
}

async fn post(server: &AuthServer, path: &str, form: String) -> Response<Body> {
    let request = Request::post(path)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form));
    server.clone().oneshot(request.unwrap()).await.unwrap()
}

async fn exchange(server: &AuthServer, code: &AuthorizationCode) -> Response<Body> {
    let (client, code) = (client().id, code.expose());
    let form = format!(
        "grant_type=authorization_code&client_id={client}&code={code}&redirect_uri={CALLBACK}&code_verifier={VERIFIER}"
    );
    post(server, "/v1/oauth/token", form).await
}

async fn refresh(server: &AuthServer, token: &str) -> Response<Body> {
    post(
        server,
        "/v1/oauth/token",
        format!(
            "grant_type=refresh_token&client_id={}&refresh_token={token}",
            client().id
        ),
    )
    .await
}

/// The access and refresh token of a response.
fn issued(response: &Response<Body>) -> [String; 2] {
    assert_eq!(response.status(), StatusCode::OK);
    let body: serde_json::Value = serde_json::from_slice(response.body().as_bytes()).unwrap();
    ["access_token", "refresh_token"].map(|name| body[name].as_str().unwrap().to_owned())
}

/// Whether introspection, userinfo and the token endpoint accept the tokens. They must agree.
async fn are_alive(server: &AuthServer, [access, refresh_token]: &[String; 2]) -> bool {
    let form = format!(
        "token={access}&client_id={}&client_secret={}",
        reader().id,
        secret().expose()
    );
    let introspection = post(server, "/v1/oauth/introspect", form).await;
    assert_eq!(introspection.status(), StatusCode::OK);
    let request = Request::get("/userinfo")
        .header("authorization", format!("Bearer {access}"))
        .body(Body::empty())
        .unwrap();
    let user = server.clone().oneshot(request).await.unwrap();
    let is_active = introspection.body().as_bytes() != &b"{\"active\":false}"[..];
    assert_eq!(is_active, user.status() == StatusCode::OK);
    assert_eq!(
        is_active,
        refresh(server, refresh_token).await.status() == StatusCode::OK
    );
    is_active
}

// Proves: threats 3
/// Revokes the grant while the token is signed. Fails if a rotation does not check whether the
/// grant was revoked. `tests/interleavings` covers the other stores.
#[tokio::test]
async fn a_token_issued_while_its_grant_is_revoked_is_inactive_when_it_arrives() {
    let code = AuthorizationCode::from_random([7; 32]);
    for (accident, is_alive) in [
        (SigningAccident::None, true),
        (SigningAccident::Revocation, false),
        (SigningAccident::Replay(code.clone()), false),
    ] {
        let store = allowed(&code).await;
        let server = server(&store, accident).await;
        let tokens = issued(&exchange(&server, &code).await);
        assert_eq!(are_alive(&server, &tokens).await, is_alive);
    }
}

// Proves: threats 3
/// Fails if a rotation does not check whether the grant was revoked.
#[tokio::test]
async fn a_token_refreshed_while_its_grant_is_revoked_is_inactive_when_it_arrives() {
    let code = AuthorizationCode::from_random([7; 32]);
    for (accident, is_alive) in [
        (SigningAccident::None, true),
        (SigningAccident::Revocation, false),
        (SigningAccident::Replay(code.clone()), false),
    ] {
        let store = allowed(&code).await;
        let [_, refresh_token] =
            issued(&exchange(&server(&store, SigningAccident::None).await, &code).await);
        let server = server(&store, accident).await;
        let tokens = issued(&refresh(&server, &refresh_token).await);
        assert_eq!(are_alive(&server, &tokens).await, is_alive);
    }
}

#[tokio::test]
async fn a_failing_signer_is_logged_and_not_revealed_to_the_client() {
    let code = AuthorizationCode::from_random([7; 32]);
    let store = allowed(&code).await;
    let response = exchange(&server(&store, SigningAccident::Error).await, &code).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let cause = response
        .extensions()
        .get::<FailureCause>()
        .unwrap()
        .error()
        .to_string();
    let body = String::from_utf8(response.body().as_bytes().to_vec()).unwrap();
    assert!(
        !body.contains(&cause) && body.contains("server_error"),
        "{body}"
    );
    assert_eq!(response.headers()[http::header::CACHE_CONTROL], "no-store");
}
