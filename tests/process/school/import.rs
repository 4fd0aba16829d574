//! Files of students, clubs and projects: shown, applied, and exported.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use lyceum::directory::Directory;
use lyceum::domain::RecordKind;
use lyceum::import::{ApplyOutcome, Export, Import};
use lyceum::store::StorageError;
use lyceum::store::sql::{Phase, TransactionHook};

use super::{PUBLIC_URL, init, output, serve};
use crate::failures::assert_one_line;
use crate::server::failure;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    a_school_is_filled_from_files_and_exports_what_it_has,
    a_plan_is_applied_as_it_was_shown_or_not_at_all,
    an_import_that_ends_at_any_statement_leaves_the_school_as_it_was,
    an_import_suspends_the_accounts_of_students_who_have_left_and_resumes_them,
);

/// Students as a Korean spreadsheet program saves them.
const STUDENTS: &str = "\
이름,성별,이메일,학년,반,번호,학과,기숙사 호실
김하늘,여,haneul@school.example,2,3,7,AI,415
이바다,남,bada@school.example,2,3,8,AI,
박산,남,san@school.example,1,1,1,SMART_IOT,
";

const CLUBS: &str = "\
동아리명,종류,창설 연도,동아리장,구성원
반딧불,전공 동아리,2021,김하늘,\"김하늘, 이바다\"
";

/// Writes a file beside the database.
pub(super) fn file(database: &TestDatabase, name: &str, content: impl AsRef<[u8]>) -> String {
    let path: PathBuf = database.folder().join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The command that a plan names to apply it.
pub(super) fn apply_option(shown: &str) -> String {
    let (_, option) = shown.trim_end().rsplit_once(' ').unwrap();
    assert!(option.starts_with("--apply="), "{shown}");
    option.to_owned()
}

fn cp949(text: &str) -> Vec<u8> {
    let (bytes, _, has_unmappable) = encoding_rs::EUC_KR.encode(text);
    assert!(!has_unmappable);
    bytes.into_owned()
}

/// Imports a file after it was shown.
pub(super) fn import(database: &TestDatabase, kind: &str, file: &str) -> String {
    let shown = output(database.school(&["import", kind, file]));
    output(database.school(&["import", kind, file, &apply_option(&shown)]))
}

/// Fails if an applied file is not served, if an export or the CSV of the data API differs from what
/// was imported, or if the event has personal data.
async fn a_school_is_filled_from_files_and_exports_what_it_has(database: TestDatabase) {
    init(&database);
    let students = file(&database, "students.csv", cp949(STUDENTS));
    let applied = import(&database, "students", &students);
    assert!(applied.contains("3 rows in CP949"), "{applied}");
    assert!(applied.contains("Applied"), "{applied}");
    let clubs = file(&database, "clubs.csv", CLUBS);
    let applied = import(&database, "clubs", &clubs);
    for text in ["+ 1 반딧불 (line 2)", "~ students 1 김하늘"] {
        assert!(applied.contains(text), "{text} is not in {applied}");
    }
    let projects = r#"[{"name": "=1+1", "description": "", "startYear": 2026, "club": {"name": "반딧불"},
        "participants": [{"email": "bada@school.example"}], "techStacks": ["Rust"]}]"#;
    let projects = file(&database, "projects.json", projects);
    import(&database, "projects", &projects);

    let (server, origin) = serve(&database, &[]);
    let scopes = ["STUDENT_READ", "CLUB_READ", "PROJECT_READ"];
    let scopes = scopes.map(|scope| ["--scope", scope]).concat();
    let issue = ["key", "issue", "--description", "Screen"];
    let issued = output(database.school(&[&issue[..], &scopes].concat()));
    let key = issued.lines().last().unwrap();
    for kind in ["students", "clubs", "projects"] {
        let headers = [("x-api-key", key), ("accept", "text/csv")];
        let table = Client::new()
            .get(&format!("{origin}/v1/{kind}"), &headers)
            .await;
        let table = file(&database, "table.csv", &table.body);
        let said = output(database.school(&["import", kind, &table]));
        assert!(said.contains("has all of this already"), "{kind}: {said}");
    }
    let clubs = Client::new()
        .get(&format!("{origin}/v1/clubs"), &[("x-api-key", key)])
        .await;
    let clubs = clubs.json();
    let club = &clubs["data"]["clubs"][0];
    assert_eq!(club["leader"]["name"], "김하늘", "{clubs}");
    assert_eq!(club["participants"][0]["name"], "이바다", "{clubs}");
    server.stop();

    for kind in ["students", "clubs", "projects"] {
        for (name, options) in [
            ("exported.csv", &[][..]),
            ("korean.csv", &["--korean-headings", "--bom"]),
            ("exported.json", &["--format", "json"]),
        ] {
            let arguments = [&["export", kind], options].concat();
            let exported = database.school(&arguments).output().unwrap().stdout;
            let exported = file(&database, name, exported);
            let said = output(database.school(&["import", kind, &exported]));
            assert!(said.contains("has all of this already"), "{kind}: {said}");
        }
    }
    let events =
        "SELECT count(*) FROM audit_records WHERE kind = 'imported' AND line LIKE '%\"count\":3,%'";
    assert_eq!(database.count(events), 1);
    let personal =
        "SELECT count(*) FROM audit_records WHERE kind = 'imported' AND line LIKE '%bada%'";
    assert_eq!(database.count(personal), 0);
}

