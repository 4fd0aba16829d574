use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ptr;

use proptest::prelude::*;
use proptest::sample::select;

use super::{Entry, Students};
use crate::directory::sample;
use crate::domain::{
    ClassNum, Direction, DormitoryRoom, EnrolledRole, Enrolment, EnrolmentFilter, Grade, Major, Needle, PageRequest, SeatNumber, Sex,
    Standing, Student, StudentFilter, StudentId, StudentProfile, StudentQuery, StudentRole, StudentSort, fold,
};

fn profile(student: Student) -> StudentProfile {
    StudentProfile { student, major_club: None, autonomous_club: None }
}

fn named(names: &[&str]) -> Students {
    let enrolled = |(id, name): (i64, &&str)| profile(sample::student(id, name, Standing::Enrolled(sample::enrolment())));
    listed((1..).zip(names).map(enrolled), 1, &Students::default())
}

/// The list that has these students, who come in id order, and nobody else of the one `before`.
fn listed(profiles: impl Iterator<Item = StudentProfile>, changed: u64, before: &Students) -> Students {
    let mut entries: BTreeMap<StudentId, Option<StudentProfile>> = BTreeMap::new();
    for number in 0.. {
        let page = before.page(&StudentQuery { page: PageRequest::new(number, 1000).unwrap(), ..everyone() });
        if page.items.is_empty() {
            break;
        }
        entries.extend(page.values().map(|profile| (profile.student.id, None)));
    }
    entries.extend(profiles.map(|profile| (profile.student.id, Some(profile))));
    before.after(entries.into_iter().map(|(id, value)| Entry { id, changed, value }))
}

fn everyone() -> StudentQuery {
    StudentQuery {
        filter: StudentFilter { enrolment: EnrolmentFilter::new(false, true, true), ..StudentFilter::default() },
        sort: StudentSort::Id,
        direction: Direction::Ascending,
        page: PageRequest::new(0, 1000).unwrap(),
    }
}

fn ids(students: &Students, query: &StudentQuery) -> Vec<i64> {
    students.page(query).values().map(|profile| profile.student.id.get()).collect()
}

#[test]
fn decision_2_7_names_sort_by_code_point_and_ties_by_id_in_the_same_direction() {
    let students = named(&["b", "가", "B", "b", "é", "🦊", "\u{ffee}"]);
    let by_name = StudentQuery { sort: StudentSort::Name, ..everyone() };
    assert_eq!(ids(&students, &by_name), [3, 1, 4, 5, 2, 7, 6]);
    assert_eq!(ids(&students, &StudentQuery { direction: Direction::Descending, ..by_name }), [6, 7, 2, 5, 4, 1, 3]);
}

#[test]
fn decision_2_7_missing_values_come_last_in_both_directions() {
    let standings =
        [Standing::Graduate, Standing::Enrolled(sample::enrolment()), Standing::Withdrawn, Standing::Enrolled(sample::enrolment())];
    let profiles = (1..).zip(standings).map(|(id, standing)| profile(sample::student(id, "Kim", standing)));
    let students = listed(profiles, 1, &Students::default());
    let by_grade = StudentQuery { sort: StudentSort::Grade, ..everyone() };
    assert_eq!(ids(&students, &by_grade), [2, 4, 1, 3]);
    assert_eq!(ids(&students, &StudentQuery { direction: Direction::Descending, ..by_grade }), [4, 2, 3, 1]);
}

#[test]
fn decision_2_6_text_is_found_across_case_and_composition_and_wildcards_are_literal() {
    let students = named(&["STRASSE", "Straße", "100% sure", "a_b", "axb", "\u{1112}\u{1161}\u{11ab}글"]);
    let found = |text: &str| {
        let filter = StudentFilter { name: Some(Needle::new(text).unwrap()), ..everyone().filter };
        ids(&students, &StudentQuery { filter, ..everyone() })
    };
    assert_eq!(found("strasse"), [1, 2]);
    assert_eq!(found("%"), [3]);
    assert_eq!(found("A_B"), [4]);
    assert_eq!(found("한"), [6]);
    assert_eq!(found("surea"), [] as [i64; 0], "found across two names");
}

