//! The temporary PostgreSQL cluster of the tests: its startup and its complete removal.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::postgres_server::{
    Cluster, SKIP_VARIABLE, URL_VARIABLE, cluster, installation, needs_postgres, skipped,
};

/// Environment variable with the task of a child process.
const CHILD_TASK: &str = "LYCEUM_TEST_ERRAND";

/// Runs the task of a child process that another test started; otherwise does nothing.
#[test]
#[allow(clippy::disallowed_methods, reason = "the environment of a test")]
fn child_task_of_another_test() {
    let Ok(errand) = std::env::var(CHILD_TASK) else {
        return;
    };
    if errand == "skip" {
        println!("<{}>", skipped());
        return;
    }
    println!("<{}>", cluster().new_schema());
    if errand == "panic" {
        panic!("as the errand wants it");
    }
    if errand == "kill" {
        let _ = Command::new("kill")
            .args(["-KILL", &std::process::id().to_string()])
            .status();
    }
}

/// Runs a task until it and all processes that it started have ended; they share its standard
/// error.
fn run_child_task(errand: &str, variables: &[(&str, &str)]) -> (Output, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "cluster::child_task_of_another_test",
        "--nocapture",
    ]);
    command
        .env(CHILD_TASK, errand)
        .env_remove(SKIP_VARIABLE)
        .env_remove(URL_VARIABLE)
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let told = said
        .split_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
        .map(|(told, _)| told.to_owned());
    let told = told.unwrap_or_else(|| panic!("{output:?}"));
    (output, told)
}

#[test]
fn a_cluster_ends_with_its_program_however_that_ends() {
    needs_postgres!();
    for (errand, succeeds) in [("end", true), ("panic", false), ("kill", false)] {
        let (output, url) = run_child_task(errand, &[]);
        assert_eq!(output.status.success(), succeeds, "{errand}: {output:?}");
        let folder = url
            .split_once('@')
            .unwrap()
            .1
            .split_once(':')
            .unwrap()
            .0
            .replace("%2F", "/");
        assert!(folder.contains("/lyceum."), "{folder}");
        assert!(!PathBuf::from(&folder).exists(), "{errand} left {folder}");
        let processes = Command::new("ps").args(["-A", "-o", "args"]).output();
        // Some machines lack ps.
        if let Ok(processes) = processes {
            let processes = String::from_utf8_lossy(&processes.stdout).into_owned();
            assert!(
                !processes.contains(&folder),
                "{errand} left a process:\n{processes}"
            );
        }
    }
}

#[test]
fn a_given_server_is_used_and_what_killed_programs_left_there_is_removed() {
    needs_postgres!();
    let own = Cluster::start_private(&[], &[]);
    let kept = own.new_schema();
    let (_, first) = run_child_task("kill", &[(URL_VARIABLE, &own.url())]);
    let (_, second) = run_child_task("end", &[(URL_VARIABLE, &own.url())]);
    for url in [&first, &second] {
        assert!(url.starts_with(&own.url()), "{url}");
    }
    assert_ne!(first, second);
    let schema = |url: &str| url.rsplit_once("3D").unwrap().1.to_owned();
    let left =
        own.texts("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'lyceum%' ORDER BY nspname");
    assert_eq!(
        left.iter().filter(|left| **left == schema(&first)).count(),
        0,
        "{left:?}"
    );
    assert!(
        left.contains(&schema(&kept)),
        "a schema in use was removed: {left:?}"
    );
}

#[test]
fn tests_that_are_skipped_say_so_past_the_capture() {
    let (output, told) = run_child_task("skip", &[(SKIP_VARIABLE, "1")]);
    assert_eq!(told, "true");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said.matches("SKIPPED, because SKIP_POSTGRES=1").count(),
        1,
        "{said}"
    );
    let (output, told) = run_child_task("skip", &[(SKIP_VARIABLE, "0")]);
    assert_eq!(
        (told.as_str(), output.stderr.as_slice()),
        ("false", &b""[..])
    );
}

#[test]
fn without_postgresql_the_message_says_how_to_install_it_or_to_skip_its_tests() {
    assert_eq!(installation::find_bin_in([]), None);
    assert_eq!(
        installation::find_bin_in([PathBuf::from("/nowhere"), std::env::temp_dir()]),
        None
    );
    let message = installation::MISSING;
    assert_eq!(message.lines().count(), 1);
    for way in [
        "apt-get install postgresql",
        "dnf install postgresql-server",
        "brew install postgresql",
        URL_VARIABLE,
        "SKIP_POSTGRES=1",
    ] {
        assert!(message.contains(way), "{way} is not in: {message}");
    }
}

#[test]
fn a_stopped_cluster_starts_again_with_what_it_had() {
    needs_postgres!();
    let mut own = Cluster::start_private(
        &["application_name = 'a test of ours'"],
        &[("letter.txt", "for you")],
    );
    own.texts("CREATE TABLE letters AS SELECT 1 AS number");
    own.stop();
    own.start();
    assert_eq!(own.texts("SELECT number FROM letters"), ["1"]);
    assert_eq!(own.texts("SHOW application_name"), ["a test of ours"]);
    assert_eq!(own.texts("SELECT pg_read_file('letter.txt')"), ["for you"]);
    assert_eq!(
        Cluster::query_at(&own.tcp_url(own.password()), "SELECT 2"),
        ["2"]
    );
}
