use http::StatusCode;
use lyceum::domain::{Date, DateRange, PersonalField};

use super::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn without_a_data_client_there_are_no_data_pages_or_links() {
    let harness = Harness::new().await;
    let mut browser = browser(&harness).await;
    assert_eq!(
        browser.get("/data/students").await.status,
        StatusCode::NOT_FOUND
    );
    assert!(!browser.get("/").await.body.contains("/data/"));
    let (harness, _) = super::harness().await;
    assert!(
        harness
            .browser_of(EMAIL)
            .await
            .get("/")
            .await
            .body
            .contains("/console/data/students")
    );
}

#[tokio::test]
async fn the_address_of_the_data_api_is_a_public_one() {
    let (harness, api) = harness().await;
    for address in [
        "",
        "http://school.example",
        "https://school.example/",
        "https://school.example/a?b",
        "https://school.example/a'",
    ] {
        assert!(
            Console::builder(harness.auth.management(), ADDRESS)
                .data_browser(api.data_client(), address)
                .build()
                .is_err(),
            "{address}"
        );
    }
}

#[tokio::test]
async fn a_user_without_a_key_sees_how_to_get_one() {
    let (harness, _) = harness().await;
    keep(
        &harness,
        ApiKey {
            expires_at: school_fixtures::NOW,
            ..key(&harness, 3)
        },
    )
    .await;
    keep(
        &harness,
        ApiKey {
            revoked_at: Some(school_fixtures::NOW),
            ..key(&harness, 4)
        },
    )
    .await;
    let page = harness.browser_of(EMAIL).await.get("/data/meals").await;
    assert_safe(&page);
    assert!(
        page.status == StatusCode::OK
            && page.body.contains("/console/keys/new")
            && !page.body.contains("YOUR_KEY"),
        "{}",
        page.body
    );
}

