//! Tests of the longer examples of `docs/embedding.md`, which are files beside this one.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::routing::get;
use base64ct::{Base64, Encoding};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use lyceum::domain::{ClientId, Password, Role, SigningAlgorithm};
use lyceum::http::Body;
use lyceum::http::auth_server::{Accounts, AuthenticationOutcome, Authenticator};
use lyceum::http::guard::CachedKeys;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ClientLookup, ClientRegistry, ClientUpdate};
use lyceum::{AuthServer, DataApi, Guard};
use serde_json::Value;
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::custom_pages::OfTheSchool;
use crate::first_steps::{Handed, first_steps};
use crate::interface::with_interface;
use crate::introspection::Introspection;
use crate::users::{Directory, People};
use crate::{EMBEDDING, blocks};

const EMAIL: &str = "kim@school.example";
const PASSWORD: &str = "correct horse battery staple";

#[test]
fn the_examples_that_are_tested_here_are_those_of_the_page() {
    let shown = blocks(EMBEDDING, "rust");
    for example in [
        include_str!("first_steps.rs"),
        include_str!("interface.rs"),
        include_str!("introspection.rs"),
        include_str!("custom_pages.rs"),
        include_str!("sensitive.rs"),
        include_str!("users.rs"),
    ] {
        assert!(
            shown.contains(&example),
            "the page does not have\n{example}"
        );
    }
}

#[tokio::test]
async fn the_first_steps_lead_from_an_empty_store_to_services_that_work() {
    let store = Arc::new(MemoryStore::new());
    let Handed {
        console,
        portal,
        api_key,
    } = first_steps(store.clone(), EMAIL, PASSWORD).await.unwrap();

    let api = DataApi::builder(
        lyceum::directory::Directory::open(store.clone())
            .await
            .unwrap(),
        store.clone(),
    )
    .build()
    .unwrap();
    let request = Request::get("/v1/students")
        .header("X-API-KEY", api_key.expose())
        .body(Body::empty())
        .unwrap();
    assert_eq!(api.oneshot(request).await.unwrap().status(), 200);

    let accounts = Accounts::new(store.clone()).unwrap();
    let verdict = accounts
        .authenticate(EMAIL, &Password::new(PASSWORD).unwrap(), None)
        .await
        .unwrap();
    assert!(
        matches!(verdict, AuthenticationOutcome::SignedIn(subject) if subject.role.to_string() == "ADMIN")
    );

    let auth = server(store.clone(), "https://school.example").await;
    for ((client, _), home) in [(console, "console"), (portal, "clubs")] {
        let path = format!(
            "/v1/oauth/authorize?response_type=code&client_id={client}&redirect_uri=https%3A%2F%2F{home}.school.example%2Fcallback\
             &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
        );
        let answer = auth
            .clone()
            .oneshot(Request::get(path).body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), 303);
        assert_eq!(answer.headers()["location"], "/v1/oauth/login");
    }
    assert!(
        first_steps(store, EMAIL, PASSWORD).await.is_err(),
        "an address can have one account"
    );
}

/// A directory with one user, or an unavailable one.
#[derive(Debug)]
struct OnePerson {
    is_away: bool,
}

#[async_trait]
impl Directory for OnePerson {
    async fn check(&self, email: &str, password: &str) -> Result<Option<String>, std::io::Error> {
        if self.is_away {
            return Err(std::io::Error::other("no route to the directory"));
        }
        Ok((email == EMAIL && password == PASSWORD).then(|| "20417".to_owned()))
    }

    async fn person(&self, number: &str) -> Result<Option<(String, String)>, std::io::Error> {
        Ok((number == "20417").then(|| (EMAIL.to_owned(), "it".to_owned())))
    }
}

// Proves: spec 1.4
#[tokio::test]
async fn users_of_an_external_directory_sign_in() {
    let here = People(OnePerson { is_away: false });
    let signs_in = async |people: &People<OnePerson>, password: &str| {
        people
            .authenticate(EMAIL, &Password::new(password).unwrap(), None)
            .await
    };
    let verdict = signs_in(&here, PASSWORD).await.unwrap();
    assert!(
        matches!(verdict, AuthenticationOutcome::SignedIn(person) if person.role == Role::Admin && person.id.as_str() == "20417")
    );
    assert_eq!(
        signs_in(&here, "wrong").await.unwrap(),
        AuthenticationOutcome::InvalidCredentials
    );
    assert!(
        signs_in(&People(OnePerson { is_away: true }), PASSWORD)
            .await
            .unwrap_err()
            .is_unavailable()
    );
}

#[tokio::test]
async fn the_web_interface_and_the_service_that_it_manages_stand_in_one_router() {
    let app = with_interface(Arc::new(MemoryStore::new()), lyceum::testing::master_key(1))
        .await
        .unwrap();
    for (path, status) in [
        ("/console", 303),
        ("/console/sign-in", 200),
        ("/auth/v1/oauth/jwk-set", 200),
    ] {
        let answer = app
            .clone()
            .oneshot(Request::get(path).body(axum::body::Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), status, "{path}");
    }
}

