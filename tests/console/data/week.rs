//! The timetable of a class, the meals of a week and the calendar of a month.

use lyceum::directory::DirectoryChange;
use lyceum::domain::{Lesson, MealType, Quota, SchoolEvent, Student};
use lyceum::store::memory::MemoryStore;

use super::*;
use crate::pages::assert_safe;
use crate::school_fixtures::{event, lesson, meal};

const PAGES: [&str; 3] = ["/week", "/week/meals", "/month"];

async fn write(harness: &Harness, changes: Vec<DirectoryChange>) {
    assert!(matches!(
        harness.directory.write(changes).await.unwrap(),
        WriteOutcome::Written(_)
    ));
}

fn lesson_on(
    id: &str,
    date: &str,
    (grade, class, period): (i64, i64, i64),
    subject: &str,
) -> Lesson {
    Lesson {
        date: date.parse().unwrap(),
        subject: Some(subject.parse().unwrap()),
        ..lesson(id, grade, class, period)
    }
}

fn count(page: &TestResponse, text: &str) -> usize {
    page.body.matches(text).count()
}

/// A key that makes at most this number of requests a minute.
async fn keep_limited(harness: &Harness, requests: u32) {
    let quota = Quota::new(requests, MINUTE, requests).unwrap();
    let limited = ApiKey {
        quota: Some(quota),
        ..key(harness, 1)
    };
    keep(harness, limited).await;
}

/// The address of the link with these words.
fn link_to(page: &TestResponse, label: &str) -> String {
    let before = page.body.split(&format!(">{label}</")).next().unwrap();
    let href = before.rsplit("href=\"").next().unwrap();
    let href = href
        .split('"')
        .next()
        .unwrap()
        .replace("&amp;", "&")
        .replace("&#38;", "&");
    href.strip_prefix("/console").unwrap().to_owned()
}

/// Fails if the week is another one than that of the server's clock in the school's zone, or
/// Saturday is shown without a lesson.
#[tokio::test]
async fn a_timetable_is_a_grid_of_this_week_with_today_in_a_word() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    // 2026-11-21, half past midnight in Seoul, is a Saturday; in UTC it is still Friday.
    let page = browser.get("/week").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    assert_safe(&page);
    assert!(
        page.body.contains("<h1>Grade 1, class 1</h1>"),
        "{}",
        page.body
    );
    assert!(page.body.contains("November 16–21, 2026"), "{}", page.body);
    assert_eq!(count(&page, "<th scope=\"col\""), 1 + 6);
    assert_eq!(count(&page, "<th scope=\"row\">"), 2, "{}", page.body);
    assert_eq!(count(&page, "<b>Mathematics</b>"), 2);
    assert!(page.body.contains("class=\"now\" aria-current=\"date\">Sat <time datetime=\"2026-11-21\">21</time> <small>Today</small>"), "{}", page.body);

    let next = browser.get(&link_to(&page, "Next week")).await;
    assert!(next.body.contains("November 23–27, 2026"), "{}", next.body);
    assert!(
        next.body.contains("This class has no lessons")
            && next.body.contains("<h1>Grade 1, class 1</h1>")
    );
    assert!(!next.body.contains("aria-current=\"date\">Sat"));
    let back = browser.get(&link_to(&next, "Previous week")).await;
    assert_eq!(count(&back, "<b>Mathematics</b>"), 2);
    let current = browser.get(&link_to(&next, "This week")).await;
    assert_eq!(count(&current, "<b>Mathematics</b>"), 2);
}

#[tokio::test]
async fn another_class_is_chosen_and_stays_chosen_in_other_weeks() {
    let (harness, _) = harness().await;
    write(
        &harness,
        vec![
            DirectoryChange::PutLesson(lesson_on("a", "2026-11-18", (3, 4, 2), "<Physics>")),
            DirectoryChange::PutLesson(lesson_on("b", "2026-11-25", (3, 4, 1), "Chemistry")),
        ],
    )
    .await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/week?grade=3&classNum=4").await;
    assert!(page.body.contains("Grade 3, class 4"), "{}", page.body);
    assert!(
        page.body
            .contains("<option value=\"3\" selected>3</option>")
    );
    // The first period is free.
    assert_eq!(count(&page, "<th scope=\"row\">"), 2);
    assert!(
        page.body.contains("Physics&#62;") && !page.body.contains("<Physics>"),
        "{}",
        page.body
    );
    let next = browser.get(&link_to(&page, "Next week")).await;
    assert!(next.body.contains("<b>Chemistry</b>"), "{}", next.body);
    for none in ["grade=9&classNum=4", "grade=x&classNum=1", "grade=3"] {
        let page = browser.get(&format!("/week?{none}")).await;
        assert!(page.body.contains("Grade 1, class 1"), "{none}");
    }
}

