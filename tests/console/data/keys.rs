use http::StatusCode;
use lyceum::domain::{DateRange, PersonalField, Quota};
use lyceum::http::audit::EventKind;
use lyceum::store::AuditStore;
use lyceum::testing::MemoryAuditLog;

use super::*;
use crate::audit::audited_harness;
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

/// Fails if users who browse in the console see their own page views as calls of their program, and
/// are warned of these when they revoke the key, or if their refusals are listed as the key's.
#[tokio::test]
async fn a_data_page_counts_towards_the_limit_of_the_key_and_is_no_use_of_it() {
    let log = MemoryAuditLog::default();
    let quota = Quota::new(5, MINUTE, 5).unwrap();
    let (harness, api) =
        harness_with(|builder| builder.rate_limit(quota).audit(Arc::new(log.clone()))).await;
    let id = keep(&harness, key(&harness, 1)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    for path in ["/data/students", "/data/students.csv", "/data/meals"] {
        assert_eq!(browser.get(path).await.status, StatusCode::OK);
    }
    let refused = browser.get("/data/students?grade=x").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let calls = async || {
        api.flush().await.unwrap();
        let day = DateRange::single_day("2026-11-21".parse().unwrap());
        let calls = harness.store.api_key_usage(id, day).await.unwrap();
        let key = harness.store.api_key_by_id(id).await.unwrap().unwrap();
        let counts = calls.iter().map(|of| (of.calls, of.errors));
        (counts.collect::<Vec<_>>(), key.last_used_at)
    };
    assert_eq!(calls().await, (Vec::new(), None));
    let event = log.events().pop().unwrap();
    assert!(
        matches!(
            &event.kind,
            EventKind::Refused(refused)
                if refused.api_key.is_none() && refused.subject.as_ref() == Some(&harness.person)
        ),
        "{event:?}"
    );
    let (status, _) = asked(&api, 1, "/v1/clubs", "application/json").await;
    assert_eq!(status, StatusCode::OK);
    let page = browser.get("/data/clubs").await;
    assert_eq!(
        page.status,
        StatusCode::TOO_MANY_REQUESTS,
        "it is the sixth"
    );
    let used = (vec![(1, 0)], Some(school_fixtures::NOW));
    assert_eq!(calls().await, used, "only the call of the program");
}

/// Fails if refusals are listed below "Errors 0", or a key that was just used reads "Never".
#[tokio::test]
async fn the_pages_of_a_key_have_the_requests_that_are_not_written_yet() {
    let (harness, api) = harness().await;
    // Pages wait without a deadline, and only where the task runs.
    let _background = tokio::spawn(api.run(|_| std::future::pending()));
    let id = keep(&harness, key(&harness, 1)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let mut number = 0;
    for path in [
        format!("/keys/{id}"),
        format!("/keys/{id}/activity"),
        "/".to_owned(),
    ] {
        number += 1;
        for path in ["/v1/clubs", "/v1/clubs?size=x"] {
            asked(&api, 1, path, "application/json").await;
        }
        let page = browser.get(&path).await;
        assert_safe(&page);
        for label in ["Successful", "Errors"] {
            let count = format!("<dt>{label}</dt><dd>{number}</dd>");
            assert!(page.body.contains(&count), "{path} {label}: {}", page.body);
        }
        assert!(!page.body.contains("Never") && !page.body.contains("minutes behind"));
    }
    let other = keep(&harness, key(&harness, 2)).await;
    assert!(browser.get("/keys").await.body.contains("Never"));
    asked(&api, 2, "/v1/clubs", "application/json").await;
    assert!(!browser.get("/keys").await.body.contains("Never"));
    asked(&api, 2, "/v1/clubs", "application/json").await;
    let page = browser.get(&format!("/keys/{other}/revoke")).await.body;
    assert!(page.contains("2 requests"), "{page}");
}

#[tokio::test]
async fn charts_of_keys_say_that_other_nodes_may_be_behind_where_there_are_others() {
    let (harness, api) = harness().await;
    let id = keep(&harness, key(&harness, 1)).await;
    let console = Console::builder(harness.auth.management(), ADDRESS)
        .data_browser(api.data_client(), API)
        .several_nodes()
        .build()
        .unwrap();
    let harness = Harness { console, ..harness };
    let mut browser = harness.browser_of(EMAIL).await;
    for path in [format!("/keys/{id}"), format!("/keys/{id}/activity")] {
        let page = browser.get(&path).await;
        assert_safe(&page);
        assert!(
            page.body.contains("Counts can be a few minutes behind."),
            "{path}: {}",
            page.body
        );
    }
}

// Proves: threats 26
/// Fails if the owner of a key is not told which parameter was wrong, or if an event has a value, or
/// a name that only the client knows.
#[tokio::test]
async fn a_refusal_names_its_parameter_and_path_and_nothing_else_that_was_sent() {
    let (harness, store, log) = audited_harness().await;
    let (harness, api) = with_data(harness, |builder| builder.audit(Arc::new(log.clone()))).await;
    let id = keep(&harness, key(&harness, 1)).await;
    for path in [
        "/v1/students?grade=zebra",
        "/v1/students?size=11&size=zebra",
        "/v1/students?zebra=1&zebra=2",
        "/v1/students?zebra=1",
        "/v1/neis/meals?date=zebra",
    ] {
        let (status, _) = asked(&api, 1, path, "application/json").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}");
    }
    assert!(log.flush().await);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&format!("/keys/{id}/activity")).await;
    assert_safe(&page);
    for text in [
        "The parameter grade is not valid.",
        "The parameter size is repeated.",
        "The parameter date is not valid.",
        "A parameter is repeated.",
        ">/v1/students<",
        ">/v1/neis/meals<",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(!page.body.contains("zebra"), "{}", page.body);
    let link = page.body.split("/requests?id=").nth(1).unwrap();
    let request_id = link.split('"').next().unwrap();
    let path = format!("/requests?id={request_id}");
    let page = browser.get(&path).await.body;
    assert!(
        page.contains("The parameter date is not valid.") && page.contains(">/v1/neis/meals<"),
        "{page}"
    );
    browser.language = "ko";
    let page = browser.get(&path).await.body;
    assert!(
        page.contains("date 매개변수가 규칙에 맞지 않아요."),
        "{page}"
    );
    let explained = format!("/admin/audit/explain?id={request_id}");
    let page = harness.browser_of(ADMIN).await.get(&explained).await.body;
    assert!(
        page.contains("was refused: The parameter date is not valid."),
        "{page}"
    );
    let request_id = request_id.parse().unwrap();
    let records = AuditStore::audit_records_of(&*store, &request_id)
        .await
        .unwrap();
    assert!(
        records[0]
            .record
            .json
            .as_str()
            .contains("\"parameter\":\"date\""),
        "{records:?}"
    );
}
