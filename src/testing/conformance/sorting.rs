use std::cmp::Reverse;

use super::directory_fixtures::{
    EVERYONE, autonomous_club, club, enrolled, project, short_text, student, student_with_status,
    value, years,
};
use super::store_under_test::StoreUnderTest;
use crate::domain::{
    ClassNum, Club, DormitoryRoom, EnrolledRole, EnrollmentStatus, Grade, Major, Project,
    SeatNumber, Sex, SortDirection, Student, Year, YearRange,
};

const STUDENT_SORTS: [&str; 11] = [
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

// Proves: spec 2.7
pub(super) async fn students_sort_by_every_key_in_both_directions(store: &StoreUnderTest) {
    let school = a_dozen_students();
    store.put(school.clone()).await;
    for sort in STUDENT_SORTS {
        for direction in SortDirection::ALL {
            let expected = in_order(&school, *direction, |student| {
                (student.id.get(), student_key(student, sort))
            });
            let sorted = [EVERYONE, &by(sort, *direction)].concat();
            assert_eq!(
                store.students(&sorted).await.ids(),
                expected,
                "{sort} {direction}"
            );
            let middle = store
                .students(&[&sorted[..], &[("page", "1"), ("size", "5")]].concat())
                .await;
            assert_eq!(
                middle.ids(),
                expected[5..10],
                "{sort} {direction}, the second page of five"
            );
        }
    }
}

// Proves: spec 2.7
pub(super) async fn missing_values_come_last_in_both_directions(store: &StoreUnderTest) {
    store
        .put([
            student_with_status(1, EnrollmentStatus::Graduate),
            student(2),
            student_with_status(3, EnrollmentStatus::Withdrawn),
            enrolled(4, |enrollment| enrollment.grade = value(2, Grade::new)),
        ])
        .await;
    for (direction, expected) in [
        (SortDirection::Ascending, [2, 4, 1, 3]),
        (SortDirection::Descending, [4, 2, 3, 1]),
    ] {
        let found = store
            .students(&[EVERYONE, &by("GRADE", direction)].concat())
            .await;
        assert_eq!(
            found.ids(),
            expected,
            "those without a grade come last, by id"
        );
    }
}

// Proves: spec 2.7
pub(super) async fn text_sorts_by_code_point(store: &StoreUnderTest) {
    let names = ["B", "a", "É", "é", "가", "힣", "\u{fffd}", "😀", "Z z", "Z"];
    store
        .put((1..).zip(names).map(|(number, name)| Student {
            name: short_text(name),
            ..student(number)
        }))
        .await;
    store
        .put((1..).zip(names).map(|(number, name)| Club {
            name: short_text(name),
            ..club(number)
        }))
        .await;
    store
        .put((1..).zip(names).map(|(number, name)| Project {
            name: short_text(name),
            ..project(number, &[])
        }))
        .await;
    let (expected, by_name) = ([1, 10, 9, 2, 3, 4, 5, 6, 7, 8], [("sortBy", "NAME")]);
    let found = store.students(&by_name).await;
    assert_eq!(
        found.ids(),
        expected,
        "students: upper case first, then the rest in the order of their code points"
    );
    assert_eq!(store.clubs(&by_name).await.ids(), expected, "clubs");
    assert_eq!(store.projects(&by_name).await.ids(), expected, "projects");
}

// Proves: spec 2.7
pub(super) async fn clubs_sort_by_every_key_in_both_directions(store: &StoreUnderTest) {
    let span = |first, last: Option<i64>| {
        YearRange::new(
            value(first, Year::new),
            last.map(|last| value(last, Year::new)),
        )
        .expect("years")
    };
    let all = [
        Club {
            years: span(2020, None),
            ..club(5)
        },
        Club {
            years: span(2019, Some(2024)),
            name: short_text("가"),
            ..autonomous_club(2)
        },
        Club {
            years: span(2020, Some(2023)),
            ..autonomous_club(3)
        },
        Club {
            years: span(2018, None),
            name: short_text("가"),
            ..autonomous_club(4)
        },
        Club {
            years: years(Some(2024)),
            ..club(1)
        },
        Club {
            years: span(999, None),
            ..club(6)
        },
    ];
    store.put(all.clone()).await;
    for sort in [
        "ID",
        "NAME",
        "TYPE",
        "FOUNDED_YEAR",
        "ABOLISHED_YEAR",
        "STATUS",
    ] {
        for direction in SortDirection::ALL {
            let expected = in_order(&all, *direction, |club| {
                (club.id.get(), club_key(club, sort))
            });
            assert_eq!(
                store.clubs(&by(sort, *direction)).await.ids(),
                expected,
                "{sort} {direction}"
            );
        }
    }
}

// Proves: spec 2.7
pub(super) async fn projects_sort_by_every_key_in_both_directions(store: &StoreUnderTest) {
    let all = [(3, "b"), (1, "b"), (2, "a"), (4, "C")].map(|(number, name)| Project {
        name: short_text(name),
        ..project(number, &[])
    });
    store.put(all.clone()).await;
    for sort in ["ID", "NAME"] {
        for direction in SortDirection::ALL {
            let name =
                |project: &Project| (sort == "NAME").then(|| Key::Text(project.name.to_string()));
            let expected = in_order(&all, *direction, |project| {
                (project.id.get(), name(project))
            });
            assert_eq!(
                store.projects(&by(sort, *direction)).await.ids(),
                expected,
                "{sort} {direction}"
            );
        }
    }
}

const fn by(sort: &str, direction: SortDirection) -> [(&str, &str); 2] {
    [("sortBy", sort), ("sortDirection", direction.as_str())]
}

/// Value of a sort key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i32),
    Text(String),
}

