use http::{Method, StatusCode};
use lyceum::domain::{Password, RecordKind, Role};
use lyceum::http::audit::EventKind;
use lyceum::http::auth_server::AccountCreationOutcome;

use super::*;
use crate::page_assertions::assert_page;
use crate::pages::assert_safe;

const IMPORT: &str = "/admin/school/students/import";
const PLAN: &str = "/admin/school/students/import/plan";
const TYPE: &str = "multipart/form-data; boundary=----WebKitFormBoundaryx";

/// A body with a file, as a browser sends it.
fn body_of(fields: &[(&str, &str)], file_name: &str, file: &str) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!(
            "------WebKitFormBoundaryx\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    body + &format!(
        "------WebKitFormBoundaryx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\nContent-Type: text/csv\r\n\r\n{file}\r\n------WebKitFormBoundaryx--\r\n"
    )
}

pub(super) async fn upload(browser: &mut Browser, file: &str, options: &[&str]) -> TestResponse {
    let token = form_token(&browser.get("/").await.body);
    let options = options.iter().map(|name| (*name, "true"));
    let fields: Vec<(&str, &str)> = [("form_token", &*token)]
        .into_iter()
        .chain(options)
        .collect();
    let body = body_of(&fields, "students.csv", file);
    browser.send(Method::POST, IMPORT, Some(TYPE), &body).await
}

/// Presses the button that applies a plan.
pub(super) async fn apply(browser: &mut Browser, page: &str) -> TestResponse {
    let (mut fields, code) = plan_of(page);
    fields.push(("apply".to_owned(), code.expect("the plan can be applied")));
    post(browser, PLAN, &fields).await
}

/// The fields of the page of a plan without those of its buttons, and its code.
pub(super) fn plan_of(page: &str) -> (Fields, Option<String>) {
    let (buttons, fields): (Fields, Fields) = form_of(page)
        .into_iter()
        .partition(|(name, _)| name == "page" || name == "apply");
    drop(buttons);
    let code = page.split("name=\"apply\" value=\"").nth(1);
    (
        fields,
        code.map(|rest| rest.split('"').next().unwrap().to_owned()),
    )
}

const FILE: &str = "id,name,sex,email,grade,classNum,number,major\n1,김하늘,WOMAN,s19@school.example,2,1,7,AI\n,박산,MAN,san@school.example,1,1,2,AI\n";

#[tokio::test]
async fn a_file_is_uploaded_shown_and_applied_as_shown() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    assert_page(&harness, &mut browser, IMPORT).await;
    let page = upload(&mut browser, FILE, &["partial"]).await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    assert_safe(&page);
    for shown in [
        "박산",
        "<del><bdi>3</bdi></del> <ins><bdi>1</bdi></ins>",
        "UTF-8",
    ] {
        assert!(page.body.contains(shown), "{shown}: {}", page.body);
    }
    assert!(
        !page.body.contains("san@school.example,"),
        "the file is sealed"
    );
    assert_eq!(edits(&harness), [], "nothing is written yet");
    let answer = apply(&mut browser, &page.body).await;
    assert_eq!(
        answer.location(),
        "/console/admin/school/students?done=imported",
        "{answer:?}"
    );
    assert_eq!(&*student(&harness, 9).await.student.name, "박산");
    let events = edits(&harness);
    let [
        EventKind::Imported {
            by,
            kind,
            added,
            changed,
            removed,
            versions,
        },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(
        (*kind, *added, *changed, *removed),
        (RecordKind::Students, 1, 1, 0)
    );
    assert_eq!(versions[1], versions[0] + 1);
    assert_ne!(by.as_str(), "service");
    let again = apply(&mut browser, &page.body).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{again:?}");
}

#[tokio::test]
async fn refused_lines_have_their_place_their_column_and_the_reason() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let file = "id,학년\n1,4\n2,2\n77,1\n";
    let page = upload(&mut browser, file, &["partial"]).await;
    for shown in [
        "line 2",
        "학년",
        "from 1 to 3",
        "line 4",
        "No record has this ID",
    ] {
        assert!(page.body.contains(shown), "{shown}: {}", page.body);
    }
    assert_eq!(
        plan_of(&page.body).1,
        None,
        "nothing is applied while lines are refused"
    );
    let (mut fields, _) = plan_of(&page.body);
    fields.extend(
        [("skip_refused", "true"), ("page", "0")]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let page = post(&mut browser, PLAN, &fields).await;
    let answer = apply(&mut browser, &page.body).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(
        student(&harness, 2)
            .await
            .student
            .enrollment()
            .unwrap()
            .grade
            .get(),
        2
    );
    for (file, message) in [
        ("x,y\n1,2\n", "A column heading is unknown"),
        ("", "Choose a file"),
        ("id,name\n\"1", "cannot be read"),
        ("[1", "cannot be read"),
    ] {
        let page = upload(&mut browser, file, &[]).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{file}: {page:?}");
        assert!(
            fault(&page.body, "file").contains(message),
            "{file}: {}",
            page.body
        );
    }
}

