//! Responses to clients and users over a database that version 1 filled.

use std::sync::Arc;

use http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{HeaderMap, Request, Response, StatusCode};
use lyceum::crypto::{MasterKey, TokenVerifier};
use lyceum::directory::Directory;
use lyceum::domain::SigningAlgorithm;
use lyceum::http::Body;
use lyceum::http::ConfigError;
use lyceum::http::auth_server::Accounts;
use lyceum::store::Storage;
use lyceum::testing::ManualClock;
use lyceum::{AuthServer, DataApi};
use serde_json::{Value, json};
use tower::{Service, ServiceExt};

use crate::fixtures::*;

/// Paths, each with the body of version 1's data API response on the next line.
const ANSWERS: &str = include_str!("answers.txt");

pub async fn go_on(store: Arc<dyn Storage>) {
    the_data_api_answers_as_before(store.clone()).await;
    let server = server(store, MasterKey::from_bytes(MASTER_KEY))
        .await
        .unwrap();
    tokens_go_on(&server).await;
    for tokens in sign_ins(&server).await {
        is_signed_with_the_old_key(&server, &tokens).await;
    }
}

async fn the_data_api_answers_as_before(store: Arc<dyn Storage>) {
    let api = data_api(store).await;
    let request = |path: &str, key: &str| {
        Request::get(path)
            .header("X-API-KEY", key)
            .body(Body::empty())
            .unwrap()
    };
    let (paths, bodies): (Vec<_>, Vec<_>) =
        ANSWERS.lines().enumerate().partition(|(at, _)| at % 2 == 0);
    assert_eq!((paths.len(), bodies.len()), (7, 7));
    for ((_, path), (_, body)) in paths.into_iter().zip(bodies) {
        let answer = send(api.clone(), request(path, API_KEY)).await;
        assert_eq!(answer.body, body, "{path}");
    }
    assert_eq!(
        send(api, request("/v1/clubs", REVOKED_API_KEY))
            .await
            .status,
        StatusCode::UNAUTHORIZED
    );
}

async fn data_api(store: Arc<dyn Storage>) -> DataApi {
    DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .clock(Arc::new(ManualClock::new(NOW)))
        .build()
        .unwrap()
}

pub async fn server(
    store: Arc<dyn Storage>,
    master_key: MasterKey,
) -> Result<AuthServer, ConfigError> {
    let clock = Arc::new(ManualClock::new(NOW));
    let accounts = Accounts::builder(store.clone())
        .clock(clock.clone())
        .hashing_cost(8, 1)
        .build()
        .unwrap();
    let builder = AuthServer::builder(store, ISSUER, master_key)
        .clock(clock)
        .authenticator(Arc::new(accounts));
    builder
        .signing_algorithm(SigningAlgorithm::Es256)
        .build()
        .await
}

async fn tokens_go_on(server: &AuthServer) {
    // Inside the retry window both tokens are accepted: the previous token returns the current one,
    // and the current one returns its successor.
    let previous = tokens(server, refresh(PREVIOUS_REFRESH_TOKEN))
        .await
        .unwrap();
    assert_eq!(previous["refresh_token"], REFRESH_TOKEN);
    let next = tokens(server, refresh(REFRESH_TOKEN)).await.unwrap();
    is_signed_with_the_old_key(server, &next).await;
    assert_eq!(
        tokens(server, refresh(REVOKED_REFRESH_TOKEN))
            .await
            .unwrap_err(),
        "invalid_grant"
    );
    let code = exchange(CODE);
    is_signed_with_the_old_key(server, &tokens(server, code.clone()).await.unwrap()).await;
    assert_eq!(
        tokens(server, code).await.unwrap_err(),
        "invalid_grant",
        "a code works once"
    );
}

