use std::ptr;
use std::sync::Arc;

use super::{
    Parameters, Students, ids, including_departed, list_with, no_students, page, profile, query,
    students_named, view,
};
use crate::directory::engine::{IndexedList, QueryableList, RecordChange};
use crate::directory::{Field, Object, Parameter, Resource, fixtures};
use crate::domain::{ApiScope, EnrollmentStatus};

// Proves: spec 2.7
#[test]
fn names_sort_by_code_point_and_ties_by_id_in_the_same_direction() {
    let students = students_named(&["b", "가", "B", "b", "é", "🦊", "\u{ffee}"]);
    assert_eq!(ids(&students, &[("sortBy", "NAME")]), [3, 1, 4, 5, 2, 7, 6]);
    assert_eq!(
        ids(&students, &[("sortBy", "NAME"), ("sortDirection", "DESC")]),
        [6, 7, 2, 5, 4, 1, 3]
    );
}

// Proves: spec 2.7
#[test]
fn missing_values_come_last_in_both_directions() {
    let standings = [
        EnrollmentStatus::Graduate,
        EnrollmentStatus::Enrolled(fixtures::enrollment()),
        EnrollmentStatus::Withdrawn,
        EnrollmentStatus::Enrolled(fixtures::enrollment()),
    ];
    let profiles = (1..)
        .zip(standings)
        .map(|(id, enrollment_status)| profile(fixtures::student(id, "Kim", enrollment_status)));
    let students = list_with(profiles, 1, &no_students());
    assert_eq!(
        ids(&students, &including_departed(&[("sortBy", "GRADE")])),
        [2, 4, 1, 3]
    );
    assert_eq!(
        ids(
            &students,
            &including_departed(&[("sortBy", "GRADE"), ("sortDirection", "DESC")])
        ),
        [4, 2, 3, 1]
    );
}

// Proves: spec 2.6
#[test]
fn text_is_found_across_case_and_composition_and_wildcards_are_literal() {
    let students = students_named(&[
        "STRASSE",
        "Straße",
        "100% sure",
        "a_b",
        "axb",
        "\u{1112}\u{1161}\u{11ab}글",
    ]);
    let found = |text: &str| ids(&students, &[("name", text)]);
    assert_eq!(found("strasse"), [1, 2]);
    assert_eq!(found("%"), [3]);
    assert_eq!(found("A_B"), [4]);
    assert_eq!(found("한"), [6]);
    assert_eq!(found("surea"), [] as [i64; 0], "a match across two names");
}

