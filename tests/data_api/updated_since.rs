//! Changes of a list for clients with a copy: `updatedSince`.

use std::sync::Arc;

use http::Request;
use lyceum::DataApi;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{ClubId, HiddenFields, ProjectId, StudentId};
use serde_json::{Value, json};

use crate::client::{TestResponse, get, request, send, send_with};
use crate::hidden_fields;
use crate::school_fixtures::{self, FULL_KEY, FixedClock};

const LISTS: [&str; 3] = ["students", "clubs", "projects"];

async fn test_school() -> (Directory, DataApi) {
    let store = school_fixtures::store().await;
    let directory = school_fixtures::directory(store.clone()).await;
    (
        directory.clone(),
        DataApi::builder(directory, store)
            .clock(Arc::new(FixedClock))
            .without_rate_limit()
            .build()
            .unwrap(),
    )
}

async fn write(directory: &Directory, change: DirectoryChange) {
    assert!(matches!(
        directory.write(vec![change]).await.unwrap(),
        WriteOutcome::Written(_)
    ));
}

fn no_student(number: i64) -> DirectoryChange {
    DirectoryChange::RemoveStudent(StudentId::new(number).unwrap())
}

/// Requests the changes since a cursor, and returns them with the next cursor.
async fn since(api: &DataApi, list: &str, cursor: &str) -> (Value, String) {
    let answer = get(
        api,
        &format!(
            "/v1/{list}{}updatedSince={cursor}",
            if list.contains('?') { '&' } else { '?' }
        ),
    )
    .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let mut data = answer.json()["data"].take();
    let Value::String(next) = data["cursor"].take() else {
        panic!("{data}")
    };
    (data, next)
}

fn ids(data: &Value, list: &str) -> Vec<i64> {
    data[list]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["id"].as_i64().unwrap())
        .collect()
}

fn refused(answer: &TestResponse) -> (u16, String, Option<String>) {
    let (reason, parameter) = answer.reason();
    (answer.status.as_u16(), reason, parameter)
}

/// Fails if the removal of a student does not report the clubs and projects that contained them.
#[tokio::test]
async fn a_first_request_lists_everything_and_later_ones_changes_and_deletions() {
    let (directory, api) = test_school().await;
    let mut cursors = Vec::new();
    for (list, whole, left_out) in [
        ("students", json!([1, 2, 3, 4, 5]), json!([6, 7, 8])),
        ("clubs", json!([1, 2, 3, 4]), json!([])),
        ("projects", json!([1, 3]), json!([2])),
    ] {
        let (told, next) = since(&api, list, "0").await;
        let total = whole.as_array().unwrap().len() + left_out.as_array().unwrap().len();
        assert_eq!(json!(ids(&told, list)), whole);
        assert_eq!(
            (
                &told["deleted"],
                &told["more"],
                &told["totalElements"],
                &told["totalPages"]
            ),
            (&left_out, &json!(false), &json!(total), &json!(1))
        );
        assert_eq!(
            told[list],
            get(&api, &format!("/v1/{list}")).await.json()["data"][list],
            "the same records as in the list"
        );
        let (none, still) = since(&api, list, &next).await;
        assert_eq!(
            (
                ids(&none, list),
                &none["deleted"],
                &none["totalPages"],
                &still
            ),
            (vec![], &json!([]), &json!(0), &next)
        );
        cursors.push(next);
    }
    write(&directory, no_student(1)).await;
    for ((list, changed, deleted), cursor) in [
        ("students", vec![], json!([1])),
        ("clubs", vec![1, 2], json!([])),
        ("projects", vec![1], json!([])),
    ]
    .into_iter()
    .zip(&cursors)
    {
        let (told, _) = since(&api, list, cursor).await;
        assert_eq!(
            (ids(&told, list), &told["deleted"]),
            (changed, &deleted),
            "{list}"
        );
    }
    write(
        &directory,
        DirectoryChange::RemoveClub(ClubId::new(2).unwrap()),
    )
    .await;
    write(
        &directory,
        DirectoryChange::RemoveProject(ProjectId::new(3).unwrap()),
    )
    .await;
    let told = [
        since(&api, "clubs", &cursors[1]).await.0,
        since(&api, "projects", &cursors[2]).await.0,
    ];
    assert_eq!(
        (ids(&told[0], "clubs"), &told[0]["deleted"]),
        (vec![1], &json!([2]))
    );
    assert_eq!(
        (ids(&told[1], "projects"), &told[1]["deleted"]),
        (vec![1], &json!([3]))
    );
}

