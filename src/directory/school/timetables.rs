use serde_json::json;

use super::parts::school_fields;
use super::rules::{SchoolRules, wide};
use crate::directory::resource::{Field, Object, Parameter, Resource};
use crate::domain::{ApiScope, Lesson};

/// Defines `GET /v1/neis/timetables`.
pub(super) fn resource(rules: &SchoolRules) -> Resource<Lesson> {
    type F = Field<Lesson>;
    let [code, name, office_code, office_name] = school_fields!(F, lesson);
    let fields = [
        F::text("timetableId", |lesson| Some(&lesson.id)).detail(),
        code,
        name,
        office_code,
        office_name,
        F::date("timetableDate", |lesson| Some(lesson.date)),
        F::text("academicYear", |lesson| Some(&lesson.academic_year)).detail(),
        F::text("semester", |lesson| lesson.semester.as_deref()).nullable().detail(),
        F::int("grade", |lesson| Some(lesson.grade.get()))
            .within(wide(&rules.grades))
            .filter(Parameter::new("grade", "The grade.").common()),
        F::int("classNum", |lesson| Some(lesson.class_num.get()))
            .within(wide(&rules.classes))
            .filter(Parameter::new("classNum", "The class inside the grade.").common()),
        F::int("period", |lesson| Some(lesson.period.get())),
        F::text("subject", |lesson| lesson.subject.as_deref()).nullable(),
        F::text("department", |lesson| lesson.department.as_deref()).nullable().detail(),
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
