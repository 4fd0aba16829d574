use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::directory::fixtures::{club, club_id, enrollment, project, student, student_id};
use crate::domain::{ClubType, Enrollment, EnrollmentStatus, Repositories, TechStacks};
use crate::import::clubs::Clubs as ClubKind;
use crate::import::columns::Columns;
use crate::import::headings::korean;
use crate::import::kind::Kind;
use crate::import::projects::Projects as ProjectKind;
use crate::import::students::Students as StudentKind;
use crate::import::{Export, FileFormat};
use crate::sample_data::SampleSchool;

/// Exports each kind in each way, and imports what was exported.
fn assert_round_trips(directory: &Directory) {
    for kind in [Students, Clubs, Projects] {
        let csv = Export::new(kind);
        let json = csv.format(FileFormat::Json);
        for (export, format) in [
            (csv, FileFormat::Csv),
            (csv.korean_headings().byte_order_mark(), FileFormat::Csv),
            (json, FileFormat::Json),
        ] {
            let file = block_on(export.write(directory)).unwrap();
            let plan = plan_of(directory, &Import::new(kind).format(format), file);
            assert!(plan.is_empty(), "{export:?}: {plan}");
            assert_eq!(plan.removed(), 0);
        }
    }
}

/// Fails if a record of any shape is not exported as an import reads it.
#[test]
fn an_exported_school_is_imported_without_a_change() {
    let directory = empty_school();
    assert_round_trips(&directory);
    let school = SampleSchool::new(3, "2026-05-20".parse().unwrap());
    write(&directory, school.changes());
    assert_round_trips(&directory);
}

/// Fails if records of an older school, with one address for two students, are not exported.
#[test]
fn students_with_one_address_are_told_apart_by_their_ids() {
    use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore};

    let store = Arc::new(MemoryStore::new());
    let version = block_on(store.directory_version()).unwrap();
    let next = DatasetVersion {
        number: version.number + 1,
        ..version
    };
    let mut rows = DirectoryRows::empty(next);
    for id in [1, 2] {
        let mut student = student(id, "Kim", EnrollmentStatus::Graduate);
        student.email = "kim@school.example".parse().unwrap();
        rows.students.push(DirectoryRow {
            id: student.id,
            changed: next.number,
            value: Some(student),
        });
    }
    let mut both = project(1, None, &[1, 2]);
    both.repositories = Repositories::default();
    rows.projects.push(DirectoryRow {
        id: both.id,
        changed: next.number,
        value: Some(both),
    });
    let _ = block_on(store.write_directory(version, Arc::new(rows))).unwrap();
    let directory = block_on(Directory::open(store)).unwrap();
    assert_round_trips(&directory);
    // Old records stay editable.
    let plan = partial(
        &directory,
        Students,
        "id,name,email\n1,Lee,KIM@school.example\n",
    );
    apply(&directory, &plan);
}

/// Fails if a field is added to a list and not to its files. A field that follows from others
/// belongs into this list.
#[test]
fn every_field_is_exported_or_follows_from_others() {
    fn missing<K: Kind>() -> Vec<String> {
        let directory = empty_school();
        let columns = Columns::of::<K>(directory.resources());
        let mut headings = BTreeSet::new();
        for name in K::names() {
            assert!(columns.position(name).is_some(), "{name}");
            let heading = korean(name).unwrap();
            assert!(headings.insert(heading), "{heading} is there twice");
            assert_eq!(columns.find(heading), columns.position(name), "{heading}");
        }
        let names = columns
            .names()
            .filter(|name| K::names().all(|known| known != *name));
        names.map(str::to_owned).collect()
    }
    assert_eq!(
        missing::<StudentKind>(),
        [
            "studentNumber",
            "dormitoryFloor",
            "majorClub.type",
            "autonomousClub.type",
            "githubUrl"
        ]
    );
    assert_eq!(
        missing::<ClubKind>(),
        [
            "status",
            "leader.email",
            "leader.studentNumber",
            "leader.major",
            "leader.sex"
        ]
    );
    assert_eq!(missing::<ProjectKind>(), ["status", "club.type"]);
}

/// One line of text that is like a formula, is quoted in CSV, or both.
fn line() -> impl Strategy<Value = String> {
    "['=+@＝\", -]{0,3}\\PC{0,12}".prop_filter("a text", |text| !text.trim().is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Fails if a text does not come back from a file exactly as it was.
    #[test]
    fn every_text_of_a_record_comes_back_from_its_export(
        name in line(), club_name in line(), specialty in line(), title in line(),
        description in "['=+@\t\r\n\", -]{0,3}(\\PC|[\r\n\t\"]){0,20}", stack in proptest::collection::vec(line(), 0..3),
        local in "[=+'@;,a-]{1,4}",
    ) {
        let directory = empty_school();
        let enrolled = EnrollmentStatus::Enrolled(Enrollment { major_club: Some(club_id(1)), ..enrollment() });
        let mut member = student(1, &name, enrolled);
        member.specialty = Some(specialty.parse().unwrap());
        if let Ok(email) = format!("{local}@school.example").parse() {
            member.email = email;
        }
        let mut named = club(1, ClubType::Major, None);
        named.name = club_name.parse().unwrap();
        let mut led = named.clone();
        led.leader = Some(student_id(1));
        let mut made = project(1, Some(1), &[1]);
        made.name = title.parse().unwrap();
        made.description = description.parse().unwrap();
        made.tech_stacks = TechStacks::new(stack.iter().map(|name| name.parse().unwrap()).collect()).unwrap();
        write(&directory, vec![named.into(), member.into(), led.into(), made.into()]);
        assert_round_trips(&directory);
    }

    /// Fails if a file can end the program.
    #[test]
    fn any_file_is_read_or_refused(file in proptest::collection::vec(any::<u8>(), 0..200), text in "(\\PC|[,\"\n\\[\\]{}:]){0,80}") {
        let directory = empty_school();
        for format in [FileFormat::Csv, FileFormat::Json] {
            let import = Import::new(Clubs).format(format);
            let _ = block_on(import.plan(&directory, file.clone()));
            let _ = block_on(import.plan(&directory, text.clone()));
            let _ = block_on(import.plan(&directory, format!("name,participants\n{text}")));
        }
    }
}
