//! The turn of the school year.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lyceum::directory::Directory;
use lyceum::domain::{PageRequest, RecordKind, SubjectId, Timestamp};
use lyceum::import::{ApplyOutcome, Export, Import};
use lyceum::school_year::{YearOutcome, YearTurn, YearUndo};
use lyceum::store::sql::SqlStore;
use lyceum::store::{HistoryFilter, SchoolHistoryStore, StorageError};

use super::import::{Crash, apply_option, file, import};
use super::{init, output, serve};
use crate::failures::assert_one_line;
use crate::server::failure;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    a_turn_of_the_year_and_its_undo_that_end_at_any_statement_are_whole,
    a_year_is_turned_as_it_was_shown_and_undone,
    a_person_is_exported_and_erased_everywhere,
);

const STUDENTS: &str = "\
이름,성별,이메일,학년,반,번호,학과,기숙사 호실
김하늘,여,haneul@school.example,3,3,7,AI,415
이바다,남,bada@school.example,2,3,8,AI,
박산,남,san@school.example,1,1,1,SMART_IOT,
";

const CLUBS: &str = "\
동아리명,종류,창설 연도,동아리장,구성원
반딧불,전공 동아리,2021,김하늘,\"김하늘, 이바다\"
";

const FIRST_YEARS: &str = "\
이름,성별,이메일,학년,반,번호,학과
최별,여,byeol@school.example,1,1,1,AI
";

/// 8 February 2027.
const AT: Timestamp = Timestamp::from_seconds(1_802_044_800);

async fn open(store: SqlStore) -> Directory {
    let directory = Directory::builder_with_history(Arc::new(store));
    directory.open().await.unwrap()
}

/// All that a turn changes: the records, the history and the turns.
async fn everything(database: &TestDatabase) -> (Vec<Vec<u8>>, String) {
    let store = Arc::new(database.store().await);
    let directory = Directory::open(store.clone()).await.unwrap();
    let mut files = Vec::new();
    for kind in [RecordKind::Students, RecordKind::Clubs] {
        files.push(Export::new(kind).write(&directory).await.unwrap());
    }
    let history = store
        .school_history(HistoryFilter::default(), PageRequest::LARGEST)
        .await
        .unwrap();
    let turns = store.year_turns(9).await.unwrap();
    let mut turned = Vec::new();
    for turn in &turns {
        turned.push(store.turned_records(turn.version).await.unwrap());
    }
    (files, format!("{history:?} {turns:?} {turned:?}"))
}

/// Ends a call before each of its statements in turn. Nothing must be stored then, and all of it in
/// the end.
async fn crash_everywhere(
    database: &TestDatabase,
    call: impl AsyncFn(&Directory) -> Result<YearOutcome, StorageError>,
) {
    let before = everything(database).await;
    let mut steps = 0;
    loop {
        let crash = Arc::new(Crash(AtomicUsize::new(usize::MAX)));
        let store = database.store().await.with_transaction_hook(crash.clone());
        let crashing = open(store).await;
        crash.0.store(steps, Ordering::Relaxed);
        let outcome = call(&crashing).await;
        let after = everything(database).await;
        match outcome {
            Err(_) => assert!(after == before, "after {steps} steps"),
            Ok(applied) => {
                assert!(matches!(applied, YearOutcome::Applied(_)), "{applied:?}");
                assert!(after != before);
                break;
            }
        }
        steps += 1;
    }
    assert!(steps > 10, "the statements were not interrupted");
}

