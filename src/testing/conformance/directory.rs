use std::collections::BTreeSet;
use std::sync::Arc;

use super::candidate::{Answered, Candidate, RACERS};
use super::given_school::{
    autonomous, club, club_id, enrolled, event, led, left, lesson, line, meal, member, project, student, student_id, value, years,
};
use crate::domain::{
    Club, DormitoryRoom, EnrolledRole, Lesson, Meal, MealType, Project, ProjectId, Repositories, SchoolEvent, Sex, Standing, Student,
    TechStacks,
};
use crate::store::{Advance, DatasetVersion, DirectoryRow, DirectoryRows, Storage};

pub(super) async fn a_fresh_store_is_empty_at_number_0(store: &Candidate) {
    let version = store.directory_version().await.answered();
    let rows = store.load_directory().await.answered();
    assert!(rows.is_empty(), "a fresh store has no records: {rows:?}");
    assert_eq!((rows.version, version.number), (version, 0), "its version has the number 0");
    assert_eq!(rows.marks, [(0, version.mark)], "its version has a mark");
    assert_eq!(store.directory_changes(version).await.answered(), Some(DirectoryRows::empty(version)), "nothing changed since");
}

pub(super) async fn rows_are_loaded_as_they_were_written(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    let version = expected.write(&**store, every_kind).await;
    assert_eq!(store.directory_version().await.answered(), version, "the version is the one that was written");
    expected.is_loaded(&**store).await;
    // Every optional value is there where it was not, and the other way round.
    expected.write(&**store, every_kind_otherwise).await;
    expected.is_loaded(&**store).await;
}

pub(super) async fn rows_come_in_ascending_order_of_id(store: &Candidate) {
    const TEXTS: [&str; 12] = ["b", "B", "a", "10", "9", "a b", "a-b", "ä", "가", "a\u{30a}", "\u{ffff}", "𐐀"];
    let mut expected = Expected::new(&**store).await;
    expected
        .write(&**store, |rows, at| {
            for number in [3, 1, i64::MAX, 700, 20] {
                rows.students.push(put(at, student_id(number), student(number % 1000)));
                rows.clubs.push(put(at, club_id(number), Club { id: club_id(number), ..club(1) }));
                let id = value(number, ProjectId::new);
                rows.projects.push(put(at, id, Project { id, ..project(1, &[]) }));
            }
            for row in &mut rows.students {
                row.value.iter_mut().for_each(|student| student.id = row.id);
            }
            for text in TEXTS {
                rows.events.push(put(at, text.to_owned(), event(text, "2026-05-20", "체육")));
                rows.lessons.push(put(at, text.to_owned(), lesson(text, "2026-05-20", [1, 1, 1])));
            }
            for day in ["2026-05-20", "2025-12-31", "2026-05-19"] {
                rows.meals.push(a_meal(at, meal(day, MealType::Dinner)));
                rows.meals.push(a_meal(at, meal(day, MealType::Lunch)));
            }
        })
        .await;
    // The expected rows are sorted as Rust sorts: numbers by their size, text by its bytes.
    expected.is_loaded(&**store).await;
}

pub(super) async fn the_id_of_a_removed_record_stays_with_the_version(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    expected.write(&**store, every_kind).await;
    expected.write(&**store, remove_every_kind).await;
    let rows = store.load_directory().await.answered();
    assert!(rows.students.iter().all(|row| row.value.is_none() && row.changed == 2), "removed ids stay: {:?}", rows.students);
    expected.is_loaded(&**store).await;
    // And a record that comes back has its id for itself again.
    expected.write(&**store, every_kind).await;
    expected.is_loaded(&**store).await;
}

pub(super) async fn removing_what_is_not_there_is_no_error(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    expected.write(&**store, every_kind).await;
    let version = expected
        .write(&**store, |rows, at| {
            rows.students.push(removed(at, student_id(999)));
            rows.clubs.push(removed(at, club_id(999)));
            rows.projects.push(removed(at, value(999, ProjectId::new)));
            rows.meals.push(removed(at, "9_20260101_1".to_owned()));
            rows.events.push(removed(at, String::new()));
            rows.lessons.push(removed(at, "999".to_owned()));
        })
        .await;
    expected.is_loaded(&**store).await;
    // No record has an id with this character, and PostgreSQL refuses even to look for it.
    let mut change = DirectoryRows::empty(after(version));
    change.events.push(removed(change.version.number, "9\0".to_owned()));
    assert_eq!(store.write_directory(version, Arc::new(change)).await.answered(), Advance::Written, "an impossible id is no error");
    let rows = store.load_directory().await.answered();
    let events: Vec<_> = rows.events.into_iter().filter(|row| row.id != "9\0").collect();
    assert_eq!((rows.students, events), (expected.rows.students, expected.rows.events), "and nothing is removed");
}

