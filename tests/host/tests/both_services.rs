//! A host with both services and no other feature of the crate, whose `jsonwebtoken` has both
//! backends and no chosen one.

use std::sync::Arc;

use http::Request;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use lyceum::crypto::{
    ACCESS_TOKEN_TYPE, MasterKey, SystemEntropy, TokenVerifier, generate_signing_key, jwk_set,
    open_signing_key, sign_token,
};
use lyceum::directory::Directory;
use lyceum::domain::{SigningAlgorithm, Timestamp};
use lyceum::store::memory::MemoryStore;
use lyceum::{AuthServer, DataApi};
use serde_json::{Value, json};
use tower::ServiceExt;

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

#[tokio::test]
async fn both_services_run_and_sign_without_a_chosen_backend() {
    let store = Arc::new(MemoryStore::new());
    let auth = AuthServer::builder(
        store.clone(),
        "https://school.example",
        MasterKey::generate(&SystemEntropy),
    )
    .build()
    .await
    .unwrap();
    let answer = auth
        .oneshot(
            Request::get("/v1/oauth/jwk-set")
                .body(String::new())
                .unwrap(),
        )
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    let api = DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .build()
        .unwrap();
    let answer = api
        .oneshot(Request::get("/v1/health").body(()).unwrap())
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
}

#[test]
fn a_token_is_signed_and_verified_and_the_choice_stays_with_the_host() {
    let master_key = MasterKey::from_bytes([1; 32]);
    let key = open_signing_key(
        &generate_signing_key(SigningAlgorithm::Rs256, 1, NOW, &SystemEntropy, &master_key)
            .unwrap(),
        &master_key,
    )
    .unwrap();
    let claims = json!({ "sub": "someone", "iat": NOW.seconds(), "exp": 32_503_680_000_i64 });
    let token = sign_token(&*key, ACCESS_TOKEN_TYPE, &claims).unwrap();
    let verified: Value = TokenVerifier::new(&jwk_set([&*key]))
        .verify(&token, NOW)
        .unwrap();
    assert_eq!(verified, claims);

    // Nothing was installed for the whole process, so the host can still choose; its own library
    // then accepts the token.
    jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER
        .install_default()
        .expect("nobody chose before the host did");
    let decoding_key = DecodingKey::from_jwk(key.public_jwk()).unwrap();
    let decoded =
        jsonwebtoken::decode::<Value>(&token, &decoding_key, &Validation::new(Algorithm::RS256))
            .unwrap();
    assert_eq!(decoded.claims, claims);
}
