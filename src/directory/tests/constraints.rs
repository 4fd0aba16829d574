use std::sync::Arc;

use super::{
    block_on, clubs, lesson, membership, page, projects, rejection, sample_directory, snapshot,
    write,
};
use crate::directory::DirectoryChange::{
    PutClub, PutLesson, PutProject, PutStudent, RemoveClub, RemoveStudent,
};
use crate::directory::fixtures::{club, club_id, enrollment, member, project, student, student_id};
use crate::directory::{Directory, RejectionReason, WriteOutcome};
use crate::domain::{ClassNum, ClubType, Enrollment, EnrollmentStatus, Grade, Major, SeatNumber};
use crate::store::memory::MemoryStore;

#[test]
fn a_club_lists_its_members_in_id_order() {
    assert_eq!(
        membership(&sample_directory()),
        [(Some(1), vec![1]), (Some(1), vec![1, 2])]
    );
}

// Proves: spec 2.9
#[test]
fn a_student_who_stops_being_a_member_stops_being_leader() {
    let ends = [
        (
            PutStudent(student(1, "Kim", EnrollmentStatus::Graduate)),
            [(None, vec![]), (None, vec![2])],
        ),
        (
            PutStudent(student(1, "Kim", EnrollmentStatus::Withdrawn)),
            [(None, vec![]), (None, vec![2])],
        ),
        (
            RemoveStudent(student_id(1)),
            [(None, vec![]), (None, vec![2])],
        ),
        (
            PutStudent(member(1, Some(1), None)),
            [(Some(1), vec![1]), (None, vec![2])],
        ),
        (
            PutStudent(member(2, None, None)),
            [(Some(1), vec![1]), (Some(1), vec![1])],
        ),
    ];
    for (change, expected) in ends {
        let directory = sample_directory();
        write(&directory, vec![change.clone()]);
        assert_eq!(membership(&directory), expected, "{change:?}");
    }
}

#[test]
fn a_student_who_rejoins_a_club_is_not_leader_again() {
    let directory = sample_directory();
    write(
        &directory,
        vec![
            PutStudent(member(1, None, None)),
            PutStudent(member(1, Some(1), Some(2))),
        ],
    );
    assert_eq!(
        membership(&directory),
        [(None, vec![1]), (None, vec![1, 2])]
    );
}

#[test]
fn a_removed_student_leaves_their_projects_but_a_graduate_stays() {
    let directory = sample_directory();
    write(
        &directory,
        vec![
            PutStudent(student(1, "Kim", EnrollmentStatus::Graduate)),
            RemoveStudent(student_id(2)),
        ],
    );
    let participants: Vec<_> = projects(&snapshot(&directory)).items[0]
        .value()
        .participants
        .iter()
        .map(|participant| participant.id.get())
        .collect();
    assert_eq!(participants, [1]);
    assert_eq!(
        projects(&snapshot(&directory)).items[0]
            .value()
            .project
            .participants
            .len(),
        1
    );
}

#[test]
fn a_removed_club_leaves_its_members_and_projects_without_it() {
    let directory = sample_directory();
    write(&directory, vec![RemoveClub(club_id(1))]);
    assert_eq!(membership(&directory), [(Some(1), vec![1, 2])]);
    assert_eq!(projects(&snapshot(&directory)).items[0].value().club, None);
    write(
        &directory,
        vec![PutClub(club(1, ClubType::Autonomous, None))],
    );
    assert_eq!(
        membership(&directory)[0],
        (None, vec![]),
        "the new club has none of the removed club's members"
    );
}

#[test]
fn an_impossible_change_is_rejected_with_its_reason() {
    let other_kind = club(2, ClubType::Major, None);
    let wrong = [
        (
            PutStudent(member(3, Some(9), None)),
            RejectionReason::UnknownClub(club_id(9)),
        ),
        (
            PutStudent(member(3, Some(2), None)),
            RejectionReason::WrongClubType(club_id(2)),
        ),
        (
            PutStudent(member(3, None, Some(1))),
            RejectionReason::WrongClubType(club_id(1)),
        ),
        (
            PutClub(club(1, ClubType::Major, Some(2))),
            RejectionReason::LeaderIsNotMember(student_id(2)),
        ),
        (
            PutClub(club(1, ClubType::Major, Some(9))),
            RejectionReason::UnknownStudent(student_id(9)),
        ),
        (
            PutClub(club(3, ClubType::Major, Some(1))),
            RejectionReason::LeaderIsNotMember(student_id(1)),
        ),
        (
            PutClub(other_kind),
            RejectionReason::ClubHasMembers(club_id(2)),
        ),
        (
            PutProject(project(2, Some(9), &[])),
            RejectionReason::UnknownClub(club_id(9)),
        ),
        (
            PutProject(project(2, None, &[1, 9])),
            RejectionReason::UnknownStudent(student_id(9)),
        ),
    ];
    for (change, expected) in wrong {
        assert_eq!(rejection(&sample_directory(), vec![change]), (0, expected));
    }
}