/// Signs one user in and consents for two, and returns the tokens of the two.
pub async fn sign_ins(server: &AuthServer) -> Vec<Value> {
    let mut issued = Vec::new();
    let page = with_session(
        server,
        Request::get("/v1/oauth/login"),
        SESSION_AT_LOGIN,
        String::new(),
    )
    .await;
    let form = format!(
        "form_token={}&email={EMAIL}&password={}",
        form_token(&page.body),
        PASSWORD.replace(' ', "+")
    );
    let answer = with_session(
        server,
        Request::post("/v1/oauth/login"),
        SESSION_AT_LOGIN,
        form,
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    let moved = answer.headers[SET_COOKIE]
        .to_str()
        .unwrap()
        .split(['=', ';'])
        .nth(1)
        .unwrap();
    for session in [moved, SESSION_AT_CONSENT] {
        let page = with_session(
            server,
            Request::get("/v1/oauth/consent"),
            session,
            String::new(),
        )
        .await;
        assert!(
            page.body.contains("Read &#60;your&#62; timetable") && page.body.contains(EMAIL),
            "{}",
            page.body
        );
        let form = format!("form_token={}&decision=allow", form_token(&page.body));
        let answer = with_session(server, Request::post("/v1/oauth/consent"), session, form).await;
        let location = answer.headers[LOCATION].to_str().unwrap();
        assert!(location.contains("state=xyz"), "{location}");
        let code = location
            .split_once("code=")
            .unwrap()
            .1
            .split('&')
            .next()
            .unwrap();
        issued.push(tokens(server, exchange(code)).await.unwrap());
    }
    issued
}

pub fn exchange(code: &str) -> Value {
    json!({"grant_type": "authorization_code", "code": code, "client_id": CLIENT, "redirect_uri": CALLBACK, "code_verifier": VERIFIER})
}

pub fn refresh(token: &str) -> Value {
    json!({"grant_type": "refresh_token", "refresh_token": token, "client_id": CLIENT, "client_secret": CLIENT_SECRET})
}

/// Returns the token response, or its error.
pub async fn tokens(server: &AuthServer, body: Value) -> Result<Value, String> {
    let request = Request::post("/v1/oauth/token").header(CONTENT_TYPE, "application/json");
    let answer = send(
        server.clone(),
        request.body(Body::from(body.to_string())).unwrap(),
    )
    .await;
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    if answer.status == StatusCode::OK {
        Ok(body)
    } else {
        Err(body["error"].as_str().unwrap().to_owned())
    }
}

/// Returns the status of the sign-in page with this session.
pub async fn session_status(server: &AuthServer, session: &str) -> StatusCode {
    let page = Request::get("/v1/oauth/login");
    with_session(server, page, session, String::new())
        .await
        .status
}

/// Returns the status of a list of the data API with this key.
pub async fn status_with_key(store: Arc<dyn Storage>, key: &str) -> StatusCode {
    let request = Request::get("/v1/clubs")
        .header("X-API-KEY", key)
        .body(Body::empty())
        .unwrap();
    send(data_api(store).await, request).await.status
}

/// Returns the published keys.
pub async fn keys(server: &AuthServer) -> Value {
    let answer = send(
        server.clone(),
        Request::get("/v1/oauth/jwk-set")
            .body(Body::empty())
            .unwrap(),
    )
    .await;
    serde_json::from_str(&answer.body).unwrap()
}

async fn is_signed_with_the_old_key(server: &AuthServer, tokens: &Value) {
    let keys = keys(server).await;
    assert_eq!(keys["keys"][0]["kid"], SIGNING_KEY);
    let verifier = TokenVerifier::new(&serde_json::from_value(keys).unwrap());
    let claims: Value = verifier
        .verify(tokens["access_token"].as_str().unwrap(), NOW)
        .unwrap();
    assert_eq!(
        (&claims["sub"], &claims["role"]),
        (&json!(EMAIL), &json!("USER"))
    );
    assert_eq!(claims["scopes"], json!([format!("{APPLICATION}:read")]));
}

struct TestResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

async fn with_session(
    server: &AuthServer,
    request: http::request::Builder,
    session: &str,
    form: String,
) -> TestResponse {
    let request = request
        .header(COOKIE, format!("__Host-lyceum-session={session}"))
        .header("accept", "text/html");
    let request = request
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form))
        .unwrap();
    send(server.clone(), request).await
}

async fn send<S>(service: S, request: Request<Body>) -> TestResponse
where
    S: Service<Request<Body>, Response = Response<Body>, Error = std::convert::Infallible>,
{
    let (head, body) = service.oneshot(request).await.unwrap().into_parts();
    TestResponse {
        status: head.status,
        headers: head.headers,
        body: String::from_utf8(body.as_bytes().to_vec()).unwrap(),
    }
}

fn form_token(page: &str) -> &str {
    let (_, rest) = page
        .split_once("name=\"form_token\" value=\"")
        .expect("the page has a form token");
    rest.split('"').next().unwrap()
}
