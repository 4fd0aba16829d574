//! Format of responses: spec 2.1, 2.2, 2.8 and 2.9.

use insta::assert_snapshot;

use crate::client::{get, request, send};
use crate::school_fixtures::{self, CLUB_KEY};

// Proves: spec 2.1
#[tokio::test]
async fn a_page_comes_in_the_success_envelope() {
    let answer = get(&school_fixtures::api().await, "/v1/students?size=1&page=9").await;
    assert_snapshot!(answer.body, @r#"{"status":"OK","code":200,"message":"OK","data":{"totalPages":5,"totalElements":5,"students":[]}}"#);
}

// Proves: spec 2.18
#[tokio::test]
async fn a_student_has_the_documented_fields() {
    let answer = get(&school_fixtures::api().await, "/v1/students?studentId=1").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_snapshot!(answer.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "totalPages":1,
        "totalElements":1,
        "students":[
          {
            "id":1,
            "name":"김하늘",
            "sex":"WOMAN",
            "email":"s19@school.example",
            "grade":2,
            "classNum":3,
            "number":7,
            "studentNumber":2307,
            "major":"AI",
            "specialty":"Rust",
            "role":"GENERAL_STUDENT",
            "dormitoryFloor":4,
            "dormitoryRoom":415,
            "majorClub":{
              "id":1,
              "name":"Robotics",
              "type":"MAJOR_CLUB"
            },
            "autonomousClub":{
              "id":2,
              "name":"밴드부",
              "type":"AUTONOMOUS_CLUB"
            },
            "githubId":"haneul-kim",
            "githubUrl":"https://github.com/haneul-kim"
          }
        ]
      }
    }
    "#);
}

// Proves: spec 2.8
#[tokio::test]
async fn number_floor_and_profile_address_are_derived() {
    let api = school_fixtures::api().await;
    let student = get(&api, "/v1/students?studentId=3").await.json()["data"]["students"][0].clone();
    assert_eq!(
        (
            student["studentNumber"].as_i64(),
            student["dormitoryFloor"].as_i64()
        ),
        (Some(3418), Some(2))
    );
    let student = get(&api, "/v1/students?studentId=2").await.json()["data"]["students"][0].clone();
    assert_eq!(student["githubUrl"], "https://github.com/Asa-O");
    assert!(student["dormitoryFloor"].is_null());
}

// Proves: spec 2.9
#[tokio::test]
async fn a_graduate_has_nulls_where_the_enrolled_have_values() {
    let answer = get(
        &school_fixtures::api().await,
        "/v1/students?studentId=6&includeGraduates=true",
    )
    .await;
    assert_snapshot!(answer.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "totalPages":1,
        "totalElements":1,
        "students":[
          {
            "id":6,
            "name":"Carol",
            "sex":"WOMAN",
            "email":"s14@school.example",
            "grade":null,
            "classNum":null,
            "number":null,
            "studentNumber":null,
            "major":null,
            "specialty":null,
            "role":"GRADUATE",
            "dormitoryFloor":null,
            "dormitoryRoom":null,
            "majorClub":null,
            "autonomousClub":null,
            "githubId":"carol",
            "githubUrl":"https://github.com/carol"
          }
        ]
      }
    }
    "#);
}

// Proves: spec 2.2
#[tokio::test]
async fn an_error_has_a_stable_shape() {
    let api = school_fixtures::api().await;
    assert_snapshot!(get(&api, "/v1/students?grade=4").await.pretty(), @r#"
    {
      "status":"BAD_REQUEST",
      "code":400,
      "message":"The parameter grade must be a whole number from 1 to 3.",
      "reason":"parameter_invalid",
      "parameter":"grade",
      "requestId":"7777777777"
    }
    "#);
    assert_snapshot!(get(&api, "/v1/nothing").await.pretty(), @r#"
    {
      "status":"NOT_FOUND",
      "code":404,
      "message":"There is nothing at this address.",
      "reason":"not_found",
      "requestId":"7777777777"
    }
    "#);
    assert_snapshot!(send(&api, request("POST", "/v1/clubs", None)).await.pretty(), @r#"
    {
      "status":"METHOD_NOT_ALLOWED",
      "code":405,
      "message":"This address supports only GET, HEAD and OPTIONS.",
      "reason":"method_not_allowed",
      "requestId":"7777777777"
    }
    "#);
    assert_snapshot!(send(&api, request("GET", "/v1/clubs", None)).await.pretty(), @r#"
    {
      "status":"UNAUTHORIZED",
      "code":401,
      "message":"The header X-API-KEY with an API key is missing.",
      "reason":"api_key_missing",
      "requestId":"7777777777"
    }
    "#);
    assert_snapshot!(send(&api, request("GET", "/v1/students", Some(CLUB_KEY))).await.pretty(), @r#"
    {
      "status":"FORBIDDEN",
      "code":403,
      "message":"The API key lacks the scope STUDENT_READ.",
      "reason":"scope_missing",
      "requestId":"7777777777"
    }
    "#);
}

// Proves: spec 2.2
#[tokio::test]
async fn an_error_carries_its_request_id_also_as_a_header() {
    let answer = get(&school_fixtures::api().await, "/v1/nothing").await;
    assert_eq!(answer.header("x-request-id"), school_fixtures::REQUEST_ID);
    assert_eq!(answer.json()["requestId"], school_fixtures::REQUEST_ID);
}

// Proves: spec 2.2
#[tokio::test]
async fn invented_input_is_echoed_shortened_and_escaped() {
    let name = format!("%22%3Cb%3E%0A{}", "x".repeat(5000));
    let answer = get(
        &school_fixtures::api().await,
        &format!("/v1/projects?{name}=1"),
    )
    .await;
    let shown = answer.json()["parameter"].as_str().unwrap().to_owned();
    assert!(
        shown.starts_with("\"<b>\nxxx") && shown.ends_with("x…") && shown.chars().count() == 65,
        "{shown}"
    );
    assert!(answer.body.len() < 600, "{}", answer.body);
}
