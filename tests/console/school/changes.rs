use http::StatusCode;
use lyceum::domain::{RecordKind, StudentRole};
use lyceum::http::audit::{Change, EventKind};

use super::*;
use crate::pages::assert_safe;

const CHANGE: &str = "/admin/school/students/change";

#[tokio::test]
async fn selected_students_move_to_a_class_and_change_their_major() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get(&format!("{CHANGE}?id=1&id=5")).await;
    assert!(
        page.body.contains("김하늘") && page.body.contains("Bob"),
        "{page:?}"
    );
    let path = format!("{CHANGE}?id=1&id=5&action=class&classNum=2&grade=3");
    let page = browser.get(&path).await;
    assert_safe(&page);
    assert!(page.body.contains("2 records change"), "{}", page.body);
    let answer = submit(&mut browser, &path, &[]).await;
    assert_eq!(
        answer.location(),
        "/console/admin/school/students?done=saved"
    );
    let number = async |id| {
        student(&harness, id)
            .await
            .student
            .enrollment()
            .unwrap()
            .student_number()
    };
    assert_eq!((number(1).await, number(5).await), (3207, 3203));
    let path = format!("{CHANGE}?id=1&id=5&action=major&major=SMART_IOT");
    assert_eq!(
        submit(&mut browser, &path, &[]).await.status,
        StatusCode::SEE_OTHER
    );
    for id in [1, 5] {
        let student = student(&harness, id).await.student;
        assert_eq!(student.enrollment().unwrap().major.as_str(), "SMART_IOT");
    }
    let events = edits(&harness);
    let [
        EventKind::Edited {
            kind,
            change,
            records,
            record,
            fields,
            versions,
            ..
        },
        _,
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(
        (*kind, *change, *records, *record, &fields[..]),
        (RecordKind::Students, Change::Changed, 2, None, &[][..])
    );
    assert_eq!(versions[1], versions[0] + 1, "one transition");
}

#[tokio::test]
async fn who_graduates_or_leaves_or_is_removed_shows_what_changes_with_it() {
    for (action, role) in [
        ("graduate", Some(StudentRole::Graduate)),
        ("withdraw", Some(StudentRole::Withdrawn)),
        ("remove", None),
    ] {
        let harness = school().await;
        let mut browser = harness.browser_of(ADMIN).await;
        let path = format!("{CHANGE}?id=2&action={action}");
        let page = browser.get(&path).await;
        assert_safe(&page);
        let consequences = page.body.split("id=\"consequences\"").nth(1);
        let consequences = consequences.unwrap_or_else(|| panic!("{}", page.body));
        assert!(
            consequences.contains("Robotics"),
            "the club loses its leader: {}",
            page.body
        );
        let answer = submit(&mut browser, &path, &[]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
        let snapshot = harness.directory.snapshot().await.unwrap();
        let student = snapshot.students().get(2);
        assert_eq!(student.map(|it| it.student.role()), role);
        assert_eq!(club(&harness, 1).await.club.leader, None);
    }
}

#[tokio::test]
async fn refused_changes_have_their_message_and_nothing_is_written() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    for (query, field) in [
        ("action=class&classNum=9", "classNum"),
        ("action=class", "classNum"),
        ("action=class&classNum=1&grade=x", "grade"),
        ("action=major&major=COOKING", "major"),
    ] {
        let page = browser.get(&format!("{CHANGE}?id=1&{query}")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{query}: {page:?}");
        assert!(
            !fault(&page.body, field).is_empty(),
            "{query}: {}",
            page.body
        );
        assert_safe(&page);
    }
    let graduate = browser
        .get(&format!("{CHANGE}?id=6&action=class&classNum=1"))
        .await;
    assert_eq!(graduate.status, StatusCode::BAD_REQUEST, "{graduate:?}");
    for query in ["", "id=", "id=x&action=remove", "id=99&action=remove"] {
        let page = browser.get(&format!("{CHANGE}?{query}")).await;
        assert!(
            page.body.contains("No records are selected"),
            "{query}: {page:?}"
        );
    }
    let clubs = browser
        .get("/admin/school/clubs/change?id=1&action=graduate")
        .await;
    assert!(!clubs.body.contains("value=\"graduate\""), "{clubs:?}");
    assert_eq!(edits(&harness), []);
}

// Proves: threats 48
/// Fails if something is done that was not shown, or the page does not say who has changed.
#[tokio::test]
async fn only_what_was_shown_is_done() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let path = format!("{CHANGE}?id=2&action=remove");
    let shown = form_of(&browser.get(&path).await.body);
    // Somebody else takes the office of the leader away.
    submit(&mut browser, "/admin/school/clubs/1", &[("leader.id", "1")]).await;
    let answer = post(&mut browser, CHANGE, &shown).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert!(
        answer.body.contains("have changed since the preview"),
        "{}",
        answer.body
    );
    assert_eq!(changed_meanwhile(&answer.body), "", "no selected student");
    let shown = form_of(&answer.body);
    // Somebody else corrects a field that the page does not show.
    submit(
        &mut browser,
        "/admin/school/students/2",
        &[("specialty", "Zig")],
    )
    .await;
    let answer = post(&mut browser, CHANGE, &shown).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert!(
        changed_meanwhile(&answer.body).contains("Åsa Öberg"),
        "{}",
        answer.body
    );
    let shown = form_of(&answer.body);
    // A change of something else does not matter.
    submit(&mut browser, "/admin/school/students/5", &[("number", "9")]).await;
    let answer = post(&mut browser, CHANGE, &shown).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let snapshot = harness.directory.snapshot().await.unwrap();
    assert!(snapshot.students().get(2).is_none());
    let forged = with_fields(&shown, &[("id", "1")]);
    let answer = post(&mut browser, CHANGE, &forged).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert!(
        harness
            .directory
            .snapshot()
            .await
            .unwrap()
            .students()
            .get(1)
            .is_some()
    );
}

// Proves: threats 45
/// Fails if a student who has left keeps the access until somebody else looks.
#[tokio::test]
async fn the_account_of_a_student_who_graduates_is_suspended_with_the_change() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let mut theirs = harness.browser_of(EMAIL).await;
    let answer = submit(
        &mut browser,
        "/admin/school/students/1",
        &[("email", EMAIL)],
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(theirs.get("/").await.status, StatusCode::OK);
    let path = format!("{CHANGE}?id=1&action=graduate");
    let answer = submit(&mut browser, &path, &[]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(theirs.get("/").await.status, StatusCode::SEE_OTHER);
    let answer = harness.browser().sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}
