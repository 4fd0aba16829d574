use http::StatusCode;
use lyceum::http::audit::EventKind;

use crate::harness::*;

#[tokio::test]
async fn signing_out_ends_the_session_itself() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let mut elsewhere = world.browser_of(EMAIL).await;
    let kept = browser.cookies.clone();
    let token = form_token(&browser.get("/").await.body);
    let answer = browser.post("/sign-out", &[("form_token", &token)]).await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/sign-in?done=out"));
    assert!(browser.session().is_none());
    assert!(browser.follow().await.body.contains("You are signed out"));
    browser.cookies = kept;
    let answer = browser.get("/").await;
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, "/console/sign-in?done=ended"));
    assert!(browser.session().is_none(), "a cookie of no session is taken away");
    assert_eq!(elsewhere.get("/").await.status, StatusCode::OK, "other sessions go on");
    let out = EventKind::SignedOut { subject: Some(world.person.clone()), client: None };
    assert!(world.log.events().iter().any(|event| event.kind == out));
}

/// Fails if any token in the right form is good.
#[tokio::test]
async fn s22_the_form_of_another_session_does_nothing() {
    let world = World::new().await;
    let (mut mine, mut yours) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    let token = form_token(&yours.get("/").await.body);
    for fields in [&[("form_token", &*token)][..], &[], &[("form_token", "")]] {
        let answer = mine.post("/sign-out", fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert!(answer.body.contains("The form was too old"));
    }
    assert_eq!(mine.get("/").await.status, StatusCode::OK);
}

/// Fails if a field that the form does not have is passed over.
#[tokio::test]
async fn s36_fields_that_the_form_does_not_have_are_refused() {
    let world = World::new().await;
    let mut browser = world.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/").await.body);
    for more in [("user", ADMIN), ("form_token", &*token), ("", "")] {
        let answer = browser.post("/sign-out", &[("form_token", &token), more]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{more:?}");
    }
    let answer = browser.send(http::Method::POST, "/sign-out", Some("application/json"), "{}").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
}
