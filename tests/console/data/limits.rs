use http::StatusCode;
use http::header::RETRY_AFTER;
use lyceum::domain::Quota;

use super::*;
use crate::heard;
use crate::pages::assert_safe;

#[tokio::test]
async fn a_key_has_one_limit_here_and_at_the_data_api() {
    let (world, api) = world_with(|builder| builder.rate_limit(Quota::new(3, MINUTE, 3).unwrap())).await;
    let mut browser = browser(&world).await;
    assert_eq!(browser.get("/data/students").await.status, StatusCode::OK);
    assert_eq!(browser.get("/data/students.csv").await.status, StatusCode::OK);
    assert_eq!(asked(&api, 1, "/v1/clubs", "*/*").await.0, StatusCode::OK);
    assert_eq!(asked(&api, 1, "/v1/clubs", "*/*").await.0, StatusCode::TOO_MANY_REQUESTS);
    for path in ["/data/students?name=%ED%95%98", "/data/students.csv"] {
        let page = browser.get(path).await;
        assert_safe(&page);
        assert_eq!((page.status, page.header(RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "20"));
        assert!(page.body.contains("has used up its requests") && rows(&page).is_empty());
    }
    world.clock.advance(MINUTE);
    assert_eq!(browser.get("/data/students").await.status, StatusCode::OK);
}

/// Fails if a log tells whom somebody looked for.
#[tokio::test]
async fn s26_no_log_has_what_is_looked_for() {
    let (world, _) = world().await;
    let mut browser = browser(&world).await;
    let id = key(&world, 1).id.to_string();
    let (heard, _listening) = heard::listen();
    for path in [
        "/data/students?name=haneul",
        "/data/students.csv?name=haneul",
        "/data/students?name=haneul&grade=haneul",
        "/data/meals?date=haneul",
    ] {
        browser.get(&format!("{path}&key={id}")).await;
    }
    let lines = heard.lines();
    assert!(lines.iter().any(|line| line.contains("lyceum.request")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("haneul") || line.contains(&id)), "{lines:?}");
}
