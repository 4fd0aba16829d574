//! A console with two users, and their browsers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE, USER_AGENT};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use lyceum::crypto::Entropy;
use lyceum::directory::{Directory, DirectoryBuilder};
use lyceum::domain::{Password, Role, SigningAlgorithm, SubjectId, Timestamp};
use lyceum::http::audit::EventKind;
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServer, AuthServerBuilder};
use lyceum::http::console::{Console, ConsoleBuilder};
use lyceum::http::{Body, Branding};
use lyceum::store::Storage;
use lyceum::store::memory::MemoryStore;
use lyceum::testing::{ManualClock, MemoryAuditLog, SeededEntropy};
use tower::{Service, ServiceExt};

use crate::stores::new_store;
use crate::sync::TestSync;

pub const ADDRESS: &str = "https://school.example/console";
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
pub const EMAIL: &str = "kim.haneul@school.example";
pub const ADMIN: &str = "admin@school.example";
pub const PASSWORD: &str = "correct horse battery staple";
pub const MINUTE: Duration = Duration::from_secs(60);

/// A console and the services around it.
pub struct Harness {
    pub console: Console,
    pub auth: AuthServer,
    pub store: Arc<dyn Storage>,
    /// The school in the store; the authorization server uses it only for the school editor.
    pub directory: Directory,
    pub clock: ManualClock,
    pub accounts: Arc<Accounts>,
    pub log: MemoryAuditLog,
    /// Id of the user with [`EMAIL`].
    pub person: SubjectId,
}

impl Harness {
    /// A console with default settings, below a path.
    pub async fn new() -> Self {
        Self::with_settings(ADDRESS, |builder| builder, |builder| builder).await
    }

    /// A console at an address and an authorization server, with other settings.
    pub async fn with_settings(
        address: &str,
        auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
        console: impl FnOnce(ConsoleBuilder) -> ConsoleBuilder,
    ) -> Self {
        Self::with_issuer("https://school.example/auth", address, auth, console).await
    }

    /// A console with default settings beside an authorization server with others.
    pub async fn with_auth(auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder) -> Self {
        Self::with_settings(ADDRESS, auth, |console| console).await
    }

    /// A console with other settings.
    pub async fn with_console(console: impl FnOnce(ConsoleBuilder) -> ConsoleBuilder) -> Self {
        Self::with_settings(ADDRESS, |auth| auth, console).await
    }

    /// As [`with_settings`](Self::with_settings), with another address of the authorization server.
    pub async fn with_issuer(
        issuer: &str,
        address: &str,
        auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
        console: impl FnOnce(ConsoleBuilder) -> ConsoleBuilder,
    ) -> Self {
        Self::build(issuer, address, |builder, _| auth(builder), console).await
    }

    /// A console with the school editor.
    pub async fn with_school_editor(
        auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        Self::build(
            "https://school.example/auth",
            ADDRESS,
            |builder, directory| auth(builder.directory(directory.clone())),
            ConsoleBuilder::school_editor,
        )
        .await
    }

    /// A console with the school editor, and an empty school with settings of its own.
    pub async fn with_school_settings(
        settings: impl FnOnce(DirectoryBuilder) -> DirectoryBuilder,
    ) -> Self {
        Self::build_with_school(
            "https://school.example/auth",
            ADDRESS,
            |store| settings(Directory::builder(store)),
            |builder, directory| builder.directory(directory.clone()),
            ConsoleBuilder::school_editor,
        )
        .await
    }

    /// A console with every page that a host may add, apart from the data browser.
    pub async fn with_every_page(
        auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        let sync = Arc::new(TestSync::default());
        Self::with_history(auth, |console| console.school_editor().sync(sync)).await
    }

    /// A console with the school editor, and a school that keeps a history, in a store of its own.
    pub async fn with_school_year(
        auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
    ) -> Self {
        Self::with_history(auth, ConsoleBuilder::school_editor).await
    }

