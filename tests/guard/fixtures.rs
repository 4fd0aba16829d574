//! A signing key, tokens that it signs, and requests to a guard.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::BodyExt;
use lyceum::Guard;
use lyceum::crypto::{
    MasterKey, Signer, SystemEntropy, TokenVerifier, generate_signing_key, jwk_set,
    open_signing_key,
};
use lyceum::domain::{SigningAlgorithm, Timestamp};
use lyceum::http::Body;
use lyceum::http::guard::{Caller, FixedKeys, GuardBuilder, KeySource};
use lyceum::testing::ManualClock;
use serde_json::{Value, json};
use tower::{Layer, ServiceExt, service_fn};

pub const ISSUER: &str = "https://school.example/auth";
pub const APPLICATION: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
pub const READ: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2:read";
pub const CLIENT: &str = "01010101-0101-4101-8101-010101010101";
pub const GRANT: &str = "02020202-0202-4202-8202-020202020202";
pub const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

pub fn signer(algorithm: SigningAlgorithm) -> Arc<dyn Signer> {
    let master_key = MasterKey::from_bytes([1; 32]);
    open_signing_key(
        &generate_signing_key(algorithm, 1, NOW, &SystemEntropy, &master_key).unwrap(),
        &master_key,
    )
    .unwrap()
}

pub fn es256() -> Arc<dyn Signer> {
    signer(SigningAlgorithm::Es256)
}

pub fn keys_of(signers: &[&dyn Signer]) -> Arc<dyn KeySource> {
    Arc::new(FixedKeys::new(TokenVerifier::new(&jwk_set(
        signers.iter().copied(),
    ))))
}

pub fn builder(keys: Arc<dyn KeySource>) -> GuardBuilder {
    Guard::builder(ISSUER, APPLICATION.parse().unwrap(), keys)
        .clock(Arc::new(ManualClock::new(NOW)))
}

pub fn guard(signer: &dyn Signer) -> Guard {
    builder(keys_of(&[signer])).build().unwrap()
}

pub fn claims() -> Value {
    json!({
        "iss": ISSUER, "sub": "kim@school.example", "aud": ["service", APPLICATION], "client_id": CLIENT, "role": "USER",
        "scope": format!("service:self_read {READ}"), "iat": NOW.seconds() - 60, "exp": NOW.seconds() + 3540, "jti": format!("{GRANT}.0a"),
    })
}

/// The claims with one of them replaced; null removes it.
pub fn claims_with(name: &str, value: Value) -> Value {
    with(claims(), name, value)
}

pub fn header(signer: &dyn Signer) -> Value {
    json!({ "typ": "at+jwt", "alg": signer.algorithm().as_str(), "kid": signer.key_id().as_str() })
}

pub fn with(mut object: Value, name: &str, value: Value) -> Value {
    if value.is_null() {
        object.as_object_mut().unwrap().remove(name);
    } else {
        object[name] = value;
    }
    object
}

pub fn token(signer: &dyn Signer) -> String {
    signed(signer, &header(signer), &claims())
}

pub fn signed(signer: &dyn Signer, header: &Value, claims: &Value) -> String {
    signed_text(signer, &header.to_string(), &claims.to_string())
}

pub fn signed_text(signer: &dyn Signer, header: &str, claims: &str) -> String {
    let message = format!(
        "{}.{}",
        encoded(header.as_bytes()),
        encoded(claims.as_bytes())
    );
    let signature = signer.sign(message.as_bytes()).unwrap();
    format!("{message}.{}", encoded(&signature))
}

pub fn encoded(bytes: &[u8]) -> String {
    Base64UrlUnpadded::encode_string(bytes)
}

#[derive(Debug)]
pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
    /// The caller, if the guarded service was reached.
    pub caller: Option<Caller>,
    pub has_cause: bool,
}

impl TestResponse {
    pub fn header(&self, name: &str) -> &str {
        assert!(
            self.headers.get_all(name).iter().count() <= 1,
            "{name} was sent twice"
        );
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The status and the error code.
    pub fn verdict(&self) -> (u16, String) {
        let word = serde_json::from_str::<Value>(&self.body)
            .ok()
            .and_then(|body| body["error"].as_str().map(str::to_owned));
        assert_eq!(
            word.is_none(),
            self.caller.is_some(),
            "a refused request reached the service: {self:?}"
        );
        assert_eq!(
            self.header("x-request-id").len(),
            10 * usize::from(word.is_some()),
            "{self:?}"
        );
        (self.status.as_u16(), word.unwrap_or_default())
    }
}

pub fn invalid_token() -> (u16, String) {
    (401, "invalid_token".to_owned())
}

pub async fn present(guard: &Guard, token: &str) -> TestResponse {
    ask(
        guard,
        Request::get("/").header(AUTHORIZATION, format!("Bearer {token}")),
    )
    .await
}

pub async fn ask(guard: &Guard, request: http::request::Builder) -> TestResponse {
    let reached = Arc::new(Mutex::new(None));
    let service = {
        let reached = Arc::clone(&reached);
        service_fn(move |request: Request<String>| {
            *reached.lock().unwrap() = request.extensions().get::<Caller>().cloned();
            async { Ok::<_, Infallible>(Response::new(Body::from("reached"))) }
        })
    };
    let response = guard
        .layer(service)
        .oneshot(request.body(String::new()).unwrap())
        .await
        .unwrap();
    let (head, body) = response.into_parts();
    let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
    let has_cause = head
        .extensions
        .get::<lyceum::http::FailureCause>()
        .is_some();
    TestResponse {
        status: head.status,
        headers: head.headers,
        body,
        caller: reached.lock().unwrap().take(),
        has_cause,
    }
}
