//! Meals, schedules and timetables: spec 2.16 and 2.17.

use insta::assert_snapshot;

use crate::client::get;
use crate::school_fixtures;

/// Returns one field of every record of the only list in the response.
async fn field(path: &str, name: &str) -> Vec<String> {
    let answer = get(&school_fixtures::api().await, path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    let json = answer.json();
    let list = json["data"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap()
        .as_array()
        .unwrap()
        .clone();
    list.iter()
        .map(|record| record[name].as_str().unwrap().to_owned())
        .collect()
}

async fn refused(path: &str) -> String {
    let answer = get(&school_fixtures::api().await, path).await;
    assert_eq!(answer.status, 400, "{path}: {}", answer.body);
    answer.reason().1.unwrap()
}

// Proves: spec 2.16
#[tokio::test]
async fn without_a_date_it_is_today_in_the_schools_time_zone() {
    assert_eq!(
        field("/v1/neis/meals", "mealId").await,
        ["7010000_20261121_1", "7010000_20261121_2"]
    );
    let london = school_fixtures::builder()
        .await
        .time_zone("Europe/London")
        .build()
        .unwrap();
    assert_eq!(
        get(&london, "/v1/neis/meals").await.json()["data"]["meals"][0]["mealId"],
        "7010000_20261120_3"
    );
}

// Proves: spec 2.16
#[tokio::test]
async fn a_date_a_range_and_a_single_bound() {
    for (query, ids) in [
        ("date=2026-11-20", &["7010000_20261120_3"][..]),
        ("date=2026-11-19", &[]),
        (
            "fromDate=2026-11-20&toDate=2026-11-21",
            &[
                "7010000_20261120_3",
                "7010000_20261121_1",
                "7010000_20261121_2",
            ],
        ),
        (
            "startDate=2026-11-20&endDate=2026-11-20",
            &["7010000_20261120_3"],
        ),
        (
            "fromDate=2025-11-21",
            &[
                "7010000_20251121_2",
                "7010000_20251122_2",
                "7010000_20261120_3",
            ],
        ),
        (
            "toDate=2026-11-21",
            &[
                "7010000_20251122_2",
                "7010000_20261120_3",
                "7010000_20261121_1",
                "7010000_20261121_2",
            ],
        ),
        (
            "toDate=2026-11-20",
            &[
                "7010000_20251121_2",
                "7010000_20251122_2",
                "7010000_20261120_3",
            ],
        ),
        (
            "fromDate=&toDate=&date=",
            &["7010000_20261121_1", "7010000_20261121_2"],
        ),
    ] {
        assert_eq!(
            field(&format!("/v1/neis/meals?{query}"), "mealId").await,
            ids,
            "{query}"
        );
    }
}

// Proves: spec 2.16
#[tokio::test]
async fn contradicting_or_impossible_dates_are_400() {
    for endpoint in ["meals", "schedules", "timetables"] {
        for (query, parameter) in [
            ("date=2026-11-21&fromDate=2026-11-21", "date"),
            ("date=2026-11-21&endDate=2026-11-21", "date"),
            ("fromDate=2026-11-22&toDate=2026-11-21", "fromDate"),
            ("fromDate=2025-11-20&toDate=2026-11-21", "fromDate"),
            ("date=2026-02-30", "date"),
            ("date=20261121", "date"),
            ("date=2026-11-21T00:00", "date"),
            ("toDate=0000-01-01", "toDate"),
            ("endDate=tomorrow", "endDate"),
            ("startDate=%D9%A3", "startDate"),
        ] {
            assert_eq!(
                refused(&format!("/v1/neis/{endpoint}?{query}")).await,
                parameter,
                "{endpoint} {query}"
            );
        }
        let longest = format!("/v1/neis/{endpoint}?fromDate=2025-11-21&toDate=2026-11-21");
        assert_eq!(
            get(&school_fixtures::api().await, &longest).await.status,
            200
        );
    }
}

// Proves: spec 2.16
#[tokio::test]
async fn grade_and_class_belong_to_timetables() {
    for (query, ids) in [
        ("", &["l1", "l2", "l3", "l4"][..]),
        ("grade=1", &["l1", "l2", "l3"]),
        ("classNum=1", &["l1", "l2", "l4"]),
        ("grade=1&classNum=2", &["l3"]),
        ("grade=3", &[]),
    ] {
        assert_eq!(
            field(&format!("/v1/neis/timetables?{query}"), "timetableId").await,
            ids,
            "{query}"
        );
    }
    for endpoint in ["meals", "schedules"] {
        assert_eq!(
            refused(&format!("/v1/neis/{endpoint}?grade=1")).await,
            "grade"
        );
    }
}

// Proves: spec 2.17
#[tokio::test]
async fn lists_come_under_their_names_in_their_order() {
    let api = school_fixtures::api().await;
    for (endpoint, list) in [
        ("meals", "meals"),
        ("schedules", "schedules"),
        ("timetables", "timetables"),
    ] {
        let answer = get(&api, &format!("/v1/neis/{endpoint}?date=2000-01-01")).await;
        assert_eq!(
            answer.body,
            format!(r#"{{"status":"OK","code":200,"message":"OK","data":{{"{list}":[]}}}}"#)
        );
    }
    assert_eq!(
        field("/v1/neis/schedules?fromDate=2026-11-21", "scheduleId").await,
        ["e1", "e3", "e2"]
    );
}

// Proves: spec 2.17
#[tokio::test]
async fn meals_schedules_and_timetables_have_the_documented_fields() {
    let api = school_fixtures::api().await;
    assert_snapshot!(get(&api, "/v1/neis/meals?date=2026-11-20").await.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "meals":[
          {
            "mealId":"7010000_20261120_3",
            "schoolCode":"7010000",
            "schoolName":"하늘고",
            "officeCode":"B10",
            "officeName":"서울",
            "mealDate":"2026-11-20",
            "mealType":"DINNER",
            "mealMenu":[
              "비빔밥",
              "물"
            ],
            "mealAllergyInfo":[
              "1.5.6",
              ""
            ],
            "mealCalories":"812.5 Kcal",
            "originInfo":null,
            "nutritionInfo":null,
            "mealServeCount":216,
            "dishes":[
              {
                "name":"비빔밥",
                "allergens":[
                  1,
                  5,
                  6
                ]
              },
              {
                "name":"물",
                "allergens":[]
              }
            ]
          }
        ]
      }
    }
    "#);
    assert_snapshot!(get(&api, "/v1/neis/schedules?date=2026-11-22").await.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "schedules":[
          {
            "scheduleId":"e2",
            "schoolCode":"7010000",
            "schoolName":"하늘고",
            "officeCode":"B10",
            "officeName":"서울",
            "scheduleDate":"2026-11-22",
            "academicYear":"2026",
            "eventName":"Exam",
            "eventContent":null,
            "dayCategory":null,
            "schoolCourseType":null,
            "dayNightType":null,
            "targetGrades":[
              1,
              3
            ]
          }
        ]
      }
    }
    "#);
    assert_snapshot!(get(&api, "/v1/neis/timetables?grade=2").await.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "timetables":[
          {
            "timetableId":"l4",
            "schoolCode":"7010000",
            "schoolName":"하늘고",
            "officeCode":"B10",
            "officeName":"서울",
            "timetableDate":"2026-11-21",
            "academicYear":"2026",
            "semester":"2",
            "grade":2,
            "classNum":1,
            "period":1,
            "subject":"Mathematics",
            "department":null,
            "classroom":null
          }
        ]
      }
    }
    "#);
}
