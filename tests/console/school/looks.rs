//! What administrators are shown of the school is an event.

use super::*;

/// The looks of administrators: lists, names of filters in order, and numbers of records.
fn looks(harness: &Harness) -> Vec<(&'static str, Vec<&'static str>, usize)> {
    let events = harness.log.events().into_iter();
    let looks = events.filter_map(|event| match event.kind {
        EventKind::DataViewed {
            list,
            mut filters,
            records,
            ..
        } => {
            filters.sort_unstable();
            Some((list, filters, records))
        }
        _ => None,
    });
    looks.collect()
}

// Proves: threats 54
/// Fails if a page or a file of the editor, the history of the classes, or the invitation of
/// students is no event, or if an event has a value of a filter or of a record.
#[tokio::test]
async fn all_that_the_editor_shows_of_the_school_is_an_event_without_values() {
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let harness = Harness::with_school_year(|auth| auth.management_limit(many)).await;
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    let mut browser = harness.browser_of(ADMIN).await;
    let snapshot = harness.directory.snapshot().await.unwrap();
    let (all, clubs) = (snapshot.students().len(), snapshot.clubs().len());
    let second_grade = |profile: &&StudentProfile| {
        let place = profile.student.enrollment();
        place.is_some_and(|place| place.grade.get() == 2)
    };
    let second_grade = snapshot.students().iter().filter(second_grade).count();
    let name = "name=%EA%B9%80&grade=2";
    for (path, look) in [
        (
            format!("school/students?{name}&page=0"),
            ("students", vec!["grade", "name"], 1),
        ),
        (
            format!("school/students.csv?{name}"),
            ("students", vec!["grade", "name"], 1),
        ),
        (
            "school/students.csv".to_owned(),
            ("students", Vec::new(), all),
        ),
        (
            "school/students.json".to_owned(),
            ("students", Vec::new(), all),
        ),
        ("school/clubs.json".to_owned(), ("clubs", Vec::new(), clubs)),
        (
            "school/students/1".to_owned(),
            ("students", vec!["studentId"], 1),
        ),
        ("school/clubs/1".to_owned(), ("clubs", vec!["clubId"], 1)),
        (
            "school/students/change?id=1&id=5".to_owned(),
            ("students", vec!["studentId"], 2),
        ),
        (
            "school/students/change?id=1&id=5&action=major&major=SMART_IOT".to_owned(),
            ("students", vec!["studentId"], 2),
        ),
        (
            format!(
                "school/students/change?all=true&filter={}",
                name.replace('%', "%25").replace('&', "%26")
            ),
            ("students", vec!["grade", "name"], 1),
        ),
        (
            "school/history?year=2026".to_owned(),
            ("class_history", vec!["year"], 0),
        ),
    ] {
        let before = looks(&harness).len();
        let page = browser.get(&format!("/admin/{path}")).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
        let found = looks(&harness);
        assert_eq!(
            (found.len(), found.last()),
            (before + 1, Some(&look)),
            "{path}"
        );
    }

    // A form that is refused shows the record as it is now.
    let path = "/admin/school/students/1";
    let stale = form_of(&browser.get(path).await.body);
    submit(&mut browser, path, &[("specialty", "Go")]).await;
    let before = looks(&harness).len();
    let answer = post(&mut browser, path, &with_fields(&stale, &[("number", "8")])).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let look = ("students", vec!["studentId"], 1);
    assert_eq!(looks(&harness).split_off(before), [look]);

    let place = student(&harness, 1).await.student;
    let class = place.enrollment().unwrap().class_num.get().to_string();
    let form = browser.get("/admin/people/invite").await;
    let token = form_token(&form.body);
    for (class, names) in [("all", vec!["grade"]), (&*class, vec!["class", "grade"])] {
        let fields = [
            ("form_token", &*token),
            ("grade", "2"),
            ("class", class),
            ("addresses", ""),
        ];
        let before = looks(&harness).len();
        let page = browser.post("/admin/people/invite", &fields).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        let found = looks(&harness).split_off(before);
        assert_eq!(found.len(), 1, "{class}");
        assert_eq!((found[0].0, &found[0].1), ("students", &names));
        assert!(class != "all" || found[0].2 == second_grade, "{found:?}");
    }

    // What shows no record is no look.
    let before = looks(&harness).len();
    for path in [
        "school/students?grade=nine",
        "school/students/999",
        "school/history?year=x",
        "people/invite",
    ] {
        browser.get(&format!("/admin/{path}")).await;
    }
    assert_eq!(looks(&harness).len(), before);
    let events = harness.log.events();
    let json: String = events.iter().map(|event| event.to_json()).collect();
    for value in ["김", "%EA"] {
        let viewed = json
            .split("data_viewed")
            .skip(1)
            .map(|it| it.split('}').next());
        for viewed in viewed.flatten() {
            assert!(!viewed.contains(value), "{value} in {viewed}");
        }
    }
}
