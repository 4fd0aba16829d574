use super::*;

#[test]
fn the_last_grade_graduates_and_the_others_go_to_the_next() {
    let school = School::new();
    let plan = school.turn(&YearTurn::new());
    assert_eq!(
        (
            plan.year().get(),
            plan.graduated(),
            plan.moved(),
            plan.added()
        ),
        (2026, 1, 2, 0)
    );
    assert_eq!(
        plan.to_string(),
        "\
- 1 김하늘 (3307) graduates
~ 3 박산: 1101 → 2101
~ 2 이바다: 2308 → 3308
~ club 반딧불 has no leader then
school year 2026: 1 graduate, 2 go up, 0 repeat, 0 new, 0 conflicts"
    );
    assert_eq!(school.student(1).role(), StudentRole::Graduate);
    let moved = school.student(2);
    let moved = moved.enrollment().unwrap();
    assert_eq!(moved.student_number(), 3308);
    assert_eq!(moved.role, EnrolledRole::StudentCouncil);
    assert!(moved.major_club.is_some() && moved.autonomous_club.is_some());
}

#[test]
fn the_history_has_the_class_and_the_clubs_of_everybody_who_was_enrolled() {
    let school = School::new();
    school.turn(&YearTurn::new());
    let history = school.history();
    let shown: Vec<_> = history
        .iter()
        .map(|entry| {
            let clubs: Vec<_> = entry.clubs.iter().map(|club| club.as_str()).collect();
            let class = (entry.year.get(), entry.grade.get(), entry.class_num.get());
            (entry.name.as_str(), class, clubs.join(" "), entry.end)
        })
        .collect();
    let clubs = "반딧불 돋움".to_owned();
    assert_eq!(
        shown,
        [
            ("박산", (2026, 1, 1), String::new(), EnrollmentEnd::YearEnd),
            (
                "이바다",
                (2026, 2, 3),
                clubs.clone(),
                EnrollmentEnd::YearEnd
            ),
            ("김하늘", (2026, 3, 3), clubs, EnrollmentEnd::Graduated),
        ]
    );
}

#[test]
fn a_year_is_turned_once_unless_it_is_asked_for_again() {
    let school = School::new();
    school.turn(&YearTurn::new());
    let plan = school.plan(&YearTurn::new());
    assert_eq!(
        plan.obstacle(),
        Some(YearObstacle::AlreadyTurned(plan.year()))
    );
    let earlier = YearTurn::new().year(Year::new(2025).unwrap());
    assert!(school.plan(&earlier).obstacle().is_some());
    let next = YearTurn::new().year(plan.year().next());
    let next = block_on(next.plan(&school.directory, noon("2027-03-02"))).unwrap();
    assert_eq!(next.obstacle(), None);
    let again = school.turn(&YearTurn::new().again());
    assert_eq!((again.graduated(), again.moved()), (1, 1));
}

#[test]
fn a_file_of_classes_moves_everybody_who_stays_and_lets_repeat() {
    let school = School::new();
    let classes = "이메일,학번,전공\nhaneul@school.example,3307,AI\nbada@school.example,3101,AI\nsan@school.example,2205,AI\n";
    let plan = school.turn(&YearTurn::new().classes(classes, CSV));
    assert_eq!((plan.graduated(), plan.moved()), (0, 2));
    assert_eq!(
        plan.to_string(),
        "\
~ 3 박산: 1101 → 2205; major SMART_IOT → AI
~ 2 이바다: 2308 → 3101
= 1 김하늘: 3307 → 3307 repeats the grade
school year 2026: 0 graduate, 2 go up, 1 repeat, 0 new, 0 conflicts"
    );
    let numbers = [1, 2, 3].map(|id| school.student(id).enrollment().unwrap().student_number());
    assert_eq!(numbers, [3307, 3101, 2205]);
    assert_eq!(school.history().len(), 3);
    let before = school.exported();
    school.undo();
    assert_ne!(school.exported(), before);
    let major = school.student(3).enrollment().unwrap().major.clone();
    assert_eq!(major.as_str(), "SMART_IOT");
}

