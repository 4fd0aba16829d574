//! A host with its own users and clients, whose store has only what the protocol needs, and then
//! each further layer of storage.

#[macro_use]
#[path = "../../support/delegate_store.rs"]
mod delegate_store;
#[path = "../../support/one_user.rs"]
mod one_user;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{Method, Request, StatusCode};
use lyceum::AuthServer;
use lyceum::crypto::{MasterKey, SystemEntropy};
use lyceum::domain::*;
use lyceum::http::audit::StoredAuditLog;
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServerBuilder};
use lyceum::http::{ConfigError, SystemClock};
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use serde_json::{Value, json};
use tower::ServiceExt;

use one_user::OneUser;

type StorageResult<T> = Result<T, StorageError>;

const CALLBACK: &str = "https://app.example/callback";
const EMAIL: &str = "kim.haneul@school.example";
const PASSWORD: &str = "correct horse battery staple";
/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The storage of the host: clients, an application and scopes that it configures itself, and
/// tables for the rest.
#[derive(Debug)]
struct HostStore {
    /// A third-party client, one of the host that may use management, and one that gets tokens
    /// without a user.
    clients: [Arc<Client>; 3],
    scopes: Mutex<Vec<ScopeDefinition>>,
    /// Whether the next look-up of scopes fails.
    is_unavailable: AtomicBool,
    tables: Arc<MemoryStore>,
}

