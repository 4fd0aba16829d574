//! The look of the table: columns, heights, filters in view and pages.

use http::StatusCode;

use super::*;
use crate::pages::assert_safe;

/// Fails if the chosen columns are lost by a page, an order, a filter or a download.
#[tokio::test]
async fn chosen_columns_and_low_rows_stay_on_every_way_on() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let page = browser
        .get("/data/students?size=2&grade=&_columns=githubUrl&_columns=sex&_columns=nonsense&_rows=dense")
        .await;
    assert_safe(&page);
    assert_eq!(rows(&page)[0].len(), 3, "{:?}", rows(&page)[0]);
    assert!(page.body.contains("class=\"sheet dense\""));
    for (text, expected) in [
        ("Next", "page=1"),
        ("Name", "sortBy=NAME"),
        ("Sex", "sortBy=SEX"),
    ] {
        let href = link(&page, text).unwrap();
        assert!(
            href.contains(expected) && href.contains("_rows=dense"),
            "{href}"
        );
        assert_eq!(rows(&browser.get(&href).await)[0].len(), 3, "{href}");
    }
    for (field, button) in [("grade", "Apply"), ("_page", "Go"), ("_headings", "CSV")] {
        let href = form_href(&page, field, button);
        let next = browser.get(&href).await;
        assert_eq!(next.status, StatusCode::OK, "{href}");
        let columns = match next.body.starts_with("name,sex,githubUrl\r\n") {
            true => 3,
            false => rows(&next)[0].len(),
        };
        assert_eq!(columns, 3, "{href}: {}", next.body);
    }
    let normal = browser.get(&link(&page, "Normal").unwrap()).await;
    assert!(normal.body.contains("class=\"sheet\"") && rows(&normal)[0].len() == 3);
    // The heading of the rows stays, and without a choice the list shows its own columns.
    let none = browser.get("/data/students?_columns=nonsense").await;
    assert_eq!(rows(&none)[0].len(), 9);
}

#[tokio::test]
async fn each_active_filter_is_a_link_to_the_page_without_it() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let page = browser
        .get("/data/students?grade=1&major=SW_DEVELOPMENT&includeGraduates=true&sortBy=NAME&page=0")
        .await;
    let chips: Vec<String> = page
        .body
        .split("class=\"chip on\"")
        .skip(1)
        .map(|chip| {
            let words = chip.split_once("<span>").unwrap().1;
            let words = words.split("</span>").next().unwrap();
            words.replace("<bdi>", "").replace("</bdi>", "")
        })
        .collect();
    assert_eq!(
        chips,
        [
            "Grade: 1",
            "Major: Software development",
            "Include graduates: Yes"
        ]
    );
    let href = |before: &str| {
        let chip = page.body.split(before).next().unwrap();
        let href = chip.rsplit_once("href=\"").unwrap().1;
        unescaped(href.split('"').next().unwrap())
    };
    let without_grade = href("<span>Grade: ");
    assert!(
        !without_grade.contains("grade=") && without_grade.contains("major=SW_DEVELOPMENT"),
        "{without_grade}"
    );
    let cleared = link(&page, "Clear all").unwrap();
    assert!(
        cleared.contains("sortBy=NAME") && !cleared.contains("major") && !cleared.contains("grade"),
        "{cleared}"
    );
    let plain = browser.get("/data/students").await;
    assert!(!plain.body.contains("class=\"chip"), "{}", plain.body);
}

/// Fails if a rarely used filter that is set is out of sight, or the usual ones are among the others.
#[tokio::test]
async fn the_usual_filters_are_first_and_the_others_are_folded_until_one_is_set() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let names = |html: &str| -> Vec<String> {
        let fields = html.split(" name=\"").skip(1);
        fields
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect()
    };
    for (query, is_open) in [
        ("", false),
        ("?grade=1", false),
        ("?sex=MAN", true),
        ("?size=x", true),
    ] {
        let page = browser.get(&format!("/data/students{query}")).await;
        let form = page.body.split("<form class=\"filters\"").nth(1).unwrap();
        let (first, more) = form.split_once("<details class=\"more\"").unwrap();
        assert_eq!(names(first), ["grade", "classNum", "role", "major"]);
        assert_eq!(more.starts_with(" open>"), is_open, "{query}");
    }
}

/// Fails if students are counted as things are in Korean, or the count is there twice.
#[tokio::test]
async fn the_number_of_rows_is_said_once_and_students_are_counted_as_people() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    for (language, path, expected) in [
        ("ko", "students", "모두 5명"),
        ("ko", "students?size=2", "5명 중 1–2"),
        ("ko", "clubs?size=1", "건 중 1–1"),
        ("en", "students", "5 people"),
    ] {
        browser.language = language;
        let page = browser.get(&format!("/data/{path}")).await;
        assert_eq!(
            page.body.matches(expected).count(),
            1,
            "{path}: {}",
            page.body
        );
    }
}

#[tokio::test]
async fn the_pager_says_which_rows_are_shown_and_jumps() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let page = browser.get("/data/students?size=2&_page=2").await;
    assert!(page.body.contains("3–4 of 5"), "{}", page.body);
    assert_eq!(rows(&page).len(), 2);
    assert!(link(&page, "First").is_some() && link(&page, "Last").unwrap().contains("page=2"));
    // A list that the data API does not paginate, and numbers of no page.
    for (path, status) in [
        ("/data/timetables?_page=1", StatusCode::OK),
        ("/data/students?size=2&_page=0", StatusCode::OK),
        ("/data/students?size=2&_page=x", StatusCode::OK),
        ("/data/students?size=2&_page=-1", StatusCode::OK),
    ] {
        let page = browser.get(path).await;
        assert_eq!(page.status, status, "{path}");
        assert!(!rows(&page).is_empty(), "{path}");
    }
}

/// Fails if an empty table does not say what would be there, and what to do.
#[tokio::test]
async fn an_empty_table_says_what_would_be_there_and_offers_one_way_on() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let filtered = browser.get("/data/clubs?clubName=nobody").await;
    assert!(filtered.body.contains("No records match these filters."));
    assert!(!link(&filtered, "Clear all").unwrap().contains("nobody"));
    let beyond = browser.get("/data/clubs?page=7").await;
    assert!(beyond.body.contains("There are no more records."));
    assert!(!link(&beyond, "First").unwrap().contains("page="));
    let sunday = browser.get("/data/meals?date=2026-11-22").await;
    assert!(sunday.body.contains("There are no records for these days."));
    let week = link(&sunday, "Show the whole week").unwrap();
    assert!(
        week.contains("fromDate=2026-11-16&toDate=2026-11-22"),
        "{week}"
    );
    assert_eq!(
        link(&sunday, "Previous day").unwrap(),
        "/data/meals?date=2026-11-21"
    );
    assert!(!rows(&browser.get(&week).await).is_empty());
}
