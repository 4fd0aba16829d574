//! A server with a client of each kind, a browser and an API client.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use lyceum::crypto::Entropy;
use lyceum::domain::{
    Application, ApplicationId, Client, ClientId, ClientPolicy, ClientSecret, RegisteredSecret,
    Role, Scope, ScopeDefinition, ScopeId, ScopeSet, SigningAlgorithm, SubjectId, Timestamp,
    Translations, Verification,
};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServer, AuthServerBuilder};
use lyceum::http::{Body, ClientAddress};
use lyceum::store::{AuthStorage, ClientCreation, Creation, ScopeCreation};
use lyceum::testing::{ManualClock, SeededEntropy};
use tower::ServiceExt;

use crate::stores::new_store;

pub const ISSUER: &str = "https://auth.school.example";
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
pub const EMAIL: &str = "kim.haneul@school.example";
pub const PASSWORD: &str = "correct horse battery staple";
pub const CALLBACK: &str = "https://app.example/callback";
/// RFC 7636, appendix B.
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub type Server = AuthServer;

/// A server with its clock, store and clients.
pub struct Harness {
    pub server: Server,
    pub store: Arc<dyn AuthStorage>,
    pub clock: ManualClock,
    pub accounts: Arc<Accounts>,
    /// Has a secret, also stored here, and the default policy.
    pub client: Arc<Client>,
    pub secret: ClientSecret,
    /// Has no secret; its redirect URI is on loopback.
    pub public_client: Arc<Client>,
    /// May use the PKCE method `plain`.
    pub old_client: Arc<Client>,
    pub application: ApplicationId,
}

impl Harness {
    /// A server with the defaults.
    pub async fn new() -> Self {
        Self::with_settings(|builder| builder).await
    }

    /// A server with other settings.
    pub async fn with_settings(
        settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        Self::with_issuer(ISSUER, settings).await
    }

