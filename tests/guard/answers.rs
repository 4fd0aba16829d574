//! Responses to the client: RFC 6750 §3.1, RFC 9728 §5.1.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::header::AUTHORIZATION;
use http::{Method, Request, Response};
use lyceum::domain::{ApplicationId, Role, Timestamp};
use lyceum::http::ConfigError;
use lyceum::http::guard::{BoxError, CachedKeys, Caller, Guard, RevocationCheck};
use lyceum::http::{Body, ProtectedResource};
use serde_json::{Value, json};
use tower::{Layer, ServiceExt, service_fn};

use crate::fixtures::{
    self, APPLICATION, CLIENT, GRANT, ISSUER, NOW, READ, ask, builder, claims_with, es256, guard,
    keys_of, present, token,
};
use crate::wire_doc;

#[tokio::test]
async fn a_valid_token_reaches_the_service_with_its_claims() {
    let signer = es256();
    let answer = present(&guard(&*signer), &token(&*signer)).await;
    assert_eq!((answer.status.as_u16(), &*answer.body), (200, "reached"));
    let caller = answer.caller.unwrap();
    assert_eq!(
        (&*caller.subject, caller.role),
        ("kim@school.example", Some(Role::User))
    );
    assert_eq!(
        (caller.client.to_string(), caller.grant.unwrap().to_string()),
        (CLIENT.to_owned(), GRANT.to_owned())
    );
    assert_eq!(
        (caller.issued_at, caller.expires_at),
        (
            Timestamp::from_seconds(NOW.seconds() - 60),
            NOW.plus(Duration::from_secs(3540))
        )
    );
    assert_eq!(caller.token_id, format!("{GRANT}.0a"));
    assert!(
        caller.allows(&READ.parse().unwrap())
            && !caller.allows(&format!("{APPLICATION}:write").parse().unwrap())
    );
}

// Proves: spec 3.16
#[tokio::test]
async fn a_client_that_calls_for_itself_has_no_role_and_no_grant() {
    let signer = es256();
    let own = fixtures::with(
        fixtures::with(claims_with("sub", CLIENT.into()), "role", Value::Null),
        "jti",
        "0a".into(),
    );
    let answer = present(
        &guard(&*signer),
        &fixtures::signed(&*signer, &fixtures::header(&*signer), &own),
    )
    .await;
    let caller = answer.caller.unwrap();
    assert_eq!(
        (&*caller.subject, caller.role, caller.grant),
        (CLIENT, None, None)
    );
}

#[tokio::test]
async fn a_request_without_a_token_gets_a_challenge_without_an_error() {
    let resource = ProtectedResource::new("https://school.example/timetable", ISSUER).unwrap();
    let guard = builder(keys_of(&[&*es256()]))
        .protected_resource(&resource)
        .build()
        .unwrap()
        .require(READ.parse().unwrap());
    for request in [
        Request::get("/"),
        Request::get("/").header(AUTHORIZATION, "Basic YTpi"),
    ] {
        let answer = ask(&guard, request).await;
        assert_eq!(answer.verdict(), (401, "unauthorized".to_owned()));
        assert_eq!(
            answer.header("www-authenticate"),
            format!(
                "Bearer realm=\"{APPLICATION}\", scope=\"{READ}\", \
                 resource_metadata=\"https://school.example/.well-known/oauth-protected-resource/timetable\""
            )
        );
        assert_eq!(
            (
                answer.header("cache-control"),
                answer.header("content-type")
            ),
            ("no-store", "application/json")
        );
        assert_eq!(
            answer.header("content-length"),
            answer.body.len().to_string()
        );
    }
}

#[tokio::test]
async fn a_token_that_does_not_hold_is_401_invalid_token() {
    let signer = es256();
    let guard = guard(&*signer);
    let expired = fixtures::signed(
        &*signer,
        &fixtures::header(&*signer),
        &claims_with("exp", NOW.seconds().into()),
    );
    let answer = present(&guard, &expired).await;
    assert_eq!(answer.verdict(), fixtures::invalid_token());
    let challenge = format!(
        "Bearer realm=\"{APPLICATION}\", error=\"invalid_token\", error_description=\"The access token has expired.\""
    );
    assert_eq!(answer.header("www-authenticate"), challenge);
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        body,
        json!({"error": "invalid_token", "error_description": "The access token has expired."})
    );
    let answer = present(&guard, "nonsense").await;
    assert!(
        answer
            .header("www-authenticate")
            .ends_with("error_description=\"The access token is not valid.\"")
    );
}

#[tokio::test]
async fn a_token_without_the_scope_is_403_and_the_scope_is_named() {
    let signer = es256();
    let write = format!("{APPLICATION}:write");
    let guard = guard(&*signer)
        .require(READ.parse().unwrap())
        .require(write.parse().unwrap());
    let answer = present(&guard, &token(&*signer)).await;
    assert_eq!(answer.verdict(), (403, "insufficient_scope".to_owned()));
    let challenge = answer.header("www-authenticate");
    assert!(
        challenge.contains("error=\"insufficient_scope\"")
            && challenge.contains(&format!("scope=\"{READ} {write}\"")),
        "{challenge}"
    );
}

