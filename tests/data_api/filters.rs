//! Filters: spec 2.6, and the enrollment filters of spec 2.19.

use serde_json::Value;

use crate::client::{escaped, get};
use crate::school_fixtures;

const ALL: &str = "includeGraduates=true&includeWithdrawn=true";

// Proves: spec 2.19
#[tokio::test]
async fn every_student_filter_finds_its_students() {
    let api = school_fixtures::api().await;
    let cases: [(String, &[i64]); 28] = [
        ("studentId=4".into(), &[4]),
        ("studentId=99".into(), &[]),
        ("name=BOB".into(), &[5, 8]),
        (format!("name={}", escaped("하늘")), &[1]),
        ("email=S19".into(), &[1]),
        ("email=%40school".into(), &[1, 2, 3, 4, 5, 6, 7, 8]),
        ("grade=1".into(), &[2, 4]),
        ("classNum=1".into(), &[2, 5]),
        ("number=18".into(), &[3]),
        ("sex=MAN".into(), &[3, 5, 7, 8]),
        ("sex=WOMAN".into(), &[1, 2, 4, 6]),
        ("role=STUDENT_COUNCIL".into(), &[2]),
        ("role=DORMITORY_MANAGER".into(), &[3]),
        ("role=GENERAL_STUDENT".into(), &[1, 4, 5]),
        ("role=GRADUATE".into(), &[6, 7]),
        ("role=WITHDRAWN".into(), &[8]),
        ("specialty=rust".into(), &[1]),
        ("specialty=design".into(), &[2, 5]),
        ("major=SW_DEVELOPMENT".into(), &[2, 4]),
        ("major=SMART_IOT".into(), &[3]),
        ("major=AI".into(), &[1, 5]),
        ("githubId=ASA-".into(), &[2]),
        ("githubId=a".into(), &[1, 2, 6]),
        ("dormitoryRoom=415".into(), &[1, 4]),
        ("dormitoryRoom=416".into(), &[]),
        ("sex=WOMAN&dormitoryRoom=415&grade=2".into(), &[1]),
        ("grade=1&classNum=2&number=5".into(), &[4]),
        ("sex=MAN&major=SW_DEVELOPMENT".into(), &[]),
    ];
    for (query, ids) in cases {
        assert_eq!(
            get(&api, &format!("/v1/students?{ALL}&{query}"))
                .await
                .ids(),
            ids,
            "{query}"
        );
    }
}

// Proves: spec 2.19
#[tokio::test]
async fn every_combination_of_the_three_enrollment_filters_gives_the_documented_students() {
    let api = school_fixtures::api().await;
    for (only, graduates, withdrawn, ids) in [
        (false, false, false, &[1, 2, 3, 4, 5][..]),
        (false, false, true, &[1, 2, 3, 4, 5, 8]),
        (false, true, false, &[1, 2, 3, 4, 5, 6, 7]),
        (false, true, true, &[1, 2, 3, 4, 5, 6, 7, 8]),
        (true, false, false, &[1, 2, 3, 4, 5]),
        (true, false, true, &[1, 2, 3, 4, 5]),
        (true, true, false, &[1, 2, 3, 4, 5]),
        (true, true, true, &[1, 2, 3, 4, 5]),
    ] {
        let query = format!(
            "onlyEnrolled={only}&includeGraduates={graduates}&includeWithdrawn={withdrawn}"
        );
        let answer = get(&api, &format!("/v1/students?{query}")).await;
        assert_eq!(answer.ids(), ids, "{query}");
        assert_eq!(answer.json()["data"]["totalElements"], ids.len());
    }
    assert_eq!(get(&api, "/v1/students").await.ids(), [1, 2, 3, 4, 5]);
    assert_eq!(
        get(&api, "/v1/students?role=GRADUATE").await.ids(),
        [0; 0],
        "the filters are ANDed"
    );
}