/// Fails if a record written by a process with wider bounds cannot be written again, or if a change
/// of another field is let through.
#[test]
fn a_value_outside_the_schools_bounds_is_rejected_unless_the_record_had_it() {
    let store = Arc::new(MemoryStore::new());
    let narrow = block_on(Directory::open(store.clone())).unwrap();
    let law: Major = "LAW".parse().unwrap();
    let wide = Directory::builder(store)
        .grades(1..=12)
        .classes(1..=99)
        .seat_numbers(1..=99)
        .majors([Major::AI, law.clone()]);
    let wide = block_on(wide.open()).unwrap();
    let seat = |grade, class_num, number| {
        let (grade, class_num, number) = (
            Grade::new(grade),
            ClassNum::new(class_num),
            SeatNumber::new(number),
        );
        let seat = Enrollment {
            grade: grade.unwrap(),
            class_num: class_num.unwrap(),
            number: number.unwrap(),
            ..enrollment()
        };
        PutStudent(student(1, "Kim", EnrollmentStatus::Enrolled(seat)))
    };
    let field = |refused| match refused {
        (0, RejectionReason::OutOfBounds { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(rejection(&narrow, vec![seat(4, 1, 1)])), "grade");
    assert_eq!(field(rejection(&narrow, vec![seat(1, 5, 1)])), "classNum");
    assert_eq!(field(rejection(&narrow, vec![seat(1, 1, 19)])), "number");
    assert_eq!(
        field(rejection(
            &narrow,
            vec![PutLesson(lesson("a", "2026-03-02", 4, 1, 1))]
        )),
        "grade"
    );
    let lawyer = |id| {
        PutStudent(student(
            id,
            "Lee",
            EnrollmentStatus::Enrolled(Enrollment {
                major: law.clone(),
                ..enrollment()
            }),
        ))
    };
    assert_eq!(field(rejection(&narrow, vec![lawyer(2)])), "major");
    write(&wide, vec![lawyer(2)]);
    assert_eq!(
        page(snapshot(&wide).students(), &[("major", "LAW")]).total,
        1
    );
    assert!(
        snapshot(&narrow)
            .students()
            .query(&[("major", "LAW")])
            .is_err(),
        "a filter accepts only the school's majors"
    );
    write(
        &wide,
        vec![
            seat(4, 1, 19),
            PutLesson(lesson("a", "2026-03-02", 4, 1, 1)),
        ],
    );
    assert!(matches!(
        block_on(narrow.write(vec![seat(4, 2, 19)])).unwrap(),
        WriteOutcome::Written(_)
    ));
    assert_eq!(field(rejection(&narrow, vec![seat(5, 2, 19)])), "grade");
    assert!(matches!(
        block_on(narrow.write(vec![PutLesson(lesson("a", "2026-03-03", 4, 1, 1))])).unwrap(),
        WriteOutcome::Written(_)
    ));
    for bounds in [std::ops::RangeInclusive::new(3, 1), 0..=3, 1..=13] {
        assert!(
            block_on(
                Directory::builder(Arc::new(MemoryStore::new()))
                    .grades(bounds)
                    .open()
            )
            .is_err()
        );
    }
}

#[test]
fn a_club_without_members_may_change_its_kind() {
    let directory = sample_directory();
    write(
        &directory,
        vec![
            PutStudent(member(1, None, None)),
            PutClub(club(1, ClubType::Autonomous, None)),
        ],
    );
    assert_eq!(
        clubs(&snapshot(&directory)).items[0].value().club.kind,
        ClubType::Autonomous
    );
}

/// Fails if `/userinfo` could find two students by one address, or if two students cannot exchange
/// theirs.
#[test]
fn no_student_gets_the_address_of_another_one() {
    let directory = sample_directory();
    let with_email = |id: i64, email: &str| {
        let mut student = member(id, None, Some(2));
        student.email = email.parse().unwrap();
        PutStudent(student)
    };
    let taken = with_email(2, "S1@school.example");
    assert_eq!(
        rejection(&directory, vec![taken.clone()]),
        (0, RejectionReason::EmailTaken(student_id(1)))
    );
    assert_eq!(
        rejection(
            &directory,
            vec![
                with_email(7, "new@school.example"),
                with_email(8, "NEW@school.example")
            ]
        ),
        (1, RejectionReason::EmailTaken(student_id(7)))
    );
    write(
        &directory,
        vec![taken.clone(), with_email(1, "s2@school.example")],
    );
    write(
        &directory,
        vec![
            RemoveStudent(student_id(1)),
            with_email(3, "s2@school.example"),
        ],
    );
    assert_eq!(
        rejection(&directory, vec![with_email(3, "s1@school.example"), taken]).1,
        RejectionReason::EmailTaken(student_id(2))
    );
}
