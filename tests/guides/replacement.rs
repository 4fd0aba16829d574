//! Tests `docs/replacing.md`, whose example is a file beside this one: clients of the replaced server
//! continue to work.

use std::sync::Arc;

use http::{Request, Response};
use lyceum::crypto::{MasterKey, SystemEntropy};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, ClientSecret, Password, Role, SigningAlgorithm,
    SubjectId, Timestamp,
};
use lyceum::http::Body;
use lyceum::http::auth_server::{
    AccountCreationOutcome, Accounts, AuthenticationOutcome, Authenticator,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{AccountStore, ApiKeyStore, Creation};
use lyceum::{AuthServer, DataApi};
use tower::ServiceExt;

use crate::replacing::{Former, FormerSecret, take_over};
use crate::{REPLACING, blocks};

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const IN_CLEAR: &str = "9f86d081884c7d659a2feaa0c55ad015";
const DIGESTED: &str = "3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b";
const ID: &str = "1c9e3b52-7a40-4d27-9a38-5c8e0f6b2d1";

#[test]
fn the_example_is_that_of_the_page() {
    assert_eq!(blocks(REPLACING, "rust"), [include_str!("replacing.rs")]);
}

/// A client of the former server, with the end of its id.
fn former(end: char, secret: FormerSecret<'_>) -> (String, Former<'_>) {
    let id = format!("{ID}{end}");
    let former = Former {
        id: "",
        name: "Club portal",
        redirect_uris: &["https://clubs.example/callback"],
        scopes: "service:self_read",
        secret,
    };
    (id, former)
}

/// Whether the client authenticates with this secret: introspection then responds, also about an
/// unknown token.
async fn lets_in(server: &AuthServer, client: &str, secret: &str) -> bool {
    let form = format!("client_id={client}&client_secret={secret}&token=x");
    let request = Request::post("/v1/oauth/introspect")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form));
    let status = server
        .clone()
        .oneshot(request.unwrap())
        .await
        .unwrap()
        .status()
        .as_u16();
    assert!(matches!(status, 200 | 401), "{status}");
    status == 200
}

#[tokio::test]
async fn clients_of_the_former_server_keep_their_ids_and_the_secrets_that_can_be_kept() {
    let store = Arc::new(MemoryStore::new());
    let server = AuthServer::builder(
        store.clone(),
        "https://school.example",
        MasterKey::generate(&SystemEntropy),
    );
    let server = server
        .signing_algorithm(SigningAlgorithm::Es256)
        .build()
        .await
        .unwrap();
    // The form in which the former server stored it.
    let digest = *ClientSecret::import(DIGESTED).unwrap().digest().as_bytes();
    for (end, secret, is_kept) in [
        ('0', FormerSecret::Clear(IN_CLEAR), Some(IN_CLEAR)),
        ('1', FormerSecret::Sha256(digest), Some(DIGESTED)),
        ('2', FormerSecret::Hashed, None),
    ] {
        let (id, client) = former(end, secret);
        let new = take_over(
            &*store,
            Former { id: &id, ..client },
            SubjectId::service(),
            NOW,
        )
        .await
        .unwrap();
        assert_eq!(new.is_none(), is_kept.is_some());
        let secret = is_kept.map_or_else(|| new.unwrap().expose().to_owned(), str::to_owned);
        assert!(lets_in(&server, &id, &secret).await, "{id}");
        for wrong in [
            "hunter2",
            "9f86d081884c7d659a2feaa0c55ad016",
            &secret.to_uppercase(),
        ] {
            assert!(!lets_in(&server, &id, wrong).await, "{id}: {wrong}");
        }
    }
    let (id, client) = former('3', FormerSecret::Clear("made up by a person"));
    assert!(
        take_over(
            &*store,
            Former { id: &id, ..client },
            SubjectId::service(),
            NOW
        )
        .await
        .is_err()
    );
    for id in ["client-7", &id.to_uppercase()] {
        let (_, client) = former('4', FormerSecret::Clear(IN_CLEAR));
        assert!(
            take_over(&*store, Former { id, ..client }, SubjectId::service(), NOW)
                .await
                .is_err(),
            "{id}"
        );
    }
}

#[tokio::test]
async fn keys_of_the_former_server_work_and_additional_headers_of_its_clients_are_ignored() {
    let store = Arc::new(MemoryStore::new());
    let value = ApiKeySecret::parse(DIGESTED).unwrap();
    let key = ApiKey::new(
        ApiKeyId::from_random([1; 16]),
        &value,
        "Lunch".parse().unwrap(),
        ApiScopes::built_in(),
        NOW,
    );
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    let clock = Arc::new(lyceum::testing::ManualClock::new(NOW));
    let directory = lyceum::directory::Directory::open(store.clone())
        .await
        .unwrap();
    let strict = DataApi::builder(directory.clone(), store.clone())
        .clock(clock.clone())
        .build()
        .unwrap();
    let tolerant = DataApi::builder(directory, store)
        .clock(clock)
        .ignore_unknown_parameters()
        .allow_any_origin()
        .build()
        .unwrap();
    let ask = async |api: &DataApi, query: &str| -> Response<Body> {
        let request = Request::get(format!("/v1/students?{query}"))
            .header("x-api-key", DIGESTED)
            .header("origin", "https://app.example");
        api.clone()
            .oneshot(request.body(()).unwrap())
            .await
            .unwrap()
    };
    let answer = ask(&tolerant, "grade=1&timestamp=7").await;
    assert_eq!(
        (
            answer.status().as_u16(),
            &answer.headers()["access-control-allow-origin"]
        ),
        (200, &"*".parse().unwrap())
    );
    assert_eq!(ask(&strict, "grade=1").await.status(), 200);
    let refused = ask(&strict, "grade=1&timestamp=7").await;
    let body = String::from_utf8(refused.body().as_bytes().to_vec()).unwrap();
    assert!(
        refused.status() == 400 && body.contains("parameter_unknown"),
        "{body}"
    );
    assert!(
        !refused
            .headers()
            .contains_key("access-control-allow-origin")
    );
    assert_eq!(ask(&tolerant, "grade=1&grade=2").await.status(), 400);
}

#[tokio::test]
async fn a_person_whose_hash_is_argon2id_keeps_the_password() {
    let (before, after) = (Arc::new(MemoryStore::new()), Arc::new(MemoryStore::new()));
    let (email, password) = (
        "kim@school.example",
        Password::new("correct horse battery staple").unwrap(),
    );
    let former = Accounts::builder(before.clone())
        .hashing_cost(16, 3)
        .build()
        .unwrap();
    let AccountCreationOutcome::Created(id) = former
        .create(email.parse().unwrap(), &password, Role::User)
        .await
        .unwrap()
    else {
        panic!()
    };
    let account = before.account(id).await.unwrap().unwrap();
    assert!(account.password_hash.as_phc().starts_with("$argon2id$"));
    assert_eq!(
        after.create_account(account).await.unwrap(),
        Creation::Created
    );
    let accounts = Accounts::builder(after).hashing_cost(8, 1).build().unwrap();
    let verdict = accounts.authenticate(email, &password, None).await.unwrap();
    assert!(
        matches!(verdict, AuthenticationOutcome::SignedIn(_)),
        "{verdict:?}"
    );
}
