//! Compares random queries with a linear search.

use std::cmp::Ordering;

use proptest::prelude::*;
use proptest::sample::select;

use super::{Parameters, Students, ids, list_with, no_students, page, profile};
use crate::directory::fixtures;
use crate::domain::{
    ClassNum, DormitoryRoom, EnrolledRole, Enrollment, EnrollmentStatus, Grade, Major, SearchTerm,
    SeatNumber, Sex, SortDirection, Student, StudentProfile, StudentRole, fold_case,
};

/// All sort orders that [`key`] supports.
const SORTS: &[&str] = &[
    "ID",
    "NAME",
    "EMAIL",
    "STUDENT_NUMBER",
    "GRADE",
    "CLASS_NUM",
    "NUMBER",
    "MAJOR",
    "ROLE",
    "SEX",
    "DORMITORY_ROOM",
];

/// Filters: names of parameters with their values.
type Filter = Vec<(&'static str, String)>;

proptest! {
    #[test]
    fn any_query_finds_what_a_plain_search_finds(
        profiles in proptest::collection::vec(any_student(), 0..160),
        later in proptest::collection::vec(any_student(), 0..160),
        filter in any_filter(),
        sort in select(SORTS),
        direction in select(SortDirection::ALL),
        page in 0..5_usize,
        size in 1..60_usize,
    ) {
        let (number, length) = (page.to_string(), size.to_string());
        let part = [("sortBy", sort), ("sortDirection", direction.as_str()), ("page", &number), ("size", &length)];
        let parameters: Vec<_> = filter.iter().map(|(name, value)| (*name, value.as_str())).chain(part).collect();
        let expected = |profiles: &[StudentProfile]| {
            let found = linear_search(profiles, &filter, sort, direction);
            (found.len() as u64, found.into_iter().skip(page * size).take(size).collect::<Vec<_>>())
        };
        let first = numbered(profiles, 1);
        let students = list_with(first.iter().cloned(), 1, &no_students());
        prop_assert_eq!(query_result(&students, &parameters), expected(&first));
        let second: Vec<_> = first.into_iter().take(20).chain(numbered(later, 61)).collect();
        prop_assert_eq!(query_result(&list_with(second.iter().cloned(), 2, &students), &parameters), expected(&second));
    }
}

fn query_result(students: &Students, parameters: Parameters<'_>) -> (u64, Vec<i64>) {
    (page(students, parameters).total, ids(students, parameters))
}

fn linear_search(
    profiles: &[StudentProfile],
    filter: &Filter,
    sort: &str,
    direction: SortDirection,
) -> Vec<i64> {
    let mut found: Vec<_> = profiles
        .iter()
        .map(|profile| &profile.student)
        .filter(|student| is_expected(student, filter))
        .collect();
    found.sort_by(|one, other| compare(one, other, sort, direction));
    found.iter().map(|student| student.id.get()).collect()
}

fn is_expected(student: &Student, filter: &Filter) -> bool {
    let flag = |name| {
        filter
            .iter()
            .any(|(known, value)| *known == name && value == "true")
    };
    let is_there = match student.role() {
        StudentRole::Graduate => flag("includeGraduates") && !flag("onlyEnrolled"),
        StudentRole::Withdrawn => flag("includeWithdrawn") && !flag("onlyEnrolled"),
        _ => true,
    };
    is_there
        && filter
            .iter()
            .all(|(name, value)| matches_filter(student, name, value))
}

fn matches_filter(student: &Student, name: &str, value: &str) -> bool {
    let is = |text: Option<String>| text.as_deref() == Some(value);
    let number = |of: fn(&Enrollment) -> Option<i32>| {
        is(student
            .enrollment()
            .and_then(of)
            .map(|number| number.to_string()))
    };
    let has = |text: Option<&str>| {
        text.is_some_and(|text| fold_case(text).contains(SearchTerm::new(value).unwrap().as_str()))
    };
    match name {
        "studentId" => is(Some(student.id.get().to_string())),
        "sex" => is(Some(student.sex.to_string())),
        "role" => is(Some(student.role().to_string())),
        "major" => is(student
            .enrollment()
            .map(|enrollment| enrollment.major.to_string())),
        "grade" => number(|enrollment| Some(enrollment.grade.get())),
        "classNum" => number(|enrollment| Some(enrollment.class_num.get())),
        "number" => number(|enrollment| Some(enrollment.number.get())),
        "dormitoryRoom" => number(|enrollment| Some(enrollment.dormitory_room?.get())),
        "name" => has(Some(&student.name)),
        "email" => has(Some(student.email.as_str())),
        "specialty" => has(student.specialty.as_deref()),
        "githubId" => has(student
            .github_id
            .as_ref()
            .map(|github_id| github_id.as_str())),
        _ => true,
    }
}

fn compare(one: &Student, other: &Student, sort: &str, direction: SortDirection) -> Ordering {
    let turned = |order: Ordering| {
        if direction == SortDirection::Descending {
            order.reverse()
        } else {
            order
        }
    };
    let by_key = match (key(one, sort), key(other, sort)) {
        (Some(one), Some(other)) => turned(one.cmp(&other)),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    by_key.then(turned(one.id.cmp(&other.id)))
}

/// Returns the sort key as text; numbers are padded to one width.
fn key(student: &Student, sort: &str) -> Option<String> {
    let number = |value: fn(&Enrollment) -> Option<i32>| {
        student
            .enrollment()
            .and_then(value)
            .map(|value| format!("{value:08}"))
    };
    match sort {
        "NAME" => Some(student.name.to_string()),
        "EMAIL" => Some(student.email.to_string()),
        "STUDENT_NUMBER" => number(|enrollment| Some(enrollment.student_number())),
        "GRADE" => number(|enrollment| Some(enrollment.grade.get())),
        "CLASS_NUM" => number(|enrollment| Some(enrollment.class_num.get())),
        "NUMBER" => number(|enrollment| Some(enrollment.number.get())),
        "MAJOR" => student
            .enrollment()
            .map(|enrollment| enrollment.major.to_string()),
        "ROLE" => Some(student.role().to_string()),
        "SEX" => Some(student.sex.to_string()),
        "DORMITORY_ROOM" => number(|enrollment| Some(enrollment.dormitory_room?.get())),
        _ => None,
    }
}

fn numbered(profiles: Vec<StudentProfile>, first: i64) -> Vec<StudentProfile> {
    let number = |(id, profile): (i64, StudentProfile)| {
        let student = Student {
            id: fixtures::student_id(id),
            ..profile.student
        };
        StudentProfile { student, ..profile }
    };
    (first..).step_by(3).zip(profiles).map(number).collect()
}

const NAMES: &[&str] = &[
    "김하늘",
    "Kim Haneul",
    "KIM",
    "ÅNGSTRÖM",
    "ångström",
    "Straße",
    "a_b",
    "100%",
    "이",
    "가온",
    "🦊",
];

fn any_student() -> impl Strategy<Value = StudentProfile> {
    let email = select(&["kim@a.example", "KIM@a.example", "lee@b.example"][..]);
    let specialty = proptest::option::of(select(NAMES));
    let github_id = proptest::option::of(select(&["fox", "Fox-2", "owl"][..]));
    (
        select(NAMES),
        select(Sex::ALL),
        email,
        specialty,
        github_id,
        any_enrollment_status(),
    )
        .prop_map(
            |(name, sex, email, specialty, github_id, enrollment_status)| {
                profile(Student {
                    sex,
                    email: email.parse().unwrap(),
                    specialty: specialty.map(|text| text.parse().unwrap()),
                    github_id: github_id.map(|text| text.parse().unwrap()),
                    ..fixtures::student(1, name, enrollment_status)
                })
            },
        )
}

fn any_enrollment_status() -> impl Strategy<Value = EnrollmentStatus> {
    prop_oneof![4 => any_enrollment().prop_map(EnrollmentStatus::Enrolled), 1 => Just(EnrollmentStatus::Graduate), 1 => Just(EnrollmentStatus::Withdrawn)]
}

fn any_enrollment() -> impl Strategy<Value = Enrollment> {
    (
        any_grade(),
        any_class(),
        any_number(),
        select(Major::STANDARD.to_vec()),
        select(EnrolledRole::ALL),
        proptest::option::of(any_room()),
    )
        .prop_map(
            |(grade, class_num, number, major, role, dormitory_room)| Enrollment {
                grade,
                class_num,
                number,
                major,
                role,
                dormitory_room,
                ..fixtures::enrollment()
            },
        )
}

fn any_filter() -> impl Strategy<Value = Filter> {
    fn rarely(
        name: &'static str,
        value: impl Strategy<Value: ToString> + 'static,
    ) -> BoxedStrategy<Option<(&'static str, String)>> {
        proptest::option::weighted(0.15, value.prop_map(move |value| (name, value.to_string())))
            .boxed()
    }
    let term = |name| {
        rarely(
            name,
            select(&["k", "KIM", "å", "한", "늘", "_", "%", "ss", "fox", "@a"][..]),
        )
    };
    let flag = |name| {
        any::<bool>()
            .prop_map(move |flag| Some((name, flag.to_string())))
            .boxed()
    };
    let parameters = vec![
        term("name"),
        term("email"),
        term("specialty"),
        term("githubId"),
        rarely("sex", select(Sex::ALL)),
        rarely("role", select(StudentRole::ALL)),
        rarely("major", select(Major::STANDARD.to_vec())),
        rarely("studentId", 1..200),
        rarely("grade", 1..4),
        rarely("classNum", 1..5),
        rarely("number", 1..19),
        rarely("dormitoryRoom", 300..306),
        flag("onlyEnrolled"),
        flag("includeGraduates"),
        flag("includeWithdrawn"),
    ];
    parameters.prop_map(|given| given.into_iter().flatten().collect())
}

fn any_grade() -> impl Strategy<Value = Grade> {
    (1..4_i64).prop_map(|number| Grade::new(number).unwrap())
}

fn any_class() -> impl Strategy<Value = ClassNum> {
    (1..5_i64).prop_map(|number| ClassNum::new(number).unwrap())
}

fn any_number() -> impl Strategy<Value = SeatNumber> {
    (1..19_i64).prop_map(|number| SeatNumber::new(number).unwrap())
}

fn any_room() -> impl Strategy<Value = DormitoryRoom> {
    (300..306_i64).prop_map(|number| DormitoryRoom::new(number).unwrap())
}