// Proves: threats 46
/// Fails if a part of a turn, or of its undo, is stored, of whatever statement it is the last.
async fn a_turn_of_the_year_and_its_undo_that_end_at_any_statement_are_whole(
    database: TestDatabase,
) {
    database.prepare().await;
    let directory = open(database.store().await).await;
    for (kind, content) in [(RecordKind::Students, STUDENTS), (RecordKind::Clubs, CLUBS)] {
        let plan = Import::new(kind).plan(&directory, content).await.unwrap();
        let applied = plan.apply(&directory).await.unwrap();
        assert!(matches!(applied, ApplyOutcome::Applied(_)), "{applied:?}");
    }
    let (files, _) = everything(&database).await;
    let turn = YearTurn::new().first_years(FIRST_YEARS, lyceum::import::FileFormat::Csv);
    let plan = turn.plan(&directory, AT).await.unwrap();
    assert_eq!((plan.graduated(), plan.moved(), plan.added()), (1, 2, 1));
    crash_everywhere(&database, async |directory| {
        plan.apply(directory, SubjectId::service(), AT).await
    })
    .await;
    let directory = open(database.store().await).await;
    let undo = YearUndo::plan(&directory, AT).await.unwrap();
    assert_eq!((undo.restored(), undo.removed()), (3, 1));
    crash_everywhere(&database, async |directory| {
        undo.apply(directory, SubjectId::service(), AT).await
    })
    .await;
    assert!(everything(&database).await.0 == files);
}

// Proves: threats 47
/// Fails if a turn is applied that was not shown, if its undo does not bring back the school, if the
/// history is lost or in the data API, or if an event has a name.
async fn a_year_is_turned_as_it_was_shown_and_undone(database: TestDatabase) {
    init(&database);
    let students = file(&database, "students.csv", STUDENTS);
    import(&database, "students", &students);
    let clubs = file(&database, "clubs.csv", CLUBS);
    import(&database, "clubs", &clubs);
    let before = output(database.school(&["export", "students"]));
    let first_years = file(&database, "first-years.csv", FIRST_YEARS);

    let twice = file(&database, "twice.csv", FIRST_YEARS.repeat(2));
    let turn = ["year", "turn", "--first-years", &twice, "--apply"];
    let (_, said) = failure(database.school(&turn));
    assert!(said.contains("conflicts"), "{said}");

    let turn = ["year", "turn", "--first-years", &first_years];
    let shown = output(database.school(&turn));
    for line in [
        "- 1 김하늘 (3307) graduates",
        "~ 2 이바다: 2308 → 3308",
        "+ 4 최별: 1101",
        "~ club 반딧불 has no leader then",
        ": 1 graduate, 2 go up, 0 repeat, 1 new, 0 conflicts",
    ] {
        assert!(shown.contains(line), "{line} is not in {shown}");
    }
    let stale = ["year", "turn", &apply_option(&shown)];
    assert_one_line(failure(database.school(&stale)), "this is not the plan");
    assert_eq!(output(database.school(&["export", "students"])), before);

    let year = |text: &str| text.split("school year ").nth(1).unwrap()[..4].to_owned();
    let year = year(&shown);
    let option = apply_option(&shown);
    let apply = [&turn[..], &[option.as_str()]].concat();
    let said = output(database.school(&apply));
    assert!(said.contains("Applied"), "{said}");
    let (_, said) = failure(database.school(&["year", "turn", "--apply"]));
    assert!(said.contains("was turned already"), "{said}");

    let history = output(database.school(&["year", "history", "--year", &year, "--class", "3-3"]));
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(lines.len(), 2, "{history}");
    let entry = format!("{year},3,3,7,1,\"김하늘\",AI,\"반딧불\",GRADUATED,");
    assert!(lines[1].starts_with(&entry), "{history}");
    let of_one = output(database.school(&["year", "history", "--student", "2"]));
    assert!(of_one.contains("YEAR_END"), "{of_one}");

    let (server, origin) = serve(&database, &[]);
    let issue = ["key", "issue", "--description", "Screen", "--scope"];
    let issued = output(database.school(&[&issue[..], &["STUDENT_READ"]].concat()));
    let key = issued.lines().last().unwrap();
    let found = Client::new()
        .get(
            &format!("{origin}/v1/students?studentId=1&includeGraduates=true"),
            &[("x-api-key", key)],
        )
        .await;
    let found = found.json();
    let graduate = &found["data"]["students"][0];
    assert_eq!(graduate["role"], "GRADUATE", "{found}");
    assert!(
        graduate["grade"].is_null() && graduate["majorClub"].is_null(),
        "{found}"
    );
    for path in ["year", "history", "school-history"] {
        let found = Client::new()
            .get(&format!("{origin}/v1/{path}"), &[("x-api-key", key)])
            .await;
        assert_eq!(found.status, 404, "{path}");
    }
    server.stop();

    let shown = output(database.school(&["year", "undo"]));
    assert!(
        shown.contains("3 students as before, 1 new ones removed, 0 left"),
        "{shown}"
    );
    let said = output(database.school(&["year", "undo", &apply_option(&shown)]));
    assert!(said.contains("Undone"), "{said}");
    assert_eq!(output(database.school(&["export", "students"])), before);
    let history = output(database.school(&["year", "history"]));
    assert_eq!(history.lines().count(), 1, "{history}");
    assert_one_line(
        failure(database.school(&["year", "undo"])),
        "there is no turn of the school year to undo",
    );

    let count = |filter: &str| {
        let query = format!("SELECT count(*) FROM audit_records WHERE {filter}");
        database.count(&query)
    };
    assert_eq!(
        count("kind = 'year_turned' AND line LIKE '%\"graduated\":1,%'"),
        1
    );
    assert_eq!(
        count("kind = 'year_turn_undone' AND line LIKE '%\"changed\":3,%'"),
        1
    );
    assert_eq!(count("kind LIKE 'year%' AND line LIKE '%하늘%'"), 0);
}

