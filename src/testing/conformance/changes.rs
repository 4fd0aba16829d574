use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::candidate::{Answered, Candidate, RACERS};
use super::given_school::{
    EVERYONE, autonomous, club, club_id, enrolled, led, left, line, meal, member, project, student, student_id, value, years,
};
use super::school::{Numbered, Parameters};
use crate::directory::{Changes, Cursor, Delta, DirectoryChange, Writing};
use crate::domain::{Club, ClubProfile, Grade, MealType, Project, ProjectId, ProjectProfile, Standing, Student, StudentProfile};
use crate::store::DatasetVersion;
use crate::testing::differential::batches;

pub(super) async fn every_record_that_a_batch_changes_is_told(store: &Candidate) {
    let (mut before, mut cursors) = (School::of(store).await, [None; 3]);
    for batch in batches(1).take(60) {
        let Writing::Written(_) = store.school().await.write(batch.clone()).await.answered() else { continue };
        let after = School::of(store).await;
        let told = Told::since(store, cursors).await;
        told.students.covers(&before.students, &after.students, &batch);
        told.clubs.covers(&before.clubs, &after.clubs, &batch);
        told.projects.covers(&before.projects, &after.projects, &batch);
        (before, cursors) = (after, told.cursors());
    }
}

pub(super) async fn a_change_is_told_of_all_that_show_the_record(store: &Candidate) {
    let of_club = Project { club: Some(club_id(1)), ..project(1, &[1]) };
    let school: Vec<DirectoryChange> =
        vec![club(1).into(), autonomous(2).into(), member(1, 1).into(), member(2, 1).into(), led(1, 1).into(), of_club.into()];
    let renamed = || line("다른 이름");
    // What is written, and which students, clubs and projects must be told.
    let cases: [(DirectoryChange, [&[i64]; 3]); 8] = [
        (Student { name: renamed(), ..member(1, 1) }.into(), [&[1], &[1], &[1]]),
        (student(1).into(), [&[1], &[1], &[]]),
        (enrolled(1, |enrolment| enrolment.autonomous_club = Some(club_id(2))).into(), [&[1], &[1, 2], &[]]),
        (DirectoryChange::RemoveStudent(student_id(1)), [&[1], &[1], &[1]]),
        (Club { name: renamed(), ..led(1, 1) }.into(), [&[1, 2], &[1], &[1]]),
        (DirectoryChange::RemoveClub(club_id(1)), [&[1, 2], &[1], &[1]]),
        (project(1, &[2]).into(), [&[], &[], &[1]]),
        (DirectoryChange::RemoveProject(value(1, ProjectId::new)), [&[], &[], &[1]]),
    ];
    for (change, [students, clubs, projects]) in cases {
        store.put(school.clone()).await;
        let before = Told::since(store, [None; 3]).await;
        store.put([change.clone()]).await;
        let told = Told::since(store, before.cursors()).await;
        told.students.names(students, &change);
        told.clubs.names(clubs, &change);
        told.projects.names(projects, &change);
    }
}

pub(super) async fn changes_are_told_a_few_at_a_time_and_in_the_end_all(store: &Candidate) {
    for number in [3, 1, 5, 2, 4] {
        store.put([student(number)]).await;
    }
    // A store need not tell of what came and went while nobody looked.
    let _ = Told::since(store, [None; 3]).await;
    store.put([DirectoryChange::RemoveStudent(student_id(5))]).await;
    let (mut since, mut told, mut left) = (None, BTreeSet::new(), 5);
    while left > 0 {
        let part = student_changes(store, since, 2, EVERYONE).await;
        let ids: Vec<_> = part.records.iter().map(|record| record.value().student.id.get()).chain(part.gone.iter().copied()).collect();
        assert_eq!((part.total, ids.len()), (left, left.min(2) as usize), "a part has its size, and says how many there are");
        assert_eq!(part.more(), left > 2, "a part says whether there are more");
        (since, left) = (Some(part.next), left - ids.len() as u64);
        told.extend(ids);
    }
    assert_eq!(told, (1..=5).collect(), "each record is told once, also one that is gone");
    store.put([meal("2026-05-20", MealType::Lunch)]).await;
    let rest = student_changes(store, since, 2, EVERYONE).await;
    assert_eq!((rest.total, rest.more()), (0, false), "nothing more has changed");
    store.put([student(3)].map(|student| Student { name: line("이름"), ..student })).await;
    let rest = student_changes(store, Some(rest.next), 2, EVERYONE).await;
    assert_eq!((rest.total, rest.records.len()), (1, 1), "what changes is told from then on");
}

