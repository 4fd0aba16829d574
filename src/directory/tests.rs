use std::ptr;
use std::sync::Arc;

use super::DirectoryChange::{
    PutClub, PutEvent, PutLesson, PutMeal, PutProject, PutStudent, RemoveClub, RemoveEvent, RemoveLesson, RemoveMeal, RemoveProject,
    RemoveStudent,
};
use super::sample::{club, club_id, enrolment, member, project, student, student_id};
use super::{Directory, DirectoryChange, ListView, ParameterReader, Refusal, RenderOptions, Snapshot, TooManyRecords, Writing};

use crate::domain::{
    ClassNum, Club, ClubProfile, ClubType, Date, DateRange, Enrolment, Grade, Lesson, Lifespan, Major, Meal, MealType, Page, Period,
    Project, ProjectId, ProjectProfile, SchoolEvent, SchoolIdentity, SeatNumber, ServeCount, Standing, Year,
};
use crate::store::memory::MemoryStore;

/// A major club led by its member 1, an autonomous club led by the same, whose other member is 2, and a project of both.
fn school() -> Directory {
    let directory = empty();
    write(
        &directory,
        vec![
            PutClub(club(1, ClubType::Major, None)),
            PutClub(club(2, ClubType::Autonomous, None)),
            PutStudent(member(2, None, Some(2))),
            PutStudent(member(1, Some(1), Some(2))),
            PutClub(club(1, ClubType::Major, Some(1))),
            PutClub(club(2, ClubType::Autonomous, Some(1))),
            PutProject(project(1, Some(1), &[2, 1])),
        ],
    );
    directory
}

fn empty() -> Directory {
    wait(Directory::open(Arc::new(MemoryStore::new()))).unwrap()
}

/// What comes of a future, on a runtime of its own.
fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn snapshot(directory: &Directory) -> Arc<Snapshot> {
    wait(directory.snapshot()).unwrap()
}

fn number(directory: &Directory) -> u64 {
    snapshot(directory).version().number
}

/// Writes changes that change something.
fn write(directory: &Directory, changes: Vec<DirectoryChange>) {
    let before = number(directory);
    match wait(directory.write(changes)).unwrap() {
        Writing::Written(version) => assert_eq!(version.number, before + 1),
        other => panic!("{other:?}"),
    }
}

fn refusal(directory: &Directory, changes: Vec<DirectoryChange>) -> (usize, Refusal) {
    match wait(directory.write(changes)).unwrap() {
        Writing::Refused { index, refusal } => (index, refusal),
        other => panic!("{other:?}"),
    }
}

fn page<'a, T: PartialEq + Send + Sync + 'static>(list: ListView<'a, T>, asked: &[(&str, &str)]) -> Page<'a, T> {
    list.page(&list.query(asked).unwrap())
}

fn clubs(school: &Snapshot) -> Page<'_, ClubProfile> {
    page(school.clubs(), &[])
}

fn projects(school: &Snapshot) -> Page<'_, ProjectProfile> {
    page(school.projects(), &[("sortBy", "NAME")])
}

/// Each club's leader and members.
fn membership(directory: &Directory) -> Vec<(Option<i64>, Vec<i64>)> {
    let members = |profile: &ClubProfile| profile.members.iter().map(|member| member.id.get()).collect();
    clubs(&snapshot(directory)).values().map(|profile| (profile.leader().map(|leader| leader.id.get()), members(profile))).collect()
}

#[test]
fn a_club_lists_its_members_in_id_order() {
    assert_eq!(membership(&school()), [(Some(1), vec![1]), (Some(1), vec![1, 2])]);
}

#[test]
fn decision_2_9_a_student_who_stops_being_a_member_stops_being_leader() {
    let ends = [
        (PutStudent(student(1, "Kim", Standing::Graduate)), [(None, vec![]), (None, vec![2])]),
        (PutStudent(student(1, "Kim", Standing::Withdrawn)), [(None, vec![]), (None, vec![2])]),
        (RemoveStudent(student_id(1)), [(None, vec![]), (None, vec![2])]),
        (PutStudent(member(1, Some(1), None)), [(Some(1), vec![1]), (None, vec![2])]),
        (PutStudent(member(2, None, None)), [(Some(1), vec![1]), (Some(1), vec![1])]),
    ];
    for (change, expected) in ends {
        let directory = school();
        write(&directory, vec![change.clone()]);
        assert_eq!(membership(&directory), expected, "{change:?}");
    }
}

