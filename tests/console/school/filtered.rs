//! Changes of all records that match a filter.

use http::StatusCode;
use lyceum::domain::{Major, Student, StudentId};

use super::*;
use crate::pages::assert_safe;

const LIST: &str = "/admin/school/students";

/// The address of a form that is sent with GET.
fn address(path: &str, fields: &Fields) -> String {
    let encode = |text: &str| -> String { text.bytes().map(|it| format!("%{it:02X}")).collect() };
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

fn and(mut fields: Fields, more: &[(&str, &str)]) -> Fields {
    fields.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    let more = more.iter();
    fields.extend(more.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    fields
}

/// Presses the button below a list that changes all that match, and chooses what happens to them.
async fn plan_for_all(browser: &mut Browser, list: &str, choices: &[(&str, &str)]) -> TestResponse {
    let page = browser.get(list).await;
    let fields = and(form_of(&page.body), &[("all", "true")]);
    let change = format!("{}/change", list.split('?').next().unwrap());
    let page = browser.get(&address(&change, &fields)).await;
    assert_safe(&page);
    let fields = and(form_of(&page.body), choices);
    browser.get(&address(&change, &fields)).await
}

fn value<'a>(fields: &'a Fields, name: &str) -> &'a str {
    let field = fields.iter().find(|(known, _)| known == name);
    &field.unwrap_or_else(|| panic!("{name}: {fields:?}")).1
}

/// Writes copies of a student with ids from 1001 on.
async fn copies(harness: &Harness, count: i64) {
    let one = student(harness, 5).await.student;
    let copy = |number: i64| Student {
        id: StudentId::new(1000 + number).unwrap(),
        name: format!("Copy {number}").parse().unwrap(),
        email: format!("copy{number}@school.example").parse().unwrap(),
        ..one.clone()
    };
    let changes = (1..=count).map(|number| copy(number).into()).collect();
    let written = harness.directory.write(changes).await.unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)));
}

/// Fails if the button takes the checked records or those of the page alone.
#[tokio::test]
async fn all_students_that_match_the_filter_are_changed_also_those_on_other_pages() {
    let harness = school().await;
    copies(&harness, 120).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let list = format!("{LIST}?grade=2&name=copy&sortBy=NAME&page=1");
    let page = browser.get(&list).await;
    assert_safe(&page);
    assert!(
        page.body.contains("Change all 120 matching records"),
        "{}",
        page.body
    );
    let choices = [("action", "major"), ("major", "SMART_IOT")];
    let plan = plan_for_all(&mut browser, &list, &choices).await;
    assert_safe(&plan);
    assert!(plan.body.contains("120 records change"), "{}", plan.body);
    assert_eq!(changed_meanwhile(&plan.body), "");
    assert_eq!(plan.body.matches("<th scope=\"row\">").count(), 100);
    assert!(plan.body.contains("Copy 1<") && !plan.body.contains("Copy 120<"));
    let next = plan.body.split("rel=\"next\" href=\"").nth(1).unwrap();
    let next = next.split('"').next().unwrap();
    let next = next.replace("&#38;", "&").replace("&amp;", "&");
    let second = browser.get(&format!("{LIST}/change{next}")).await;
    assert_safe(&second);
    assert!(second.body.contains("Copy 120<"), "{}", second.body);
    let answer = post(
        &mut browser,
        &format!("{LIST}/change"),
        &form_of(&second.body),
    )
    .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let snapshot = harness.directory.snapshot().await.unwrap();
    let is_moved = |it: &&StudentProfile| {
        let enrollment = it.student.enrollment();
        enrollment.is_some_and(|it| it.major == Major::SMART_IOT)
    };
    // One had the major before.
    assert_eq!(snapshot.students().iter().filter(is_moved).count(), 121);
    let edits = edits(&harness);
    let [
        EventKind::Edited {
            records, versions, ..
        },
    ] = &edits[..]
    else {
        panic!("{edits:?}")
    };
    assert_eq!((*records, versions[1]), (120, versions[0] + 1));
}