pub(super) async fn what_changes_between_two_parts_is_told_with_the_rest(store: &Candidate) {
    store.put((1..=4).map(student)).await;
    let first = student_changes(store, None, 2, EVERYONE).await;
    let told: Vec<_> = first.records.iter().map(|record| record.value().student.id).collect();
    let left = (1..=4).map(student_id).find(|id| !told.contains(id)).expect("two are left");
    let again = Student { name: line("이름"), ..student(told[0].get()) };
    store.put([DirectoryChange::from(again.clone()), DirectoryChange::RemoveStudent(left), student(9).into()]).await;
    let rest = Told::since(store, [Some(first.next), None, None]).await.students;
    assert_eq!(
        rest.records.get(&told[0].get()).map(|profile| &profile.student),
        Some(&again),
        "what was told and then changed is told again"
    );
    assert!(rest.gone.contains(&left.get()), "what went before it was told is gone");
    assert!(rest.records.contains_key(&9), "what came is told");
}

pub(super) async fn what_ceases_to_be_wanted_is_gone(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), student(1).into(), student(2).into(), project(1, &[]).into()]).await;
    let before = Told::since(store, [None; 3]).await.cursors();
    let ended = Project { years: years(Some(2020)), ..project(1, &[]) };
    let second = enrolled(2, |enrolment| enrolment.grade = value(2, Grade::new));
    let (graduate, renamed) = (left(1, Standing::Graduate), Club { name: line("이름"), ..club(1) });
    store.put([DirectoryChange::from(graduate), second.into(), ended.into(), renamed.into()]).await;
    let part = student_changes(store, before[0], 9, &[]).await;
    assert_eq!((part.gone, part.records.len(), part.total), (vec![1], 1, 2), "a graduate is gone from the enrolled students");
    let part = student_changes(store, before[0], 9, &[EVERYONE, &[("grade", "1")]].concat()).await;
    assert_eq!((part.gone, part.records.len(), part.total), (vec![1, 2], 0, 2), "whoever moved up is gone from the first grade");
    let part = told(store.school().await.project_changes(before[2], 9, &[]).await.answered());
    assert_eq!((part.gone, part.records.len()), (vec![1], 0), "what has ended is gone from the running projects");
    let part = told(store.school().await.club_changes(before[1], 9, &[("clubId", "2")]).await.answered());
    assert_eq!((part.gone, part.records.len()), (vec![1], 0), "another club than the wanted one is told as gone");
}

pub(super) async fn a_cursor_that_this_directory_did_not_give_is_unknown(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), student(1).into(), project(1, &[]).into()]).await;
    let present = store.school().await.version().await.answered();
    for (version, known) in [
        (present, true),
        (DatasetVersion { number: present.number + 1, ..present }, false),
        (DatasetVersion { number: u64::MAX, ..present }, false),
        (DatasetVersion { lineage: !present.lineage, ..present }, false),
        (DatasetVersion { lineage: 0, number: 0, mark: 0 }, false),
    ] {
        let since = Some(Cursor::new(version, 0));
        let students = store.school().await.student_changes(since, 9, EVERYONE).await.answered();
        let clubs = store.school().await.club_changes(since, 9, &[]).await.answered();
        let projects = store.school().await.project_changes(since, 9, &[]).await.answered();
        let is_known = [matches!(students, Delta::Told(_)), matches!(clubs, Delta::Told(_)), matches!(projects, Delta::Told(_))];
        assert_eq!(is_known, [known; 3], "{version:?}, while the present is {present:?}");
    }
}

pub(super) async fn whoever_follows_beside_many_writers_misses_nothing(store: &Candidate) {
    let follow = async |school: &super::school::School, mut since, seen: &mut BTreeSet<i64>| loop {
        let part = told(school.student_changes(since, 5, EVERYONE).await.answered());
        seen.extend(part.records.iter().map(|record| record.value().student.id.get()));
        since = Some(part.next);
        if !part.more() {
            break since;
        }
    };
    let followers = store.race_schools(async |school, racer| {
        let written = super::school::write(school, vec![student(racer as i64 + 1).into()]).await;
        assert!(matches!(written, Writing::Written(_)), "a student is written");
        let mut seen = BTreeSet::new();
        let cursor = follow(school, None, &mut seen).await;
        (cursor, seen)
    });
    for (cursor, mut seen) in followers {
        follow(store.school().await, cursor, &mut seen).await;
        assert_eq!(seen.len(), RACERS, "whoever goes on from a cursor has been told of every student");
    }
}

pub(super) async fn a_cursor_holds_through_another_handle(store: &Candidate) {
    store.put([student(1)]).await;
    let first = student_changes(store, None, 9, EVERYONE).await;
    store.put([DirectoryChange::from(student(2)), DirectoryChange::RemoveStudent(student_id(1))]).await;
    let again = store.school_again().await;
    assert_eq!(again.version().await.answered(), store.school().await.version().await.answered(), "every handle is of one lineage");
    let rest = told(again.student_changes(Some(first.next), 9, EVERYONE).await.answered());
    assert_eq!((rest.records.len(), rest.gone), (1, vec![1]), "a cursor is good through any handle");
}