/// Fails if something is written without `--apply`, if a plan of another state or file is applied,
/// or if refused lines or many removals do not stop it.
async fn a_plan_is_applied_as_it_was_shown_or_not_at_all(database: TestDatabase) {
    init(&database);
    let count = || database.count("SELECT count(*) FROM students");
    let students = file(&database, "students.csv", STUDENTS);
    let shown = output(database.school(&["import", "students", &students]));
    assert!(
        shown.contains("+ 1 김하늘 (line 2): name 김하늘; sex WOMAN"),
        "{shown}"
    );
    assert_eq!(count(), 0);

    let other = file(&database, "other.csv", STUDENTS.replace("415", "416"));
    let stale = ["import", "students", &other, &apply_option(&shown)];
    assert_one_line(failure(database.school(&stale)), "this is not the plan");
    assert_eq!(count(), 0);
    output(database.school(&["import", "students", &students, "--apply"]));
    assert_eq!(count(), 3);
    let stale = ["import", "students", &other, &apply_option(&shown)];
    assert_one_line(failure(database.school(&stale)), "this is not the plan");

    let refused = file(
        &database,
        "refused.csv",
        STUDENTS.replace(",2,3,8,", ",9,3,8,"),
    );
    let arguments = ["import", "students", &refused, "--apply"];
    let said = database.school(&arguments).output().unwrap();
    assert!(!said.status.success());
    let shown = String::from_utf8(said.stdout).unwrap();
    assert!(
        shown.contains("! line 3, 학년: must be a whole number from 1 to 3"),
        "{shown}"
    );
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("--skip-refused") && said.lines().count() == 1,
        "{said}"
    );

    let first: String = STUDENTS
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    let short = file(&database, "short.csv", first);
    let arguments = ["import", "students", &short, "--apply"];
    let said = database.school(&arguments).output().unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("would remove 2 of 3 records"), "{said}");
    assert_eq!(count(), 3);
    let arguments = ["import", "students", &short, "--partial"];
    let said = output(database.school(&arguments));
    assert!(said.contains("has all of this already"), "{said}");
    let arguments = ["import", "students", &short, "--allow-removals", "--apply"];
    output(database.school(&arguments));
    assert_eq!(count(), 1);
}

/// Ends all work before a step of a transaction.
#[derive(Debug)]
pub(super) struct Crash(pub(super) AtomicUsize);

#[async_trait]
impl TransactionHook for Crash {
    async fn before(&self, _: Phase) -> Result<(), StorageError> {
        let left = self.0.load(Ordering::Relaxed).checked_sub(1);
        self.0.store(left.unwrap_or(0), Ordering::Relaxed);
        left.map(drop)
            .ok_or_else(|| StorageError::unavailable("the database", "it was killed"))
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }
}

