//! Keys with hidden fields: no representation, format, order, filter or tag reveals them.

use std::sync::Arc;

use lyceum::DataApi;
use lyceum::domain::{ApiKey, ApiKeySecret, ApiScopes, HiddenFields, PersonalField};
use lyceum::store::{ApiKeyStore, Creation};
use serde_json::Value;

use crate::client::{TestResponse, request, send};
use crate::school_fixtures::{self, FULL_KEY};

const LISTS: [&str; 4] = [
    "/v1/students?includeGraduates=true",
    "/v1/clubs",
    "/v1/clubs?includeLeaderInParticipants=true",
    "/v1/projects",
];
const FORMATS: [&str; 3] = ["application/json", "application/x-ndjson", "text/csv"];

/// Names of a field on the wire.
fn names(field: PersonalField) -> &'static [&'static str] {
    match field {
        PersonalField::Sex => &["sex"],
        PersonalField::Email => &["email"],
        PersonalField::Class => &["grade", "classNum", "number", "studentNumber"],
        PersonalField::Major => &["major"],
        PersonalField::Specialty => &["specialty"],
        PersonalField::Dormitory => &["dormitoryFloor", "dormitoryRoom"],
        PersonalField::Github => &["githubId", "githubUrl"],
    }
}

/// Creates the service and a key for each set of hidden fields.
pub async fn api(policies: &[HiddenFields]) -> (DataApi, Vec<String>) {
    let store = school_fixtures::store().await;
    let mut keys = Vec::new();
    for (number, hidden) in (0x60..).zip(policies) {
        let key = ApiKey {
            hidden: *hidden,
            ..school_fixtures::key(number, ApiScopes::built_in())
        };
        assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        keys.push(ApiKeySecret::from_random([number; 16]).expose().to_owned());
    }
    (
        school_fixtures::builder_with_store(store)
            .await
            .clock(Arc::new(school_fixtures::FixedClock))
            .without_rate_limit()
            .build()
            .unwrap(),
        keys,
    )
}

fn policies() -> Vec<HiddenFields> {
    let each = PersonalField::ALL
        .iter()
        .map(|field| [*field].into_iter().collect());
    each.chain([
        [PersonalField::Email, PersonalField::Dormitory]
            .into_iter()
            .collect(),
        HiddenFields::all(),
    ])
    .collect()
}

async fn get(
    api: &DataApi,
    key: &str,
    path: &str,
    headers: &[(&'static str, &str)],
) -> TestResponse {
    let mut request = request("GET", path, Some(key));
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    send(api, request).await
}

/// Sets the hidden fields of a full response to null.
fn without(value: &mut Value, hidden: HiddenFields) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| without(value, hidden)),
        Value::Object(members) => {
            for (name, value) in members {
                if hidden.iter().any(|field| names(field).contains(&&**name)) {
                    *value = Value::Null;
                }
                without(value, hidden);
            }
        }
        _ => {}
    }
}