#[test]
fn decision_2_4_a_page_past_the_end_is_empty_with_the_right_total() {
    let students = named(&["a"; 150]);
    for direction in [Direction::Ascending, Direction::Descending] {
        for sort in [StudentSort::Id, StudentSort::Name] {
            let of =
                |page, size| students.page(&StudentQuery { sort, direction, page: PageRequest::new(page, size).unwrap(), ..everyone() });
            assert_eq!((of(1, 100).items.len(), of(1, 100).total), (50, 150));
            for (page, size) in [(2, 100), (150, 1), (i32::MAX as u32, 1000)] {
                assert_eq!((of(page, size).items.len(), of(page, size).total), (0, 150));
            }
        }
    }
}

#[test]
fn an_unchanged_student_stays_the_same_record() {
    let first = named(&["a", "b", "c"]);
    let changed = [(1, "a"), (2, "x"), (4, "d")];
    let profiles = changed.map(|(id, name)| profile(sample::student(id, name, Standing::Enrolled(sample::enrolment()))));
    let second = listed(profiles.into_iter(), 2, &first);
    let same = |position: usize| ptr::eq(first.page(&everyone()).items[position], second.page(&everyone()).items[position]);
    assert!(same(0));
    assert!(!same(1));
    let found = |name: &str| {
        ids(&second, &StudentQuery { filter: StudentFilter { name: Needle::new(name).ok(), ..everyone().filter }, ..everyone() })
    };
    assert_eq!((found("a"), found("x"), found("c"), found("d")), (vec![1], vec![2], vec![], vec![4]));
}

#[test]
fn a_page_looks_at_few_students_unless_texts_are_searched_or_an_order_is_missing() {
    let students = named(&["a"; 150]);
    let by_name = StudentQuery { sort: StudentSort::Name, page: PageRequest::new(0, 10).unwrap(), ..everyone() };
    assert_eq!(students.looked_at(&by_name), 150, "the order is not built yet");
    let _ = students.page(&by_name);
    assert_eq!(students.looked_at(&by_name), 10);
    let current = StudentQuery { filter: StudentFilter::default(), ..by_name.clone() };
    assert_eq!(students.looked_at(&current), 10, "the filter excludes no student");
    let of_a_grade = StudentFilter { grade: Grade::new(1).ok(), ..everyone().filter };
    assert_eq!(students.looked_at(&StudentQuery { filter: of_a_grade.clone(), ..by_name.clone() }), 150, "others are passed on the way");
    let by_id = StudentQuery { sort: StudentSort::Id, ..by_name };
    assert_eq!(students.looked_at(&StudentQuery { filter: of_a_grade, ..by_id.clone() }), 10);
    let searched = StudentFilter { github_id: Needle::new("a").ok(), ..everyone().filter };
    assert_eq!(students.looked_at(&StudentQuery { filter: searched, ..by_id }), 150);
    let one_left = (1..).zip([Standing::Enrolled(sample::enrolment()), Standing::Graduate]);
    let students = listed(one_left.map(|(id, standing)| profile(sample::student(id, "Kim", standing))), 1, &Students::default());
    let _ = students.page(&current);
    assert_eq!((students.looked_at(&current), current.page.size()), (2, 10), "graduates are skipped one by one");
}

