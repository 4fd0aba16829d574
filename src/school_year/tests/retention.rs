use super::*;

#[test]
fn a_student_who_leaves_during_the_year_is_in_the_history_too() {
    let school = School::new();
    school.clock.set(noon("2026-10-05"));
    let withdrawn = Student {
        enrollment_status: EnrollmentStatus::Withdrawn,
        ..school.student(2)
    };
    school.write(vec![
        withdrawn.clone().into(),
        DirectoryChange::RemoveStudent(school.student(3).id),
    ]);
    let shown = || -> Vec<_> {
        let history = school.history();
        let entry = |entry: &HistoryEntry| (entry.student.get(), entry.year.get(), entry.end);
        history.iter().map(entry).collect()
    };
    let left = [
        (3, 2026, EnrollmentEnd::Removed),
        (2, 2026, EnrollmentEnd::Withdrawn),
    ];
    assert_eq!(shown(), left);
    // Who has left is removed without another entry.
    school.write(vec![DirectoryChange::RemoveStudent(withdrawn.id)]);
    assert_eq!(shown(), left);
    // After an early turn the classes are those of the next year.
    school.clock.set(noon("2027-02-01"));
    school.import(RecordKind::Students, STUDENTS);
    school.turn(&YearTurn::new());
    let gone = school.student(5).id;
    school.write(vec![DirectoryChange::RemoveStudent(gone)]);
    assert_eq!(shown()[0], (5, 2027, EnrollmentEnd::Removed));
}

// Proves: threats 47
#[test]
fn former_students_and_their_history_are_removed_after_their_years() {
    let school = School::new();
    // Nobody knows since when this one has left.
    school.import(
        RecordKind::Students,
        "name,sex,email,role\n옛날,MAN,old@school.example,GRADUATE\n",
    );
    school.turn(&YearTurn::new());
    let retention = HistoryRetention {
        leavers: Some(2),
        history: Some(1),
    };
    let apply = |day| {
        school.clock.set(noon(day));
        block_on(retention.apply(&school.directory, school.now())).unwrap()
    };
    let removed = |students, entries| RemovedHistory { students, entries };
    assert_eq!(apply("2027-02-08"), removed(0, 0), "the turn can be undone");
    assert_eq!(apply("2029-02-28"), removed(0, 0), "what undoes the turn");
    let turned = block_on(school.store.year_turns(1)).unwrap()[0].version;
    let turned = block_on(school.store.turned_records(turned)).unwrap();
    assert_eq!(turned, crate::store::TurnedRecords::default());
    assert_eq!(school.history().len(), 3);
    assert_eq!(school.student(1).role(), StudentRole::Graduate);
    assert_eq!(apply("2029-03-01"), removed(1, 3));
    let snapshot = block_on(school.directory.snapshot()).unwrap();
    let ids: Vec<i64> = snapshot
        .students()
        .iter()
        .map(|profile| profile.student.id.get())
        .collect();
    assert_eq!(ids, [2, 3, 4]);
    assert_eq!(school.history(), []);
    assert_eq!(apply("2029-03-02"), removed(0, 0));
    school.turn(&YearTurn::new());
    school.clock.set(noon("2099-03-01"));
    for history in [None, Some(5)] {
        // Former students are kept for ever, and so is the history that says since when they are.
        let leavers = None;
        let for_ever = HistoryRetention { leavers, history };
        let kept = block_on(for_ever.apply(&school.directory, school.now())).unwrap();
        assert_eq!(kept, removed(0, 0));
        assert_eq!(school.history().len(), 2);
    }
}

#[test]
fn the_history_stays_while_former_students_remain_who_are_beyond_their_time() {
    let school = School::empty();
    school.clock.set(noon("2026-10-05"));
    school.import(RecordKind::Students, STUDENTS);
    let student = |number: i64| Student {
        id: crate::domain::StudentId::new(number).unwrap(),
        email: format!("student{number}@school.example").parse().unwrap(),
        ..school.student(3)
    };
    let enrolled: Vec<Student> = (1..=1001).map(student).collect();
    school.write(enrolled.iter().cloned().map(Into::into).collect());
    let left = |student: Student| Student {
        enrollment_status: EnrollmentStatus::Withdrawn,
        ..student
    };
    school.write(enrolled.into_iter().map(left).map(Into::into).collect());
    school.clock.set(noon("2029-03-01"));
    let retention = HistoryRetention {
        leavers: Some(2),
        history: Some(2),
    };
    let removed = |students, entries| RemovedHistory { students, entries };
    let apply = || block_on(retention.apply(&school.directory, school.now())).unwrap();
    assert_eq!(apply(), removed(1000, 0));
    assert_eq!(apply(), removed(1, 1001));
}