    async fn with_history(
        auth: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
        console: impl FnOnce(ConsoleBuilder) -> ConsoleBuilder,
    ) -> Self {
        Self::build_with_school(
            "https://school.example/auth",
            ADDRESS,
            |_| {
                let store = Arc::new(MemoryStore::new());
                Directory::builder_with_history(store.clone()).freshness(store)
            },
            |builder, directory| auth(builder.directory(directory.clone())),
            console,
        )
        .await
    }

    async fn build(
        issuer: &str,
        address: &str,
        auth: impl FnOnce(AuthServerBuilder, &Directory) -> AuthServerBuilder,
        console: impl FnOnce(ConsoleBuilder) -> ConsoleBuilder,
    ) -> Self {
        let school = |store: Arc<dyn Storage>| Directory::builder(store);
        Self::build_with_school(issuer, address, school, auth, console).await
    }

    async fn build_with_school(
        issuer: &str,
        address: &str,
        school: impl FnOnce(Arc<dyn Storage>) -> DirectoryBuilder,
        auth: impl FnOnce(AuthServerBuilder, &Directory) -> AuthServerBuilder,
        console: impl FnOnce(ConsoleBuilder) -> ConsoleBuilder,
    ) -> Self {
        let (store, clock, log) = (
            new_store().await,
            ManualClock::new(START),
            MemoryAuditLog::default(),
        );
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(7));
        let accounts = Accounts::builder(store.clone())
            .clock(Arc::new(clock.clone()))
            .entropy(Arc::clone(&entropy));
        let accounts = Arc::new(accounts.hashing_cost(8, 1).build().unwrap());
        let mut ids = Vec::new();
        for (email, role) in [(EMAIL, Role::User), (ADMIN, Role::Admin)] {
            ids.push(create_account(&accounts, email, role).await);
        }
        let builder = AuthServer::builder(store.clone(), issuer, lyceum::testing::master_key(3))
            .clock(Arc::new(clock.clone()))
            .entropy(entropy)
            .authenticator(accounts.clone())
            .api_keys(store.clone())
            .audit(Arc::new(log.clone()))
            .branding(Branding::new("Haneul <High> School").unwrap())
            .signing_algorithm(SigningAlgorithm::Es256);
        let directory = school(store.clone())
            .clock(Arc::new(clock.clone()))
            .open()
            .await
            .unwrap();
        let auth = auth(builder, &directory).build().await.unwrap();
        let builder = Console::builder(auth.management(), address);
        let console = console(builder).build().unwrap();
        Self {
            console,
            auth,
            store,
            directory,
            clock,
            accounts,
            log,
            person: ids.remove(0),
        }
    }

    /// Number of recorded events of this kind.
    pub fn recorded(&self, kind: &EventKind) -> usize {
        let events = self.log.events();
        events.iter().filter(|event| event.kind == *kind).count()
    }

    /// A new browser that prefers English.
    pub fn browser(&self) -> Browser {
        Browser {
            console: self.console.clone(),
            cookies: Vec::new(),
            language: "en",
            last: None,
        }
    }

    /// A browser with a signed-in user.
    pub async fn browser_of(&self, email: &str) -> Browser {
        let mut browser = self.browser();
        let answer = browser.sign_in(email, PASSWORD).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
        browser
    }
}

/// Creates an account with [`PASSWORD`], and returns its id.
pub async fn create_account(accounts: &Accounts, email: &str, role: Role) -> SubjectId {
    let password = Password::new(PASSWORD).unwrap();
    let created = accounts.create(email.parse().unwrap(), &password, role);
    match created.await.unwrap() {
        AccountCreationOutcome::Created(id) => id.into(),
        other => panic!("{other:?}"),
    }
}

