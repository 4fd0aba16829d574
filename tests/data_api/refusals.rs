//! Refusals in the log that administrators look into.

use std::sync::Arc;

use lyceum::http::ClientAddress;
use lyceum::http::audit::EventKind;
use lyceum::testing::MemoryAuditLog;

use crate::calls::{request, send};
use crate::school::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, REVOKED_KEY};

/// Fails if an id that an answer tells is not told to the log, or what is answered is.
#[tokio::test]
async fn the_id_of_every_refusal_is_told_to_the_log_with_its_rule() {
    let log = MemoryAuditLog::default();
    let api = school::builder().await.audit(Arc::new(log.clone())).build().unwrap();
    for (method, path, key, reason, endpoint) in [
        ("GET", "/v1/nothing", None, "not_found", "none"),
        ("POST", "/v1/students", None, "method_not_allowed", "students"),
        ("GET", "/v1/students", None, "api_key_missing", "students"),
        ("GET", "/v1/students", Some(REVOKED_KEY), "api_key_invalid", "students"),
        ("GET", "/v1/students", Some(EXPIRED_KEY), "api_key_expired", "students"),
        ("GET", "/v1/students", Some(CLUB_KEY), "scope_missing", "students"),
        ("GET", "/v1/clubs?nonsense=1", Some(FULL_KEY), "parameter_unknown", "clubs"),
        ("GET", "/v1/clubs?page=0&page=1", Some(FULL_KEY), "parameter_repeated", "clubs"),
        ("GET", "/v1/clubs?page=x", Some(FULL_KEY), "parameter_invalid", "clubs"),
        ("GET", "/v1/clubs?%", Some(FULL_KEY), "query_malformed", "clubs"),
        ("GET", "/v1/clubs?updatedSince=x.y", Some(FULL_KEY), "parameter_invalid", "clubs"),
    ] {
        let mut asked = request(method, path, key);
        asked.extensions_mut().insert(ClientAddress("192.0.2.7".parse().unwrap()));
        let answer = send(&api, asked).await;
        let event = log.events().pop().unwrap_or_else(|| panic!("{path} is not told"));
        let EventKind::Refused(refused) = &event.kind else { panic!("{event:?}") };
        assert_eq!((answer.reason().0.as_str(), refused.rule.as_str()), (reason, reason), "{method} {path}");
        assert_eq!((event.request_id.to_string().as_str(), event.address), (answer.header("x-request-id"), "192.0.2.7".parse().ok()));
        assert_eq!((refused.status, refused.endpoint), (answer.status.as_u16(), endpoint), "{method} {path}");
    }
    let told = log.events().len();
    assert_eq!(send(&api, request("GET", "/v1/clubs", Some(CLUB_KEY))).await.status, 200);
    assert_eq!(log.events().len(), told, "what is answered is not told");
}
