use http::StatusCode;
use lyceum::domain::{Date, DateRange, PersonalField};

use super::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn without_a_reading_room_there_are_no_pages_and_no_links() {
    let world = World::new().await;
    let mut browser = browser(&world).await;
    assert_eq!(browser.get("/data/students").await.status, StatusCode::NOT_FOUND);
    assert!(!browser.get("/").await.body.contains("/data/"));
    let (world, _) = super::world().await;
    assert!(world.browser_of(EMAIL).await.get("/").await.body.contains("/console/data/students"));
}

#[tokio::test]
async fn the_address_of_the_data_api_is_a_public_one() {
    let (world, api) = world().await;
    for address in ["", "http://school.example", "https://school.example/", "https://school.example/a?b", "https://school.example/a'"] {
        assert!(Console::builder(world.auth.office(), ADDRESS).data(api.reading_room(), address).build().is_err(), "{address}");
    }
}

#[tokio::test]
async fn who_has_no_key_is_shown_the_way_to_one() {
    let (world, _) = world().await;
    keep(&world, ApiKey { expires_at: school::NOW, ..key(&world, 3) }).await;
    keep(&world, ApiKey { revoked_at: Some(school::NOW), ..key(&world, 4) }).await;
    let page = world.browser_of(EMAIL).await.get("/data/meals").await;
    assert_safe(&page);
    assert!(page.status == StatusCode::OK && page.body.contains("/console/keys/new") && !page.body.contains("YOUR_KEY"), "{}", page.body);
}

/// Fails if an administrator reads by somebody else's key, or a key of nobody's is everybody's.
#[tokio::test]
async fn nobody_reads_by_a_key_that_is_not_theirs_or_works_no_more() {
    let (world, _) = world().await;
    let own = keep(&world, key(&world, 1)).await;
    let nobodys = keep(&world, ApiKey { owner: None, ..key(&world, 2) }).await;
    let expired = keep(&world, ApiKey { expires_at: school::NOW, ..key(&world, 3) }).await;
    let revoked = keep(&world, ApiKey { revoked_at: Some(school::NOW), ..key(&world, 4) }).await;
    let (mut person, mut admin) = (world.browser_of(EMAIL).await, world.browser_of(ADMIN).await);
    for path in ["/data/students", "/data/students.csv"] {
        let address = |key: &dyn std::fmt::Display| format!("{path}?key={key}");
        assert_eq!(person.get(&address(&own)).await.status, StatusCode::OK);
        for other in [nobodys, expired, revoked, ApiKeyId::from_random([9; 16])] {
            assert_eq!(person.get(&address(&other)).await.status, StatusCode::NOT_FOUND);
        }
        assert_eq!(person.get(&address(&"%22")).await.status, StatusCode::NOT_FOUND);
        let secret = ApiKeySecret::from_random([1; 16]);
        assert_eq!(person.get(&address(&secret.expose())).await.status, StatusCode::NOT_FOUND, "the value is no id");
        for other in [own, nobodys] {
            let page = admin.get(&address(&other)).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND);
            assert!(!page.body.contains("김하늘"));
        }
        let page = admin.get(path).await;
        assert!(page.body.contains("/console/keys/new") && !page.body.contains("김하늘"), "{}", page.body);
    }
    assert!(world.store.revoke_api_key(own, school::NOW).await.unwrap());
    assert_eq!(person.get(&format!("/data/students?key={own}")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_key_reads_what_its_scopes_allow_and_one_that_does_is_taken_first() {
    let (world, _) = world().await;
    let clubs = keep(&world, ApiKey { scopes: scopes(ApiScope::CLUB_READ), ..key(&world, 1) }).await;
    let mut browser = world.browser_of(EMAIL).await;
    for path in ["/data/students", "/data/students.csv", "/data/meals"] {
        let page = browser.get(path).await;
        assert_safe(&page);
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(
            page.body.contains("may not read this") && page.body.contains("Lunch &#60;b&#62;") && rows(&page).is_empty(),
            "{}",
            page.body
        );
    }
    assert_eq!(browser.get("/data/clubs").await.status, StatusCode::OK);
    let all = keep(&world, key(&world, 2)).await;
    let page = browser.get("/data/students").await;
    assert!(page.status == StatusCode::OK && page.body.contains(&format!("<option value=\"{all}\" selected>")));
    assert_eq!(browser.get(&format!("/data/students?key={clubs}")).await.status, StatusCode::FORBIDDEN);
}

/// Fails if a page shows what the data API hides, or somebody may find it out by trying.
#[tokio::test]
async fn what_a_key_does_without_is_on_no_page_and_in_no_table() {
    let (world, _) = world().await;
    let mut browser = browser_without(&world, HiddenFields::all()).await;
    let page = browser.get("/data/students?includeGraduates=true").await;
    let hidden = rows(&page)[0].iter().filter(|cell| *cell == "Hidden").count();
    assert_eq!(hidden, PersonalField::ALL.len(), "{:?}", rows(&page)[0]);
    for sort in ["E-mail address", "Student number", "Sex", "Major", "Dormitory room"] {
        assert_eq!(link(&page, sort), None, "{sort}");
    }
    for path in ["students", "students.csv", "clubs", "clubs.csv?includeLeaderInParticipants=true", "projects", "projects.csv"] {
        let answer = browser.get(&format!("/data/{path}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let shown = if path.contains(".csv") { answer.body } else { rows(&answer).concat().join("|") };
        // A project tells of a room and of what it is built with.
        let elsewhere: &[&str] = if path.starts_with("projects") { &[] } else { &["415", "Rust"] };
        for value in ["s19@", "haneul-kim", "2307", "WOMAN", "Woman", "SW_DEVELOPMENT", "Software"].iter().chain(elsewhere) {
            assert!(!shown.contains(value), "{value} in {path}: {shown}");
        }
        assert!(shown.contains("김하늘"), "{shown}");
    }
    for (query, name) in [("email=s19", "email"), ("sortBy=EMAIL", "sortBy"), ("grade=2", "grade"), ("sex=MAN", "sex")] {
        for path in ["/data/students", "/data/students.csv"] {
            let page = browser.get(&format!("{path}?{query}")).await;
            assert_eq!(page.status, StatusCode::FORBIDDEN, "{query}");
            assert!(page.body.contains(&format!("id=\"{name}-fault\">The key does without")) && rows(&page).is_empty(), "{}", page.body);
        }
    }
}

#[tokio::test]
async fn each_look_is_a_use_of_the_key() {
    let (world, api) = world().await;
    let id = keep(&world, key(&world, 1)).await;
    let mut browser = world.browser_of(EMAIL).await;
    for path in ["/data/students", "/data/students.csv", "/data/meals"] {
        assert_eq!(browser.get(path).await.status, StatusCode::OK);
    }
    world.clock.advance(MINUTE);
    assert_eq!(browser.get("/data/clubs").await.status, StatusCode::OK);
    api.flush().await.unwrap();
    let today: Date = "2026-11-21".parse().unwrap();
    assert_eq!(world.store.api_key_usage(id, DateRange::day(today)).await.unwrap(), [(today, 4)]);
    assert_eq!(world.store.api_key_by_id(id).await.unwrap().unwrap().last_used_at, Some(school::NOW.plus(MINUTE)));
}