#[tokio::test]
async fn changes_come_a_few_at_a_time_and_the_link_leads_on() {
    let api = school_fixtures::builder_with_store(school_fixtures::store().await)
        .await
        .clock(Arc::new(FixedClock))
        .without_rate_limit()
        .public_url("https://api.school.example")
        .build()
        .unwrap();
    let (mut path, mut told, mut sizes) = (
        "/v1/students?size=3&updatedSince=0&includeGraduates=true".to_owned(),
        Vec::new(),
        Vec::new(),
    );
    loop {
        let answer = get(&api, &path).await;
        let data = &answer.json()["data"];
        told.extend(ids(data, "students"));
        told.extend(
            data["deleted"]
                .as_array()
                .unwrap()
                .iter()
                .map(|id| id.as_i64().unwrap()),
        );
        sizes.push((
            data["totalElements"].as_u64().unwrap(),
            data["totalPages"].as_u64().unwrap(),
            data["more"].as_bool().unwrap(),
        ));
        let link = answer.header("link").to_owned();
        if link.is_empty() {
            break;
        }
        let next = link
            .strip_prefix("<https://api.school.example")
            .unwrap()
            .strip_suffix(">; rel=\"next\"")
            .unwrap();
        assert!(
            next.starts_with("/v1/students?includeGraduates=true&size=3&updatedSince="),
            "{next}"
        );
        path = next.to_owned();
    }
    assert_eq!(
        (told, sizes),
        (
            (1..=8).collect(),
            vec![(8, 3, true), (5, 2, true), (2, 1, false)]
        )
    );
}

#[tokio::test]
async fn records_that_a_filter_excludes_are_deleted_and_flags_of_the_list_apply() {
    let (_, api) = test_school().await;
    let (told, _) = since(&api, "students?grade=1", "0").await;
    assert_eq!(
        (ids(&told, "students"), &told["deleted"]),
        (vec![2, 4], &json!([1, 3, 5, 6, 7, 8]))
    );
    for option in ["true", "false"] {
        let path = format!("clubs?includeLeaderInParticipants={option}");
        let (told, _) = since(&api, &path, "0").await;
        assert_eq!(
            told["clubs"],
            get(&api, &format!("/v1/{path}")).await.json()["data"]["clubs"]
        );
    }
}

#[tokio::test]
async fn there_is_nothing_to_choose_in_the_order_of_changes() {
    let (_, api) = test_school().await;
    for list in LISTS {
        for (name, value) in [
            ("page", "0"),
            ("sortBy", "ID"),
            ("sortBy", "nothing"),
            ("sortDirection", "ASC"),
        ] {
            let answer = get(&api, &format!("/v1/{list}?updatedSince=0&{name}={value}")).await;
            assert_eq!(
                refused(&answer),
                (400, "parameter_invalid".to_owned(), Some(name.to_owned()))
            );
            assert_eq!(
                answer.json()["message"],
                format!("The parameter {name} does not go with updatedSince.")
            );
        }
        for value in [
            "1",
            "00",
            "-0",
            "x",
            "2026-01-01",
            "1-1",
            "0-0-0-0-0",
            "+1-1-1",
            "A-1-1",
            "01-1-1",
        ] {
            let answer = get(&api, &format!("/v1/{list}?updatedSince={value}")).await;
            assert_eq!(
                refused(&answer),
                (
                    400,
                    "parameter_invalid".to_owned(),
                    Some("updatedSince".to_owned())
                ),
                "{value}"
            );
        }
        for size in ["0", "1001"] {
            assert_eq!(
                get(&api, &format!("/v1/{list}?updatedSince=0&size={size}"))
                    .await
                    .reason()
                    .1
                    .unwrap(),
                "size"
            );
        }
        let empty = get(&api, &format!("/v1/{list}?updatedSince=&page=0")).await;
        assert_eq!(
            empty.body,
            get(&api, &format!("/v1/{list}")).await.body,
            "an empty value is an absent one"
        );
    }
    let lessons = get(&api, "/v1/neis/timetables?updatedSince=0").await;
    assert_eq!(lessons.reason().0, "parameter_unknown");
}