// Proves: spec 2.4
#[test]
fn a_page_past_the_end_is_empty_with_the_right_total() {
    let students = students_named(&["a"; 150]);
    for direction in ["ASC", "DESC"] {
        for sort in ["ID", "NAME"] {
            let of = |number, size| {
                let page = page(
                    &students,
                    &[
                        ("sortBy", sort),
                        ("sortDirection", direction),
                        ("page", number),
                        ("size", size),
                    ],
                );
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
    let first = students_named(&["a", "b", "c"]);
    let changed = [(1, "a"), (2, "x"), (4, "d")];
    let profiles = changed.map(|(id, name)| {
        profile(fixtures::student(
            id,
            name,
            EnrollmentStatus::Enrolled(fixtures::enrollment()),
        ))
    });
    let second = list_with(profiles.into_iter(), 2, &first);
    let same = |position: usize| {
        ptr::eq(
            page(&first, &[]).items[position],
            page(&second, &[]).items[position],
        )
    };
    assert!(same(0));
    assert!(!same(1));
    let found = |name: &str| ids(&second, &[("name", name)]);
    assert_eq!(
        (found("a"), found("x"), found("c"), found("d")),
        (vec![1], vec![2], vec![], vec![4])
    );
}

#[test]
fn a_page_looks_at_few_students_unless_texts_are_searched_or_an_order_is_missing() {
    let students = students_named(&["a"; 150]);
    let estimated_cost = |parameters: Parameters<'_>| {
        students.estimated_cost(&query(&students, &[parameters, &[("size", "10")]].concat()))
    };
    let by_name = including_departed(&[("sortBy", "NAME")]);
    assert_eq!(estimated_cost(&by_name), 150, "the order is not built yet");
    let _ = page(&students, &by_name);
    assert_eq!(estimated_cost(&by_name), 10);
    let current = [("sortBy", "NAME")];
    assert_eq!(
        estimated_cost(&current),
        10,
        "the filter excludes no student"
    );
    assert_eq!(
        estimated_cost(&including_departed(&[("grade", "1"), ("sortBy", "NAME")])),
        150,
        "the order skips students that the filter excludes"
    );
    assert_eq!(estimated_cost(&including_departed(&[("grade", "1")])), 10);
    assert_eq!(
        estimated_cost(&including_departed(&[("githubId", "a")])),
        150
    );
    let one_left = (1..).zip([
        EnrollmentStatus::Enrolled(fixtures::enrollment()),
        EnrollmentStatus::Graduate,
    ]);
    let students = list_with(
        one_left.map(|(id, enrollment_status)| {
            profile(fixtures::student(id, "Kim", enrollment_status))
        }),
        1,
        &no_students(),
    );
    let _ = page(&students, &current);
    assert_eq!(
        students.estimated_cost(&query(&students, &current)),
        2,
        "graduates are skipped one by one"
    );
}

/// Fails if the order by address, which is updated from the previous list, has wrong positions.
#[test]
fn a_student_is_found_by_address_also_after_others_came_and_went() {
    let students = |ids: &[i64]| {
        ids.iter()
            .map(|id| profile(fixtures::student(*id, "Kim", EnrollmentStatus::Graduate)))
            .collect::<Vec<_>>()
    };
    let found = |list: &Students, id: i64| {
        list.find_exact(format!("s{id}@school.example"))
            .map(|record| record.value().student.id.get())
            .collect::<Vec<_>>()
    };
    let mut list = list_with(students(&[3, 5, 7]).into_iter(), 1, &no_students());
    assert_eq!(found(&list, 5), [5]);
    for (changed, ids) in (2..).zip([&[1, 3, 5, 7, 9][..], &[5, 9], &[4, 5, 6, 10]]) {
        list = list_with(students(ids).into_iter(), changed, &list);
        for id in 1..=10 {
            assert_eq!(
                found(&list, id),
                if ids.contains(&id) { vec![id] } else { vec![] },
                "{id} of {ids:?}"
            );
        }
    }
}

#[derive(PartialEq)]
struct Room {
    id: i64,
    is_free: Option<bool>,
    serial: Option<i64>,
}

/// Fails if numbers are truncated to 32 bits, or if a missing value counts as `false` or 0.
#[test]
fn booleans_and_numbers_of_64_bits_are_compared_and_sorted_by() {
    let fields = [
        Field::id("id", |room: &Room| room.id),
        Field::boolean("isFree", |room: &Room| room.is_free)
            .nullable()
            .filter(Parameter::new("isFree", "Free ones."))
            .sort("FREE"),
        Field::long("serial", |room: &Room| room.serial)
            .nullable()
            .filter(Parameter::new("serial", "By serial."))
            .sort("SERIAL"),
    ];
    let rooms = Resource::new(
        "rooms",
        "/v1/rooms",
        ApiScope::STUDENT_READ,
        Object::new("Room", "A room.", fields),
    );
    let entry = |id, is_free, serial| RecordChange {
        id,
        changed: 1,
        value: Some(Room {
            id,
            is_free,
            serial,
        }),
    };
    let first = [
        entry(1, Some(true), Some(7)),
        entry(2, Some(false), Some(7 - (1 << 32))),
        entry(3, None, Some(i64::MAX)),
        entry(4, Some(true), None),
        entry(5, Some(false), Some(0)),
    ];
    let first = IndexedList::new(Arc::new(rooms)).with_changes(first.into_iter());
    let found = |list: &IndexedList<Room>, parameters: Parameters<'_>| {
        page(list, parameters)
            .values()
            .map(|room| room.id)
            .collect::<Vec<_>>()
    };
    let expectations: [(Parameters<'_>, &[i64]); 8] = [
        (&[("isFree", "TRUE")], &[1, 4]),
        (&[("isFree", "false")], &[2, 5]),
        (&[("serial", "7")], &[1]),
        (&[("serial", "9223372036854775807")], &[3]),
        (&[("serial", "0"), ("isFree", "true")], &[]),
        (&[("sortBy", "FREE")], &[2, 5, 1, 4, 3]),
        (
            &[("sortBy", "FREE"), ("sortDirection", "DESC")],
            &[4, 1, 5, 2, 3],
        ),
        (&[("sortBy", "SERIAL")], &[2, 5, 1, 3, 4]),
    ];
    for (parameters, expected) in expectations {
        assert_eq!(found(&first, parameters), expected, "{parameters:?}");
    }
    let second = first.with_changes(
        [
            entry(2, Some(true), Some(8)),
            RecordChange {
                id: 4,
                changed: 2,
                value: None,
            },
        ]
        .into_iter(),
    );
    assert_eq!(found(&second, &[("isFree", "true")]), [1, 2]);
    assert_eq!(
        found(&second, &[("sortBy", "SERIAL"), ("sortDirection", "DESC")]),
        [3, 2, 1, 5]
    );
    assert!(
        view(&second).query(&[("isFree", "1")]).is_err()
            && view(&second)
                .query(&[("serial", "9223372036854775808")])
                .is_err()
    );
}
