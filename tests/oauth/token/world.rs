//! A server with users of the host's own, a client of each policy, and grants that are put straight into the store.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Request, StatusCode};
use lyceum::crypto::{Entropy, TokenVerifier};
use lyceum::domain::{
    Application, ApplicationId, AuthorizationCode, AuthorizationSession, ChallengeMethod, Client, ClientId, ClientPolicy, ClientSecret,
    CodeChallenge, GrantId, Line, Password, RegisteredSecret, Role, Scope, ScopeDefinition, ScopeId, ScopeSet, SessionToken,
    SigningAlgorithm, Subject, SubjectId, Timestamp, UserNumber, Verification,
};
use lyceum::http::auth_server::{AuthServer, AuthServerBuilder, Authenticator, SignInVerdict};
use lyceum::http::{Body, Clock};
use lyceum::store::AuthStorage;
use lyceum::store::{
    ApiKeyStore, Approval, ApprovalCaps, ApprovalOutcome, Assent, ClientCreation, Creation, OwnedApiKeys, ScopeCreation, SignIn,
    StorageError,
};
use lyceum::testing::{ManualClock, SeededEntropy};
use serde_json::Value;
use tower::ServiceExt;

use crate::stores::new_store;

pub const ISSUER: &str = "https://auth.school.example";
pub const MINUTE: Duration = Duration::from_secs(60);
pub const TOKEN: &str = "/v1/oauth/token";
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
pub const CALLBACK: &str = "https://app.example/callback";
pub const SCOPES: &str = "service:self_read service:manage";
/// The password of the one user.
pub const PASSWORD: &str = "a password that is right";
/// RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A server and what is around it.
pub struct World {
    pub server: AuthServer,
    pub store: Arc<dyn AuthStorage>,
    pub clock: ManualClock,
    pub users: Arc<Users>,
    pub entropy: Arc<dyn Entropy>,
}

/// A client, and its secrets in the clear; the second one is there for rotation.
pub struct TestClient {
    pub id: String,
    pub secrets: [String; 2],
    is_public: bool,
}

impl TestClient {
    /// One that was never registered.
    pub fn unknown() -> Self {
        Self { id: ClientId::from_random([0xEE; 16]).to_string(), secrets: Default::default(), is_public: true }
    }

    /// The secret that it proves itself with; empty for a public client.
    pub fn secret(&self) -> String {
        if self.is_public { String::new() } else { self.secrets[0].clone() }
    }
}

impl World {
    pub async fn new() -> Self {
        Self::with(|builder| builder).await
    }

    pub async fn with(settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder) -> Self {
        let store = new_store().await;
        let keys: Arc<dyn ApiKeyStore> = store.clone();
        Self::over(store, |builder| settings(builder.api_keys(keys))).await
    }

    pub async fn over(store: Arc<dyn AuthStorage>, settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder) -> Self {
        let (clock, users) = (ManualClock::at(START), Arc::new(Users::default()));
        Self::made_of(store, clock, users, Arc::new(SeededEntropy::new(11)), settings).await
    }

    /// Another server with the same users, clock and master key over another handle of the same store.
    pub async fn neighbour(&self, store: Arc<dyn AuthStorage>) -> Self {
        let (clock, users, entropy) = (self.clock.clone(), Arc::clone(&self.users), Arc::clone(&self.entropy));
        Self::made_of(store, clock, users, entropy, |builder| builder).await
    }

    async fn made_of(
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
        Self { server: settings(builder).build().await.unwrap(), store, clock, users, entropy }
    }

    /// A new client of this policy, with two secrets unless it is public.
    pub async fn client(&self, policy: ClientPolicy) -> TestClient {
        self.client_with(policy, |_| {}).await
    }

    /// A new client that is not one of the service's own and may not manage.
    pub async fn user_owned_client(&self, policy: ClientPolicy) -> TestClient {
        let change = |client: &mut Client| (client.first_party, client.allowed_scopes) = (false, ScopeSet::from_iter([Scope::self_read()]));
        self.client_with(policy, change).await
    }

