//! A school on one port as a browser finds it, and on another port a client that its people are sent back to.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::directory::{Directory, Writing};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, AuthorizationCode, AuthorizationSession, Client, ClientId,
    ClientPolicy, ClientSecret, Date, GrantId, KeyUse, Line, Password, RegisteredSecret, Role, Scope, ScopeDefinition, ScopeId, ScopeSet,
    SessionToken, SigningAlgorithm, Subject, SubjectId, Timestamp, Verification,
};
use lyceum::http::audit::{EventKind, TrailLog};
use lyceum::http::auth_server::{AccountCreation, Accounts};
use lyceum::http::console::Console;
use lyceum::http::{Clock, SystemClock, serve};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{
    ApiKeyStore, Approval, ApprovalCaps, ApprovalOutcome, Assent, ClientCreation, ClientRegistry, Creation, GrantStore, ScopeCreation,
    SignIn,
};
use lyceum::testing::school::DemoSchool;
use lyceum::testing::{ManualClock, MemoryAuditLog};
use lyceum::{AuthServer, DataApi};
use tokio::net::TcpListener;

use crate::browser::Browser;
use crate::support;

pub const EMAIL: &str = "kim.haneul@school.example";
pub const OTHER: &str = "lee.bada@school.example";
pub const ADMIN: &str = "admin@school.example";
pub const PASSWORD: &str = "correct horse battery staple";

/// Names that a world is made with.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    pub site: &'static str,
    pub application: &'static str,
    pub client: &'static str,
    pub key: &'static str,
    /// What its scopes say of themselves.
    pub scopes: [(&'static str, &'static str); 2],
}

pub const USUAL: Names = Names {
    site: "Haneul High School",
    application: "School timetable",
    client: "Timetable for telephones",
    key: "Lunch on the screen in the hall",
    scopes: [("lessons_read", "See your lessons"), ("lessons_write", "Change your lessons")],
};

/// A school with its people, an application with two scopes, and a client that may ask for both.
pub struct World {
    /// Where everything is. The authorization server lies below `/auth`, the console below `/console`.
    pub origin: String,
    /// Stands at the present moment, for pages compare it with the browser's own.
    pub clock: ManualClock,
    pub store: Arc<MemoryStore>,
    pub log: MemoryAuditLog,
    /// On its way into the store, where the console looks events up.
    pub trail: TrailLog,
    /// Whoever has [`EMAIL`], [`OTHER`] and [`ADMIN`].
    pub people: [SubjectId; 3],
    pub application: ApplicationId,
    pub scopes: [Scope; 2],
    pub scope_ids: [ScopeId; 2],
    pub client: ClientId,
    pub secret: ClientSecret,
    /// Where the client's users come back to.
    pub callback: String,
    pub api_key: ApiKeyId,
    pub api_key_value: ApiKeySecret,
}

impl World {
    pub async fn new() -> Self {
        Self::named(USUAL).await
    }

    pub async fn named(names: Names) -> Self {
        let (store, clock, log) = (Arc::new(MemoryStore::new()), ManualClock::at(SystemClock.now()), MemoryAuditLog::default());
        let (listener, origin) = listen().await;
        let callback = client_site().await;
        let accounts = Accounts::builder(store.clone()).clock(Arc::new(clock.clone())).hashing_cost(8, 1).build().unwrap();
        let accounts = Arc::new(accounts);
        let mut people = Vec::new();
        for (email, role) in [(EMAIL, Role::User), (OTHER, Role::User), (ADMIN, Role::Admin)] {
            let created = accounts.create(email.parse().unwrap(), &Password::new(PASSWORD).unwrap(), role).await.unwrap();
            let AccountCreation::Created(id) = created else { panic!("{created:?}") };
            people.push(SubjectId::from(id));
        }
        let owner = &people[0];

        let directory = Directory::builder(store.clone()).clock(Arc::new(clock.clone())).open().await.unwrap();
        assert!(matches!(directory.write(DemoSchool::new(20, today(clock.now())).changes()).await.unwrap(), Writing::Written(_)));
        let (application, scopes, scope_ids) = application(&store, names, owner, &clock).await;
        let secret = ClientSecret::from_random(random());
        let client = client(names.client, owner, &secret, &callback, &scopes, &clock);
        let client_id = client.id;
        assert_eq!(store.create_client(client).await.unwrap(), ClientCreation::Created);
        let (api_key, api_key_value) = api_key(&store, names.key, owner, &clock).await;

        let (trail, writer) = TrailLog::builder(store.clone()).beside(Arc::new(log.clone())).build();
        drop(tokio::spawn(writer.run()));
        let issuer = format!("{origin}/auth");
        let auth = AuthServer::builder(store.clone(), &issuer, MasterKey::from_bytes(random()))
            .clock(Arc::new(clock.clone()))
            .authenticator(accounts)
            .directory(directory.clone())
            .api_keys(store.clone())
            .audit(Arc::new(trail.clone()))
            .signing_algorithm(SigningAlgorithm::Es256);
        let auth = auth.build().await.unwrap();
        let api = DataApi::builder(directory, store.clone())
            .clock(Arc::new(clock.clone()))
            .public_url(&origin)
            .allow_every_origin()
            .build()
            .unwrap();
        let console = Console::builder(auth.office(), &format!("{origin}/console")).site(names.site).unwrap();
        let console = console.data(api.reading_room(), &origin).build().unwrap();
        let host = Router::new().nest_service("/auth", auth).nest_service("/console", console).fallback_service(api);
        drop(tokio::spawn(serve(listener, host, pending())));

        let people = people.try_into().unwrap();
        let client = client_id;
        Self { origin, clock, store, log, trail, people, application, scopes, scope_ids, client, secret, callback, api_key, api_key_value }
    }

