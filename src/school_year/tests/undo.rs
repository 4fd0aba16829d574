use super::*;

// Proves: threats 46
#[test]
fn a_turn_that_is_undone_leaves_the_school_and_its_history_as_they_were() {
    let school = School::new();
    let before = school.exported();
    let first_years = "이름,성별,이메일,학번,전공\n최별,여,byeol@school.example,1101,AI\n";
    let turn = YearTurn::new()
        .first_years(first_years, CSV)
        .reset_offices();
    let plan = school.turn(&turn);
    assert_eq!(plan.added(), 1);
    let shown = plan.to_string();
    for part in [
        "2308 → 3308; role STUDENT_COUNCIL → GENERAL_STUDENT",
        "+ 4 최별: 1101; sex WOMAN; email byeol@school.example;",
        "; major AI",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let role = school.student(2).enrollment().unwrap().role;
    assert_eq!(role, EnrolledRole::GeneralStudent);
    assert_ne!(school.exported(), before);
    school.clock.advance(UNDO_PERIOD - Duration::from_secs(1));
    let undone = school.undo();
    assert_eq!((undone.restored(), undone.removed()), (3, 1));
    let shown = undone.to_string();
    for part in [
        "~ 1 김하늘: role GRADUATE → STUDENT_COUNCIL",
        "~ 2 이바다: role GENERAL_STUDENT → STUDENT_COUNCIL; grade 3 → 2",
        "- 4 최별\n",
        "~ clubs 1 반딧불: leader.id (none) → 1",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(texts(undone.conflicts()), Vec::<String>::new());
    assert_eq!(school.exported(), before);
    assert_eq!(school.history(), []);
    let again = block_on(YearUndo::plan(&school.directory, school.now()));
    assert!(matches!(again, Err(YearError::NothingToUndo)), "{again:?}");
    // The year can be turned again.
    school.turn(&turn);
}

// Proves: threats 46
#[test]
fn random_schools_are_the_same_after_a_turn_and_its_undo() {
    for seed in 0..4 {
        let school = School::empty();
        let sample = crate::sample_data::SampleSchool::new(seed, "2027-02-08".parse().unwrap());
        let changes = sample.changes().into_iter().filter(|change| {
            matches!(
                change,
                DirectoryChange::PutStudent(_)
                    | DirectoryChange::PutClub(_)
                    | DirectoryChange::PutProject(_)
            )
        });
        school.write(changes.collect());
        let before = school.exported();
        let turn = YearTurn::new().reset_offices();
        let plan = school.plan(&turn);
        assert_eq!(texts(plan.conflicts()), Vec::<String>::new(), "{seed}");
        school.turn(&turn);
        assert_ne!(school.exported(), before, "{seed}");
        school.undo();
        assert_eq!(school.exported(), before, "{seed}");
    }
}

// Proves: threats 46
#[test]
fn an_undo_leaves_alone_what_has_changed_since_and_shows_it() {
    let school = School::new();
    let first_years = "name,sex,email,grade,classNum,number,major
최별,WOMAN,byeol@school.example,1,1,1,AI
한솔,MAN,sol@school.example,1,1,2,AI
";
    school.turn(&YearTurn::new().first_years(first_years, CSV));
    // A class, a name, a new student, and a leader.
    school.import(RecordKind::Students, "id,classNum\n3,2\n");
    school.import(RecordKind::Students, "id,name\n2,이파도\n");
    school.import(RecordKind::Students, "id,number\n4,9\n");
    school.import(RecordKind::Clubs, "id,leader.id\n1,2\n");
    let plan = school.undo();
    assert_eq!((plan.restored(), plan.removed()), (2, 1));
    // Who keeps the class of the next year keeps the history of the last.
    let history: Vec<i64> = school.history().iter().map(|it| it.student.get()).collect();
    assert_eq!(history, [3]);
    assert_eq!(
        texts(plan.conflicts()),
        [
            "student 3 has another class, number, club, room or office since the turn: the record stays",
            "student 4 came with the turn and has changed since: the record stays",
            "student 1 does not lead club 1 again",
        ]
    );
    assert_eq!(
        school.student(3).enrollment().unwrap().student_number(),
        2201
    );
    assert_eq!(school.student(2).name.as_str(), "이파도");
    assert_eq!(
        school.student(2).enrollment().unwrap().student_number(),
        2308
    );
    assert_eq!(
        school.student(1).enrollment().unwrap().student_number(),
        3307
    );
    assert_eq!(
        school.student(4).enrollment().unwrap().student_number(),
        1109
    );
}

#[test]
fn turns_of_one_day_are_undone_one_after_the_other() {
    let school = School::new();
    let before = school.exported();
    let year = Year::new(2025).unwrap();
    let first = school.turn(&YearTurn::new().year(year));
    let between = school.exported();
    school.turn(&YearTurn::new());
    assert_eq!(school.undo().year(), first.year().next());
    assert_eq!(school.exported(), between);
    assert_eq!(school.undo().year(), first.year());
    assert_eq!(school.exported(), before);
    assert_eq!(school.history(), []);
}

#[test]
fn an_undo_gives_no_number_to_two_students() {
    let school = School::new();
    school.turn(&YearTurn::new());
    let new = "name,sex,email,grade,classNum,number,major\n한솔,MAN,sol@school.example,2,3,8,AI\n";
    school.import(RecordKind::Students, new);
    let plan = school.undo();
    assert_eq!(
        texts(plan.conflicts()),
        ["student 2 would have the number 2308, as student 4: the record stays"]
    );
    assert_eq!((plan.restored(), plan.removed()), (2, 0));
    let moved = school.student(2);
    assert_eq!(moved.enrollment().unwrap().student_number(), 3308);
    let history: Vec<i64> = school.history().iter().map(|it| it.student.get()).collect();
    assert_eq!(history, [2]);
}

#[test]
fn an_undo_leaves_alone_what_a_rule_of_the_school_forbids() {
    let school = School::new();
    school.turn(&YearTurn::new());
    // The school has two grades now: the graduate cannot come back to the third.
    let builder = Directory::builder_with_history(school.store.clone())
        .clock(Arc::new(school.clock.clone()))
        .grades(1..=2);
    let directory = block_on(builder.open()).unwrap();
    let plan = block_on(YearUndo::plan(&directory, school.now())).unwrap();
    assert_eq!(plan.restored(), 2);
    let conflicts = texts(plan.conflicts());
    let starts = [
        "student 1 stays as it is because of a rule of the school: ",
        "student 1 does not lead club 1 again",
    ];
    assert_eq!(conflicts.len(), 2, "{conflicts:?}");
    for (conflict, start) in conflicts.iter().zip(starts) {
        assert!(conflict.starts_with(start), "{conflict}");
    }
    let outcome = plan.apply(&directory, SubjectId::service(), school.now());
    let outcome = block_on(outcome).unwrap();
    assert!(matches!(outcome, YearOutcome::Applied(_)), "{outcome:?}");
}

#[test]
fn a_turn_is_undone_for_a_day_and_no_longer() {
    let school = School::new();
    school.turn(&YearTurn::new());
    let plan = block_on(YearUndo::plan(&school.directory, school.now())).unwrap();
    school.clock.advance(UNDO_PERIOD);
    let late = block_on(YearUndo::plan(&school.directory, school.now()));
    assert!(matches!(late, Err(YearError::NothingToUndo)), "{late:?}");
    let outcome = plan.apply(&school.directory, SubjectId::service(), school.now());
    assert_eq!(
        block_on(outcome).unwrap(),
        YearOutcome::Obstructed(YearObstacle::TooLate)
    );
}