/// Fails if lessons of two departments with the same class are mixed.
#[tokio::test]
async fn a_class_of_several_departments_is_shown_for_one_of_them() {
    let (harness, _) = harness().await;
    let of = |id, department: &str, subject| {
        DirectoryChange::PutLesson(Lesson {
            department: Some(department.parse().unwrap()),
            ..lesson_on(id, "2026-11-18", (2, 2, 1), subject)
        })
    };
    write(
        &harness,
        vec![of("a", "Software", "Rust"), of("b", "Design", "Colours")],
    )
    .await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/week?grade=2&classNum=2").await;
    assert!(page.body.contains("<b>Colours</b>") && !page.body.contains("<b>Rust</b>"));
    let page = browser
        .get("/week?grade=2&classNum=2&department=Software")
        .await;
    assert!(page.body.contains("<b>Rust</b>") && !page.body.contains("<b>Colours</b>"));
    assert!(link_to(&page, "Next week").contains("department=Software"));
}

/// Fails if a student sees the first class of the school.
#[tokio::test]
async fn a_student_sees_the_own_class_first() {
    let editor = Harness::with_school_editor(|auth| auth).await;
    let (harness, _) = with_data(editor, |builder| builder).await;
    let school = harness.directory.snapshot().await.unwrap();
    let student = school
        .students()
        .iter()
        .find(|it| it.student.id.get() == 5)
        .unwrap();
    let own = Student {
        email: EMAIL.parse().unwrap(),
        ..student.student.clone()
    };
    write(
        &harness,
        vec![
            DirectoryChange::PutStudent(own),
            DirectoryChange::PutLesson(lesson_on("a", "2026-11-20", (2, 1, 3), "Rust")),
        ],
    )
    .await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/week").await;
    assert!(
        page.body.contains("Grade 2, class 1") && page.body.contains("<b>Rust</b>"),
        "{}",
        page.body
    );
    let page = browser.get("/week?grade=1&classNum=1").await;
    assert!(page.body.contains("Grade 1, class 1"));
}

/// Fails if allergens are numbers, or another meal than lunch is shown first.
#[tokio::test]
async fn meals_of_a_week_name_their_allergens_in_both_languages() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/week/meals").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    // Monday to Friday without a lunch, and Saturday with one.
    assert_eq!(count(&page, "<article"), 6, "{}", page.body);
    assert_eq!(count(&page, "No meal."), 5);
    assert!(
        page.body.contains("비빔밥<small>eggs, soy, wheat</small>"),
        "{}",
        page.body
    );
    assert!(page.body.contains("<li>물</li>") && page.body.contains(">812 kcal<"));
    assert!(page.body.contains("aria-current=\"page\">Lunch</a>"));
    assert!(page.body.contains("<article class=\"meal today\">"));
    assert_eq!(
        count(&page, "<article class=\"meal past\">"),
        5,
        "a phone shows them after today"
    );

    let dinner = browser.get(&link_to(&page, "Dinner")).await;
    assert_eq!(
        (count(&dinner, "<article"), count(&dinner, "비빔밥")),
        (5, 1)
    );
    let next = browser.get(&link_to(&dinner, "Next week")).await;
    assert!(
        next.body.contains("aria-current=\"page\">Dinner</a>"),
        "{}",
        next.body
    );
    assert!(!next.body.contains("비빔밥"));

    browser.language = "ko";
    let page = browser.get("/week/meals").await;
    assert!(
        page.body.contains("비빔밥<small>난류, 대두, 밀</small>"),
        "{}",
        page.body
    );
    assert!(page.body.contains("11월 16일 – 11월 21일"), "{}", page.body);
}

