//! `doctor`: it finds each of many planted mistakes, and nothing wrong with a healthy school.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use lyceum::http::{ClientAddress, Listener};
use rcgen::{CertificateParams, SanType, date_time_ymd};
use serde_json::Value;
use tokio::net::TcpSocket;

use super::backups::back_up;
use super::{ADMIN, ISSUE_KEY, exchange, output, started};
use crate::certificates::Files;
use crate::postgres_server::installation;
use crate::server::{Server, example};
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    a_healthy_school_has_no_findings,
    mistakes_in_files_are_found,
    mistakes_in_the_database_are_found,
    mistakes_in_the_settings_are_found,
);

const DAY: u64 = 24 * 60 * 60;

/// A port that stays the server's while it is not running. It is below those that the system gives
/// to sockets without one (from 32768 on Linux and 49152 elsewhere), so other tests do not get it.
fn reserved_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(20_000);
    loop {
        let port = NEXT.fetch_add(1, Ordering::Relaxed);
        assert!(port < 32_768, "no port is free");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A school with everything in its place, and the server that serves it.
struct School {
    database: TestDatabase,
    server: Option<Server>,
    origin: String,
}

impl School {
    async fn new(database: TestDatabase) -> Self {
        let address = format!("127.0.0.1:{}", reserved_port());
        let mut school = Self {
            origin: format!("http://{address}"),
            server: None,
            database,
        };
        for folder in ["keys", "backups"] {
            fs::create_dir(school.path(folder)).unwrap();
        }
        let (listener, port) = listen().await;
        serve_app(listener, Router::new().route("/", get(|| async {})));
        school.configure(&format!(
            "public-url = \"{}\"\nlisten = \"{address}\"\nclock-peer = \"http://127.0.0.1:{port}\"\n",
            school.origin
        ));
        output(school.command(&["init", "--admin", ADMIN]));
        school.serve(&[]);
        school.back_up();
        school
    }

    fn path(&self, name: &str) -> PathBuf {
        self.database.folder().join(name)
    }

    fn key_file(&self) -> PathBuf {
        self.path("keys/lyceum.key")
    }

    fn backup(&self) -> PathBuf {
        self.path("backups/newest")
    }

    /// Writes the settings, with these lines beside those of the files.
    fn configure(&self, lines: &str) {
        let mut text = format!(
            "{lines}key-file = {:?}\nbackup-directory = {:?}\n",
            self.key_file(),
            self.path("backups")
        );
        match self.database.url() {
            Some(url) => text += &format!("database-url = {url:?}\n"),
            None => text += &format!("database = {:?}\n", self.database.file()),
        }
        write(&self.path("school.toml"), &text, 0o600);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let program = if self.database.is_sqlite() {
            "sqlite"
        } else {
            "postgres"
        };
        let mut command = Command::new(example(program));
        command.args(arguments).arg("--config");
        command
            .arg(self.path("school.toml"))
            .env_remove("DATABASE_URL");
        if !self.database.is_sqlite() {
            command.env("PATH", with_postgres_programs());
        }
        command
    }

    fn serve(&mut self, arguments: &[&str]) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
        let command = self.command(&[&["serve"], arguments].concat());
        let (server, origin) = started(Server::spawn(command));
        assert_eq!(origin, self.origin);
        self.server = Some(server);
    }

    fn back_up(&self) {
        let _ = fs::remove_file(self.backup());
        back_up(&self.database, &self.backup());
    }

    /// Runs `doctor`, and returns its status and its report.
    fn examine(&self, arguments: &[&str], authority: Option<&Path>) -> (Option<i32>, Value) {
        let mut command = self.command(&[&["doctor", "--json"], arguments].concat());
        if let Some(authority) = authority {
            command.env("SSL_CERT_FILE", authority);
        }
        let output = command.output().unwrap();
        let report = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error} in {output:?}"));
        (output.status.code(), report)
    }

    /// The findings that are not `ok`, as checks with their levels.
    fn problems(&self, arguments: &[&str], authority: Option<&Path>) -> Vec<String> {
        let (status, report) = self.examine(arguments, authority);
        let findings = report["findings"].as_array().unwrap();
        let problems: Vec<String> = findings
            .iter()
            .filter(|finding| finding["level"] != "ok")
            .map(|finding| {
                let [check, level] = ["check", "level"].map(|name| finding[name].as_str().unwrap());
                format!("{check} {level}")
            })
            .collect();
        let expected = match report["level"].as_str().unwrap() {
            "ok" | "advice" => 0,
            "warning" => 1,
            _ => 2,
        };
        assert_eq!(status, Some(expected), "{report}");
        problems
    }

    /// Fails unless exactly this is found.
    fn expect(&self, arguments: &[&str], problem: &str) {
        self.expect_with(arguments, None, problem);
    }

    fn expect_with(&self, arguments: &[&str], authority: Option<&Path>, problem: &str) {
        let found = self.problems(arguments, authority);
        assert_eq!(
            found,
            [problem],
            "{arguments:?}: {}",
            self.examine(arguments, authority).1
        );
    }

    /// The name of the table with the migrations.
    fn migrations(&self) -> &'static str {
        if self.database.is_sqlite() {
            "schema_migrations"
        } else {
            "lyceum_migrations"
        }
    }
}

