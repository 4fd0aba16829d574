//! A server with a memory store and the same clients, codes and keys at every start.

use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use async_trait::async_trait;
use http::Request;
use lyceum::domain::{
    Application, AuthorizationCode, AuthorizationSession, ChallengeMethod, Client, ClientId,
    ClientPolicy, ClientSecret, CodeChallenge, GrantId, Password, RegisteredSecret, Role, Scope,
    ScopeDefinition, ScopeId, ScopeSet, SessionToken, SigningAlgorithm, Subject, SubjectId,
    Timestamp, Translations, Verification,
};
use lyceum::http::Body;
use lyceum::http::auth_server::{
    AuthServer, AuthServerBuilder, AuthenticationOutcome, Authenticator,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ClientCreation, ClientRegistry, ConsentMode,
    Creation, GrantStore, ScopeCreation, StorageError,
};
use lyceum::testing::{ManualClock, SeededEntropy};
use tower::ServiceExt;

use super::answer::TestResponse;

pub const ISSUER: &str = "https://auth.school.example";
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
pub const CALLBACK: &str = "https://app.example/callback";
pub const SCOPES: &str = "service:self_read 7d444840-9dc0-41d1-b245-5ffdce74fad2:read";
/// The scope that a client may have without a user.
pub const SCOPE_WITHOUT_USER: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2:read";
/// RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const MINUTE: Duration = Duration::from_secs(60);

/// A client and its code.
pub struct Registered {
    pub id: String,
    pub redirect_uris: &'static [&'static str],
    pub code: String,
}

pub struct Harness {
    pub server: AuthServer,
    clock: ManualClock,
    store: Arc<MemoryStore>,
    /// A client that must use PKCE; its code is bound to [`CHALLENGE`].
    pub public: Registered,
    /// A client with a secret and the client credentials grant; its code has no challenge.
    pub confidential: Registered,
    pub secret: String,
}

impl Harness {
    pub fn new() -> Self {
        Self::with_settings(|builder| builder)
    }

    pub fn with_settings(settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), ManualClock::new(START));
        define_scope(&store);
        let secret = ClientSecret::from_random([3; 32]);
        let callbacks: &[&str] = &[
            "http://127.0.0.1:8400/callback",
            "com.example.campus:/callback",
            CALLBACK,
        ];
        let public = register(&store, 1, callbacks, None);
        let confidential = register(
            &store,
            2,
            &[CALLBACK, "https://app.example/tenant?name=a%20b+c&flag"],
            Some(&secret),
        );
        let builder = AuthServer::builder(store.clone(), ISSUER, lyceum::testing::master_key(3))
            .clock(Arc::new(clock.clone()))
            .entropy(Arc::new(SeededEntropy::new(1)))
            .authenticator(Arc::new(Users))
            .signing_algorithm(SigningAlgorithm::Es256);
        let server = ready(settings(builder).build()).expect("the settings are good");
        Self {
            server,
            clock,
            store,
            public,
            confidential,
            secret: secret.expose().to_owned(),
        }
    }

    /// Creates another code of the public client.
    pub fn allow(&self, number: u8) -> String {
        allow(
            &self.store,
            ClientId::from_random([1; 16]),
            CALLBACK,
            true,
            number,
        )
    }

    pub fn ask(&self, request: Request<Body>) -> TestResponse {
        let response =
            ready(self.server.clone().oneshot(request)).expect("a service that cannot fail");
        TestResponse::read(response)
    }

    /// Advances the clock, so that open sessions expire.
    pub fn wait(&self) {
        self.clock.advance(Duration::from_secs(1));
    }
}