    /// The address of a page of the console.
    pub fn console(&self, path: &str) -> String {
        format!("{}/console{path}", self.origin)
    }

    /// The address of an endpoint of the authorization server.
    pub fn auth(&self, path: &str) -> String {
        format!("{}/auth/v1/oauth{path}", self.origin)
    }

    /// Where the client sends its users, to ask for these scopes.
    pub fn authorize(&self, scopes: &[&Scope]) -> String {
        let scopes: Vec<String> = scopes.iter().map(ToString::to_string).collect();
        let (client, scope) = (self.client.to_string(), scopes.join(" "));
        let query = [
            ("response_type", "code"),
            ("client_id", &*client),
            ("redirect_uri", &*self.callback),
            ("scope", &*scope),
            ("state", "of-the-client"),
        ];
        self.auth(&format!("/authorize?{}", support::encode(&query)))
    }

    /// The same for all of its scopes.
    pub fn authorize_all(&self) -> String {
        self.authorize(&self.scopes.each_ref())
    }

    /// Signs somebody in on the page that the browser shows, of either service.
    pub async fn sign_in(&self, browser: &Browser, email: &str) {
        browser.fill("#email", email).await;
        browser.fill("#password", PASSWORD).await;
        browser.click("button.main").await;
    }

    /// Leads a browser to the consent page.
    pub async fn ask(&self, browser: &Browser, email: &str) {
        browser.go(&self.authorize_all()).await;
        self.sign_in(browser, email).await;
        browser.waits_for("button[value=allow]").await;
    }

    /// Leads a browser to a page of the console, as somebody.
    pub async fn enter(&self, browser: &Browser, email: &str, path: &str) {
        browser.go(&self.console(path)).await;
        self.sign_in(browser, email).await;
        browser.waits_for("form[action$='/sign-out']").await;
    }

    /// Exchanges the code in the address that a browser came back to, as the client would; gives the answer.
    pub async fn exchange(&self, address: &str) -> support::Answer {
        let (query, client) = (support::query_of(address), self.client.to_string());
        let form = [
            ("grant_type", "authorization_code"),
            ("code", &*query["code"]),
            ("redirect_uri", &*self.callback),
            ("client_id", &*client),
            ("client_secret", self.secret.expose()),
        ];
        support::Client::new().post_form(&self.auth("/token"), &[], &form).await
    }

    /// How many codes were issued for each of the [`people`](Self::people).
    pub fn codes_of_each(&self) -> [usize; 3] {
        let events = self.log.events();
        let of =
            |person| events.iter().filter(move |event| matches!(&event.kind, EventKind::CodeIssued { subject, .. } if subject == person));
        self.people.each_ref().map(|person| of(person).count())
    }