#[tokio::test]
async fn the_schools_own_consent_page_asks_and_allows() {
    let store = Arc::new(MemoryStore::new());
    let (client, _) = first_steps(store.clone(), EMAIL, PASSWORD)
        .await
        .unwrap()
        .portal;
    let accounts = Arc::new(
        Accounts::builder(store.clone())
            .hashing_cost(8, 1)
            .former_hashing_cost(19 * 1024, 2)
            .build()
            .unwrap(),
    );
    let auth = AuthServer::builder(
        store,
        "https://school.example",
        lyceum::testing::master_key(1),
    )
    .authenticator(accounts);
    let auth = auth
        .signing_algorithm(SigningAlgorithm::Es256)
        .pages(Arc::new(OfTheSchool))
        .build()
        .await
        .unwrap();
    let ask = async |request: Request<Body>| {
        let (parts, body) = auth.clone().oneshot(request).await.unwrap().into_parts();
        (parts, String::from_utf8(body.as_bytes().to_vec()).unwrap())
    };
    let value = |page: &str| {
        page.split("name=\"form_token\" value=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    let cookie = |parts: &http::response::Parts| {
        parts.headers["set-cookie"]
            .to_str()
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .to_owned()
    };
    let path = format!(
        "/v1/oauth/authorize?response_type=code&client_id={client}&redirect_uri=https%3A%2F%2Fclubs.school.example%2Fcallback\
         &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    );
    let (opened, _) = ask(Request::get(path).body(Body::empty()).unwrap()).await;
    let mut session = cookie(&opened);
    let form = |path: &str, session: &str, body: String| {
        let request = Request::post(path)
            .header("cookie", session)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        request.body(Body::from(body)).unwrap()
    };
    let (_, login) = ask(Request::get("/v1/oauth/login")
        .header("cookie", &session)
        .body(Body::empty())
        .unwrap())
    .await;
    let fields = format!(
        "form_token={}&email=kim%40school.example&password={}",
        value(&login),
        PASSWORD.replace(' ', "+")
    );
    let (signed_in, _) = ask(form("/v1/oauth/login", &session, fields)).await;
    session = cookie(&signed_in);
    let (shown, consent) = ask(Request::get("/v1/oauth/consent")
        .header("cookie", &session)
        .body(Body::empty())
        .unwrap())
    .await;
    assert!(
        consent.contains("<h1>Club portal</h1>")
            && consent.contains("<li>See which clubs you belong to"),
        "{consent}"
    );
    assert!(
        shown.headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("frame-ancestors 'none'")
    );
    let (allowed, _) = ask(form(
        "/v1/oauth/consent",
        &session,
        format!("form_token={}&decision=allow", value(&consent)),
    ))
    .await;
    assert!(
        allowed.headers["location"]
            .to_str()
            .unwrap()
            .starts_with("https://clubs.school.example/callback?code="),
        "{allowed:?}"
    );
}

#[tokio::test]
async fn introspection_ends_a_token_early_and_fails_closed() {
    let store = Arc::new(MemoryStore::new());
    let (client, secret) = first_steps(store.clone(), EMAIL, PASSWORD)
        .await
        .unwrap()
        .portal;
    can_use_client_credentials(&store, client, true).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let auth = server(store.clone(), &issuer).await;
    tokio::spawn(lyceum::http::serve(
        listener,
        auth.clone(),
        std::future::pending(),
    ));

    let basic = |secret: &str| {
        format!(
            "Basic {}",
            Base64::encode_string(format!("{client}:{secret}").as_bytes())
        )
    };
    let request = Request::post("/v1/oauth/token").header(AUTHORIZATION, basic(secret.expose()));
    let request = request
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("grant_type=client_credentials"));
    let tokens = json(auth.clone(), request.unwrap()).await;
    let application = tokens["scope"]
        .as_str()
        .unwrap()
        .split(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();

    let keys = CachedKeys::new(move || {
        let auth = auth.clone();
        async move {
            let request = Request::get("/v1/oauth/jwk-set")
                .body(Body::empty())
                .unwrap();
            Ok(auth
                .oneshot(request)
                .await
                .unwrap()
                .into_body()
                .collect()
                .await
                .unwrap()
                .to_bytes())
        }
    });
    let keys = Arc::new(keys);
    let status = async |secret: &str| {
        let introspection = Introspection {
            address: format!("{issuer}/v1/oauth/introspect").parse().unwrap(),
            credentials: HeaderValue::try_from(basic(secret)).unwrap(),
            client: Client::builder(TokioExecutor::new()).build_http(),
        };
        let guard = Guard::builder(&issuer, application, keys.clone())
            .revocation_check(Arc::new(introspection))
            .build()
            .unwrap();
        let app = Router::new()
            .route("/", get(async || "inside"))
            .layer(guard);
        let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
        app.oneshot(
            Request::get("/")
                .header(AUTHORIZATION, bearer)
                .body(Body::empty())
                .unwrap(),
        )
        .await
        .unwrap()
        .status()
    };
    assert_eq!(status(secret.expose()).await, StatusCode::OK);
    assert_eq!(status("another").await, StatusCode::SERVICE_UNAVAILABLE);
    can_use_client_credentials(&store, client, false).await;
    assert_eq!(status(secret.expose()).await, StatusCode::UNAUTHORIZED);
}

async fn server(store: Arc<MemoryStore>, issuer: &str) -> AuthServer {
    let builder = AuthServer::builder(store, issuer, lyceum::testing::master_key(1));
    builder
        .signing_algorithm(SigningAlgorithm::Es256)
        .build()
        .await
        .unwrap()
}

async fn can_use_client_credentials(store: &MemoryStore, id: ClientId, may: bool) {
    let seen = store.client(id).await.unwrap().unwrap().settings();
    let mut new = seen.clone();
    new.client_credentials_allowed = may;
    assert_eq!(
        store.update_client(id, &seen, new).await.unwrap(),
        ClientUpdate::Updated
    );
}

async fn json(auth: AuthServer, request: Request<Body>) -> Value {
    let answer = auth.oneshot(request).await.unwrap();
    serde_json::from_slice(&answer.into_body().collect().await.unwrap().to_bytes()).unwrap()
}
