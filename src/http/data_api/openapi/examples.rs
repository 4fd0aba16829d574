//! What answers look like, with people whom nobody will find.

use http::StatusCode;
use serde_json::{Value, json};

use crate::http::data_api::route::Resource;

/// A success.
pub(super) fn found(resource: Resource) -> Value {
    let data = match resource {
        Resource::Students => json!({ "totalPages": 1, "totalElements": 1, "students": [student()] }),
        Resource::Clubs => json!({ "totalPages": 1, "totalElements": 1, "clubs": [club()] }),
        Resource::Projects => json!({ "totalPages": 1, "totalElements": 1, "projects": [project()] }),
        Resource::Meals => json!({ "meals": [meal()] }),
        Resource::Schedules => json!({ "schedules": [event()] }),
        Resource::Timetables => json!({ "timetables": [lesson()] }),
    };
    json!({ "status": "OK", "code": 200, "message": "OK", "data": data })
}

/// An error with this reason.
pub(super) fn error(status: StatusCode, reason: &str) -> Value {
    let name = status.canonical_reason().unwrap_or_default().to_ascii_uppercase().replace(' ', "_");
    let (message, parameter) = match reason {
        "parameter_invalid" => ("The parameter grade must be a whole number from 1 to 3.", Some("grade")),
        _ => ("One sentence that says what is wrong.", None),
    };
    let mut error = json!({ "status": name, "code": status.as_u16(), "message": message, "reason": reason, "requestId": "7k2m9x4p1q" });
    if let Some(parameter) = parameter {
        error["parameter"] = json!(parameter);
    }
    error
}

fn student() -> Value {
    json!({
        "id": 41, "name": "김하늘", "sex": "WOMAN", "email": "s24041@school.example", "grade": 2, "classNum": 3, "number": 7,
        "studentNumber": 2307, "major": "SW_DEVELOPMENT", "specialty": "Rust", "role": "GENERAL_STUDENT", "dormitoryFloor": 4,
        "dormitoryRoom": 415, "majorClub": { "id": 3, "name": "반딧불", "type": "MAJOR_CLUB" }, "autonomousClub": null,
        "githubId": "haneul-example", "githubUrl": "https://github.com/haneul-example"
    })
}

fn participant() -> Value {
    json!({
        "id": 41, "name": "김하늘", "email": "s24041@school.example", "studentNumber": 2307, "major": "SW_DEVELOPMENT", "sex": "WOMAN"
    })
}

fn club() -> Value {
    json!({
        "id": 3, "name": "반딧불", "type": "MAJOR_CLUB", "status": "ACTIVE", "foundedYear": 2021, "abolishedYear": null,
        "leader": participant(), "participants": []
    })
}

fn project() -> Value {
    json!({
        "id": 8, "name": "급식 알리미", "description": "Tells what is for lunch.", "startYear": 2026, "endYear": null, "status": "ACTIVE",
        "club": { "id": 3, "name": "반딧불", "type": "MAJOR_CLUB" }, "participants": [participant()],
        "repositories": ["https://github.com/haneul-example/lunch"], "techStacks": ["Rust", "SQLite"]
    })
}

/// A record with the four fields of the school.
fn of_school(mut record: Value) -> Value {
    let school =
        [("schoolCode", "9990001"), ("schoolName", "별빛소프트웨어고등학교"), ("officeCode", "Z10"), ("officeName", "별빛시교육청")];
    for (name, value) in school {
        record[name] = json!(value);
    }
    record
}

fn meal() -> Value {
    of_school(json!({
        "mealId": "9990001_20261120_2", "mealDate": "2026-11-20", "mealType": "LUNCH", "mealMenu": ["현미밥", "두부된장국"],
        "mealAllergyInfo": ["", "5.6"], "mealCalories": "812.4 Kcal", "originInfo": null, "nutritionInfo": null, "mealServeCount": 216,
        "dishes": [{ "name": "현미밥", "allergens": [] }, { "name": "두부된장국", "allergens": [5, 6] }]
    }))
}

fn event() -> Value {
    of_school(json!({
        "scheduleId": "9990001_20261123_1", "scheduleDate": "2026-11-23", "academicYear": "2026", "eventName": "학교 축제",
        "eventContent": null, "dayCategory": null, "schoolCourseType": null, "dayNightType": null, "targetGrades": [1, 2, 3]
    }))
}

fn lesson() -> Value {
    of_school(json!({
        "timetableId": "9990001_20261120_2_3_1", "timetableDate": "2026-11-20", "academicYear": "2026", "semester": "2", "grade": 2,
        "classNum": 3, "period": 1, "subject": "자료구조", "department": null, "classroom": null
    }))
}
