//! The turn of the school year, its undo and the history.

use http::{Method, StatusCode};
use lyceum::domain::{Club, StudentId, SubjectId};

use super::*;
use crate::page_assertions::{assert_guarded, assert_page};
use crate::pages::assert_safe;

const YEAR: &str = "/admin/year";
const TURN: &str = "/admin/year/turn";
const UNDO: &str = "/admin/year/undo";
const HISTORY: &str = "/admin/school/history";

/// A console with the school editor and a school with a history. A student of the last grade leads
/// the second club.
async fn school_with_history() -> Harness {
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let harness = Harness::with_school_year(|auth| auth.management_limit(many)).await;
    write(&harness, school_fixtures::changes()).await;
    let led = Club {
        leader: Some(StudentId::new(3).unwrap()),
        ..club(&harness, 2).await.club
    };
    write(&harness, vec![led.into()]).await;
    harness
}

async fn write(harness: &Harness, changes: Vec<lyceum::directory::DirectoryChange>) {
    let written = harness.directory.write(changes).await.unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)), "{written:?}");
}

/// The events about turns of the school year.
fn turns(harness: &Harness) -> Vec<EventKind> {
    let events = harness.log.events().into_iter().map(|event| event.kind);
    let is_turn = |kind: &EventKind| {
        matches!(
            kind,
            EventKind::YearTurned { .. } | EventKind::YearTurnUndone { .. }
        )
    };
    events.filter(is_turn).collect()
}

async fn number(harness: &Harness, id: i64) -> Option<i32> {
    let student = student(harness, id).await.student;
    let enrollment = student.enrollment()?;
    Some(enrollment.student_number())
}

/// The code of a plan, if it can be applied.
fn code_of(page: &str) -> Option<&str> {
    let rest = page.split("name=\"apply\" value=\"").nth(1)?;
    rest.split('"').next()
}

/// Presses the button that applies a plan.
async fn apply(browser: &mut Browser, path: &str, page: &str) -> TestResponse {
    let code = code_of(page).expect("the plan can be applied").to_owned();
    let mut fields = form_of(page);
    fields.push(("apply".to_owned(), code));
    post(browser, path, &fields).await
}

fn assert_shows(page: &TestResponse, texts: &[&str]) {
    for text in texts {
        assert!(page.body.contains(text), "{text}: {}", page.body);
    }
}

