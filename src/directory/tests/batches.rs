use std::ptr;
use std::sync::Arc;

use super::{
    block_on, clubs, empty_directory, meal, observed_state, projects, rejection, sample_directory,
    snapshot, version_number, write,
};
use crate::directory::DirectoryChange::{
    PutClub, PutMeal, PutProject, PutStudent, RemoveClub, RemoveEvent, RemoveLesson, RemoveMeal,
    RemoveProject, RemoveStudent,
};
use crate::directory::fixtures::{club, club_id, member, project, student, student_id};
use crate::directory::{Directory, RejectionReason, TooManyRecords, WriteOutcome};
use crate::domain::{Club, ClubType, EnrollmentStatus, MealType, ProjectId};
use crate::store::memory::MemoryStore;

/// Fails if a batch that is too long is applied first, or if the longest allowed one is refused.
#[test]
fn a_batch_that_is_too_long_is_refused_before_it_is_planned() {
    let directory = sample_directory();
    let mut batch = vec![RemoveStudent(student_id(1)); Directory::MAX_CHANGES + 1];
    batch[0] = PutStudent(member(3, Some(9), None));
    assert_eq!(
        rejection(&directory, batch.clone()),
        (10_000, RejectionReason::TooManyChanges)
    );
    batch.remove(0);
    write(&directory, batch);
}

/// Fails if the limit is off by one, or if removed records count.
#[test]
fn a_directory_with_more_records_than_its_limit_is_not_opened() {
    let store = Arc::new(MemoryStore::new());
    let open = |max| block_on(Directory::builder(store.clone()).max_records(max).open());
    write(&open(1).unwrap(), vec![PutStudent(member(1, None, None))]);
    write(
        &open(2).unwrap(),
        vec![
            PutStudent(member(2, None, None)),
            PutStudent(member(3, None, None)),
            RemoveStudent(student_id(1)),
        ],
    );
    let error = open(1).unwrap_err();
    let reason = std::error::Error::source(&error)
        .unwrap()
        .downcast_ref::<TooManyRecords>();
    assert_eq!(
        (reason, error.is_unavailable()),
        (Some(&TooManyRecords { records: 2, max: 1 }), false)
    );
    assert!(open(2).is_ok());
}

/// Fails if a write within the limit is refused, or if no write is possible once there are too many
/// records.
#[test]
fn a_write_that_grows_the_directory_past_its_limit_is_refused_and_one_that_does_not_is_made() {
    let store = Arc::new(MemoryStore::new());
    let limited = block_on(Directory::builder(store.clone()).max_records(2).open()).unwrap();
    write(
        &limited,
        vec![
            PutStudent(member(1, None, None)),
            PutClub(club(1, ClubType::Major, None)),
        ],
    );
    let grown = vec![
        PutStudent(member(1, Some(1), None)),
        PutStudent(member(2, None, None)),
    ];
    assert_eq!(
        rejection(&limited, grown),
        (
            1,
            RejectionReason::TooManyRecords(TooManyRecords { records: 3, max: 2 })
        )
    );
    write(
        &limited,
        vec![PutStudent(member(2, None, None)), RemoveClub(club_id(1))],
    );
    // Writes of other processes are loaded regardless of the limit.
    let other = block_on(Directory::open(store)).unwrap();
    write(
        &other,
        vec![
            PutStudent(member(3, None, None)),
            PutStudent(member(4, None, None)),
        ],
    );
    assert!(matches!(
        block_on(limited.write(vec![
            RemoveStudent(student_id(3)),
            RemoveStudent(student_id(9))
        ])),
        Ok(WriteOutcome::Written(_))
    ));
    assert_eq!(snapshot(&limited).record_count(), 3);
}

#[test]
fn a_refused_batch_changes_nothing_at_all() {
    let directory = sample_directory();
    let (before_number, before) = (version_number(&directory), observed_state(&directory));
    let batch = vec![
        RemoveStudent(student_id(1)),
        PutStudent(student(2, "Someone else", EnrollmentStatus::Graduate)),
        PutStudent(student(7, "New", EnrollmentStatus::Graduate)),
        PutStudent(student(7, "Newer", EnrollmentStatus::Withdrawn)),
        RemoveClub(club_id(1)),
        RemoveProject(ProjectId::new(1).unwrap()),
        PutMeal(meal("2026-03-02", MealType::Lunch)),
        PutClub(club(2, ClubType::Autonomous, Some(2))),
    ];
    assert_eq!(
        rejection(&directory, batch),
        (7, RejectionReason::LeaderIsNotMember(student_id(2)))
    );
    assert_eq!(version_number(&directory), before_number);
    assert_eq!(observed_state(&directory), before);
    assert_eq!(
        block_on(directory.write(vec![])).unwrap(),
        WriteOutcome::Written(snapshot(&directory).version())
    );
    assert_eq!(
        observed_state(&directory),
        before,
        "a later write does not apply the refused one"
    );
}

