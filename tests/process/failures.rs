use std::fs;
use std::net::TcpListener;
use std::path::Path;

use crate::server::{failure, on_sqlite};
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    an_unknown_option_is_one_clear_line_and_exit_1,
    a_lost_master_key_is_one_clear_line_and_exit_1,
    a_damaged_master_key_is_one_clear_line_and_exit_1,
    a_full_standard_output_is_one_clear_line_and_exit_1,
    the_help_names_every_option,
);

/// Output of the SQLite example on a file, on a free port by default.
fn refusal(database: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = on_sqlite(database);
    command.args(["--listen", "127.0.0.1:0"]).args(arguments);
    failure(command)
}

fn refusal_on(database: &TestDatabase, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = database.command();
    command.args(["--listen", "127.0.0.1:0"]).args(arguments);
    failure(command)
}

pub fn assert_one_line(outcome: (Option<i32>, String), says: &str) {
    let (code, said) = outcome;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("lyceum: ") && said.contains(says),
        "{said}"
    );
}

#[test]
fn a_busy_port_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let database = folder.path().join("school.db");
    assert_one_line(refusal(&database, &["--listen", &address]), &address);
    assert!(
        !database.exists(),
        "a server that cannot listen made a database"
    );
}

#[test]
fn a_foreign_database_file_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("letter.txt");
    fs::write(
        &text,
        "This is a letter, and it is longer than the header of a database.\n".repeat(40),
    )
    .unwrap();
    assert_one_line(refusal(&text, &[]), "letter.txt");
    assert!(
        fs::read_to_string(&text)
            .unwrap()
            .starts_with("This is a letter"),
        "the file was changed"
    );

    let other = folder.path().join("other.db");
    let database = rusqlite::Connection::open(&other).unwrap();
    database
        .execute_batch("CREATE TABLE letters (id INTEGER PRIMARY KEY)")
        .unwrap();
    drop(database);
    assert_one_line(refusal(&other, &[]), "other.db");
}

#[test]
fn a_database_that_cannot_be_written_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no/such/folder/school.db");
    assert_one_line(refusal(&nowhere, &[]), "school.db");
    // A folder can never be opened as a file, even by root.
    assert_one_line(refusal(folder.path(), &[]), folder.path().to_str().unwrap());
}

async fn an_unknown_option_is_one_clear_line_and_exit_1(database: TestDatabase) {
    assert_one_line(
        refusal_on(&database, &["--listne", "127.0.0.1:0"]),
        "--listne",
    );
    assert_one_line(refusal_on(&database, &["--listen", "here"]), "--listen");
    assert_one_line(refusal_on(&database, &["-x"]), "-x");
    assert_one_line(
        refusal_on(&database, &["--trusted-proxy", "10.0.0.1/8"]),
        "--trusted-proxy",
    );
    assert_one_line(refusal_on(&database, &["school"]), "school");
    if !database.is_sqlite() {
        for timeout in ["0", "3601", "-1", "soon", ""] {
            assert_one_line(
                refusal_on(&database, &["--patience", timeout]),
                "--patience",
            );
        }
    }
    let path = if database.is_sqlite() {
        "--database"
    } else {
        "--key-file"
    };
    assert_one_line(refusal_on(&database, &[path, ""]), path);
    assert_one_line(refusal_on(&database, &[path]), path);
}

async fn a_lost_master_key_is_one_clear_line_and_exit_1(database: TestDatabase) {
    let (server, _) = database.ready();
    server.stop();
    fs::remove_file(database.key_file()).unwrap();
    assert_one_line(refusal_on(&database, &[]), "master key");
    assert!(
        !database.key_file().exists(),
        "another key was made for a database that has one"
    );
}

async fn a_damaged_master_key_is_one_clear_line_and_exit_1(database: TestDatabase) {
    fs::write(database.key_file(), "short").unwrap();
    assert_one_line(refusal_on(&database, &[]), "school.db.key");
    let (server, _) = {
        fs::remove_file(database.key_file()).unwrap();
        database.ready()
    };
    server.stop();
    fs::write(database.key_file(), [1; 32]).unwrap();
    assert_one_line(refusal_on(&database, &[]), "key");
}

#[test]
fn an_address_that_others_can_reach_is_refused_by_its_name_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    for address in ["192.0.2.2:0", "127.0.0.2:0"] {
        assert_one_line(refusal(&database, &["--listen", address]), "--listen");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

async fn a_full_standard_output_is_one_clear_line_and_exit_1(database: TestDatabase) {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = database
        .command()
        .args(["--listen", "127.0.0.1:0", "--json"])
        .stdout(full)
        .output()
        .unwrap();
    // At that point the log has lines too; they are not part of the message.
    let said = String::from_utf8(output.stderr).unwrap();
    let (log, told): (Vec<_>, Vec<_>) = said.lines().partition(|line| line.contains(" lyceum::"));
    assert!(log.iter().all(|line| line.contains(" INFO ")), "{said}");
    assert_one_line((output.status.code(), told.join("\n")), "cannot print");
}

async fn the_help_names_every_option(database: TestDatabase) {
    for ask in ["--help", "-h"] {
        let output = database.command().arg(ask).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{help}"
        );
        let own: &[_] = if database.is_sqlite() {
            &["--database PATH"]
        } else {
            &[
                "--database-url URL",
                "--patience SECONDS",
                "--migrate",
                "--key-file PATH",
                "DATABASE_URL",
            ]
        };
        for option in [
            own,
            &[
                "--listen ADDR",
                "--trusted-proxy CIDR",
                "--limit NUMBER",
                "--json",
                "--help",
            ],
        ]
        .concat()
        {
            assert!(help.contains(option), "{option} is not in:\n{help}");
        }
    }
    assert!(!database.key_file().exists());
}
