use http::StatusCode;

use super::*;
use crate::pages::assert_safe;

// Proves: threats 48
/// Fails if the second form is written over the first.
#[tokio::test]
async fn the_second_of_two_administrators_sees_what_the_first_has_changed() {
    let harness = school().await;
    let mut first = harness.browser_of(ADMIN).await;
    let mut second = harness.browser_of(ADMIN).await;
    let path = "/admin/school/students/1";
    let theirs = form_of(&second.get(path).await.body);
    let answer = submit(&mut first, path, &[("classNum", "1"), ("specialty", "Go")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let typed = with_fields(&theirs, &[("number", "8"), ("specialty", "Zig")]);
    let answer = post(&mut second, path, &typed).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert_safe(&answer);
    let page = &answer.body;
    assert_eq!(page.matches("Current value:").count(), 2, "{page}");
    assert!(
        page.contains("<bdi>Go</bdi>") && page.contains("value=\"Zig\""),
        "{page}"
    );
    let shown = form_of(page);
    let value = |name: &str| &shown.iter().find(|(known, _)| known == name).unwrap().1;
    assert_eq!((&**value("classNum"), &**value("number")), ("1", "8"));
    assert_eq!(
        student(&harness, 1)
            .await
            .student
            .enrollment()
            .unwrap()
            .student_number(),
        2107,
        "nothing of the second form is written"
    );
    let answer = post(&mut second, path, &shown).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let saved = student(&harness, 1).await.student;
    assert_eq!(saved.enrollment().unwrap().student_number(), 2108);
    assert_eq!(saved.specialty.as_deref(), Some("Zig"));
}

#[tokio::test]
async fn a_change_of_another_record_is_in_nobodys_way() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let path = "/admin/school/students/1";
    let form = form_of(&browser.get(path).await.body);
    submit(
        &mut browser,
        "/admin/school/students/5",
        &[("classNum", "2")],
    )
    .await;
    let answer = post(&mut browser, path, &with_fields(&form, &[("number", "8")])).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
}

#[tokio::test]
async fn a_record_that_was_removed_meanwhile_is_not_made_again() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let path = "/admin/school/projects/2";
    let form = form_of(&browser.get(path).await.body);
    let removal = "/admin/school/projects/change?action=remove&id=2";
    submit(&mut browser, removal, &[]).await;
    let answer = post(&mut browser, path, &with_fields(&form, &[("name", "x")])).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{answer:?}");
}

// Proves: threats 48
/// Fails if one of two forms is lost, or both are written over each other.
#[tokio::test]
async fn of_two_forms_at_the_same_time_one_is_written() {
    let harness = school().await;
    let mut first = harness.browser_of(ADMIN).await;
    let mut second = harness.browser_of(ADMIN).await;
    let path = "/admin/school/students/1";
    let mine = with_fields(&form_of(&first.get(path).await.body), &[("number", "1")]);
    let theirs = with_fields(&form_of(&second.get(path).await.body), &[("number", "2")]);
    let (one, other) = tokio::join!(
        post(&mut first, path, &mine),
        post(&mut second, path, &theirs)
    );
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::SEE_OTHER, StatusCode::CONFLICT]);
    assert_eq!(edits(&harness).len(), 1);
}

// Proves: threats 48
/// Fails if a selection is changed over what somebody else has written since it was shown, or the
/// page does not say what that is.
#[tokio::test]
async fn the_second_of_two_administrators_sees_what_has_changed_in_a_selection() {
    let harness = school().await;
    let mut first = harness.browser_of(ADMIN).await;
    let mut second = harness.browser_of(ADMIN).await;
    let change = "/admin/school/students/change";
    let path = format!("{change}?id=1&id=3&id=5&action=class&classNum=2");
    let theirs = form_of(&second.get(&path).await.body);
    let removal = format!("{change}?id=3&action=remove");
    for (path, fields) in [
        ("/admin/school/students/1", [("classNum", "4")]),
        (&removal, [("action", "remove")]),
    ] {
        let answer = submit(&mut first, path, &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    }
    let answer = post(&mut second, change, &theirs).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert_safe(&answer);
    let meanwhile = changed_meanwhile(&answer.body);
    assert!(
        meanwhile.contains("Records before: 3, now: 2")
            && meanwhile.contains("김하늘")
            && !meanwhile.contains("Bob"),
        "{meanwhile}"
    );
    assert!(
        answer.body.contains("<del><bdi>4</bdi></del>"),
        "what the first has written: {}",
        answer.body
    );
    let enrolled = student(&harness, 1).await.student;
    assert_eq!(enrolled.enrollment().unwrap().class_num.get(), 4);
    assert_eq!(edits(&harness).len(), 2, "the selection is not changed");
    let answer = post(&mut second, change, &form_of(&answer.body)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
}
