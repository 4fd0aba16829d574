//! Settings of the commands: where they come from, and what is said about bad ones.

use std::fs;
use std::process::Command;

use super::{ADMIN, PUBLIC_URL, init, output};
use crate::failures::assert_one_line;
use crate::server::{example, failure};
use crate::test_database::TestDatabase;

/// `serve --check` in an empty folder.
fn check(program: &str, folder: &tempfile::TempDir) -> Command {
    let mut command = Command::new(example(program));
    command
        .args(["serve", "--check"])
        .current_dir(folder.path());
    command.env_remove("DATABASE_URL");
    command
}

/// Fails if a place that is further away wins, or the origin is not told.
#[test]
fn an_option_precedes_the_environment_the_file_and_the_default() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("school.toml");
    fs::write(
        &file,
        "public-url = \"https://file.example\"\nlisten = \"127.0.0.1:1\"\ntime-zone = \"Asia/Tokyo\"\n\
         api-key-limit = 7\nstop-timeout = 20\ntrusted-proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]\n",
    )
    .unwrap();
    let mut command = check("sqlite", &folder);
    command
        .args(["--config", "school.toml", "--listen", "127.0.0.1:3"])
        .env("LYCEUM_LISTEN", "127.0.0.1:2")
        .env("LYCEUM_TIME_ZONE", "Europe/Berlin")
        .env("LYCEUM_DRAIN_TIME", "5")
        .env("LYCEUM_METRICS_LISTEN", "127.0.0.1:4")
        .env("LYCEUM_SCHOOL_NAME", "");
    let report = output(command);
    for line in [
        "public-url = \"https://file.example\"  # public-url in school.toml",
        "listen = \"127.0.0.1:3\"  # --listen",
        "time-zone = \"Europe/Berlin\"  # LYCEUM_TIME_ZONE",
        "api-key-limit = \"7\"  # api-key-limit in school.toml",
        "trusted-proxies = \"127.0.0.1,10.0.0.0/8\"  # trusted-proxies in school.toml",
        "school-name = \"School account\"  # default",
        "drain-time = \"5\"  # LYCEUM_DRAIN_TIME",
        "stop-timeout = \"20\"  # stop-timeout in school.toml",
        "metrics-listen = \"127.0.0.1:4\"  # LYCEUM_METRICS_LISTEN",
        "tls-certificate = \"\"  # default",
        "tls-key = \"\"  # default",
        "traces-endpoint = \"\"  # default",
        "key-file = \"lyceum.db.key\"  # default",
    ] {
        assert!(
            report.lines().any(|found| found == line),
            "{line} is not in\n{report}"
        );
    }
    let mut command = check("sqlite", &folder);
    command.env("LYCEUM_CONFIG", &file);
    assert!(output(command).contains("https://file.example"));
    // It only looks.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // What it prints is a file.
    fs::write(&file, &report).unwrap();
    let mut command = check("sqlite", &folder);
    command.args(["--config", "school.toml"]);
    assert!(output(command).contains("time-zone = \"Europe/Berlin\"  # time-zone in school.toml"));
}

/// Fails if a secret is printed, or can be an option.
#[test]
fn a_secret_comes_from_a_file_or_the_environment_and_is_never_printed() {
    let folder = tempfile::tempdir().unwrap();
    let url = "postgresql://lyceum:correct-horse@127.0.0.1/school";
    let mut command = check("postgres", &folder);
    command.args(PUBLIC_URL).env("DATABASE_URL", url);
    let report = output(command);
    assert!(
        report.contains("database-url = \"(..)\"  # DATABASE_URL"),
        "{report}"
    );
    assert!(!report.contains("correct-horse"), "{report}");
    let mut command = check("postgres", &folder);
    command.args(PUBLIC_URL).args(["--database-url", url]);
    assert_one_line(failure(command), "--database-url");
    for (setting, value) in [
        (
            "traces-endpoint",
            "https://lyceum:correct-horse@collector.example/v1",
        ),
        (
            "traces-endpoint",
            "lyceum:correct-horse@collector.example:4318",
        ),
        ("public-url", "https://lyceum:correct-horse@school.example"),
    ] {
        let mut command = check("sqlite", &folder);
        if setting != "public-url" {
            command.args(PUBLIC_URL);
        }
        command.arg(format!("--{setting}={value}"));
        let outcome = command.output().unwrap();
        let [report, said] = [outcome.stdout, outcome.stderr];
        let [report, said] = [report, said].map(|text| String::from_utf8(text).unwrap());
        assert!(
            report.contains(&format!("{setting} = \"(..)\"  # --{setting}")),
            "{report}"
        );
        assert!(said.contains(&format!("{setting} takes ")), "{said}");
        assert!(
            !format!("{report}{said}").contains("correct-horse"),
            "{report}{said}"
        );
        assert_eq!((outcome.status.code(), said.lines().count()), (Some(1), 1));
    }
    let mut command = check("postgres", &folder);
    command
        .args(PUBLIC_URL)
        .env("DATABASE_URL", "mysql://lyceum:correct-horse@h/s");
    let outcome = failure(command);
    assert!(!outcome.1.contains("correct-horse"), "{}", outcome.1);
    assert_one_line(outcome, "DATABASE_URL takes a URL such as");
    assert_one_line(
        {
            let mut command = check("postgres", &folder);
            command.args(PUBLIC_URL);
            failure(command)
        },
        "database-url is missing: set the environment variable DATABASE_URL",
    );
}

