//! Cached responses: parts that requests share, and parts that they do not.

use crate::client::get;
use crate::school_fixtures;

// Proves: spec 2.4
/// Fails if the links are cached with the response.
#[tokio::test]
async fn requests_with_one_answer_have_links_as_each_was_spelled() {
    let api = school_fixtures::api().await;
    let (plain, spelled) = (
        get(&api, "/v1/students").await,
        get(&api, "/v1/students?size=300&page=0").await,
    );
    assert_eq!(
        (plain.header("etag"), &plain.body),
        (spelled.header("etag"), &spelled.body)
    );
    assert!(
        !plain.header("link").contains("size=300"),
        "{}",
        plain.header("link")
    );
    assert!(
        spelled.header("link").contains("size=300"),
        "{}",
        spelled.header("link")
    );
}
