use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ptr;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use proptest::sample::select;

use super::selection::Selection;
use super::value_index::ValueIndex;
use super::{Entry, List, ListView, Listed};
use crate::directory::history::{History, Marks};
use crate::directory::school::{SchoolResources, SchoolRules};
use crate::directory::{Field, Object, Parameter, Query, Resource, sample};
use crate::domain::{
    ApiScope, ClassNum, Direction, DormitoryRoom, EnrolledRole, Enrolment, Grade, Major, Needle, Page, SeatNumber, Sex, Standing, Student,
    StudentProfile, StudentRole, fold,
};
use crate::store::DatasetVersion;

type Students = List<StudentProfile>;

/// Parameters of a request.
type Asked<'a> = &'a [(&'a str, &'a str)];

fn profile(student: Student) -> StudentProfile {
    StudentProfile { student, major_club: None, autonomous_club: None }
}

fn no_students() -> Students {
    List::new(SchoolResources::new(&SchoolRules::default()).students)
}

fn named(names: &[&str]) -> Students {
    let enrolled = |(id, name): (i64, &&str)| profile(sample::student(id, name, Standing::Enrolled(sample::enrolment())));
    listed((1..).zip(names).map(enrolled), 1, &no_students())
}

/// The list that has these students, who come in id order, and nobody else of the one `before`.
fn listed(profiles: impl Iterator<Item = StudentProfile>, changed: u64, before: &Students) -> Students {
    let mut entries: BTreeMap<i64, Option<StudentProfile>> = before.values().map(|profile| (profile.student.id.get(), None)).collect();
    entries.extend(profiles.map(|profile| (profile.student.id.get(), Some(profile))));
    before.after(entries.into_iter().map(|(id, value)| Entry { id, changed, value }))
}

fn view<T>(list: &List<T>) -> ListView<'_, T> {
    static MARKS: LazyLock<Marks> = LazyLock::new(Marks::default);
    ListView { list, history: History { present: DatasetVersion { lineage: 1, number: 1, mark: 1 }, marks: &MARKS } }
}

fn query<T: PartialEq + Send + Sync + 'static>(list: &List<T>, asked: Asked<'_>) -> Query {
    view(list).query(asked).unwrap()
}

fn page<'a, T: PartialEq + Send + Sync + 'static>(list: &'a List<T>, asked: Asked<'_>) -> Page<'a, T> {
    view(list).page(&query(list, asked))
}

fn ids(students: &Students, asked: Asked<'_>) -> Vec<i64> {
    page(students, asked).values().map(|profile| profile.student.id.get()).collect()
}

/// Also those who left, of all the ones that are asked for.
fn everyone<'a>(asked: Asked<'a>) -> Vec<(&'a str, &'a str)> {
    [&[("includeGraduates", "true"), ("includeWithdrawn", "true")], asked].concat()
}

#[test]
fn decision_2_7_names_sort_by_code_point_and_ties_by_id_in_the_same_direction() {
    let students = named(&["b", "가", "B", "b", "é", "🦊", "\u{ffee}"]);
    assert_eq!(ids(&students, &[("sortBy", "NAME")]), [3, 1, 4, 5, 2, 7, 6]);
    assert_eq!(ids(&students, &[("sortBy", "NAME"), ("sortDirection", "DESC")]), [6, 7, 2, 5, 4, 1, 3]);
}

#[test]
fn decision_2_7_missing_values_come_last_in_both_directions() {
    let standings =
        [Standing::Graduate, Standing::Enrolled(sample::enrolment()), Standing::Withdrawn, Standing::Enrolled(sample::enrolment())];
    let profiles = (1..).zip(standings).map(|(id, standing)| profile(sample::student(id, "Kim", standing)));
    let students = listed(profiles, 1, &no_students());
    assert_eq!(ids(&students, &everyone(&[("sortBy", "GRADE")])), [2, 4, 1, 3]);
    assert_eq!(ids(&students, &everyone(&[("sortBy", "GRADE"), ("sortDirection", "DESC")])), [4, 2, 3, 1]);
}

#[test]
fn decision_2_6_text_is_found_across_case_and_composition_and_wildcards_are_literal() {
    let students = named(&["STRASSE", "Straße", "100% sure", "a_b", "axb", "\u{1112}\u{1161}\u{11ab}글"]);
    let found = |text: &str| ids(&students, &[("name", text)]);
    assert_eq!(found("strasse"), [1, 2]);
    assert_eq!(found("%"), [3]);
    assert_eq!(found("A_B"), [4]);
    assert_eq!(found("한"), [6]);
    assert_eq!(found("surea"), [] as [i64; 0], "found across two names");
}