#[test]
fn coming_back_does_not_make_a_leader_again() {
    let directory = school();
    write(&directory, vec![PutStudent(member(1, None, None)), PutStudent(member(1, Some(1), Some(2)))]);
    assert_eq!(membership(&directory), [(None, vec![1]), (None, vec![1, 2])]);
}

#[test]
fn a_removed_student_leaves_their_projects_but_a_graduate_stays() {
    let directory = school();
    write(&directory, vec![PutStudent(student(1, "Kim", Standing::Graduate)), RemoveStudent(student_id(2))]);
    let participants: Vec<_> =
        projects(&snapshot(&directory)).items[0].value().participants.iter().map(|participant| participant.id.get()).collect();
    assert_eq!(participants, [1]);
    assert_eq!(projects(&snapshot(&directory)).items[0].value().project.participants.len(), 1);
}

#[test]
fn a_removed_club_leaves_its_members_and_projects_without_it() {
    let directory = school();
    write(&directory, vec![RemoveClub(club_id(1))]);
    assert_eq!(membership(&directory), [(Some(1), vec![1, 2])]);
    assert_eq!(projects(&snapshot(&directory)).items[0].value().club, None);
    write(&directory, vec![PutClub(club(1, ClubType::Autonomous, None))]);
    assert_eq!(membership(&directory)[0], (None, vec![]), "the members are not those of the removed club");
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let other_kind = club(2, ClubType::Major, None);
    let wrong = [
        (PutStudent(member(3, Some(9), None)), Refusal::UnknownClub(club_id(9))),
        (PutStudent(member(3, Some(2), None)), Refusal::WrongClubType(club_id(2))),
        (PutStudent(member(3, None, Some(1))), Refusal::WrongClubType(club_id(1))),
        (PutClub(club(1, ClubType::Major, Some(2))), Refusal::LeaderIsNoMember(student_id(2))),
        (PutClub(club(1, ClubType::Major, Some(9))), Refusal::UnknownStudent(student_id(9))),
        (PutClub(club(3, ClubType::Major, Some(1))), Refusal::LeaderIsNoMember(student_id(1))),
        (PutClub(other_kind), Refusal::ClubHasMembers(club_id(2))),
        (PutProject(project(2, Some(9), &[])), Refusal::UnknownClub(club_id(9))),
        (PutProject(project(2, None, &[1, 9])), Refusal::UnknownStudent(student_id(9))),
    ];
    for (change, expected) in wrong {
        assert_eq!(refusal(&school(), vec![change]), (0, expected));
    }
}

