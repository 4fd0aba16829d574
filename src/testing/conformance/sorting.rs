use std::cmp::Reverse;

use super::candidate::Candidate;
use super::given_school::{EVERYONE, autonomous, club, enrolled, left, line, project, student, value, years};
use crate::domain::{
    ClassNum, Club, Direction, DormitoryRoom, EnrolledRole, Grade, Lifespan, Major, Project, SeatNumber, Sex, Standing, Student, Year,
};

const STUDENT_SORTS: [&str; 11] =
    ["ID", "NAME", "EMAIL", "STUDENT_NUMBER", "GRADE", "CLASS_NUM", "NUMBER", "MAJOR", "ROLE", "SEX", "DORMITORY_ROOM"];

pub(super) async fn decision_2_7_students_sort_by_every_key_in_both_directions(store: &Candidate) {
    let school = a_dozen_students();
    store.put(school.clone()).await;
    for sort in STUDENT_SORTS {
        for direction in Direction::ALL {
            let expected = in_order(&school, *direction, |student| (student.id.get(), student_key(student, sort)));
            let sorted = [EVERYONE, &by(sort, *direction)].concat();
            assert_eq!(store.students(&sorted).await.ids(), expected, "{sort} {direction}");
            let middle = store.students(&[&sorted[..], &[("page", "1"), ("size", "5")]].concat()).await;
            assert_eq!(middle.ids(), expected[5..10], "{sort} {direction}, the second page of five");
        }
    }
}

pub(super) async fn decision_2_7_missing_values_come_last_in_both_directions(store: &Candidate) {
    store
        .put([
            left(1, Standing::Graduate),
            student(2),
            left(3, Standing::Withdrawn),
            enrolled(4, |enrolment| enrolment.grade = value(2, Grade::new)),
        ])
        .await;
    for (direction, expected) in [(Direction::Ascending, [2, 4, 1, 3]), (Direction::Descending, [4, 2, 3, 1])] {
        let found = store.students(&[EVERYONE, &by("GRADE", direction)].concat()).await;
        assert_eq!(found.ids(), expected, "those without a grade come last, by id");
    }
}

pub(super) async fn decision_2_7_text_sorts_by_code_point(store: &Candidate) {
    let names = ["B", "a", "É", "é", "가", "힣", "\u{fffd}", "😀", "Z z", "Z"];
    store.put((1..).zip(names).map(|(number, name)| Student { name: line(name), ..student(number) })).await;
    store.put((1..).zip(names).map(|(number, name)| Club { name: line(name), ..club(number) })).await;
    store.put((1..).zip(names).map(|(number, name)| Project { name: line(name), ..project(number, &[]) })).await;
    let (expected, by_name) = ([1, 10, 9, 2, 3, 4, 5, 6, 7, 8], [("sortBy", "NAME")]);
    let found = store.students(&by_name).await;
    assert_eq!(found.ids(), expected, "students: upper case first, then the rest in the order of their code points");
    assert_eq!(store.clubs(&by_name).await.ids(), expected, "clubs");
    assert_eq!(store.projects(&by_name).await.ids(), expected, "projects");
}

pub(super) async fn decision_2_7_clubs_sort_by_every_key_in_both_directions(store: &Candidate) {
    let span = |first, last: Option<i64>| Lifespan::new(value(first, Year::new), last.map(|last| value(last, Year::new))).expect("years");
    let all = [
        Club { years: span(2020, None), ..club(5) },
        Club { years: span(2019, Some(2024)), name: line("가"), ..autonomous(2) },
        Club { years: span(2020, Some(2023)), ..autonomous(3) },
        Club { years: span(2018, None), name: line("가"), ..autonomous(4) },
        Club { years: years(Some(2024)), ..club(1) },
        Club { years: span(999, None), ..club(6) },
    ];
    store.put(all.clone()).await;
    for sort in ["ID", "NAME", "TYPE", "FOUNDED_YEAR", "ABOLISHED_YEAR", "STATUS"] {
        for direction in Direction::ALL {
            let expected = in_order(&all, *direction, |club| (club.id.get(), club_key(club, sort)));
            assert_eq!(store.clubs(&by(sort, *direction)).await.ids(), expected, "{sort} {direction}");
        }
    }
}

