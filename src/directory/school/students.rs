use serde_json::json;

use super::rules::{SchoolRules, wide};
use super::{parts, words_of};
use crate::directory::resource::{Field, Object, Parameter, Resource};
use crate::domain::{ApiScope, Enrolment, GithubId, PersonalField, Sex, StudentProfile, StudentRole};

/// Defines `GET /v1/students`.
///
/// To add a field: put it into [`Student`](crate::domain::Student) and the tables of the stores, and add a line to `fields` here and its value to
/// `example`. Its label is in `http/pages/texts/{en,ko}/school.rs`, which a test asks for. docs/ARCHITECTURE.md has the whole recipe.
pub(super) fn resource(rules: &SchoolRules) -> Resource<StudentProfile> {
    type F = Field<StudentProfile>;
    let (sexes, roles, club) = (words_of!(Sex), words_of!(StudentRole), parts::club_summary());
    let fields = [
        F::id("id", |profile| profile.student.id.get()).filter(Parameter::new("studentId", "The student with this id.")).sort("ID"),
        F::text("name", |profile| Some(&profile.student.name))
            .filter(Parameter::new("name", "Part of the name.").example("하늘").common())
            .sort("NAME"),
        F::word("sex", &sexes, |profile| Some(profile.student.sex.as_str()))
            .personal(PersonalField::Sex)
            .filter(Parameter::new("sex", "The sex."))
            .sort("SEX"),
        F::text("email", |profile| Some(profile.student.email.as_str()))
            .personal(PersonalField::Email)
            .filter(Parameter::new("email", "Part of the e-mail address."))
            .sort("EMAIL"),
        F::int("grade", |profile| Some(enrolment(profile)?.grade.get()))
            .nullable()
            .personal(PersonalField::Class)
            .within(wide(&rules.grades))
            .filter(Parameter::new("grade", "The grade.").common())
            .sort("GRADE")
            .detail(),
        F::int("classNum", |profile| Some(enrolment(profile)?.class_num.get()))
            .nullable()
            .personal(PersonalField::Class)
            .within(wide(&rules.classes))
            .filter(Parameter::new("classNum", "The class inside the grade.").common())
            .sort("CLASS_NUM")
            .detail(),
        F::int("number", |profile| Some(enrolment(profile)?.number.get()))
            .nullable()
            .personal(PersonalField::Class)
            .within(wide(&rules.numbers))
            .filter(Parameter::new("number", "The number inside the class."))
            .sort("NUMBER")
            .detail(),
        F::int("studentNumber", |profile| Some(enrolment(profile)?.student_number()))
            .nullable()
            .personal(PersonalField::Class)
            .about("The grade · 1000 + the class · 100 + the number.")
            .sort("STUDENT_NUMBER"),
        F::word("major", &rules.majors, |profile| Some(enrolment(profile)?.major.as_str()))
            .nullable()
            .personal(PersonalField::Major)
            .filter(Parameter::new("major", "The major.").common())
            .sort("MAJOR"),
        F::text("specialty", |profile| profile.student.specialty.as_deref())
            .nullable()
            .personal(PersonalField::Specialty)
            .filter(Parameter::new("specialty", "Part of the specialty.")),
        F::word("role", &roles, |profile| Some(profile.student.role().as_str())).filter(Parameter::new("role", "The role.")).sort("ROLE"),
        F::int("dormitoryFloor", |profile| Some(enrolment(profile)?.dormitory_room?.floor()))
            .nullable()
            .personal(PersonalField::Dormitory)
            .about("The room without its last two digits.")
            .detail(),
        F::int("dormitoryRoom", |profile| Some(enrolment(profile)?.dormitory_room?.get()))
            .nullable()
            .personal(PersonalField::Dormitory)
            .within(1..=99_999)
            .filter(Parameter::new("dormitoryRoom", "The room."))
            .sort("DORMITORY_ROOM"),
        F::object("majorClub", &club, |profile| profile.major_club.as_deref()).nullable(),
        F::object("autonomousClub", &club, |profile| profile.autonomous_club.as_deref()).nullable(),
        F::text("githubId", |profile| profile.student.github_id.as_ref().map(GithubId::as_str))
            .nullable()
            .personal(PersonalField::Github)
            .filter(Parameter::new("githubId", "Part of the user name on GitHub.")),
        F::derived("githubUrl", |profile| profile.student.github_id.as_ref().map(GithubId::profile_url))
            .nullable()
            .personal(PersonalField::Github)
            .detail(),
    ];
    let about = "A student. Graduates and withdrawn students have no grade, class, number, major, room or club.";
    Resource::new("students", "/v1/students", ApiScope::STUDENT_READ, Object::new("StudentResDto", about, fields))
        .title("Students")
        .page_size(300)
        .excluding(
            "role",
            [
                ("includeGraduates", "Whether graduates come too."),
                ("onlyEnrolled", "Whether only enrolled students come, whatever the other two say."),
                ("includeWithdrawn", "Whether withdrawn students come too."),
            ],
            |flags, role| match (flags, role) {
                ([graduates, only_enrolled, _], "GRADUATE") => *graduates && !only_enrolled,
                ([_, only_enrolled, withdrawn], "WITHDRAWN") => *withdrawn && !only_enrolled,
                _ => true,
            },
        )
        .exact("email")
        .ordered(
            &[
                "studentId",
                "name",
                "email",
                "grade",
                "classNum",
                "number",
                "sex",
                "role",
                "specialty",
                "major",
                "githubId",
                "dormitoryRoom",
            ],
            &["ID", "NAME", "EMAIL", "STUDENT_NUMBER", "GRADE", "CLASS_NUM", "NUMBER", "MAJOR", "ROLE", "SEX", "DORMITORY_ROOM"],
        )
        .documented_last(&["grade", "classNum"])
        .example(json!({
            "id": 41, "name": "김하늘", "sex": "WOMAN", "email": "s24041@school.example", "grade": 2, "classNum": 3, "number": 7,
            "studentNumber": 2307, "major": "SW_DEVELOPMENT", "specialty": "Rust", "role": "GENERAL_STUDENT", "dormitoryFloor": 4,
            "dormitoryRoom": 415, "majorClub": { "id": 3, "name": "반딧불", "type": "MAJOR_CLUB" }, "autonomousClub": null,
            "githubId": "haneul-example", "githubUrl": "https://github.com/haneul-example"
        }))
}

fn enrolment(profile: &StudentProfile) -> Option<&Enrolment> {
    profile.student.enrolment()
}