/// Fails if what another process wrote with wider bounds cannot be written again, and when a change of something else is let through.
#[test]
fn what_the_school_does_not_have_is_refused_unless_the_record_had_it() {
    let store = Arc::new(MemoryStore::new());
    let narrow = wait(Directory::open(store.clone())).unwrap();
    let law: Major = "LAW".parse().unwrap();
    let wide = Directory::builder(store).grades(1..=12).classes(1..=99).numbers(1..=99).majors([Major::AI, law.clone()]);
    let wide = wait(wide.open()).unwrap();
    let seat = |grade, class_num, number| {
        let (grade, class_num, number) = (Grade::new(grade), ClassNum::new(class_num), SeatNumber::new(number));
        let seat = Enrolment { grade: grade.unwrap(), class_num: class_num.unwrap(), number: number.unwrap(), ..enrolment() };
        PutStudent(student(1, "Kim", Standing::Enrolled(seat)))
    };
    let field = |refused| match refused {
        (0, Refusal::OutOfBounds { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(refusal(&narrow, vec![seat(4, 1, 1)])), "grade");
    assert_eq!(field(refusal(&narrow, vec![seat(1, 5, 1)])), "classNum");
    assert_eq!(field(refusal(&narrow, vec![seat(1, 1, 19)])), "number");
    assert_eq!(field(refusal(&narrow, vec![PutLesson(lesson("a", "2026-03-02", 4, 1, 1))])), "grade");
    let lawyer = |id| PutStudent(student(id, "Lee", Standing::Enrolled(Enrolment { major: law.clone(), ..enrolment() })));
    assert_eq!(field(refusal(&narrow, vec![lawyer(2)])), "major");
    write(&wide, vec![lawyer(2)]);
    assert_eq!(page(snapshot(&wide).students(), &[("major", "LAW")]).total, 1);
    assert!(snapshot(&narrow).students().query(&[("major", "LAW")]).is_err(), "nobody asks for what the school does not have");
    write(&wide, vec![seat(4, 1, 19), PutLesson(lesson("a", "2026-03-02", 4, 1, 1))]);
    assert!(matches!(wait(narrow.write(vec![seat(4, 2, 19)])).unwrap(), Writing::Written(_)));
    assert_eq!(field(refusal(&narrow, vec![seat(5, 2, 19)])), "grade");
    assert!(matches!(wait(narrow.write(vec![PutLesson(lesson("a", "2026-03-03", 4, 1, 1))])).unwrap(), Writing::Written(_)));
    for bounds in [std::ops::RangeInclusive::new(3, 1), 0..=3, 1..=13] {
        assert!(wait(Directory::builder(Arc::new(MemoryStore::new())).grades(bounds).open()).is_err());
    }
}

#[test]
fn a_club_without_members_may_change_its_kind() {
    let directory = school();
    write(&directory, vec![PutStudent(member(1, None, None)), PutClub(club(1, ClubType::Autonomous, None))]);
    assert_eq!(clubs(&snapshot(&directory)).items[0].value().club.kind, ClubType::Autonomous);
}

/// Fails if the whole batch is planned, and when the longest one is refused.
#[test]
fn a_batch_that_is_too_long_is_refused_before_it_is_planned() {
    let directory = school();
    let mut batch = vec![RemoveStudent(student_id(1)); Directory::MOST_CHANGES + 1];
    batch[0] = PutStudent(member(3, Some(9), None));
    assert_eq!(refusal(&directory, batch.clone()), (10_000, Refusal::TooManyChanges));
    batch.remove(0);
    write(&directory, batch);
}

/// Fails if the limit is one more or one less, and when removed records count.
#[test]
fn a_directory_with_more_records_than_its_limit_is_not_opened() {
    let store = Arc::new(MemoryStore::new());
    let open = |most| wait(Directory::builder(store.clone()).most_records(most).open());
    write(&open(1).unwrap(), vec![PutStudent(member(1, None, None))]);
    write(&open(2).unwrap(), vec![PutStudent(member(2, None, None)), PutStudent(member(3, None, None)), RemoveStudent(student_id(1))]);
    let error = open(1).unwrap_err();
    let reason = std::error::Error::source(&error).unwrap().downcast_ref::<TooManyRecords>();
    assert_eq!((reason, error.is_unavailable()), (Some(&TooManyRecords { records: 2, most: 1 }), false));
    assert!(open(2).is_ok());
}

/// Fails if a write within the limit is refused, and when nothing may be written once there are too many.
#[test]
fn a_write_that_grows_the_directory_past_its_limit_is_refused_and_one_that_does_not_is_made() {
    let store = Arc::new(MemoryStore::new());
    let limited = wait(Directory::builder(store.clone()).most_records(2).open()).unwrap();
    write(&limited, vec![PutStudent(member(1, None, None)), PutClub(club(1, ClubType::Major, None))]);
    let grown = vec![PutStudent(member(1, Some(1), None)), PutStudent(member(2, None, None))];
    assert_eq!(refusal(&limited, grown), (1, Refusal::TooManyRecords(TooManyRecords { records: 3, most: 2 })));
    write(&limited, vec![PutStudent(member(2, None, None)), RemoveClub(club_id(1))]);
    // What another process wrote is followed all the same.
    let other = wait(Directory::open(store)).unwrap();
    write(&other, vec![PutStudent(member(3, None, None)), PutStudent(member(4, None, None))]);
    assert!(matches!(wait(limited.write(vec![RemoveStudent(student_id(3)), RemoveStudent(student_id(9))])), Ok(Writing::Written(_))));
    assert_eq!(snapshot(&limited).records(), 3);
}

#[test]
fn a_refused_batch_changes_nothing_at_all() {
    let directory = school();
    let (before_number, before) = (number(&directory), state(&directory));
    let batch = vec![
        RemoveStudent(student_id(1)),
        PutStudent(student(2, "Someone else", Standing::Graduate)),
        PutStudent(student(7, "New", Standing::Graduate)),
        PutStudent(student(7, "Newer", Standing::Withdrawn)),
        RemoveClub(club_id(1)),
        RemoveProject(ProjectId::new(1).unwrap()),
        PutMeal(meal("2026-03-02", MealType::Lunch)),
        PutClub(club(2, ClubType::Autonomous, Some(2))),
    ];
    assert_eq!(refusal(&directory, batch), (7, Refusal::LeaderIsNoMember(student_id(2))));
    assert_eq!(number(&directory), before_number);
    assert_eq!(state(&directory), before);
    assert_eq!(wait(directory.write(vec![])).unwrap(), Writing::Written(snapshot(&directory).version()));
    assert_eq!(state(&directory), before, "a later write does not bring the refused one back");
}

/// Everything that readers are told of people, and the version.
fn state(directory: &Directory) -> String {
    let school = snapshot(directory);
    let meals = meals(&school, "2026-03-01", "2026-03-31");
    let (clubs, projects) = (clubs(&school), projects(&school));
    format!("{:?} {:?} {meals:?} {}", clubs.values().collect::<Vec<_>>(), projects.values().collect::<Vec<_>>(), number(directory))
}

#[test]
fn removing_what_is_not_there_is_no_fault() {
    let directory = school();
    let before = state(&directory);
    let nothing = || String::from("nothing");
    let changes = vec![
        RemoveStudent(student_id(9)),
        RemoveClub(club_id(9)),
        RemoveProject(ProjectId::new(9).unwrap()),
        RemoveMeal(nothing()),
        RemoveEvent(nothing()),
        RemoveLesson(nothing()),
    ];
    assert!(matches!(wait(directory.write(changes)).unwrap(), Writing::Written(_)));
    assert_eq!(state(&directory), before);
}

#[test]
fn only_what_shows_a_change_becomes_a_new_record() {
    let directory = school();
    let before = snapshot(&directory);
    write(&directory, vec![PutStudent(student(3, "New", Standing::Graduate)), PutStudent(member(2, None, None))]);
    let after = snapshot(&directory);
    assert!(ptr::eq(clubs(&before).items[0], clubs(&after).items[0]));
    assert!(!ptr::eq(clubs(&before).items[1], clubs(&after).items[1]), "it lost a member");
    assert!(ptr::eq(projects(&before).items[0], projects(&after).items[0]));
    write(&directory, vec![PutClub(Club { name: "Renamed".parse().unwrap(), ..club(1, ClubType::Major, Some(1)) })]);
    assert_eq!(projects(&snapshot(&directory)).items[0].value().club.as_ref().unwrap().name.as_str(), "Renamed");
}

#[test]
fn a_batch_that_changes_nothing_moves_nothing() {
    let directory = school();
    let before = snapshot(&directory);
    for batch in [
        vec![PutStudent(member(1, Some(1), Some(2))), PutProject(project(1, Some(1), &[1, 2]))],
        vec![PutStudent(student(7, "New", Standing::Graduate)), RemoveStudent(student_id(7))],
        vec![RemoveStudent(student_id(9))],
    ] {
        assert_eq!(wait(directory.write(batch)).unwrap(), Writing::Written(before.version()));
        assert!(Arc::ptr_eq(&before, &snapshot(&directory)));
    }
}

#[test]
fn a_directory_that_is_kept_fresh_follows_others_without_being_read() {
    let store = Arc::new(MemoryStore::new());
    let (one, other) = (wait(Directory::open(store.clone())).unwrap(), wait(Directory::open(store)).unwrap());
    write(&one, vec![PutClub(club(1, ClubType::Major, None))]);
    let mut pauses = 0;
    let twice = move |_| {
        pauses += 1;
        async move {
            if pauses == 2 {
                std::future::pending().await
            }
        }
    };
    let mut keeping = Box::pin(other.keep_fresh(twice));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    // The change is applied on a thread of its own.
    while other.last().version() != one.last().version() {
        assert!(keeping.as_mut().poll(&mut context).is_pending());
        std::thread::yield_now();
    }
    drop(other);
    assert!(keeping.as_mut().poll(&mut context).is_pending(), "it still pauses");
    let once = wait(Directory::open(Arc::new(MemoryStore::new()))).unwrap();
    let ended = once.keep_fresh(|_| async {});
    drop(once);
    wait(ended);
}

#[test]
fn clubs_and_projects_are_found_by_each_of_their_filters() {
    let directory = school();
    let years = |first, last: Option<i64>| Lifespan::new(Year::new(first).unwrap(), last.map(|last| Year::new(last).unwrap())).unwrap();
    write(
        &directory,
        vec![
            PutClub(Club { years: years(2015, Some(2021)), ..club(3, ClubType::Major, None) }),
            PutClub(Club { years: years(2020, Some(2020)), name: "Robotics".parse().unwrap(), ..club(4, ClubType::Major, None) }),
            PutProject(Project { years: years(2023, Some(2024)), ..project(2, Some(2), &[]) }),
        ],
    );
    let school = snapshot(&directory);
    let clubs = |asked| page(school.clubs(), asked).values().map(|profile| profile.club.id.get()).collect::<Vec<_>>();
    assert_eq!(clubs(&[("clubId", "3")]), [3]);
    assert_eq!(clubs(&[("clubId", "9")]), [0_i64; 0]);
    assert_eq!(clubs(&[("clubName", "ROBOT")]), [4]);
    assert_eq!(clubs(&[("clubType", "AUTONOMOUS_CLUB")]), [2]);
    assert_eq!(clubs(&[("status", "ABOLISHED")]), [3, 4]);
    assert_eq!(clubs(&[("foundedYear", "2020"), ("status", "ACTIVE")]), [1, 2]);
    assert_eq!(clubs(&[("foundedYear", "2020"), ("sortBy", "NAME"), ("sortDirection", "DESC")]), [4, 2, 1]);
    assert_eq!(clubs(&[("sortBy", "ABOLISHED_YEAR"), ("sortDirection", "DESC")]), [3, 4, 2, 1]);
    assert_eq!(clubs(&[("sortBy", "TYPE")]), [2, 1, 3, 4], "by the kinds' names");
    assert_eq!(clubs(&[("sortBy", "STATUS")]), [3, 4, 1, 2], "by the names of the states");

    let projects = |asked| page(school.projects(), asked).values().map(|profile| profile.project.id.get()).collect::<Vec<_>>();
    assert_eq!(projects(&[]), [1], "those that run");
    assert_eq!(projects(&[("projectId", "1")]), [1]);
    assert_eq!(projects(&[("projectName", "ECT 2")]), [0_i64; 0]);
    assert_eq!(projects(&[("projectName", "ECT 2"), ("status", "ENDED")]), [2]);
    assert_eq!(projects(&[("clubId", "1")]), [1]);
    assert_eq!(projects(&[("status", "ENDED")]), [2]);
}

#[test]
fn readers_see_whole_batches_and_every_write_that_has_returned() {
    let directory = empty();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for id in (1..100).step_by(2) {
                write(&directory, vec![PutClub(club(id, ClubType::Major, None)), PutClub(club(id + 1, ClubType::Major, None))]);
            }
        });
        for _ in 0..3 {
            threads.spawn(|| {
                let mut seen = 0;
                for _ in 0..100 {
                    let (number, total) = (number(&directory), clubs(&snapshot(&directory)).total);
                    assert!(total % 2 == 0 && total >= number * 2 && total >= seen, "{total} clubs after {seen} in version {number}");
                    seen = total;
                }
            });
        }
    });
}