async fn student_changes(store: &Candidate, since: Option<Cursor>, size: u32, asked: Parameters<'_>) -> Changes<StudentProfile> {
    told(store.school().await.student_changes(since, size, asked).await.answered())
}

#[track_caller]
fn told<T>(delta: Delta<T>) -> Changes<T> {
    match delta {
        Delta::Told(changes) => changes,
        Delta::CursorUnknown => panic!("a cursor that the store gave is unknown to it"),
    }
}

/// Everything, by id.
struct School {
    students: BTreeMap<i64, StudentProfile>,
    clubs: BTreeMap<i64, ClubProfile>,
    projects: BTreeMap<i64, ProjectProfile>,
}

impl School {
    async fn of(store: &Candidate) -> Self {
        Self {
            students: by_id(store.students(EVERYONE).await.items),
            clubs: by_id(store.clubs(&[]).await.items),
            projects: by_id(store.every_project(&[]).await.items),
        }
    }
}

fn by_id<T: Numbered>(records: impl IntoIterator<Item = T>) -> BTreeMap<i64, T> {
    records.into_iter().map(|record| (record.number(), record)).collect()
}

/// What was told since some cursors.
struct Told {
    students: Part<StudentProfile>,
    clubs: Part<ClubProfile>,
    projects: Part<ProjectProfile>,
}

impl Told {
    async fn since(store: &Candidate, [students, clubs, projects]: [Option<Cursor>; 3]) -> Self {
        let school = store.school().await;
        let of_status = |status: &'static str| {
            Part::since(projects, async move |since| school.project_changes(since, 7, &[("status", status)]).await.answered())
        };
        Self {
            students: Part::since(students, async |since| school.student_changes(since, 7, EVERYONE).await.answered()).await,
            clubs: Part::since(clubs, async |since| school.club_changes(since, 7, &[]).await.answered()).await,
            projects: of_status("ACTIVE").await.or(of_status("ENDED").await),
        }
    }

    const fn cursors(&self) -> [Option<Cursor>; 3] {
        [Some(self.students.next), Some(self.clubs.next), Some(self.projects.next)]
    }
}

/// What was told of one kind, by id.
struct Part<T> {
    records: BTreeMap<i64, T>,
    gone: BTreeSet<i64>,
    next: Cursor,
}

impl<T: Clone + Debug + Numbered> Part<T> {
    /// All of it, asked for a few at a time.
    async fn since(mut since: Option<Cursor>, ask: impl AsyncFn(Option<Cursor>) -> Delta<T>) -> Self {
        let (mut records, mut gone) = (BTreeMap::new(), BTreeSet::new());
        loop {
            let part = told(ask(since).await);
            records.extend(by_id(part.records.iter().map(|record| record.value().clone())));
            gone.extend(&part.gone);
            if !part.more() {
                return Self { records, gone, next: part.next };
            }
            assert_ne!(since, Some(part.next), "a cursor leads on while there is more");
            since = Some(part.next);
        }
    }

    /// What is wanted here or there: what is gone is gone from both.
    fn or(mut self, other: Self) -> Self {
        assert_eq!(self.next, other.next, "what is wanted does not matter to the cursor");
        self.records.extend(other.records);
        self.gone.retain(|id| other.gone.contains(id));
        self
    }

    /// Every difference was told, and nothing that is not so.
    #[track_caller]
    fn covers(&self, before: &BTreeMap<i64, T>, after: &BTreeMap<i64, T>, batch: &[DirectoryChange]) {
        for id in before.keys().chain(after.keys()) {
            let (then, now) = (before.get(id), after.get(id));
            let is_told = if now.is_some() { self.records.get(id) == now } else { self.gone.contains(id) };
            assert!(then == now || is_told, "{then:?} has become {now:?}, which was not told after {batch:#?}");
        }
        for (id, record) in &self.records {
            assert_eq!(Some(record), after.get(id), "what is told is what is there after {batch:#?}");
        }
        assert!(self.gone.iter().all(|id| !after.contains_key(id)), "what is there is not gone after {batch:#?}");
    }

    /// These were told, at least.
    #[track_caller]
    fn names(&self, ids: &[i64], change: &DirectoryChange) {
        let missing: Vec<_> = ids.iter().filter(|id| !self.records.contains_key(id) && !self.gone.contains(id)).collect();
        assert!(missing.is_empty(), "{missing:?} are not told after {change:#?}");
    }
}