#[test]
fn removing_an_absent_record_is_no_error() {
    let directory = sample_directory();
    let before = observed_state(&directory);
    let nothing = || String::from("nothing");
    let changes = vec![
        RemoveStudent(student_id(9)),
        RemoveClub(club_id(9)),
        RemoveProject(ProjectId::new(9).unwrap()),
        RemoveMeal(nothing()),
        RemoveEvent(nothing()),
        RemoveLesson(nothing()),
    ];
    assert!(matches!(
        block_on(directory.write(changes)).unwrap(),
        WriteOutcome::Written(_)
    ));
    assert_eq!(observed_state(&directory), before);
}

#[test]
fn only_records_whose_profile_changes_are_replaced() {
    let directory = sample_directory();
    let before = snapshot(&directory);
    write(
        &directory,
        vec![
            PutStudent(student(3, "New", EnrollmentStatus::Graduate)),
            PutStudent(member(2, None, None)),
        ],
    );
    let after = snapshot(&directory);
    assert!(ptr::eq(clubs(&before).items[0], clubs(&after).items[0]));
    assert!(
        !ptr::eq(clubs(&before).items[1], clubs(&after).items[1]),
        "the club lost a member"
    );
    assert!(ptr::eq(
        projects(&before).items[0],
        projects(&after).items[0]
    ));
    write(
        &directory,
        vec![PutClub(Club {
            name: "Renamed".parse().unwrap(),
            ..club(1, ClubType::Major, Some(1))
        })],
    );
    assert_eq!(
        projects(&snapshot(&directory)).items[0]
            .value()
            .club
            .as_ref()
            .unwrap()
            .name
            .as_str(),
        "Renamed"
    );
}

#[test]
fn a_batch_without_effect_creates_no_version() {
    let directory = sample_directory();
    let before = snapshot(&directory);
    for batch in [
        vec![
            PutStudent(member(1, Some(1), Some(2))),
            PutProject(project(1, Some(1), &[1, 2])),
        ],
        vec![
            PutStudent(student(7, "New", EnrollmentStatus::Graduate)),
            RemoveStudent(student_id(7)),
        ],
        vec![RemoveStudent(student_id(9))],
    ] {
        assert_eq!(
            block_on(directory.write(batch)).unwrap(),
            WriteOutcome::Written(before.version())
        );
        assert!(Arc::ptr_eq(&before, &snapshot(&directory)));
    }
}

#[test]
fn readers_see_whole_batches_and_every_write_that_has_returned() {
    let directory = empty_directory();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for id in (1..100).step_by(2) {
                write(
                    &directory,
                    vec![
                        PutClub(club(id, ClubType::Major, None)),
                        PutClub(club(id + 1, ClubType::Major, None)),
                    ],
                );
            }
        });
        for _ in 0..3 {
            threads.spawn(|| {
                let mut seen = 0;
                for _ in 0..100 {
                    let (number, total) = (
                        version_number(&directory),
                        clubs(&snapshot(&directory)).total,
                    );
                    assert!(
                        total % 2 == 0 && total >= number * 2 && total >= seen,
                        "{total} clubs after {seen} in version {number}"
                    );
                    seen = total;
                }
            });
        }
    });
}

/// Fails if a conditional write is made over what another process wrote, or is not made at all.
#[test]
fn a_conditional_write_is_made_at_its_version_only() {
    let store = Arc::new(MemoryStore::new());
    let [one, other] = [(); 2].map(|()| block_on(Directory::open(store.clone())).unwrap());
    let put = |id| vec![PutStudent(member(id, None, None))];
    let first = snapshot(&one).version();
    write(&other, put(1));
    let second = snapshot(&other).version();
    assert_eq!(
        block_on(one.write_if(first, put(2))).unwrap(),
        WriteOutcome::Contended
    );
    assert_eq!(
        block_on(other.write_if(first, put(2))).unwrap(),
        WriteOutcome::Contended
    );
    // The version of the other process's write is not loaded yet.
    let WriteOutcome::Written(third) = block_on(other.write_if(second, put(2))).unwrap() else {
        panic!("it is not written");
    };
    let outcome = block_on(one.write_if(third, put(3))).unwrap();
    assert!(matches!(outcome, WriteOutcome::Written(version) if version.number == 3));
    assert_eq!(snapshot(&one).students().len(), 3);
}
