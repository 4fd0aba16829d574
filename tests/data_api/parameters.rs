//! Parsing of query parameters: spec 2.5.

use crate::client::get;
use std::sync::Arc;

use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::Major;

use crate::school_fixtures;

async fn refused(path: &str) -> (String, Option<String>) {
    let answer = get(&school_fixtures::api().await, path).await;
    assert_eq!(answer.status, 400, "{path}: {}", answer.body);
    answer.reason()
}

fn invalid(parameter: &str) -> (String, Option<String>) {
    ("parameter_invalid".to_owned(), Some(parameter.to_owned()))
}

// Proves: spec 2.5
#[tokio::test]
async fn an_unknown_parameter_is_refused_and_the_known_ones_are_listed() {
    let api = school_fixtures::api().await;
    for (path, known) in [
        (
            "/v1/students",
            "studentId, name, email, grade, classNum, number, sex, role, specialty, major, githubId, dormitoryRoom, includeGraduates, \
             onlyEnrolled, includeWithdrawn, updatedSince, sortBy, sortDirection, page, size",
        ),
        (
            "/v1/clubs",
            "clubId, clubName, clubType, status, clubStatus, foundedYear, includeLeaderInParticipants, updatedSince, sortBy, sortDirection, page, \
             size",
        ),
        (
            "/v1/projects",
            "projectId, projectName, clubId, status, updatedSince, sortBy, sortDirection, page, size",
        ),
        (
            "/v1/neis/meals",
            "date, fromDate, startDate, toDate, endDate",
        ),
        (
            "/v1/neis/schedules",
            "date, fromDate, startDate, toDate, endDate",
        ),
        (
            "/v1/neis/timetables",
            "date, fromDate, startDate, toDate, endDate, grade, classNum",
        ),
    ] {
        let answer = get(&api, &format!("{path}?Grade=1")).await;
        assert_eq!(
            answer.reason(),
            ("parameter_unknown".to_owned(), Some("Grade".to_owned()))
        );
        assert_eq!(
            answer.json()["message"],
            format!("The parameter Grade is unknown; known are {known}.")
        );
    }
}

// Proves: spec 2.5
#[tokio::test]
async fn unknown_parameters_are_ignored_if_the_host_configures_it() {
    let api = school_fixtures::builder()
        .await
        .ignore_unknown_parameters()
        .build()
        .unwrap();
    let answer = get(&api, "/v1/students?utm_source=x&grade=2").await;
    assert_eq!(answer.ids(), [1, 5]);
    assert!(!answer.header("link").contains("utm_source"));
    assert_eq!(get(&api, "/v1/neis/meals?grade=1").await.status, 200);
}

// Proves: spec 2.5
#[tokio::test]
async fn a_repeated_parameter_is_refused() {
    for (query, name) in [
        ("students?grade=1&grade=1", "grade"),
        ("students?grade=&grade=1", "grade"),
        ("students?gr%61de=1&grade=2", "grade"),
        ("students?page=0&page=0", "page"),
        ("clubs?status=ACTIVE&clubStatus=ACTIVE", "clubStatus"),
        (
            "neis/meals?fromDate=2026-01-01&startDate=2026-01-01",
            "startDate",
        ),
        ("neis/meals?endDate=2026-01-01&toDate=2026-01-01", "endDate"),
    ] {
        assert_eq!(
            refused(&format!("/v1/{query}")).await,
            ("parameter_repeated".to_owned(), Some(name.to_owned())),
            "{query}"
        );
    }
}

// Proves: spec 2.5
#[tokio::test]
async fn an_empty_value_is_absent() {
    let api = school_fixtures::api().await;
    let everything_empty = "studentId=&name=&email=&grade=&classNum=&number=&sex=&role=&specialty=&major=&githubId&dormitoryRoom=\
                            &includeGraduates=&onlyEnrolled=&includeWithdrawn=&sortBy=&sortDirection=&page=&size=";
    assert_eq!(
        get(&api, &format!("/v1/students?{everything_empty}"))
            .await
            .ids(),
        [1, 2, 3, 4, 5]
    );
    assert_eq!(get(&api, "/v1/students?").await.ids(), [1, 2, 3, 4, 5]);
    assert_eq!(get(&api, "/v1/projects?status=").await.ids(), [1, 3]);
}

// Proves: spec 2.5
#[tokio::test]
async fn enumerations_are_exact_and_the_refusal_lists_their_values() {
    for (parameter, path) in [
        ("sex", "students?sex=man"),
        ("role", "students?role=Graduate"),
        ("major", "students?major=AI%20"),
        ("sortBy", "students?sortBy=id"),
        ("sortBy", "clubs?sortBy=EMAIL"),
        ("sortBy", "projects?sortBy=STATUS"),
        ("sortDirection", "students?sortDirection=asc"),
        ("clubType", "clubs?clubType=MAJOR"),
        ("status", "clubs?status=ENDED"),
        ("clubStatus", "clubs?clubStatus=active"),
        ("status", "projects?status=ABOLISHED"),
    ] {
        assert_eq!(
            refused(&format!("/v1/{path}")).await,
            invalid(parameter),
            "{path}"
        );
    }
    let answer = get(&school_fixtures::api().await, "/v1/projects?status=DONE").await;
    assert_eq!(
        answer.json()["message"],
        "The parameter status must be one of ACTIVE, ENDED."
    );
}