/// Fails if dinner is shown in the morning, or in the afternoon of a day that has none.
#[tokio::test]
async fn in_the_afternoon_the_meals_are_todays_dinners() {
    let (harness, _) = harness().await;
    keep(&harness, key(&harness, 1)).await;
    let shown = async |path: &str| {
        // Sessions end meanwhile.
        let page = harness.browser_of(EMAIL).await.get(path).await;
        let (_, tabs) = page.body.split_once("<nav class=\"seg\"").unwrap();
        let (_, tab) = tabs.split_once("aria-current=\"page\">").unwrap();
        tab.split('<').next().unwrap().to_owned()
    };
    let put_dinner = async || {
        let dinner = meal("2026-11-21", MealType::Dinner);
        write(&harness, vec![DirectoryChange::PutMeal(dinner)]).await;
    };
    // The clock begins half an hour past midnight.
    harness.clock.advance(13 * 60 * MINUTE + 29 * MINUTE);
    assert_eq!(shown("/week/meals").await, "Lunch");
    harness.clock.advance(MINUTE);
    assert_eq!(shown("/week/meals").await, "Lunch", "there is no dinner");
    put_dinner().await;
    assert_eq!(shown("/week/meals").await, "Dinner");
    assert_eq!(shown("/week/meals?meal=LUNCH").await, "Lunch");
    assert_eq!(shown("/week/meals?date=2026-11-27").await, "Lunch");
}

/// Fails if the timetable hides that there are no classes, or a phone the events of its day.
#[tokio::test]
async fn a_timetable_has_the_events_of_its_days_below_their_headings() {
    let (harness, _) = harness().await;
    let holiday = SchoolEvent {
        day_category: Some("휴업일".parse().unwrap()),
        ..event("h", "2026-11-18", "<Founding day>")
    };
    let change = |change: DirectoryChange| vec![change];
    write(&harness, change(DirectoryChange::PutEvent(holiday))).await;
    let mut browser = browser(&harness).await;
    let cells = |page: &TestResponse| {
        let (_, row) = page.body.split_once("<tr class=\"calendar").unwrap();
        let row = row.split("</tr>").next().unwrap();
        row.split("<td")
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let page = browser.get("/week").await;
    assert_safe(&page);
    let days = cells(&page);
    assert_eq!(days.len(), 6);
    assert!(
        days[2].contains(">No classes</span>") && days[2].contains("&#60;Founding day&#62;"),
        "{}",
        days[2]
    );
    assert!(
        days[5].contains("Open day") && days[5].contains(" chosen\""),
        "{}",
        days[5]
    );
    assert!(!days[0].contains("<li>"), "{}", days[0]);
    // A phone has no row for a day without events, and one for a day without lessons.
    assert!(page.body.contains("<tr class=\"calendar\">"));
    let monday = browser.get("/week?day=1").await;
    assert!(monday.body.contains("<tr class=\"calendar elsewhere\">"));
    let wednesday = browser.get("/week?day=3").await;
    assert!(
        wednesday.body.contains("<tr class=\"calendar\">")
            && wednesday.body.contains("class=\"card timetable free\"")
    );
    let later = lesson_on("w", "2026-11-25", (1, 1, 1), "Rust");
    write(&harness, change(DirectoryChange::PutLesson(later))).await;
    let next = browser.get(&link_to(&page, "Next week")).await;
    assert!(next.body.contains("Rust") && !next.body.contains("class=\"calendar"));
}

/// Fails if a week of holidays says nothing but that there are no lessons.
#[tokio::test]
async fn a_week_without_lessons_has_the_events_of_its_days() {
    let (harness, _) = harness().await;
    let holiday = SchoolEvent {
        day_category: Some("공휴일".parse().unwrap()),
        ..event("h", "2026-12-25", "<Christmas>")
    };
    let vacation = event("v", "2026-12-23", "Winter vacation");
    let changes = [holiday, vacation].map(DirectoryChange::PutEvent);
    write(&harness, changes.into()).await;
    let mut browser = browser(&harness).await;
    for (language, lessons, events, day) in [
        (
            "en",
            "This class has no lessons in this week.",
            "Events",
            "Fri 25",
        ),
        ("ko", "이 주에는 등록된 수업이 없어요.", "일정", "금 25"),
    ] {
        browser.language = language;
        let page = browser.get("/week?date=2026-12-24").await;
        assert_safe(&page);
        let (before, list) = page.body.split_once("<h2 id=\"events\">").unwrap();
        assert!(before.contains(lessons), "{before}");
        let list = list.split("</section>").next().unwrap();
        for text in [events, day, "&#60;Christmas&#62;", "Winter vacation"] {
            assert!(list.contains(text), "{text} is missing in {list}");
        }
        assert_eq!(list.matches("<dt>").count(), 2, "{list}");
    }
    let without = browser.get("/week?date=2027-01-05").await.body;
    assert!(!without.contains("id=\"events\""), "{without}");

    let (harness, _) = super::harness().await;
    let vacation = event("v", "2026-12-23", "Winter vacation");
    write(&harness, vec![DirectoryChange::PutEvent(vacation)]).await;
    keep_limited(&harness, 1).await;
    let mut browser = harness.browser_of(EMAIL).await;
    browser.get("/week/meals").await;
    let page = browser.get("/week?date=2026-12-24").await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!page.body.contains("Winter vacation"), "{}", page.body);
}