// Proves: threats 46
#[test]
fn conflicts_are_shown_and_stop_the_turn() {
    let school = School::new();
    school.import(
        RecordKind::Students,
        "name,sex,email,role\n졸업,MAN,old@school.example,GRADUATE\n",
    );
    let classes = "id,name,classNum,grade,number,major,role
2,이파도,3,3,8,AI,
4,졸업,3,3,1,AI,GENERAL_STUDENT
";
    let first_years = "name,sex,email,grade,classNum,number,major
최별,WOMAN,byeol@school.example,2,3,8,AI
박산,MAN,san@school.example,1,1,1,AI
한솔,MAN,sol@school.example,1,9,1,AI
";
    let before = school.exported();
    let turn = YearTurn::new()
        .classes(classes, CSV)
        .first_years(first_years, CSV);
    let plan = school.plan(&turn);
    assert_eq!(
        texts(plan.conflicts()),
        [
            "file of first-years, line 4, classNum: must be a whole number from 1 to 4",
            "student 2 has another name, sex, e-mail address, specialty or GitHub name in the file of classes: import that on its own",
            "student 3 stays and is not in the file of classes",
            "student 3 of the file of first-years has a record already",
            "student 4 of the file of classes is not enrolled",
            "student 5 of the file of first-years is not in grade 1",
        ]
    );
    assert_eq!(plan.obstacle(), Some(YearObstacle::Conflicts(6)));
    let outcome = plan.apply(&school.directory, SubjectId::service(), school.now());
    assert!(matches!(
        block_on(outcome).unwrap(),
        YearOutcome::Obstructed(_)
    ));
    assert_eq!(school.exported(), before);
    assert_eq!(school.history(), []);

    // The last grade graduates by itself, and nobody else does with a file of classes.
    let leaving = "id,role\n1,GRADUATE\n2,WITHDRAWN\n3,GENERAL_STUDENT\n";
    let plan = school.plan(&YearTurn::new().classes(leaving, CSV));
    let reason = "leaves the school in the file of classes: leave out a graduate of the last grade, import the others on their own";
    assert_eq!(
        texts(plan.conflicts()),
        [1, 2].map(|student| format!("student {student} {reason}"))
    );

    // Two students with one number.
    let first_years = "name,sex,email,grade,classNum,number,major
최별,WOMAN,byeol@school.example,1,1,1,AI
한솔,MAN,sol@school.example,1,1,1,AI
";
    let plan = school.plan(&YearTurn::new().first_years(first_years, CSV));
    assert_eq!(
        texts(plan.conflicts()),
        ["student 6 would have the number 1101, as student 5"]
    );
}

#[test]
fn a_plan_is_applied_to_the_school_that_it_was_made_for() {
    let school = School::new();
    let plan = school.plan(&YearTurn::new());
    assert_eq!(plan.code(), school.plan(&YearTurn::new()).code());
    let other = YearTurn::new().year(Year::new(2025).unwrap());
    assert_ne!(plan.code(), school.plan(&other).code());
    school.import(RecordKind::Students, "id,name\n2,이파도\n");
    assert_ne!(plan.code(), school.plan(&YearTurn::new()).code());
    let outcome = plan.apply(&school.directory, SubjectId::service(), school.now());
    assert_eq!(block_on(outcome).unwrap(), YearOutcome::Outdated);
    assert_eq!(school.history(), []);
    let debug = format!("{plan:?}");
    assert!(!debug.contains("김하늘"), "{debug}");
}

#[test]
fn a_directory_without_a_history_is_not_turned() {
    let directory = block_on(Directory::open(Arc::new(MemoryStore::new()))).unwrap();
    let at = noon("2027-02-08");
    let plan = block_on(YearTurn::new().plan(&directory, at));
    assert!(matches!(plan, Err(YearError::NoHistory)), "{plan:?}");
    let plan = block_on(YearUndo::plan(&directory, at));
    assert!(matches!(plan, Err(YearError::NoHistory)), "{plan:?}");
}