// Proves: spec 2.5
#[tokio::test]
async fn booleans_are_read_in_any_case() {
    let api = school_fixtures::api().await;
    for yes in ["true", "TRUE", "True"] {
        assert_eq!(
            get(&api, &format!("/v1/students?includeWithdrawn={yes}"))
                .await
                .ids(),
            [1, 2, 3, 4, 5, 8]
        );
    }
    assert_eq!(
        get(&api, "/v1/students?includeWithdrawn=FALSE").await.ids(),
        [1, 2, 3, 4, 5]
    );
    for no_boolean in ["1", "0", "yes", "tru", "true%20"] {
        assert_eq!(
            refused(&format!("/v1/students?onlyEnrolled={no_boolean}")).await,
            invalid("onlyEnrolled")
        );
    }
}

// Proves: spec 2.5
#[tokio::test]
async fn numbers_outside_their_ranges_are_refused() {
    let api = school_fixtures::api().await;
    for (parameter, path, low, high) in [
        ("grade", "students", 1_i64, 3_i64),
        ("classNum", "students", 1, 4),
        ("number", "students", 1, 18),
        ("grade", "neis/timetables", 1, 3),
        ("classNum", "neis/timetables", 1, 4),
        ("studentId", "students", 1, i64::MAX),
        ("clubId", "clubs", 1, i64::MAX),
        ("clubId", "projects", 1, i64::MAX),
        ("projectId", "projects", 1, i64::MAX),
        ("foundedYear", "clubs", 1, 9999),
        ("dormitoryRoom", "students", 1, 99_999),
    ] {
        for good in [low, high] {
            assert_eq!(
                get(&api, &format!("/v1/{path}?{parameter}={good}"))
                    .await
                    .status,
                200,
                "{parameter}={good}"
            );
        }
        let above = i128::from(high) + 1;
        for bad in [
            (low - 1).to_string(),
            above.to_string(),
            "-1".into(),
            "%2B1".into(),
            "1.0".into(),
            "%D9%A3".into(),
            "1%00".into(),
        ] {
            assert_eq!(
                refused(&format!("/v1/{path}?{parameter}={bad}")).await,
                invalid(parameter),
                "{parameter}={bad}"
            );
        }
    }
}

// Proves: spec 2.5
#[tokio::test]
async fn a_school_may_have_ranges_of_its_own() {
    let store = school_fixtures::store().await;
    let majors = ["ROBOTICS".parse().unwrap(), Major::AI];
    let directory = Directory::builder(store.clone())
        .grades(1..=6)
        .classes(2..=9)
        .seat_numbers(1..=40)
        .majors(majors);
    let api = DataApi::builder(directory.open().await.unwrap(), store)
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    assert_eq!(get(&api, "/v1/students?grade=6").await.status, 200);
    assert_eq!(get(&api, "/v1/students?number=40").await.status, 200);
    let answer = get(&api, "/v1/students?classNum=1").await;
    assert_eq!(
        answer.json()["message"],
        "The parameter classNum must be a whole number from 2 to 9."
    );
    assert_eq!(
        get(&api, "/v1/neis/timetables?grade=6&classNum=9")
            .await
            .status,
        200
    );
    assert_eq!(
        get(&api, "/v1/students?major=ROBOTICS").await.ids(),
        [] as [i64; 0]
    );
    let answer = get(&api, "/v1/students?major=SMART_IOT").await;
    assert_eq!(
        answer.json()["message"],
        "The parameter major must be one of ROBOTICS, AI."
    );
    assert!(
        get(&api, "/v1/students").await.body.contains("SMART_IOT"),
        "a student whose major is the school's no more is not served"
    );
    assert_eq!(
        get(&api, "/v1/neis/timetables?classNum=1").await.reason(),
        invalid("classNum")
    );
}

// Proves: spec 2.5
#[tokio::test]
async fn plus_and_percent_20_are_blanks_and_broken_encoding_is_refused() {
    let api = school_fixtures::api().await;
    assert_eq!(get(&api, "/v1/clubs?clubName=robot+art").await.ids(), [4]);
    assert_eq!(get(&api, "/v1/clubs?clubName=robot%20art").await.ids(), [4]);
    for query in [
        "name=%",
        "name=%2",
        "name=%zz",
        "name=%ff",
        "name=%C3%28",
        "name=%ED%A0%80",
        "%=1",
        "=1",
        "grade=1&=",
    ] {
        assert_eq!(
            refused(&format!("/v1/students?{query}")).await,
            ("query_malformed".to_owned(), None),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_text_filter_is_neither_long_nor_broken() {
    for bad in ["%00".to_owned(), "a%0Ab".to_owned(), "x".repeat(256)] {
        for parameter in ["name", "email", "specialty", "githubId"] {
            assert_eq!(
                refused(&format!("/v1/students?{parameter}={bad}")).await,
                invalid(parameter)
            );
        }
    }
}
