//! threats 26: searches the log, the events and the headers' `Debug` output of a whole run for
//! every secret that was sent or issued in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use http::header::AUTHORIZATION;
use http::{Method, Request, StatusCode};
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::store::{ApiKeyStore, Storage};
use lyceum::testing::{MemoryAuditLog, SeededEntropy};
use sha2::{Digest, Sha256};

use super::capture;
use crate::harness::{Browser, encoded};
use crate::postgres_server::needs_postgres;
use crate::stores::{new_schema, open_schema};
use crate::token::harness::{
    self as tokens, CALLBACK, CHALLENGE, Fields, Harness, MINUTE, PASSWORD, VERIFIER, basic,
    refresh_fields,
};

const STATE: &str = "state-that-only-this-client-knows";
const WRONG_PASSWORD: &str = "a password that is wrong and long";

/// Number of consecutive characters of a secret that count as a leak.
const PIECE: usize = 16;

/// Secrets in every encoding in which they could leak.
#[derive(Default)]
struct Secrets(Vec<(&'static str, String)>);

impl Secrets {
    fn add(&mut self, what: &'static str, secret: &str) {
        let digest = Sha256::digest(secret.as_bytes());
        let hexadecimal: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let escaped: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let spellings = [
            secret.to_owned(),
            escaped,
            Base64::encode_string(secret.as_bytes()),
            Base64UrlUnpadded::encode_string(&digest),
            Base64::encode_string(&digest),
            hexadecimal,
            format!("{:?}", &digest[..]),
        ];
        self.0.extend(spellings.map(|spelling| (what, spelling)));
    }

    /// The names of secrets of which a piece is in the text.
    fn leaked_in(&self, text: &str) -> Vec<&'static str> {
        let pieces: std::collections::HashSet<&[u8]> = text.as_bytes().windows(PIECE).collect();
        let is_there = |secret: &str| match secret.len() {
            short if short < PIECE => text.contains(secret),
            _ => secret
                .as_bytes()
                .windows(PIECE)
                .any(|piece| pieces.contains(piece)),
        };
        self.0
            .iter()
            .filter(|(_, secret)| is_there(secret))
            .map(|(what, _)| *what)
            .collect()
    }
}

// Proves: threats 26
/// Fails if `tracing::debug!` emits the code after the approval. Each run also searches for a
/// planted leak.
#[tokio::test]
async fn neither_the_log_nor_the_events_of_a_whole_run_hold_a_secret() {
    a_whole_run(Arc::new(MemoryStore::new())).await;
}

// Proves: threats 26
#[tokio::test]
async fn neither_the_log_nor_the_events_of_a_whole_run_on_sqlite_hold_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    a_whole_run(Arc::new(
        SqlStore::sqlite(folder.path().join("school.db")).unwrap(),
    ))
    .await;
}

// Proves: threats 26
/// Fails if the `Debug` output of a parameter shows its value: the driver logs each statement with
/// its parameters.
#[tokio::test]
async fn neither_the_log_nor_the_events_of_a_whole_run_on_postgres_hold_a_secret() {
    needs_postgres!();
    a_whole_run(Arc::new(open_schema(&new_schema()).await)).await;
    assert!(
        capture::records()
            .iter()
            .any(|line| line.target.starts_with("tokio_postgres")),
        "no record of the driver was captured"
    );
}