// Proves: threats 48
#[tokio::test]
async fn a_file_that_removes_many_records_is_applied_only_with_the_option() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = upload(&mut browser, FILE, &[]).await;
    assert!(page.body.contains("more than 10%"), "{}", page.body);
    assert_eq!(plan_of(&page.body).1, None);
    let (mut fields, _) = plan_of(&page.body);
    fields.push(("apply".to_owned(), "0000000000000000".to_owned()));
    let answer = post(&mut browser, PLAN, &fields).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    let page = upload(&mut browser, FILE, &["allow_removals"]).await;
    let answer = apply(&mut browser, &page.body).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(
        harness.directory.snapshot().await.unwrap().students().len(),
        5,
        "the one of the file, the new one and three former ones"
    );
}

// Proves: threats 48
/// Fails if a plan is applied to another version than it was made for.
#[tokio::test]
async fn a_plan_for_another_version_is_shown_again() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = upload(&mut browser, FILE, &["partial"]).await;
    submit(&mut browser, "/admin/school/students/5", &[("number", "9")]).await;
    let answer = apply(&mut browser, &page.body).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert!(
        answer.body.contains("have changed since the preview"),
        "{}",
        answer.body
    );
    let answer = apply(&mut browser, &answer.body).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
}

// Proves: threats 48
#[tokio::test]
async fn a_file_is_kept_for_an_hour_and_for_its_administrator() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let created = harness
        .accounts
        .create(
            "lee@school.example".parse().unwrap(),
            &Password::new(PASSWORD).unwrap(),
            Role::Admin,
        )
        .await;
    assert!(matches!(
        created.unwrap(),
        AccountCreationOutcome::Created(_)
    ));
    let page = upload(&mut browser, FILE, &["partial"]).await;
    let mut theirs = harness.browser_of("lee@school.example").await;
    let (mut fields, code) = plan_of(&page.body);
    fields.push(("apply".to_owned(), code.unwrap()));
    let token = form_token(&theirs.get("/").await.body);
    let forged = with_fields(&fields, &[("form_token", &token)]);
    let answer = post(&mut theirs, PLAN, &forged).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    for sealed in ["", "x", "AQ"] {
        let answer = post(
            &mut browser,
            PLAN,
            &with_fields(&fields, &[("sealed", sealed)]),
        )
        .await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{sealed}: {answer:?}"
        );
    }
    for _ in 0..3 {
        harness.clock.advance(20 * MINUTE);
        browser.get("/").await;
    }
    let answer = post(&mut browser, PLAN, &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    assert!(
        fault(&answer.body, "file").contains("has expired after an hour"),
        "{}",
        answer.body
    );
    assert_eq!(edits(&harness), []);
}

