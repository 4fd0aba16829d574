//! Lists of the host's own, such as the one in examples/custom_resource.rs.

use std::sync::Arc;

use http::header::HeaderName;
use lyceum::DataApi;
use lyceum::directory::{EnumValues, Field, Object, Parameter, RecordList, Resource};
use lyceum::domain::{ApiKey, ApiKeySecret, ApiScope, ApiScopes, InvalidValue, PersonalField};
use lyceum::http::ApiReference;
use lyceum::http::ConfigError;
use lyceum::store::ApiKeyStore;
use serde_json::{Value, json};

use crate::client::{TestResponse, get, request, send};
use crate::custom_resource::{Teacher, teachers};
use crate::school_fixtures;

fn scope() -> ApiScope {
    "TEACHER_READ".parse().unwrap()
}

/// Creates the service with the list, and a key with only its scope.
async fn api(list: &Arc<RecordList<Teacher>>) -> (DataApi, String) {
    let store = school_fixtures::store().await;
    let key = school_fixtures::key(9, [scope()].into_iter().collect());
    let _ = store.create_api_key(key).await.unwrap();
    (
        school_fixtures::builder_with_store(store)
            .await
            .clock(Arc::new(school_fixtures::FixedClock))
            .resource(Arc::clone(list))
            .build()
            .unwrap(),
        secret(9),
    )
}

fn secret(number: u8) -> String {
    ApiKeySecret::from_random([number; 16]).expose().to_owned()
}

async fn ask((api, key): &(DataApi, String), path: &str, headers: &[(&str, &str)]) -> TestResponse {
    let mut request = request("GET", path, Some(key));
    for (name, value) in headers {
        request.headers_mut().append(
            HeaderName::from_bytes(name.as_bytes()).unwrap(),
            value.parse().unwrap(),
        );
    }
    send(api, request).await
}

fn teacher_ids(answer: &TestResponse) -> Vec<i64> {
    answer.json()["data"]["teachers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|teacher| teacher["id"].as_i64().unwrap())
        .collect()
}

#[tokio::test]
async fn a_list_of_the_hosts_own_is_paged_filtered_sorted_and_counted() {
    let list = teachers().unwrap();
    let api = api(&list).await;
    let page = ask(&api, "/v1/teachers?size=1&sortBy=NAME", &[]).await;
    let teacher = json!({ "id": 2, "name": "Ada", "email": "ada@school.example", "subject": "MATHS", "since": 2022 });
    assert_eq!(
        page.json()["data"],
        json!({ "totalPages": 2, "totalElements": 2, "teachers": [teacher] })
    );
    assert_eq!(
        page.header("link"),
        "<?sortBy=NAME&size=1&page=0>; rel=\"first\", <?sortBy=NAME&size=1&page=1>; rel=\"next\", <?sortBy=NAME&size=1&page=1>; rel=\"last\""
    );
    for (query, ids) in [
        ("sortDirection=DESC", vec![2, 1]),
        ("sortBy=SINCE", vec![1, 2]),
        ("subject=MUSIC", vec![1]),
        ("name=AD", vec![2]),
        ("since=2022&subject=MUSIC", vec![]),
    ] {
        assert_eq!(
            ask(&api, &format!("/v1/teachers?{query}"), &[]).await.ids(),
            ids,
            "{query}"
        );
    }
    for (query, message) in [
        (
            "subject=LATIN",
            "The parameter subject must be one of MATHS, MUSIC, PHYSICS.",
        ),
        (
            "since=1949",
            "The parameter since must be a whole number from 1950 to 2100.",
        ),
        (
            "sortBy=EMAIL",
            "The parameter sortBy must be one of ID, NAME, SINCE.",
        ),
    ] {
        let answer = ask(&api, &format!("/v1/teachers?{query}"), &[]).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["message"]),
            (400, &json!(message))
        );
    }
}