/// Fails if the way to an address for a calendar app leads to a key that cannot have one.
#[tokio::test]
async fn the_pages_lead_to_the_calendar_feeds_of_a_key() {
    let (harness, api) = harness().await;
    let console = Console::builder(harness.auth.management(), ADDRESS)
        .data_browser(api.data_client(), API)
        .calendar_feeds(Arc::new(MemoryStore::new()), API)
        .build()
        .unwrap();
    let without = harness.browser_of(ADMIN).await.get("/week").await;
    assert!(
        !without.body.contains("calendar app"),
        "no feeds are set up"
    );
    let harness = Harness { console, ..harness };
    let mut admin = harness.browser_of(ADMIN).await;
    let mut user = harness.browser_of(EMAIL).await;
    for path in PAGES {
        let page = admin.get(path).await;
        assert!(
            page.body.contains(
                "href=\"/console/keys/new\">Create an API key to subscribe in a calendar app</a>"
            ),
            "{}",
            page.body
        );
        let page = user.get(path).await;
        assert!(!page.body.contains("calendar app"), "it asks for a key");
    }
    let clubs = ApiKey {
        scopes: scopes(ApiScope::CLUB_READ),
        ..key(&harness, 1)
    };
    keep(&harness, clubs).await;
    let first = keep(&harness, key(&harness, 2)).await;
    let second = keep(&harness, key(&harness, 3)).await;
    for path in PAGES {
        for (query, key) in [(String::new(), first), (format!("?key={second}"), second)] {
            let page = user.get(&format!("{path}{query}")).await;
            let link =
                format!("href=\"/console/keys/{key}#calendars\">Subscribe in a calendar app</a>");
            assert!(page.body.contains(&link), "{path}{query}: {}", page.body);
        }
    }
}

/// Fails if a holiday is shown by colour alone, or an event on a day of another month's.
#[tokio::test]
async fn the_calendar_of_a_month_has_events_in_their_days_and_says_holidays_in_a_word() {
    let (harness, _) = harness().await;
    let of = |id, date, name: &str, kind: &str| {
        DirectoryChange::PutEvent(SchoolEvent {
            day_category: Some(kind.parse().unwrap()),
            ..event(id, date, name)
        })
    };
    write(
        &harness,
        vec![
            of("h1", "2026-12-25", "Christmas", "공휴일"),
            of("h2", "2026-12-24", "Founding day", "휴업일"),
            of("h3", "2026-12-23", "Concert", "해당없음"),
            of("h4", "2026-12-22", "Outing", "현장학습일"),
        ],
    )
    .await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/month").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    assert!(
        page.body.contains("<h1>November 2026</h1>"),
        "{}",
        page.body
    );
    assert_eq!((count(&page, "<tr>"), count(&page, "<td ")), (1 + 6, 42));
    assert!(
        page.body
            .contains("<li>Sports<small>Grade 1, 3</small></li>"),
        "{}",
        page.body
    );
    assert_eq!(
        count(&page, "aria-current=\"date\""),
        2,
        "the day, and the link to this month"
    );

    let next = browser.get(&link_to(&page, "Next month")).await;
    assert!(
        next.body.contains("<h1>December 2026</h1>"),
        "{}",
        next.body
    );
    let day = |date: &str| {
        let from = next
            .body
            .split(&format!("datetime=\"{date}\""))
            .nth(1)
            .unwrap();
        from.split("</td>").next().unwrap().to_owned()
    };
    assert!(
        day("2026-12-25").contains(">Public holiday</span>")
            && day("2026-12-25").contains("Christmas")
    );
    assert!(day("2026-12-24").contains(">No classes</span>"));
    assert!(!day("2026-12-23").contains("badge") && !day("2026-12-23").contains("해당없음"));
    assert!(day("2026-12-22").contains("현장학습일"));
    let later = browser.get(&link_to(&next, "Next month")).await;
    assert!(
        later.body.contains("<h1>January 2027</h1>") && later.body.contains("There are no events")
    );
}

