//! Startup failures of the PostgreSQL example: one clear line, never with a password.

use std::net::TcpListener;
use std::process::Command;

use crate::failures::assert_one_line;
use crate::postgres_server::{Cluster, cluster, needs_postgres};
use crate::server::{example, failure, on_postgres};

const PASSWORD: &str = "correct-horse";

/// Exit code and output for a database URL.
fn refusal(url: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = on_postgres(url, &folder.path().join("school.key"));
    command.args(["--listen", "127.0.0.1:0"]);
    let outcome = failure(command);
    assert_eq!(
        folder.path().read_dir().unwrap().count(),
        0,
        "a master key was created for nothing"
    );
    outcome
}

fn assert_no_password((_, said): &(Option<i32>, String)) {
    assert!(
        !said.contains(PASSWORD) && !said.contains("correct"),
        "{said}"
    );
}

#[test]
fn a_server_that_cannot_be_reached_is_one_clear_line_without_the_password() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let outcome = refusal(&format!("postgresql://lyceum:{PASSWORD}@{closed}/school"));
    assert_no_password(&outcome);
    assert_one_line(outcome, &closed.to_string());
}

#[test]
fn a_wrong_password_is_one_clear_line_without_it() {
    needs_postgres!();
    let own = Cluster::start_private(&[], &[]);
    let outcome = refusal(&own.tcp_url(PASSWORD));
    assert_no_password(&outcome);
    assert_one_line(outcome, "password authentication failed");
}

#[test]
fn a_database_without_tables_is_one_clear_line_that_names_the_option() {
    needs_postgres!();
    let url = cluster().new_schema();
    assert_one_line(refusal(&url), "--migrate");
    assert_eq!(
        Cluster::query_at(
            &url,
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        ),
        ["0"]
    );
}

#[test]
fn a_foreign_database_is_one_clear_line_and_left_as_it_is() {
    needs_postgres!();
    let url = cluster().new_schema();
    Cluster::query_at(&url, "CREATE TABLE students (letter TEXT)");
    let folder = tempfile::tempdir().unwrap();
    let mut command = on_postgres(&url, &folder.path().join("school.key"));
    command.args(["--listen", "127.0.0.1:0", "--migrate"]);
    assert_one_line(failure(command), "not a database of lyceum");
    assert_eq!(
        Cluster::query_at(
            &url,
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        ),
        ["students"]
    );
}

#[test]
fn an_address_that_is_none_is_one_clear_line_without_the_password() {
    for url in [
        "nowhere",
        "mysql://lyceum:correct-horse@127.0.0.1/school",
        "postgresql://lyceum:correct-horse@127.0.0.1:port/school",
    ] {
        let outcome = refusal(url);
        assert_no_password(&outcome);
        assert_one_line(outcome, "URL");
    }
}

#[test]
fn no_address_at_all_is_one_clear_line_that_names_both_ways_to_give_it() {
    let bare = || {
        let mut command = Command::new(example("postgres"));
        command
            .args(["--listen", "127.0.0.1:0"])
            .env_remove("DATABASE_URL");
        command
    };
    let mut empty = bare();
    empty.env("DATABASE_URL", "");
    for command in [bare(), empty] {
        let outcome = failure(command);
        assert!(outcome.1.contains("--database-url"), "{}", outcome.1);
        assert_one_line(outcome, "DATABASE_URL");
    }
}

#[test]
fn the_option_is_stronger_than_the_environment() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut command = on_postgres("nowhere", &folder.path().join("school.key"));
    command.args([
        "--listen",
        "127.0.0.1:0",
        "--database-url",
        &format!("postgresql://lyceum@{closed}/school"),
    ]);
    assert_one_line(failure(command), &closed.to_string());
}
