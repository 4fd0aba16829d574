use http::StatusCode;
use lyceum::http::audit::EventKind;

use crate::harness::*;

#[tokio::test]
async fn signing_out_ends_the_session_itself() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let mut elsewhere = harness.browser_of(EMAIL).await;
    let kept = browser.cookies.clone();
    let token = form_token(&browser.get("/").await.body);
    let answer = browser.post("/sign-out", &[("form_token", &token)]).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/sign-in?done=out")
    );
    assert!(browser.session().is_none());
    assert!(browser.follow().await.body.contains("You are signed out"));
    browser.cookies = kept;
    let answer = browser.get("/").await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console/sign-in?done=ended")
    );
    // The cookie stays until the next sign-in, for forms in other tabs. It opens nothing.
    let answer = browser.get("/").await;
    assert_eq!(answer.location(), "/console/sign-in?done=ended");
    assert_eq!(
        elsewhere.get("/").await.status,
        StatusCode::OK,
        "other sessions stay"
    );
    let out = EventKind::SignedOut {
        subject: Some(harness.person.clone()),
        client: None,
    };
    assert!(harness.recorded(&out) > 0);
}

// Proves: threats 22
/// Fails if any well-formed token is accepted.
#[tokio::test]
async fn the_form_of_another_session_does_nothing() {
    let harness = Harness::new().await;
    let (mut mine, mut yours) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    let token = form_token(&yours.get("/").await.body);
    for fields in [&[("form_token", &*token)][..], &[], &[("form_token", "")]] {
        let answer = mine.post("/sign-out", fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert!(answer.body.contains("This form has expired"));
    }
    assert_eq!(mine.get("/").await.status, StatusCode::OK);
}

// Proves: threats 36
/// Fails if an unknown field is ignored.
#[tokio::test]
async fn fields_that_the_form_does_not_have_are_refused() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/").await.body);
    for more in [("user", ADMIN), ("form_token", &*token), ("", "")] {
        let answer = browser
            .post("/sign-out", &[("form_token", &token), more])
            .await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{more:?}");
    }
    let answer = browser
        .send(
            http::Method::POST,
            "/sign-out",
            Some("application/json"),
            "{}",
        )
        .await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
}