/// Fails if an administrator reads with another user's key, or any user with a key without an
/// owner.
#[tokio::test]
async fn data_pages_refuse_a_key_of_another_owner_or_one_that_has_ended() {
    let (harness, _) = harness().await;
    let own = keep(&harness, key(&harness, 1)).await;
    let nobodys = keep(
        &harness,
        ApiKey {
            owner: None,
            ..key(&harness, 2)
        },
    )
    .await;
    let expired = keep(
        &harness,
        ApiKey {
            expires_at: school_fixtures::NOW,
            ..key(&harness, 3)
        },
    )
    .await;
    let revoked = keep(
        &harness,
        ApiKey {
            revoked_at: Some(school_fixtures::NOW),
            ..key(&harness, 4)
        },
    )
    .await;
    let (mut person, mut admin) = (
        harness.browser_of(EMAIL).await,
        harness.browser_of(ADMIN).await,
    );
    for path in ["/data/students", "/data/students.csv"] {
        let address = |key: &dyn std::fmt::Display| format!("{path}?key={key}");
        assert_eq!(person.get(&address(&own)).await.status, StatusCode::OK);
        for other in [nobodys, expired, revoked, ApiKeyId::from_random([9; 16])] {
            assert_eq!(
                person.get(&address(&other)).await.status,
                StatusCode::NOT_FOUND
            );
        }
        assert_eq!(
            person.get(&address(&"%22")).await.status,
            StatusCode::NOT_FOUND
        );
        let secret = ApiKeySecret::from_random([1; 16]);
        assert_eq!(
            person.get(&address(&secret.expose())).await.status,
            StatusCode::NOT_FOUND,
            "the value is no id"
        );
        for other in [own, nobodys] {
            let page = admin.get(&address(&other)).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND);
            assert!(!page.body.contains("김하늘"));
        }
    }
    assert!(
        harness
            .store
            .revoke_api_key(own, school_fixtures::NOW)
            .await
            .unwrap()
    );
    assert_eq!(
        person
            .get(&format!("/data/students?key={own}"))
            .await
            .status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_key_reads_what_its_scopes_allow_and_one_that_does_is_taken_first() {
    let (harness, _) = harness().await;
    let clubs = keep(
        &harness,
        ApiKey {
            scopes: scopes(ApiScope::CLUB_READ),
            ..key(&harness, 1)
        },
    )
    .await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in ["/data/students", "/data/students.csv", "/data/meals"] {
        let page = browser.get(path).await;
        assert_safe(&page);
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(
            page.body.contains("cannot read this")
                && page.body.contains("Lunch &#60;b&#62;")
                && rows(&page).is_empty(),
            "{}",
            page.body
        );
    }
    assert_eq!(browser.get("/data/clubs").await.status, StatusCode::OK);
    let all = keep(&harness, key(&harness, 2)).await;
    let page = browser.get("/data/students").await;
    assert!(
        page.status == StatusCode::OK
            && page
                .body
                .contains(&format!("<option value=\"{all}\" selected>"))
    );
    assert_eq!(
        browser
            .get(&format!("/data/students?key={clubs}"))
            .await
            .status,
        StatusCode::FORBIDDEN
    );
}

/// Fails if a page shows hidden fields, or lets users infer them by filters.
#[tokio::test]
async fn hidden_fields_of_a_key_are_on_no_page_and_in_no_table() {
    let (harness, _) = harness().await;
    let mut browser = browser_without(&harness, HiddenFields::all()).await;
    let columns = "_columns=sex,email,studentNumber,major,specialty,dormitoryRoom,githubId";
    let page = browser
        .get(&format!("/data/students?includeGraduates=true&{columns}"))
        .await;
    let hidden = rows(&page)[0]
        .iter()
        .filter(|cell| *cell == "Hidden")
        .count();
    assert_eq!(hidden, PersonalField::ALL.len(), "{:?}", rows(&page)[0]);
    for sort in [
        "Email address",
        "Student number",
        "Sex",
        "Major",
        "Dormitory room",
    ] {
        assert_eq!(link(&page, sort), None, "{sort}");
    }
    for path in [
        "students",
        "students.csv",
        "clubs",
        "clubs.csv?includeLeaderInParticipants=true",
        "projects",
        "projects.csv",
    ] {
        let answer = browser.get(&format!("/data/{path}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let shown = if path.contains(".csv") {
            answer.body
        } else {
            rows(&answer).concat().join("|")
        };
        // Projects also contain a room and materials.
        let elsewhere: &[&str] = if path.starts_with("projects") {
            &[]
        } else {
            &["415", "Rust"]
        };
        for value in [
            "s19@",
            "haneul-kim",
            "2307",
            "WOMAN",
            "Female",
            "SW_DEVELOPMENT",
            "Software",
        ]
        .iter()
        .chain(elsewhere)
        {
            assert!(!shown.contains(value), "{value} in {path}: {shown}");
        }
        assert!(shown.contains("김하늘"), "{shown}");
    }
    for (query, label) in [
        ("email=s19", "Email address"),
        ("sortBy=EMAIL", "Sort by"),
        ("grade=2", "Grade"),
        ("sex=MAN", "Sex"),
    ] {
        for path in ["/data/students", "/data/students.csv"] {
            let page = browser.get(&format!("{path}?{query}")).await;
            assert_eq!(page.status, StatusCode::FORBIDDEN, "{query}");
            assert!(
                page.body
                    .contains(&format!("{label}: This field is hidden from the key"))
                    && rows(&page).is_empty(),
                "{}",
                page.body
            );
        }
    }
}

/// Fails if the form offers what the data API refuses, or sends a refused filter again.
#[tokio::test]
async fn the_form_offers_no_filters_by_fields_that_the_key_hides() {
    let (harness, _) = harness().await;
    let hidden = [PersonalField::Email, PersonalField::Sex];
    let mut browser = browser_without(&harness, hidden.into_iter().collect()).await;
    let offers = |page: &TestResponse, name: &str| page.body.contains(&format!("name=\"{name}\""));
    let page = browser.get("/data/students").await;
    for (name, expected) in [
        ("name", true),
        ("grade", true),
        ("email", false),
        ("sex", false),
    ] {
        assert_eq!(offers(&page, name), expected, "{name}: {}", page.body);
    }
    let refused = browser.get("/data/students?sex=MAN&grade=2").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(
        refused.body.contains("Sex: This field is hidden") && !offers(&refused, "sex"),
        "the form sends the filter no more: {}",
        refused.body
    );
    let (harness, _) = super::harness().await;
    let page = super::browser(&harness).await.get("/data/students").await;
    assert!(offers(&page, "email") && offers(&page, "sex"));
}

#[tokio::test]
async fn each_data_page_counts_as_a_use_of_the_key() {
    let (harness, api) = harness().await;
    let id = keep(&harness, key(&harness, 1)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in ["/data/students", "/data/students.csv", "/data/meals"] {
        assert_eq!(browser.get(path).await.status, StatusCode::OK);
    }
    harness.clock.advance(MINUTE);
    assert_eq!(browser.get("/data/clubs").await.status, StatusCode::OK);
    api.flush().await.unwrap();
    let today: Date = "2026-11-21".parse().unwrap();
    assert_eq!(
        harness
            .store
            .api_key_usage(id, DateRange::single_day(today))
            .await
            .unwrap(),
        [lyceum::domain::DailyCalls {
            day: today,
            calls: 4,
            errors: 0
        }]
    );
    assert_eq!(
        harness
            .store
            .api_key_by_id(id)
            .await
            .unwrap()
            .unwrap()
            .last_used_at,
        Some(school_fixtures::NOW.plus(MINUTE))
    );
}