/// Fails if the order of the addresses, which is taken over from the list before, is of other positions.
#[test]
fn a_student_is_found_by_address_also_after_others_came_and_went() {
    let students = |ids: &[i64]| ids.iter().map(|id| profile(sample::student(*id, "Kim", Standing::Graduate))).collect::<Vec<_>>();
    let found = |list: &Students, id: i64| {
        let email = format!("S{id}@school.example").parse().unwrap();
        list.with_email(&email).map(|record| record.value().student.id.get()).collect::<Vec<_>>()
    };
    let mut list = listed(students(&[3, 5, 7]).into_iter(), 1, &Students::default());
    assert_eq!(found(&list, 5), [5]);
    for (changed, ids) in (2..).zip([&[1, 3, 5, 7, 9][..], &[5, 9], &[4, 5, 6, 10]]) {
        list = listed(students(ids).into_iter(), changed, &list);
        for id in 1..=10 {
            assert_eq!(found(&list, id), if ids.contains(&id) { vec![id] } else { vec![] }, "{id} of {ids:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_query_finds_what_a_plain_search_finds(
        profiles in proptest::collection::vec(any_student(), 0..160),
        later in proptest::collection::vec(any_student(), 0..160),
        filter in any_filter(),
        sort in select(StudentSort::ALL),
        direction in select(Direction::ALL),
        page in 0..5_u32,
        size in 1..60_u32,
    ) {
        let query = StudentQuery { filter, sort, direction, page: PageRequest::new(page, size).unwrap() };
        let first = numbered(profiles, 1);
        let students = listed(first.iter().cloned(), 1, &Students::default());
        prop_assert_eq!(answer(&students, &query), plain_search(&first, &query));
        let second: Vec<_> = first.into_iter().take(20).chain(numbered(later, 61)).collect();
        prop_assert_eq!(answer(&listed(second.iter().cloned(), 2, &students), &query), plain_search(&second, &query));
    }
}

fn answer(students: &Students, query: &StudentQuery) -> (u64, Vec<StudentId>) {
    let page = students.page(query);
    (page.total, page.values().map(|profile| profile.student.id).collect())
}

fn plain_search(profiles: &[StudentProfile], query: &StudentQuery) -> (u64, Vec<StudentId>) {
    let mut found: Vec<_> = profiles.iter().map(|profile| &profile.student).filter(|student| is_wanted(student, &query.filter)).collect();
    found.sort_by(|one, other| compare(one, other, query.sort, query.direction));
    let page = found.iter().skip(query.page.offset() as usize).take(query.page.size() as usize);
    (found.len() as u64, page.map(|student| student.id).collect())
}

fn is_wanted(student: &Student, filter: &StudentFilter) -> bool {
    fn is<T: PartialEq>(wanted: Option<T>, value: Option<T>) -> bool {
        wanted.is_none() || wanted == value
    }
    let has = |needle: &Option<Needle>, text: Option<&str>| {
        needle.as_ref().is_none_or(|needle| text.is_some_and(|text| fold(text).contains(needle.as_str())))
    };
    let enrolment = student.enrolment();
    filter.enrolment.admits(student.role())
        && is(filter.id, Some(student.id))
        && is(filter.sex, Some(student.sex))
        && is(filter.role, Some(student.role()))
        && is(filter.grade, enrolment.map(|enrolment| enrolment.grade))
        && is(filter.class_num, enrolment.map(|enrolment| enrolment.class_num))
        && is(filter.number, enrolment.map(|enrolment| enrolment.number))
        && is(filter.major, enrolment.map(|enrolment| enrolment.major))
        && is(filter.dormitory_room, enrolment.and_then(|enrolment| enrolment.dormitory_room))
        && has(&filter.name, Some(&student.name))
        && has(&filter.email, Some(student.email.as_str()))
        && has(&filter.specialty, student.specialty.as_deref())
        && has(&filter.github_id, student.github_id.as_ref().map(|github_id| github_id.as_str()))
}

fn compare(one: &Student, other: &Student, sort: StudentSort, direction: Direction) -> Ordering {
    let turned = |order: Ordering| if direction == Direction::Descending { order.reverse() } else { order };
    let by_key = match (key(one, sort), key(other, sort)) {
        (Some(one), Some(other)) => turned(one.cmp(&other)),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    by_key.then(turned(one.id.cmp(&other.id)))
}

/// Numbers padded to one width, so that text can be compared.
fn key(student: &Student, sort: StudentSort) -> Option<String> {
    let number = |value: fn(&Enrolment) -> Option<i32>| student.enrolment().and_then(value).map(|value| format!("{value:08}"));
    match sort {
        StudentSort::Id => None,
        StudentSort::Name => Some(student.name.to_string()),
        StudentSort::Email => Some(student.email.to_string()),
        StudentSort::StudentNumber => number(|enrolment| Some(enrolment.student_number())),
        StudentSort::Grade => number(|enrolment| Some(enrolment.grade.get())),
        StudentSort::ClassNum => number(|enrolment| Some(enrolment.class_num.get())),
        StudentSort::Number => number(|enrolment| Some(enrolment.number.get())),
        StudentSort::Major => student.enrolment().map(|enrolment| enrolment.major.to_string()),
        StudentSort::Role => Some(student.role().to_string()),
        StudentSort::Sex => Some(student.sex.to_string()),
        StudentSort::DormitoryRoom => number(|enrolment| Some(enrolment.dormitory_room?.get())),
    }
}

fn numbered(profiles: Vec<StudentProfile>, first: i64) -> Vec<StudentProfile> {
    let number = |(id, profile): (i64, StudentProfile)| {
        let student = Student { id: sample::student_id(id), ..profile.student };
        StudentProfile { student, ..profile }
    };
    (first..).step_by(3).zip(profiles).map(number).collect()
}

const NAMES: &[&str] = &["김하늘", "Kim Haneul", "KIM", "ÅNGSTRÖM", "ångström", "Straße", "a_b", "100%", "이", "가온", "🦊"];

fn any_student() -> impl Strategy<Value = StudentProfile> {
    let email = select(&["kim@a.example", "KIM@a.example", "lee@b.example"][..]);
    let specialty = proptest::option::of(select(NAMES));
    let github_id = proptest::option::of(select(&["fox", "Fox-2", "owl"][..]));
    (select(NAMES), select(Sex::ALL), email, specialty, github_id, any_standing()).prop_map(
        |(name, sex, email, specialty, github_id, standing)| {
            profile(Student {
                sex,
                email: email.parse().unwrap(),
                specialty: specialty.map(|text| text.parse().unwrap()),
                github_id: github_id.map(|text| text.parse().unwrap()),
                ..sample::student(1, name, standing)
            })
        },
    )
}

fn any_standing() -> impl Strategy<Value = Standing> {
    prop_oneof![4 => any_enrolment().prop_map(Standing::Enrolled), 1 => Just(Standing::Graduate), 1 => Just(Standing::Withdrawn)]
}

fn any_enrolment() -> impl Strategy<Value = Enrolment> {
    (any_grade(), any_class(), any_number(), select(Major::ALL), select(EnrolledRole::ALL), proptest::option::of(any_room())).prop_map(
        |(grade, class_num, number, major, role, dormitory_room)| Enrolment {
            grade,
            class_num,
            number,
            major,
            role,
            dormitory_room,
            ..sample::enrolment()
        },
    )
}

fn any_filter() -> impl Strategy<Value = StudentFilter> {
    let needle = || proptest::option::weighted(0.15, select(&["k", "KIM", "å", "한", "늘", "_", "%", "ss", "fox", "@a"][..]));
    let needles = (needle(), needle(), needle(), needle());
    fn rarely<S: Strategy>(strategy: S) -> impl Strategy<Value = Option<S::Value>> {
        proptest::option::weighted(0.15, strategy)
    }
    let words = (rarely(select(Sex::ALL)), rarely(select(StudentRole::ALL)), rarely(select(Major::ALL)));
    let numbers = (rarely(1..200_i64), rarely(any_grade()), rarely(any_class()), rarely(any_number()), rarely(any_room()));
    (needles, words, numbers, any::<(bool, bool, bool)>()).prop_map(
        |(needles, (sex, role, major), (id, grade, class_num, number, dormitory_room), (only, graduates, withdrawn))| StudentFilter {
            id: id.map(sample::student_id),
            name: needles.0.map(|text| Needle::new(text).unwrap()),
            email: needles.1.map(|text| Needle::new(text).unwrap()),
            specialty: needles.2.map(|text| Needle::new(text).unwrap()),
            github_id: needles.3.map(|text| Needle::new(text).unwrap()),
            grade,
            class_num,
            number,
            sex,
            role,
            major,
            dormitory_room,
            enrolment: EnrolmentFilter::new(only, graduates, withdrawn),
        },
    )
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