/// Fails if a part of an import is stored, of whatever statement it is the last.
async fn an_import_that_ends_at_any_statement_leaves_the_school_as_it_was(database: TestDatabase) {
    database.prepare().await;
    let directory = Directory::open(Arc::new(database.store().await))
        .await
        .unwrap();
    for (kind, content) in [(RecordKind::Students, STUDENTS), (RecordKind::Clubs, CLUBS)] {
        let plan = Import::new(kind).plan(&directory, content).await.unwrap();
        let applied = plan.apply(&directory).await.unwrap();
        assert!(matches!(applied, ApplyOutcome::Applied(_)), "{applied:?}");
    }
    let exported = async |directory: &Directory| {
        let mut files = Vec::new();
        for kind in [RecordKind::Students, RecordKind::Clubs] {
            files.push(Export::new(kind).write(directory).await.unwrap());
        }
        files
    };
    let before = exported(&directory).await;
    // One club is removed, another one is made of its members.
    let import = Import::new(RecordKind::Clubs).allow_removals();
    let file = "name,type,foundedYear,leader.name,participants\n별빛,MAJOR_CLUB,2026,박산,이바다\n";
    let plan = import.plan(&directory, file).await.unwrap();
    assert_eq!(
        (plan.added(), plan.removed(), plan.obstacle()),
        (1, 1, None)
    );
    let mut steps = 0;
    loop {
        let crash = Arc::new(Crash(AtomicUsize::new(usize::MAX)));
        let store = database.store().await.with_transaction_hook(crash.clone());
        let store = Arc::new(store);
        // The import is applied too if only its confirmation fails.
        let builder = Directory::builder(store.clone()).freshness(store);
        let crashing = builder.open().await.unwrap();
        crash.0.store(steps, Ordering::Relaxed);
        let outcome = plan.apply(&crashing).await;
        let reopened = Directory::open(Arc::new(database.store().await))
            .await
            .unwrap();
        let after = exported(&reopened).await;
        match outcome {
            Err(_) => assert_eq!(after, before, "after {steps} steps"),
            Ok(applied) => {
                assert!(matches!(applied, ApplyOutcome::Applied(_)), "{applied:?}");
                assert_ne!(after, before);
                break;
            }
        }
        steps += 1;
    }
    assert!(steps > 10, "the statements were not interrupted");
}

/// Fails if a school with other grades, classes or majors than those of the library cannot have its
/// students, or if a file with a slip is taken for such a school.
#[test]
fn the_grades_classes_and_majors_of_a_school_are_settings() {
    let database = TestDatabase::sqlite();
    init(&database);
    let students =
        "이름,성별,이메일,학년,반,번호,학과\n김하늘,여,haneul@school.example,6,9,30,MUSIC\n";
    let students = file(&database, "students.csv", students);
    let import = ["import", "students", &students, "--apply"];
    let (_, said) = failure(database.school(&import));
    assert!(said.contains("lines are refused (1)"), "{said}");
    let bounds = [
        "--grades=1-6",
        "--classes=1-9",
        "--seat-numbers=1-30",
        "--majors=ART,MUSIC",
    ];
    let said = output(database.school(&[&import[..], &bounds].concat()));
    assert!(said.contains("Applied"), "{said}");
}

// Proves: threats 45
/// Fails if an import does not change the accounts of students who leave or come back, or changes
/// others.
async fn an_import_suspends_the_accounts_of_students_who_have_left_and_resumes_them(
    database: TestDatabase,
) {
    init(&database);
    let students = file(&database, "students.csv", STUDENTS);
    import(&database, "students", &students);
    for email in ["bada@school.example", "teacher@school.example"] {
        output(database.school(&[&["account", "create", email], &PUBLIC_URL[..]].concat()));
    }
    let withdrawn = "이메일,구분,학년,반,번호,학과\nbada@school.example,자퇴생,,,,\n";
    let withdrawn = file(&database, "withdrawn.csv", withdrawn);
    let leaves = ["import", "students", &withdrawn, "--partial", "--apply"];
    let said = output(database.school(&leaves));
    assert!(said.contains("Accounts suspended"), "{said}");
    let state = |email: &str| {
        let listed = output(database.school(&["account", "list"]));
        let line = listed.lines().find(|line| line.contains(email));
        line.unwrap().split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!(state("bada@school.example"), "left");
    assert_eq!(state("teacher@school.example"), "invited");
    let reset = [
        &["account", "reset", "bada@school.example"],
        &PUBLIC_URL[..],
    ]
    .concat();
    assert_one_line(failure(database.school(&reset)), "has left");
    let back = "이메일,구분,학년,반,번호,학과\nbada@school.example,재학생,2,3,8,AI\n";
    let back = file(&database, "back.csv", back);
    let returns = ["import", "students", &back, "--partial", "--apply"];
    let said = output(database.school(&returns));
    assert!(said.contains("Accounts resumed"), "{said}");
    assert_eq!(state("bada@school.example"), "invited");

    let without_bada: String = STUDENTS
        .lines()
        .filter(|line| !line.contains("이바다"))
        .map(|line| format!("{line}\n"))
        .collect();
    let fewer = file(&database, "fewer.csv", without_bada);
    let leaves = ["import", "students", &fewer, "--allow-removals", "--apply"];
    let said = output(database.school(&leaves));
    assert!(said.contains("and are removed after a day: 1\n"), "{said}");
    assert!(said.contains("Accounts suspended"), "{said}");
    let said = import(&database, "students", &students);
    assert!(!said.contains("Accounts resumed"), "{said}");
    assert_eq!(
        state("bada@school.example"),
        "left",
        "a student with a new id may be another one"
    );
}
