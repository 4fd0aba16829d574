use std::sync::Arc;

use rusqlite::Connection;

use super::database;
use crate::domain::{ShortText, Student, StudentId};
use crate::store::sql::SqlStore;
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore, DirectoryWrite};

/// Students and lessons for more than two parts of a load, inserted by SQL and therefore without
/// entries in the change log.
const MANY: &str = "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 9000)
    INSERT INTO students (id, name, name_folded, sex, email, email_folded, role)
    SELECT 2 * number, 'Kim', 'kim', 'MAN', 'kim@school.example', 'kim@school.example', 'GRADUATE' FROM numbers;
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 9000)
    INSERT INTO lessons (id, school_code, school_name, office_code, office_name, date, academic_year, grade, class_num, period)
    SELECT 'l' || number, '7', 'School', 'B', 'Management', '2026-05-20', '2026', 1, 1, 1 FROM numbers";

fn after(version: DatasetVersion) -> DatasetVersion {
    DatasetVersion {
        number: version.number + 1,
        mark: u64::MAX,
        ..version
    }
}

/// Fails if a part begins or ends one row too early or too late, or if the change log is read by
/// other ranges than the records.
#[tokio::test]
async fn a_directory_of_many_parts_is_loaded_whole() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch(MANY)
        .unwrap();
    let first = store.load_directory().await.unwrap();
    assert!(
        first
            .students
            .iter()
            .map(|row| (row.id.get(), row.changed))
            .eq((1..=9000).map(|number| (2 * number, 0)))
    );
    assert!(
        first.lessons.is_sorted_by(|one, other| one.id < other.id) && first.lessons.len() == 9000
    );
    // Every student is renamed, every second one is removed, and so are many that never existed.
    let version = after(first.version);
    let graduate = first.students[0].value.clone().unwrap();
    let mut change = DirectoryRows::empty(version);
    for number in 1..=27_000 {
        let id = StudentId::new(number).unwrap();
        let is_kept = number % 4 == 0 && number <= 18_000;
        let value = is_kept.then(|| Student {
            id,
            name: ShortText::from_static("Lee"),
            ..graduate.clone()
        });
        change.students.push(DirectoryRow {
            id,
            changed: version.number,
            value,
        });
    }
    change
        .lessons
        .extend(first.lessons.iter().map(|row| DirectoryRow {
            id: row.id.clone(),
            changed: version.number,
            value: None,
        }));
    let change = Arc::new(change);
    assert_eq!(
        store
            .write_directory(first.version, Arc::clone(&change))
            .await
            .unwrap(),
        DirectoryWrite::Written
    );
    let expected = DirectoryRows {
        marks: vec![(version.number, version.mark)],
        ..DirectoryRows::clone(&change)
    };
    assert!(
        store
            .directory_changes(first.version)
            .await
            .unwrap()
            .as_ref()
            == Some(&expected)
    );
    let expected = DirectoryRows {
        marks: [first.marks, expected.marks.clone()].concat(),
        ..expected
    };
    assert!(store.load_directory().await.unwrap() == expected);
}

/// Fails if only one part of the marks is read.
#[tokio::test]
async fn many_marks_are_loaded_whole() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let many = "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 8192)
        INSERT INTO directory_marks (number, mark) SELECT number, -number FROM numbers;
        UPDATE directory_version SET version = 8192";
    Connection::open(&path)
        .unwrap()
        .execute_batch(many)
        .unwrap();
    let loaded = store.load_directory().await.unwrap();
    assert!(loaded.marks.iter().map(|(number, _)| *number).eq(0..=8192));
    assert_eq!(
        loaded.marks.last(),
        Some(&(8192, (-8192_i64).cast_unsigned()))
    );
    let since = DatasetVersion {
        number: 8190,
        mark: (-8190_i64).cast_unsigned(),
        ..loaded.version
    };
    assert_eq!(
        store.directory_changes(since).await.unwrap().unwrap().marks,
        loaded.marks[8191..]
    );
}