    /// A new client that differs in something else too.
    pub async fn client_with(&self, policy: ClientPolicy, change: impl FnOnce(&mut Client)) -> TestClient {
        let secrets: [ClientSecret; 2] = std::array::from_fn(|_| ClientSecret::from_random(self.entropy.bytes()));
        let registered = secrets.iter().map(|secret| RegisteredSecret { digest: secret.digest(), created_at: START });
        let mut client = Client {
            id: ClientId::from_random(self.entropy.bytes()),
            name: "Timetable".parse().unwrap(),
            owner: SubjectId::service(),
            policy,
            secrets: if policy == ClientPolicy::Public { Vec::new() } else { registered.collect() },
            redirect_uris: vec![CALLBACK.parse().unwrap()],
            allowed_scopes: ScopeSet::parse(SCOPES).unwrap(),
            plain_pkce_allowed: true,
            pkce_required: false,
            first_party: true,
            client_credentials_allowed: false,
            iss_omitted: false,
            verification: Verification::Assumed,
            created_at: START,
            suspended_at: None,
        };
        change(&mut client);
        let id = client.id.to_string();
        assert_eq!(self.store.create_client(client).await.unwrap(), ClientCreation::Created);
        TestClient { id, secrets: secrets.map(|secret| secret.expose().to_owned()), is_public: policy == ClientPolicy::Public }
    }

    /// A new application of this owner, with the scopes `read` and `write`.
    pub async fn application(&self, owner: &str) -> ApplicationId {
        let (id, name) = (ApplicationId::from_random(self.entropy.bytes()), "Timetable".parse::<Line>().unwrap());
        let application = Application { id, name: name.clone(), owner: owner.parse().unwrap(), created_at: START };
        assert_eq!(self.store.create_application(application).await.unwrap(), Creation::Created);
        for scope in ["read", "write"] {
            let definition = ScopeDefinition {
                id: ScopeId::from_random(self.entropy.bytes()),
                scope: Scope { application: id, name: scope.parse().unwrap() },
                description: "Read or write".parse().unwrap(),
                approval_required: false,
                application_name: name.clone(),
            };
            assert_eq!(self.store.create_scope(definition).await.unwrap(), ScopeCreation::Created);
        }
        id
    }

    /// A code that the user has just allowed, for all scopes.
    pub async fn code(&self, client: &TestClient, challenge: Option<CodeChallenge>) -> String {
        self.code_for(client, challenge, SCOPES).await
    }

    pub async fn code_for(&self, client: &TestClient, challenge: Option<CodeChallenge>, scopes: &str) -> String {
        let (now, [session, replacement]) = (self.clock.now(), std::array::from_fn(|_| SessionToken::from_random(self.entropy.bytes())));
        let pending = AuthorizationSession {
            client: client.id.parse().unwrap(),
            redirect_uri: CALLBACK.to_owned(),
            state: None,
            scopes: ScopeSet::parse(scopes).unwrap(),
            challenge,
            ask_again: false,
            subject: None,
            created_at: now,
            expires_at: now.plus(Duration::from_secs(600)),
        };
        self.store.open_session(session.digest(), pending).await.unwrap();
        let user = self.users.get();
        let signed_in = self.store.sign_in(&session.digest(), replacement.digest(), user, now).await.unwrap();
        assert!(matches!(signed_in, SignIn::SignedIn(_)));
        let code = AuthorizationCode::from_random(self.entropy.bytes());
        let grant = GrantId::from_random(self.entropy.bytes());
        let approval = Approval {
            grant,
            code: code.digest(),
            code_expires_at: now.plus(Duration::from_secs(60)),
            assent: Assent::Once,
            caps: ApprovalCaps::NONE,
        };
        let approved = self.store.approve_session(&replacement.digest(), approval, now).await.unwrap();
        assert!(matches!(approved, ApprovalOutcome::Approved(_)));
        code.expose().to_owned()
    }