/// Fails if the lineage is not checked, so that two in-memory schools accept each other's cursors.
#[tokio::test]
async fn a_cursor_of_another_school_of_the_future_or_of_a_version_before_marks_is_unknown() {
    let (directory, api) = test_school().await;
    let (_, other) = test_school().await;
    let number = directory.snapshot().await.unwrap().version().number;
    let unknown = (
        400,
        "updated_since_unknown".to_owned(),
        Some("updatedSince".to_owned()),
    );
    // First, because the store is queried about one such cursor per second.
    let (_, mine) = since(&api, LISTS[0], "0").await;
    let future = mine.replacen(&format!("-{number:x}-"), &format!("-{:x}-", number + 1), 1);
    assert_eq!(
        refused(&get(&api, &format!("/v1/{}?updatedSince={future}", LISTS[0])).await),
        unknown
    );
    for list in LISTS {
        let (_, mine) = since(&api, list, "0").await;
        let (_, theirs) = since(&other, list, "0").await;
        assert_ne!(mine, theirs);
        let other_mark = format!("{}-{number:x}-1-1", mine.split('-').next().unwrap());
        let without_mark = format!("{}-{number:x}-1", mine.split('-').next().unwrap());
        for cursor in [theirs, other_mark, without_mark] {
            let answer = get(&api, &format!("/v1/{list}?updatedSince={cursor}")).await;
            assert_eq!(refused(&answer), unknown);
            assert_eq!(answer.header("etag"), "");
        }
        since(&api, list, &mine).await;
    }
}

/// CSV and NDJSON cannot carry deletions.
#[tokio::test]
async fn changes_are_json_only() {
    let (_, api) = test_school().await;
    for list in LISTS {
        let path = format!("/v1/{list}?updatedSince=0");
        for format in ["text/csv", "application/x-ndjson"] {
            let answer = send_with(&api, "GET", &path, &[("accept", format)]).await;
            assert_eq!(
                (answer.status.as_u16(), answer.reason().0),
                (406, "not_acceptable".to_owned())
            );
            assert!(
                answer.json()["message"]
                    .as_str()
                    .unwrap()
                    .ends_with("of this address: application/json.")
            );
        }
        let either = send_with(
            &api,
            "GET",
            &path,
            &[("accept", "text/csv, application/json;q=0.1")],
        )
        .await;
        assert_eq!(either.header("content-type"), "application/json");
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_cursor_is_part_of_the_tag_and_head_is_answered_as_get() {
    let (directory, api) = test_school().await;
    for (list, student) in LISTS.into_iter().zip(1..) {
        let (_, cursor) = since(&api, list, "0").await;
        let [whole, changes, first] = [
            "".to_owned(),
            format!("?updatedSince={cursor}"),
            "?updatedSince=0".to_owned(),
        ]
        .map(|query| format!("/v1/{list}{query}"));
        let mut tags = Vec::new();
        for path in [&whole, &changes, &first] {
            let answer = get(&api, path).await;
            let head = send_with(&api, "HEAD", path, &[]).await;
            assert_eq!(
                (head.status, head.body.as_str(), &head.headers),
                (answer.status, "", &answer.headers)
            );
            tags.push(answer.header("etag").to_owned());
        }
        assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2]);
        assert_eq!(
            send_with(&api, "GET", &changes, &[("if-none-match", &tags[1])])
                .await
                .status,
            304
        );
        write(&directory, no_student(student)).await;
        assert_eq!(
            send_with(&api, "GET", &changes, &[("if-none-match", &tags[1])])
                .await
                .status,
            200
        );
    }
}

#[tokio::test]
async fn updated_since_hides_hidden_fields_too() {
    let (api, keys) = hidden_fields::api(&[HiddenFields::all()]).await;
    let ask = async |path: String| {
        let request: Request<()> = request("GET", &path, Some(&keys[0]));
        send(&api, request).await
    };
    for list in LISTS {
        let told = ask(format!("/v1/{list}?updatedSince=0")).await;
        assert_eq!(
            told.json()["data"][list],
            ask(format!("/v1/{list}")).await.json()["data"][list]
        );
        assert!(!told.body.contains("school.example"), "{}", told.body);
        let shown = send(
            &api,
            request("GET", &format!("/v1/{list}?updatedSince=0"), Some(FULL_KEY)),
        )
        .await;
        assert!(
            shown.body.contains("school.example") && shown.header("etag") != told.header("etag")
        );
    }
    let answer = ask("/v1/students?updatedSince=0&email=a".to_owned()).await;
    assert_eq!(
        refused(&answer),
        (403, "field_hidden".to_owned(), Some("email".to_owned()))
    );
}