/// Creates the application's scope of [`SCOPES`].
fn define_scope(store: &MemoryStore) {
    let scope: Scope = SCOPE_WITHOUT_USER.parse().expect("a scope");
    let name: lyceum::domain::ShortText = "Timetable".parse().expect("a name");
    let application = Application {
        id: scope.application,
        name: name.clone(),
        name_translations: Translations::default(),
        owner: SubjectId::service(),
        created_at: START,
    };
    assert_eq!(
        ready(store.create_application(application)).expect("a store"),
        Creation::Created
    );
    let description = "Read your timetable".parse().expect("a description");
    let definition = ScopeDefinition {
        id: ScopeId::from_random([9; 16]),
        scope,
        description,
        application_name: name,
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    };
    assert_eq!(
        ready(store.create_scope(definition)).expect("a store"),
        ScopeCreation::Created
    );
}

fn register(
    store: &MemoryStore,
    number: u8,
    redirect_uris: &'static [&'static str],
    secret: Option<&ClientSecret>,
) -> Registered {
    let id = ClientId::from_random([number; 16]);
    let client = Client {
        id,
        name: "Timetable".parse().expect("a name"),
        owner: SubjectId::service(),
        policy: if secret.is_some() {
            ClientPolicy::SecretOrPkce
        } else {
            ClientPolicy::Public
        },
        secrets: secret
            .iter()
            .map(|secret| RegisteredSecret::new(secret, START))
            .collect(),
        redirect_uris: redirect_uris
            .iter()
            .map(|uri| uri.parse().expect("a redirect URI"))
            .collect(),
        allowed_scopes: ScopeSet::parse(SCOPES).expect("scopes"),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: secret.is_some(),
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: START,
        suspended_at: None,
    };
    assert_eq!(
        ready(store.create_client(client)).expect("a store"),
        ClientCreation::Created
    );
    let code = allow(store, id, redirect_uris[0], secret.is_none(), number);
    Registered {
        id: id.to_string(),
        redirect_uris,
        code,
    }
}

/// Creates a code that the user has approved.
fn allow(
    store: &MemoryStore,
    client: ClientId,
    redirect_uri: &str,
    has_challenge: bool,
    number: u8,
) -> String {
    let session = AuthorizationSession {
        client,
        redirect_uri: redirect_uri.to_owned(),
        state: None,
        prompt: lyceum::domain::Prompt::default(),
        scopes: ScopeSet::parse(SCOPES).expect("scopes"),
        challenge: has_challenge
            .then(|| CodeChallenge::new(ChallengeMethod::S256, CHALLENGE).expect("a challenge")),
        subject: Some(kim()),
        created_at: START,
        expires_at: START.plus(10 * MINUTE),
    };
    let token = SessionToken::from_random([number; 32]).digest();
    ready(store.open_session(token, session)).expect("a store");
    let code = AuthorizationCode::from_random([number; 32]);
    let approval = Approval {
        grant: GrantId::from_random([number; 16]),
        code: code.digest(),
        code_expires_at: START.plus(MINUTE),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    let approved = ready(store.approve_session(&token, approval, START)).expect("a store");
    assert!(matches!(approved, ApprovalOutcome::Approved(_)));
    code.expose().to_owned()
}

fn kim() -> Subject {
    Subject {
        id: "7".parse().expect("an id"),
        email: "kim@school.example".parse().expect("an address"),
        role: Role::User,
        numeric_id: None,
        student: None,
    }
}

/// The host's only user.
#[derive(Debug)]
struct Users;

#[async_trait]
impl Authenticator for Users {
    async fn authenticate(
        &self,
        _: &str,
        _: &Password,
        _: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        Ok(AuthenticationOutcome::InvalidCredentials)
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        Ok(Some(kim()).filter(|user| user.id == *id))
    }
}

/// Blocks on a future. It rarely waits, and only for a thread that generates a key, so no runtime
/// is needed.
fn ready<T>(future: impl Future<Output = T>) -> T {
    struct Wakes(Thread);
    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let (waker, mut future) = (
        Waker::from(Arc::new(Wakes(thread::current()))),
        pin!(future),
    );
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        thread::park();
    }
}