#[test]
fn decision_2_17_meals_come_by_day_and_meal_and_events_by_day_name_and_id() {
    let directory = empty();
    let (first, second) = ("2026-03-02", "2026-03-03");
    write(
        &directory,
        vec![
            PutMeal(meal(second, MealType::Breakfast)),
            PutMeal(meal(first, MealType::Dinner)),
            PutMeal(meal(first, MealType::Breakfast)),
            PutMeal(meal(first, MealType::Lunch)),
            PutEvent(event("2", first, "Sports day")),
            PutEvent(event("1", first, "Sports day")),
            PutEvent(event("3", first, "Entrance")),
            PutEvent(event("0", second, "Entrance")),
        ],
    );
    let school = snapshot(&directory);
    let kinds = |from, to| meals(&school, from, to);
    assert_eq!(kinds(first, first), [MealType::Breakfast, MealType::Lunch, MealType::Dinner]);
    assert_eq!(kinds(first, second), [MealType::Breakfast, MealType::Lunch, MealType::Dinner, MealType::Breakfast]);
    assert_eq!(kinds("2026-03-04", "2026-03-05"), []);
    let days = DateRange::new(day(first), day(second)).unwrap();
    let events: Vec<_> = school.events(days).iter().map(|record| record.id.to_string()).collect();
    assert_eq!(events, ["3", "1", "2", "0"]);
}