// Proves: threats 47
/// Fails if something that is stored about a person is missing in the export, or is there after the
/// erasure, or if the erasure is not recorded.
async fn a_person_is_exported_and_erased_everywhere(database: TestDatabase) {
    init(&database);
    let students = file(&database, "students.csv", STUDENTS);
    import(&database, "students", &students);
    let clubs = file(&database, "clubs.csv", CLUBS);
    import(&database, "clubs", &clubs);
    let create = ["account", "create", "haneul@school.example"];
    output(database.school(&[&create[..], &super::PUBLIC_URL[..]].concat()));
    output(database.school(&["year", "turn", "--apply"]));

    let exported = output(database.school(&["person", "export", "1"]));
    let exported: serde_json::Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(exported["student"]["name"], "김하늘", "{exported}");
    assert_eq!(exported["history"][0]["clubs"][0], "반딧불", "{exported}");
    let account = &exported["accounts"][0];
    assert_eq!(account["email"], "haneul@school.example", "{exported}");

    let said = output(database.school(&["person", "erase", "1"]));
    assert!(
        said.contains("1 record, 1 entries of the history, 1 accounts"),
        "{said}"
    );
    let rows = |table: &str, column: &str, text: &str| {
        let query = format!("SELECT count(*) FROM {table} WHERE {column} LIKE '%{text}%'");
        database.count(&query)
    };
    assert_eq!(rows("students", "name", "김하늘"), 1);
    let said = output(database.school(&["person", "erase", "1", "--yes"]));
    assert!(said.contains("Erased"), "{said}");
    for (table, column) in [
        ("students", "name"),
        ("students", "email"),
        ("school_history", "name"),
        ("accounts", "email"),
        ("audit_records", "line"),
    ] {
        for text in ["김하늘", "haneul"] {
            assert_eq!(rows(table, column, text), 0, "{text} is in {table}");
        }
    }
    for query in [
        "SELECT count(*) FROM turned_students WHERE student_id = 1",
        "SELECT count(*) FROM turned_clubs WHERE leader_id = 1",
    ] {
        assert_eq!(database.count(query), 0, "{query}");
    }
    assert_eq!(rows("audit_records", "kind", "person_erased"), 1);
    let said = output(database.school(&["person", "erasures"]));
    assert!(
        said.contains("student 1  1 entries of the history"),
        "{said}"
    );
    for command in ["export", "erase"] {
        assert_one_line(
            failure(database.school(&["person", command, "1"])),
            "nothing is stored about a student 1",
        );
    }
    // The others are as the turn left them, and can still be undone.
    let said = output(database.school(&["year", "undo", "--apply"]));
    assert!(said.contains("2 students as before"), "{said}");
}
