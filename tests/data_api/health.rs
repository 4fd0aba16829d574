//! Health: decision 2.15.

use crate::calls::{request, send};
use crate::school;

#[tokio::test]
async fn decision_2_15_health_needs_no_key_and_has_no_data() {
    let api = school::api().await;
    for path in ["/v1/health", "/v1/health/ready", "/v1/health?probe=7"] {
        let answer = send(&api, request("GET", path, None)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, r#"{"status":"OK","code":200,"message":"OK"}"#);
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}
