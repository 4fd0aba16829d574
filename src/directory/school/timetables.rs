use serde_json::json;

use super::settings::{SchoolSettings, widen};
use super::shared_fields::school_fields;
use crate::directory::resource::{Field, Object, Parameter, Resource};
use crate::domain::{ApiScope, Lesson};

/// Defines `GET /v1/neis/timetables`.
pub(super) fn resource(settings: &SchoolSettings) -> Resource<Lesson> {
    type F = Field<Lesson>;
    let [code, name, office_code, office_name] = school_fields!(F, lesson);
    let fields = [
        F::text("timetableId", |lesson| Some(&lesson.id)).omit_from_table(),
        code,
        name,
        office_code,
        office_name,
        F::date("timetableDate", |lesson| Some(lesson.date)),
        F::text("academicYear", |lesson| Some(&lesson.academic_year)).omit_from_table(),
        F::text("semester", |lesson| lesson.semester.as_deref())
            .nullable()
            .omit_from_table(),
        F::int("grade", |lesson| Some(lesson.grade.get()))
            .range(widen(&settings.grades))
            .filter(Parameter::new("grade", "The grade.").pinned()),
        F::int("classNum", |lesson| Some(lesson.class_num.get()))
            .range(widen(&settings.classes))
            .filter(Parameter::new("classNum", "The class inside the grade.").pinned()),
        F::int("period", |lesson| Some(lesson.period.get())),
        F::text("subject", |lesson| lesson.subject.as_deref()).nullable(),
        F::text("department", |lesson| lesson.department.as_deref())
            .nullable()
            .omit_from_table(),
        F::text("classroom", |lesson| lesson.classroom.as_deref()).nullable(),
    ];
    Resource::new("timetables", "/v1/neis/timetables", ApiScope::NEIS_READ, Object::new("TimetableDto", "A period of a class.", fields))
        .title("Lessons of the classes")
        .by_day(|lesson| lesson.date)
        .example(json!({
            "timetableId": "9990001_20261120_2_3_1", "schoolCode": "9990001", "schoolName": "별빛소프트웨어고등학교", "officeCode": "Z10",
            "officeName": "별빛시교육청", "timetableDate": "2026-11-20", "academicYear": "2026", "semester": "2", "grade": 2, "classNum": 3,
            "period": 1, "subject": "자료구조", "department": null, "classroom": null
        }))
}