#[tokio::test]
async fn a_year_is_turned_as_shown_is_in_the_history_and_is_undone() {
    let harness = school_with_history().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = assert_page(&harness, &mut browser, YEAR).await;
    assert_shows(&page, &["School year 2025", "not ended yet", TURN]);
    let page = assert_page(&harness, &mut browser, TURN).await;
    assert_shows(&page, &["이준", "3418", "2307", "3307", "밴드부"]);
    assert_eq!(turns(&harness), [], "nothing is written yet");
    let answer = apply(&mut browser, TURN, &page.body).await;
    assert_eq!(answer.location(), "/console/admin/year?done=year-turned");
    assert_eq!(number(&harness, 1).await, Some(3307));
    assert_eq!(number(&harness, 3).await, None);
    let events = turns(&harness);
    let [
        EventKind::YearTurned {
            by,
            year,
            graduated,
            moved,
            added,
            versions,
        },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_ne!(*by, SubjectId::service());
    assert_eq!((year.get(), *graduated, *moved, *added), (2025, 1, 4, 0));
    assert_eq!(versions[1], versions[0] + 1);

    let page = browser.get(YEAR).await;
    assert_shows(&page, &["Can be undone until", ADMIN, "2026-01-02"]);
    assert!(!page.body.contains(TURN), "{}", page.body);
    let page = browser.get(TURN).await;
    assert_shows(&page, &["has ended already"]);
    assert_eq!(code_of(&page.body), None);

    assert_page(&harness, &mut browser, HISTORY).await;
    let page = browser.get(&format!("{HISTORY}?year=2025&class=3-4")).await;
    assert_shows(&page, &["이준", "graduated", "밴드부"]);
    assert!(!page.body.contains("Bob"), "{}", page.body);
    let page = browser.get(&format!("{HISTORY}?student=5")).await;
    assert_shows(&page, &["Bob", "2-1", "end of the year"]);
    assert!(!page.body.contains("이준"), "{}", page.body);
    for query in ["class=x", "class=3-0", "year=0", "student=-1"] {
        let page = browser.get(&format!("{HISTORY}?{query}")).await;
        assert_eq!(page.status, StatusCode::OK, "{query}: {page:?}");
        assert_safe(&page);
        assert_shows(&page, &["Check the marked filters"]);
    }

    // What has changed since stays as it is.
    submit(&mut browser, "/admin/school/students/5", &[("number", "9")]).await;
    let page = assert_page(&harness, &mut browser, UNDO).await;
    let changed =
        "Has another class, number, club, room or role since the new school year started.";
    assert_shows(&page, &["이준", "3418", "밴드부", "Bob", changed]);
    // As the command shows it: what comes back with the class, and the leader of the club.
    let office = "Role: <bdi>Graduate</bdi> → <bdi>Dormitory manager</bdi>";
    let leader = "<dt>Leader</dt><dd><ins><bdi>이준</bdi></ins></dd>";
    assert_shows(&page, &[office, "Dormitory room", leader]);
    let answer = apply(&mut browser, UNDO, &page.body).await;
    assert_eq!(answer.location(), "/console/admin/year?done=year-undone");
    assert_eq!(number(&harness, 3).await, Some(3418));
    assert_eq!(number(&harness, 5).await, Some(3109));
    assert!(club(&harness, 2).await.club.leader.is_some());
    let events = turns(&harness);
    let Some(EventKind::YearTurnUndone {
        by,
        restored,
        removed,
        ..
    }) = events.get(1)
    else {
        panic!("{events:?}")
    };
    assert_ne!(*by, SubjectId::service());
    assert_eq!((*restored, *removed), (4, 0));
    assert_shows(&browser.get(YEAR).await, &["Undone on", "not ended yet"]);
    // The entry of a student who was not restored stays.
    let page = browser.get(HISTORY).await;
    assert_shows(&page, &["Bob"]);
    assert!(!page.body.contains("이준"), "{}", page.body);
    let answer = browser.get(UNDO).await;
    assert_eq!(
        answer.location(),
        "/console/admin/year?done=nothing-to-undo"
    );
}

// Proves: threats 46
/// Fails if a plan is applied to another version than it was made for, or with other options.
#[tokio::test]
async fn a_plan_of_a_turn_that_was_not_shown_is_not_applied() {
    let harness = school_with_history().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get(TURN).await;
    submit(&mut browser, "/admin/school/students/5", &[("number", "9")]).await;
    let answer = apply(&mut browser, TURN, &page.body).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert_safe(&answer);
    assert_shows(&answer, &["have changed since the preview", "3109"]);
    let page = answer;
    let mut fields = form_of(&page.body);
    for (name, value) in [
        ("reset_roles", "true"),
        ("apply", code_of(&page.body).unwrap()),
    ] {
        fields.push((name.to_owned(), value.to_owned()));
    }
    let answer = post(&mut browser, TURN, &fields).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert_eq!(
        (turns(&harness), number(&harness, 3).await),
        (vec![], Some(3418))
    );
    // The page that came instead has the option.
    let answer = apply(&mut browser, TURN, &answer.body).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let councillor = student(&harness, 2).await.student;
    let role = councillor.enrollment().unwrap().role;
    assert_eq!(role, lyceum::domain::EnrolledRole::GeneralStudent);

    let page = browser.get(UNDO).await;
    submit(&mut browser, "/admin/school/students/5", &[("number", "8")]).await;
    let answer = apply(&mut browser, UNDO, &page.body).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "{answer:?}");
    assert_shows(&answer, &["have changed since the preview"]);
    assert_eq!(
        (turns(&harness).len(), number(&harness, 3).await),
        (1, None)
    );
}