async fn a_whole_run(store: Arc<dyn Storage>) {
    capture::install();
    let (log, mut secrets) = (MemoryAuditLog::default(), Secrets::default());
    // The events are stored and forwarded to `tracing`, its default.
    let keys: Arc<dyn ApiKeyStore> = store.clone();
    // A key's value looks like an id, so its random bytes must differ from those of ids in
    // concurrent tests.
    static RUNS: AtomicU64 = AtomicU64::new(26);
    let entropy = Arc::new(SeededEntropy::new(RUNS.fetch_add(1, Ordering::Relaxed)));
    let harness = Harness::with_store(store, |builder| {
        builder
            .audit(Arc::new(Both(log.clone())))
            .api_keys(keys)
            .entropy(entropy)
    })
    .await;
    let client = harness
        .client_with(ClientPolicy::SecretOrPkce, |client| {
            client.client_credentials_allowed = true
        })
        .await;
    for (what, secret) in [
        ("password", PASSWORD),
        ("wrong password", WRONG_PASSWORD),
        ("state", STATE),
        ("verifier", VERIFIER),
    ] {
        secrets.add(what, secret);
    }
    secrets.add("challenge", CHALLENGE);
    secrets.add(
        "master key",
        &Base64::encode_string(
            &(&SeededEntropy::new(3) as &dyn lyceum::crypto::Entropy).bytes::<32>(),
        ),
    );
    client
        .secrets
        .iter()
        .for_each(|secret| secrets.add("client secret", secret));
    secrets.add(
        "basic credentials",
        &basic(&client.id, &client.secrets[0])["Basic ".len()..],
    );

    let code = a_sign_in(&harness, &client, &mut secrets).await;
    let tokens = what_a_client_does(&harness, &client, &code, &mut secrets).await;
    a_key_is_issued_and_renewed(&harness, &client, &mut secrets).await;
    what_goes_wrong(&harness, &client, &code, &tokens).await;

    let events: String = log
        .events()
        .iter()
        .map(|event| format!("{event:?}\n{}\n", event.to_json()))
        .collect();
    assert!(
        log.events().len() > 20 && events.contains("reuse_detected"),
        "{events}"
    );
    assert_eq!(secrets.leaked_in(&events), [""; 0], "in the events");
    let told = capture::text_without("planted");
    assert!(told.contains("lyceum::auth") && told.contains("lyceum::audit"));
    assert_eq!(secrets.leaked_in(&told), [""; 0], "in the log");

    // The search finds planted secrets, whole or in part and in any encoding.
    tracing::trace!(target: "planted", code = &code[3..30], "a leak");
    let planted = capture::records()
        .into_iter()
        .rfind(|line| line.target == "planted")
        .unwrap();
    assert!(secrets.leaked_in(&format!("{planted:?}")).contains(&"code"));
    for leak in [
        STATE.to_owned(),
        encoded(&[("a", WRONG_PASSWORD.to_owned())]),
        Base64::encode_string(tokens.access.as_bytes()),
    ] {
        assert!(!secrets.leaked_in(&leak).is_empty(), "{leak}");
    }
}

/// Issues, renews and deletes a key of the data API.
async fn a_key_is_issued_and_renewed(
    harness: &Harness,
    client: &tokens::TestClient,
    secrets: &mut Secrets,
) {
    let bearer = format!(
        "Bearer {}",
        harness.tokens_for(client, "service:manage").await.access
    );
    let ask = async |method: Method, path: &str, body: &str| {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(AUTHORIZATION, &bearer)
            .header("content-type", "application/json");
        let answer = harness
            .send(request.body(Body::from(body.to_owned())).unwrap())
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.json()["data"].clone()
    };
    let made = ask(
        Method::POST,
        "/v1/api-keys",
        r#"{"description":"Lunch display","scopes":["NEIS_READ"]}"#,
    )
    .await;
    let path = format!("/v1/api-keys/{}", made["id"].as_str().unwrap());
    let renewed = ask(Method::POST, &format!("{path}/renew"), "{}").await;
    ask(Method::DELETE, &path, "{}").await;
    for key in [made, renewed] {
        secrets.add("API key", key["key"].as_str().unwrap());
    }
}

/// A sign-in with a wrong and then the right password, up to the code.
async fn a_sign_in(
    harness: &Harness,
    client: &tokens::TestClient,
    secrets: &mut Secrets,
) -> String {
    let mut browser = Browser {
        server: harness.server.clone(),
        cookies: Vec::new(),
        address: Some("192.0.2.7".parse().unwrap()),
    };
    let parameters = [
        ("response_type", "code".to_owned()),
        ("client_id", client.id.clone()),
        ("redirect_uri", CALLBACK.to_owned()),
        ("state", STATE.to_owned()),
        ("code_challenge", CHALLENGE.to_owned()),
        ("code_challenge_method", "S256".to_owned()),
    ];
    browser
        .get(&format!("/v1/oauth/authorize?{}", encoded(&parameters)))
        .await;
    let email = harness.users.get().email;
    for password in [WRONG_PASSWORD, PASSWORD] {
        secrets.add("session", browser.session().unwrap());
        secrets.add("form token", &browser.form_token("/v1/oauth/login").await);
        browser.sign_in(email.as_str(), password).await;
    }
    let session = browser.session().unwrap().to_owned();
    secrets.add("session", &session);
    secrets.add("form token", &browser.form_token("/v1/oauth/consent").await);
    browser.get(&format!("/v1/oauth/sessions/{session}")).await;
    browser
        .get(&format!("/v1/oauth/nowhere/{session}?token={session}"))
        .await;
    browser
        .post(
            "/v1/oauth/consent",
            &[("form_token", "wrong"), ("decision", "allow")],
        )
        .await;
    let allowed = browser.decide("allow").await;
    assert_eq!(allowed.status, StatusCode::SEE_OTHER, "{allowed:?}");
    let code = allowed.sent_back("code").unwrap();
    secrets.add("code", &code);
    // Headers logged by `Debug` contain no secret either.
    assert_eq!(
        secrets.leaked_in(&format!("{:?}", allowed.headers)),
        [""; 0],
        "in the headers"
    );
    code
}

