//! The spreadsheets that the documentation offers, and files that a spreadsheet program wrote.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{init, output, serve};
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(the_offered_spreadsheets_fill_a_school_and_change_nothing_the_second_time);

const KINDS: [&str; 3] = ["students", "clubs", "projects"];

/// Path of a spreadsheet that the documentation offers.
fn sample(kind: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/samples");
    text(folder.join(format!("{kind}.csv")))
}

/// Path of a file that LibreOffice 7.4 wrote.
fn written_by_libreoffice(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/process/school/libreoffice");
    text(folder.join(name))
}

fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().unwrap()
}

pub(super) fn import_samples(database: &TestDatabase) {
    for kind in KINDS {
        let said = output(database.school(&["import", kind, &sample(kind), "--apply"]));
        assert!(said.contains("0 removed, 0 unchanged, 0 refused"), "{said}");
    }
}

fn assert_changes_nothing(database: &TestDatabase, arguments: &[&str]) {
    let said = output(database.school(&[&["import"], arguments].concat()));
    assert!(said.contains("has all of this already"), "{said}");
}

/// Fails if an offered file is refused in part, if importing it again changes records or the entity
/// tags of the lists, or if the lists have other records than the files.
async fn the_offered_spreadsheets_fill_a_school_and_change_nothing_the_second_time(
    database: TestDatabase,
) {
    init(&database);
    import_samples(&database);
    let (server, origin) = serve(&database, &[]);
    let scopes = ["STUDENT_READ", "CLUB_READ", "PROJECT_READ"];
    let scopes = scopes.map(|scope| ["--scope", scope]).concat();
    let issue = ["key", "issue", "--description", "Screen"];
    let issued = output(database.school(&[&issue[..], &scopes].concat()));
    let key = issued.lines().last().unwrap();
    let read = async |path: &str| {
        let headers = [("x-api-key", key)];
        let page = Client::new()
            .get(&format!("{origin}{path}"), &headers)
            .await;
        let total = page.json()["data"]["totalElements"].as_u64();
        (total, page.headers["etag"].clone())
    };
    let paths = [
        "/v1/students?includeGraduates=true&includeWithdrawn=true",
        "/v1/clubs",
        "/v1/projects",
    ];
    let mut before = Vec::new();
    for path in paths {
        before.push(read(path).await);
    }
    assert_eq!(before[0].0, Some(600));
    for kind in KINDS {
        assert_changes_nothing(&database, &[kind, &sample(kind), "--apply"]);
    }
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(read(path).await, before, "{path}");
    }
    server.stop();
}

/// Fails if a spreadsheet program changes exported records in a way that an import does not undo.
/// The files were exported with Korean headings, opened in LibreOffice, and saved as CSV by it. Where
/// it is installed, it does so again.
#[test]
fn files_that_libreoffice_wrote_are_read_without_a_change() {
    let database = TestDatabase::sqlite();
    init(&database);
    import_samples(&database);
    let formulas = written_by_libreoffice("formulas.json");
    output(database.school(&["import", "projects", &formulas, "--partial", "--apply"]));
    for kind in KINDS {
        let file = written_by_libreoffice(&format!("{kind}.csv"));
        assert_changes_nothing(&database, &[kind, &file]);
    }
    let file = written_by_libreoffice("students-cp949.csv");
    let said = output(database.school(&["import", "students", &file, "--partial"]));
    assert!(said.contains("60 rows in CP949"), "{said}");
    assert!(said.contains("has all of this already"), "{said}");

    if Command::new("soffice").arg("--version").output().is_err() {
        return;
    }
    for kind in KINDS {
        let exported = database.folder().join(format!("{kind}.csv"));
        let arguments = ["export", kind, "--korean-headings", "--bom"];
        fs::write(&exported, output(database.school(&arguments))).unwrap();
        let folder = database.folder().join("saved");
        // The numbers are the comma, the quotation mark and UTF-8.
        let steps = [
            (exported, "CSV:44,34,76,1", "xlsx"),
            (
                folder.join(format!("{kind}.xlsx")),
                "Calc MS Excel 2007 XML",
                "csv:Text - txt - csv (StarCalc):44,34,76",
            ),
        ];
        for (file, filter, format) in steps {
            let mut office = Command::new("soffice");
            let profile = database.folder().join("profile");
            office.arg(format!(
                "-env:UserInstallation=file://{}",
                profile.display()
            ));
            office.arg("--headless").arg(format!("--infilter={filter}"));
            office.args(["--convert-to", format, "--outdir"]);
            output({
                office.arg(&folder).arg(file);
                office
            });
        }
        let saved = text(folder.join(format!("{kind}.csv")));
        assert_changes_nothing(&database, &[kind, &saved]);
    }
}