#[test]
fn decision_2_4_a_page_past_the_end_is_empty_with_the_right_total() {
    let students = named(&["a"; 150]);
    for direction in ["ASC", "DESC"] {
        for sort in ["ID", "NAME"] {
            let of = |number, size| {
                let page = page(&students, &[("sortBy", sort), ("sortDirection", direction), ("page", number), ("size", size)]);
                (page.items.len(), page.total)
            };
            assert_eq!(of("1", "100"), (50, 150));
            for (number, size) in [("2", "100"), ("150", "1"), ("2147483647", "1000")] {
                assert_eq!(of(number, size), (0, 150));
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
    let same = |position: usize| ptr::eq(page(&first, &[]).items[position], page(&second, &[]).items[position]);
    assert!(same(0));
    assert!(!same(1));
    let found = |name: &str| ids(&second, &[("name", name)]);
    assert_eq!((found("a"), found("x"), found("c"), found("d")), (vec![1], vec![2], vec![], vec![4]));
}

#[test]
fn a_page_looks_at_few_students_unless_texts_are_searched_or_an_order_is_missing() {
    let students = named(&["a"; 150]);
    let looked_at = |asked: Asked<'_>| students.looked_at(&query(&students, &[asked, &[("size", "10")]].concat()));
    let by_name = everyone(&[("sortBy", "NAME")]);
    assert_eq!(looked_at(&by_name), 150, "the order is not built yet");
    let _ = page(&students, &by_name);
    assert_eq!(looked_at(&by_name), 10);
    let current = [("sortBy", "NAME")];
    assert_eq!(looked_at(&current), 10, "the filter excludes no student");
    assert_eq!(looked_at(&everyone(&[("grade", "1"), ("sortBy", "NAME")])), 150, "others are passed on the way");
    assert_eq!(looked_at(&everyone(&[("grade", "1")])), 10);
    assert_eq!(looked_at(&everyone(&[("githubId", "a")])), 150);
    let one_left = (1..).zip([Standing::Enrolled(sample::enrolment()), Standing::Graduate]);
    let students = listed(one_left.map(|(id, standing)| profile(sample::student(id, "Kim", standing))), 1, &no_students());
    let _ = page(&students, &current);
    assert_eq!(students.looked_at(&query(&students, &current)), 2, "graduates are skipped one by one");
}

/// Fails if the order of the addresses, which is taken over from the list before, is of other positions.
#[test]
fn a_student_is_found_by_address_also_after_others_came_and_went() {
    let students = |ids: &[i64]| ids.iter().map(|id| profile(sample::student(*id, "Kim", Standing::Graduate))).collect::<Vec<_>>();
    let found = |list: &Students, id: i64| {
        list.with_text(format!("s{id}@school.example")).map(|record| record.value().student.id.get()).collect::<Vec<_>>()
    };
    let mut list = listed(students(&[3, 5, 7]).into_iter(), 1, &no_students());
    assert_eq!(found(&list, 5), [5]);
    for (changed, ids) in (2..).zip([&[1, 3, 5, 7, 9][..], &[5, 9], &[4, 5, 6, 10]]) {
        list = listed(students(ids).into_iter(), changed, &list);
        for id in 1..=10 {
            assert_eq!(found(&list, id), if ids.contains(&id) { vec![id] } else { vec![] }, "{id} of {ids:?}");
        }
    }
}

#[derive(PartialEq)]
struct Room {
    id: i64,
    is_free: Option<bool>,
    serial: Option<i64>,
}

/// Fails if numbers are cut to 32 bits, and if a missing value counts as `false` or 0.
#[test]
fn booleans_and_numbers_of_64_bits_are_compared_and_sorted_by() {
    let fields = [
        Field::id("id", |room: &Room| room.id),
        Field::boolean("isFree", |room: &Room| room.is_free).nullable().filter(Parameter::new("isFree", "Free ones.")).sort("FREE"),
        Field::long("serial", |room: &Room| room.serial).nullable().filter(Parameter::new("serial", "By serial.")).sort("SERIAL"),
    ];
    let rooms = Resource::new("rooms", "/v1/rooms", ApiScope::STUDENT_READ, Object::new("Room", "A room.", fields));
    let entry = |id, is_free, serial| Entry { id, changed: 1, value: Some(Room { id, is_free, serial }) };
    let first = [
        entry(1, Some(true), Some(7)),
        entry(2, Some(false), Some(7 - (1 << 32))),
        entry(3, None, Some(i64::MAX)),
        entry(4, Some(true), None),
        entry(5, Some(false), Some(0)),
    ];
    let first = List::new(Arc::new(rooms)).after(first.into_iter());
    let found = |list: &List<Room>, asked: Asked<'_>| page(list, asked).values().map(|room| room.id).collect::<Vec<_>>();
    let expectations: [(Asked<'_>, &[i64]); 8] = [
        (&[("isFree", "TRUE")], &[1, 4]),
        (&[("isFree", "false")], &[2, 5]),
        (&[("serial", "7")], &[1]),
        (&[("serial", "9223372036854775807")], &[3]),
        (&[("serial", "0"), ("isFree", "true")], &[]),
        (&[("sortBy", "FREE")], &[2, 5, 1, 4, 3]),
        (&[("sortBy", "FREE"), ("sortDirection", "DESC")], &[4, 1, 5, 2, 3]),
        (&[("sortBy", "SERIAL")], &[2, 5, 1, 3, 4]),
    ];
    for (asked, expected) in expectations {
        assert_eq!(found(&first, asked), expected, "{asked:?}");
    }
    let second = first.after([entry(2, Some(true), Some(8)), Entry { id: 4, changed: 2, value: None }].into_iter());
    assert_eq!(found(&second, &[("isFree", "true")]), [1, 2]);
    assert_eq!(found(&second, &[("sortBy", "SERIAL"), ("sortDirection", "DESC")]), [3, 2, 1, 5]);
    assert!(view(&second).query(&[("isFree", "1")]).is_err() && view(&second).query(&[("serial", "9223372036854775808")]).is_err());
}

/// All sorts, as [`key`] knows them.
const SORTS: &[&str] = &["ID", "NAME", "EMAIL", "STUDENT_NUMBER", "GRADE", "CLASS_NUM", "NUMBER", "MAJOR", "ROLE", "SEX", "DORMITORY_ROOM"];

/// Names of parameters with their values.
type Filter = Vec<(&'static str, String)>;

proptest! {
    #[test]
    fn any_query_finds_what_a_plain_search_finds(
        profiles in proptest::collection::vec(any_student(), 0..160),
        later in proptest::collection::vec(any_student(), 0..160),
        filter in any_filter(),
        sort in select(SORTS),
        direction in select(Direction::ALL),
        page in 0..5_usize,
        size in 1..60_usize,
    ) {
        let (number, length) = (page.to_string(), size.to_string());
        let part = [("sortBy", sort), ("sortDirection", direction.as_str()), ("page", &number), ("size", &length)];
        let asked: Vec<_> = filter.iter().map(|(name, value)| (*name, value.as_str())).chain(part).collect();
        let expected = |profiles: &[StudentProfile]| {
            let found = plain_search(profiles, &filter, sort, direction);
            (found.len() as u64, found.into_iter().skip(page * size).take(size).collect::<Vec<_>>())
        };
        let first = numbered(profiles, 1);
        let students = listed(first.iter().cloned(), 1, &no_students());
        prop_assert_eq!(answer(&students, &asked), expected(&first));
        let second: Vec<_> = first.into_iter().take(20).chain(numbered(later, 61)).collect();
        prop_assert_eq!(answer(&listed(second.iter().cloned(), 2, &students), &asked), expected(&second));
    }

    /// Of up to 300 records, a value of fewer than 10 is kept in another form than one of most.
    #[test]
    fn a_value_finds_its_records_whether_they_are_few_or_many(
        values in proptest::collection::vec(prop_oneof![4 => Just(Some(0)), 4 => Just(None), 1 => (1..40_i64).prop_map(Some)], 0..300),
    ) {
        let index = ValueIndex::<i64>::new::<i64, _>(values.len(), values.iter().copied());
        let chosen = |change: &dyn Fn(&mut Selection)| {
            let mut selected = Selection::all(values.len());
            change(&mut selected);
            selected.ranked(0..selected.count()).collect::<Vec<_>>()
        };
        for value in 0..41 {
            let (found, others): (Vec<_>, Vec<_>) = (0..values.len()).partition(|at| values[*at] == Some(value));
            let third = |at: &usize| at.is_multiple_of(3);
            prop_assert_eq!(index.has(&value), !found.is_empty());
            prop_assert_eq!(index.positions(value), &found[..]);
            prop_assert_eq!(chosen(&|selected| index.keep(&value, selected)), &found[..]);
            prop_assert_eq!(chosen(&|selected| index.exclude(&value, selected)), &others[..]);
            let kept = chosen(&|selected| { selected.retain(|at| third(&at)); index.keep(&value, selected) });
            prop_assert_eq!(kept, found.iter().copied().filter(third).collect::<Vec<_>>());
            let left = chosen(&|selected| { selected.retain(|at| third(&at)); index.exclude(&value, selected) });
            prop_assert_eq!(left, others.iter().copied().filter(third).collect::<Vec<_>>());
        }
    }
}

fn answer(students: &Students, asked: Asked<'_>) -> (u64, Vec<i64>) {
    (page(students, asked).total, ids(students, asked))
}

fn plain_search(profiles: &[StudentProfile], filter: &Filter, sort: &str, direction: Direction) -> Vec<i64> {
    let mut found: Vec<_> = profiles.iter().map(|profile| &profile.student).filter(|student| is_wanted(student, filter)).collect();
    found.sort_by(|one, other| compare(one, other, sort, direction));
    found.iter().map(|student| student.id.get()).collect()
}

fn is_wanted(student: &Student, filter: &Filter) -> bool {
    let flag = |name| filter.iter().any(|(asked, value)| *asked == name && value == "true");
    let is_there = match student.role() {
        StudentRole::Graduate => flag("includeGraduates") && !flag("onlyEnrolled"),
        StudentRole::Withdrawn => flag("includeWithdrawn") && !flag("onlyEnrolled"),
        _ => true,
    };
    is_there && filter.iter().all(|(name, value)| holds(student, name, value))
}

fn holds(student: &Student, name: &str, value: &str) -> bool {
    let is = |text: Option<String>| text.as_deref() == Some(value);
    let number = |of: fn(&Enrolment) -> Option<i32>| is(student.enrolment().and_then(of).map(|number| number.to_string()));
    let has = |text: Option<&str>| text.is_some_and(|text| fold(text).contains(Needle::new(value).unwrap().as_str()));
    match name {
        "studentId" => is(Some(student.id.get().to_string())),
        "sex" => is(Some(student.sex.to_string())),
        "role" => is(Some(student.role().to_string())),
        "major" => is(student.enrolment().map(|enrolment| enrolment.major.to_string())),
        "grade" => number(|enrolment| Some(enrolment.grade.get())),
        "classNum" => number(|enrolment| Some(enrolment.class_num.get())),
        "number" => number(|enrolment| Some(enrolment.number.get())),
        "dormitoryRoom" => number(|enrolment| Some(enrolment.dormitory_room?.get())),
        "name" => has(Some(&student.name)),
        "email" => has(Some(student.email.as_str())),
        "specialty" => has(student.specialty.as_deref()),
        "githubId" => has(student.github_id.as_ref().map(|github_id| github_id.as_str())),
        _ => true,
    }
}

fn compare(one: &Student, other: &Student, sort: &str, direction: Direction) -> Ordering {
    let turned = |order: Ordering| if direction == Direction::Descending { order.reverse() } else { order };
    let by_key = match (key(one, sort), key(other, sort)) {
        (Some(one), Some(other)) => turned(one.cmp(&other)),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    by_key.then(turned(one.id.cmp(&other.id)))
}

/// Numbers padded to one width, so that text can be compared.
fn key(student: &Student, sort: &str) -> Option<String> {
    let number = |value: fn(&Enrolment) -> Option<i32>| student.enrolment().and_then(value).map(|value| format!("{value:08}"));
    match sort {
        "NAME" => Some(student.name.to_string()),
        "EMAIL" => Some(student.email.to_string()),
        "STUDENT_NUMBER" => number(|enrolment| Some(enrolment.student_number())),
        "GRADE" => number(|enrolment| Some(enrolment.grade.get())),
        "CLASS_NUM" => number(|enrolment| Some(enrolment.class_num.get())),
        "NUMBER" => number(|enrolment| Some(enrolment.number.get())),
        "MAJOR" => student.enrolment().map(|enrolment| enrolment.major.to_string()),
        "ROLE" => Some(student.role().to_string()),
        "SEX" => Some(student.sex.to_string()),
        "DORMITORY_ROOM" => number(|enrolment| Some(enrolment.dormitory_room?.get())),
        _ => None,
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
    (any_grade(), any_class(), any_number(), select(Major::STANDARD.to_vec()), select(EnrolledRole::ALL), proptest::option::of(any_room()))
        .prop_map(|(grade, class_num, number, major, role, dormitory_room)| Enrolment {
            grade,
            class_num,
            number,
            major,
            role,
            dormitory_room,
            ..sample::enrolment()
        })
}

fn any_filter() -> impl Strategy<Value = Filter> {
    fn rarely(name: &'static str, value: impl Strategy<Value: ToString> + 'static) -> BoxedStrategy<Option<(&'static str, String)>> {
        proptest::option::weighted(0.15, value.prop_map(move |value| (name, value.to_string()))).boxed()
    }
    let needle = |name| rarely(name, select(&["k", "KIM", "å", "한", "늘", "_", "%", "ss", "fox", "@a"][..]));
    let flag = |name| any::<bool>().prop_map(move |flag| Some((name, flag.to_string()))).boxed();
    let parameters = vec![
        needle("name"),
        needle("email"),
        needle("specialty"),
        needle("githubId"),
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