/// Fails if a page is read with a key that may not read it, or without one.
#[tokio::test]
async fn without_a_key_that_may_read_there_is_a_way_to_one() {
    let (harness, _) = harness().await;
    let clubs = ApiKey {
        scopes: scopes(ApiScope::CLUB_READ),
        ..key(&harness, 1)
    };
    let of_another = ApiKey {
        owner: None,
        ..key(&harness, 2)
    };
    let other = of_another.id;
    let id = keep(&harness, clubs).await;
    keep(&harness, of_another).await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in PAGES {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(
            page.body
                .contains("href=\"/console/keys/new\">Create a key</a>"),
            "{}",
            page.body
        );
        assert!(!page.body.contains("<table") && !page.body.contains("<article"));
        let refused = browser.get(&format!("{path}?key={id}")).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(
            refused.body.contains("cannot read this"),
            "{}",
            refused.body
        );
        for none in [other.to_string(), "x".to_owned()] {
            let page = browser.get(&format!("{path}?key={none}")).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path} {none}");
        }
    }
    let mut visitor = harness.browser();
    for path in PAGES {
        assert_eq!(visitor.get(path).await.status, StatusCode::SEE_OTHER);
    }
}

/// Fails if a page reads the data without the key's limit.
#[tokio::test]
async fn each_page_is_one_request_of_the_key_and_events_and_lunches_beside_a_timetable_are_two() {
    let (harness, _) = harness().await;
    keep_limited(&harness, 5).await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in PAGES {
        assert_eq!(browser.get(path).await.status, StatusCode::OK, "{path}");
    }
    for path in PAGES {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(!page.header("retry-after").is_empty());
    }
}

/// Fails if the rest of a key's limit shows lunches and no timetable.
#[tokio::test]
async fn a_timetable_has_its_lunches_below_it_unless_the_key_cannot_read_them() {
    let (harness, _) = harness().await;
    let mut user = browser(&harness).await;
    let page = user.get("/week").await;
    let lunch = page
        .body
        .split("<h2 id=\"lunch\">Lunch</h2>")
        .nth(1)
        .unwrap();
    assert!(
        lunch.contains("비빔밥<small>eggs, soy, wheat</small>"),
        "{lunch}"
    );
    // Monday to Saturday, of which today is in view on a phone.
    assert_eq!(count(&page, "<article"), 6);
    assert_eq!(count(&page, "<article class=\"meal today chosen\">"), 1);
    // No lessons, so no grid and no lunches.
    let next = user.get(&link_to(&page, "Next week")).await;
    assert_eq!(count(&next, "<article"), 0);

    let (harness, _) = super::harness().await;
    keep_limited(&harness, 1).await;
    let page = harness.browser_of(EMAIL).await.get("/week").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(
        (count(&page, "<b>Mathematics</b>"), count(&page, "<article")),
        (2, 0)
    );
}

