//! Edits in the audit log.

use std::sync::Arc;

use http::StatusCode;
use lyceum::directory::WriteOutcome;
use lyceum::domain::Quota;
use lyceum::http::audit::{AuditLog, StoredAuditLog};

use super::submit;
use crate::harness::*;
use crate::pages::assert_safe;
use crate::school_fixtures;

/// A console with a school, whose events are stored, and the log of these. The school and its log are
/// in stores of their own.
async fn harness() -> (Harness, StoredAuditLog) {
    let store = crate::stores::new_store().await;
    let (log, writer) = StoredAuditLog::builder(store).build();
    tokio::spawn(writer.run());
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let audit: Arc<dyn AuditLog> = Arc::new(log.clone());
    let harness =
        Harness::with_school_editor(|auth| auth.management_limit(many).audit(audit)).await;
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    (harness, log)
}

/// Deletes the first student, and returns the page of the audit log, in which the record has no name
/// any more and no link.
async fn page_after_removal(
    browser: &mut Browser,
    log: &StoredAuditLog,
    audit: &str,
    name: &str,
) -> String {
    let removal = "/admin/school/students/change?id=1&action=remove";
    let answer = submit(browser, removal, &[]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert!(log.flush().await);
    let page = browser.get(audit).await.body;
    let text = "<bdi>Students: 1</bdi>";
    assert!(page.contains(text), "{text} is missing in {page}");
    for absent in [name, "href=\"/console/admin/school/students/1\""] {
        assert!(!page.contains(absent), "{absent} is in {page}");
    }
    page
}

// Proves: threats 48
/// Fails if an administrator does not see whose record was edited, or an event has a value.
#[tokio::test]
async fn the_event_of_an_edited_record_leads_to_it_and_names_its_fields() {
    let (harness, log) = harness().await;
    let snapshot = harness.directory.snapshot().await.unwrap();
    let name = snapshot.students().get(1).unwrap().student.name.to_string();
    let mut browser = harness.browser_of(ADMIN).await;
    let path = "/admin/school/students/1";
    let changes = [("dormitoryRoom", "41817"), ("githubId", "octocat")];
    let answer = submit(&mut browser, path, &changes).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert!(log.flush().await);
    let audit = "/admin/audit?what=edited";
    let page = browser.get(audit).await;
    assert_safe(&page);
    for text in [
        format!("<bdi>{ADMIN} changed {name} (Students)<"),
        format!("<a href=\"/console{path}\"><bdi>Students: {name}</bdi></a>"),
        "<bdi>Dormitory room, GitHub</bdi>".to_owned(),
    ] {
        assert!(
            page.body.contains(&text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(!page.body.contains("<dt>Count</dt>"), "{}", page.body);
    for value in ["41817", "octocat"] {
        assert!(!page.body.contains(value), "{value} is in {}", page.body);
    }
    browser.language = "ko";
    let page = browser.get(audit).await.body;
    let text = format!("{ADMIN} 님이 {name}(학생) 정보를 변경했어요");
    assert!(page.contains(&text), "{text} is missing in {page}");
    browser.language = "en";

    let page = page_after_removal(&mut browser, &log, audit, &name).await;
    let text = "deleted school records: Students<";
    assert!(page.contains(text), "{text} is missing in {page}");
}

// Proves: threats 54
/// Fails if the log does not say at whose record an administrator looked, or an event has a value.
#[tokio::test]
async fn the_event_of_one_viewed_record_links_to_it_and_that_of_a_list_has_no_names() {
    let (harness, log) = harness().await;
    let snapshot = harness.directory.snapshot().await.unwrap();
    let name = snapshot.students().get(1).unwrap().student.name.to_string();
    let mut browser = harness.browser_of(ADMIN).await;
    let path = "/admin/school/students/1";
    let looks = [
        path,
        "/admin/school/students/change?id=1",
        "/admin/school/students/change?id=1&id=5",
        "/admin/school/students?name=%EA%B9%80&grade=2",
    ];
    for path in looks {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
    }
    assert!(log.flush().await);
    let audit = "/admin/audit?what=data_viewed";
    let page = browser.get(audit).await;
    assert_safe(&page);
    let rows: Vec<&str> = page.body.split("<th scope=\"row\">").skip(1).collect();
    assert_eq!(rows.len(), looks.len(), "{}", page.body);
    for row in &rows[2..] {
        for text in [
            format!("<bdi>{ADMIN} viewed {name} (Students)<"),
            format!("<a href=\"/console{path}\"><bdi>Students: {name}</bdi></a>"),
        ] {
            assert!(row.contains(&text), "{text} is missing in {row}");
        }
        for text in ["<dt>Count</dt>", "<dt>Fields</dt>", "studentId"] {
            assert!(!row.contains(text), "{text} is in {row}");
        }
    }
    for row in &rows[..2] {
        assert!(!row.contains(&name) && !row.contains(path), "{row}");
    }
    browser.language = "ko";
    let page = browser.get(audit).await.body;
    let text = format!("{ADMIN} 님이 {name}(학생) 정보를 조회했어요");
    assert!(page.contains(&text), "{text} is missing in {page}");
    browser.language = "en";

    let page = page_after_removal(&mut browser, &log, audit, &name).await;
    let text = "viewed 1 student<";
    assert!(page.contains(text), "{text} is missing in {page}");
}