#[tokio::test]
async fn two_students_of_one_number_move_up_and_an_undo_gives_none_to_two() {
    let harness = school_with_history().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let same = [("classNum", "3"), ("number", "7")];
    submit(&mut browser, "/admin/school/students/5", &same).await;
    let page = browser.get(TURN).await;
    apply(&mut browser, TURN, &page.body).await;
    assert_eq!(number(&harness, 5).await, Some(3307));
    let taken = [
        ("grade", "2"),
        ("classNum", "3"),
        ("number", "7"),
        ("major", "AI"),
    ];
    submit(&mut browser, "/admin/school/students/4", &taken).await;
    let page = browser.get(UNDO).await;
    let reason = "Student number 2307 also belongs to 박서연.";
    assert_shows(&page, &[reason]);
    apply(&mut browser, UNDO, &page.body).await;
    assert_eq!(number(&harness, 1).await, Some(3307));
    assert_eq!(number(&harness, 2).await, Some(1101));
}

#[tokio::test]
async fn a_turn_is_not_undone_after_a_day() {
    let harness = school_with_history().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get(TURN).await;
    apply(&mut browser, TURN, &page.body).await;
    let page = browser.get(UNDO).await;
    let code = code_of(&page.body).unwrap().to_owned();
    harness.clock.advance(24 * 60 * MINUTE);
    let mut browser = harness.browser_of(ADMIN).await;
    assert_shows(&browser.get(YEAR).await, &["a day has passed"]);
    let token = form_token(&browser.get(YEAR).await.body);
    let fields = [("form_token", &*token), ("apply", &*code)];
    for answer in [browser.get(UNDO).await, browser.post(UNDO, &fields).await] {
        assert_eq!(
            answer.location(),
            "/console/admin/year?done=nothing-to-undo"
        );
    }
    assert_eq!(
        (turns(&harness).len(), number(&harness, 3).await),
        (1, None)
    );
}

#[tokio::test]
async fn the_account_of_a_student_who_graduates_is_suspended_with_the_turn_until_the_undo() {
    let harness = school_with_history().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let mut theirs = harness.browser_of(EMAIL).await;
    submit(
        &mut browser,
        "/admin/school/students/3",
        &[("email", EMAIL)],
    )
    .await;
    assert_eq!(theirs.get("/").await.status, StatusCode::OK);
    let page = browser.get(TURN).await;
    apply(&mut browser, TURN, &page.body).await;
    let answer = harness.browser().sign_in(EMAIL, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    let page = browser.get(UNDO).await;
    apply(&mut browser, UNDO, &page.body).await;
    harness.browser_of(EMAIL).await;
}

#[tokio::test]
async fn only_administrators_of_a_school_with_a_history_have_the_pages_of_the_year() {
    let with_history = school_with_history().await;
    let mut other = with_history.browser_of(EMAIL).await;
    let mut browser = with_history.browser_of(ADMIN).await;
    assert_guarded(&mut browser, &mut other, TURN, &[("apply", "x")]).await;
    let people = "/admin/people";
    assert_shows(&browser.get(people).await, &["/console/admin/year\""]);
    let without_history = school().await;
    let without_editor = Harness::new().await;
    let mut administrators = [
        without_history.browser_of(ADMIN).await,
        without_editor.browser_of(ADMIN).await,
    ];
    for path in [YEAR, TURN, UNDO, HISTORY] {
        let answer = other.get(path).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        for browser in &mut administrators {
            let answer = browser.get(path).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
            assert!(!browser.get(people).await.body.contains(YEAR));
        }
    }
    for path in [TURN, UNDO] {
        let token = form_token(&other.get("/").await.body);
        let body = format!("form_token={token}&apply=x");
        let form = Some("application/x-www-form-urlencoded");
        let answer = other.send(Method::POST, path, form, &body).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(turns(&with_history), []);
}
