//! A process that signs and verifies without any service, and verifies through a `Guard`.

use std::convert::Infallible;
use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{
    KeyPair as _, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256,
};
use http::{Request, Response};
use lyceum::crypto::{
    Signer, TokenVerifier, generate_signing_key, jwk_set, open_signing_key, sign_token,
};
use lyceum::domain::{ApplicationId, ClientId, GrantId, SigningAlgorithm, Timestamp};
use lyceum::http::guard::{FixedKeys, Guard};
use lyceum::testing::{ManualClock, SeededEntropy};
use tower::{Layer, ServiceExt, service_fn};

use super::process;

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const ISSUER: &str = "http://127.0.0.1";

/// `bare`: handles `sign N`, `verify N` and `guard N`, and responds after N operations.
pub fn run() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let pair = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let token = token();
    let message = &token.as_bytes()[..token.rfind('.').unwrap()];
    let sign = || {
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(
            &RSA_PKCS1_SHA256,
            &SystemRandom::new(),
            message,
            &mut signature,
        )
        .unwrap();
        signature
    };
    let signature = sign();
    let public =
        ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public_key().as_ref()).unwrap();
    let guarded = guard().layer(service_fn(async |_: Request<()>| {
        Ok::<_, Infallible>(Response::new(()))
    }));
    let header = format!("Bearer {token}");
    println!("ready");
    process::answer(|command| {
        let [work, times] = command else {
            panic!("{command:?}")
        };
        for _ in 0..times.parse().unwrap() {
            match *work {
                "sign" => _ = std::hint::black_box(sign()),
                "verify" => public.verify_sig(message, &signature).unwrap(),
                "guard" => {
                    let request = Request::get("/")
                        .header("authorization", &header)
                        .body(())
                        .unwrap();
                    let answer = runtime.block_on(guarded.clone().oneshot(request)).unwrap();
                    assert_eq!(answer.status(), 200);
                }
                _ => panic!("{command:?}"),
            }
        }
        "done".to_owned()
    });
}

fn application() -> ApplicationId {
    ApplicationId::from_random([1; 16])
}

fn signer() -> Arc<dyn Signer> {
    let master_key = lyceum::testing::master_key(3);
    let record = generate_signing_key(
        SigningAlgorithm::Rs256,
        1,
        NOW,
        &SeededEntropy::new(1),
        &master_key,
    )
    .unwrap();
    open_signing_key(&record, &master_key).unwrap()
}

fn guard() -> Guard {
    let verifier = TokenVerifier::new(&jwk_set([&*signer()]));
    let keys = Arc::new(FixedKeys::new(verifier));
    Guard::builder(ISSUER, application(), keys)
        .clock(Arc::new(ManualClock::new(NOW)))
        .build()
        .unwrap()
}

/// An access token as the authorization service issues it.
fn token() -> String {
    let (signer, client) = (signer(), ClientId::from_random([2; 16]).to_string());
    let scope = format!("{}:read", application());
    let claims = serde_json::json!({
        "iss": ISSUER,
        "sub": "someone@school.example",
        "aud": [application().to_string()],
        "client_id": client,
        "clientId": client,
        "role": "USER",
        "scopes": [scope],
        "scope": scope,
        "iat": NOW.seconds(),
        "exp": NOW.seconds() + 3600,
        "jti": format!("{}.{:032x}", GrantId::from_random([4; 16]), 7),
        "kid": signer.key_id().as_str(),
    });
    sign_token(&*signer, "at+jwt", &claims).unwrap()
}
