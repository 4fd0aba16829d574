//! The day of a student on the start page.

use lyceum::directory::DirectoryChange;
use lyceum::domain::{Dish, Grade, Lesson, Meal, MealType, Quota, SchoolEvent, Student};
use lyceum::http::Clock;
use lyceum::http::audit::EventKind;

use super::*;
use crate::fixtures::DAY;
use crate::pages::assert_safe;
use crate::school_fixtures::{event, lesson, meal};

/// A harness in which the student with this number has an address. The fifth is in class 2-1, and
/// the sixth has left the school.
async fn harness_of(number: i64, email: &str) -> Harness {
    school_of(number, email).await.0
}

/// The same with the data API of the school.
async fn school_of(number: i64, email: &str) -> (Harness, DataApi) {
    let editor = Harness::with_school_editor(|auth| auth).await;
    let (harness, api) = with_data(editor, |builder| builder).await;
    let school = harness.directory.snapshot().await.unwrap();
    let mut students = school.students().iter();
    let student = students.find(|it| it.student.id.get() == number).unwrap();
    let own = Student {
        email: email.parse().unwrap(),
        ..student.student.clone()
    };
    write(&harness, DirectoryChange::PutStudent(own)).await;
    (harness, api)
}

async fn write(harness: &Harness, change: impl Into<DirectoryChange>) {
    let written = harness.directory.write(vec![change.into()]).await.unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)), "{written:?}");
}

/// The card of the day, without what is around it.
fn card(page: &TestResponse) -> &str {
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    assert_safe(page);
    let (_, card) = page.body.split_once("aria-labelledby=\"today\">").unwrap();
    card.split("</section>").next().unwrap()
}

/// An event for these grades; for everybody without any.
fn event_for(grades: &[i64], id: &str, date: &str, name: &str) -> SchoolEvent {
    let grades = grades.iter().map(|grade| Grade::new(*grade).unwrap());
    SchoolEvent {
        target_grades: grades.collect(),
        ..event(id, date, name)
    }
}

/// A meal of one dish.
fn meal_of(date: &str, kind: MealType, dish: &str) -> Meal {
    Meal {
        dishes: vec![Dish::new(dish.parse().unwrap(), Vec::new()).unwrap()],
        ..meal(date, kind)
    }
}

/// The lists that administrators looked at.
fn looks(harness: &Harness) -> Vec<&'static str> {
    let events = harness.log.events().into_iter();
    let looks = events.filter_map(|event| match event.kind {
        EventKind::DataViewed { list, .. } => Some(list),
        _ => None,
    });
    looks.collect()
}

/// Fails if a student sees the lessons of another class, or those of another day.
#[tokio::test]
async fn a_student_has_the_lessons_the_lunch_and_the_events_of_today_on_the_start_page() {
    let harness = harness_of(5, EMAIL).await;
    let of_today = Lesson {
        subject: Some("<Rust>".parse().unwrap()),
        classroom: Some("Room 301".parse().unwrap()),
        ..lesson("a", 2, 1, 3)
    };
    let of_tomorrow = Lesson {
        date: "2026-11-22".parse().unwrap(),
        subject: Some("Chemistry".parse().unwrap()),
        ..lesson("b", 2, 1, 1)
    };
    write(&harness, of_today).await;
    write(&harness, of_tomorrow).await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/").await;
    let day = card(&page);
    for text in [
        "Grade 2, class 1",
        "<li value=\"1\"><b>Mathematics</b></li>",
        "<li value=\"3\"><b>&#60;Rust&#62;</b> <small>Room 301</small></li>",
        "비빔밥 · 물",
        "href=\"/console/week\"",
    ] {
        assert!(day.contains(text), "{text} is missing in {day}");
    }
    for text in ["Chemistry", "Sports", "No lessons", "Next school day"] {
        assert!(!day.contains(text), "{text} is in {day}");
    }
    browser.language = "ko";
    let page = browser.get("/").await;
    assert!(card(&page).contains("2학년 1반"), "{}", page.body);
}

