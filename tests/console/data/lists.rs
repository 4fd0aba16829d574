use http::{Method, StatusCode};
use lyceum::directory::{DirectoryChange, WriteOutcome};
use lyceum::domain::{EnrollmentStatus, Sex, ShortText, Student, StudentId};

use super::*;
use crate::pages::assert_safe;

/// Field in the first column of each list.
const FIRST: [&str; 6] = [
    "name",
    "name",
    "name",
    "mealDate",
    "scheduleDate",
    "timetableDate",
];

#[tokio::test]
async fn every_list_shows_what_the_data_api_answers_in_both_languages() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    // One key would be no choice.
    keep(&harness, key(&harness, 2)).await;
    for (((word, path), first), order) in KINDS.into_iter().zip(FIRST).zip(BROWSED_BY) {
        let records = records(&api, &format!("{path}{order}")).await;
        for (language, key) in [("ko", "API 키"), ("en", "API key")] {
            browser.language = language;
            let page = browser.get(&format!("/data/{word}")).await;
            assert_eq!(page.status, StatusCode::OK, "{page:?}");
            assert_safe(&page);
            assert!(
                page.body.contains(key) && page.body.contains("Lunch &#60;b&#62;"),
                "{}",
                page.body
            );
            let shown: Vec<String> = rows(&page)
                .into_iter()
                .map(|mut cells| cells.remove(0))
                .collect();
            let expected: Vec<&str> = records
                .iter()
                .map(|record| record[first].as_str().unwrap())
                .collect();
            assert!(!expected.is_empty());
            assert_eq!(shown, expected, "{word}");
            assert!(
                page.body
                    .contains(&format!("href=\"/console/data/{word}\"")),
                "a link to itself: {}",
                page.body
            );
        }
    }
}

/// Fails if a column belongs to another field, or shows an enumeration value without its label.
#[tokio::test]
async fn every_column_shows_its_field_in_the_words_of_the_language() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let mut first = async |language, path: &str| {
        browser.language = language;
        rows(&browser.get(path).await).swap_remove(0)
    };
    let students = [
        "김하늘",
        "2307",
        "AI",
        "Rust",
        "Student",
        "415",
        "Robotics",
        "밴드부",
        "haneul-kim",
    ];
    assert_eq!(first("en", "/data/students?sortBy=ID").await, students);
    let korean = first("ko", "/data/students?sortBy=ID").await;
    assert_eq!((&*korean[2], &*korean[4]), ("인공지능과", "일반 학생"));
    let club = [
        "Robotics",
        "Major club",
        "Active",
        "2018",
        "–",
        "Åsa Öberg",
        "김하늘, 박서연",
    ];
    assert_eq!(first("en", "/data/clubs?sortBy=ID").await, club);
    let project = [
        "campus map",
        "2024",
        "–",
        "Running",
        "Robotics",
        "김하늘, Carol",
        "https://git.example/map",
        "Rust, SVG",
    ];
    assert_eq!(first("en", "/data/projects?sortBy=ID").await, project);
    assert_eq!(
        first("en", "/data/meals").await,
        [
            "2026-11-21",
            "Breakfast",
            "812 kcal",
            "비빔밥 (eggs, soy, wheat), 물"
        ]
    );
    assert_eq!(
        first("en", "/data/schedules").await,
        ["2026-11-21", "Open day", "–", "–", "1, 3"]
    );
    assert_eq!(
        first("en", "/data/timetables").await,
        ["2026-11-21", "1", "1", "1", "Mathematics", "–"]
    );
}

// Proves: threats 37
/// Fails if a value is not escaped in a text or a link.
#[tokio::test]
async fn hostile_names_and_filters_are_texts() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let hostile = "\"><b>'&{{7*7}}</script>";
    let name: ShortText = hostile.parse().unwrap();
    let email = "hostile@school.example".parse().unwrap();
    let id = StudentId::new(99).unwrap();
    let student = Student {
        id,
        name: name.clone(),
        sex: Sex::Man,
        email,
        specialty: Some(name),
        github_id: None,
        enrollment_status: EnrollmentStatus::Graduate,
    };
    assert!(matches!(
        harness
            .directory
            .write(vec![DirectoryChange::PutStudent(student)])
            .await
            .unwrap(),
        WriteOutcome::Written(_)
    ));
    let encoded: String = hostile.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let found = browser
        .get(&format!(
            "/data/students?includeGraduates=true&name={encoded}&specialty={encoded}"
        ))
        .await;
    assert_eq!(rows(&found).swap_remove(0)[0], hostile);
    let faulty = browser.get(&format!("/data/students?grade={encoded}&sex={encoded}&size={encoded}&sortBy={encoded}&page={encoded}")).await;
    assert_eq!(faulty.status, StatusCode::BAD_REQUEST);
    for page in [found, faulty] {
        assert_safe(&page);
        assert!(
            !page.body.contains("<b>") && !page.body.contains("</script>{"),
            "{}",
            page.body
        );
    }
}

