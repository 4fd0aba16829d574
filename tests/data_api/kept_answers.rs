//! Answers that are kept: what is shared between requests, and what is not.

use crate::calls::get;
use crate::school;

/// Fails if the links are kept with the answer.
#[tokio::test]
async fn decision_2_4_requests_with_one_answer_have_links_as_each_was_spelled() {
    let api = school::api().await;
    let (plain, spelled) = (get(&api, "/v1/students").await, get(&api, "/v1/students?size=300&page=0").await);
    assert_eq!((plain.header("etag"), &plain.body), (spelled.header("etag"), &spelled.body));
    assert!(!plain.header("link").contains("size=300"), "{}", plain.header("link"));
    assert!(spelled.header("link").contains("size=300"), "{}", spelled.header("link"));
}
