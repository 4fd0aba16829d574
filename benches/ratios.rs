//! Speed as ratios, each measured inside one run: the two sides are interleaved in five rounds, and the median of the five ratios is
//! printed as `RATIO <name> <value>`. Absolute times depend on the machine; these hardly do.
//!
//! ```sh
//! cargo bench
//! ```

#![allow(clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::convert::Infallible;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{Request, StatusCode};
use http_body_util::BodyExt;
use lyceum::crypto::sign_token;
use lyceum::directory::{Directory, Writing};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, AuthorizationCode, AuthorizationSession, Client, ClientId,
    ClientPolicy, ClientSecret, Date, GrantId, Line, Quota, RegisteredSecret, Role, Scope, ScopeDefinition, ScopeId, SessionToken,
    SigningAlgorithm, Subject, SubjectId, Timestamp, Verification,
};
use lyceum::http::Body;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{
    AccountStore, ApiKeyStore, Approval, ApprovalCaps, ApprovalOutcome, Assent, ClientCreation, Creation, ScopeCreation, SignIn, Storage,
};
use lyceum::testing::{ManualClock, SeededEntropy, school::DemoSchool};
use lyceum::{AuthServer, DataApi};
use tower::{Service, ServiceExt};

const ROUNDS: usize = 5;
const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    // `cargo bench -- <filter>` and the flags that cargo itself passes are not ours.
    let store = Arc::new(MemoryStore::new());
    runtime.block_on(students_page(&store));
    runtime.block_on(code_exchange(&store));
}

/// A page of 216 students through the service, against copying the same bytes.
async fn students_page(store: &Arc<MemoryStore>) {
    const PAGES: u32 = 2000;
    let today = Date::new(2026, 9, 21).unwrap();
    let directory = Directory::builder(store.clone()).clock(Arc::new(ManualClock::at(NOW))).open().await.unwrap();
    assert!(matches!(directory.write(DemoSchool::new(20, today).changes()).await.unwrap(), Writing::Written(_)));
    let secret = ApiKeySecret::from_random([7; 16]);
    let key = ApiKey::issued(ApiKeyId::from_random([7; 16]), &secret, Line::literal("bench"), ApiScopes::all(), NOW);
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    // Counted like any request, and never too many.
    let limit = Quota::new(1_000_000, Duration::from_secs(1), 1_000_000).unwrap();
    let api = DataApi::builder(directory, store.clone()).clock(Arc::new(ManualClock::at(NOW))).rate_limit(limit).build().unwrap();
    let request = || Request::get("/v1/students").header("x-api-key", secret.expose()).body(String::new()).unwrap();
    let page = body(api.clone(), request()).await;

    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for _ in 0..PAGES {
            black_box(body(api.clone(), request()).await);
        }
        let served = started.elapsed();
        let started = Instant::now();
        for _ in 0..PAGES {
            black_box(black_box(&page).to_vec());
        }
        ratios.push(Ratio::new(served, started.elapsed(), PAGES));
    }
    report("students_page_to_copy", ratios);
}

/// A code exchanged for tokens, against the RS256 signature alone.
async fn code_exchange(store: &Arc<MemoryStore>) {
    const CODES: u32 = 500;
    let master_key = || lyceum::testing::master_key(3);
    let auth =
        AuthServer::builder(store.clone(), "http://127.0.0.1", master_key()).clock(Arc::new(ManualClock::at(NOW))).build().await.unwrap();
    let record = lyceum::crypto::generate(SigningAlgorithm::Rs256, 99, NOW, &SeededEntropy::new(1), &master_key()).unwrap();
    let signer = lyceum::crypto::open(&record, &master_key()).unwrap();
    let (client, secret) = register_client(&**store).await;

    let mut ratios = Vec::new();
    for round in 0..ROUNDS as u32 {
        let mut requests = Vec::new();
        for number in 0..CODES {
            let code = issue_code(&**store, &client, round * CODES + number).await;
            let form = format!(
                "grant_type=authorization_code&code={}&redirect_uri=https://app.example/callback&client_id={}&client_secret={}",
                code.expose(),
                client.id,
                secret.expose()
            );
            requests.push(Request::post("/v1/oauth/token").header("content-type", "application/x-www-form-urlencoded").body(form).unwrap());
        }
        let started = Instant::now();
        for request in requests {
            black_box(body(auth.clone(), request).await);
        }
        let exchanged = started.elapsed();
        let claims = serde_json::json!({ "sub": "someone@school.example" });
        let started = Instant::now();
        for _ in 0..CODES {
            black_box(sign_token(&*signer, "at+jwt", black_box(&claims)).unwrap());
        }
        ratios.push(Ratio::new(exchanged, started.elapsed(), CODES));
    }
    report("code_exchange_to_signature", ratios);
}