/// Returns the ids in the order of spec 2.7: by key, then by id in the same direction, and those
/// without a key last.
fn in_order<T>(
    records: &[T],
    direction: SortDirection,
    key: impl Fn(&T) -> (i64, Option<Key>),
) -> Vec<i64> {
    let mut keyed: Vec<_> = records.iter().map(key).collect();
    match direction {
        SortDirection::Ascending => {
            keyed.sort_by_key(|(id, key)| (key.is_none(), key.clone(), *id))
        }
        SortDirection::Descending => {
            keyed.sort_by_key(|(id, key)| (key.is_none(), Reverse((key.clone(), *id))))
        }
    }
    keyed.into_iter().map(|(id, _)| id).collect()
}

fn student_key(student: &Student, sort: &str) -> Option<Key> {
    let enrollment = student.enrollment();
    match sort {
        "ID" => None,
        "NAME" => Some(Key::Text(student.name.to_string())),
        "EMAIL" => Some(Key::Text(student.email.to_string())),
        "STUDENT_NUMBER" => enrollment.map(|enrollment| Key::Number(enrollment.student_number())),
        "GRADE" => enrollment.map(|enrollment| Key::Number(enrollment.grade.get())),
        "CLASS_NUM" => enrollment.map(|enrollment| Key::Number(enrollment.class_num.get())),
        "NUMBER" => enrollment.map(|enrollment| Key::Number(enrollment.number.get())),
        "MAJOR" => enrollment.map(|enrollment| Key::Text(enrollment.major.to_string())),
        "ROLE" => Some(Key::Text(student.role().to_string())),
        "SEX" => Some(Key::Text(student.sex.to_string())),
        _ => enrollment
            .and_then(|enrollment| enrollment.dormitory_room)
            .map(|room| Key::Number(room.get())),
    }
}

fn club_key(club: &Club, sort: &str) -> Option<Key> {
    match sort {
        "ID" => None,
        "NAME" => Some(Key::Text(club.name.to_string())),
        "TYPE" => Some(Key::Text(club.kind.to_string())),
        "FOUNDED_YEAR" => Some(Key::Number(club.years.first().get())),
        "ABOLISHED_YEAR" => club.years.last().map(|year| Key::Number(year.get())),
        _ => Some(Key::Text(club.status().to_string())),
    }
}

/// Returns students with some equal and some different values, in random order. Numbers have one,
/// two and more digits.
fn a_dozen_students() -> Vec<Student> {
    let mut school: Vec<_> = [7, 11, 2, 9, 4, 12, 1, 8]
        .into_iter()
        .map(|number: i64| {
            let at = usize::try_from(number).unwrap_or_default();
            let enrolled = enrolled(number, |enrollment| {
                enrollment.grade = value(number % 2 * 9 + 1, Grade::new);
                enrollment.class_num = value(12 - number % 3, ClassNum::new);
                enrollment.number = value(number % 4 * 5 + 1, SeatNumber::new);
                enrollment.major = Major::STANDARD[at % 3].clone();
                enrollment.role = EnrolledRole::ALL[at / 2 % 3];
                enrollment.dormitory_room = (number % 3 > 0).then(|| {
                    value(
                        if number > 8 { 10_000 } else { 900 + number % 2 },
                        DormitoryRoom::new,
                    )
                });
            });
            Student {
                name: short_text(["나", "가", "A"][at % 3]),
                sex: Sex::ALL[at % 2],
                ..enrolled
            }
        })
        .collect();
    school.extend([3, 10].map(|number| Student {
        name: short_text("가"),
        sex: Sex::Man,
        ..student_with_status(number, EnrollmentStatus::Graduate)
    }));
    school.extend([6, 5].map(|number| student_with_status(number, EnrollmentStatus::Withdrawn)));
    school
}