    /// A server with another issuer.
    pub async fn with_issuer(
        issuer: &str,
        settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        let (store, clock) = (new_store().await, ManualClock::new(START));
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(7));
        let accounts = Accounts::builder(store.clone())
            .clock(Arc::new(clock.clone()))
            .entropy(Arc::clone(&entropy));
        let accounts = Arc::new(accounts.hashing_cost(8, 1).build().unwrap());
        let password = lyceum::domain::Password::new(PASSWORD).unwrap();
        let created = accounts
            .create(EMAIL.parse().unwrap(), &password, Role::User)
            .await
            .unwrap();
        assert!(matches!(created, AccountCreationOutcome::Created(_)));
        let application = application(&*store, &*entropy).await;
        let secret = ClientSecret::from_random(entropy.bytes());
        let scopes = format!("{application}:read {application}:write service:self_read");
        let client = |name: &str, policy, redirect_uris: &[&str]| Client {
            id: ClientId::from_random(entropy.bytes()),
            name: name.parse().unwrap(),
            owner: SubjectId::service(),
            policy,
            secrets: Vec::new(),
            redirect_uris: redirect_uris
                .iter()
                .map(|uri| uri.parse().unwrap())
                .collect(),
            allowed_scopes: ScopeSet::parse(&scopes).unwrap(),
            plain_pkce_allowed: false,
            pkce_required: false,
            first_party: false,
            client_credentials_allowed: false,
            iss_omitted: false,
            policy_uri: None,
            verification: Verification::Assumed,
            created_at: START,
            suspended_at: None,
        };
        let registered = vec![RegisteredSecret::new(&secret, START)];
        let callbacks = [CALLBACK, "https://app.example/tenant?name=a%20b+c&flag"];
        let confidential = Client {
            secrets: registered.clone(),
            ..client("Timetable <Plus>", ClientPolicy::SecretOrPkce, &callbacks)
        };
        let public = client(
            "Campus App",
            ClientPolicy::Public,
            &[
                "http://127.0.0.1:8400/callback",
                "com.example.campus:/callback",
            ],
        );
        let old = Client {
            plain_pkce_allowed: true,
            secrets: registered,
            ..client("Old Kiosk", ClientPolicy::SecretOrPkce, &[CALLBACK])
        };
        for client in [&confidential, &public, &old] {
            assert_eq!(
                store.create_client(client.clone()).await.unwrap(),
                ClientCreation::Created
            );
        }
        let builder = AuthServer::builder(store.clone(), issuer, lyceum::testing::master_key(3))
            .clock(Arc::new(clock.clone()))
            .entropy(entropy)
            .authenticator(accounts.clone())
            // Generating an RSA key is slow, and these tests do not depend on the signature.
            .signing_algorithm(SigningAlgorithm::Es256);
        Self {
            server: settings(builder).build().await.unwrap(),
            store,
            clock,
            accounts,
            client: Arc::new(confidential),
            secret,
            public_client: Arc::new(public),
            old_client: Arc::new(old),
            application,
        }
    }

    /// The parameters of a valid authorization request.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        vec![
            ("response_type", "code".to_owned()),
            ("client_id", self.client.id.to_string()),
            ("redirect_uri", CALLBACK.to_owned()),
            ("scope", format!("{}:read", self.application)),
            ("state", "xyz".to_owned()),
            ("code_challenge", CHALLENGE.to_owned()),
            ("code_challenge_method", "S256".to_owned()),
        ]
    }

    /// The path of an authorization request: the valid one with these changes; an empty value
    /// removes a parameter.
    pub fn authorize(&self, changes: &[(&'static str, &str)]) -> String {
        let mut parameters = self.parameters();
        for (name, value) in changes {
            parameters.retain(|(found, _)| found != name);
            if !value.is_empty() {
                parameters.push((name, (*value).to_owned()));
            }
        }
        format!("/v1/oauth/authorize?{}", encoded(&parameters))
    }

    /// A new browser.
    pub fn browser(&self) -> Browser {
        Browser {
            server: self.server.clone(),
            cookies: Vec::new(),
            address: None,
        }
    }

    /// A browser whose user has opened the login page of a valid request.
    pub async fn browser_at_login(&self) -> Browser {
        let mut browser = self.browser();
        let opened = browser.get(&self.authorize(&[])).await;
        assert_eq!(opened.status, StatusCode::SEE_OTHER, "{opened:?}");
        browser
    }

    /// A browser whose user has signed in and is asked for consent, even if it was given before.
    pub async fn browser_at_consent(&self) -> Browser {
        let mut browser = self.browser();
        browser.get(&self.authorize(&[("prompt", "consent")])).await;
        let answer = browser.sign_in(EMAIL, PASSWORD).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
        browser
    }
}

async fn application(store: &dyn AuthStorage, entropy: &dyn Entropy) -> ApplicationId {
    let id = ApplicationId::from_random(entropy.bytes());
    let name: lyceum::domain::ShortText = "Timetable & Friends".parse().unwrap();
    let application = Application {
        id,
        name: name.clone(),
        name_translations: Translations::default(),
        owner: SubjectId::service(),
        created_at: START,
    };
    assert_eq!(
        store.create_application(application).await.unwrap(),
        Creation::Created
    );
    for (scope, description) in [
        ("read", "Read <your> timetable"),
        ("write", "Change your timetable"),
        ("other", "Something else"),
    ] {
        let definition = ScopeDefinition {
            id: ScopeId::from_random(entropy.bytes()),
            scope: Scope {
                application: id,
                name: scope.parse().unwrap(),
            },
            description: description.parse().unwrap(),
            application_name: name.clone(),
            description_translations: Translations::default(),
            application_name_translations: Translations::default(),
            approval_required: false,
        };
        assert_eq!(
            store.create_scope(definition).await.unwrap(),
            ScopeCreation::Created
        );
    }
    id
}

/// A response whose body has been read.
#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    /// Whether the cause of a failure was attached for the log.
    pub has_cause: bool,
}

impl TestResponse {
    pub fn header(&self, name: impl http::header::AsHeaderName) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub fn location(&self) -> &str {
        self.header(LOCATION)
    }

    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.header(CONTENT_TYPE), "application/json", "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn is_page(&self) -> bool {
        self.header(CONTENT_TYPE).starts_with("text/html")
    }

    /// A parameter of the query of `Location`, decoded.
    pub fn sent_back(&self, name: &str) -> Option<String> {
        let query = self.location().split_once('?')?.1;
        let values: Vec<String> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .filter(|(found, _)| *found == name)
            .map(|(_, value)| decoded(value))
            .collect();
        assert!(values.len() <= 1, "{name} is repeated in {query}");
        values.into_iter().next()
    }
}