pub(super) async fn a_write_that_expects_another_number_writes_nothing(store: &Candidate) {
    writes_nothing(store, |present| DatasetVersion { number: present.number - 1, ..present }).await;
    writes_nothing(store, |present| DatasetVersion { number: present.number + 1, ..present }).await;
    writes_nothing(store, |present| DatasetVersion { number: u64::MAX, ..present }).await;
}

pub(super) async fn a_write_that_expects_another_mark_writes_nothing(store: &Candidate) {
    writes_nothing(store, |present| DatasetVersion { mark: !present.mark, ..present }).await;
}

pub(super) async fn a_write_that_expects_another_lineage_writes_nothing(store: &Candidate) {
    writes_nothing(store, |present| DatasetVersion { lineage: !present.lineage, ..present }).await;
}

/// A write that expects this, and not the present version, leaves everything as it is.
async fn writes_nothing(store: &Candidate, expected: impl FnOnce(DatasetVersion) -> DatasetVersion) {
    let mut before = Expected::new(&**store).await;
    let present = before.write(&**store, every_kind).await;
    let mut change = DirectoryRows::empty(DatasetVersion { mark: 77, ..after(present) });
    let at = change.version.number;
    remove_every_kind(&mut change, at);
    change.students.push(put(at, student_id(500), student(500)));
    let expected = expected(present);
    let outcome = store.write_directory(expected, Arc::new(change)).await.answered();
    assert_eq!(outcome, Advance::Outdated, "{expected:?} is not the present version {present:?}");
    assert_eq!(store.load_directory().await.answered(), before.rows, "an outdated write writes nothing");
    assert_eq!(store.directory_version().await.answered(), present, "an outdated write makes no version");
}

pub(super) async fn of_many_writes_from_one_version_one_is_made(store: &Candidate) {
    let before = store.load_directory().await.answered();
    let version = |racer: usize| DatasetVersion { mark: racer as u64, ..after(before.version) };
    let answers = store.race(async |store, racer| {
        let number = racer as i64 + 1;
        let mut change = DirectoryRows::empty(version(racer));
        change.students.push(put(1, student_id(number), student(number)));
        change.students.push(put(1, student_id(100), Student { name: line(&number.to_string()), ..student(100) }));
        store.write_directory(before.version, Arc::new(change)).await.answered()
    });
    let written = answers.iter().filter(|answer| **answer == Advance::Written).count();
    assert_eq!(written, 1, "of {RACERS} writes from one version exactly one is made");
    let winner = answers.iter().position(|answer| *answer == Advance::Written).unwrap_or_default();
    let rows = store.load_directory().await.answered();
    assert_eq!(rows.version, version(winner), "the directory has the version of the write that was made");
    assert_eq!(rows.students.len(), 2, "and its rows alone: {:?}", rows.students);
    let name = line(&(winner + 1).to_string());
    assert!(rows.students[1].value.as_ref().is_some_and(|student| student.name == name), "and no value of another: {:?}", rows.students);
}

pub(super) async fn changes_tell_each_row_once_as_it_is_now(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    let mut versions = vec![expected.rows.version];
    versions.push(expected.write(&**store, every_kind).await);
    versions.push(expected.write(&**store, |_, _| {}).await);
    let rename = |rows: &mut DirectoryRows, at| {
        rows.students.push(put(at, student_id(3), Student { name: line(&format!("이름 {at}")), ..student(3) }));
        rows.lessons.push(put(
            at,
            "l2".to_owned(),
            Lesson { subject: Some(line(&format!("과목 {at}"))), ..lesson("l2", "2026-05-20", [1, 1, 2]) },
        ));
    };
    versions.push(expected.write(&**store, rename).await);
    versions.push(expected.write(&**store, rename).await);
    versions.push(
        expected
            .write(&**store, |rows, at| {
                rows.students.push(removed(at, student_id(4)));
                rows.meals.push(removed(at, meal("2026-05-20", MealType::Lunch).id()));
            })
            .await,
    );
    versions.push(expected.write(&**store, |rows, at| rows.students.push(put(at, student_id(400), student(400)))).await);
    for since in versions {
        let told = store.directory_changes(since).await.answered();
        assert_eq!(told, Some(expected.since(since.number)), "the changes since {since:?}");
    }
}