#[tokio::test]
async fn pages_and_orders_are_links_that_keep_the_key_and_the_filters() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    keep(&harness, key(&harness, 2)).await;
    let second = key(&harness, 2).id;
    let page = browser
        .get(&format!(
            "/data/students?key={second}&name=%EC%9D%B4&name=&includeGraduates=true&size=1"
        ))
        .await;
    assert_eq!(
        (page.status, rows(&page).len()),
        (StatusCode::OK, 1),
        "{page:?}"
    );
    let all = browser
        .get(&format!(
            "/data/students?key={second}&includeGraduates=true&size=2&page=1"
        ))
        .await;
    let order = "sortBy=STUDENT_NUMBER";
    let expected = records(
        &api,
        &format!("/v1/students?includeGraduates=true&size=2&page=1&{order}"),
    )
    .await;
    assert_eq!(rows(&all)[0][0], expected[0]["name"].as_str().unwrap());
    for (text, query) in [
        ("Next", "includeGraduates=true&size=2&page=2"),
        ("Previous", "includeGraduates=true&size=2"),
        ("Name", "includeGraduates=true&size=2&sortBy=NAME"),
        ("Major", "includeGraduates=true&size=2&sortBy=MAJOR"),
        (
            "Student number",
            "includeGraduates=true&size=2&sortBy=STUDENT_NUMBER&sortDirection=DESC",
        ),
    ] {
        assert_eq!(
            link(&all, text).unwrap(),
            format!("/data/students?key={second}&{query}")
        );
        let there = browser.get(&link(&all, text).unwrap()).await;
        let order = if query.contains("sortBy") { "" } else { order };
        let expected = records(&api, &format!("/v1/students?{query}&{order}")).await;
        assert_eq!(
            rows(&there)[0][0],
            expected[0]["name"].as_str().unwrap(),
            "{text}"
        );
        assert!(
            there
                .body
                .contains(&format!("<option value=\"{second}\" selected>"))
        );
    }
    let by_name = browser.get(&link(&all, "Name").unwrap()).await;
    assert!(
        by_name
            .body
            .contains("<th scope=\"col\" aria-sort=\"ascending\"><a")
            && link(&by_name, "Name").unwrap().contains("DESC")
    );
    assert_eq!(
        link(&all, "Clubs").unwrap(),
        format!("/data/clubs?key={second}")
    );
}

/// Fails if all lessons of a year are on one page.
#[tokio::test]
async fn lists_that_the_data_api_returns_whole_have_pages_too() {
    let (harness, api) = harness().await;
    let mut browser = browser(&harness).await;
    let demo = lyceum::sample_data::SampleSchool::new(7, "2026-11-21".parse().unwrap());
    assert!(matches!(
        harness.directory.write(demo.changes()).await.unwrap(),
        WriteOutcome::Written(_)
    ));
    let records = records(&api, "/v1/neis/timetables?grade=1").await;
    assert!(records.len() < 50, "one day");
    let query = "grade=1&fromDate=2026-11-01&toDate=2026-11-30";
    let total = super::records(&api, &format!("/v1/neis/timetables?{query}"))
        .await
        .len();
    let mut page = browser.get(&format!("/data/timetables?{query}")).await;
    let mut seen = rows(&page);
    assert_eq!(seen.len(), 50);
    while let Some(next) = link(&page, "Next") {
        assert!(
            next.contains("fromDate=2026-11-01") && next.contains("grade=1"),
            "{next}"
        );
        page = browser.get(&next).await;
        seen.extend(rows(&page));
    }
    assert_eq!(seen.len(), total);
    let none = browser
        .get(&format!("/data/timetables?{query}&page=4294967295"))
        .await;
    assert_eq!(none.status, StatusCode::OK);
}

#[tokio::test]
async fn unknown_data_pages_are_404_and_other_methods_405() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    for path in [
        "/data",
        "/data/",
        "/data/teachers",
        "/data/students/",
        "/data/students/0",
        "/data/students/01",
        "/data/students/999",
        "/data/students/x",
        "/data/meals/1",
        "/data/Students",
        "/data/.csv",
        "/data/students.CSV",
    ] {
        assert_eq!(
            browser.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    for path in ["/data/students", "/data/clubs.csv", "/data/clubs/1"] {
        let answer = browser.send(Method::POST, path, None, "").await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
        );
        let (full, head) = (
            browser.get(path).await,
            browser.send(Method::HEAD, path, None, "").await,
        );
        assert_eq!(
            (head.status, &*head.body, head.header("content-length")),
            (full.status, "", &*full.body.len().to_string()),
            "{path}"
        );
        let stranger = harness.browser().get(path).await;
        assert_eq!(stranger.status, StatusCode::SEE_OTHER);
    }
}
