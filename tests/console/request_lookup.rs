use http::{Method, Request, StatusCode};
use lyceum::http::Body;
use lyceum::http::audit::StoredAuditLog;
use tower::ServiceExt;

use crate::audit::audited_harness;
use crate::harness::*;
use crate::pages::assert_safe;

/// The page that explains an id to an administrator.
async fn explained(harness: &Harness, log: &StoredAuditLog, id: &str) -> String {
    assert!(log.flush().await);
    let page = harness
        .browser_of(ADMIN)
        .await
        .get(&format!("/admin/audit/explain?id={id}"))
        .await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    page.body
}

/// Fails if the id of an error page is not explained.
#[tokio::test]
async fn the_id_of_every_error_page_of_the_console_is_explained() {
    let (harness, _, log) = audited_harness().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for (answer, rule, sentence) in [
        (
            browser.get("/admin/people").await,
            "administrators_only",
            "Only administrators can see or change it.",
        ),
        (browser.get("/nothing").await, "not_found", "Not found."),
        (
            browser.post("/sign-out", &[]).await,
            "form_token",
            "The form belongs to another session, or to none.",
        ),
        (
            browser.send(Method::DELETE, "/", None, "").await,
            "method_not_allowed",
            "The address does not support the method.",
        ),
    ] {
        let page = explained(&harness, &log, answer.header("x-request-id")).await;
        for text in [rule, sentence, answer.status.as_str()] {
            assert!(page.contains(text), "{text} is missing in {page}");
        }
    }
}

/// Fails if only responses of the console are explained.
#[tokio::test]
async fn the_id_of_every_refusal_of_the_authorization_server_is_explained() {
    let (harness, _, log) = audited_harness().await;
    for (method, path, rule) in [
        (
            Method::GET,
            "/v1/oauth/authorize?client_id=x",
            "client_unknown",
        ),
        (Method::POST, "/v1/oauth/token", "body_type"),
        (Method::GET, "/v1/clients", "bearer_missing"),
        (Method::GET, "/nothing", "not_found"),
    ] {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .body(Body::empty())
            .unwrap();
        let answer = harness.auth.clone().oneshot(request).await.unwrap();
        assert!(answer.status().is_client_error(), "{path}");
        let id = answer.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let page = explained(&harness, &log, &id).await;
        assert!(
            page.contains("Refused") && page.contains(rule) && page.contains("was refused: "),
            "{rule} is missing in {page}"
        );
    }
}

/// Fails if a part of what a request did is left out.
#[tokio::test]
async fn all_events_of_a_request_are_shown_together() {
    let (harness, store, log) = audited_harness().await;
    for (kind, facts) in [
        ("reuse_detected", "{\"of\":\"code\"}"),
        ("refused", "{\"rule\":\"code_replayed\",\"status\":400}"),
    ] {
        let record = crate::audit::event(kind, 0, "0123456789", facts);
        lyceum::store::AuditStore::append_audit_records(&*store, vec![record])
            .await
            .unwrap();
    }
    let page = explained(&harness, &log, "0123456789").await;
    assert_eq!(page.matches("<section class=\"card\"").count(), 2, "{page}");
    assert!(page.contains("code_replayed"), "{page}");
}