pub(super) async fn changes_since_another_lineage_are_unknown(store: &Candidate) {
    is_unknown(store, |known| DatasetVersion { lineage: !known.lineage, ..known }).await;
}

pub(super) async fn changes_since_a_later_number_are_unknown(store: &Candidate) {
    is_unknown(store, |known| DatasetVersion { number: known.number + 2, ..known }).await;
    is_unknown(store, |known| DatasetVersion { number: u64::MAX, ..known }).await;
}

pub(super) async fn changes_since_another_mark_are_unknown(store: &Candidate) {
    is_unknown(store, |known| DatasetVersion { mark: !known.mark, ..known }).await;
}

/// Nothing is told of the changes since a version like this, which is not one of the directory.
async fn is_unknown(store: &Candidate, other: impl FnOnce(DatasetVersion) -> DatasetVersion) {
    let mut expected = Expected::new(&**store).await;
    let known = expected.write(&**store, every_kind).await;
    expected.write(&**store, |_, _| {}).await;
    assert!(store.directory_changes(known).await.answered().is_some(), "a version that the directory was at is known");
    let other = other(known);
    assert_eq!(store.directory_changes(other).await.answered(), None, "{other:?} is not {known:?}, so it is unknown");
}

pub(super) async fn new_records_may_refer_to_each_other_in_any_order(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    expected
        .write(&**store, |rows, at| {
            // Each club is led by a member, and both are new.
            for number in [9, 2, 5] {
                rows.clubs.push(put(at, club_id(number), led(number, 10 - number)));
                rows.students.push(put(at, student_id(10 - number), member(10 - number, number)));
                let project = Project { club: Some(club_id(number)), ..project(number, &[1, 5, 8]) };
                rows.projects.push(put(at, project.id, project));
            }
        })
        .await;
    expected.is_loaded(&**store).await;
    // Everybody moves on by one club and leads it.
    expected
        .write(&**store, |rows, at| {
            for (number, into) in [(9, 2), (2, 5), (5, 9)] {
                rows.students.push(put(at, student_id(10 - number), member(10 - number, into)));
                rows.clubs.push(put(at, club_id(into), led(into, 10 - number)));
            }
        })
        .await;
    expected.is_loaded(&**store).await;
}

pub(super) async fn a_removal_changes_only_what_the_rows_say(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    expected
        .write(&**store, |rows, at| {
            rows.clubs.extend([put(at, club_id(1), led(1, 1)), put(at, club_id(2), autonomous(2))]);
            let both = enrolled(2, |enrolment| {
                (enrolment.major_club, enrolment.autonomous_club) = (Some(club_id(1)), Some(club_id(2)));
            });
            rows.students.extend([put(at, student_id(1), member(1, 1)), put(at, student_id(2), both)]);
            let owned = Project { club: Some(club_id(1)), ..project(1, &[1, 2]) };
            rows.projects.extend([put(at, owned.id, owned), put(at, value(2, ProjectId::new), project(2, &[1]))]);
        })
        .await;
    expected
        .write(&**store, |rows, at| {
            rows.students.push(removed(at, student_id(1)));
            rows.clubs.push(put(at, club_id(1), club(1)));
            let owned = Project { club: Some(club_id(1)), ..project(1, &[2]) };
            rows.projects.extend([put(at, owned.id, owned), put(at, value(2, ProjectId::new), project(2, &[]))]);
        })
        .await;
    expected.is_loaded(&**store).await;
    expected
        .write(&**store, |rows, at| {
            rows.clubs.push(removed(at, club_id(1)));
            rows.students.push(put(at, student_id(2), enrolled(2, |enrolment| enrolment.autonomous_club = Some(club_id(2)))));
            rows.projects.push(put(at, value(1, ProjectId::new), project(1, &[2])));
        })
        .await;
    expected.is_loaded(&**store).await;
    expected.write(&**store, |rows, at| rows.projects.push(removed(at, value(1, ProjectId::new)))).await;
    expected.is_loaded(&**store).await;
}