/// A response with its body.
#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
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

    /// The `Set-Cookie` values.
    pub fn cookies(&self) -> Vec<&str> {
        self.headers
            .get_all(SET_COOKIE)
            .into_iter()
            .map(|value| value.to_str().unwrap())
            .collect()
    }
}

/// A browser with a cookie jar.
#[derive(Clone)]
pub struct Browser {
    pub console: Console,
    pub cookies: Vec<(String, String)>,
    pub language: &'static str,
    /// Location of the last response, for [`follow`](Self::follow).
    last: Option<String>,
}

impl Browser {
    pub async fn get(&mut self, path: &str) -> TestResponse {
        self.send(Method::GET, path, None, "").await
    }

    /// Posts a form. The page that shows a secret once is requested at once, as by a browser.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let answer = self.submit(path, fields).await;
        if answer.location().starts_with("/console/shown?") {
            return self.follow().await;
        }
        answer
    }

    /// Posts a form and follows no redirect.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        self.send(
            Method::POST,
            path,
            Some("application/x-www-form-urlencoded"),
            &form_body(fields),
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
        let console = self.console.clone();
        self.send_to(console, method, path, content_type, body)
            .await
    }

    /// Sends a request to the authorization server of the same origin, with the fields of a form.
    pub async fn visit(
        &mut self,
        auth: &AuthServer,
        method: Method,
        path: &str,
        fields: &[(&str, &str)],
    ) -> TestResponse {
        let form = (method == Method::POST).then_some("application/x-www-form-urlencoded");
        let body = form_body(fields);
        self.send_to(auth.clone(), method, path, form, &body).await
    }

    async fn send_to<S>(
        &mut self,
        service: S,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: &str,
    ) -> TestResponse
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(ACCEPT_LANGUAGE, self.language);
        request = request.header(
            USER_AGENT,
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        );
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
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let answer = ask_service(service, request).await;
        for cookie in answer.cookies() {
            self.keep(cookie);
        }
        self.last = Some(answer.location().to_owned()).filter(|location| !location.is_empty());
        answer
    }

    /// Follows the last response's location, which must be below the console's path.
    pub async fn follow(&mut self) -> TestResponse {
        let location = self.last.take().expect("the last response is no redirect");
        let path = location
            .strip_prefix("/console")
            .unwrap_or_else(|| panic!("{location} is not ours"))
            .to_owned();
        self.get(&path).await
    }

    pub async fn sign_in(&mut self, email: &str, password: &str) -> TestResponse {
        self.sign_in_with(email, password, &[]).await
    }

    /// Signs in with further fields of the form.
    pub async fn sign_in_with(
        &mut self,
        email: &str,
        password: &str,
        more: &[(&str, &str)],
    ) -> TestResponse {
        let token = form_token(&self.get("/sign-in").await.body);
        let fields = [
            ("form_token", &*token),
            ("email", email),
            ("password", password),
            ("next", "/"),
        ];
        self.post("/sign-in", &[&fields, more].concat()).await
    }

    /// Session token in the cookie.
    pub fn session(&self) -> Option<&str> {
        self.cookies
            .iter()
            .find(|(name, _)| name.ends_with("lyceum-console"))
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

/// A form's body.
pub fn form_body(fields: &[(&str, &str)]) -> String {
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

pub async fn ask(console: &Console, request: Request<Body>) -> TestResponse {
    ask_service(console.clone(), request).await
}

async fn ask_service<S>(service: S, request: Request<Body>) -> TestResponse
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let (parts, body) = service.oneshot(request).await.unwrap().into_parts();
    // A workbook is no text.
    let body = String::from_utf8_lossy(body.as_bytes()).into_owned();
    TestResponse {
        status: parts.status,
        headers: parts.headers,
        body,
    }
}

pub fn form_token(page: &str) -> String {
    let rest = page
        .split("name=\"form_token\" value=\"")
        .nth(1)
        .unwrap_or_else(|| panic!("no form token in {page}"));
    rest.split('"').next().unwrap().to_owned()
}