#[async_trait]
impl ClientLookup for HostStore {
    async fn client(&self, id: ClientId) -> StorageResult<Option<Arc<Client>>> {
        match self.clients.iter().find(|client| client.id == id) {
            Some(client) => Ok(Some(Arc::clone(client))),
            // The clients that management has created.
            None => self.tables.client(id).await,
        }
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> StorageResult<Vec<ScopeDefinition>> {
        if self.is_unavailable.swap(false, Ordering::Relaxed) {
            return Err(StorageError::unavailable(
                "the scopes",
                "the file is locked",
            ));
        }
        let known = self.scopes.lock().unwrap();
        let find = |scope: &Scope| known.iter().find(|known| known.scope == *scope).cloned();
        Ok(scopes.iter().filter_map(find).collect())
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> StorageResult<Vec<Application>> {
        let known = [Application::built_in(), lunch()];
        let is_asked = |application: &Application| ids.contains(&application.id);
        Ok(known.into_iter().filter(is_asked).collect())
    }
}

/// The other methods are called on the tables.
impl HostStore {
    async fn delegate(&self, _: &str) -> StorageResult<&MemoryStore> {
        Ok(&self.tables)
    }
}

impl StoreClock for HostStore {}

delegate!(GrantStore for HostStore);
delegate!(SigningKeyStore for HostStore);
delegate!(ConsentStore for HostStore);

/// An application of the host.
fn lunch() -> Application {
    Application {
        id: ApplicationId::from_random([8; 16]),
        name: "Lunch".parse().unwrap(),
        name_translations: Translations::default(),
        owner: SubjectId::service(),
        created_at: Timestamp::from_seconds(0),
    }
}

/// A scope of that application.
fn read_lunch() -> ScopeDefinition {
    let application = lunch();
    ScopeDefinition {
        id: ScopeId::from_random([9; 16]),
        scope: format!("{}:read", application.id).parse().unwrap(),
        description: "See what you had for lunch".parse().unwrap(),
        application_name: application.name,
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    }
}

/// The scopes that the third-party client requests.
fn read_both() -> ScopeSet {
    ScopeSet::from_iter([Scope::self_read(), read_lunch().scope])
}

fn store() -> Arc<HostStore> {
    let client = Client {
        id: ClientId::from_random([7; 16]),
        name: "Timetable".parse().unwrap(),
        owner: SubjectId::service(),
        policy: ClientPolicy::SecretOrPkce,
        secrets: Vec::new(),
        redirect_uris: vec![CALLBACK.parse().unwrap()],
        allowed_scopes: read_both(),
        plain_pkce_allowed: false,
        pkce_required: true,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: lyceum::http::Clock::now(&SystemClock),
        suspended_at: None,
    };
    let own = Client {
        id: ClientId::from_random([6; 16]),
        name: "Settings".parse().unwrap(),
        allowed_scopes: ScopeSet::from_iter([Scope::manage()]),
        first_party: true,
        ..client.clone()
    };
    let reporter = Client {
        id: ClientId::from_random([5; 16]),
        name: "Reporter".parse().unwrap(),
        policy: ClientPolicy::Secret,
        secrets: vec![RegisteredSecret::new(
            &ClientSecret::from_random([5; 32]),
            client.created_at,
        )],
        client_credentials_allowed: true,
        ..client.clone()
    };
    let built_in = ScopeDefinition::built_in().into_iter();
    Arc::new(HostStore {
        clients: [client, own, reporter].map(Arc::new),
        scopes: Mutex::new(built_in.chain([read_lunch()]).collect()),
        is_unavailable: AtomicBool::new(false),
        tables: Arc::new(MemoryStore::new()),
    })
}

fn builder(store: &Arc<HostStore>) -> AuthServerBuilder {
    // Several servers open the signing keys of one store.
    let master_key = MasterKey::from_bytes(std::array::from_fn(|index| (37 * index + 11) as u8));
    AuthServer::protocol_builder(
        store.clone(),
        Arc::new(OneUser::new("host-user-7", EMAIL, Role::User)),
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
async fn sign_in(
    server: &AuthServer,
    client: &Client,
    scopes: &ScopeSet,
) -> (TestResponse, String) {
    sign_in_as(EMAIL, server, client, scopes).await
}

async fn sign_in_as(
    email: &str,
    server: &AuthServer,
    client: &Client,
    scopes: &ScopeSet,
) -> (TestResponse, String) {
    let scopes = scopes.to_string().replace(':', "%3A").replace(' ', "+");
    let request = format!(
        "/v1/oauth/authorize?response_type=code&client_id={}&redirect_uri={CALLBACK}&scope={scopes}&state=x\
         &code_challenge={CHALLENGE}&code_challenge_method=S256",
        client.id
    );
    let opened = send(server, Method::GET, &request, "", "").await;
    assert_eq!(opened.status, 303, "{}", opened.body);
    let cookie = opened.cookie.unwrap();
    let page = send(server, Method::GET, "/v1/oauth/login", &cookie, "").await;
    let (token, email) = (form_token(&page), email.replace('@', "%40"));
    let form = format!(
        "form_token={token}&email={email}&password={}",
        PASSWORD.replace(' ', "+")
    );
    let response = send(server, Method::POST, "/v1/oauth/login", &cookie, &form).await;
    assert_eq!(response.status, 303, "{}", response.body);
    let cookie = response.cookie.clone().unwrap_or(cookie);
    (response, cookie)
}

fn form_token(page: &TestResponse) -> String {
    let rest = page.body.split("name=\"form_token\" value=\"").nth(1);
    let rest = rest.unwrap_or_else(|| panic!("{}", page.body));
    rest.split('"').next().unwrap().to_owned()
}

/// Signs in, consents, and exchanges the code for tokens. Returns them and the consent page.
async fn tokens(server: &AuthServer, client: &Client, scopes: &ScopeSet) -> (Value, String) {
    let (form, page) = approve(server, client, scopes).await;
    (token_request(server, client, &form).await, page)
}

/// Signs in and consents. Returns the form that exchanges the code, and the consent page.
async fn approve(server: &AuthServer, client: &Client, scopes: &ScopeSet) -> (String, String) {
    const CONSENT: &str = "/v1/oauth/consent";
    let (asked, cookie) = sign_in(server, client, scopes).await;
    assert_eq!(asked.location, CONSENT);
    let page = send(server, Method::GET, CONSENT, &cookie, "").await;
    let form = format!("form_token={}&decision=allow", form_token(&page));
    let allowed = send(server, Method::POST, CONSENT, &cookie, &form).await;
    let code = allowed.location.split("code=").nth(1).unwrap();
    let code = code.split('&').next().unwrap();
    let form = format!("grant_type=authorization_code&code={code}&code_verifier={VERIFIER}");
    (format!("{form}&redirect_uri={CALLBACK}"), page.body)
}

async fn refresh(server: &AuthServer, client: &Client, tokens: &Value) -> Value {
    let token = tokens["refresh_token"].as_str().unwrap();
    let form = format!("grant_type=refresh_token&refresh_token={token}");
    token_request(server, client, &form).await
}

async fn token_request(server: &AuthServer, client: &Client, form: &str) -> Value {
    let form = format!("{form}&client_id={}", client.id);
    let response = send(server, Method::POST, "/v1/oauth/token", "", &form).await;
    assert_eq!(response.status, 200, "{}", response.body);
    serde_json::from_str(&response.body).unwrap()
}

/// Sends a token request that is refused. Returns the status and the error code.
async fn refused(server: &AuthServer, client: &Client, form: &str) -> (u16, String) {
    let form = format!("{form}&client_id={}", client.id);
    let response = send(server, Method::POST, "/v1/oauth/token", "", &form).await;
    let body: Value = serde_json::from_str(&response.body).unwrap();
    let error = body["error"].as_str().unwrap_or_default();
    (response.status.as_u16(), error.to_owned())
}

/// A user who manages with an access token of the host's own client.
struct Manager {
    server: AuthServer,
    token: String,
}

impl Manager {
    async fn new(builder: AuthServerBuilder, store: &HostStore) -> Self {
        let server = builder.build().await.unwrap();
        let scopes = ScopeSet::from_iter([Scope::manage()]);
        let (tokens, _) = tokens(&server, &store.clients[1], &scopes).await;
        let token = tokens["access_token"].as_str().unwrap().to_owned();
        Self { server, token }
    }

    /// Returns the status and the data of the response.
    async fn send(&self, method: Method, path: &str, body: &str) -> (u16, Value) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(AUTHORIZATION, format!("Bearer {}", self.token))
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_owned())
            .unwrap();
        let response = self.server.clone().oneshot(request).await.unwrap();
        let body: Value = serde_json::from_slice(response.body().as_bytes()).unwrap();
        (response.status().as_u16(), body["data"].clone())
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        self.send(Method::GET, path, "").await
    }

    /// Fails if a record cannot be created, listed and deleted.
    async fn creates_lists_and_deletes(&self, path: &str, list: &str, body: Value) {
        let (status, created) = self.send(Method::POST, path, &body.to_string()).await;
        assert_eq!(status, 200, "{path}: {created}");
        let listed = async || {
            let (status, page) = self.get(path).await;
            assert_eq!(status, 200, "{path}: {page}");
            let records = page[list].as_array().unwrap().clone();
            let is_created = |record: &Value| record["id"] == created["id"];
            records.into_iter().find(is_created)
        };
        let before = listed().await.expect("the new record is listed");
        let address = format!("{path}/{}", created["id"].as_str().unwrap());
        assert_eq!(self.send(Method::DELETE, &address, "").await.0, 200);
        assert_ne!(listed().await, Some(before), "{path}: it is deleted");
    }

    /// Fails if a path of a missing layer responds.
    async fn lacks(&self, paths: &[&str]) {
        for path in paths {
            assert_eq!(self.get(path).await.0, 404, "{path}");
        }
    }
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
    let (client, scopes) = (&store.clients[0], ScopeSet::from_iter([Scope::self_read()]));
    let (first, page) = tokens(&server, client, &scopes).await;
    assert!(
        !page.contains("withdraw"),
        "there is no place to withdraw a consent: {page}"
    );
    let second = refresh(&server, client, &first).await;
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    let (asked, _) = sign_in(&server, client, &scopes).await;
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

/// Fails if the tables grant a scope that they do not have, as another scope of its name would then
/// be granted, or if a host cannot create its own there.
#[tokio::test]
async fn a_scope_of_the_host_is_granted_once_the_tables_have_it() {
    let store = store();
    let server = server(&store).await;
    let client = &store.clients[0];
    let (issued, page) = tokens(&server, client, &read_both()).await;
    assert!(page.contains("See what you had for lunch"), "{page}");
    assert_eq!(issued["scope"], Scope::self_read().to_string());

    create_lunch(&store).await;
    let (issued, _) = tokens(&server, client, &read_both()).await;
    assert_eq!(issued["scope"], read_both().to_string());
}

/// Creates the host's application and its scope in the tables of the grants.
async fn create_lunch(store: &HostStore) {
    let application = store.tables.create_application(lunch()).await.unwrap();
    assert_eq!(application, Creation::Created);
    let scope = store.tables.create_scope(read_lunch()).await.unwrap();
    assert_eq!(scope, ScopeCreation::Created);
}

/// Fails if a scope that the host has deleted is issued by each refresh until the grant ends.
#[tokio::test]
async fn a_refresh_issues_no_scope_that_the_host_has_deleted() {
    let store = store();
    let server = server(&store).await;
    create_lunch(&store).await;
    let client = &store.clients[0];
    let (issued, _) = tokens(&server, client, &read_both()).await;
    let issued = refresh(&server, client, &issued).await;
    assert_eq!(issued["scope"], read_both().to_string());

    // Also the service's own, which always exist.
    store.scopes.lock().unwrap().clear();
    let issued = refresh(&server, client, &issued).await;
    assert_eq!(issued["scope"], Scope::self_read().to_string());
}

/// Fails if the exchange issues a scope that the host has deleted since the user consented.
// Proves: spec 3.17
#[tokio::test]
async fn an_exchange_issues_no_scope_that_the_host_has_deleted() {
    let store = store();
    let server = server(&store).await;
    create_lunch(&store).await;
    let client = &store.clients[0];
    let (form, _) = approve(&server, client, &read_both()).await;
    store.scopes.lock().unwrap().clear();
    let issued = token_request(&server, client, &form).await;
    assert_eq!(issued["scope"], Scope::self_read().to_string());

    store.scopes.lock().unwrap().push(read_lunch());
    let scopes = ScopeSet::from_iter([read_lunch().scope]);
    let (form, _) = approve(&server, client, &scopes).await;
    store.scopes.lock().unwrap().clear();
    assert_eq!(
        refused(&server, client, &form).await,
        (400, "invalid_scope".into())
    );
}

/// Fails if the scopes of a code are judged before its redemption.
// Proves: threats 2
#[tokio::test]
async fn a_replay_is_detected_also_when_the_host_has_deleted_all_scopes_since() {
    let store = store();
    let server = server(&store).await;
    create_lunch(&store).await;
    let client = &store.clients[0];
    let scopes = ScopeSet::from_iter([read_lunch().scope]);
    let (form, _) = approve(&server, client, &scopes).await;
    let issued = token_request(&server, client, &form).await;
    store.scopes.lock().unwrap().clear();
    let replayed = refused(&server, client, &form).await;
    assert_eq!(replayed, (400, "invalid_grant".into()));
    store.scopes.lock().unwrap().push(read_lunch());
    let token = issued["refresh_token"].as_str().unwrap();
    let form = format!("grant_type=refresh_token&refresh_token={token}");
    let refreshed = refused(&server, client, &form).await;
    assert_eq!(
        refreshed,
        (400, "invalid_grant".into()),
        "the grant is revoked"
    );
}

/// Fails if the scopes are looked up after the redemption.
#[tokio::test]
async fn an_exchange_whose_scopes_cannot_be_looked_up_can_be_repeated() {
    let store = store();
    let server = server(&store).await;
    create_lunch(&store).await;
    let client = &store.clients[0];
    let (form, _) = approve(&server, client, &read_both()).await;
    store.is_unavailable.store(true, Ordering::Relaxed);
    let (status, _) = refused(&server, client, &form).await;
    assert_eq!(status, 503);
    let issued = token_request(&server, client, &form).await;
    assert_eq!(issued["scope"], read_both().to_string());
}

/// Fails if a client gets or keeps a scope without a user that the host has deleted.
// Proves: spec 3.17
#[tokio::test]
async fn a_token_without_a_user_has_no_scope_that_the_host_has_deleted() {
    let store = store();
    let server = server(&store).await;
    let client = &store.clients[2];
    let secret = ClientSecret::from_random([5; 32]);
    let secret = format!("client_secret={}", secret.expose());
    let form = format!("grant_type=client_credentials&{secret}");
    let issued = token_request(&server, client, &form).await;
    assert_eq!(issued["scope"], read_lunch().scope.to_string());
    let token = issued["access_token"].as_str().unwrap();
    let introspection = format!("token={token}&{secret}&client_id={}", client.id);
    for is_active in [true, false] {
        let path = "/v1/oauth/introspect";
        let response = send(&server, Method::POST, path, "", &introspection).await;
        let body: Value = serde_json::from_str(&response.body).unwrap();
        assert_eq!(body["active"], is_active, "{body}");
        store.scopes.lock().unwrap().clear();
    }
    assert_eq!(
        refused(&server, client, &form).await,
        (400, "invalid_scope".into())
    );
}

#[tokio::test]
async fn the_layer_of_consents_remembers_them_and_lists_grants() {
    let store = store();
    let manager = Manager::new(builder(&store).consents(store.clone()), &store).await;
    let (server, client) = (&manager.server, &store.clients[0]);
    let scopes = ScopeSet::from_iter([Scope::self_read()]);
    let (_, page) = tokens(server, client, &scopes).await;
    assert!(page.contains("You can revoke access at any time"), "{page}");
    let (skipped, _) = sign_in(server, client, &scopes).await;
    assert!(
        skipped.location.starts_with(CALLBACK),
        "{}",
        skipped.location
    );
    let (status, listed) = manager.get("/v1/grants").await;
    assert_eq!(status, 200, "{listed}");
    let of_client = |grant: &&Value| grant["clientId"] == client.id.to_string();
    let grants: Vec<_> = listed["grants"].as_array().unwrap().iter().collect();
    let grant = grants.into_iter().find(of_client).unwrap();
    let address = format!("/v1/grants/{}", grant["id"].as_str().unwrap());
    assert_eq!(manager.send(Method::DELETE, &address, "").await.0, 200);
    let (asked, _) = sign_in(server, client, &scopes).await;
    assert_eq!(asked.location, "/v1/oauth/consent", "it is withdrawn");
    let others = ["/v1/clients", "/v1/applications", "/v1/api-keys"];
    manager.lacks(&others).await;
}

/// Fails if management needs consents, API keys or sessions.
#[tokio::test]
async fn the_layer_of_management_works_alone() {
    let store = store();
    let builder = builder(&store).management(store.tables.clone());
    let manager = Manager::new(builder, &store).await;
    let application = json!({ "name": "Library" });
    manager
        .creates_lists_and_deletes("/v1/applications", "applications", application)
        .await;
    let client = json!({ "name": "Reader", "policy": "none", "redirectUris": [CALLBACK],
        "allowedScopes": [Scope::self_read().to_string()] });
    manager
        .creates_lists_and_deletes("/v1/clients", "clients", client)
        .await;
    manager.lacks(&["/v1/grants", "/v1/api-keys"]).await;
}

/// Fails if API keys need management, consents or sessions.
#[tokio::test]
async fn the_layer_of_api_keys_works_alone() {
    let store = store();
    let builder = builder(&store).api_keys(Arc::new(MemoryStore::new()));
    let manager = Manager::new(builder, &store).await;
    let key = json!({ "description": "My page", "scopes": ["STUDENT_READ"] });
    manager
        .creates_lists_and_deletes("/v1/api-keys", "apiKeys", key)
        .await;
    let others = ["/v1/clients", "/v1/applications", "/v1/grants"];
    manager.lacks(&others).await;
}

/// Fails if the built-in accounts need another layer than theirs.
#[tokio::test]
async fn the_layer_of_accounts_signs_users_in_over_the_protocol_alone() {
    let store = store();
    let accounts = Accounts::new(Arc::new(MemoryStore::new())).unwrap();
    let password = Password::new(PASSWORD).unwrap();
    let created = accounts.create("lee@school.example".parse().unwrap(), &password, Role::User);
    assert!(matches!(
        created.await.unwrap(),
        AccountCreationOutcome::Created(_)
    ));
    let server = builder(&store).authenticator(Arc::new(accounts));
    let server = server.build().await.unwrap();
    let client = &store.clients[0];
    let scopes = ScopeSet::from_iter([Scope::self_read()]);
    let (asked, _) = sign_in_as("lee@school.example", &server, client, &scopes).await;
    assert_eq!(asked.location, "/v1/oauth/consent");
}

/// Fails if the stored log needs another layer than its own.
#[tokio::test]
async fn the_layer_of_audit_stores_the_events_of_the_protocol() {
    let store = store();
    let events = Arc::new(MemoryStore::new());
    let (log, writer) = StoredAuditLog::builder(events.clone()).build();
    let writing = tokio::spawn(writer.run());
    let server = builder(&store).audit(Arc::new(log.clone()));
    let server = server.build().await.unwrap();
    let client = &store.clients[0];
    sign_in(&server, client, &ScopeSet::from_iter([Scope::self_read()])).await;
    assert!(log.close().await, "events are lost");
    writing.await.unwrap();
    let filter = AuditFilter {
        client: Some(client.id),
        ..AuditFilter::default()
    };
    let stored = events.audit_records(&filter, None, 10).await.unwrap();
    let mut kinds = stored.iter().map(|entry| &*entry.record.kind);
    assert!(kinds.any(|kind| kind == "signed_in"));
}

/// The sessions are the console's, which is not in this host: the layer has no endpoint.
#[tokio::test]
async fn the_layer_of_sessions_adds_no_endpoint() {
    let store = store();
    let builder = builder(&store).user_sessions(store.tables.clone());
    let manager = Manager::new(builder, &store).await;
    let paths = [
        "/v1/clients",
        "/v1/applications",
        "/v1/grants",
        "/v1/api-keys",
    ];
    manager.lacks(&paths).await;
}

/// Fails if a host can set up a part without its store and only finds 404s.
#[tokio::test]
async fn a_setting_without_its_store_is_refused() {
    let store = store();
    for builder in [
        builder(&store).api_keys_per_owner(5),
        builder(&store).api_scopes(ApiScopes::built_in()),
        builder(&store).api_key_scopes(Role::User, ApiScopes::built_in()),
    ] {
        assert!(matches!(
            builder.build().await,
            Err(ConfigError::MissingStore {
                method: "AuthServerBuilder::api_keys",
                ..
            })
        ));
    }
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