/// The search path, with the programs of PostgreSQL.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn with_postgres_programs() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = installation::bin().into_iter();
    std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap()
}

fn write(path: &Path, text: &str, mode: u32) {
    fs::write(path, text).unwrap();
    set_mode(path, mode);
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn now() -> i64 {
    lyceum::http::Clock::now(&lyceum::http::SystemClock).seconds()
}

/// Fails if a school without mistakes is a matter for the operator.
async fn a_healthy_school_has_no_findings(database: TestDatabase) {
    let mut school = School::new(database).await;
    let (status, report) = school.examine(&[], None);
    assert_eq!(
        (status, &report["level"]),
        (Some(0), &"ok".into()),
        "{report}"
    );
    let checks: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["check"].as_str().unwrap())
        .collect();
    for check in [
        "settings",
        "database",
        "migrations",
        "tables",
        "clock",
        "public_url",
        "proxies",
        "master_key",
        "signing_keys",
        "api_keys",
        "clients",
        "suspensions",
        "backups",
    ] {
        assert!(checks.contains(&check), "{check} is not in {report}");
    }
    let lines = output(school.command(&["doctor"]));
    assert_eq!(lines.lines().count(), checks.len(), "{lines}");
    assert!(
        lines.lines().all(|line| line.starts_with("ok       ")),
        "{lines}"
    );
    if school.database.is_sqlite() {
        // Without a server that writes, the file stays as it is.
        school.server.take().unwrap().stop();
        let before = fs::read(school.database.file()).unwrap();
        school.expect(&[], "public_url warning");
        assert_eq!(fs::read(school.database.file()).unwrap(), before);
    }
}