/// Fails if a day without lessons shows nothing, or the lunch of a day without school.
#[tokio::test]
async fn on_a_day_without_lessons_the_card_says_so_and_shows_the_next_school_day() {
    let harness = harness_of(5, EMAIL).await;
    let lesson = Lesson {
        date: "2026-11-24".parse().unwrap(),
        subject: Some("Rust".parse().unwrap()),
        ..lesson("a", 2, 1, 3)
    };
    write(&harness, lesson).await;
    let holiday = SchoolEvent {
        day_category: Some("휴업일".parse().unwrap()),
        ..event_for(&[], "h", "2026-11-22", "Founding day")
    };
    write(&harness, holiday).await;
    write(&harness, event_for(&[2], "n", "2026-11-24", "Concert")).await;
    write(&harness, meal("2026-11-24", MealType::Breakfast)).await;
    write(&harness, meal_of("2026-11-24", MealType::Lunch, "Soup")).await;
    harness.clock.advance(DAY);
    let page = browser(&harness).await.get("/").await;
    let day = card(&page);
    let (today, next) = day.split_once("<h3>Next school day: ").unwrap();
    for text in [
        "No classes</span>",
        "Founding day",
        "No lessons are listed for today.",
    ] {
        assert!(today.contains(text), "{text} is missing in {today}");
    }
    for text in [
        "Tue, November 24</h3>",
        "Concert",
        "<b>Rust</b>",
        "href=\"/console/week/meals?date=2026-11-24&#38;meal=LUNCH\">Lunch</a>",
        "Soup",
    ] {
        assert!(next.contains(text), "{text} is missing in {next}");
    }
    assert!(
        !day.contains("Mathematics") && !day.contains("비빔밥"),
        "{day}"
    );
    harness.clock.advance(DAY * 3);
    let page = harness.browser_of(EMAIL).await.get("/").await;
    let day = card(&page);
    assert!(
        day.contains("No lessons are listed for today.") && !day.contains("<h3>"),
        "{day}"
    );
}

/// Fails if dinner time shows lunch, or a meal that is not served hides those that are.
#[tokio::test]
async fn the_card_shows_the_meal_that_comes_next_by_the_clock_of_the_school() {
    const TODAY: &str = "2026-11-21";
    let school = || async {
        let harness = harness_of(5, EMAIL).await;
        keep(&harness, key(&harness, 1)).await;
        harness
    };
    let shown = async |harness: &Harness| {
        // Sessions end meanwhile.
        let page = harness.browser_of(EMAIL).await.get("/").await;
        let (_, meal) = card(&page).split_once("/week/meals?meal=").unwrap();
        let (kind, rest) = meal.split_once("\">").unwrap();
        let (_, dishes) = rest.split_once("<p>").unwrap();
        (
            kind.to_owned(),
            dishes.split('<').next().unwrap().to_owned(),
        )
    };
    let is = |kind: &str, dishes: &str| (kind.to_owned(), dishes.to_owned());
    let harness = school().await;
    write(&harness, meal_of(TODAY, MealType::Breakfast, "Toast")).await;
    // The clock begins half an hour past midnight.
    for (minutes, kind, dishes) in [
        (0, "BREAKFAST", "Toast"),
        (8 * 60 + 29, "BREAKFAST", "Toast"),
        (1, "LUNCH", "비빔밥 · 물"),
        (4 * 60 + 59, "LUNCH", "비빔밥 · 물"),
        (1, "LUNCH", "비빔밥 · 물"),
    ] {
        harness.clock.advance(MINUTE * minutes);
        let now = harness.clock.now();
        assert_eq!(shown(&harness).await, is(kind, dishes), "{now}");
    }
    write(&harness, meal_of(TODAY, MealType::Dinner, "Curry")).await;
    assert_eq!(shown(&harness).await, is("DINNER", "Curry"));

    let harness = school().await;
    let unknown = Meal {
        dishes: Vec::new(),
        ..meal(TODAY, MealType::Lunch)
    };
    write(&harness, unknown).await;
    write(&harness, meal_of(TODAY, MealType::Dinner, "Curry")).await;
    harness.clock.advance(MINUTE * 60 * 11);
    assert_eq!(shown(&harness).await, is("DINNER", "Curry"));
}

/// Fails if a student reads about the events of other grades first, or misses those for everybody.
#[tokio::test]
async fn events_are_those_for_the_grade_of_the_student_and_those_for_everybody() {
    let harness = harness_of(5, EMAIL).await;
    let day_off = SchoolEvent {
        day_category: Some("휴업일".parse().unwrap()),
        ..event_for(&[1], "o", "2026-11-21", "Trip of the first grade")
    };
    write(&harness, day_off).await;
    for (id, date, grades, name) in [
        ("a", "2026-11-21", &[2][..], "Own trip"),
        ("b", "2026-11-21", &[2, 3], "Career day"),
        ("c", "2026-11-21", &[1, 2, 3], "Fire drill"),
        ("d", "2026-11-21", &[], "Open door"),
    ] {
        write(&harness, event_for(grades, id, date, name)).await;
    }
    let page = browser(&harness).await.get("/").await;
    let day = card(&page);
    for text in [
        "<li>Own trip<small>Grade 2</small></li>",
        "<li>Career day<small>Grade 2, 3</small></li>",
        "<li>Fire drill</li>",
        "<li>Open door</li>",
    ] {
        assert!(day.contains(text), "{text} is missing in {day}");
    }
    for text in [
        "Trip of the first grade",
        "No classes",
        "Sports",
        "Open day",
    ] {
        assert!(!day.contains(text), "{text} is in {day}");
    }

    // A student who has left is in no grade.
    let harness = harness_of(6, EMAIL).await;
    for (id, grades, name) in [("a", &[2][..], "Own trip"), ("b", &[1, 2, 3], "Fire drill")] {
        write(&harness, event_for(grades, id, "2026-11-21", name)).await;
    }
    let page = browser(&harness).await.get("/").await;
    let day = card(&page);
    assert!(
        day.contains("Fire drill") && !day.contains("Own trip"),
        "{day}"
    );
}

