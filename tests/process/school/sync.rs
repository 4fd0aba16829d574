//! `sync`: the lists of a school come from a replayed NEIS.

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use lyceum::directory::Directory;
use lyceum::domain::{DateRange, ShortText, SubjectId, SyncResult};
use lyceum::http::{Certificates, Clock, Listener, SystemClock};
use lyceum::neis::{
    self, AcademicYear, NeisKey, NeisSchool, SchoolKind, SyncAttempt, SyncKind, SyncSchedule,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::{Lease, SyncStore};
use lyceum::testing::{ManualClock, NeisBehavior, NeisReplay};
use rcgen::CertificateParams;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::import::Crash;
use super::spreadsheets::import_samples;
use super::{ADMIN, init, output, serve, signed_in, use_link};
use crate::certificates::Files;
use crate::failures::assert_one_line;
use crate::server::failure;
use crate::support::{Client, TestResponse};
use crate::test_database::{TestDatabase, on_each_database};

const KEY: &str = "0123456789abcdef0123456789abcdef";

on_each_database!(
    a_sync_fills_the_lists_beside_a_running_server,
    a_sync_that_fails_says_why_and_shows_no_key,
    a_spent_quota_is_known_to_the_next_command,
    a_sync_is_refused_while_another_node_syncs,
    a_server_with_the_settings_of_neis_syncs_by_itself,
    the_button_of_the_page_starts_a_sync_and_the_page_shows_what_it_did,
    a_sync_that_ends_at_any_statement_leaves_whole_kinds_and_is_made_up_for,
);

/// `sync` with the key in the environment.
fn sync(database: &TestDatabase, portal: &NeisReplay, arguments: &[&str]) -> Command {
    let (url, school) = (portal.url(), ["Z10", "9999999", "his"]);
    let [office, code, kind] = school;
    let given = [
        "sync",
        "--neis-url",
        &url,
        "--neis-office",
        office,
        "--neis-school",
        code,
        "--neis-kind",
        kind,
    ];
    let mut command = database.school(&[&given, arguments].concat());
    command.env("NEIS_KEY", KEY);
    command
}

/// A portal with a meal, an event and a lesson on the first day of this academic year, and that
/// day.
fn portal() -> (NeisReplay, String) {
    let year = AcademicYear::at(SystemClock.now());
    let day = year.windows(SyncKind::Meals)[0].from().to_string();
    let date = day.replace('-', "");
    let row = |fields: Value| {
        let mut row = json!({
            "ATPT_OFCDC_SC_CODE": "Z10", "ATPT_OFCDC_SC_NM": "가상특별시교육청",
            "SD_SCHUL_CODE": "9999999", "SCHUL_NM": "가상소프트웨어고등학교",
        });
        let fields = fields.as_object().unwrap().clone();
        row.as_object_mut().unwrap().extend(fields);
        vec![row]
    };
    let portal = NeisReplay::start().unwrap();
    portal.require_key(KEY);
    let meal = json!({ "MLSV_YMD": date, "MMEAL_SC_CODE": "2", "DDISH_NM": "우유 (2)" });
    portal.set_rows("mealServiceDietInfo", row(meal));
    portal.set_rows(
        "SchoolSchedule",
        row(json!({ "AA_YMD": date, "EVENT_NM": "입학식" })),
    );
    let lesson = json!({ "ALL_TI_YMD": date, "GRADE": "1", "CLASS_NM": "1", "PERIO": "1" });
    let mut lessons = row(lesson.clone());
    lessons.extend(row(
        json!({ "ALL_TI_YMD": date, "GRADE": "1", "CLASS_NM": null }),
    ));
    portal.set_rows("hisTimetable", lessons);
    (portal, day)
}

/// Fails if `sync` does not fill the lists of a school that is served, or a second one changes
/// them.
async fn a_sync_fills_the_lists_beside_a_running_server(database: TestDatabase) {
    init(&database);
    let (server, origin) = serve(&database, &["--api-key-limit", "60000000"]);
    let (portal, day) = portal();
    let lines = |printed: String| -> Vec<String> {
        let kind = |line: &str| {
            let (kind, rest) = line.split_once(' ').unwrap();
            format!("{kind} {}", rest.split_once(": ").unwrap().1)
        };
        printed.lines().map(kind).collect()
    };
    let first = lines(output(sync(&database, &portal, &[])));
    assert_eq!(
        first,
        [
            "meals 1 new, 0 changed, 0 deleted, 0 skipped, 1 call (INFO-000)",
            "schedules 1 new, 0 changed, 0 deleted, 0 skipped, 1 call (INFO-000)",
            "timetables 1 new, 0 changed, 0 deleted, 1 skipped, 27 calls (INFO-200)",
        ]
    );
    let issued = output(database.school(&[
        "key",
        "issue",
        "--description",
        "Screen",
        "--scope",
        "NEIS_READ",
    ]));
    let key = issued.lines().last().unwrap();
    let client = Client::new();
    for (list, field, value) in [
        ("meals", "mealMenu", json!(["우유"])),
        ("schedules", "eventName", json!("입학식")),
        ("timetables", "period", json!(1)),
    ] {
        let url = format!("{origin}/v1/neis/{list}?date={day}");
        // The server looks for new records every half second.
        let answer = loop {
            let answer = client.get(&url, &[("x-api-key", key)]).await.json();
            if answer["data"][list] != json!([]) {
                break answer;
            }
        };
        assert_eq!(answer["data"][list][0][field], value, "{answer}");
    }
    let versions = "SELECT version FROM directory_version";
    let before = database.count(versions);
    let second = lines(output(sync(&database, &portal, &[])));
    assert_eq!(database.count(versions), before, "every tag stays");
    assert_eq!(database.count("SELECT count(*) FROM sync_runs"), 6);
    let events =
        "SELECT count(*) FROM audit_records WHERE kind = 'synced' AND line LIKE '%\"added\":1,%'";
    assert_eq!(database.count(events), 3);
    let personal =
        "SELECT count(*) FROM audit_records WHERE kind = 'synced' AND line LIKE '%우유%'";
    assert_eq!(database.count(personal), 0);
    assert!(
        second
            .iter()
            .all(|line| line.contains(" 0 new, 0 changed, 0 deleted,"))
    );
    server.stop();
}

/// Fails if a failure has the status of a success, or shows the key.
async fn a_sync_that_fails_says_why_and_shows_no_key(database: TestDatabase) {
    init(&database);
    let (portal, _) = portal();
    // The days of one run that fail leave the other days and kinds as they are.
    portal.then([NeisBehavior::Total(2), NeisBehavior::Total(2)]);
    let outcome = sync(&database, &portal, &[]).output().unwrap();
    let printed = String::from_utf8(outcome.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!((outcome.status.code(), lines.len()), (Some(1), 3));
    assert!(
        lines[0].ends_with(": the portal gave 1 of 2 rows"),
        "{printed}"
    );
    assert!(lines[1].ends_with("(INFO-000)") && lines[2].ends_with("(INFO-200)"));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    fs::write(&file, format!("{KEY}\n")).unwrap();
    let with_file = [&*format!("--neis-key-file={}", file.display())];
    assert_one_line(
        failure(sync(&database, &portal, &with_file)),
        "neis-key and neis-key-file exclude each other",
    );
    let mut command = sync(&database, &portal, &with_file);
    command.env_remove("NEIS_KEY");
    assert_eq!(output(command).lines().count(), 3);
    let requests = portal.requests();
    assert!(requests.iter().all(|request| request.contains(KEY)));

    for (variable, value, says) in [
        (
            "NEIS_KEY",
            "secret&Type=xml",
            "NEIS_KEY takes the school's key",
        ),
        ("LYCEUM_NEIS_KEY_FILE", "/nowhere", "exclude each other"),
    ] {
        let mut command = sync(&database, &portal, &[]);
        command.env(variable, value);
        let outcome = failure(command);
        assert!(
            !outcome.1.contains("secret") && !outcome.1.contains(KEY),
            "{}",
            outcome.1
        );
        assert_one_line(outcome, says);
    }
    let arguments = ["sync", "--neis-office", "Z10", "--neis-kind", "his"];
    assert_one_line(
        failure(database.school(&arguments)),
        "neis-school is missing",
    );
    let arguments = ["sync", "--neis-kind", "university"];
    assert_one_line(
        failure(database.school(&arguments)),
        "--neis-kind takes els, mis, his or sps",
    );
}

/// Fails if a spent quota is a success, or if the next command asks for more.
async fn a_spent_quota_is_known_to_the_next_command(database: TestDatabase) {
    init(&database);
    let (portal, _) = portal();
    portal.otherwise(NeisBehavior::Code("ERROR-337"));
    for end in [
        "1 call (ERROR-337): the quota of this Korean day is spent\n",
        "0 calls: the quota of this Korean day is spent\n",
    ] {
        let outcome = sync(&database, &portal, &[]).output().unwrap();
        let printed = String::from_utf8(outcome.stdout).unwrap();
        assert_eq!(
            (outcome.status.code(), printed.lines().count()),
            (Some(1), 1)
        );
        assert!(printed.ends_with(end), "{printed}");
    }
    assert_eq!(portal.requests().len(), 1);
}

/// Fails if two programs read the portal at the same time, or the second one says nothing.
async fn a_sync_is_refused_while_another_node_syncs(database: TestDatabase) {
    init(&database);
    let (portal, _) = portal();
    let store = database.store().await;
    let now = SystemClock.now();
    let lease = Lease {
        holder: ShortText::from_static("another node"),
        expires_at: now.plus(Duration::from_secs(3 * 60)),
    };
    let name = ShortText::from_static("neis-sync");
    let acquired = store.acquire_lease(&name, lease.clone(), now).await;
    assert_eq!(acquired.unwrap(), lyceum::store::LeaseAcquisition::Acquired);
    assert_one_line(
        failure(sync(&database, &portal, &[])),
        "another node syncs at this moment",
    );
    assert_eq!(portal.requests().len(), 0);
    assert!(store.release_lease(&name, &lease.holder).await.unwrap());
    output(sync(&database, &portal, &[]));
}

/// Fails if a server does not make up for a sync that was never made, or makes one that is off or
/// has no key, if `--check` does not warn of that, or if a sync after it changes the tags of a school with all its lists.
async fn a_server_with_the_settings_of_neis_syncs_by_itself(database: TestDatabase) {
    init(&database);
    import_samples(&database);
    let (portal, day) = portal();
    let url = portal.url();
    let given = [
        "--neis-url",
        &url,
        "--neis-office",
        "Z10",
        "--neis-school",
        "9999999",
        "--neis-kind",
        "his",
    ];
    let serving = |arguments: &[&str], key: &str| {
        let arguments = [&["serve"], &super::PUBLIC_URL[..], &given, arguments].concat();
        let mut command = database.school(&arguments);
        command.env("NEIS_KEY", key);
        super::started(crate::server::Server::start(command, &[]))
    };
    for (arguments, key, warns) in [
        (&["--sync-time", "off"][..], KEY, false),
        (&["--sync-time", "off"], "", false),
        (&[], KEY, false),
        (&[], "", true),
    ] {
        if key.is_empty() || !arguments.is_empty() {
            let (off, _) = serving(arguments, key);
            off.stop();
            assert_eq!(portal.requests().len(), 0);
        }
        let check = [
            &["serve", "--check"],
            &super::PUBLIC_URL[..],
            &given,
            arguments,
        ]
        .concat();
        let mut check = database.school(&check);
        let checked = check.env("NEIS_KEY", key).output().unwrap();
        let said = String::from_utf8(checked.stderr).unwrap();
        assert!(checked.status.success(), "{said}");
        let warning = "lyceum: warning: there is no daily sync with NEIS without a key";
        assert_eq!(said.starts_with(warning), warns, "{said}");
        assert_eq!(said.lines().count(), usize::from(warns), "{said}");
    }
    let (server, origin) = serving(&[], KEY);
    let events = "SELECT count(*) FROM audit_records WHERE kind = 'synced'";
    while database.count(events) < 3 {
        tokio::task::yield_now().await;
    }
    let issue = ["key", "issue", "--description", "Screen"];
    let issued = output(database.school(&[&issue[..], &["--scope", "NEIS_READ"]].concat()));
    let key = issued.lines().last().unwrap();
    let client = Client::new();
    let tags = async || {
        let mut tags = Vec::new();
        for list in ["meals", "schedules", "timetables"] {
            let url = format!("{origin}/v1/neis/{list}?date={day}");
            let answer = client.get(&url, &[("x-api-key", key)]).await;
            tags.push(answer.header("etag").to_owned());
            let found = answer.json();
            assert_eq!(found["data"][list].as_array().unwrap().len(), 1, "{found}");
        }
        tags
    };
    let before = tags().await;
    let versions = "SELECT version FROM directory_version";
    let version = database.count(versions);
    output(sync(&database, &portal, &[]));
    assert_eq!(database.count(versions), version);
    assert_eq!(tags().await, before);
    server.stop();
    assert_eq!(database.count("SELECT count(*) FROM meals"), 1);
    assert_eq!(database.count("SELECT count(*) FROM sync_runs"), 6);
    for (arguments, says) in [
        (
            &["--sync-time", "25:00"][..],
            "--sync-time takes a time such as 05:30, or off",
        ),
        (&["--neis-office", "Z10"], "neis-kind is missing"),
    ] {
        let arguments = [&["serve"], &super::PUBLIC_URL[..], arguments].concat();
        assert_one_line(failure(database.school(&arguments)), says);
    }
}

/// Fails if the button does not start a sync of the server, if it starts a second one, or if the page
/// does not show who started it and what it changed.
async fn the_button_of_the_page_starts_a_sync_and_the_page_shows_what_it_did(
    database: TestDatabase,
) {
    let link = init(&database);
    let (portal, _) = portal();
    portal.then([NeisBehavior::Held]);
    let url = portal.url();
    let given = ["--neis-url", &url, "--neis-office", "Z10"];
    let school = ["--neis-school", "9999999", "--neis-kind", "his"];
    let off = ["--sync-time", "off"];
    let arguments = [&["serve"], &super::PUBLIC_URL[..], &given, &school, &off].concat();
    let mut command = database.school(&arguments);
    command.env("NEIS_KEY", KEY);
    let (server, origin) = super::started(crate::server::Server::start(command, &[]));
    use_link(&origin, &link).await;
    let mut browser = signed_in(&origin, ADMIN).await;
    let page = browser.open("/console/admin/sync").await;
    assert!(
        page.body.contains("There are no runs yet."),
        "{}",
        page.body
    );
    let button = |mut page: TestResponse| {
        // Without the forms above the heading.
        page.body = page.body.split_once("<h1>").unwrap().1.to_owned();
        page
    };
    let button = button(page);
    for says in ["Sync started.", "A sync is already running."] {
        let answer = browser.submit(&button, &[]).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
        let page = browser.open(answer.header("location")).await;
        assert!(page.body.contains(says), "{says}: {}", page.body);
        assert!(
            page.body.contains("A sync is running. It takes"),
            "{}",
            page.body
        );
    }
    portal.release();
    let page = loop {
        let page = browser.open("/console/admin/sync").await;
        if !page.body.contains("A sync is running.") {
            break page;
        }
    };
    assert_eq!(page.body.matches("badge good").count(), 3, "{}", page.body);
    for (text, count) in [("class=\"number\">1</td>", 4), (ADMIN, 5), ("Unknown", 3)] {
        assert!(
            page.body.matches(text).count() >= count,
            "{text}: {}",
            page.body
        );
    }
    server.stop();
    assert_eq!(portal.requests().len(), 29, "one run");
    for table in ["meals", "events", "lessons"] {
        assert_eq!(
            database.count(&format!("SELECT count(*) FROM {table}")),
            1,
            "{table}"
        );
    }
    let events = "SELECT count(*) FROM audit_records WHERE kind = 'synced'";
    let of_service = format!("{events} AND line LIKE '%\"subject\":\"service\"%'");
    assert_eq!(
        (database.count(events), database.count(&of_service)),
        (3, 0)
    );
}

/// A sync of the portal's school with the directory of a store.
async fn schedule(store: Arc<SqlStore>, portal: &NeisReplay, clock: &ManualClock) -> SyncSchedule {
    let directory = Directory::open(store.clone()).await.unwrap();
    let client = neis::Client::builder(|_| async {}).base_url(&portal.url());
    let client = client.key(NeisKey::parse(KEY).unwrap()).build().unwrap();
    let school = NeisSchool::new("Z10", "9999999", SchoolKind::High).unwrap();
    let sync = neis::Sync::new(directory, client, school).clock(Arc::new(clock.clone()));
    let schedule = SyncSchedule::builder(sync, store, |_| std::future::pending());
    schedule.build().unwrap()
}

// Proves: threats 49
/// Fails if a part of a kind is stored, of whatever statement it is the last, if a run that did not
/// end counts as one that did, if a change has no record, or if a node that crashed keeps others
/// from syncing.
async fn a_sync_that_ends_at_any_statement_leaves_whole_kinds_and_is_made_up_for(
    database: TestDatabase,
) {
    database.prepare().await;
    let (portal, day) = portal();
    let date = day.replace('-', "");
    let dinner = json!({ "MLSV_YMD": date, "MMEAL_SC_CODE": "3", "DDISH_NM": "국수" });
    let lunch = json!({ "MLSV_YMD": date, "MMEAL_SC_CODE": "2", "DDISH_NM": "우유 (2)" });
    let with_school = |fields: &Value| {
        let mut row = json!({
            "ATPT_OFCDC_SC_CODE": "Z10", "ATPT_OFCDC_SC_NM": "가상특별시교육청",
            "SD_SCHUL_CODE": "9999999", "SCHUL_NM": "가상소프트웨어고등학교",
        });
        row.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        row
    };
    portal.set_rows(
        "mealServiceDietInfo",
        [lunch, dinner].iter().map(with_school).collect(),
    );
    let clock = ManualClock::new(SystemClock.now());
    let days = DateRange::single_day(day.parse().unwrap());
    let mut steps = 0;
    let mut crashes = 0;
    loop {
        let crash = Arc::new(Crash(AtomicUsize::new(usize::MAX)));
        let store = database.store().await.with_transaction_hook(crash.clone());
        let crashing = schedule(Arc::new(store), &portal, &clock).await;
        crash.0.store(steps, Ordering::Relaxed);
        let attempt = crashing.run_now(SubjectId::service()).await;
        let store = Arc::new(database.store().await);
        let directory = Directory::open(store.clone()).await.unwrap();
        let snapshot = directory.snapshot().await.unwrap();
        let meals = snapshot.meals(days).iter().count();
        assert!([0, 2].contains(&meals), "{meals} meals after {steps} steps");
        let runs = store.sync_runs(200).await.unwrap();
        for (kind, _) in store.data_as_of().await.unwrap() {
            let ended = runs
                .iter()
                .any(|run| run.kind == kind && run.result.is_success());
            assert!(ended, "{kind} counts as current after {steps} steps");
        }
        match attempt {
            Err(_) => crashes += 1,
            Ok(SyncAttempt::Ran(runs)) => {
                assert_eq!((runs.len(), meals), (3, 2));
                break;
            }
            Ok(busy) => panic!("{busy:?} after {steps} steps"),
        }
        // The lease of the node that crashed ends.
        clock.advance(Duration::from_secs(3 * 60));
        steps += 1;
    }
    assert!(crashes > 20, "the statements were not interrupted");
    let runs = database.store().await.sync_runs(200).await.unwrap();
    let results: Vec<SyncResult> = runs.iter().map(|run| run.result).collect();
    assert!(results.contains(&SyncResult::Interrupted), "{results:?}");
    assert!(!results.contains(&SyncResult::Running), "{results:?}");
    // Each version of the school is of a run, whenever its process ended.
    let last = runs.iter().map(|run| run.versions[1]).max().unwrap();
    let changed = |version| {
        runs.iter()
            .any(|run| run.versions[0] < version && version <= run.versions[1])
    };
    assert!(last >= 2 && (1..=last).all(changed), "{runs:?}");
    clock.advance(Duration::from_secs(3 * 60));
    let store = Arc::new(database.store().await);
    let version = || async {
        Directory::open(store.clone())
            .await
            .unwrap()
            .snapshot()
            .await
            .unwrap()
            .version()
    };
    let before = version().await;
    let again = schedule(store.clone(), &portal, &clock)
        .await
        .run_now(SubjectId::service())
        .await;
    assert!(matches!(again, Ok(SyncAttempt::Ran(_))), "{again:?}");
    assert_eq!(version().await, before, "a second run changes nothing");
}

/// Fails if the portal cannot be reached over TLS with the authorities of the system.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_portal_over_tls_is_reached_with_the_authorities_of_the_system() {
    let database = TestDatabase::sqlite();
    init(&database);
    let files = Files::new();
    let (certificate, key) = files.issue(|params| {
        *params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    });
    files.write_chain(&certificate.pem());
    files.write_key(&key.serialize_pem());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/hub/", listener.local_addr().unwrap());
    let certificates: Certificates = files.load();
    let listener = Listener::from(listener).with_tls(certificates);
    let portal = Router::new().fallback(async || r#"{"RESULT":{"CODE":"INFO-200"}}"#);
    tokio::spawn(lyceum::http::serve(
        listener,
        portal,
        std::future::pending(),
    ));

    let authority = files.chain().with_file_name("authority.pem");
    fs::write(&authority, files.authority_pem()).unwrap();
    let mut command = database.school(&["sync", "--neis-url", &url, "--neis-kind", "his"]);
    command.args(["--neis-office", "Z10", "--neis-school", "9999999"]);
    command
        .env("NEIS_KEY", KEY)
        .env("SSL_CERT_FILE", &authority);
    let printed = output(command);
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let has_nothing = |line: &str| line.ends_with("the portal has nothing of these days");
    assert!(printed.lines().all(has_nothing), "{printed}");
}
