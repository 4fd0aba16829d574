use rusqlite::Connection;

use super::{CODE, LIFETIMES, NOW, approved_grant, database};
use crate::domain::ClientProof;
use crate::store::sql::SqlStore;
use crate::store::{DirectoryStore, GrantStore};

#[tokio::test]
async fn a_damaged_row_is_an_error_and_nothing_comes_of_it() {
    for damage in [
        "scopes = 'no scope'",
        "client_id = 'somebody'",
        "subject_id = ''",
        "scopes = CAST(x'ff' AS TEXT)",
    ] {
        let (_folder, path) = database();
        let store = SqlStore::sqlite(&path).unwrap();
        let grant = approved_grant(&store).await;
        Connection::open(&path)
            .unwrap()
            .execute_batch(&format!("UPDATE grants SET {damage}"))
            .unwrap();
        let error = store
            .redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW)
            .await
            .unwrap_err();
        assert!(!error.is_unavailable());
        assert!(
            !store.grant_is_live(&grant, NOW).await.unwrap(),
            "{damage} left a redeemed grant"
        );
    }
}

#[tokio::test]
async fn a_challenge_without_its_value_does_not_count_as_no_challenge() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    approved_grant(&store).await;
    Connection::open(&path)
        .unwrap()
        .execute_batch("UPDATE grants SET challenge_method = 'S256'")
        .unwrap();
    assert!(store.code_binding(&CODE).await.is_err());
}

#[tokio::test]
async fn a_damaged_record_of_the_school_is_an_error() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let insert =
        "INSERT INTO students (id, name, name_folded, sex, email, email_folded, role, grade, class_num, number, student_number, major)
        VALUES (1, 'Kim', 'kim', 'WOMAN', 'kim@school.example', 'kim@school.example', 'GENERAL_STUDENT', 13, 1, 1, 13101, 'AI')";
    Connection::open(&path)
        .unwrap()
        .execute_batch(insert)
        .unwrap();
    assert_eq!(
        store.load_directory().await.unwrap_err().to_string(),
        "students.grade"
    );
}

#[test]
fn the_database_itself_keeps_a_graduate_from_having_a_grade() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let graduate = "INSERT INTO students (id, name, name_folded, sex, email, email_folded, role, grade)
        VALUES (1, 'Kim', 'kim', 'WOMAN', 'kim@school.example', 'kim@school.example', 'GRADUATE', 3)";
    assert!(
        Connection::open(&path)
            .unwrap()
            .execute_batch(graduate)
            .is_err()
    );
}

/// Fails if a meal's id is not compared with the columns it is composed of.
#[tokio::test]
async fn a_meal_with_the_id_of_another_is_an_error() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    let insert = "INSERT INTO meals (id, school_code, school_name, office_code, office_name, date, kind, position, dishes)
        VALUES ('7_20260520_1', '7', 'School', 'B', 'Management', '2026-05-20', 'LUNCH', 2, '[]')";
    Connection::open(&path)
        .unwrap()
        .execute_batch(insert)
        .unwrap();
    assert_eq!(
        store.load_directory().await.unwrap_err().to_string(),
        "meals.id"
    );
}

#[tokio::test]
async fn a_version_that_lost_its_mark_is_an_error() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("DELETE FROM directory_marks")
        .unwrap();
    assert_eq!(
        store.directory_version().await.unwrap_err().to_string(),
        "directory_marks.number"
    );
}
