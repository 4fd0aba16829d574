//! A school on one port, and a client's web site on another.

mod activity;
mod client_site;
mod records;
mod sync;

use std::future::pending;
use std::sync::Arc;

use axum::Router;
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::directory::{Directory, WriteOutcome};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApplicationId, Client, ClientId, ClientSecret, Date, Password,
    PersonalField, Role, Scope, ScopeId, ScopeRequest, ScopeRequestState, SigningAlgorithm,
    SubjectId, Timestamp, Verification,
};
use lyceum::http::audit::{EventKind, StoredAuditLog};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts};
use lyceum::http::console::{Console, InvitationOptions};
use lyceum::http::{ApiReference, Branding, Clock, SystemClock, serve};
use lyceum::sample_data::SampleSchool;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, ClientCreation, ClientRegistry, Creation, ScopeRequestCreation};
use lyceum::testing::{ManualClock, MemoryAuditLog};
use lyceum::{AuthServer, DataApi};

use self::client_site::client_site;
pub use self::client_site::listen;
use self::records::{api_key, application, client};
use self::sync::OneRun;
use crate::browser::Browser;
use crate::support;

pub const EMAIL: &str = "kim.haneul@school.example";
pub const OTHER: &str = "lee.bada@school.example";
pub const ADMIN: &str = "admin@school.example";
pub const PASSWORD: &str = "correct horse battery staple";

/// Names of a harness's records.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    pub site: &'static str,
    pub application: &'static str,
    pub client: &'static str,
    pub key: &'static str,
    /// Names and descriptions of the scopes.
    pub scopes: [(&'static str, &'static str); 2],
}

pub const DEFAULT_NAMES: Names = Names {
    site: "Haneul High School",
    application: "School timetable",
    client: "Timetable for telephones",
    key: "Lunch on the screen in the hall",
    scopes: [
        ("lessons_read", "See your lessons"),
        ("lessons_write", "Change your lessons"),
    ],
};

/// Names in Korean, as of a school.
pub const SCHOOL: Names = Names {
    site: "하늘고등학교",
    application: "방과후 학교",
    client: "동아리 수첩",
    key: "급식실 화면에 점심 메뉴 보이기",
    scopes: [
        ("lessons_read", "내 방과후 수업 보기"),
        ("lessons_write", "방과후 수업을 신청하고 취소하기"),
    ],
};

/// What a harness is made of.
pub struct Settings {
    pub names: Names,
    /// The time on its clock.
    pub now: Timestamp,
    /// Source of ids and secrets.
    pub entropy: Arc<dyn Entropy>,
    /// The client's redirect URI; that of a web site of the harness without one.
    pub callback: Option<&'static str>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            names: DEFAULT_NAMES,
            now: SystemClock.now(),
            entropy: Arc::new(SystemEntropy),
            callback: None,
        }
    }
}

/// A school with users, an application with two scopes, and a client that may request both.
/// Another client and a request for a key wait for an administrator.
pub struct Harness {
    /// Origin of the services. The authorization server is below `/auth`, the console below
    /// `/console`.
    pub origin: String,
    /// Set to the current time by default, because pages compare it with the browser's clock.
    pub clock: ManualClock,
    pub store: Arc<MemoryStore>,
    pub log: MemoryAuditLog,
    /// Forwards to `log` and writes to the store, in which the console looks events up.
    pub trail: StoredAuditLog,
    /// Users with [`EMAIL`], [`OTHER`] and [`ADMIN`]. The first is a student of the school.
    pub people: [SubjectId; 3],
    pub application: ApplicationId,
    pub scopes: [Scope; 2],
    pub scope_ids: [ScopeId; 2],
    pub client: ClientId,
    pub secret: ClientSecret,
    /// The client's redirect URI.
    pub callback: String,
    pub api_key: ApiKeyId,
    pub api_key_value: ApiKeySecret,
    /// A client of the second user that no administrator has verified.
    pub waiting_client: ClientId,
    /// A key of the second user, with a request for a hidden field.
    waiting_key: ApiKeyId,
    /// Path below the console at which the second user sets a password.
    password_link: String,
}

impl Harness {
    pub async fn new() -> Self {
        Self::with_names(DEFAULT_NAMES).await
    }

    pub async fn with_names(names: Names) -> Self {
        Self::with_settings(Settings {
            names,
            ..Settings::default()
        })
        .await
    }

