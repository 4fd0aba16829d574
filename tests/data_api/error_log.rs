//! Refusals in the audit log.

use std::sync::Arc;

use lyceum::http::ClientAddress;
use lyceum::http::audit::EventKind;
use lyceum::testing::MemoryAuditLog;

use crate::client::{request, send};
use crate::school_fixtures::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, REVOKED_KEY};

/// Fails if the request id of a refusal is not in the log, or if a success is.
#[tokio::test]
async fn every_refusal_is_logged_with_its_request_id_and_rule() {
    let log = MemoryAuditLog::default();
    let api = school_fixtures::builder()
        .await
        .audit(Arc::new(log.clone()))
        .build()
        .unwrap();
    for (method, path, key, reason, endpoint) in [
        ("GET", "/v1/nothing", None, "not_found", "none"),
        (
            "POST",
            "/v1/students",
            None,
            "method_not_allowed",
            "students",
        ),
        ("GET", "/v1/students", None, "api_key_missing", "students"),
        (
            "GET",
            "/v1/students",
            Some(REVOKED_KEY),
            "api_key_invalid",
            "students",
        ),
        (
            "GET",
            "/v1/students",
            Some(EXPIRED_KEY),
            "api_key_expired",
            "students",
        ),
        (
            "GET",
            "/v1/students",
            Some(CLUB_KEY),
            "scope_missing",
            "students",
        ),
        (
            "GET",
            "/v1/clubs?nonsense=1",
            Some(FULL_KEY),
            "parameter_unknown",
            "clubs",
        ),
        (
            "GET",
            "/v1/clubs?page=0&page=1",
            Some(FULL_KEY),
            "parameter_repeated",
            "clubs",
        ),
        (
            "GET",
            "/v1/clubs?page=x",
            Some(FULL_KEY),
            "parameter_invalid",
            "clubs",
        ),
        (
            "GET",
            "/v1/clubs?%",
            Some(FULL_KEY),
            "query_malformed",
            "clubs",
        ),
        (
            "GET",
            "/v1/clubs?updatedSince=x.y",
            Some(FULL_KEY),
            "parameter_invalid",
            "clubs",
        ),
    ] {
        let mut asked = request(method, path, key);
        asked
            .extensions_mut()
            .insert(ClientAddress("192.0.2.7".parse().unwrap()));
        let answer = send(&api, asked).await;
        let event = log
            .events()
            .pop()
            .unwrap_or_else(|| panic!("{path} is not logged"));
        let EventKind::Refused(refused) = &event.kind else {
            panic!("{event:?}")
        };
        assert_eq!(
            (answer.reason().0.as_str(), refused.rule.as_str()),
            (reason, reason),
            "{method} {path}"
        );
        assert_eq!(
            (event.request_id.to_string().as_str(), event.address),
            (answer.header("x-request-id"), "192.0.2.7".parse().ok())
        );
        assert_eq!(
            (refused.status, refused.endpoint),
            (answer.status.as_u16(), endpoint),
            "{method} {path}"
        );
    }
    let told = log.events().len();
    assert_eq!(
        send(&api, request("GET", "/v1/clubs", Some(CLUB_KEY)))
            .await
            .status,
        200
    );
    assert_eq!(log.events().len(), told, "a success is logged");
}
