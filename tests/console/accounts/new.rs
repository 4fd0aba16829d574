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
            StatusCode::OK
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
    let found = browser.get("/admin/people?q=STUDENT1").await.body;
    assert!(
        found.contains("student19@")
            && !found.contains("student20@")
            && found.contains("10 people"),
        "{found}"
    );
    assert!(
        browser
            .get("/admin/people?q=%00")
            .await
            .body
            .contains("No results found.")
    );
    let page = browser.get("/admin/people?q=student&page=0").await.body;
    assert!(
        page.contains("href=\"?q=student&amp;page=1\"")
            || page.contains("href=\"?q=student&#38;page=1\""),
        "{page}"
    );
}

#[tokio::test]
async fn a_new_account_is_audited_with_its_creator() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let page = browser.get("/admin/people/new").await;
    assert_safe(&page);
    assert!(!page.body.contains("type=\"password\""), "{}", page.body);
    let fields = [
        ("form_token", &*token),
        ("email", "lee@school.example"),
        ("role", "ADMIN"),
    ];
    let created = browser.submit("/admin/people/new", &fields).await;
    let answer = browser.follow().await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_safe(&answer);
    assert!(
        answer.body.contains("lee@school.example")
            && answer.body.contains("/console/password-link?token="),
        "{}",
        answer.body
    );
    let made = account(&harness, "lee@school.example").await.unwrap();
    assert_eq!(made.role, Role::Admin);
    assert!(made.password_hash.is_none());
    let page = browser.get(&format!("/admin/people/{}", made.id)).await;
    assert!(page.body.contains("Invited. No password has been set yet."));
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
        created.header("x-request-id"),
        "with the id of its request"
    );
}

/// Fails if an invalid form loses its input, or a password can be given.
#[tokio::test]
async fn an_invalid_form_keeps_its_input_and_takes_no_password() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let hostile = "\"><b>x";
    let fields = [
        ("form_token", &*token),
        ("email", hostile),
        ("role", "KING"),
    ];
    let answer = browser.post("/admin/people/new", &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_safe(&answer);
    for text in [
        "&#34;&#62;&#60;b&#62;x",
        "Enter a valid email address",
        "id=\"role-fault\"",
        "aria-invalid",
    ] {
        assert!(
            answer.body.contains(text),
            "{text} is missing in {}",
            answer.body
        );
    }
    assert!(!answer.body.contains(hostile));
    let typed = [
        ("form_token", &*token),
        ("email", "x@school.example"),
        ("password", "a secret that was typed"),
        ("role", "USER"),
    ];
    assert_eq!(
        browser.post("/admin/people/new", &typed).await.status,
        StatusCode::BAD_REQUEST,
        "nobody types a password for somebody else"
    );
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
            .contains("이미 이 주소의 계정이 있어요.")
    );
}

/// Fails if people are found by their address alone, or a name is missing.
#[tokio::test]
async fn people_are_found_by_name_and_class() {
    let store = std::sync::Arc::new(lyceum::store::memory::MemoryStore::new());
    let directory = lyceum::directory::Directory::open(store).await.unwrap();
    let school = lyceum::sample_data::SampleSchool::new(1, "2026-05-20".parse().unwrap());
    let _ = directory.write(school.changes()).await.unwrap();
    let enrolled = |student: &&lyceum::domain::Student| student.enrollment().is_some();
    let student = school.students.iter().find(enrolled).unwrap();
    let of = student.enrollment().unwrap();
    let class = format!("{}-{}", of.grade, of.class_num);
    let harness = Harness::with_auth(|auth| auth.directory(directory)).await;
    let (mut browser, token) = administrator(&harness).await;
    add(&mut browser, &token, student.email.as_str(), "USER").await;
    let name: &str = &student.name;
    let part: String = name.chars().take(2).collect();
    for term in [name, &part, &class, student.email.as_str()] {
        let fields = [("q", term)];
        let page = browser
            .get(&format!("/admin/people?{}", form_body(&fields)))
            .await;
        assert_safe(&page);
        assert!(
            page.body.contains(name) && page.body.contains(&class) && page.body.contains("Invited"),
            "{term}: {}",
            page.body
        );
        assert!(page.body.contains("1 person"), "{term}: {}", page.body);
    }
    let made = id(&harness, student.email.as_str()).await;
    let page = browser.get(&format!("/admin/people/{made}")).await.body;
    assert!(
        page.contains(&format!("<h1><bdi>{name}</bdi></h1>")),
        "{page}"
    );
}