fn lines(answer: &TestResponse) -> Vec<Value> {
    answer
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Fails if a representation or a format ignores the hidden fields, or uses the rendering that all
/// keys share.
#[tokio::test]
async fn a_hidden_field_is_null_in_every_shape_and_format_and_all_else_is_as_ever() {
    let policies = policies();
    let (api, keys) = api(&policies).await;
    for (hidden, key) in policies.iter().zip(&keys) {
        for path in LISTS {
            let (mut all, told) = (
                get(&api, FULL_KEY, path, &[]).await.json(),
                get(&api, key, path, &[]).await.json(),
            );
            without(&mut all, *hidden);
            assert_eq!(told, all, "{path} without {hidden}");
            if path.contains("includeLeader") {
                continue;
            }
            let as_lines = [("accept", "application/x-ndjson")];
            let (mut all, told) = (
                lines(&get(&api, FULL_KEY, path, &as_lines).await),
                lines(&get(&api, key, path, &as_lines).await),
            );
            all.iter_mut().for_each(|record| without(record, *hidden));
            assert!(!told.is_empty());
            assert_eq!(told, all, "{path} without {hidden}");
        }
    }
}

#[tokio::test]
async fn no_answer_to_a_key_has_a_hidden_value_anywhere() {
    let (api, keys) = api(&[HiddenFields::all()]).await;
    let students = get(&api, FULL_KEY, LISTS[0], &[]).await.json();
    let values = students["data"]["students"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|student| {
            ["email", "githubId", "githubUrl"]
                .into_iter()
                .filter_map(|name| student[name].as_str())
                .collect::<Vec<_>>()
        });
    let values: Vec<&str> = values.collect();
    assert!(values.len() > 4, "{values:?}");
    for path in LISTS {
        for format in FORMATS {
            let answer = get(&api, &keys[0], path, &[("accept", format)]).await;
            assert_eq!(answer.status, 200, "{path} {format}");
            let found: Vec<_> = values
                .iter()
                .filter(|value| answer.body.contains(**value))
                .collect();
            assert!(found.is_empty(), "{path} as {format} has {found:?}");
        }
    }
}

/// Fails if a client can find hidden values by filters or by the order of records.
#[tokio::test]
async fn parameters_that_would_reveal_a_hidden_field_are_refused_and_others_are_not() {
    let policies = policies();
    let (api, keys) = api(&policies).await;
    let questions = [
        ("email=a", "email", PersonalField::Email),
        ("sortBy=EMAIL", "sortBy", PersonalField::Email),
        ("grade=1", "grade", PersonalField::Class),
        ("classNum=1", "classNum", PersonalField::Class),
        ("number=1", "number", PersonalField::Class),
        (
            "sortBy=STUDENT_NUMBER&sortDirection=DESC",
            "sortBy",
            PersonalField::Class,
        ),
        ("sortBy=GRADE", "sortBy", PersonalField::Class),
        ("sortBy=CLASS_NUM", "sortBy", PersonalField::Class),
        ("sortBy=NUMBER", "sortBy", PersonalField::Class),
        ("sex=MAN", "sex", PersonalField::Sex),
        ("sortBy=SEX", "sortBy", PersonalField::Sex),
        ("specialty=a", "specialty", PersonalField::Specialty),
        ("major=AI", "major", PersonalField::Major),
        ("sortBy=MAJOR", "sortBy", PersonalField::Major),
        ("githubId=a", "githubId", PersonalField::Github),
        (
            "dormitoryRoom=301",
            "dormitoryRoom",
            PersonalField::Dormitory,
        ),
        ("sortBy=DORMITORY_ROOM", "sortBy", PersonalField::Dormitory),
    ];
    let open = [
        "",
        "name=a",
        "studentId=1",
        "role=GENERAL_STUDENT",
        "sortBy=NAME",
        "sortBy=ROLE",
        "sortBy=ID",
        "includeGraduates=true",
        "email=",
    ];
    for (hidden, key) in policies.iter().zip(&keys) {
        for (query, parameter, field) in questions {
            let answer = get(&api, key, &format!("/v1/students?{query}"), &[]).await;
            let refused = hidden.contains(field);
            assert_eq!(
                answer.status,
                if refused { 403 } else { 200 },
                "{query} without {hidden}"
            );
            if refused {
                assert_eq!(
                    answer.reason(),
                    ("field_hidden".to_owned(), Some(parameter.to_owned())),
                    "{query} without {hidden}"
                );
            }
        }
        for query in open {
            assert_eq!(
                get(&api, key, &format!("/v1/students?{query}"), &[])
                    .await
                    .status,
                200,
                "{query} without {hidden}"
            );
        }
    }
}

// Proves: spec 2.14
/// Fails if the tag ignores the policy: a key that lost a field would get 304.
#[tokio::test]
async fn the_tag_of_one_policy_is_not_that_of_another() {
    let policies = policies();
    let (api, mut keys) = api(&policies).await;
    keys.push(FULL_KEY.to_owned());
    let mut tags = std::collections::BTreeSet::new();
    for key in &keys {
        let tag = get(&api, key, "/v1/clubs", &[])
            .await
            .header("etag")
            .to_owned();
        assert_eq!(
            get(&api, key, "/v1/clubs", &[("if-none-match", &tag)])
                .await
                .status,
            304
        );
        assert!(tags.insert(tag.clone()), "{tag}");
        for other in keys.iter().filter(|other| *other != key) {
            assert_eq!(
                get(&api, other, "/v1/clubs", &[("if-none-match", &tag)])
                    .await
                    .status,
                200
            );
        }
    }
}