#[test]
fn decision_2_17_lessons_come_by_day_grade_class_period_and_id() {
    let directory = empty();
    let (first, second) = ("2026-03-02", "2026-03-03");
    let lessons = [
        lesson("e", second, 1, 1, 1),
        lesson("d", first, 2, 1, 1),
        lesson("c", first, 1, 2, 1),
        lesson("b", first, 1, 1, 10),
        lesson("z", first, 1, 1, 9),
        lesson("a", first, 1, 1, 9),
    ];
    write(&directory, lessons.map(PutLesson).to_vec());
    let school = snapshot(&directory);
    let days = DateRange::new(day(first), day(second)).unwrap();
    assert_eq!(school.lessons(days).iter().map(|lesson| lesson.id.as_str()).collect::<String>(), "azbcde");
    let found = |from, more: &[(&'static str, &'static str)]| {
        let list = school.lists()[5];
        let mut given = ParameterReader::decoded(&[&[("fromDate", from), ("toDate", second)], more].concat()).unwrap();
        let query = list.definition().parse(&mut given, day(first)).unwrap();
        let id = |position| {
            let mut record = Vec::new();
            list.write(position, RenderOptions::default(), &mut record);
            serde_json::from_slice::<serde_json::Value>(&record).unwrap()["timetableId"].as_str().unwrap().to_owned()
        };
        list.select(&query, school.history()).unwrap().positions.into_iter().map(id).collect::<String>()
    };
    assert_eq!(found(first, &[]), "azbcde");
    assert_eq!(found(first, &[("grade", "1")]), "azbce");
    assert_eq!(found(first, &[("grade", "1"), ("classNum", "1")]), "azbe");
    assert_eq!(found(second, &[("classNum", "1")]), "e");
    assert_eq!(found(first, &[("grade", "3")]), "");
}