/// A browser: stores cookies and sends `Accept: text/html`.
pub struct Browser {
    pub server: Server,
    pub cookies: Vec<(String, String)>,
    pub address: Option<IpAddr>,
}

impl Browser {
    pub async fn get(&mut self, path: &str) -> TestResponse {
        self.send(Method::GET, path, None, "").await
    }

    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let fields: Vec<(&str, String)> = fields
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        self.send(
            Method::POST,
            path,
            Some("application/x-www-form-urlencoded"),
            &encoded(&fields),
        )
        .await
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: &str,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8");
        if !self.cookies.is_empty() {
            let cookies: Vec<String> = self
                .cookies
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            request = request.header(COOKIE, cookies.join("; "));
        }
        if let Some(content_type) = content_type {
            request = request.header(CONTENT_TYPE, content_type);
        }
        let mut request = request.body(Body::from(body.to_owned())).unwrap();
        if let Some(address) = self.address {
            request.extensions_mut().insert(ClientAddress(address));
        }
        let answer = ask(&self.server, request).await;
        for cookie in answer.headers.get_all(SET_COOKIE) {
            self.keep(cookie.to_str().unwrap());
        }
        answer
    }

    /// The form token of the page at this path.
    pub async fn form_token(&mut self, path: &str) -> String {
        let page = self.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        form_token(&page.body)
    }

    pub async fn sign_in(&mut self, email: &str, password: &str) -> TestResponse {
        let token = self.form_token("/v1/oauth/login").await;
        self.post(
            "/v1/oauth/login",
            &[
                ("form_token", &token),
                ("email", email),
                ("password", password),
            ],
        )
        .await
    }

    pub async fn decide(&mut self, decision: &str) -> TestResponse {
        let token = self.form_token("/v1/oauth/consent").await;
        self.post(
            "/v1/oauth/consent",
            &[("form_token", &token), ("decision", decision)],
        )
        .await
    }

    /// The value of the session cookie.
    pub fn session(&self) -> Option<&str> {
        self.cookies
            .iter()
            .find(|(name, _)| name.ends_with("lyceum-session"))
            .map(|(_, value)| &**value)
    }

    fn keep(&mut self, cookie: &str) {
        let (pair, attributes) = cookie.split_once(';').unwrap();
        let (name, value) = pair.split_once('=').unwrap();
        self.cookies.retain(|(found, _)| found != name);
        if !attributes.contains("Max-Age=0") {
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
    }
}

/// Sends a GET request as an API client, without `Accept` and cookies.
pub async fn get(server: &Server, path: &str) -> TestResponse {
    ask(server, Request::get(path).body(Body::empty()).unwrap()).await
}

/// Sends a POST request with JSON as an API client.
pub async fn post_json(server: &Server, path: &str, body: impl Into<Body>) -> TestResponse {
    ask(
        server,
        Request::post(path)
            .header(CONTENT_TYPE, "application/json")
            .body(body.into())
            .unwrap(),
    )
    .await
}

pub async fn ask(server: &Server, request: Request<Body>) -> TestResponse {
    let answered: Result<Response<Body>, Infallible> = server.clone().oneshot(request).await;
    let (parts, body) = answered.unwrap().into_parts();
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

pub fn form_token(page: &str) -> String {
    let rest = page
        .split("name=\"form_token\" value=\"")
        .nth(1)
        .expect("the page has a form token");
    rest.split('"').next().unwrap().to_owned()
}

pub fn encoded(fields: &[(&str, String)]) -> String {
    let encode = |text: &str| {
        text.bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>()
    };
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    pairs.join("&")
}

pub fn decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => u8::from_str_radix(
                &String::from_utf8(vec![bytes.next().unwrap(), bytes.next().unwrap()]).unwrap(),
                16,
            )
            .unwrap(),
            plain => plain,
        });
    }
    String::from_utf8(out).unwrap()
}

pub const MINUTE: Duration = Duration::from_secs(60);
