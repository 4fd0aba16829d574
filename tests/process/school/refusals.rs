//! What a school's server and the demo refuse.

use std::fs;

use super::{ADMIN, PUBLIC_URL, init};
use crate::failures::assert_one_line;
use crate::server::failure;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    the_demo_and_the_server_refuse_each_others_database,
    a_lost_or_wrong_master_key_is_one_clear_line,
    without_init_there_is_nothing_to_serve,
    the_last_administrator_stays,
);

/// Fails if a program serves, or changes, the database of the other one.
async fn the_demo_and_the_server_refuse_each_others_database(database: TestDatabase) {
    let (server, _) = database.ready();
    server.stop();
    let serve = [&["serve"], &PUBLIC_URL[..]].concat();
    assert_one_line(failure(database.school(&serve)), "the master key of a demo");
    let make = [&["init", "--admin", ADMIN], &PUBLIC_URL[..]].concat();
    assert_one_line(failure(database.school(&make)), "the master key of a demo");

    let ours = if database.is_sqlite() {
        TestDatabase::sqlite()
    } else {
        TestDatabase::postgres()
    };
    init(&ours);
    let mut demo = ours.command();
    demo.args(["--listen", "127.0.0.1:0"]);
    assert_one_line(failure(demo), "that `init` made");
    let tables = "(SELECT count(*) FROM clients) + (SELECT count(*) FROM students)";
    assert_eq!(ours.count(&format!("SELECT {tables}")), 0);
    // Without the key neither opens it.
    fs::remove_file(ours.key_file()).unwrap();
    let mut demo = ours.command();
    demo.args(["--listen", "127.0.0.1:0"]);
    assert_one_line(failure(demo), "master key");
    assert!(!ours.key_file().exists());
}

async fn a_lost_or_wrong_master_key_is_one_clear_line(database: TestDatabase) {
    init(&database);
    let serve = [&["serve"], &PUBLIC_URL[..]].concat();
    fs::write(database.key_file(), "short").unwrap();
    assert_one_line(
        failure(database.school(&serve)),
        "must be the base64 of 32 bytes",
    );
    fs::write(database.key_file(), "A".repeat(43)).unwrap();
    assert_one_line(failure(database.school(&serve)), "must be 32 random bytes");
    let other = TestDatabase::sqlite();
    init(&other);
    fs::copy(other.key_file(), database.key_file()).unwrap();
    assert_one_line(
        failure(database.school(&["account", "reset", ADMIN, PUBLIC_URL[0], PUBLIC_URL[1]])),
        "key",
    );
    fs::remove_file(database.key_file()).unwrap();
    assert_one_line(failure(database.school(&serve)), "there is no master key");
    let make = [&["init", "--admin", ADMIN], &PUBLIC_URL[..]].concat();
    assert_one_line(failure(database.school(&make)), "has accounts already");
    assert!(!database.key_file().exists());
}

async fn without_init_there_is_nothing_to_serve(database: TestDatabase) {
    let serve = [&["serve"], &PUBLIC_URL[..]].concat();
    assert_one_line(failure(database.school(&serve)), "`init`");
    fs::write(database.key_file(), format!("{}\n", "Zm".repeat(21) + "A")).unwrap();
    assert_one_line(failure(database.school(&["account", "list"])), "`init`");
}

async fn the_last_administrator_stays(database: TestDatabase) {
    init(&database);
    for change in [
        &["account", "remove", ADMIN][..],
        &["account", "role", ADMIN, "USER"],
    ] {
        assert_one_line(failure(database.school(change)), "the only administrator");
    }
    let unknown = ["account", "remove", "kim@school.example"];
    assert_one_line(failure(database.school(&unknown)), "kim@school.example");
}