#[test]
fn a_meal_that_is_put_again_unchanged_stays_the_same_record() {
    let directory = empty();
    let lunch = || meal("2026-03-02", MealType::Lunch);
    let portions = |count| ServeCount::new(count).ok();
    let days = DateRange::day(lunch().date);
    write(&directory, vec![PutMeal(lunch())]);
    let first = Arc::clone(&snapshot(&directory).meals(days)[0]);
    write(&directory, vec![PutMeal(lunch()), PutMeal(meal("2026-03-02", MealType::Dinner))]);
    assert!(Arc::ptr_eq(&first, &snapshot(&directory).meals(days)[0]));
    write(&directory, vec![PutMeal(Meal { serve_count: portions(3), ..lunch() })]);
    assert_eq!(snapshot(&directory).meals(days)[0].serve_count, portions(3));
}

fn meals(school: &Snapshot, from: &str, to: &str) -> Vec<MealType> {
    let days = DateRange::new(day(from), day(to)).unwrap();
    school.meals(days).iter().map(|meal| meal.kind).collect()
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn identity() -> SchoolIdentity {
    let line = |text: &str| text.parse().unwrap();
    SchoolIdentity { school_code: line("1"), school_name: line("School"), office_code: line("2"), office_name: line("Office") }
}

fn meal(date: &str, kind: MealType) -> Meal {
    let (calories, origin, nutrition) = (None, None, None);
    Meal { school: identity(), date: day(date), kind, dishes: vec![], calories, origin, nutrition, serve_count: None }
}

fn event(id: &str, date: &str, name: &str) -> SchoolEvent {
    SchoolEvent {
        id: id.parse().unwrap(),
        school: identity(),
        date: day(date),
        academic_year: "2026".parse().unwrap(),
        name: name.parse().unwrap(),
        content: None,
        day_category: None,
        course_type: None,
        day_night: None,
        target_grades: vec![],
    }
}

fn lesson(id: &str, date: &str, grade: i64, class_num: i64, period: i64) -> Lesson {
    Lesson {
        id: id.parse().unwrap(),
        school: identity(),
        date: day(date),
        academic_year: "2026".parse().unwrap(),
        semester: None,
        grade: Grade::new(grade).unwrap(),
        class_num: ClassNum::new(class_num).unwrap(),
        period: Period::new(period).unwrap(),
        subject: None,
        department: None,
        classroom: None,
    }
}
