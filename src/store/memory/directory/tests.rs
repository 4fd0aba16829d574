use std::sync::Arc;

use super::Directory;
use super::index::Index;
use crate::domain::{
    ClubFilter, ClubProfile, ClubQuery, ClubSort, ClubType, Date, DateRange, Direction, Meal, MealType, Page, PageRequest, ProjectFilter,
    ProjectId, ProjectProfile, ProjectQuery, ProjectSort, SchoolEvent, SchoolIdentity, Standing,
};
use crate::store::DirectoryChange::{
    PutClub, PutEvent, PutMeal, PutProject, PutStudent, RemoveClub, RemoveEvent, RemoveLesson, RemoveMeal, RemoveProject, RemoveStudent,
};
use crate::store::memory::sample::{club, club_id, member, project, student, student_id};
use crate::store::{DatasetVersion, DirectoryChange, Refusal, Writing};

/// A major club led by its member 1, an autonomous club led by the same, whose other member is 2, and a project of both.
fn school() -> Directory {
    let directory = Directory::default();
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

fn write(directory: &Directory, changes: Vec<DirectoryChange>) {
    let version = directory.version();
    assert_eq!(directory.write(changes), Writing::Written(DatasetVersion(version + 1)));
}

fn refusal(directory: &Directory, changes: Vec<DirectoryChange>) -> (usize, Refusal) {
    match directory.write(changes) {
        Writing::Refused { index, refusal } => (index, refusal),
        Writing::Written(_) => panic!("written"),
    }
}

fn clubs(directory: &Directory) -> Page<ClubProfile> {
    let page = PageRequest::new(0, 100).unwrap();
    let query = ClubQuery { filter: ClubFilter::default(), sort: ClubSort::Id, direction: Direction::Ascending, page };
    directory.index().people.clubs.page(&query)
}

fn projects(directory: &Directory) -> Page<ProjectProfile> {
    let page = PageRequest::new(0, 100).unwrap();
    let query = ProjectQuery { filter: ProjectFilter::default(), sort: ProjectSort::Name, direction: Direction::Ascending, page };
    directory.index().people.projects.page(&query)
}

/// Each club's leader and members.
fn membership(directory: &Directory) -> Vec<(Option<i64>, Vec<i64>)> {
    let members = |profile: &ClubProfile| profile.members.iter().map(|member| member.id.get()).collect();
    clubs(directory).values().map(|profile| (profile.leader().map(|leader| leader.id.get()), members(profile))).collect()
}

#[test]
fn a_club_lists_its_members_in_id_order() {
    assert_eq!(membership(&school()), [(Some(1), vec![1]), (Some(1), vec![1, 2])]);
}

#[test]
fn decision_2_9_whoever_stops_being_a_member_stops_being_leader() {
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
    let participants: Vec<_> = projects(&directory).items[0].value().participants.iter().map(|participant| participant.id.get()).collect();
    assert_eq!(participants, [1]);
    assert_eq!(projects(&directory).items[0].value().project.participants.len(), 1);
}

#[test]
fn a_removed_club_leaves_its_members_and_projects_without_it() {
    let directory = school();
    write(&directory, vec![RemoveClub(club_id(1))]);
    assert_eq!(membership(&directory), [(Some(1), vec![1, 2])]);
    assert_eq!(projects(&directory).items[0].value().club, None);
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

#[test]
fn a_club_without_members_may_change_its_kind() {
    let directory = school();
    write(&directory, vec![PutStudent(member(1, None, None)), PutClub(club(1, ClubType::Autonomous, None))]);
    assert_eq!(clubs(&directory).items[0].value().club.kind, ClubType::Autonomous);
}

#[test]
fn a_refused_batch_changes_nothing_at_all() {
    let directory = school();
    let (version, before) = (directory.version(), state(&directory));
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
    assert_eq!(directory.version(), version);
    assert_eq!(state(&directory), before);
    write(&directory, vec![]);
    assert_eq!(state(&directory), before, "a later write does not bring the refused one back");
}

/// Everything that was written down, unlike the index without its caches.
fn state(directory: &Directory) -> String {
    let school = super::reading(&directory.school);
    let people = (school.students.rows().collect::<Vec<_>>(), school.clubs.rows().collect::<Vec<_>>());
    format!("{people:?} {:?} {}", school.projects.rows().collect::<Vec<_>>(), school.meals.rows().count())
}

#[test]
fn removing_what_is_not_there_is_no_fault() {
    let directory = school();
    let before = state(&directory);
    let nothing = || String::from("nothing");
    write(
        &directory,
        vec![
            RemoveStudent(student_id(9)),
            RemoveClub(club_id(9)),
            RemoveProject(ProjectId::new(9).unwrap()),
            RemoveMeal(nothing()),
            RemoveEvent(nothing()),
            RemoveLesson(nothing()),
        ],
    );
    assert_eq!(state(&directory), before);
}

#[test]
fn only_what_shows_a_change_becomes_a_new_record() {
    let directory = school();
    let (clubs_before, projects_before) = (clubs(&directory), projects(&directory));
    write(&directory, vec![PutStudent(student(3, "New", Standing::Graduate)), PutStudent(member(2, None, None))]);
    assert!(Arc::ptr_eq(&clubs_before.items[0], &clubs(&directory).items[0]));
    assert!(!Arc::ptr_eq(&clubs_before.items[1], &clubs(&directory).items[1]), "it lost a member");
    assert!(Arc::ptr_eq(&projects_before.items[0], &projects(&directory).items[0]));
    write(&directory, vec![PutClub(crate::domain::Club { name: "Renamed".parse().unwrap(), ..club(1, ClubType::Major, Some(1)) })]);
    assert_eq!(projects(&directory).items[0].value().club.as_ref().unwrap().name.as_str(), "Renamed");
}

#[test]
fn a_meal_leaves_the_people_alone() {
    let directory = school();
    let before = directory.index();
    write(&directory, vec![PutMeal(meal("2026-03-02", MealType::Lunch))]);
    let after = directory.index();
    assert!(Arc::ptr_eq(&before.people, &after.people) && !Arc::ptr_eq(&before.meals, &after.meals));
}

#[test]
fn nothing_is_laid_out_again_without_a_write() {
    let directory = school();
    assert!(Arc::ptr_eq(&directory.index(), &directory.index()));
}

#[test]
fn decision_2_17_meals_come_by_day_and_meal_and_events_by_day_name_and_id() {
    let directory = Directory::default();
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
    let index = directory.index();
    let kinds = |from, to| meals(&index, from, to);
    assert_eq!(kinds(first, first), [MealType::Breakfast, MealType::Lunch, MealType::Dinner]);
    assert_eq!(kinds(first, second), [MealType::Breakfast, MealType::Lunch, MealType::Dinner, MealType::Breakfast]);
    assert_eq!(kinds("2026-03-04", "2026-03-05"), []);
    let days = DateRange::new(day(first), day(second)).unwrap();
    let events: Vec<_> = index.events.calendar.days(days).iter().map(|record| record.value().id.to_string()).collect();
    assert_eq!(events, ["3", "1", "2", "0"]);
}

#[test]
fn a_meal_that_is_put_again_unchanged_stays_the_same_record() {
    let directory = Directory::default();
    let lunch = || meal("2026-03-02", MealType::Lunch);
    let days = DateRange::day(lunch().date);
    write(&directory, vec![PutMeal(lunch())]);
    let first = Arc::clone(&directory.index().meals.calendar.days(days)[0]);
    write(&directory, vec![PutMeal(lunch()), PutMeal(meal("2026-03-02", MealType::Dinner))]);
    assert!(Arc::ptr_eq(&first, &directory.index().meals.calendar.days(days)[0]));
    write(&directory, vec![PutMeal(Meal { serve_count: Some(3), ..lunch() })]);
    assert_eq!(directory.index().meals.calendar.days(days)[0].value().serve_count, Some(3));
}

fn meals(index: &Index, from: &str, to: &str) -> Vec<MealType> {
    let days = DateRange::new(day(from), day(to)).unwrap();
    index.meals.calendar.days(days).iter().map(|record| record.value().kind).collect()
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