/// Fails if a student of a class with two departments sees the lessons of the other one.
#[tokio::test]
async fn the_card_shows_the_lessons_of_the_department_that_is_called_like_the_students_major() {
    let harness = harness_of(5, EMAIL).await;
    for (id, department, subject) in [("a", "SW개발과", "Rust"), ("b", "인공지능과", "Tensors")]
    {
        let lesson = Lesson {
            department: Some(department.parse().unwrap()),
            subject: Some(subject.parse().unwrap()),
            ..lesson(id, 2, 1, 2)
        };
        write(&harness, lesson).await;
    }
    let mut browser = browser(&harness).await;
    let page = browser.get("/").await;
    let day = card(&page);
    for text in [
        "Grade 2, class 1 · AI<",
        "<b>Tensors</b>",
        "<b>Mathematics</b>",
    ] {
        assert!(day.contains(text), "{text} is missing in {day}");
    }
    assert!(!day.contains("Rust"), "{day}");
    browser.language = "ko";
    let page = browser.get("/").await;
    assert!(
        card(&page).contains("2학년 1반 · 인공지능과<"),
        "{}",
        page.body
    );
}

/// Fails if the card reads with more than the user's own keys, or a user who is no student has one.
#[tokio::test]
async fn the_day_is_read_with_the_students_own_key_and_only_for_students() {
    let harness = harness_of(5, EMAIL).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let asks = "You need an API key that can read timetables, meals and the school calendar. <a href=\"/console/keys/new\">";
    let without = browser.get("/").await.body;
    assert!(without.contains(asks), "{without}");
    for text in ["id=\"today\"", "Mathematics", "비빔밥"] {
        assert!(!without.contains(text), "{text}: {without}");
    }
    let clubs = ApiKey {
        scopes: scopes(ApiScope::CLUB_READ),
        ..key(&harness, 1)
    };
    keep(&harness, clubs).await;
    assert!(browser.get("/").await.body.contains(asks));
    assert_eq!(looks(&harness), [""; 0], "no role is used");

    let (harness, _) = super::harness().await;
    let page = super::browser(&harness).await.get("/").await;
    assert!(!page.body.contains("id=\"today\""), "{}", page.body);

    let harness = harness_of(6, EMAIL).await;
    let page = super::browser(&harness).await.get("/").await;
    let day = card(&page);
    assert!(
        day.contains("You are not in a class.") && !day.contains("Mathematics"),
        "{day}"
    );
}

// Proves: threats 54
/// Fails if an administrator's start page reads the school's data unseen, or without a reason.
#[tokio::test]
async fn the_day_of_an_administrator_is_read_for_an_own_class_only_and_is_recorded() {
    let harness = harness_of(5, EMAIL).await;
    let page = harness.browser_of(ADMIN).await.get("/").await;
    assert!(!page.body.contains("id=\"today\""), "{}", page.body);
    let harness_of_left = harness_of(6, ADMIN).await;
    let page = harness_of_left.browser_of(ADMIN).await.get("/").await;
    assert!(!page.body.contains("id=\"today\""), "{}", page.body);
    assert_eq!((looks(&harness), looks(&harness_of_left)), (vec![], vec![]));

    let harness = harness_of(5, ADMIN).await;
    let mut admin = harness.browser_of(ADMIN).await;
    assert!(card(&admin.get("/").await).contains("Mathematics"));
    let of_home = looks(&harness);
    assert_eq!(of_home, ["timetables", "schedules", "meals"]);
    admin.get("/week").await;
    assert_eq!(looks(&harness)[3..], of_home, "as the timetable does");
}

/// Fails if the start page spends the limit of the key, or is empty when a program has spent it.
#[tokio::test]
async fn the_start_page_does_not_count_towards_the_limit_of_the_key() {
    let (harness, api) = school_of(5, EMAIL).await;
    let limited = ApiKey {
        quota: Some(Quota::new(3, MINUTE, 3).unwrap()),
        ..key(&harness, 1)
    };
    keep(&harness, limited).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let shown = async |browser: &mut Browser| {
        let page = browser.get("/").await;
        let day = card(&page);
        assert!(
            day.contains("Mathematics") && day.contains("비빔밥"),
            "{day}"
        );
    };
    for _ in 0..2 {
        shown(&mut browser).await;
    }
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(asked(&api, 1, "/v1/clubs", "*/*").await.0);
    }
    let (ok, limited) = (StatusCode::OK, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(statuses, [ok, ok, ok, limited]);
    shown(&mut browser).await;
    let week = browser.get("/week").await;
    assert_eq!(week.status, limited, "the user asked for the timetable");
}