pub(super) async fn another_handle_loads_the_same(store: &Candidate) {
    let mut expected = Expected::new(&**store).await;
    let first = expected.write(&**store, every_kind).await;
    expected.write(&**store, |rows, at| rows.students.push(removed(at, student_id(4)))).await;
    let again = store.again();
    assert_eq!(again.load_directory().await.answered(), expected.rows, "another handle has the same rows and marks");
    assert_eq!(again.directory_version().await.answered(), expected.rows.version, "and the same version");
    assert_eq!(again.directory_changes(first).await.answered(), Some(expected.since(first.number)), "and the same changes");
    expected.write(&*again, |rows, at| rows.students.push(put(at, student_id(4), student(4)))).await;
    expected.is_loaded(&**store).await;
}

pub(super) async fn a_load_beside_writes_is_of_one_version(store: &Candidate) {
    let first = store.directory_version().await.answered();
    store.race(async |store, racer| {
        if racer % 2 == 0 {
            return write_next(store).await;
        }
        for _ in 0..4 {
            is_of_one_version(&store.load_directory().await.answered());
            let changes = store.directory_changes(first).await.answered();
            is_of_one_version(&changes.expect("the first version is known"));
        }
    });
    let rows = store.load_directory().await.answered();
    assert_eq!((rows.version.number, rows.marks.len()), (RACERS as u64 / 2, RACERS / 2 + 1), "every write made a version");
    is_of_one_version(&rows);
}

/// Writes the number of the next version into rows of each kind, however often others come first.
async fn write_next(store: &dyn Storage) {
    loop {
        let present = store.directory_version().await.answered();
        let next = after(present);
        let (at, text) = (next.number, line(&next.number.to_string()));
        let mut change = DirectoryRows::empty(next);
        change.students.push(put(at, student_id(1), Student { name: text.clone(), ..member(1, 1) }));
        change.clubs.push(put(at, club_id(1), Club { name: text.clone(), ..led(1, 1) }));
        change.projects.push(put(at, value(1, ProjectId::new), Project { name: text.clone(), ..project(1, &[1]) }));
        change.meals.push(a_meal(at, Meal { calories: Some(text.clone()), ..meal("2026-05-20", MealType::Lunch) }));
        change.events.push(put(at, "e".to_owned(), SchoolEvent { name: text.clone(), ..event("e", "2026-05-20", "체육") }));
        change.lessons.push(put(at, "l".to_owned(), Lesson { subject: Some(text), ..lesson("l", "2026-05-20", [1, 1, 1]) }));
        if store.write_directory(present, Arc::new(change)).await.answered() == Advance::Written {
            return;
        }
    }
}

/// All rows are those that [`write_next`] wrote last.
fn is_of_one_version(rows: &DirectoryRows) {
    let number = rows.version.number;
    let mut seen: BTreeSet<(u64, String)> = BTreeSet::new();
    seen.extend(rows.students.iter().map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))));
    seen.extend(rows.clubs.iter().map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))));
    seen.extend(rows.projects.iter().map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))));
    seen.extend(rows.meals.iter().map(|row| (row.changed, text(row.value.as_ref().and_then(|of| of.calories.as_deref())))));
    seen.extend(rows.events.iter().map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))));
    seen.extend(rows.lessons.iter().map(|row| (row.changed, text(row.value.as_ref().and_then(|of| of.subject.as_deref())))));
    let expected = (number > 0).then(|| (number, number.to_string()));
    assert!(seen.iter().eq(&expected), "every row is of version {number}: {seen:?}");
    assert_eq!(rows.marks.last().map_or(0, |(last, _)| *last), number, "the marks are those of version {number}");
}

fn text(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}

/// The version after this one, with a mark that uses all bits.
fn after(version: DatasetVersion) -> DatasetVersion {
    DatasetVersion { number: version.number + 1, mark: !version.number, ..version }
}

