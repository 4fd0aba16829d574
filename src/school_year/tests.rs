use std::sync::Arc;

use super::*;
use crate::directory::{DirectoryChange, ListView, WriteOutcome};
use crate::domain::{
    EnrolledRole, EnrollmentEnd, EnrollmentStatus, HistoryEntry, PageRequest, RecordKind, Student,
    StudentProfile, StudentRole, SubjectId,
};
use crate::import::{ApplyOutcome, Export, Import};
use crate::store::memory::MemoryStore;
use crate::store::{HistoryFilter, SchoolHistoryStore};
use crate::testing::ManualClock;

const STUDENTS: &str = "\
id,name,sex,email,grade,classNum,number,major,dormitoryRoom,role
,김하늘,WOMAN,haneul@school.example,3,3,7,AI,415,STUDENT_COUNCIL
,이바다,MAN,bada@school.example,2,3,8,AI,,STUDENT_COUNCIL
,박산,MAN,san@school.example,1,1,1,SMART_IOT,,
";

const CLUBS: &str = "\
name,type,foundedYear,leader.email,participants
반딧불,MAJOR_CLUB,2021,haneul@school.example,bada@school.example
돋움,AUTONOMOUS_CLUB,2022,bada@school.example,haneul@school.example
";

const CSV: FileFormat = FileFormat::Csv;

/// A school of three grades, with the store of its history and a clock.
struct School {
    store: Arc<MemoryStore>,
    directory: Directory,
    clock: ManualClock,
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

/// Noon in Korea.
fn noon(day: &str) -> Timestamp {
    let day: jiff::civil::Date = day.parse().unwrap();
    let noon = day.at(3, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC);
    Timestamp::from_seconds(noon.unwrap().timestamp().as_second())
}

impl School {
    fn new() -> Self {
        let school = Self::empty();
        school.import(RecordKind::Students, STUDENTS);
        school.import(RecordKind::Clubs, CLUBS);
        school
    }

    fn empty() -> Self {
        let clock = ManualClock::new(noon("2027-02-08"));
        let store = Arc::new(MemoryStore::new());
        let directory = Directory::builder_with_history(store.clone())
            .clock(Arc::new(clock.clone()))
            .open();
        Self {
            store,
            directory: block_on(directory).unwrap(),
            clock,
        }
    }

    fn now(&self) -> Timestamp {
        crate::clock::Clock::now(&self.clock)
    }

    fn import(&self, kind: RecordKind, file: &str) {
        let plan = block_on(Import::new(kind).partial().plan(&self.directory, file)).unwrap();
        let outcome = block_on(plan.apply(&self.directory)).unwrap();
        assert!(matches!(outcome, ApplyOutcome::Applied(_)), "{outcome:?}");
    }

    fn plan(&self, turn: &YearTurn) -> YearPlan {
        block_on(turn.plan(&self.directory, self.now())).unwrap()
    }

    fn turn(&self, turn: &YearTurn) -> YearPlan {
        let plan = self.plan(turn);
        let outcome = plan.apply(&self.directory, SubjectId::service(), self.now());
        let outcome = block_on(outcome).unwrap();
        assert!(matches!(outcome, YearOutcome::Applied(_)), "{outcome:?}");
        plan
    }

    fn undo(&self) -> YearUndoPlan {
        let plan = block_on(YearUndo::plan(&self.directory, self.now())).unwrap();
        let outcome = plan.apply(&self.directory, SubjectId::service(), self.now());
        let outcome = block_on(outcome).unwrap();
        assert!(matches!(outcome, YearOutcome::Applied(_)), "{outcome:?}");
        plan
    }

    fn exported(&self) -> Vec<String> {
        let export = |kind| {
            let file = block_on(Export::new(kind).write(&self.directory)).unwrap();
            String::from_utf8(file).unwrap()
        };
        RecordKind::ALL.iter().copied().map(export).collect()
    }

    fn history(&self) -> Vec<HistoryEntry> {
        let page = (HistoryFilter::default(), PageRequest::LARGEST);
        block_on(self.store.school_history(page.0, page.1))
            .unwrap()
            .items
    }

    fn student(&self, id: i64) -> Student {
        let snapshot = block_on(self.directory.snapshot()).unwrap();
        let students: ListView<'_, StudentProfile> = snapshot.students();
        students.get(id).unwrap().student.clone()
    }

    fn write(&self, changes: Vec<DirectoryChange>) {
        let outcome = block_on(self.directory.write(changes)).unwrap();
        assert!(matches!(outcome, WriteOutcome::Written(_)), "{outcome:?}");
    }
}

fn texts(conflicts: &[Conflict]) -> Vec<String> {
    conflicts.iter().map(Conflict::to_string).collect()
}

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
school year 2026: 1 graduate, 2 stay, 0 new, 0 conflicts"
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

// Proves: threats 46
#[test]
fn a_turn_that_is_undone_leaves_the_school_and_its_history_as_they_were() {
    let school = School::new();
    let before = school.exported();
    let first_years = "이름,성별,이메일,학번,전공\n최별,여,byeol@school.example,1101,AI\n";
    let turn = YearTurn::new().first_years(first_years, CSV).reset_roles();
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
        let turn = YearTurn::new().reset_roles();
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
            "student 3 has another class, number, club, room or role since the turn: the record stays",
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
    let first = school.turn(&YearTurn::new());
    let between = school.exported();
    school.turn(&YearTurn::new().year(first.year().next()));
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
    assert_eq!(school.plan(&next).obstacle(), None);
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
school year 2026: 0 graduate, 2 stay, 0 new, 0 conflicts"
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
    let next = YearTurn::new().year(plan.year().next());
    assert_ne!(plan.code(), school.plan(&next).code());
    school.import(RecordKind::Students, "id,name\n2,이파도\n");
    assert_ne!(plan.code(), school.plan(&YearTurn::new()).code());
    let outcome = plan.apply(&school.directory, SubjectId::service(), school.now());
    assert_eq!(block_on(outcome).unwrap(), YearOutcome::Outdated);
    assert_eq!(school.history(), []);
    let debug = format!("{plan:?}");
    assert!(!debug.contains("김하늘"), "{debug}");
}

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

#[test]
fn a_directory_without_a_history_is_not_turned() {
    let directory = block_on(Directory::open(Arc::new(MemoryStore::new()))).unwrap();
    let at = noon("2027-02-08");
    let plan = block_on(YearTurn::new().plan(&directory, at));
    assert!(matches!(plan, Err(YearError::NoHistory)), "{plan:?}");
    let plan = block_on(YearUndo::plan(&directory, at));
    assert!(matches!(plan, Err(YearError::NoHistory)), "{plan:?}");
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
