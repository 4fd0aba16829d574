//! Refusals of a key or a client, and the look-up of a request, for their owner.

use lyceum::domain::AuditRecord;
use lyceum::http::Clock;

use super::*;
use crate::audit::{audited_harness, event};
use crate::pages::assert_safe;
use crate::registry_fixtures;

/// Fails if refusals of one minute look alike in a list or where one is looked up.
#[tokio::test]
async fn refusals_of_a_minute_are_told_apart_by_their_seconds() {
    let (harness, _, log) = audited_harness().await;
    let (harness, api) = with_data(harness, |builder| builder.audit(Arc::new(log.clone()))).await;
    let id = keep(&harness, key(&harness, 1)).await;
    for _ in 0..2 {
        harness.clock.advance(Duration::from_secs(7));
        let (status, _) = asked(&api, 1, "/v1/students?zebra=1", "application/json").await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
    }
    assert!(log.flush().await);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&format!("/keys/{id}/activity")).await;
    for text in [
        ">2026-11-21 00:30:07<",
        ">2026-11-21 00:30:14<",
        "The query has a parameter that the endpoint does not know. The response says which ones it knows.",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    let (_, link) = page.body.split_once("/console/requests?id=").unwrap();
    let path = format!("/requests?id={}", link.split('"').next().unwrap());
    let page = browser.get(&path).await;
    assert!(page.body.contains(">2026-11-21 00:30:14<"), "{}", page.body);
}

/// Fails if the number of errors and the list differ without a word about it, or if requests to
/// unknown addresses are in one of them.
#[tokio::test]
async fn the_pages_say_which_errors_are_counted_and_which_are_listed() {
    let (harness, _, log) = audited_harness().await;
    let (harness, api) = with_data(harness, |builder| builder.audit(Arc::new(log.clone()))).await;
    // Pages wait for the uses of keys where the task runs.
    let _background = tokio::spawn(api.run(|_| std::future::pending()));
    let id = keep(&harness, key(&harness, 1)).await;
    let lunch = registry_fixtures::client(&harness, 1, &harness.person, "Lunch", &[]).await;
    for (path, status) in [
        ("/v1/clubs?size=x", StatusCode::BAD_REQUEST),
        ("/v1/students/999999", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(asked(&api, 1, path, "application/json").await.0, status);
    }
    assert!(log.flush().await);
    let mut browser = harness.browser_of(EMAIL).await;
    for (language, of_key, of_client) in [
        (
            "en",
            "Requests to unknown addresses (404) are in neither",
            "errors are refused requests with the ID of this client",
        ),
        (
            "ko",
            "없는 주소로 보낸 요청(404)은 키를 확인하기 전에",
            "오류는 이 클라이언트 ID로 온 요청 중 거절된 요청이에요",
        ),
    ] {
        browser.language = language;
        let page = browser.get(&format!("/keys/{id}/activity")).await;
        assert_safe(&page);
        assert!(page.body.contains(of_key), "{}", page.body);
        let rows = page.body.matches("<th scope=\"row\"><time").count();
        // Of the chart there are 30 days.
        assert_eq!(rows, 30 + 1, "{}", page.body);
        let page = browser.get(&format!("/clients/{lunch}/activity")).await;
        assert_safe(&page);
        assert!(page.body.contains(of_client), "{}", page.body);
    }
    browser.language = "en";
    let page = browser.get(&format!("/keys/{id}/activity")).await.body;
    assert!(page.contains("<dt>Errors</dt><dd>1</dd>"), "{page}");
}

/// Fails if a developer of several apps does not see which of them was refused, or if the look-up
/// leads to the record of somebody else.
#[tokio::test]
async fn the_look_up_links_to_the_client_or_key_of_each_event() {
    let (harness, store, _log) = audited_harness().await;
    let (harness, _) = with_data(harness, |builder| builder).await;
    let of_key = keep(&harness, key(&harness, 1)).await;
    let revoked = keep(&harness, key(&harness, 2)).await;
    let now = harness.clock.now();
    assert!(harness.store.revoke_api_key(revoked, now).await.unwrap());
    let other = registry_fixtures::other(&harness).await;
    let own = registry_fixtures::client(&harness, 1, &harness.person, "<b>Lunch", &[]).await;
    let theirs = registry_fixtures::client(&harness, 2, &other, "Dinner", &[]).await;
    let refused = |id: &str| AuditRecord {
        // Now, as events of the beginning are older than the log keeps them.
        at: now,
        ..event(
            "refused",
            0,
            id,
            r#"{"rule":"parameter_unknown","status":400,"endpoint":"students"}"#,
        )
    };
    let records = vec![
        AuditRecord {
            api_key: Some(of_key),
            ..refused("key0000001")
        },
        AuditRecord {
            api_key: Some(revoked),
            ..refused("key0000002")
        },
        AuditRecord {
            client: Some(own),
            ..refused("app0000001")
        },
        AuditRecord {
            subject: Some(harness.person.clone()),
            client: Some(theirs),
            ..refused("myse000001")
        },
        AuditRecord {
            client: Some(theirs),
            ..refused("app0000002")
        },
    ];
    store.append_audit_records(records).await.unwrap();
    let mut browser = harness.browser_of(EMAIL).await;
    for (id, owner) in [
        (
            "key0000001",
            format!(
                "<dt>Key</dt><dd><a href=\"/console/keys/{of_key}\"><bdi>Lunch &#60;b&#62;</bdi></a></dd>"
            ),
        ),
        (
            "key0000002",
            "<dt>Key</dt><dd><bdi>Lunch &#60;b&#62;</bdi></dd>".to_owned(),
        ),
        (
            "app0000001",
            format!(
                "<dt>Client</dt><dd><a href=\"/console/clients/{own}\"><bdi>&#60;b&#62;Lunch</bdi></a></dd>"
            ),
        ),
        (
            "myse000001",
            "<dt>User</dt><dd><bdi>You</bdi></dd>".to_owned(),
        ),
    ] {
        let page = browser.get(&format!("/requests?id={id}")).await;
        assert_safe(&page);
        assert!(page.body.contains(&owner), "{owner}: {}", page.body);
        assert!(
            page.body
                .contains("<dt>Endpoint</dt><dd class=\"code\">/v1/students</dd>")
                && !page.body.contains("Dinner"),
            "{}",
            page.body
        );
        assert_eq!(page.body.matches("class=\"card").count(), 1, "one card");
    }
    browser.language = "ko";
    for (path, is_unknown) in [("/requests", false), ("/requests?id=app0000002", true)] {
        let page = browser.get(path).await;
        assert_safe(&page);
        let notice = "내 요청 중에 이 ID가 없어요.";
        assert_eq!(page.body.contains(notice), is_unknown, "{}", page.body);
        assert!(!page.body.contains("class=\"found\""), "{}", page.body);
    }
}
