use std::fs;
use std::net::TcpListener;

use crate::server::failure;

fn assert_one_line(outcome: (Option<i32>, String), says: &str) {
    let (code, said) = outcome;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("lyceum: ") && said.contains(says), "{said}");
}

#[test]
fn a_busy_port_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let database = folder.path().join("school.db");
    assert_one_line(failure(&["--listen", &address, "--database", database.to_str().unwrap()]), &address);
    assert!(!database.exists(), "a server that cannot listen made a database");
}

#[test]
fn a_foreign_database_file_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("letter.txt");
    fs::write(&text, "This is a letter, and it is longer than the header of a database.\n".repeat(40)).unwrap();
    assert_one_line(failure(&["--listen", "127.0.0.1:0", "--database", text.to_str().unwrap()]), "letter.txt");
    assert!(fs::read_to_string(&text).unwrap().starts_with("This is a letter"), "the file was changed");

    let other = folder.path().join("other.db");
    let database = rusqlite::Connection::open(&other).unwrap();
    database.execute_batch("CREATE TABLE letters (id INTEGER PRIMARY KEY)").unwrap();
    drop(database);
    assert_one_line(failure(&["--listen", "127.0.0.1:0", "--database", other.to_str().unwrap()]), "other.db");
}

#[test]
fn a_database_that_cannot_be_written_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no/such/folder/school.db");
    assert_one_line(failure(&["--listen", "127.0.0.1:0", "--database", nowhere.to_str().unwrap()]), "school.db");
    // A folder can never be written as a file, whoever asks.
    assert_one_line(failure(&["--listen", "127.0.0.1:0", "--database", folder.path().to_str().unwrap()]), folder.path().to_str().unwrap());
}

#[test]
fn an_unknown_option_is_one_clear_line_and_exit_1() {
    assert_one_line(failure(&["--listne", "127.0.0.1:0"]), "--listne");
    assert_one_line(failure(&["--listen", "here"]), "--listen");
    assert_one_line(failure(&["--database", ""]), "--database");
}

#[test]
fn a_lost_master_key_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    let (server, _) = crate::server::Server::ready(&database);
    server.stop();
    fs::remove_file(folder.path().join("school.db.key")).unwrap();
    assert_one_line(failure(&["--listen", "127.0.0.1:0", "--database", database.to_str().unwrap()]), "master key");
}

#[test]
fn a_damaged_master_key_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    fs::write(folder.path().join("school.db.key"), "short").unwrap();
    assert_one_line(failure(&["--listen", "127.0.0.1:0", "--database", database.to_str().unwrap()]), "school.db.key");
}

#[test]
fn an_address_that_others_can_reach_is_refused_by_its_name_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    for address in ["192.0.2.2:0", "127.0.0.2:0"] {
        assert_one_line(failure(&["--listen", address, "--database", database.to_str().unwrap()]), "--listen");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_full_standard_output_is_one_clear_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(crate::server::example());
    command.args(["--listen", "127.0.0.1:0", "--json", "--database"]).arg(&database).stdout(full);
    let output = command.output().unwrap();
    assert_one_line((output.status.code(), String::from_utf8(output.stderr).unwrap()), "cannot print");
}