fn put<I, T>(changed: u64, id: I, value: T) -> DirectoryRow<I, T> {
    DirectoryRow { id, changed, value: Some(value) }
}

fn a_meal(changed: u64, meal: Meal) -> DirectoryRow<String, Meal> {
    put(changed, meal.id(), meal)
}

fn removed<I, T>(changed: u64, id: I) -> DirectoryRow<I, T> {
    DirectoryRow { id, changed, value: None }
}

/// What a store has to have after the writes that it made.
struct Expected {
    rows: DirectoryRows,
}

impl Expected {
    /// What the store has now.
    async fn new(store: &dyn Storage) -> Self {
        Self { rows: store.load_directory().await.answered() }
    }

    /// Writes rows as the next version, which must succeed. `fill` is given the number of that version.
    async fn write(&mut self, store: &dyn Storage, fill: impl FnOnce(&mut DirectoryRows, u64)) -> DatasetVersion {
        let version = after(self.rows.version);
        let mut change = DirectoryRows::empty(version);
        fill(&mut change, version.number);
        let change = Arc::new(change);
        let outcome = store.write_directory(self.rows.version, Arc::clone(&change)).await.answered();
        assert_eq!(outcome, Advance::Written, "the directory is at the expected version");
        self.rows.version = version;
        self.rows.marks.push((version.number, version.mark));
        replace(&mut self.rows.students, &change.students);
        replace(&mut self.rows.clubs, &change.clubs);
        replace(&mut self.rows.projects, &change.projects);
        replace(&mut self.rows.meals, &change.meals);
        replace(&mut self.rows.events, &change.events);
        replace(&mut self.rows.lessons, &change.lessons);
        version
    }

    /// What changed after the version `number`.
    fn since(&self, number: u64) -> DirectoryRows {
        let mut rows = self.rows.clone();
        rows.marks.retain(|(of, _)| *of > number);
        rows.students.retain(|row| row.changed > number);
        rows.clubs.retain(|row| row.changed > number);
        rows.projects.retain(|row| row.changed > number);
        rows.meals.retain(|row| row.changed > number);
        rows.events.retain(|row| row.changed > number);
        rows.lessons.retain(|row| row.changed > number);
        rows
    }

    async fn is_loaded(&self, store: &dyn Storage) {
        let loaded = store.load_directory().await.answered();
        assert_eq!(loaded, self.rows, "what is loaded is what was written");
    }
}

fn replace<I: Ord + Clone, T: Clone>(rows: &mut Vec<DirectoryRow<I, T>>, change: &[DirectoryRow<I, T>]) {
    rows.retain(|row| change.iter().all(|changed| changed.id != row.id));
    rows.extend_from_slice(change);
    rows.sort_by(|one, other| one.id.cmp(&other.id));
}

/// Text that databases and drivers are known to change.
const ODD: &str = "  100%_'\"\\ ﬁ A\u{30a} 👩‍💻 \u{200b}\u{ffff} $1 ?1 ";

fn students() -> [Student; 4] {
    let whole = enrolled(1, |enrolment| {
        enrolment.role = EnrolledRole::DormitoryManager;
        enrolment.dormitory_room = Some(value(415, DormitoryRoom::new));
        (enrolment.major_club, enrolment.autonomous_club) = (Some(club_id(1)), Some(club_id(2)));
    });
    let named = Student {
        name: line(ODD),
        sex: Sex::Man,
        email: "O'Hara+%_\"@School.Example".parse().unwrap_or_else(|_| student(1).email),
        specialty: Some(line(ODD)),
        github_id: Some("Some-Body".parse().expect("a user name")),
        ..whole
    };
    [named, left(2, Standing::Graduate), student(3), left(4, Standing::Withdrawn)]
}

fn lists(texts: [&str; 2]) -> (Repositories, TechStacks) {
    let addresses = texts.map(|text| line(&format!("https://git.example/{text}"))).to_vec();
    (Repositories::new(addresses).expect("addresses"), TechStacks::new(texts.map(line).to_vec()).expect("names"))
}