// Proves: threats 48
/// Fails if a record that nobody has seen is changed because it matches now, or if a page keeps
/// silent about what has changed.
#[tokio::test]
async fn records_that_match_or_change_meanwhile_are_shown_before_anything_is_done() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let list = format!("{LIST}?grade=1");
    let choices = [("action", "class"), ("classNum", "3")];
    let change = format!("{LIST}/change");
    let plan = form_of(&plan_for_all(&mut browser, &list, &choices).await.body);
    // A third student comes to the grade, and one of the two changes the class.
    submit(&mut browser, &format!("{LIST}/5"), &[("grade", "1")]).await;
    submit(&mut browser, &format!("{LIST}/4"), &[("classNum", "4")]).await;
    let answer = post(&mut browser, &change, &plan).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert_safe(&answer);
    let meanwhile = changed_meanwhile(&answer.body);
    assert!(
        meanwhile.contains("Records before: 2, now: 3")
            && meanwhile.contains("박서연")
            && meanwhile.contains("Bob")
            && !meanwhile.contains("Åsa"),
        "{meanwhile}"
    );
    let (changed, same) = (answer.body.rfind("Bob<"), answer.body.rfind("Åsa"));
    assert!(changed < same, "what has changed comes first");
    assert!(
        answer.body.contains("<del><bdi>4</bdi></del>"),
        "the class that the student has now: {}",
        answer.body
    );
    assert_eq!(edits(&harness).len(), 2, "nothing of the plan is written");
    // What is shown now is done.
    let answer = post(&mut browser, &change, &form_of(&answer.body)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    for id in [2, 4, 5] {
        let student = student(&harness, id).await.student;
        assert_eq!(student.enrollment().unwrap().class_num.get(), 3);
    }
}

/// Fails if the pages between the list and the plan say nothing, or the plan of a filter that
/// matches nothing any more is a mystery.
#[tokio::test]
async fn a_list_that_is_no_longer_as_it_was_shown_is_announced() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let list = format!("{LIST}?grade=3");
    let shown = and(
        form_of(&browser.get(&list).await.body),
        &[("all", "true"), ("action", "graduate")],
    );
    let removal = format!("{LIST}/change?action=remove&id=3");
    submit(&mut browser, &removal, &[]).await;
    submit(&mut browser, &format!("{LIST}/5"), &[("grade", "3")]).await;
    let change = format!("{LIST}/change");
    let plan = browser.get(&address(&change, &shown)).await;
    assert!(changed_meanwhile(&plan.body).contains("Bob"), "{plan:?}");
    submit(&mut browser, &format!("{LIST}/5"), &[("grade", "2")]).await;
    let answer = post(&mut browser, &change, &form_of(&plan.body)).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert!(
        answer.body.contains("Records before: 1, now: 0"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_filter_with_a_fault_or_without_a_match_changes_nothing() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    for filter in ["grade%3D9", "grade%3D1%26grade%3D2", "name%3D%25zz"] {
        let path = format!("{LIST}/change?all=true&filter={filter}&action=graduate");
        let page = browser.get(&path).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{filter}: {page:?}");
    }
    for filter in ["name%3Dnobody", "name%3Dnobody%26page%3D7%26unknown%3Dx"] {
        let path = format!("{LIST}/change?all=true&filter={filter}&action=graduate");
        let page = browser.get(&path).await;
        assert!(page.body.contains("No records are selected"), "{page:?}");
    }
}

/// Fails if a part is changed in silence, or more than the limit is.
#[tokio::test]
async fn more_records_than_the_limit_are_refused_with_what_to_do() {
    let harness = school().await;
    copies(&harness, 5000).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let choices = [("action", "withdraw")];
    let list = format!("{LIST}?grade=2&name=copy");
    let plan = plan_for_all(&mut browser, &list, &choices).await;
    assert!(plan.body.contains("5000 records change"), "{}", plan.body);
    let page = browser.get(LIST).await;
    let fields = and(form_of(&page.body), &[("all", "true")]);
    assert!(value(&fields, "count") > "5000");
    let change = format!("{LIST}/change");
    let checked: String = (1001..1502).map(|id| format!("&id={id}")).collect();
    for path in [
        address(&change, &fields),
        format!("{change}?action=remove{checked}"),
    ] {
        let page = browser.get(&path).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(
            page.body.contains("You can change up to 5,000"),
            "{}",
            page.body
        );
        assert!(!page.body.contains("name=\"action\""));
    }
    let fields = and(form_of(&plan.body), &[("filter", "")]);
    let answer = post(&mut browser, &change, &fields).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert!(
        answer.body.contains("You can change up to 5,000"),
        "{}",
        answer.body
    );
    assert_eq!(edits(&harness), []);
}