async fn register_client(store: &impl Storage) -> (Client, ClientSecret) {
    let application = ApplicationId::from_random([1; 16]);
    let name = Line::literal("Bench");
    let kept = Application { id: application, name: name.clone(), owner: SubjectId::service(), created_at: NOW };
    assert_eq!(store.create_application(kept).await.unwrap(), Creation::Created);
    let scope = Scope { application, name: "read".parse().unwrap() };
    let definition = ScopeDefinition {
        id: ScopeId::from_random([9; 16]),
        scope: scope.clone(),
        description: "Read".parse().unwrap(),
        application_name: name.clone(),
        approval_required: false,
    };
    assert_eq!(store.create_scope(definition).await.unwrap(), ScopeCreation::Created);
    let secret = ClientSecret::from_random([2; 32]);
    let client = Client {
        id: ClientId::from_random([2; 16]),
        name,
        owner: SubjectId::service(),
        policy: ClientPolicy::Secret,
        secrets: vec![RegisteredSecret { digest: secret.digest(), created_at: NOW }],
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [scope].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: NOW,
        suspended_at: None,
    };
    assert_eq!(store.create_client(client.clone()).await.unwrap(), ClientCreation::Created);
    (client, secret)
}

async fn issue_code(store: &impl Storage, client: &Client, number: u32) -> AuthorizationCode {
    let bytes = |kind: u8| {
        let mut bytes = [kind; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        bytes
    };
    let account = account(store).await;
    let (session, signed_in) = (SessionToken::from_random(bytes(1)).digest(), SessionToken::from_random(bytes(2)).digest());
    let code = AuthorizationCode::from_random(bytes(3));
    let soon = NOW.plus(Duration::from_secs(600));
    let pending = AuthorizationSession {
        client: client.id,
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: client.allowed_scopes.clone(),
        challenge: None,
        ask_again: false,
        subject: None,
        created_at: NOW,
        expires_at: soon,
    };
    store.open_session(session, pending).await.unwrap();
    assert!(matches!(store.sign_in(&session, signed_in, account, NOW).await.unwrap(), SignIn::SignedIn(_)));
    let grant = GrantId::from_random(std::array::from_fn(|at| bytes(4)[at]));
    let approval = Approval { grant, code: code.digest(), code_expires_at: soon, assent: Assent::Once, caps: ApprovalCaps::NONE };
    assert!(matches!(store.approve_session(&signed_in, approval, NOW).await.unwrap(), ApprovalOutcome::Approved(_)));
    code
}

async fn account(store: &impl AccountStore) -> Subject {
    let account = lyceum::domain::Account {
        id: lyceum::domain::AccountId::from_random([5; 16]),
        email: "someone@school.example".parse().unwrap(),
        password_hash: lyceum::domain::PasswordHash::from_phc("unused"),
        role: Role::User,
        created_at: NOW,
    };
    let subject = Subject { id: account.id.into(), email: account.email.clone(), role: account.role, number: None };
    let _ = store.create_account(account).await.unwrap();
    subject
}

async fn body<S>(service: S, request: Request<String>) -> bytes::Bytes
where
    S: Service<Request<String>, Response = http::Response<Body>, Error = Infallible>,
{
    let response = service.oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body().collect().await.unwrap().to_bytes()
}

struct Ratio {
    value: f64,
    one: Duration,
    other: Duration,
}

impl Ratio {
    fn new(one: Duration, other: Duration, times: u32) -> Self {
        Self { value: one.as_secs_f64() / other.as_secs_f64(), one: one / times, other: other / times }
    }
}

fn report(name: &str, mut ratios: Vec<Ratio>) {
    ratios.sort_by(|one, other| one.value.total_cmp(&other.value));
    let (least, median, most) = (&ratios[0], &ratios[ratios.len() / 2], &ratios[ratios.len() - 1]);
    println!("RATIO {name} {:.2}", median.value);
    println!("      {:.2}–{:.2} in {ROUNDS} rounds; median round: {:?} against {:?}", least.value, most.value, median.one, median.other);
}