    /// The fields of a sound exchange by a public client, or by one that proves itself by PKCE.
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
        self.post(&self.exchange_fields(client).await).await.tokens()
    }

    /// The tokens of a new grant of these scopes.
    pub async fn tokens_for(&self, client: &TestClient, scopes: &str) -> Tokens {
        let code = self.code_for(client, Some(s256()), scopes).await;
        let fields = self.exchange_fields(client).await.with("code", &code).with("client_secret", &client.secret());
        self.post(&fields).await.tokens()
    }

    /// What a client that proves its secret is told of a token.
    pub async fn introspect(&self, client: &TestClient, token: &str) -> Value {
        let fields = Fields::new(&[("token", token), ("client_id", &client.id), ("client_secret", &client.secrets[0])]);
        let answer = self.send(fields.to("/v1/oauth/introspect")).await;
        assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "no-store"), "{answer:?}");
        answer.json()
    }

    /// The answer of `/userinfo` to a token.
    pub async fn user_info(&self, access_token: &str) -> Answer {
        let request = Request::get("/userinfo").header(AUTHORIZATION, format!("Bearer {access_token}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// A token that this server's key signs, whatever it says.
    pub async fn signed(&self, typ: &str, claims: &Value) -> String {
        let record = self.store.signing_keys().await.unwrap().pop().unwrap();
        let signer = lyceum::crypto::open(&record, &lyceum::testing::master_key(3)).unwrap();
        lyceum::crypto::sign_token(&*signer, typ, claims).unwrap()
    }

    pub async fn refresh(&self, client: &TestClient, refresh_token: &str) -> Answer {
        self.post(&refresh_fields(client, refresh_token)).await
    }

    pub async fn post(&self, fields: &Fields) -> Answer {
        self.send(fields.as_form()).await
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (parts, body) = self.server.clone().oneshot(request).await.unwrap().into_parts();
        let has_cause = parts.extensions.get::<lyceum::http::FailureCause>().is_some();
        let body = String::from_utf8(body.as_bytes().to_vec()).unwrap();
        Answer { status: parts.status, headers: parts.headers, body, has_cause }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// The claims of an access token, checked against the published keys.
    pub async fn claims(&self, access_token: &str) -> Value {
        let keys = self.get("/v1/oauth/jwk-set").await.json();
        TokenVerifier::new(&serde_json::from_value(keys).unwrap()).verify(access_token, self.clock.now()).unwrap()
    }

    /// Whether the grant behind an access token still lives.
    pub async fn is_live(&self, access_token: &str) -> bool {
        let claims = self.claims(access_token).await;
        let grant = claims["jti"].as_str().unwrap().split('.').next().unwrap().parse().unwrap();
        self.store.grant_is_live(&grant, self.clock.now()).await.unwrap()
    }
}

pub fn refresh_fields(client: &TestClient, refresh_token: &str) -> Fields {
    Fields::new(&[("grant_type", "refresh_token"), ("client_id", &client.id), ("refresh_token", refresh_token)])
}

pub fn s256() -> CodeChallenge {
    CodeChallenge::new(ChallengeMethod::S256, CHALLENGE).unwrap()
}

/// The `Authorization` header of `client_secret_basic`.
pub fn basic(id: &str, secret: &str) -> String {
    use base64ct::Encoding;
    format!("Basic {}", base64ct::Base64::encode_string(format!("{id}:{secret}").as_bytes()))
}

/// The fields of a token request.
#[derive(Clone, Debug)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    pub fn new(fields: &[(&str, &str)]) -> Self {
        Self(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    /// These with another value; an empty one takes the field away.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut fields = self.0.clone();
        fields.retain(|(found, _)| found != name);
        if !value.is_empty() {
            fields.push((name.to_owned(), value.to_owned()));
        }
        Self(fields)
    }

    /// The same form for another endpoint.
    pub fn to(&self, path: &'static str) -> Request<Body> {
        let mut request = self.as_form();
        *request.uri_mut() = http::Uri::from_static(path);
        request
    }

    pub fn as_form(&self) -> Request<Body> {
        let escape = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let pairs: Vec<String> = self.0.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect();
        let request = Request::post(TOKEN).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        request.body(Body::from(pairs.join("&"))).unwrap()
    }

    pub fn as_json(&self) -> Request<Body> {
        let quote = |text: &str| serde_json::to_string(text).unwrap();
        let pairs: Vec<String> = self.0.iter().map(|(name, value)| format!("{}:{}", quote(name), quote(value))).collect();
        json(&format!("{{{}}}", pairs.join(",")))
    }

    pub fn with_header(&self, authorization: &str) -> Request<Body> {
        let mut request = self.as_form();
        request.headers_mut().append(AUTHORIZATION, authorization.parse().unwrap());
        request
    }
}

pub fn json(body: &str) -> Request<Body> {
    Request::post(TOKEN).header(CONTENT_TYPE, "application/json").body(Body::from(body.to_owned())).unwrap()
}

/// An answer that has been read.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    pub has_cause: bool,
}

/// Two answers are the same if they differ in nothing but the id that every answer has for itself.
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        let told = |answer: &Self| {
            let mut headers = answer.headers.clone();
            headers.remove("x-request-id");
            headers
        };
        let (one, two) = ((self.status, &self.body, self.has_cause), (other.status, &other.body, other.has_cause));
        one == two && told(self) == told(other)
    }
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    /// The status and the `error` word.
    pub fn error(&self) -> (u16, String) {
        let body = self.json();
        assert!(body["error_description"].is_string() && body.as_object().unwrap().len() == 2, "{body}");
        assert_eq!(self.header("cache-control"), "no-store");
        (self.status.as_u16(), body["error"].as_str().unwrap().to_owned())
    }

    pub fn tokens(&self) -> Tokens {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        let body = self.json();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Tokens { access: text("access_token"), refresh: text("refresh_token"), scope: text("scope") }
    }
}

