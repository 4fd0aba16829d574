use serde_json::json;

use super::shared_fields::school_fields;
use crate::directory::resource::{Field, Object, Resource};
use crate::domain::{ApiScope, SchoolEvent};

/// Defines `GET /v1/neis/schedules`.
pub(super) fn resource() -> Resource<SchoolEvent> {
    type F = Field<SchoolEvent>;
    let [code, name, office_code, office_name] = school_fields!(F, event);
    let fields = [
        F::text("scheduleId", |event| Some(&event.id)).omit_from_table(),
        code,
        name,
        office_code,
        office_name,
        F::date("scheduleDate", |event| Some(event.date)),
        F::text("academicYear", |event| Some(&event.academic_year)).omit_from_table(),
        F::text("eventName", |event| Some(&event.name)),
        F::text("eventContent", |event| event.content.as_deref()).nullable(),
        F::text("dayCategory", |event| event.day_category.as_deref()).nullable(),
        F::text("schoolCourseType", |event| event.course_type.as_deref())
            .nullable()
            .omit_from_table(),
        F::text("dayNightType", |event| event.day_night.as_deref())
            .nullable()
            .omit_from_table(),
        F::ints("targetGrades", |event, each| {
            event
                .target_grades
                .iter()
                .for_each(|grade| each(grade.get()))
        }),
    ];
    let record = Object::new("ScheduleDto", "An event of the school's calendar.", fields);
    Resource::new("schedules", "/v1/neis/schedules", ApiScope::NEIS_READ, record)
        .title("Events of the calendar")
        .by_day(|event| event.date)
        .example(json!({
            "scheduleId": "9990001_20261123_1", "schoolCode": "9990001", "schoolName": "별빛소프트웨어고등학교", "officeCode": "Z10",
            "officeName": "별빛시교육청", "scheduleDate": "2026-11-23", "academicYear": "2026", "eventName": "학교 축제",
            "eventContent": null, "dayCategory": null, "schoolCourseType": null, "dayNightType": null, "targetGrades": [1, 2, 3]
        }))
}
