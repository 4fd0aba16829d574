//! List of accounts, and creation of accounts.

use http::StatusCode;
use lyceum::domain::Role;
use lyceum::http::audit::{Change, EventKind, ManagedObject};

use super::{account, add, administrator, id};
use crate::harness::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn accounts_are_listed_in_pages_and_found_by_email() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    for number in 10..31 {
        assert_eq!(
            add(
                &mut browser,
                &token,
                &format!("student{number}@school.example"),
                "USER"
            )
            .await
            .status,
            StatusCode::SEE_OTHER
        );
    }
    let first = browser.get("/admin/people").await;
    assert_safe(&first);
    assert!(
        first.body.contains(ADMIN) && first.body.contains("Page 1 / 2 · 23 people"),
        "{}",
        first.body
    );
    assert!(first.body.contains("href=\"?page=1\"") && first.body.contains(">You<"));
    let second = browser.get("/admin/people?page=1").await.body;
    assert!(
        second.contains("student30@school.example") && !second.contains("student10@school.example")
    );
    let found = browser.get("/admin/people?email=STUDENT1").await.body;
    assert!(
        found.contains("student19@")
            && !found.contains("student20@")
            && found.contains("10 people"),
        "{found}"
    );
    assert!(
        browser
            .get("/admin/people?email=%00")
            .await
            .body
            .contains("Nothing found.")
    );
    let page = browser.get("/admin/people?email=student&page=0").await.body;
    assert!(
        page.contains("href=\"?email=student&amp;page=1\"")
            || page.contains("href=\"?email=student&#38;page=1\""),
        "{page}"
    );
}

#[tokio::test]
async fn a_new_account_is_audited_with_its_creator() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let page = browser.get("/admin/people/new").await;
    assert_safe(&page);
    let answer = add(&mut browser, &token, "lee@school.example", "ADMIN").await;
    let made = account(&harness, "lee@school.example").await.unwrap();
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            &*format!("/console/admin/people/{}?done=created", made.id)
        )
    );
    assert_eq!(made.role, Role::Admin);
    let page = browser.follow().await;
    assert_safe(&page);
    assert!(page.body.contains("lee@school.example") && page.body.contains("Created."));
    let by = id(&harness, ADMIN).await.into();
    let object = ManagedObject::Account(made.id);
    let told = EventKind::Managed {
        by,
        object,
        change: Change::Created,
        fields: vec![],
    };
    let event = harness
        .log
        .events()
        .into_iter()
        .find(|event| event.kind == told)
        .expect("the event is recorded");
    assert_eq!(
        event.request_id.to_string(),
        answer.header("x-request-id"),
        "with the id of its request"
    );
    harness.browser_of("lee@school.example").await;
}

/// Fails if an invalid form loses its input, or shows the password.
#[tokio::test]
async fn an_invalid_form_keeps_its_input_but_not_the_password() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let hostile = "\"><b>x";
    let secret = "a secret that was typed";
    let fields = [
        ("form_token", &*token),
        ("email", hostile),
        ("password", secret),
        ("role", "KING"),
    ];
    let answer = browser.post("/admin/people/new", &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_safe(&answer);
    for text in [
        "&#34;&#62;&#60;b&#62;x",
        "This is no e-mail address",
        "id=\"role-fault\"",
        "aria-invalid",
    ] {
        assert!(
            answer.body.contains(text),
            "{text} is missing in {}",
            answer.body
        );
    }
    assert!(!answer.body.contains(secret) && !answer.body.contains(hostile));
    let answer = browser
        .post(
            "/admin/people/new",
            &[("form_token", &token), ("email", "x@y"), ("role", "USER")],
        )
        .await;
    assert!(
        answer.status == StatusCode::BAD_REQUEST && answer.body.contains("id=\"password-fault\""),
        "{}",
        answer.body
    );
    let weak = [
        ("form_token", &*token),
        ("email", "new.person@school.example"),
        ("password", "new.person"),
        ("role", "USER"),
    ];
    let answer = browser.post("/admin/people/new", &weak).await;
    assert!(
        answer.status == StatusCode::BAD_REQUEST
            && answer
                .body
                .contains("id=\"password-fault\">The password must not be the e-mail")
    );
    assert_safe(&answer);
    let answer = add(&mut browser, &token, &EMAIL.to_uppercase(), "USER").await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(
        answer.body.contains("id=\"email-fault\"") && answer.body.contains(&EMAIL.to_uppercase()),
        "{}",
        answer.body
    );
    browser.language = "ko";
    assert!(
        add(&mut browser, &token, EMAIL, "USER")
            .await
            .body
            .contains("이 주소의 계정이 이미 있어요.")
    );
    assert!(
        browser
            .post("/admin/people/new", &weak)
            .await
            .body
            .contains("이메일 주소나 @ 앞부분은 비밀번호로 쓸 수 없어요.")
    );
}
