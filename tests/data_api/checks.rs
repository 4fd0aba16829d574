//! Keys and scopes, and the order of the checks: spec 2.3 and 2.12.

use std::sync::Arc;

use http::{HeaderValue, Request};
use lyceum::domain::ApiScopes;
use lyceum::store::{ApiKeyStore, Creation};

use crate::client::{request, send};
use crate::school_fixtures::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, REVOKED_KEY, UNKNOWN_KEY};

const KEYED: [(&str, &str); 6] = [
    ("/v1/students", "STUDENT_READ"),
    ("/v1/clubs", "CLUB_READ"),
    ("/v1/projects", "PROJECT_READ"),
    ("/v1/neis/meals", "NEIS_READ"),
    ("/v1/neis/schedules", "NEIS_READ"),
    ("/v1/neis/timetables", "NEIS_READ"),
];

// Proves: spec 2.3
#[tokio::test]
async fn each_check_comes_before_the_next() {
    let api = school_fixtures::api().await;
    let bad = "nonsense=%";
    // Everything from this check on is wrong, so the response shows which check came first.
    for (method, path, key, code) in [
        ("POST", format!("/v1/nothing?{bad}"), None, 404),
        ("POST", format!("/v1/students?{bad}"), None, 405),
        ("POST", format!("/v1/students?{bad}"), Some(FULL_KEY), 405),
        ("GET", format!("/v1/students?{bad}"), None, 401),
        ("GET", format!("/v1/students?{bad}"), Some(UNKNOWN_KEY), 401),
        ("GET", format!("/v1/students?{bad}"), Some(CLUB_KEY), 403),
        ("GET", format!("/v1/clubs?{bad}"), Some(CLUB_KEY), 400),
        ("GET", "/v1/clubs".to_owned(), Some(CLUB_KEY), 200),
    ] {
        let answer = send(&api, request(method, &path, key)).await;
        assert_eq!(
            answer.status, code,
            "{method} {path} {key:?}: {}",
            answer.body
        );
    }
}

// Proves: spec 2.3
#[tokio::test]
async fn a_missing_invalid_or_expired_key_is_401_and_says_how_to_send_one() {
    let api = school_fixtures::api().await;
    for (key, reason) in [
        (None, "api_key_missing"),
        (Some(""), "api_key_invalid"),
        (Some("nonsense"), "api_key_invalid"),
        (Some("01010101010141018101010101010101"), "api_key_invalid"),
        (Some(UNKNOWN_KEY), "api_key_invalid"),
        (Some(REVOKED_KEY), "api_key_invalid"),
        (Some(EXPIRED_KEY), "api_key_expired"),
    ] {
        for (path, _) in KEYED {
            let answer = send(&api, request("GET", path, key)).await;
            assert_eq!(answer.status, 401, "{key:?}");
            assert_eq!(answer.reason(), (reason.to_owned(), None), "{key:?}");
            assert_eq!(
                answer.header("www-authenticate"),
                "ApiKey header=\"X-API-KEY\""
            );
        }
    }
}

#[tokio::test]
async fn a_key_sent_twice_or_not_as_text_is_401() {
    let api = school_fixtures::api().await;
    let twice = Request::get("/v1/clubs")
        .header("x-api-key", FULL_KEY)
        .header("X-API-KEY", FULL_KEY);
    assert_eq!(
        send(&api, twice.body(()).unwrap()).await.reason().0,
        "api_key_repeated"
    );
    let binary = Request::get("/v1/clubs")
        .header("x-api-key", HeaderValue::from_bytes(b"\xff\xfe").unwrap());
    assert_eq!(
        send(&api, binary.body(()).unwrap()).await.reason().0,
        "api_key_invalid"
    );
}

#[tokio::test]
async fn a_key_works_in_either_case() {
    let key = "abababab-abab-4bab-abab-abababababab";
    let store = school_fixtures::store().await;
    assert_eq!(
        store
            .create_api_key(school_fixtures::key(0xAB, ApiScopes::built_in()))
            .await
            .unwrap(),
        Creation::Created
    );
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    assert_eq!(
        send(&api, request("GET", "/v1/clubs", Some(key)))
            .await
            .status,
        200
    );
    assert_eq!(
        send(&api, request("GET", "/v1/clubs", Some(&key.to_uppercase())))
            .await
            .status,
        200
    );
}

// Proves: spec 2.20
#[tokio::test]
async fn a_key_without_the_scope_is_403_and_the_answer_names_the_scope() {
    let api = school_fixtures::api().await;
    for (path, scope) in KEYED {
        assert_eq!(
            send(&api, request("GET", path, Some(FULL_KEY)))
                .await
                .status,
            200,
            "{path}"
        );
        let answer = send(&api, request("GET", path, Some(CLUB_KEY))).await;
        if scope == "CLUB_READ" {
            assert_eq!(answer.status, 200);
            continue;
        }
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (403, "scope_missing")
        );
        assert!(answer.json()["message"].as_str().unwrap().contains(scope));
    }
}

#[tokio::test]
async fn keyed_answers_are_private_and_vary_by_key() {
    let api = school_fixtures::api().await;
    for (path, key) in [
        ("/v1/clubs", Some(FULL_KEY)),
        ("/v1/clubs?x=1", Some(FULL_KEY)),
        ("/v1/students", Some(CLUB_KEY)),
        ("/v1/clubs", None),
    ] {
        let answer = send(&api, request("GET", path, key)).await;
        assert_eq!(
            answer.header("cache-control"),
            "private, no-cache",
            "{path}"
        );
        assert_eq!(
            answer.header("vary"),
            "X-API-KEY, Accept, Accept-Encoding",
            "{path}"
        );
    }
    assert_eq!(
        send(&api, request("GET", "/v1/nothing", None))
            .await
            .header("cache-control"),
        "no-store"
    );
}