// Proves: spec 2.6
#[tokio::test]
async fn wildcards_are_literal_and_case_is_ignored_for_all_of_unicode() {
    let api = school_fixtures::api().await;
    for (query, ids) in [
        ("students?specialty=100%25", &[2][..]),
        ("students?specialty=a_c&includeWithdrawn=true", &[8]),
        ("students?specialty=R_st", &[]),
        ("students?specialty=%25", &[2]),
        ("clubs?clubName=%25", &[3]),
        ("clubs?clubName=_", &[]),
        ("projects?projectName=CAMPUS", &[1, 3]),
    ] {
        assert_eq!(
            get(&api, &format!("/v1/{query}")).await.ids(),
            ids,
            "{query}"
        );
    }
    // Upper case, and a ring as a combining character.
    for name in ["åSA ö", "A\u{30a}sa O\u{308}", "ÅSA"] {
        assert_eq!(
            get(&api, &format!("/v1/students?name={}", escaped(name)))
                .await
                .ids(),
            [2],
            "{name}"
        );
    }
    // The syllables of 하늘, decomposed.
    assert_eq!(
        get(
            &api,
            &format!(
                "/v1/students?name={}",
                escaped("\u{1112}\u{1161}\u{1102}\u{1173}\u{11af}")
            )
        )
        .await
        .ids(),
        [1]
    );
}

// Proves: spec 2.6
/// Fails if a number or a name of an enumeration matches by a part of it.
#[tokio::test]
async fn everything_but_text_is_found_by_equality() {
    let api = school_fixtures::builder()
        .await
        .without_rate_limit()
        .build()
        .unwrap();
    let students = [
        ("studentId", "id"),
        ("grade", "grade"),
        ("classNum", "classNum"),
        ("number", "number"),
        ("sex", "sex"),
    ];
    let students = students.into_iter().chain([
        ("role", "role"),
        ("major", "major"),
        ("dormitoryRoom", "dormitoryRoom"),
    ]);
    let clubs = [
        ("clubId", "id"),
        ("clubType", "type"),
        ("status", "status"),
        ("foundedYear", "foundedYear"),
    ];
    for (path, list, filters) in [
        (
            format!("/v1/students?{ALL}"),
            "students",
            students.collect::<Vec<_>>(),
        ),
        ("/v1/clubs?".to_owned(), "clubs", clubs.to_vec()),
        (
            "/v1/projects?".to_owned(),
            "projects",
            vec![("projectId", "id"), ("status", "status")],
        ),
    ] {
        let all = get(&api, &path).await.json()["data"][list]
            .as_array()
            .unwrap()
            .clone();
        for (parameter, field) in filters {
            let values: Vec<&Value> = all
                .iter()
                .map(|record| &record[field])
                .filter(|value| !value.is_null())
                .collect();
            assert!(!values.is_empty(), "{field}");
            for value in values {
                let same: Vec<_> = all
                    .iter()
                    .filter(|record| record[field] == *value)
                    .map(|record| record["id"].as_i64().unwrap())
                    .collect();
                let query = format!("{path}&{parameter}={}", value.to_string().trim_matches('"'));
                assert_eq!(get(&api, &query).await.ids(), same, "{query}");
            }
        }
    }
    assert_eq!(
        get(&api, &format!("/v1/students?{ALL}&dormitoryRoom=41"))
            .await
            .ids(),
        [0; 0]
    );
}

// Proves: spec 2.19
#[tokio::test]
async fn every_club_filter_finds_its_clubs() {
    let api = school_fixtures::api().await;
    for (query, ids) in [
        ("", &[1, 2, 3, 4][..]),
        ("clubId=2", &[2]),
        ("clubName=robot", &[1, 4]),
        ("clubType=MAJOR_CLUB", &[1, 4]),
        ("clubType=AUTONOMOUS_CLUB", &[2, 3]),
        ("status=ACTIVE", &[1, 2]),
        ("status=ABOLISHED", &[3, 4]),
        ("clubStatus=ABOLISHED", &[3, 4]),
        ("foundedYear=2018", &[1, 4]),
        ("foundedYear=2018&status=ACTIVE", &[1]),
        ("clubType=MAJOR_CLUB&foundedYear=2020", &[]),
    ] {
        assert_eq!(
            get(&api, &format!("/v1/clubs?{query}")).await.ids(),
            ids,
            "{query}"
        );
    }
}

// Proves: spec 2.19
#[tokio::test]
async fn every_project_filter_finds_its_projects() {
    let api = school_fixtures::api().await;
    for (query, ids) in [
        ("projectId=1", &[1][..]),
        ("projectId=2", &[]),
        ("projectId=2&status=ENDED", &[2]),
        ("projectName=map", &[1]),
        ("clubId=2", &[3]),
        ("clubId=3", &[]),
        ("status=ACTIVE", &[1, 3]),
        ("status=ENDED", &[2]),
    ] {
        assert_eq!(
            get(&api, &format!("/v1/projects?{query}")).await.ids(),
            ids,
            "{query}"
        );
    }
}