    /// Connects the client to whoever has [`EMAIL`] with the first scope, and remembers that, as for clients whose address is their own.
    pub async fn connect(&self) {
        let (now, [before, after]) = (self.clock.now(), [SessionToken::from_random(random()), SessionToken::from_random(random())]);
        let expires_at = now.plus(Duration::from_secs(60));
        let pending = AuthorizationSession {
            client: self.client,
            redirect_uri: self.callback.clone(),
            state: None,
            scopes: [self.scopes[0].clone()].into_iter().collect(),
            challenge: None,
            ask_again: false,
            subject: None,
            created_at: now,
            expires_at,
        };
        let subject = Subject { id: self.people[0].clone(), email: EMAIL.parse().unwrap(), role: Role::User, number: None };
        self.store.open_session(before.digest(), pending).await.unwrap();
        let signed_in = self.store.sign_in(&before.digest(), after.digest(), subject, now).await.unwrap();
        assert!(matches!(signed_in, SignIn::SignedIn(_)));
        let code = AuthorizationCode::from_random(random());
        let (grant, digest) = (GrantId::from_random(random()), code.digest());
        let approval = Approval { grant, code: digest, code_expires_at: expires_at, assent: Assent::Remembered, caps: ApprovalCaps::NONE };
        let approved = self.store.approve_session(&after.digest(), approval, now).await.unwrap();
        assert!(matches!(approved, ApprovalOutcome::Approved(_)));
        let answer = self.exchange(&format!("{}?code={}", self.callback, code.expose())).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// Uses the key on the days of the last month, on school days more than on others.
    pub async fn use_key_for_a_month(&self) {
        let days = (0..30_u32).rev().map(|ago| (ago, self.clock.now().minus(Duration::from_secs(u64::from(ago) * 24 * 60 * 60))));
        let uses = days.map(|(ago, at)| {
            let calls = if ago % 7 < 2 { 12 + ago % 5 } else { 150 + (ago * 37) % 90 };
            KeyUse { key: self.api_key, day: today(at), calls, last_used_at: at }
        });
        self.store.touch_api_keys(uses.collect()).await.unwrap();
    }

    /// An address in which names in braces stand for ids of this world.
    pub fn filled(&self, path: &str) -> String {
        let ids = [
            ("{application}", self.application.to_string()),
            ("{scope}", self.scope_ids[0].to_string()),
            ("{client}", self.client.to_string()),
            ("{key}", self.api_key.to_string()),
            ("{person}", self.people[1].as_str().to_owned()),
        ];
        ids.iter().fold(path.to_owned(), |path, (name, id)| path.replace(name, id))
    }
}

/// The day at the school.
fn today(now: Timestamp) -> Date {
    Date::at(now, &jiff::tz::TimeZone::get("Asia/Seoul").unwrap())
}

pub async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    (listener, origin)
}

/// The site of a client: the page that its users come back to, and one whose scripts may ask other origins.
async fn client_site() -> String {
    const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>The client</title><h1>Back at the client</h1></html>";
    let (listener, origin) = listen().await;
    let headers = |policy| [(CONTENT_TYPE, "text/html"), (CONTENT_SECURITY_POLICY, policy)];
    let (closed, open) = (headers("default-src 'none'"), headers("default-src 'none'; connect-src *"));
    let site = Router::new().route("/callback", get(async move || (closed, PAGE))).route("/app", get(async move || (open, PAGE)));
    drop(tokio::spawn(serve(listener, site.with_state(()), pending())));
    format!("{origin}/callback")
}

async fn application(
    store: &MemoryStore,
    names: Names,
    owner: &SubjectId,
    clock: &ManualClock,
) -> (ApplicationId, [Scope; 2], [ScopeId; 2]) {
    let (id, name): (_, Line) = (ApplicationId::from_random(random()), names.application.parse().unwrap());
    let application = Application { id, name: name.clone(), owner: owner.clone(), created_at: clock.now() };
    assert_eq!(store.create_application(application).await.unwrap(), Creation::Created);
    let (mut scopes, mut ids) = (Vec::new(), Vec::new());
    for (scope, description) in names.scopes {
        let definition = ScopeDefinition {
            id: ScopeId::from_random(random()),
            scope: Scope { application: id, name: scope.parse().unwrap() },
            description: description.parse().unwrap(),
            application_name: name.clone(),
            approval_required: false,
        };
        scopes.push(definition.scope.clone());
        ids.push(definition.id);
        assert_eq!(store.create_scope(definition).await.unwrap(), ScopeCreation::Created);
    }
    (id, scopes.try_into().unwrap(), ids.try_into().unwrap())
}

fn client(name: &str, owner: &SubjectId, secret: &ClientSecret, callback: &str, scopes: &[Scope], clock: &ManualClock) -> Client {
    Client {
        id: ClientId::from_random(random()),
        name: name.parse().unwrap(),
        owner: owner.clone(),
        policy: ClientPolicy::Secret,
        secrets: vec![RegisteredSecret { digest: secret.digest(), created_at: clock.now() }],
        redirect_uris: vec![callback.parse().unwrap()],
        allowed_scopes: scopes.iter().cloned().collect::<ScopeSet>(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: clock.now(),
        suspended_at: None,
    }
}

/// A key with every scope.
async fn api_key(store: &MemoryStore, description: &str, owner: &SubjectId, clock: &ManualClock) -> (ApiKeyId, ApiKeySecret) {
    let (id, secret) = (ApiKeyId::from_random(random()), ApiKeySecret::from_random(random()));
    let key = ApiKey::issued(id, &secret, description.parse().unwrap(), ApiScopes::built_in(), clock.now());
    let key = ApiKey { owner: Some(owner.clone()), ..key };
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    (id, secret)
}

pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemEntropy.fill(&mut bytes);
    bytes
}