/// Fails if the URL in a file is not used as it is, or is printed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_url_of_the_database_comes_from_a_file() {
    crate::postgres_server::needs_postgres!();
    let database = TestDatabase::postgres();
    init(&database);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("url");
    let mut command = database.school(&["account", "list"]);
    let url = command
        .get_envs()
        .find_map(|(name, value)| (name == "DATABASE_URL").then_some(value?.to_owned()));
    let url = url.unwrap().into_string().unwrap();
    // A number at its end, which is none with the newline.
    let separator = if url.contains('?') { '&' } else { '?' };
    fs::write(&file, format!("{url}{separator}connect_timeout=60\n")).unwrap();
    command
        .env_remove("DATABASE_URL")
        .env("LYCEUM_DATABASE_URL_FILE", &file);
    assert!(output(command).contains(ADMIN));
}

/// Fails if a file without a URL, or a second place of the URL, is not one sentence without it.
#[test]
fn a_file_that_has_no_url_and_a_second_url_are_refused_without_showing_them() {
    let folder = tempfile::tempdir().unwrap();
    let given = |text: &str| {
        fs::write(folder.path().join("url"), text).unwrap();
        let mut command = check("postgres", &folder);
        command
            .args(PUBLIC_URL)
            .args(["--database-url-file", "url"]);
        command
    };
    let url = "postgresql://lyceum:correct-horse@127.0.0.1/school";
    for end in ["", "\n", "\r\n"] {
        let report = output(given(&format!("{url}{end}")));
        assert!(
            report.contains("database-url-file = \"url\"  # --database-url-file")
                && !report.contains("correct-horse"),
            "{report}"
        );
    }
    let mut both = given(url);
    both.env("DATABASE_URL", url);
    for (command, says) in [
        (
            both,
            "database-url and database-url-file exclude each other",
        ),
        (given(""), "database-url-file url takes a URL such as"),
        (
            given("mysql://lyceum:correct-horse@h/s\n"),
            "database-url-file url takes a URL",
        ),
    ] {
        let outcome = failure(command);
        assert!(!outcome.1.contains("correct-horse"), "{}", outcome.1);
        assert_one_line(outcome, says);
    }
    let command = given(url);
    fs::remove_file(folder.path().join("url")).unwrap();
    assert_one_line(failure(command), "cannot read database-url-file url: ");
}