/// Records of every kind, some with every value that may be absent and some without.
fn every_kind(rows: &mut DirectoryRows, at: u64) {
    rows.students.extend(students().map(|student| put(at, student.id, student)));
    let ended = Club { years: years(Some(2024)), name: line(ODD), ..autonomous(2) };
    rows.clubs.extend([led(1, 1), ended].map(|club| put(at, club.id, club)));
    let (repositories, tech_stacks) = lists([ODD, "b\",\"c"]);
    let description = format!("{ODD}\r\n\t{ODD}\n").parse().expect("a text");
    let whole =
        Project { club: Some(club_id(1)), years: years(Some(2025)), description, repositories, tech_stacks, ..project(1, &[3, 1, 2]) };
    rows.projects.extend([whole, project(2, &[])].map(|project| put(at, project.id, project)));
    let sparse =
        Meal { dishes: vec![], calories: None, origin: None, nutrition: None, serve_count: None, ..meal("0001-01-01", MealType::Dinner) };
    let nutrition = Some(format!("{ODD}\n\n{ODD}").parse().expect("a text"));
    let whole = Meal { nutrition, calories: Some(line(ODD)), ..meal("2026-05-20", MealType::Lunch) };
    rows.meals.extend([whole, sparse].map(|meal| a_meal(at, meal)));
    let whole = SchoolEvent { content: Some(ODD.parse().expect("a text")), course_type: Some(line(ODD)), ..event(ODD, "9999-12-31", ODD) };
    let sparse = SchoolEvent { day_category: None, day_night: None, target_grades: vec![], ..event("e2", "2026-05-20", "체육") };
    rows.events.extend([whole, sparse].map(|event| put(at, event.id.to_string(), event)));
    let whole = Lesson { department: Some(line(ODD)), ..lesson(ODD, "2026-05-20", [12, 99, 20]) };
    let sparse = Lesson { semester: None, subject: None, classroom: None, ..lesson("l2", "2026-05-20", [1, 1, 1]) };
    rows.lessons.extend([whole, sparse].map(|lesson| put(at, lesson.id.to_string(), lesson)));
}

/// The same ids, with values where [`every_kind`] has none and none where it has some.
fn every_kind_otherwise(rows: &mut DirectoryRows, at: u64) {
    let [whole, ..] = students();
    let moved = [student(1), Student { id: student_id(2), ..whole }, left(3, Standing::Graduate), student(4)];
    rows.students.extend(moved.map(|student| put(at, student.id, student)));
    let running = Club { leader: Some(student_id(2)), ..autonomous(2) };
    rows.clubs.extend([Club { years: years(Some(2030)), ..club(1) }, running].map(|club| put(at, club.id, club)));
    let (repositories, tech_stacks) = lists(["x", "y"]);
    let owned = Project { club: Some(club_id(2)), repositories, tech_stacks, ..project(2, &[3]) };
    rows.projects.extend([project(1, &[2]), owned].map(|project| put(at, project.id, project)));
    let sparse = Meal { dishes: vec![], calories: None, origin: None, serve_count: None, ..meal("2026-05-20", MealType::Lunch) };
    rows.meals.extend([sparse, meal("0001-01-01", MealType::Dinner)].map(|meal| a_meal(at, meal)));
    rows.events
        .extend([event(ODD, "2026-05-20", "체육"), event("e2", "2026-05-21", ODD)].map(|event| put(at, event.id.to_string(), event)));
    let lessons = [lesson(ODD, "2026-05-21", [1, 1, 1]), lesson("l2", "2026-05-20", [2, 2, 2])];
    rows.lessons.extend(lessons.map(|lesson| put(at, lesson.id.to_string(), lesson)));
}

/// Removes what [`every_kind`] puts.
fn remove_every_kind(rows: &mut DirectoryRows, at: u64) {
    let mut all = DirectoryRows::empty(rows.version);
    every_kind(&mut all, at);
    rows.students.extend(all.students.into_iter().map(|row| removed(at, row.id)));
    rows.clubs.extend(all.clubs.into_iter().map(|row| removed(at, row.id)));
    rows.projects.extend(all.projects.into_iter().map(|row| removed(at, row.id)));
    rows.meals.extend(all.meals.into_iter().map(|row| removed(at, row.id)));
    rows.events.extend(all.events.into_iter().map(|row| removed(at, row.id)));
    rows.lessons.extend(all.lessons.into_iter().map(|row| removed(at, row.id)));
}