/// Fails if a phone shows another day than today, or a day in the query is not bounded.
#[tokio::test]
async fn a_narrow_screen_shows_today_or_the_day_that_is_asked_for() {
    let (harness, _) = harness().await;
    keep_limited(&harness, 1_000).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let chosen = |page: &TestResponse| {
        let days = page
            .body
            .split("<nav class=\"seg day-links\"")
            .nth(1)
            .unwrap();
        let days = days.split("</nav>").next().unwrap();
        let mut days = days.split("<a ").skip(1);
        let day = days
            .find(|day| day.contains("aria-current=\"true\""))
            .unwrap();
        let (_, day) = day.split_once("<span>").unwrap();
        day.split("</span>").next().unwrap().to_owned()
    };
    let page = browser.get("/week").await;
    assert_eq!(chosen(&page), "Sat");
    // One cell of each period, the events, and one lunch.
    assert_eq!(
        (count(&page, " chosen\">\n<b>"), count(&page, " chosen\">")),
        (2, 4)
    );
    let monday = browser.get("/week?day=1").await;
    assert_eq!(chosen(&monday), "Mon");
    assert!(
        monday.body.contains("No lessons are listed for this day."),
        "{}",
        monday.body
    );
    for none in ["0", "7", "-1", "x", "", "300"] {
        assert_eq!(
            chosen(&browser.get(&format!("/week?day={none}")).await),
            "Sat",
            "{none}"
        );
    }
    // Without today, the first day with lessons.
    write(
        &harness,
        vec![DirectoryChange::PutLesson(lesson_on(
            "w",
            "2026-11-25",
            (1, 1, 1),
            "Rust",
        ))],
    )
    .await;
    let next = browser.get(&link_to(&page, "Next week")).await;
    assert_eq!(chosen(&next), "Wed");
}

/// Fails if a pupil with one key meets keys.
#[tokio::test]
async fn keys_are_in_links_and_in_view_only_if_one_was_chosen() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let second = keep(&harness, key(&harness, 2)).await;
    for path in PAGES {
        let page = browser.get(path).await;
        assert!(
            !page.body.contains("key=") && !page.body.contains("name=\"key\""),
            "{path}"
        );
        let page = browser.get(&format!("{path}?key={second}")).await;
        assert!(
            page.body.contains(&format!("key={second}")),
            "{path}: {}",
            page.body
        );
        assert!(page.body.contains("name=\"key\""), "{path}");
    }
}

/// Fails if a department is shown in another language than the reader's, although it is called as a
/// major is.
#[tokio::test]
async fn a_department_with_the_name_of_a_major_is_shown_in_the_words_of_the_reader() {
    let (harness, _) = harness().await;
    let lesson = Lesson {
        department: Some("SW개발과".parse().unwrap()),
        ..lesson_on("a", "2026-11-18", (2, 2, 1), "Rust")
    };
    write(&harness, vec![DirectoryChange::PutLesson(lesson)]).await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/week?grade=2&classNum=2").await;
    assert!(
        page.body.contains("<bdi>Software development</bdi>"),
        "{}",
        page.body
    );
}

// Proves: threats 41
/// Fails if a day at the end of the calendar, or a number of no class, panics.
#[tokio::test]
async fn no_day_month_or_class_breaks_a_page() {
    let (harness, _) = harness().await;
    keep_limited(&harness, 1_000_000).await;
    let mut browser = harness.browser_of(EMAIL).await;
    for value in [
        "",
        "x",
        "0001-01-01",
        "9999-12-31",
        "0001-01",
        "9999-12",
        "2026-02-30",
        "2026-13",
        "-1",
        "0",
        "9223372036854775807",
        "%FF",
        "%00",
        "BRUNCH",
    ] {
        for path in PAGES {
            for name in ["date", "day", "month", "grade", "meal", "department"] {
                let page = browser
                    .get(&format!("{path}?{name}={value}&classNum={value}"))
                    .await;
                assert!(
                    page.status.is_success() || page.status == StatusCode::BAD_REQUEST,
                    "{path} {name}={value}: {page:?}"
                );
            }
        }
    }
}

/// Fails if the links between the pages lose the key.
#[tokio::test]
async fn the_chosen_key_reads_the_other_pages_too() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let second = keep(&harness, key(&harness, 2)).await;
    let week = browser.get(&format!("/week?key={second}")).await;
    assert!(
        week.body
            .contains(&format!("<option value=\"{second}\" selected>")),
        "{}",
        week.body
    );
    assert!(link_to(&week, "Meals").contains(&second.to_string()));
}