#[tokio::test]
async fn hostile_bodies_are_refused() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/").await.body);
    let token = [("form_token", &*token)];
    for (fields, status) in [
        (&[][..], StatusCode::FORBIDDEN),
        (&[("form_token", "x")], StatusCode::FORBIDDEN),
        (&[token[0], ("owner", "me")], StatusCode::BAD_REQUEST),
        (&[token[0], token[0]], StatusCode::BAD_REQUEST),
    ] {
        let body = body_of(fields, "a.csv", FILE);
        let answer = browser.send(Method::POST, IMPORT, Some(TYPE), &body).await;
        assert_eq!(answer.status, status, "{fields:?}: {answer:?}");
        assert_safe(&answer);
    }
    for name in [
        "../../etc/passwd",
        "<b>.csv",
        "\"; name=\"sealed",
        "\u{202e}vsc.exe",
    ] {
        let body = body_of(&[token[0], ("partial", "true")], name, FILE);
        let page = browser.send(Method::POST, IMPORT, Some(TYPE), &body).await;
        assert_eq!(page.status, StatusCode::OK, "{name}: {page:?}");
        assert!(!page.body.contains("passwd") && !page.body.contains("<b>"));
    }
    let cut = body_of(&token, "a.csv", FILE);
    for body in ["", "------WebKitFormBoundaryx", &cut[..cut.len() - 4]] {
        let answer = browser.send(Method::POST, IMPORT, Some(TYPE), body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {answer:?}");
    }
    let long = body_of(&token, "a.csv", &"x".repeat((4 << 20) + 1));
    let answer = browser.send(Method::POST, IMPORT, Some(TYPE), &long).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "too large a file");
    let longer = "x".repeat(5 << 20);
    let answer = browser
        .send(Method::POST, IMPORT, Some(TYPE), &longer)
        .await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    // Nobody else sends so much.
    let mut user = harness.browser_of(EMAIL).await;
    let answer = user.send(Method::POST, IMPORT, Some(TYPE), &longer).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let answer = harness
        .browser()
        .send(Method::POST, IMPORT, Some(TYPE), &longer)
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_long_plan_comes_in_pages() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let rows: String = (0..150)
        .map(|at| format!("N{at:03},MAN,n{at}@school.example,1,1,1,AI\n"))
        .collect();
    let file = format!("name,sex,email,grade,classNum,number,major\n{rows}");
    let page = upload(&mut browser, &file, &["partial"]).await;
    assert!(
        page.body.contains("N099") && !page.body.contains("N100"),
        "{}",
        page.body
    );
    let (mut fields, _) = plan_of(&page.body);
    fields.push(("page".to_owned(), "1".to_owned()));
    let page = post(&mut browser, PLAN, &fields).await;
    assert!(
        !page.body.contains("N099") && page.body.contains("N149"),
        "{}",
        page.body
    );
    let answer = apply(&mut browser, &page.body).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(
        harness.directory.snapshot().await.unwrap().students().len(),
        158
    );
}

/// Fails if a download has other records than the list, or only those of the page.
#[tokio::test]
async fn a_filtered_list_is_downloaded_as_it_is_filtered() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/school/students").await.body;
    assert!(!page.contains("students.csv?"), "nothing is filtered");
    let list = "/admin/school/students?grade=1&sortBy=NAME&page=0&name=";
    let page = browser.get(list).await.body;
    assert!(page.contains("/admin/school/students.csv\""), "{page}");
    for (format, count) in [("csv", 3), ("json", 2)] {
        let start = format!("/admin/school/students.{format}?");
        let query = page
            .split(&start)
            .nth(1)
            .unwrap_or_else(|| panic!("{page}"));
        let query = query.split('"').next().unwrap();
        assert_eq!(query, "grade=1");
        let file = browser.get(&format!("{start}{query}")).await;
        let name = format!("\"students-part.{format}\"");
        assert!(file.header("content-disposition").contains(&name));
        assert!(file.body.contains("박서연") && file.body.contains("Åsa"));
        assert_eq!(file.body.matches("@school.example").count(), 2);
        assert_eq!(
            file.body.lines().filter(|line| line.len() > 1).count(),
            count
        );
        let page = upload(&mut browser, &file.body, &["partial"]).await;
        assert!(
            page.body.contains("<dt>unchanged</dt><dd>2</dd>")
                && page.body.contains("<dt>deleted</dt><dd>0</dd>"),
            "{}",
            page.body
        );
    }
    for query in ["grade=9", "grade=1&grade=2"] {
        let answer = browser
            .get(&format!("/admin/school/students.csv?{query}"))
            .await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn a_downloaded_list_changes_nothing_when_it_is_imported() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let file = browser.get("/admin/school/students.csv").await;
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert!(file.header("content-disposition").contains("students.csv"));
    assert!(
        file.body.starts_with("\u{feff}고유번호,이름"),
        "{}",
        file.body
    );
    let page = upload(&mut browser, &file.body, &[]).await;
    assert!(
        page.body.contains("<dt>unchanged</dt><dd>8</dd>"),
        "{}",
        page.body
    );
    assert_eq!(plan_of(&page.body).1, None, "there is nothing to apply");
    let json = browser.get("/admin/school/students.json").await.body;
    let page = upload(&mut browser, &json, &[]).await;
    assert!(
        page.body.contains("<dt>unchanged</dt><dd>8</dd>"),
        "{}",
        page.body
    );
}