    pub async fn with_settings(settings: Settings) -> Self {
        let Settings { names, entropy, .. } = settings;
        let (store, clock, log) = (
            Arc::new(MemoryStore::new()),
            ManualClock::new(settings.now),
            MemoryAuditLog::default(),
        );
        let (listener, origin) = listen().await;
        let callback = match settings.callback {
            Some(callback) => callback.to_owned(),
            None => client_site().await,
        };
        let accounts = Accounts::builder(store.clone())
            .clock(Arc::new(clock.clone()))
            .entropy(Arc::clone(&entropy))
            .hashing_cost(8, 1)
            .build()
            .unwrap();
        let accounts = Arc::new(accounts);
        let mut people = Vec::new();
        for (email, role) in [
            (EMAIL, Role::User),
            (OTHER, Role::User),
            (ADMIN, Role::Admin),
        ] {
            let created = accounts
                .create(
                    email.parse().unwrap(),
                    &Password::new(PASSWORD).unwrap(),
                    role,
                )
                .await
                .unwrap();
            let AccountCreationOutcome::Created(id) = created else {
                panic!("{created:?}")
            };
            people.push(SubjectId::from(id));
        }
        let owner = &people[0];

        let directory = Directory::builder_with_history(store.clone())
            .clock(Arc::new(clock.clone()))
            .entropy(Arc::clone(&entropy))
            .open()
            .await
            .unwrap();
        let mut school = SampleSchool::new(20, today(clock.now()));
        school.students[0].email = EMAIL.parse().unwrap();
        assert!(matches!(
            directory.write(school.changes()).await.unwrap(),
            WriteOutcome::Written(_)
        ));
        let (application, scopes, scope_ids) =
            application(&store, names, owner, &clock, &*entropy).await;
        let secret = ClientSecret::from_random(bytes(&*entropy));
        let [client_id, waiting_client_id] =
            [(); 2].map(|()| ClientId::from_random(bytes(&*entropy)));
        let client = client(names.client, owner, &secret, &callback, &scopes, &clock);
        let client = Client {
            id: client_id,
            ..client
        };
        let waiting_client = Client {
            id: waiting_client_id,
            owner: people[1].clone(),
            verification: Verification::Unverified,
            ..client.clone()
        };
        for client in [client, waiting_client] {
            assert_eq!(
                store.create_client(client).await.unwrap(),
                ClientCreation::Created
            );
        }
        // The lists of requests have a row.
        let request = ScopeRequest {
            scope: scope_ids[0],
            client: client_id,
            asked_by: owner.clone(),
            reason: names.key.parse().unwrap(),
            asked_at: clock.now(),
            state: ScopeRequestState::Waiting,
        };
        assert_eq!(
            store.request_scope(request, 1).await.unwrap(),
            ScopeRequestCreation::Requested
        );
        let (key, api_key_value) = api_key(names.key, owner, &clock, &*entropy);
        let (waiting_key, _) = api_key(names.key, &people[1], &clock, &*entropy);
        let (api_key, waiting_key_id) = (key.id, waiting_key.id);
        let waiting_key = ApiKey {
            hidden: [PersonalField::Email].into_iter().collect(),
            requested: [PersonalField::Email].into_iter().collect(),
            ..waiting_key
        };
        for key in [key, waiting_key] {
            assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        }

        let (trail, writer) = StoredAuditLog::builder(store.clone())
            .forward_to(Arc::new(log.clone()))
            .build();
        drop(tokio::spawn(writer.run()));
        let issuer = format!("{origin}/auth");
        let auth = AuthServer::builder(
            store.clone(),
            &issuer,
            MasterKey::from_bytes(bytes(&*entropy)),
        )
        .clock(Arc::new(clock.clone()))
        .entropy(Arc::clone(&entropy))
        .authenticator(accounts)
        .directory(directory.clone())
        .api_keys(store.clone())
        .audit(Arc::new(trail.clone()))
        .branding(Branding::new(names.site).unwrap())
        .protected_fields(Role::User, [PersonalField::Email].into_iter().collect())
        .signing_algorithm(SigningAlgorithm::Es256);
        let auth = auth.build().await.unwrap();
        let api = DataApi::builder(directory, store.clone())
            .clock(Arc::new(clock.clone()))
            .entropy(entropy)
            .calendar_feeds(store.clone())
            .public_url(&origin)
            .allow_any_origin()
            .build()
            .unwrap();
        let console = Console::builder(auth.management(), &format!("{origin}/console"))
            .data_browser(api.data_client(), &origin)
            .calendar_feeds(store.clone(), &origin)
            .api_reference(&format!("{origin}/v1/docs"))
            .sync(Arc::new(OneRun::ended_at(clock.now())))
            .school_editor()
            .build()
            .unwrap();
        let account = people[1].as_str().parse().unwrap();
        let options = InvitationOptions::default();
        let password_link = console
            .password_link(&SubjectId::service(), account, &options)
            .await
            .unwrap();
        let password_link = password_link.and_then(|made| made.link);
        let reference = ApiReference::new(names.site, [api.openapi(), auth.openapi()]).unwrap();
        let host = Router::new()
            .nest_service("/auth", auth)
            .nest_service("/console", console)
            .route_service("/v1/docs", reference.clone())
            .route_service("/v1/docs/{*path}", reference)
            .fallback_service(api);
        drop(tokio::spawn(serve(listener, host, pending())));

        let people = people.try_into().unwrap();
        let client = client_id;
        let (_, password_link) = password_link
            .as_ref()
            .unwrap()
            .split_once("/console")
            .unwrap();
        Self {
            password_link: password_link.to_owned(),
            origin,
            clock,
            store,
            log,
            trail,
            people,
            application,
            scopes,
            scope_ids,
            client,
            secret,
            callback,
            api_key,
            api_key_value,
            waiting_client: waiting_client_id,
            waiting_key: waiting_key_id,
        }
    }