/// Fails if a mistake in the place, the mode or the content of a file is not found, or also reported
/// as another one.
async fn mistakes_in_files_are_found(database: TestDatabase) {
    let school = School::new(database).await;
    let (key, backup) = (school.key_file(), school.backup());

    let aside = school.path("aside");
    fs::rename(&key, &aside).unwrap();
    school.expect(&[], "master_key failure");
    write(&key, &("Zm".repeat(21) + "A\n"), 0o600);
    school.expect(&[], "master_key failure");
    fs::rename(&aside, &key).unwrap();
    set_mode(&key, 0o644);
    school.expect(&[], "master_key failure");
    set_mode(&key, 0o600);
    for (folder, level) in [("backups/keys", "failure"), (".", "advice")] {
        let copy = school.path(folder).join("copy.key");
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(&key, &copy).unwrap();
        // A database on a server has no directory.
        if school.database.is_sqlite() || level == "failure" {
            let arguments = ["--key-file", copy.to_str().unwrap()];
            school.expect(&arguments, &format!("master_key {level}"));
        }
        fs::remove_file(&copy).unwrap();
    }

    set_mode(&backup, 0o644);
    school.expect(&[], "backups failure");
    set_mode(&backup, 0o600);
    let file = fs::OpenOptions::new().write(true).open(&backup).unwrap();
    let length = file.metadata().unwrap().len();
    let written = SystemTime::UNIX_EPOCH + Duration::from_secs(now().cast_unsigned());
    file.set_modified(written - Duration::from_secs(27 * 60 * 60))
        .unwrap();
    school.expect(&[], "backups warning");
    assert!(
        school
            .problems(&["--backup-max-age", "28"], None)
            .is_empty()
    );
    file.set_modified(written).unwrap();
    let ends = if school.database.is_sqlite() {
        &[length - 4096][..]
    } else {
        // A dump that nothing reads is not complete.
        let without = school.path("without");
        fs::create_dir(&without).unwrap();
        let mut command = school.command(&["doctor"]);
        let said = output_of(command.env("PATH", without));
        assert!(said.contains("pg_restore is not installed"), "{said}");
        &[length - 1, length / 2, 3]
    };
    for end in ends {
        file.set_len(*end).unwrap();
        school.expect(&[], "backups failure");
    }
    fs::remove_file(&backup).unwrap();
    school.expect(&[], "backups warning");
    let missing = school.path("missing");
    school.expect(
        &["--backup-directory", missing.to_str().unwrap()],
        "backups failure",
    );
    school.back_up();

    if school.database.is_sqlite() {
        set_mode(&school.database.file(), 0o644);
        school.expect(&[], "database failure");
        set_mode(&school.database.file(), 0o600);
        school.expect(
            &["--database", missing.to_str().unwrap()],
            "database failure",
        );
    } else {
        set_mode(&school.path("school.toml"), 0o644);
        school.expect(&[], "settings failure");
        set_mode(&school.path("school.toml"), 0o600);
        let mut command = school.command(&["doctor"]);
        command.env("DATABASE_URL", "postgresql://127.0.0.1:1/lyceum");
        let said = output_of(&mut command);
        let failed: Vec<&str> = said
            .lines()
            .filter(|line| !line.starts_with("ok "))
            .collect();
        assert!(
            failed.len() == 1 && failed[0].starts_with("FAILED   database  "),
            "{said}"
        );
    }
    assert!(school.problems(&[], None).is_empty(), "a mistake is left");
    if let Some(url) = school.database.url() {
        let (url, folder) = (url.to_owned(), school.database.folder());
        let secret = folder.join("secrets/url");
        fs::create_dir(secret.parent().unwrap()).unwrap();
        let config = fs::read_to_string(school.path("school.toml")).unwrap();
        let config: Vec<&str> = config
            .lines()
            .filter(|line| !line.starts_with("database-url"))
            .collect();
        write(&school.path("school.toml"), &config.join("\n"), 0o600);
        let arguments = ["--database-url-file", secret.to_str().unwrap()];
        write(&secret, &url, 0o640);
        assert_eq!(school.problems(&arguments, None), [""; 0]);
        set_mode(&secret, 0o444);
        school.expect(&arguments, "settings failure");
        let mut command = school.command(&[&["doctor"], &arguments[..]].concat());
        command.env("CREDENTIALS_DIRECTORY", secret.parent().unwrap());
        let said = output_of(&mut command);
        assert!(said.lines().all(|line| line.starts_with("ok ")), "{said}");
    }
}