/// Fails if a bad setting is not one sentence with its name and what it may be.
#[test]
fn a_bad_setting_is_one_sentence_with_its_name_and_what_it_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let given = |arguments: &[&str]| {
        let mut command = check("sqlite", &folder);
        command.args(PUBLIC_URL).args(arguments);
        failure(command)
    };
    for (option, values, takes) in [
        (
            "--listen",
            &["here", "", "unix:", "systemd:web"][..],
            "takes an address such as 127.0.0.1:8080, unix:PATH, or systemd",
        ),
        (
            "--metrics-listen",
            &["here", "9100", "unix:metrics"],
            "takes an address such as 127.0.0.1:9464",
        ),
        (
            "--drain-time",
            &["-1", "301", "soon", ""],
            "takes 0 to 300 seconds",
        ),
        ("--stop-timeout", &["0", "301"], "takes 1 to 300 seconds"),
        (
            "--traces-endpoint",
            &["collector:4318", "ftp://collector/v1/traces", "http://"],
            "takes the URL of a collector such as http://127.0.0.1:4318/v1/traces",
        ),
        ("--tls-certificate", &["c.pem"], "set both, or neither"),
        ("--tls-key", &["k.pem"], "set both, or neither"),
        (
            "--trusted-proxies",
            &["10.0.0.1/8", "proxy"],
            "takes addresses and networks",
        ),
        (
            "--auth-path",
            &["auth", "/auth/", "/v1", "/A"],
            "takes / or a path such as /auth",
        ),
        ("--console-path", &["/"], "takes a path such as /console"),
        (
            "--console-path",
            &["/auth", "/auth/x"],
            "take different paths",
        ),
        (
            "--school-name",
            &["a\nb", ""],
            "takes one line of at most 255 characters",
        ),
        (
            "--time-zone",
            &["Seoul"],
            "takes the IANA name of a time zone",
        ),
        (
            "--api-key-limit",
            &["0", "-1", "many"],
            "takes a number of requests a minute",
        ),
        (
            "--grades",
            &["0-3", "1-13", "3-1", "3", "a-b"],
            "takes two numbers from 1 to 12 such as 1-6",
        ),
        (
            "--majors",
            &["ai", "AI,AI", "AI,"],
            "takes names in capitals",
        ),
        ("--log-format", &["xml"], "takes text or json"),
        ("--key-file", &[""], "takes the path of a file"),
        ("--database", &[""], "takes the path of a file"),
    ] {
        for value in values {
            let outcome = given(&[&format!("{option}={value}")]);
            assert!(outcome.1.contains(&option[2..]), "{}", outcome.1);
            assert_one_line(outcome, takes);
        }
    }
    for url in [
        "school.example",
        "http://school.example",
        "https://school.example/",
    ] {
        let mut command = check("sqlite", &folder);
        command.env("LYCEUM_PUBLIC_URL", url);
        assert_one_line(
            failure(command),
            "LYCEUM_PUBLIC_URL takes the address in browsers",
        );
    }
    assert_one_line(
        failure(check("sqlite", &folder)),
        "public-url is missing: set --public-url,",
    );
    assert_one_line(given(&["--listne", "x"]), "--listne");
    let mut command = check("sqlite", &folder);
    command.args(PUBLIC_URL).env("LYCEUM_LISTNE", "x");
    assert_one_line(
        failure(command),
        "LYCEUM_LISTNE is no setting: there are LYCEUM_PUBLIC_URL,",
    );
    for (text, says) in [
        ("listne = 1", "which is no setting: there are public-url,"),
        ("listen = 1.5", "listen in school.toml takes an address"),
        (
            "listen = \"here\"",
            "listen in school.toml takes an address such as 127.0.0.1:8080, unix:PATH, or systemd, not \"here\"",
        ),
        ("\nlisten = ", "line 2 of school.toml is not TOML"),
    ] {
        fs::write(folder.path().join("school.toml"), text).unwrap();
        assert_one_line(given(&["--config", "school.toml"]), says);
    }
    assert_one_line(given(&["--config", "nowhere.toml"]), "nowhere.toml");
}

/// Fails if an operator cannot tell which version is installed.
#[test]
fn the_version_is_that_of_the_library() {
    let mut command = Command::new(example("sqlite"));
    command.arg("--version");
    assert_eq!(output(command), format!("lyceum {}\n", lyceum::VERSION));
}

/// Fails if the completions of an installed program are for the name that it was built with.
#[test]
fn completions_are_for_the_name_by_which_the_program_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let installed = folder.path().join("lyceum");
    std::os::unix::fs::symlink(example("sqlite"), &installed).unwrap();
    let mut command = Command::new(installed);
    command.args(["completions", "bash"]);
    let script = output(command);
    assert!(
        script.contains("complete -F _lyceum") && !script.contains("sqlite"),
        "{script}"
    );
}

/// Fails if a command has no help, or there are no completions for it.
#[test]
fn help_and_completions_name_the_commands() {
    for program in ["sqlite", "postgres"] {
        let run = |arguments: &[&str]| {
            let mut command = Command::new(example(program));
            command.args(arguments);
            output(command)
        };
        let (help, script, demo) = (
            run(&["help"]),
            run(&["completions", "bash"]),
            run(&["--help"]),
        );
        for command in [
            "init",
            "serve",
            "account",
            "key",
            "client",
            "backup",
            "restore",
            "sync",
            "doctor",
            "rotate-signing-key",
            "revoke-signing-key",
            "completions",
        ] {
            assert!(
                help.contains(&format!("\n  {command} ")),
                "{command} is not in\n{help}"
            );
            assert!(
                script.contains(command) && demo.contains(command),
                "{command}"
            );
            assert!(run(&[command, "--help"]).contains("Usage: "), "{command}");
        }
        assert!(run(&["serve", "--help"]).contains("--public-url <URL>"));
        let options = script.replace("database-url-file", "");
        assert!(!options.contains("database-url"), "a secret is an option");
        assert_eq!(options != script, program == "postgres");
        let mut command = Command::new(example(program));
        command.arg("account");
        assert_one_line(failure(command), "list");
        let mut command = Command::new(example(program));
        command.arg("init");
        assert_one_line(failure(command), "--admin <EMAIL>");
    }
}