#[tokio::test]
async fn a_handler_can_demand_a_scope_of_its_own() {
    let signer = es256();
    let service = service_fn(async |request: Request<String>| {
        let scope = format!(
            "{APPLICATION}:{}",
            request.uri().path().trim_start_matches('/')
        )
        .parse()
        .unwrap();
        let caller: &Caller = request.extensions().get().unwrap();
        Ok::<_, Infallible>(match caller.require(&scope) {
            Ok(()) => Response::new(Body::from("done")),
            Err(refused) => refused.into_response(),
        })
    });
    let guarded = guard(&*signer).layer(service);
    for (path, status) in [("/read", 200), ("/write", 403)] {
        let request =
            Request::get(path).header(AUTHORIZATION, format!("Bearer {}", token(&*signer)));
        let answer = guarded
            .clone()
            .oneshot(request.body(String::new()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), status);
        let challenge = answer
            .headers()
            .get("www-authenticate")
            .map_or("", |value| value.to_str().unwrap());
        assert_eq!(
            challenge.contains(&format!("scope=\"{APPLICATION}:write\"")),
            status == 403,
            "{challenge}"
        );
    }
}

#[tokio::test]
async fn two_tokens_or_one_in_the_query_are_400_invalid_request() {
    let signer = es256();
    let (guard, bearer) = (guard(&*signer), format!("Bearer {}", token(&*signer)));
    for request in [
        Request::get("/")
            .header(AUTHORIZATION, &bearer)
            .header(AUTHORIZATION, &bearer),
        Request::get(format!("/?access_token={}", token(&*signer))),
        Request::get("/?x=1&access%5Ftoken=a").header(AUTHORIZATION, &bearer),
        Request::get("/").header(AUTHORIZATION, format!("{bearer}, {bearer}")),
        Request::get("/").header(AUTHORIZATION, "Bearer "),
    ] {
        let answer = ask(&guard, request).await;
        assert_eq!(answer.verdict(), (400, "invalid_request".to_owned()));
        assert!(
            answer
                .header("www-authenticate")
                .contains("error=\"invalid_request\"")
        );
    }
}

#[tokio::test]
async fn a_refusal_of_head_has_no_body() {
    let answer = ask(
        &guard(&*es256()),
        Request::builder().method(Method::HEAD).uri("/"),
    )
    .await;
    assert_eq!((answer.status.as_u16(), &*answer.body), (401, ""));
}

#[tokio::test]
async fn without_keys_it_is_503_and_the_cause_stays_inside() {
    let signer = es256();
    let keys = CachedKeys::new(async || Err("the secret cause".into()));
    let answer = present(&builder(Arc::new(keys)).build().unwrap(), &token(&*signer)).await;
    assert_eq!(
        answer.verdict(),
        (503, "temporarily_unavailable".to_owned())
    );
    assert_eq!(answer.header("retry-after"), "5");
    assert!(
        answer.has_cause && !answer.body.contains("secret"),
        "{answer:?}"
    );
}

/// A revocation check with a fixed result.
#[derive(Debug)]
struct Says(Result<bool, &'static str>);

#[async_trait]
impl RevocationCheck for Says {
    async fn is_active(
        &self,
        token: &str,
        caller: &Caller,
        at: Timestamp,
    ) -> Result<bool, BoxError> {
        assert!(
            token.split('.').count() == 3 && caller.subject == "kim@school.example" && at == NOW
        );
        self.0.map_err(BoxError::from)
    }
}

// Proves: threats 2
/// Fails if the guard ignores the result of the revocation check.
#[tokio::test]
async fn the_revocation_check_decides_and_fails_closed() {
    let signer = es256();
    for (says, status) in [(Ok(true), 200), (Ok(false), 401), (Err("no answer"), 503)] {
        let guard = builder(keys_of(&[&*signer]))
            .revocation_check(Arc::new(Says(says)))
            .build()
            .unwrap();
        let answer = present(&guard, &token(&*signer)).await;
        assert_eq!(answer.verdict().0, status);
        assert_eq!(answer.has_cause, status == 503);
        assert!(!answer.body.contains("no answer"));
    }
}

#[tokio::test]
async fn an_issuer_that_no_token_can_name_is_refused() {
    let built = Guard::builder(
        "school.example",
        ApplicationId::Service,
        keys_of(&[&*es256()]),
    )
    .build();
    assert!(matches!(built, Err(ConfigError::Issuer(_))));
}

#[tokio::test]
async fn every_documented_answer_is_given_and_every_answer_is_documented() {
    let signer = es256();
    let (guard, good) = (guard(&*signer), token(&*signer));
    let keyless = builder(Arc::new(CachedKeys::new(async || Err("none".into()))))
        .build()
        .unwrap();
    let answers = [
        ask(&guard, Request::get("/?access_token=a")).await,
        ask(&guard, Request::get("/")).await,
        present(&guard, "nonsense").await,
        present(&guard.require("service:manage".parse().unwrap()), &good).await,
        present(&keyless, &good).await,
    ];
    assert_eq!(
        answers
            .iter()
            .map(fixtures::TestResponse::verdict)
            .collect::<BTreeSet<_>>(),
        wire_doc::refusals("Behind a guard", "error")
    );
}
