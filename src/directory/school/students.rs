use serde_json::json;

use super::settings::{SchoolSettings, widen};
use super::{enum_values, shared_fields};
use crate::directory::resource::{Field, Object, Parameter, Resource};
use crate::domain::{
    ApiScope, Enrollment, GithubId, PersonalField, Sex, StudentProfile, StudentRole,
};

/// Defines `GET /v1/students`.
///
/// To add a field, add it to [`Student`](crate::domain::Student), to the tables of the stores, to
/// `fields` here and to `example`. Its label goes into `school-field` of `src/texts/{en,ko}.ftl`; a
/// test fails without it. docs/ARCHITECTURE.md has the complete recipe.
pub(super) fn resource(settings: &SchoolSettings) -> Resource<StudentProfile> {
    type F = Field<StudentProfile>;
    let (sexes, roles, club) = (
        enum_values!(Sex),
        enum_values!(StudentRole),
        shared_fields::club_summary(),
    );
    let fields = [
        F::id("id", |profile| profile.student.id.get())
            .filter(Parameter::new("studentId", "The student with this id."))
            .sort("ID")
            .omit_from_table(),
        F::text("name", |profile| Some(&profile.student.name))
            .filter(
                Parameter::new("name", "Part of the name.")
                    .example("하늘")
                    .pinned(),
            )
            .sort("NAME"),
        F::enumeration("sex", &sexes, |profile| Some(profile.student.sex.as_str()))
            .personal(PersonalField::Sex)
            .filter(Parameter::new("sex", "The sex."))
            .sort("SEX")
            .omit_from_table(),
        F::text("email", |profile| Some(profile.student.email.as_str()))
            .personal(PersonalField::Email)
            .filter(Parameter::new("email", "Part of the e-mail address."))
            .sort("EMAIL")
            .omit_from_table(),
        F::int("grade", |profile| Some(enrollment(profile)?.grade.get()))
            .nullable()
            .personal(PersonalField::Class)
            .range(widen(&settings.grades))
            .filter(Parameter::new("grade", "The grade.").pinned())
            .sort("GRADE")
            .omit_from_table(),
        F::int("classNum", |profile| {
            Some(enrollment(profile)?.class_num.get())
        })
        .nullable()
        .personal(PersonalField::Class)
        .range(widen(&settings.classes))
        .filter(Parameter::new("classNum", "The class inside the grade.").pinned())
        .sort("CLASS_NUM")
        .omit_from_table(),
        F::int("number", |profile| Some(enrollment(profile)?.number.get()))
            .nullable()
            .personal(PersonalField::Class)
            .range(widen(&settings.seat_numbers))
            .filter(Parameter::new("number", "The number inside the class."))
            .sort("NUMBER")
            .omit_from_table(),
        F::int("studentNumber", |profile| {
            Some(enrollment(profile)?.student_number())
        })
        .nullable()
        .personal(PersonalField::Class)
        .description("The grade · 1000 + the class · 100 + the number.")
        .sort("STUDENT_NUMBER"),
        F::enumeration("major", &settings.majors, |profile| {
            Some(enrollment(profile)?.major.as_str())
        })
        .nullable()
        .personal(PersonalField::Major)
        .filter(Parameter::new("major", "The major.").pinned())
        .sort("MAJOR"),
        F::text("specialty", |profile| profile.student.specialty.as_deref())
            .nullable()
            .personal(PersonalField::Specialty)
            .filter(Parameter::new("specialty", "Part of the specialty.")),
        F::enumeration("role", &roles, |profile| {
            Some(profile.student.role().as_str())
        })
        .filter(Parameter::new("role", "The role.").pinned())
        .sort("ROLE"),
        F::int("dormitoryFloor", |profile| {
            Some(enrollment(profile)?.dormitory_room?.floor())
        })
        .nullable()
        .personal(PersonalField::Dormitory)
        .description("The room without its last two digits.")
        .omit_from_table(),
        F::int("dormitoryRoom", |profile| {
            Some(enrollment(profile)?.dormitory_room?.get())
        })
        .nullable()
        .personal(PersonalField::Dormitory)
        .range(1..=99_999)
        .filter(Parameter::new("dormitoryRoom", "The room."))
        .sort("DORMITORY_ROOM"),
        F::object("majorClub", &club, |profile| profile.major_club.as_deref()).nullable(),
        F::object("autonomousClub", &club, |profile| {
            profile.autonomous_club.as_deref()
        })
        .nullable(),
        F::text("githubId", |profile| {
            profile.student.github_id.as_ref().map(GithubId::as_str)
        })
        .nullable()
        .personal(PersonalField::Github)
        .filter(Parameter::new(
            "githubId",
            "Part of the user name on GitHub.",
        )),
        F::derived("githubUrl", |profile| {
            profile
                .student
                .github_id
                .as_ref()
                .map(GithubId::profile_url)
        })
        .web_address()
        .nullable()
        .personal(PersonalField::Github)
        .omit_from_table(),
    ];
    let description = "A student. Graduates and withdrawn students have no grade, class, number, major, room or club.";
    Resource::new("students", "/v1/students", ApiScope::STUDENT_READ, Object::new("StudentResDto", description, fields))
        .title("Students")
        .page_size(300)
        .browse_by("STUDENT_NUMBER")
        .exclusion_flags(
            "role",
            [
                ("includeGraduates", "Whether to include graduates."),
                ("onlyEnrolled", "Whether to include only enrolled students, regardless of the other two."),
                ("includeWithdrawn", "Whether to include withdrawn students."),
            ],
            |flags, role| match (flags, role) {
                ([graduates, only_enrolled, _], "GRADUATE") => *graduates && !only_enrolled,
                ([_, only_enrolled, withdrawn], "WITHDRAWN") => *withdrawn && !only_enrolled,
                _ => true,
            },
        )
        .exact_match_index("email")
        .reorder(
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

fn enrollment(profile: &StudentProfile) -> Option<&Enrollment> {
    profile.student.enrollment()
}