pub(super) async fn decision_2_7_projects_sort_by_every_key_in_both_directions(store: &Candidate) {
    let all = [(3, "b"), (1, "b"), (2, "a"), (4, "C")].map(|(number, name)| Project { name: line(name), ..project(number, &[]) });
    store.put(all.clone()).await;
    for sort in ["ID", "NAME"] {
        for direction in Direction::ALL {
            let name = |project: &Project| (sort == "NAME").then(|| Key::Text(project.name.to_string()));
            let expected = in_order(&all, *direction, |project| (project.id.get(), name(project)));
            assert_eq!(store.projects(&by(sort, *direction)).await.ids(), expected, "{sort} {direction}");
        }
    }
}

const fn by(sort: &str, direction: Direction) -> [(&str, &str); 2] {
    [("sortBy", sort), ("sortDirection", direction.as_str())]
}

/// What is sorted by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i32),
    Text(String),
}

/// The ids as decision 2.7 orders them: by key, then by id in the same direction, and those without a key last.
fn in_order<T>(records: &[T], direction: Direction, key: impl Fn(&T) -> (i64, Option<Key>)) -> Vec<i64> {
    let mut keyed: Vec<_> = records.iter().map(key).collect();
    match direction {
        Direction::Ascending => keyed.sort_by_key(|(id, key)| (key.is_none(), key.clone(), *id)),
        Direction::Descending => keyed.sort_by_key(|(id, key)| (key.is_none(), Reverse((key.clone(), *id)))),
    }
    keyed.into_iter().map(|(id, _)| id).collect()
}

fn student_key(student: &Student, sort: &str) -> Option<Key> {
    let enrolment = student.enrolment();
    match sort {
        "ID" => None,
        "NAME" => Some(Key::Text(student.name.to_string())),
        "EMAIL" => Some(Key::Text(student.email.to_string())),
        "STUDENT_NUMBER" => enrolment.map(|enrolment| Key::Number(enrolment.student_number())),
        "GRADE" => enrolment.map(|enrolment| Key::Number(enrolment.grade.get())),
        "CLASS_NUM" => enrolment.map(|enrolment| Key::Number(enrolment.class_num.get())),
        "NUMBER" => enrolment.map(|enrolment| Key::Number(enrolment.number.get())),
        "MAJOR" => enrolment.map(|enrolment| Key::Text(enrolment.major.to_string())),
        "ROLE" => Some(Key::Text(student.role().to_string())),
        "SEX" => Some(Key::Text(student.sex.to_string())),
        _ => enrolment.and_then(|enrolment| enrolment.dormitory_room).map(|room| Key::Number(room.get())),
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

/// Students who agree in some things and differ in others, written in no order. Numbers have one, two and more digits.
fn a_dozen_students() -> Vec<Student> {
    let mut school: Vec<_> = [7, 11, 2, 9, 4, 12, 1, 8]
        .into_iter()
        .map(|number: i64| {
            let at = usize::try_from(number).unwrap_or_default();
            let enrolled = enrolled(number, |enrolment| {
                enrolment.grade = value(number % 2 * 9 + 1, Grade::new);
                enrolment.class_num = value(12 - number % 3, ClassNum::new);
                enrolment.number = value(number % 4 * 5 + 1, SeatNumber::new);
                enrolment.major = Major::STANDARD[at % 3].clone();
                enrolment.role = EnrolledRole::ALL[at / 2 % 3];
                enrolment.dormitory_room =
                    (number % 3 > 0).then(|| value(if number > 8 { 10_000 } else { 900 + number % 2 }, DormitoryRoom::new));
            });
            Student { name: line(["나", "가", "A"][at % 3]), sex: Sex::ALL[at % 2], ..enrolled }
        })
        .collect();
    school.extend([3, 10].map(|number| Student { name: line("가"), sex: Sex::Man, ..left(number, Standing::Graduate) }));
    school.extend([6, 5].map(|number| left(number, Standing::Withdrawn)));
    school
}