/// What a command prints, with any status.
fn output_of(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Fails if a mistake in the database is not found, or also reported as another one.
async fn mistakes_in_the_database_are_found(database: TestDatabase) {
    let school = School::new(database).await;
    let database = &school.database;

    let migrations = school.migrations();
    let newest_is_of = |other: &str| {
        database.run(&format!(
            "UPDATE {migrations} SET database = {other} WHERE version = (SELECT max(version) FROM {migrations})"
        ));
    };
    newest_is_of("'another'");
    school.expect(&[], "database failure");
    newest_is_of("NULL");
    let newest = database.count(&format!("SELECT max(version) FROM {migrations}"));
    let set_newest = |version: i64| {
        database.run(&format!(
            "UPDATE {migrations} SET version = {version}, oldest_beside = {version} WHERE version = (SELECT max(version) FROM {migrations})"
        ));
    };
    set_newest(newest + 1);
    school.expect(&[], "migrations failure");
    set_newest(newest);
    database.run(&format!(
        "DELETE FROM {migrations} WHERE version = {newest}"
    ));
    school.expect(&[], "migrations warning");
    let again =
        format!("INSERT INTO {migrations} (version, applied_by) VALUES ({newest}, 'lyceum')");
    database.run(&again);

    let age = 92 * DAY;
    database.run(&format!(
        "UPDATE signing_keys SET created_at = created_at - {age}"
    ));
    school.expect(&[], "signing_keys warning");
    database.run(&format!(
        "UPDATE signing_keys SET created_at = created_at + {age}"
    ));

    output(school.command(&ISSUE_KEY));
    assert!(
        school.problems(&[], None).is_empty(),
        "a new key is a problem"
    );
    let (at, soon) = (now(), now() + i64::try_from(DAY).unwrap());
    database.run(&format!(
        "UPDATE api_keys SET last_used_at = {at}, expires_at = {soon}"
    ));
    school.expect(&[], "api_keys advice");
    database.run(&format!("UPDATE api_keys SET suspended_at = {at}"));
    school.expect(&[], "suspensions warning");
    output(school.command(&["key", "confirm", "--all"]));
    database.run("DELETE FROM api_keys");

    let create = ["client", "create", "--name", "Old Kiosk", "--public"];
    output(school.command(&[&create[..], &["--redirect-uri", "http://localhost/back"]].concat()));
    school.expect(&[], "clients advice");
    database.run("UPDATE clients SET plain_pkce_allowed = 1");
    school.expect(&[], "clients warning");
    database.run("DELETE FROM clients");

    let rows = if database.is_sqlite() {
        "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 10001)
         INSERT INTO rate_limits (digest, arrival_micros, created_micros) SELECT randomblob(32), 0, 0 FROM numbers"
    } else {
        "INSERT INTO rate_limits (digest, arrival_micros, created_micros)
         SELECT sha256(number::TEXT::BYTEA), 0, 0 FROM generate_series(1, 10001) AS number"
    };
    database.run(rows);
    school.expect(&[], "tables warning");
    database.run("DELETE FROM rate_limits");
    assert!(school.problems(&[], None).is_empty(), "a mistake is left");
}

/// A proxy in front of the server at an address, to which it connects from another address of this
/// machine.
fn proxy(server: &str) -> Router {
    let server = server.strip_prefix("http://").unwrap().to_owned();
    Router::new().fallback(forward).with_state(server)
}

const PROXY: &str = "127.0.0.2";

async fn forward(State(server): State<String>, request: Request) -> Response {
    let ClientAddress(client) = *request.extensions().get().unwrap();
    let (head, _) = request.into_parts();
    let before = head.headers.get("x-forwarded-for");
    let before = before.map_or("", |value| value.to_str().unwrap());
    let text = format!(
        "GET {} HTTP/1.1\r\nhost: school\r\nx-forwarded-for: {before}, {client}\r\nconnection: close\r\n\r\n",
        head.uri
    );
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{PROXY}:0").parse().unwrap()).unwrap();
    let stream = socket.connect(server.parse().unwrap()).await.unwrap();
    let answer = exchange(stream, &text).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let mut response = Response::builder().status(status);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        response = response.header(name, value);
    }
    response.body(body.to_owned().into()).unwrap()
}

/// A router with the metadata of an issuer.
fn metadata(issuer: &str) -> Router {
    let body = format!("{{\"issuer\":\"{issuer}/auth\"}}");
    let answer = move || async move { body };
    Router::new().route("/.well-known/oauth-authorization-server/auth", get(answer))
}

/// Serves until the test ends, and returns the port.
async fn listen() -> (tokio::net::TcpListener, u16) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn serve_app(listener: impl Into<Listener>, app: Router) {
    let listener = listener.into();
    tokio::spawn(lyceum::http::serve(listener, app, std::future::pending()));
}

/// Changes a certificate for the name of this machine.
fn for_localhost(params: &mut CertificateParams) {
    params.subject_alt_names = vec![SanType::DnsName("localhost".try_into().unwrap())];
}