/// Successful requests to every endpoint for clients.
async fn what_a_client_does(
    harness: &Harness,
    client: &tokens::TestClient,
    code: &str,
    secrets: &mut Secrets,
) -> tokens::Tokens {
    let exchange = exchange_fields(client, code);
    let first = harness.post(&exchange).await.tokens();
    let second = harness.refresh(client, &first.refresh).await.tokens();
    for tokens in [&first, &second] {
        // The claims and header of a token are not secret; its signature is.
        secrets.add(
            "signature of an access token",
            tokens.access.rsplit('.').next().unwrap(),
        );
        secrets.add("access token", &tokens.access);
        secrets.add("refresh token", &tokens.refresh);
    }
    assert_eq!(
        harness.introspect(client, &second.access).await["active"],
        true
    );
    assert_eq!(
        harness.introspect(client, &second.refresh).await["active"],
        true
    );
    assert_eq!(harness.user_info(&second.access).await.status, 200);
    let application = harness.application("7").await;
    let program = harness
        .client_with(ClientPolicy::Secret, |client| {
            client.client_credentials_allowed = true;
            client.allowed_scopes =
                lyceum::domain::ScopeSet::parse(&format!("{application}:read")).unwrap();
        })
        .await;
    program
        .secrets
        .iter()
        .for_each(|secret| secrets.add("client secret", secret));
    let fields = Fields::new(&[("grant_type", "client_credentials")])
        .with_header(&basic(&program.id, &program.secrets[0]));
    let own = harness.send(fields).await;
    assert_eq!(own.status, 200, "{own:?}");
    secrets.add("access token", own.json()["access_token"].as_str().unwrap());
    second
}

/// Requests with wrong, expired, repeated or misplaced secrets.
async fn what_goes_wrong(
    harness: &Harness,
    client: &tokens::TestClient,
    code: &str,
    tokens: &tokens::Tokens,
) {
    let exchange = exchange_fields(client, code);
    for fields in [
        exchange.with("code_verifier", &VERIFIER.replace('d', "e")),
        exchange.with("redirect_uri", "https://evil.example/"),
        exchange.with("client_secret", "wrong"),
        exchange
            .with("client_secret", &client.secrets[1])
            .with("client_id", "nobody"),
        exchange.with("grant_type", &client.secrets[0]),
        exchange.with("scope", &tokens.refresh),
    ] {
        harness.post(&fields).await;
    }
    harness
        .send(
            exchange
                .with("client_secret", &client.secrets[0])
                .with_header(&basic(&client.id, &client.secrets[0])),
        )
        .await;
    harness.users.set_reachable(false);
    assert_eq!(harness.refresh(client, &tokens.refresh).await.status, 503);
    harness.users.set_reachable(true);
    for token in [&tokens.access, &tokens.refresh] {
        harness
            .get(&format!("/userinfo?access_token={token}"))
            .await;
        harness.get(&format!("/{token}")).await;
    }
    let strange = Request::builder()
        .method(Method::from_bytes(code.as_bytes()).unwrap())
        .uri("/v1/oauth/token");
    harness
        .send(
            strange
                .header(AUTHORIZATION, format!("Bearer {}", tokens.access))
                .body(Body::empty())
                .unwrap(),
        )
        .await;
    assert_eq!(
        harness.post(&exchange).await.error().1,
        "invalid_grant",
        "a replay"
    );
    harness.clock.advance(MINUTE);
    let other = harness.tokens(client).await;
    let next = harness.refresh(client, &other.refresh).await.tokens();
    harness.clock.advance(MINUTE);
    assert_eq!(
        harness.refresh(client, &other.refresh).await.error().1,
        "invalid_grant",
        "a reuse"
    );
    let revoke = refresh_fields(client, "")
        .with("token", &next.refresh)
        .with("client_secret", &client.secrets[0]);
    harness.send(revoke.to_request("/v1/oauth/revoke")).await;
    let key = harness.get("/v1/oauth/jwk-set").await.json()["keys"][0]["kid"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let _ = harness.server.revoke_signing_key(&key).await.unwrap();
}

fn exchange_fields(client: &tokens::TestClient, code: &str) -> Fields {
    Fields::new(&[
        ("grant_type", "authorization_code"),
        ("client_id", &client.id),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ])
}

#[derive(Debug)]
struct Both(MemoryAuditLog);

impl lyceum::http::audit::AuditLog for Both {
    fn record(&self, event: &lyceum::http::audit::Event) {
        self.0.record(event);
        lyceum::http::audit::TracingLog.record(event);
    }
}