/// Fails if a refused sign-in is also the event of a refused request, if an attempt beyond the limit
/// is, or if a refusal that has no event of its own is none.
#[tokio::test]
async fn a_refused_sign_in_is_one_event() {
    let (harness, store, log) = audited_harness().await;
    let typed = EMAIL.to_uppercase();
    let answer = harness.browser().sign_in(&typed, "wrong").await;
    let id = answer.header("x-request-id");
    let kinds = async |id: &str| {
        assert!(log.flush().await);
        let id = id.parse().unwrap();
        let found = lyceum::store::AuditStore::audit_records_of(&*store, &id).await;
        let kinds = found.unwrap().into_iter();
        kinds
            .map(|entry| entry.record.kind.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(id).await, ["sign_in_refused"]);
    let page = explained(&harness, &log, id).await;
    assert!(
        page.contains("Sign-in failed")
            && !page.contains(">Refused<")
            && page.contains(&format!("Failed sign-in for {EMAIL}")),
        "{page}"
    );
    assert!(
        !page.contains("wrong<") && !page.contains(&typed),
        "submitted values are not stored: {page}"
    );
    let shouted = explained(&harness, &log, &format!("%20{}%20", id.to_uppercase())).await;
    assert!(
        shouted.contains("Sign-in failed"),
        "an id that was read out is found"
    );
    let mut browser = harness.browser_of(ADMIN).await;
    browser.language = "ko";
    assert!(
        browser
            .get(&format!("/admin/audit/explain?id={id}"))
            .await
            .body
            .contains("로그인 실패")
    );

    let limited = loop {
        let answer = harness.browser().sign_in(EMAIL, "wrong").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            break answer;
        }
    };
    let id = limited.header("x-request-id");
    assert_eq!(kinds(id).await, ["sign_in_limited"]);
    let foreign = harness
        .browser()
        .post("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    assert_eq!(kinds(foreign.header("x-request-id")).await, ["refused"]);
    let token = form_token(&browser.get("/account/password").await.body);
    let wrong = [
        ("form_token", &*token),
        ("old_password", "wrong"),
        ("new_password", "another horse"),
        ("repeated", "another horse"),
    ];
    let wrong = browser.submit("/account/password", &wrong).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(kinds(wrong.header("x-request-id")).await, ["refused"]);
}

#[tokio::test]
async fn an_id_of_nothing_is_said_to_be_unknown() {
    let (harness, _, log) = audited_harness().await;
    let page = explained(&harness, &log, "0000000000").await;
    assert!(page.contains("No events found for this ID"), "{page}");
}

/// Fails if an id that no request can have is called unknown, or if the field has no fault.
#[tokio::test]
async fn an_id_of_another_length_or_with_other_letters_is_a_fault_of_the_field() {
    let (harness, _, _) = audited_harness().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let long = "x".repeat(300);
    for id in [
        "7z",
        "0123456789a",
        "012345678u",
        "%22%3E%3Cb%3E",
        "%00",
        &long,
    ] {
        for path in ["/admin/audit/explain", "/requests"] {
            let page = browser.get(&format!("{path}?id={id}")).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{path}: {id}");
            assert_safe(&page);
            for part in [
                "<title>Error",
                "id=\"id-fault\">Enter the ten characters of the ID",
                "aria-invalid=\"true\" aria-describedby=\"id-hint id-fault\"",
                "<a href=\"#id\">",
            ] {
                assert!(page.body.contains(part), "{part}: {}", page.body);
            }
            let unknown = page.body.contains("found for this ID");
            assert!(!unknown && !page.body.contains("<b>"), "{}", page.body);
        }
    }
    let nothing = browser.get("/requests?id=").await;
    assert_eq!(nothing.status, StatusCode::OK);
    assert!(!nothing.body.contains("id-fault"), "{}", nothing.body);
}

/// Fails if unauthenticated requests displace events of users.
#[tokio::test]
async fn a_flood_of_refusals_leaves_room_for_what_happened() {
    let (harness, store, log) = audited_harness().await;
    for _ in 0..5_000 {
        harness.browser().get("/assets/none").await;
    }
    let answer = harness.browser().sign_in(EMAIL, PASSWORD).await;
    assert!(log.lost() > 0 && log.flush().await);
    let request = answer.header("x-request-id").parse().unwrap();
    let kept = lyceum::store::AuditStore::audit_records_of(&*store, &request)
        .await
        .unwrap();
    assert_eq!(
        kept.iter()
            .map(|entry| entry.record.kind.as_str())
            .collect::<Vec<_>>(),
        ["signed_in"]
    );
}
