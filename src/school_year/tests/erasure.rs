use super::*;

// Proves: threats 47
#[test]
fn one_person_is_erased_from_the_school_its_history_and_the_undo() {
    let school = School::new();
    school.import(
        RecordKind::Projects,
        "name,description,startYear,participants\n별,,2026,\"haneul@school.example, bada@school.example\"\n",
    );
    school.turn(&YearTurn::new());
    let id = school.student(1).id;
    let erase = || {
        let by = SubjectId::service();
        block_on(erase_student(&school.directory, id, by, school.now())).unwrap()
    };
    let erased = erase();
    assert!(erased.had_record);
    assert_eq!((erased.erasure.student, erased.erasure.entries), (id, 1));
    let everything = format!("{:?} {:?}", school.exported(), school.history());
    assert!(!everything.contains("김하늘") && !everything.contains("haneul"));
    // The turn can still be undone, without this student.
    school.clock.advance(Duration::from_secs(60));
    let undone = school.undo();
    assert_eq!((undone.restored(), undone.conflicts()), (2, &[][..]));
    let everything = format!("{:?} {:?}", school.exported(), school.history());
    assert!(!everything.contains("김하늘") && !everything.contains("haneul"));
    let again = erase();
    assert_eq!((again.had_record, again.erasure.entries), (false, 0));
    let erasures = block_on(school.store.erasures(PageRequest::LARGEST)).unwrap();
    assert_eq!(erasures.total, 2);
}