    /// URL of a console page.
    pub fn console(&self, path: &str) -> String {
        format!("{}/console{path}", self.origin)
    }

    /// URL of an endpoint of the authorization server.
    pub fn auth(&self, path: &str) -> String {
        format!("{}/auth/v1/oauth{path}", self.origin)
    }

    /// Authorization URL of the client for these scopes.
    pub fn authorize(&self, scopes: &[&Scope]) -> String {
        self.authorize_client(self.client, scopes)
    }

    /// The same of another client.
    pub fn authorize_client(&self, client: ClientId, scopes: &[&Scope]) -> String {
        let scopes: Vec<String> = scopes.iter().map(ToString::to_string).collect();
        let (client, scope) = (client.to_string(), scopes.join(" "));
        let query = [
            ("response_type", "code"),
            ("client_id", &*client),
            ("redirect_uri", &*self.callback),
            ("scope", &*scope),
            ("state", "of-the-client"),
        ];
        self.auth(&format!("/authorize?{}", support::encode(&query)))
    }

    /// The same for all of the client's scopes.
    pub fn authorize_all(&self) -> String {
        self.authorize(&self.scopes.each_ref())
    }

    /// Signs a user in on the sign-in page of either service.
    pub async fn sign_in(&self, browser: &Browser, email: &str) {
        // The form is folded away for a user who is signed in.
        if browser.has("details.other:not([open])").await {
            browser.click("details.other > summary").await;
        }
        browser.fill("#email", email).await;
        browser.fill("#password", PASSWORD).await;
        browser
            .click("form:has(#password) button:not([type])")
            .await;
    }

    /// Opens the consent page as a user.
    pub async fn ask(&self, browser: &Browser, email: &str) {
        browser.go(&self.authorize_all()).await;
        self.sign_in(browser, email).await;
        browser.wait_for("button[value=allow]").await;
    }

    /// Opens a console page as a user.
    pub async fn enter(&self, browser: &Browser, email: &str, path: &str) {
        browser.go(&self.console(path)).await;
        self.sign_in(browser, email).await;
        browser.wait_for("form[action$='/sign-out']").await;
    }

    /// Exchanges the code in the URL, as the client does. Returns the response.
    pub async fn exchange(&self, address: &str) -> support::TestResponse {
        let (query, client) = (support::query_of(address), self.client.to_string());
        let form = [
            ("grant_type", "authorization_code"),
            ("code", &*query["code"]),
            ("redirect_uri", &*self.callback),
            ("client_id", &*client),
            ("client_secret", self.secret.expose()),
        ];
        support::Client::new()
            .post_form(&self.auth("/token"), &[], &form)
            .await
    }

    /// Number of codes issued for each of the [`people`](Self::people).
    pub fn codes_of_each(&self) -> [usize; 3] {
        let events = self.log.events();
        let of = |person| {
            events.iter().filter(move |event| matches!(&event.kind, EventKind::CodeIssued { subject, .. } if subject == person))
        };
        self.people.each_ref().map(|person| of(person).count())
    }

    /// A path in which names in braces are replaced by ids of this harness.
    pub fn filled(&self, path: &str) -> String {
        let ids = [
            ("{application}", self.application.to_string()),
            ("{scope}", self.scope_ids[0].to_string()),
            ("{client}", self.client.to_string()),
            ("{key}", self.api_key.to_string()),
            ("{waiting client}", self.waiting_client.to_string()),
            ("{waiting key}", self.waiting_key.to_string()),
            ("{person}", self.people[1].as_str().to_owned()),
            ("{student}", self.people[0].as_str().to_owned()),
            ("{password link}", self.password_link.clone()),
        ];
        ids.iter()
            .fold(path.to_owned(), |path, (name, id)| path.replace(name, id))
    }
}

/// The date at the school.
fn today(now: Timestamp) -> Date {
    Date::from_timestamp(now, &jiff::tz::TimeZone::get("Asia/Seoul").unwrap())
}

pub fn random<const N: usize>() -> [u8; N] {
    bytes(&SystemEntropy)
}

fn bytes<const N: usize>(entropy: &dyn Entropy) -> [u8; N] {
    let mut bytes = [0; N];
    entropy.fill(&mut bytes);
    bytes
}