#[tokio::test]
async fn a_list_of_the_hosts_own_needs_its_own_scope_and_hides_what_is_personal() {
    let list = teachers().unwrap();
    let (api, key) = api(&list).await;
    let of_school = get(&api, "/v1/teachers").await;
    assert_eq!(
        (of_school.status.as_u16(), of_school.reason().0.as_str()),
        (403, "scope_missing")
    );
    assert_eq!(
        ask(&(api.clone(), key), "/v1/students", &[])
            .await
            .reason()
            .0,
        "scope_missing"
    );
    assert!(api.scopes().contains(&scope()) && ApiScopes::built_in().is_subset(&api.scopes()));

    let store = school_fixtures::store().await;
    let hidden = [PersonalField::Email].into_iter().collect();
    let _ = store
        .create_api_key(ApiKey {
            hidden,
            ..school_fixtures::key(8, [scope()].into_iter().collect())
        })
        .await
        .unwrap();
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .resource(list)
        .build()
        .unwrap();
    let answer = ask(&(api, secret(8)), "/v1/teachers", &[]).await;
    assert!(
        answer.body.contains(r#""email":null"#) && !answer.body.contains("ada@"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_list_of_the_hosts_own_has_tags_and_changes_and_other_formats() {
    let list = teachers().unwrap();
    let api = api(&list).await;
    let first = ask(&api, "/v1/teachers?updatedSince=0", &[]).await;
    assert_eq!(teacher_ids(&first), [1, 2]);
    let (cursor, tag) = (
        first.json()["data"]["cursor"].clone(),
        first.header("etag").to_owned(),
    );
    let since = format!("/v1/teachers?updatedSince={}", cursor.as_str().unwrap());
    assert_eq!(
        ask(
            &api,
            "/v1/teachers?updatedSince=0",
            &[("if-none-match", &tag)]
        )
        .await
        .status,
        304
    );

    let ada = Teacher {
        id: 2,
        name: "Ada".to_owned(),
        email: "ada@school.example".to_owned(),
        subject: "MATHS",
        since: 2022,
    };
    let new = Teacher {
        id: 3,
        name: "새솔".to_owned(),
        email: "saesol@school.example".to_owned(),
        subject: "PHYSICS",
        since: 2026,
    };
    list.replace([new, ada]).unwrap();
    let changes = ask(&api, &since, &[]).await;
    assert_eq!(
        (
            teacher_ids(&changes),
            &changes.json()["data"]["deleted"],
            &changes.json()["data"]["more"]
        ),
        (vec![3], &json!([1]), &json!(false))
    );
    assert_eq!(
        ask(
            &api,
            "/v1/teachers?updatedSince=0",
            &[("if-none-match", &tag)]
        )
        .await
        .status,
        200
    );
    let other = teachers().unwrap();
    let elsewhere = self::api(&other).await;
    assert_eq!(
        ask(&elsewhere, &since, &[]).await.reason().0,
        "updated_since_unknown"
    );

    let table = ask(&api, "/v1/teachers", &[("accept", "text/csv")]).await;
    assert_eq!(
        table.body,
        "id,name,email,subject,since\r\n2,Ada,ada@school.example,MATHS,2022\r\n3,새솔,saesol@school.example,PHYSICS,2026\r\n"
    );
    assert_eq!(table.header("x-total-count"), "2");
    let lines = ask(&api, "/v1/teachers", &[("accept", "application/x-ndjson")]).await;
    assert_eq!(lines.body.lines().count(), 2);
}

#[test]
fn records_with_an_id_below_1_or_the_same_id_are_refused() {
    let list = teachers().unwrap();
    let teacher = |id| Teacher {
        id,
        name: "A".to_owned(),
        email: "a@school.example".to_owned(),
        subject: "MATHS",
        since: 2000,
    };
    assert_eq!(
        list.replace([teacher(0)]),
        Err(InvalidValue::new("must have ids above 0"))
    );
    assert_eq!(
        list.replace([teacher(4), teacher(4)]),
        Err(InvalidValue::new("must have a different id in each record"))
    );
    assert_eq!(list.len(), 2);
    list.replace([]).unwrap();
    assert!(list.is_empty());
}

#[tokio::test]
async fn openapi_describes_a_list_of_the_hosts_own() {
    let list = teachers().unwrap();
    let (api, _) = api(&list).await;
    let document: Value = serde_json::from_str(
        ApiReference::new("Test", [api.openapi()])
            .unwrap()
            .document(),
    )
    .unwrap();
    let operation = &document["paths"]["/v1/teachers"]["get"];
    assert_eq!(operation["operationId"], "listTeachers");
    let names: Vec<_> = operation["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|parameter| parameter["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "name",
            "subject",
            "since",
            "page",
            "size",
            "sortBy",
            "sortDirection",
            "updatedSince",
            "If-None-Match"
        ]
    );
    let schemas = &document["components"]["schemas"];
    assert_eq!(
        schemas["TeacherSortBy"]["enum"],
        json!(["ID", "NAME", "SINCE"])
    );
    assert_eq!(
        schemas["Subject"]["enum"],
        json!(["MATHS", "MUSIC", "PHYSICS"])
    );
    assert_eq!(
        schemas["Teacher"]["properties"]["email"]["type"],
        json!(["string", "null"])
    );
}

#[tokio::test]
async fn a_list_that_takes_what_others_have_or_is_malformed_is_refused() {
    let rooms = |name, path, scope: &str, record| {
        let record = Object::new(record, "A room.", [Field::id("id", |id: &i64| *id)]);
        Arc::new(
            RecordList::new(Resource::new(name, path, scope.parse().unwrap(), record)).unwrap(),
        )
    };
    const OWN_PATH: &str = "must have a path of its own";
    const OWN_NAME: &str = "must have a name of its own";
    const PATH: &str =
        "must be at /v1/ and words of ASCII letters, digits, hyphens and underscores";
    for (name, path, scope, record, rule) in [
        ("rooms", "/v1/students", "ROOM_READ", "Room", OWN_PATH),
        ("rooms", "/v1/health", "ROOM_READ", "Room", OWN_PATH),
        ("rooms", "/v1/oauth/rooms", "ROOM_READ", "Room", OWN_PATH),
        ("rooms", "/v1/neis/rooms", "ROOM_READ", "Room", OWN_PATH),
        ("rooms", "/rooms", "ROOM_READ", "Room", PATH),
        ("rooms", "/v1/rooms/", "ROOM_READ", "Room", PATH),
        ("students", "/v1/rooms", "ROOM_READ", "Room", OWN_NAME),
        ("Students", "/v1/rooms", "ROOM_READ", "Room", OWN_NAME),
        ("totalPages", "/v1/rooms", "ROOM_READ", "Room", OWN_NAME),
        (
            "the rooms",
            "/v1/rooms",
            "ROOM_READ",
            "Room",
            "must have a name of ASCII letters, digits, hyphens and underscores",
        ),
        (
            "rooms",
            "/v1/rooms",
            "STUDENT_READ",
            "Room",
            "must have a scope of its own",
        ),
        (
            "rooms",
            "/v1/rooms",
            "ROOM_READ",
            "Sex",
            "must have objects and words with names of their own",
        ),
        (
            "rooms",
            "/v1/rooms",
            "ROOM_READ",
            "Student",
            "must have objects and words with names of their own",
        ),
        (
            "rooms",
            "/v1/rooms",
            "ROOM_READ",
            "A/B",
            "must have objects and words named by ASCII letters, digits, hyphens and underscores",
        ),
    ] {
        let refused = school_fixtures::builder()
            .await
            .resource(rooms(name, path, scope, record))
            .build()
            .unwrap_err();
        assert!(
            matches!(refused, ConfigError::Resource { path: found, rule: broken }
                if found == path && broken == InvalidValue::new(rule)),
            "{name} {path} {scope} {record}"
        );
    }
    let one = rooms("rooms", "/v1/rooms", "ROOM_READ", "Room");
    let twice = school_fixtures::builder()
        .await
        .resource(one)
        .resource(rooms("halls", "/v1/rooms", "HALL_READ", "Hall"))
        .build();
    assert!(matches!(twice, Err(ConfigError::Resource { .. })));
}

#[test]
fn a_definition_that_asks_for_what_it_cannot_have_is_refused() {
    type F = Field<(i64, String)>;
    let id = || F::id("id", |record| record.0);
    let text = |name| F::text(name, |record| Some(&record.1));
    let words = EnumValues::new("Word", ["A"]);
    let parameter = |name| Parameter::new(name, "It.");
    const PARAMETERS: &str =
        "must have a different name for each parameter, none of them one of the data API's own";
    for (fields, rule) in [
        (vec![text("name")], "must have one field for the id"),
        (
            vec![id(), F::id("other", |record| record.0)],
            "must have one field for the id",
        ),
        (
            vec![id(), text("a\"b")],
            "must have fields whose names are words of ASCII letters, digits, hyphens and underscores",
        ),
        (
            vec![id(), text("name"), text("name")],
            "must have a different name for each field",
        ),
        (
            vec![id(), text("name").filter(parameter("_rows"))],
            "must have parameters whose names begin with no underscore, as those of the console do",
        ),
        (
            vec![id(), text("name").filter(parameter("size"))],
            PARAMETERS,
        ),
        (
            vec![id(), text("name").filter(parameter("key"))],
            PARAMETERS,
        ),
        (
            vec![
                id(),
                text("a").filter(parameter("x")),
                text("b").filter(parameter("y").alias("x")),
            ],
            PARAMETERS,
        ),
        (
            vec![id(), text("a").sort("A"), text("b").sort("A")],
            "must have a different word for each order",
        ),
        (
            vec![id(), F::derived("a", |_| None).filter(parameter("a"))],
            "must filter and sort by fields that can be compared",
        ),
        (
            vec![id(), F::derived("a", |_| None).sort("A")],
            "must filter and sort by fields that can be compared",
        ),
        (
            vec![
                id(),
                F::enumeration("a", &words, |_| None).filter(parameter("a").default_value("B")),
            ],
            "must have defaults that are words of fields which no key does without",
        ),
    ] {
        let resource = Resource::new(
            "records",
            "/v1/records",
            scope(),
            Object::new("Record", "It.", fields),
        );
        assert_eq!(
            RecordList::new(resource).unwrap_err(),
            InvalidValue::new(rule)
        );
    }
}

#[tokio::test]
async fn a_list_that_was_not_filled_yet_is_unavailable_and_an_empty_one_is_empty() {
    let record = Object::new(
        "Teacher",
        "Somebody.",
        [Field::id("id", |teacher: &Teacher| teacher.id)],
    );
    let list = Arc::new(
        RecordList::new(Resource::new("teachers", "/v1/teachers", scope(), record)).unwrap(),
    );
    let api = api(&list).await;
    let answer = ask(&api, "/v1/teachers", &[]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.reason().0.as_str()),
        (503, "service_unavailable")
    );
    list.replace([]).unwrap();
    assert_eq!(
        ask(&api, "/v1/teachers", &[]).await.json()["data"]["totalElements"],
        0
    );
}