/// What an error is expected to be, to compare with [`Answer::error`].
pub fn error(status: u16, word: &str) -> (u16, String) {
    (status, word.to_owned())
}

#[derive(Debug, Clone)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
    pub scope: String,
}

/// The host's own users, one of whom is at the keyboard. They may change, leave, or be out of reach.
#[derive(Debug)]
pub struct Users {
    users: Mutex<HashMap<SubjectId, Subject>>,
    current: Mutex<SubjectId>,
    is_reachable: Mutex<bool>,
    /// What happens right after this user is looked up the next time.
    after_look: Mutex<Option<(SubjectId, AfterLook)>>,
}

/// What happens right after a user is looked up.
#[derive(Debug)]
pub enum AfterLook {
    /// The user signs out everywhere, and keeps the API keys.
    SignsOut(Arc<dyn AuthStorage>),
    /// The user is removed.
    Leaves,
    /// The users are out of reach.
    OutOfReach,
}

impl Default for Users {
    fn default() -> Self {
        let kim = Subject { id: "7".parse().unwrap(), email: "kim@school.example".parse().unwrap(), role: Role::User, number: None };
        let current = Mutex::new(kim.id.clone());
        let users = Mutex::new(HashMap::from([(kim.id.clone(), kim)]));
        Self { users, current, is_reachable: Mutex::new(true), after_look: Mutex::new(None) }
    }
}

impl Users {
    pub fn get(&self) -> Subject {
        self.users.lock().unwrap()[&*self.current.lock().unwrap()].clone()
    }

    /// Lets somebody sit down at the keyboard: a new user, or one with another role.
    pub fn enter(&self, id: &str, role: Role) {
        let user = Subject { id: id.parse().unwrap(), email: format!("{id}@school.example").parse().unwrap(), role, number: None };
        *self.current.lock().unwrap() = user.id.clone();
        self.users.lock().unwrap().insert(user.id.clone(), user);
    }

    pub fn change(&self, email: &str, role: Role) {
        let user = Subject { email: email.parse().unwrap(), role, ..self.get() };
        self.users.lock().unwrap().insert(user.id.clone(), user);
    }

    /// Gives the user at the keyboard a number of the host's own.
    pub fn give_number(&self, number: i64) {
        let user = Subject { number: Some(UserNumber::new(number).unwrap()), ..self.get() };
        self.users.lock().unwrap().insert(user.id.clone(), user);
    }

    pub fn leave(&self) {
        self.users.lock().unwrap().clear();
    }

    /// Has this happen once, right after the user is looked up the next time.
    pub fn after_look(&self, id: &str, event: AfterLook) {
        *self.after_look.lock().unwrap() = Some((id.parse().unwrap(), event));
    }

    pub fn set_reachable(&self, is_reachable: bool) {
        *self.is_reachable.lock().unwrap() = is_reachable;
    }
}

#[async_trait]
impl Authenticator for Users {
    async fn authenticate(&self, email: &str, password: &Password, _: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
        let user = self.get();
        Ok(if email == user.email.as_str() && password.expose() == PASSWORD {
            SignInVerdict::SignedIn(user)
        } else {
            SignInVerdict::Refused
        })
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        if !*self.is_reachable.lock().unwrap() {
            return Err(StorageError::unavailable("asking for a user", "planted"));
        }
        let found = self.users.lock().unwrap().get(id).cloned();
        let event = self.after_look.lock().unwrap().take_if(|(user, _)| user == id);
        match event {
            Some((_, AfterLook::SignsOut(store))) => drop(store.revoke_grants_of(id, OwnedApiKeys::Keep, START).await?),
            Some((_, AfterLook::Leaves)) => drop(self.users.lock().unwrap().remove(id)),
            Some((_, AfterLook::OutOfReach)) => self.set_reachable(false),
            None => {}
        }
        Ok(found)
    }
}
