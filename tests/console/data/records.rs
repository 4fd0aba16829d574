//! Pages of one record.

use http::StatusCode;

use super::*;
use crate::pages::assert_safe;

/// Labels and values of the page's facts.
fn facts(page: &TestResponse) -> Vec<(String, String)> {
    let text = |html: &str| {
        let (mut text, mut inside) = (String::new(), false);
        for letter in html.chars() {
            match letter {
                '<' => inside = true,
                '>' => inside = false,
                _ if !inside => text.push(letter),
                _ => {}
            }
        }
        unescaped(&text)
    };
    let facts = page.body.split("<div><dt>").skip(1);
    facts
        .map(|fact| {
            let (label, rest) = fact.split_once("</dt><dd>").unwrap();
            (text(label), text(rest.split("</dd>").next().unwrap()))
        })
        .collect()
}

fn fact(page: &TestResponse, label: &str) -> String {
    let facts = facts(page);
    let fact = facts.iter().find(|(found, _)| found == label);
    fact.unwrap_or_else(|| panic!("no {label} in {facts:?}"))
        .1
        .clone()
}

#[tokio::test]
async fn students_clubs_and_projects_have_pages_that_link_to_each_other() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let list = browser.get("/data/students?sortBy=ID").await;
    let student = "/data/students/1".to_owned();
    assert!(
        list.body
            .contains(&format!("<th scope=\"row\"><a href=\"/console{student}\">"))
    );
    let page = browser.get(&student).await;
    assert_safe(&page);
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(
        (fact(&page, "Student number"), fact(&page, "Grade")),
        ("2307".to_owned(), "2".to_owned())
    );
    let external = "<a href=\"https://github.com/haneul-kim\" rel=\"noopener\">";
    assert!(page.body.contains(external), "{}", page.body);
    let club = link(&page, "Robotics").unwrap();
    assert_eq!(club, "/data/clubs/1");
    let page = browser.get(&club).await;
    assert_safe(&page);
    assert_eq!(fact(&page, "Name"), "Robotics");
    for (name, id) in [("Åsa Öberg", 2), ("김하늘", 1)] {
        assert_eq!(
            link(&page, &format!("<bdi>{name}</bdi>")).unwrap(),
            format!("/data/students/{id}")
        );
    }
    let projects = "/data/projects?clubId=1".to_owned();
    assert!(
        page.body.contains(&format!(
            "href=\"/console{}\">Projects",
            projects.replace('&', "&#38;")
        )),
        "{}",
        page.body
    );
    let projects = browser.get(&projects).await;
    let project = link(&projects, "campus map").unwrap();
    let project = browser.get(&project).await;
    assert_safe(&project);
    assert_eq!(fact(&project, "Members"), "김하늘, Carol");
    let external = "<a href=\"https://git.example/map\" rel=\"noopener\">";
    assert!(project.body.contains(external), "{}", project.body);
}

// Proves: threats 26
/// Fails if a key without the scope of projects shows them, or if another student's are among them.
#[tokio::test]
async fn the_page_of_a_student_has_the_students_projects_for_those_who_may_read_projects() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let (harness, _) = with_data(harness, |data| data).await;
    let mut browser = browser(&harness).await;
    let full = key(&harness, 1).id;
    let page = browser.get(&format!("/data/students/1?key={full}")).await;
    assert_safe(&page);
    assert_eq!(fact(&page, "Projects"), "campus map");
    let project = link(&page, "campus map").unwrap();
    assert_eq!(project, "/data/projects/1", "the key is the first one");
    let project = browser.get(&project).await;
    assert_eq!(fact(&project, "Members"), "김하늘, Carol");
    let page = browser.get(&format!("/data/students/2?key={full}")).await;
    assert_eq!(fact(&page, "Projects"), "Campus radio");

    let narrow = ApiKey {
        scopes: scopes(ApiScope::STUDENT_READ),
        ..key(&harness, 3)
    };
    let narrow = keep(&harness, narrow).await;
    let page = browser.get(&format!("/data/students/1?key={narrow}")).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!page.body.contains("campus map"), "{}", page.body);
}

/// Fails if a link leads to a record that the list leaves out by default.
#[tokio::test]
async fn former_students_and_ended_projects_have_pages_too() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    for (path, name) in [("students/6", "Carol"), ("students/8", "bobby")] {
        let page = browser.get(&format!("/data/{path}")).await;
        assert_eq!((page.status, &*fact(&page, "Name")), (StatusCode::OK, name));
        assert_eq!(fact(&page, "Student number"), "–");
    }
    let ended = browser.get("/data/projects?status=ENDED").await;
    let links = "<th scope=\"row\"><a href=\"/console";
    let href = ended.body.split(links).nth(1).unwrap();
    let href = href.split('"').next().unwrap();
    let page = browser.get(href).await;
    assert_eq!(page.status, StatusCode::OK, "{href}");
    assert_eq!(fact(&page, "Name"), rows(&ended)[0][0]);
}

// Proves: threats 26
/// Fails if the page of a record shows more than the list does to the same key.
#[tokio::test]
async fn a_record_is_read_with_the_key_of_the_list() {
    let (harness, api) = harness().await;
    let mut browser = browser_without(&harness, HiddenFields::all()).await;
    let page = browser.get("/data/students/1").await;
    let hidden = facts(&page)
        .into_iter()
        .filter(|(_, value)| value == "Hidden");
    assert_eq!(hidden.count(), 12, "{:?}", facts(&page));
    for value in ["2307", "s19@", "haneul-kim", "415", "Female"] {
        assert!(!page.body.contains(value), "{value}");
    }
    assert!(page.body.contains("김하늘"));
    // A key for clubs alone.
    let clubs = ApiKey {
        scopes: scopes(ApiScope::CLUB_READ),
        ..key(&harness, 2)
    };
    let clubs = keep(&harness, clubs).await;
    let page = browser.get(&format!("/data/clubs/1?key={clubs}")).await;
    assert!(page.status == StatusCode::OK && page.body.contains("김하늘"));
    assert_eq!(
        link(&page, "<bdi>김하늘</bdi>"),
        None,
        "it would be refused"
    );
    let refused = browser.get(&format!("/data/students/1?key={clubs}")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.body.contains("cannot read this") && !refused.body.contains("김하늘"));
    // No page counts as a use of the key.
    api.flush().await.unwrap();
    let key = harness.store.api_key_by_id(clubs).await.unwrap().unwrap();
    assert_eq!(key.last_used_at, None);
}

/// Fails if a page of clubs has a link for each of hundreds of members.
#[tokio::test]
async fn a_long_list_of_members_is_on_the_page_of_the_club() {
    let (harness, _) = harness().await;
    let mut browser = browser(&harness).await;
    let demo = lyceum::sample_data::SampleSchool::new(7, "2026-11-21".parse().unwrap());
    assert!(matches!(
        harness.directory.write(demo.changes()).await.unwrap(),
        WriteOutcome::Written(_)
    ));
    let clubs = browser.get("/data/clubs?_columns=id,participants").await;
    let rows = rows(&clubs);
    let long = rows.iter().find(|row| row[2].contains('+')).unwrap();
    assert_eq!(long[2].split(", ").count(), 3, "{long:?}");
    let others: usize = long[2].rsplit_once('+').unwrap().1.parse().unwrap();
    let club = browser.get(&format!("/data/clubs/{}", long[1])).await;
    assert_eq!(fact(&club, "Members").split(", ").count(), 2 + others);
    let clubs = browser.get("/data/clubs").await;
    assert!(clubs.body.len() < 100_000, "{}", clubs.body.len());
}