/// Fails if a mistake in the settings, or in what is in front of the server, is not found, or also
/// reported as another one.
async fn mistakes_in_the_settings_are_found(database: TestDatabase) {
    let mut school = School::new(database).await;

    school.expect(&["--time-zone", "Seoul"], "settings failure");
    school.expect(&["--backup-max-age", "0"], "settings failure");
    let config = fs::read_to_string(school.path("school.toml")).unwrap();
    write(
        &school.path("school.toml"),
        &format!("listne = \"\"\n{config}"),
        0o600,
    );
    school.expect(&[], "settings failure");
    write(&school.path("school.toml"), &config, 0o600);

    // The codes of the school on NEIS without its key there, as if somebody else synced.
    let codes = "neis-office = \"Z10\"\nneis-school = \"9999999\"\nneis-kind = \"his\"\n";
    let settings = school.path("school.toml");
    write(&settings, &format!("{codes}{config}"), 0o600);
    school.expect(&[], "settings warning");
    let off = format!("sync-time = \"off\"\n{codes}{config}");
    write(&settings, &off, 0o600);
    assert_eq!(school.problems(&[], None), [""; 0]);
    write(&settings, &config, 0o600);

    // Only this machine's own clock.
    school.expect(&["--clock-peer", ""], "clock advice");

    // A peer with a wrong clock, and one that is not there.
    let (listener, port) = listen().await;
    let wrong = get(|| async { ([("date", "Sun, 06 Nov 1994 08:49:37 GMT")], "late") });
    serve_app(listener, Router::new().route("/", wrong));
    school.expect(
        &["--clock-peer", &format!("http://127.0.0.1:{port}")],
        "clock failure",
    );
    school.expect(&["--clock-peer", "http://127.0.0.1:1"], "clock warning");

    // Another service at the public URL, and none.
    let (listener, port) = listen().await;
    serve_app(listener, metadata("https://other.example"));
    school.expect(
        &["--public-url", &format!("http://127.0.0.1:{port}")],
        "public_url failure",
    );
    school.expect(
        &["--public-url", "http://127.0.0.1:1"],
        "public_url warning",
    );

    // A server that records its refused requests elsewhere.
    let (listener, port) = listen().await;
    let public = format!("http://127.0.0.1:{port}");
    serve_app(listener, metadata(&public));
    school.expect(&["--public-url", &public], "proxies warning");

    // A proxy that terminates TLS.
    let files = Files::new();
    let authority = school.path("authority.pem");
    fs::write(&authority, files.authority_pem()).unwrap();
    let (listener, port) = listen().await;
    let public = format!("https://localhost:{port}");
    let (certificate, key) = files.issue(for_localhost);
    files.write_chain(&certificate.pem());
    files.write_key(&key.serialize_pem());
    let listener = Listener::from(listener).with_tls(files.load());
    serve_app(listener, proxy(&school.origin));
    let behind = ["--public-url", &public, "--trusted-proxies", PROXY];
    school.serve(&behind);
    assert_eq!(school.problems(&behind, Some(&authority)), [""; 0]);
    school.expect(&behind, "tls failure");
    school.expect_with(&behind[..2], Some(&authority), "proxies warning");
    let far = [&behind[..2], &["--trusted-proxies", "10.0.0.1"]].concat();
    school.expect_with(&far, Some(&authority), "proxies warning");
    let all = [
        &behind[..2],
        &["--trusted-proxies", "127.0.0.0/8,0.0.0.0/0"],
    ]
    .concat();
    school.expect_with(&all, Some(&authority), "proxies failure");
    // A socket that is passed to the server does not tell where the proxy is.
    let passed = |proxies| {
        let listen = ["--listen", "systemd", "--trusted-proxies", proxies];
        [&behind[..2], &listen].concat()
    };
    assert_eq!(school.problems(&passed(PROXY), Some(&authority)), [""; 0]);
    school.serve(&far);
    school.expect_with(&passed("10.0.0.1"), Some(&authority), "proxies warning");
    school.serve(&[&behind[..2], &["--trusted-proxies", "127.0.0.0/8"]].concat());
    school.expect_with(&passed("127.0.0.0/8"), Some(&authority), "proxies advice");

    // A certificate that was not renewed, and one that ends as soon and is not due yet.
    for (validity, problems) in [(90, &["tls warning"][..]), (30, &[])] {
        let (listener, port) = listen().await;
        let public = format!("https://localhost:{port}");
        let (certificate, key) = files.issue(|params| {
            for_localhost(params);
            let today = Duration::from_secs(now().cast_unsigned());
            let day = |days| date_time_ymd(1970, 1, 1) + today + Duration::from_secs(days * DAY);
            params.not_after = day(10);
            params.not_before = day(10) - Duration::from_secs(validity * DAY);
        });
        files.write_chain(&certificate.pem());
        files.write_key(&key.serialize_pem());
        let listener = Listener::from(listener).with_tls(files.load());
        serve_app(listener, proxy(&school.origin));
        let behind = ["--public-url", &public, "--trusted-proxies", PROXY];
        school.serve(&behind);
        assert_eq!(school.problems(&behind, Some(&authority)), problems);
    }

    // A server that trusts a proxy which is none, as a request with a forged header shows.
    school.serve(&["--trusted-proxies", "127.0.0.1"]);
    school.expect(&[], "proxies failure");
    school.serve(&[]);
    assert!(school.problems(&[], None).is_empty(), "a mistake is left");
}
