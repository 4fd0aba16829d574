//! A host with its own users and clients, whose store has only what the protocol needs, and then
//! each further layer of storage.

#[macro_use]
#[path = "../../support/delegate_store.rs"]
mod delegate_store;

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{Method, Request, StatusCode};
use lyceum::AuthServer;
use lyceum::crypto::{MasterKey, SystemEntropy};
use lyceum::domain::*;
use lyceum::http::auth_server::{AuthServerBuilder, AuthenticationOutcome, Authenticator};
use lyceum::http::{ConfigError, SystemClock};
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use serde_json::Value;
use tower::ServiceExt;

type StorageResult<T> = Result<T, StorageError>;

const CALLBACK: &str = "https://app.example/callback";
const EMAIL: &str = "kim.haneul@school.example";
const PASSWORD: &str = "correct horse battery staple";
/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The storage of the host: one client that it configures itself, and tables for the rest.
#[derive(Debug)]
struct HostStore {
    client: Arc<Client>,
    tables: MemoryStore,
}

#[async_trait]
impl ClientLookup for HostStore {
    async fn client(&self, id: ClientId) -> StorageResult<Option<Arc<Client>>> {
        Ok((id == self.client.id).then(|| Arc::clone(&self.client)))
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> StorageResult<Vec<ScopeDefinition>> {
        let built_in = ScopeDefinition::built_in();
        let find = |scope: &Scope| built_in.iter().find(|known| known.scope == *scope).cloned();
        Ok(scopes.iter().filter_map(find).collect())
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> StorageResult<Vec<Application>> {
        let built_in = Application::built_in();
        Ok(ids
            .contains(&built_in.id)
            .then_some(built_in)
            .into_iter()
            .collect())
    }
}

/// Leaves all other methods to the tables.
impl HostStore {
    async fn delegate(&self, _: &str) -> StorageResult<&MemoryStore> {
        Ok(&self.tables)
    }
}

impl StoreClock for HostStore {}

delegate!(GrantStore for HostStore);
delegate!(SigningKeyStore for HostStore);
delegate!(ConsentStore for HostStore);

/// The users of the host.
#[derive(Debug)]
struct HostUsers;

#[async_trait]
impl Authenticator for HostUsers {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        _: Option<IpAddr>,
    ) -> StorageResult<AuthenticationOutcome> {
        Ok(if email == EMAIL && password.expose() == PASSWORD {
            AuthenticationOutcome::SignedIn(kim())
        } else {
            AuthenticationOutcome::InvalidCredentials
        })
    }

    async fn subject(&self, id: &SubjectId) -> StorageResult<Option<Subject>> {
        Ok(Some(kim()).filter(|user| user.id == *id))
    }
}

fn kim() -> Subject {
    Subject {
        id: "host-user-7".parse().unwrap(),
        email: EMAIL.parse().unwrap(),
        role: Role::User,
        numeric_id: None,
    }
}

fn store() -> Arc<HostStore> {
    let client = Client {
        id: ClientId::from_random([7; 16]),
        name: "Timetable".parse().unwrap(),
        owner: SubjectId::service(),
        policy: ClientPolicy::SecretOrPkce,
        secrets: Vec::new(),
        redirect_uris: vec![CALLBACK.parse().unwrap()],
        allowed_scopes: ScopeSet::from_iter([Scope::self_read()]),
        plain_pkce_allowed: false,
        pkce_required: true,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: lyceum::http::Clock::now(&SystemClock),
        suspended_at: None,
    };
    Arc::new(HostStore {
        client: Arc::new(client),
        tables: MemoryStore::new(),
    })
}

fn builder(store: &Arc<HostStore>) -> AuthServerBuilder {
    // Several servers open the signing keys of one store.
    let master_key = MasterKey::from_bytes(std::array::from_fn(|index| (37 * index + 11) as u8));
    AuthServer::protocol_builder(
        store.clone(),
        Arc::new(HostUsers),
        "https://school.example",
        master_key,
    )
    .signing_algorithm(SigningAlgorithm::Es256)
}

async fn server(store: &Arc<HostStore>) -> AuthServer {
    builder(store).build().await.unwrap()
}

struct TestResponse {
    status: StatusCode,
    location: String,
    cookie: Option<String>,
    body: String,
}

async fn send(
    server: &AuthServer,
    method: Method,
    path: &str,
    cookie: &str,
    form: &str,
) -> TestResponse {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(COOKIE, cookie)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(form.to_owned())
        .unwrap();
    let response = server.clone().oneshot(request).await.unwrap();
    let header = |name| {
        let value = response.headers().get(name)?;
        Some(value.to_str().unwrap().to_owned())
    };
    let set_cookie = header(SET_COOKIE);
    TestResponse {
        status: response.status(),
        location: header(LOCATION).unwrap_or_default(),
        cookie: set_cookie.map(|cookie| cookie.split(';').next().unwrap().to_owned()),
        body: String::from_utf8(response.into_body().as_bytes().to_vec()).unwrap(),
    }
}

async fn status(server: &AuthServer, path: &str) -> u16 {
    let response = send(server, Method::GET, path, "", "").await;
    response.status.as_u16()
}

/// Sends an authorization request and signs in. Returns the response and the cookie.
async fn sign_in(server: &AuthServer, store: &HostStore) -> (TestResponse, String) {
    let scope = Scope::self_read().to_string().replace(':', "%3A");
    let request = format!(
        "/v1/oauth/authorize?response_type=code&client_id={}&redirect_uri={CALLBACK}&scope={scope}&state=x\
         &code_challenge={CHALLENGE}&code_challenge_method=S256",
        store.client.id
    );
    let opened = send(server, Method::GET, &request, "", "").await;
    assert_eq!(opened.status, 303, "{}", opened.body);
    let cookie = opened.cookie.unwrap();
    let token = form_token(server, "/v1/oauth/login", &cookie).await;
    let email = EMAIL.replace('@', "%40");
    let form = format!(
        "form_token={token}&email={email}&password={}",
        PASSWORD.replace(' ', "+")
    );
    let response = send(server, Method::POST, "/v1/oauth/login", &cookie, &form).await;
    assert_eq!(response.status, 303, "{}", response.body);
    let cookie = response.cookie.clone().unwrap_or(cookie);
    (response, cookie)
}

async fn form_token(server: &AuthServer, path: &str, cookie: &str) -> String {
    let page = send(server, Method::GET, path, cookie, "").await;
    let rest = page.body.split("name=\"form_token\" value=\"").nth(1);
    let rest = rest.unwrap_or_else(|| panic!("{path}: {}", page.body));
    rest.split('"').next().unwrap().to_owned()
}

/// Signs in, consents, and exchanges the code for tokens.
async fn tokens(server: &AuthServer, store: &HostStore) -> Value {
    let (asked, cookie) = sign_in(server, store).await;
    assert_eq!(asked.location, "/v1/oauth/consent");
    let token = form_token(server, "/v1/oauth/consent", &cookie).await;
    let form = format!("form_token={token}&decision=allow");
    let allowed = send(server, Method::POST, "/v1/oauth/consent", &cookie, &form).await;
    let code = allowed.location.split("code=").nth(1).unwrap();
    let code = code.split('&').next().unwrap();
    let form = format!("grant_type=authorization_code&code={code}&code_verifier={VERIFIER}");
    token_request(server, store, &format!("{form}&redirect_uri={CALLBACK}")).await
}

async fn token_request(server: &AuthServer, store: &HostStore, form: &str) -> Value {
    let form = format!("{form}&client_id={}", store.client.id);
    let response = send(server, Method::POST, "/v1/oauth/token", "", &form).await;
    assert_eq!(response.status, 200, "{}", response.body);
    serde_json::from_str(&response.body).unwrap()
}

/// Fails if a host has to implement more for the protocol than the documentation says.
#[test]
fn the_protocol_needs_twenty_methods() {
    let without_default = |source: &str| {
        let methods = source.split("async fn").skip(1);
        let ends = methods.filter_map(|rest| rest.chars().find(|c| matches!(c, ';' | '{')));
        ends.filter(|end| *end == ';').count()
    };
    let traits = [
        include_str!("../../../src/store/client_lookup.rs"),
        include_str!("../../../src/store/grants.rs"),
        include_str!("../../../src/store/signing_keys.rs"),
    ];
    assert_eq!(traits.map(without_default).iter().sum::<usize>(), 20);
}

/// Fails if the protocol needs more than its own layer.
#[tokio::test]
async fn the_protocol_works_without_any_other_layer() {
    let store = store();
    let server = server(&store).await;
    let first = tokens(&server, &store).await;
    let refresh = first["refresh_token"].as_str().unwrap();
    let form = format!("grant_type=refresh_token&refresh_token={refresh}");
    let second = token_request(&server, &store, &form).await;
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    let (asked, _) = sign_in(&server, &store).await;
    assert_eq!(asked.location, "/v1/oauth/consent", "nothing is remembered");
    for path in [
        "/v1/grants",
        "/v1/clients",
        "/v1/applications",
        "/v1/api-keys",
    ] {
        assert_eq!(status(&server, path).await, 404, "{path}");
    }
}

#[tokio::test]
async fn the_layer_of_consents_remembers_them_and_lists_grants() {
    let store = store();
    let server = builder(&store).consents(store.clone()).build().await;
    let server = server.unwrap();
    tokens(&server, &store).await;
    let (skipped, _) = sign_in(&server, &store).await;
    assert!(
        skipped.location.starts_with(CALLBACK),
        "{}",
        skipped.location
    );
    assert_eq!(status(&server, "/v1/grants").await, 401);
    assert_eq!(status(&server, "/v1/clients").await, 404);
}

#[tokio::test]
async fn each_other_layer_works_alone() {
    let (store, tables) = (store(), Arc::new(MemoryStore::new()));
    let managed = builder(&store).management(tables.clone()).build().await;
    let managed = managed.unwrap();
    assert_eq!(status(&managed, "/v1/clients").await, 401);
    assert_eq!(status(&managed, "/v1/grants").await, 404);
    let keys = builder(&store).api_keys(tables.clone()).build().await;
    let keys = keys.unwrap();
    assert_eq!(status(&keys, "/v1/api-keys").await, 401);
    assert_eq!(status(&keys, "/v1/clients").await, 404);
    let sessions = builder(&store).user_sessions(tables).build().await;
    assert_eq!(status(&sessions.unwrap(), "/v1/grants").await, 404);
}

/// Fails if a host can set up a part without its store and only finds 404s.
#[tokio::test]
async fn a_setting_without_its_store_is_refused() {
    let refused = builder(&store()).api_keys_per_owner(5).build().await;
    assert!(matches!(
        refused,
        Err(ConfigError::MissingStore {
            method: "AuthServerBuilder::api_keys",
            ..
        })
    ));
}

/// Fails if a store with everything does not bring all of its layers.
#[tokio::test]
async fn a_store_with_everything_is_passed_once() {
    let store: Arc<dyn Storage> = Arc::new(MemoryStore::new());
    let master_key = MasterKey::generate(&SystemEntropy);
    let server = AuthServer::builder(store, "https://school.example", master_key)
        .signing_algorithm(SigningAlgorithm::Es256);
    let server = server.build().await.unwrap();
    for path in ["/v1/grants", "/v1/clients", "/v1/applications"] {
        assert_eq!(status(&server, path).await, 401, "{path}");
    }
}
