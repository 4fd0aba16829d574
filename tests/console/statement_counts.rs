//! Number of SQL statements of a page.

use std::sync::Arc;

use http::StatusCode;
use lyceum::DataApi;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::*;
use lyceum::http::Branding;
use lyceum::http::audit::StoredAuditLog;
use lyceum::http::auth_server::{Accounts, AuthServer};
use lyceum::http::console::Console;
use lyceum::store::sql::SqlStore;
use lyceum::store::*;
use lyceum::testing::{ManualClock, MemoryAuditLog};

use crate::fixtures;
use crate::harness::*;
use crate::school::{form_of, post, with_fields};
use crate::statement_counter::StatementCounter;
use crate::sync::TestSync;

/// A console with all its pages over a database that counts its statements, with an administrator,
/// and the log of its events.
async fn counting_harness(
    counter: Arc<StatementCounter>,
    folder: &std::path::Path,
    runs: usize,
) -> (Harness, StoredAuditLog) {
    let store = Arc::new(
        SqlStore::sqlite(folder.join("lyceum.db"))
            .unwrap()
            .with_transaction_hook(counter),
    );
    let clock = ManualClock::new(START);
    let accounts = Accounts::builder(store.clone())
        .clock(Arc::new(clock.clone()))
        .hashing_cost(8, 1)
        .build()
        .unwrap();
    let admin = create_account(&accounts, ADMIN, Role::Admin).await;
    let (log, writer) = StoredAuditLog::builder(store.clone()).build();
    tokio::spawn(writer.run());
    let accounts = Arc::new(accounts);
    let directory = Directory::builder_with_history(store.clone())
        .clock(Arc::new(clock.clone()))
        .open()
        .await
        .unwrap();
    let auth = AuthServer::builder(
        store.clone(),
        "https://school.example/auth",
        lyceum::testing::master_key(3),
    )
    .clock(Arc::new(clock.clone()))
    .authenticator(accounts.clone())
    .audit(Arc::new(log.clone()))
    .branding(Branding::new("Haneul <High> School").unwrap())
    .api_keys(store.clone())
    .directory(directory.clone())
    .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let api = DataApi::builder(directory.clone(), store.clone())
        .clock(Arc::new(clock.clone()))
        .build()
        .unwrap();
    let console = Console::builder(auth.management(), ADDRESS)
        .data_browser(api.data_client(), "https://school.example/api")
        .school_editor()
        .sync(Arc::new(TestSync::with_runs(&admin, runs)))
        .calendar_feeds(store.clone(), "https://school.example/api")
        .build()
        .unwrap();
    // Audit events are written before the statements of pages are counted.
    assert!(log.flush().await);
    let harness = Harness {
        console,
        auth,
        store,
        directory,
        clock,
        accounts,
        log: MemoryAuditLog::default(),
        person: admin,
    };
    (harness, log)
}

/// Adds a client with an approval for the scope, a client with a grant for it, and an event of
/// each.
async fn one_more(harness: &Harness, number: u8, scope: &Scope, id: ScopeId) {
    let approved = fixtures::client(harness, number, "Approved").await;
    assert_eq!(
        harness
            .store
            .approve_scope(id, approved, START)
            .await
            .unwrap(),
        ScopeApproval::Approved
    );
    let granted = fixtures::client(harness, number + 30, "Granted").await;
    fixtures::grant(
        harness,
        number,
        &harness.person,
        granted,
        std::slice::from_ref(scope),
        ConsentMode::Once,
    )
    .await;
    for client in [approved, granted] {
        let facts = format!("\"client\":\"{client}\"");
        append_event(harness, "revoked", &format!("request-{client}"), &facts).await;
    }
}

/// Stores an event of this kind with these facts, a part of a JSON object.
async fn append_event(harness: &Harness, kind: &str, request_id: &str, facts: &str) {
    let json = format!("{{\"event\":\"{kind}\",{facts}}}");
    let record = crate::audit::event(kind, 0, request_id, &json);
    harness
        .store
        .append_audit_records(vec![record])
        .await
        .unwrap();
}

/// Fails if clients are loaded one by one.
#[tokio::test]
async fn a_page_with_many_clients_takes_as_many_statements_as_one_with_few() {
    let (counter, folder) = (
        Arc::new(StatementCounter::default()),
        tempfile::tempdir().unwrap(),
    );
    let (harness, _) = counting_harness(counter.clone(), folder.path(), 0).await;
    let scope = fixtures::scope(&harness, 1, "Cafeteria", "See your points").await;
    let id = ScopeId::from_random([101; 16]);
    let mut browser = harness.browser_of(ADMIN).await;
    let page = format!("/applications/{}/scopes/{id}", scope.application);
    let mut counts = Vec::new();
    for numbers in [1..=2, 3..=9] {
        for number in numbers {
            one_more(&harness, number, &scope, id).await;
        }
        for path in [
            page.clone(),
            format!("{page}/delete"),
            "/admin/audit?what=revoked".to_owned(),
        ] {
            counter.take();
            let answer = browser.get(&path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
            assert!(
                answer.body.contains("Granted") || answer.body.contains("Approved"),
                "{path}: {}",
                answer.body
            );
            counts.push(counter.take());
        }
    }
    let (few, many) = counts.split_at(3);
    assert_eq!(few, many);
}

/// Fails if the people in a list are loaded one by one, or if those whose accounts were removed are.
#[tokio::test]
async fn a_page_about_many_people_takes_as_many_statements_as_one_about_one() {
    let (counter, folder) = (
        Arc::new(StatementCounter::default()),
        tempfile::tempdir().unwrap(),
    );
    let (harness, log) = counting_harness(counter.clone(), folder.path(), 0).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let mut counts = Vec::new();
    for numbers in [1..=1, 2..=9] {
        for number in numbers {
            let email = format!("p{number}@school.example");
            let person = create_account(&harness.accounts, &email, Role::User).await;
            let facts = format!("\"object\":\"account\",\"id\":\"{}\"", person.as_str());
            let id = format!("request-{number}");
            append_event(&harness, "sign_in_refused", &id, &facts).await;
            let removed = AccountId::from_random([number; 16]);
            let facts = format!("\"object\":\"account\",\"id\":\"{removed}\"");
            let id = format!("removed-{number}");
            append_event(&harness, "sign_in_refused", &id, &facts).await;
            let client = fixtures::client(&harness, number, "Timetable").await;
            assert!(
                harness
                    .store
                    .set_client_owner(client, person)
                    .await
                    .unwrap()
            );
        }
        for path in ["/", "/admin/audit?what=sign_in_refused", "/admin/clients"] {
            assert!(log.flush().await);
            counter.take();
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
            let is_named = page.body.contains("p1@school.example");
            assert!(is_named || path == "/", "{}", page.body);
            counts.push(counter.take());
        }
    }
    let (one, many) = counts.split_at(3);
    assert_eq!(one, many);
}

/// Students of three grades, who are all in one club with a leader and in one project.
async fn fill_school(harness: &Harness, count: i64) {
    let club = ClubId::new(1).unwrap();
    let student = |number: i64| Student {
        id: StudentId::new(number).unwrap(),
        name: format!("Student {number}").parse().unwrap(),
        sex: Sex::Woman,
        email: format!("s{number}@school.example").parse().unwrap(),
        specialty: None,
        github_id: None,
        enrollment_status: EnrollmentStatus::Enrolled(Enrollment {
            grade: Grade::new(number % 3 + 1).unwrap(),
            class_num: ClassNum::new(1).unwrap(),
            number: SeatNumber::new(number / 3 + 1).unwrap(),
            major: Major::AI,
            role: EnrolledRole::GeneralStudent,
            dormitory_room: None,
            major_club: Some(club),
            autonomous_club: None,
        }),
    };
    let years = || YearRange::new(Year::new(2020).unwrap(), None).unwrap();
    let robotics = Club {
        id: club,
        name: "Robotics".parse().unwrap(),
        kind: ClubType::Major,
        years: years(),
        leader: None,
    };
    let led = Club {
        leader: Some(StudentId::new(2).unwrap()),
        ..robotics.clone()
    };
    let project = Project {
        id: ProjectId::new(1).unwrap(),
        name: "Map".parse().unwrap(),
        description: "".parse().unwrap(),
        years: years(),
        club: Some(club),
        participants: (1..=count).map(|id| StudentId::new(id).unwrap()).collect(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    };
    let mut changes = vec![DirectoryChange::from(robotics)];
    changes.extend((1..=count).map(|number| student(number).into()));
    changes.extend([led.into(), project.into()]);
    let written = harness.directory.write(changes).await.unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)), "{written:?}");
}

/// The key of the administrator that reads calendars, with so many feeds.
async fn key_with_feeds(harness: &Harness, browser: &mut Browser, feeds: usize) -> String {
    let secret = ApiKeySecret::from_random([9; 16]);
    let id = ApiKeyId::from_random([9; 16]);
    let scopes = [ApiScope::NEIS_READ].into_iter().collect();
    let key = ApiKey {
        owner: Some(harness.person.clone()),
        ..ApiKey::new(id, &secret, "Lunch".parse().unwrap(), scopes, START)
    };
    let created = harness.store.create_api_key(key).await.unwrap();
    assert_eq!(created, Creation::Created);
    let path = format!("/keys/{id}");
    for _ in 0..feeds {
        let token = form_token(&browser.get(&path).await.body);
        let create = format!("{path}/calendars");
        let answer = browser.post(&create, &[("form_token", &token)]).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    }
    path
}

/// The fields of the last form of a page, with the code of the plan that it applies.
fn filled_form(page: &str) -> Vec<(String, String)> {
    let mut fields = form_of(page);
    if let Some(rest) = page.split("name=\"apply\" value=\"").nth(1) {
        let code = rest.split('"').next().unwrap().to_owned();
        fields.push(("apply".to_owned(), code));
    }
    fields
}

/// Fails if a page about the school, or a change of it, reads or writes records one by one.
#[tokio::test]
async fn pages_about_a_large_school_take_as_many_statements_as_those_about_a_small_one() {
    let mut counts = Vec::new();
    for (students, runs, feeds) in [(4, 2, 1), (40, 20, 8)] {
        let (counter, folder) = (
            Arc::new(StatementCounter::default()),
            tempfile::tempdir().unwrap(),
        );
        let (harness, log) = counting_harness(counter.clone(), folder.path(), runs).await;
        fill_school(&harness, students).await;
        let mut browser = harness.browser_of(ADMIN).await;
        let key = key_with_feeds(&harness, &mut browser, feeds).await;
        let addresses: Vec<String> = (0..students).map(|it| format!("t{it}@a.example")).collect();
        let addresses = addresses.join("\n");
        let none: &[(&str, &str)] = &[];
        let invited = [("addresses", &*addresses)];
        let all = "/admin/school/students/change?all=true&action=major&major=SMART_IOT";
        for (path, form) in [
            (&*key, None),
            ("/admin/sync", None),
            ("/admin/school/students", None),
            ("/admin/school/clubs", None),
            ("/admin/school/projects", None),
            ("/admin/school/students/new", None),
            ("/admin/school/students/1", Some(none)),
            ("/admin/school/clubs/1", None),
            ("/admin/school/projects/1", None),
            ("/admin/school/students.csv", None),
            ("/admin/school/students.json?grade=1", None),
            ("/admin/school/students/import", None),
            ("/admin/school/students/change?id=1&id=2", None),
            (all, Some(none)),
            ("/admin/year", None),
            ("/admin/year/turn", Some(none)),
            ("/admin/school/history", None),
            ("/admin/year/undo", Some(none)),
            ("/admin/people/invite", Some(&invited)),
        ] {
            assert!(log.flush().await);
            counter.take();
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
            // A page that shows records to an administrator is recorded.
            assert!(log.flush().await);
            counts.push((path.to_owned(), counter.take()));
            if let Some(fields) = form {
                let filled = with_fields(&filled_form(&page.body), fields);
                let action = path.split('?').next().unwrap();
                counter.take();
                let answer = post(&mut browser, action, &filled).await;
                let is_done = answer.status == StatusCode::SEE_OTHER || !fields.is_empty();
                assert!(
                    is_done && answer.status.as_u16() < 400,
                    "{path}: {answer:?}"
                );
                assert!(log.flush().await);
                counts.push((format!("POST {action}"), counter.take()));
            }
        }
    }
    let (few, many) = counts.split_at(counts.len() / 2);
    for ((path, few), (_, many)) in few.iter().zip(many) {
        if path.starts_with("POST") {
            // A statement writes a batch of rows: 36 students more are a few statements more.
            assert!(many - few < 18, "{path}: {few}, {many}");
        } else {
            assert_eq!(few, many, "{path}");
        }
    }
}

/// A key of the administrator that was used on two days, with the event of its creation, a client
/// of theirs, and an account.
async fn one_more_of_each(harness: &Harness, number: u8) {
    let secret = ApiKeySecret::from_random([number; 16]);
    let id = ApiKeyId::from_random([number; 16]);
    let key = ApiKey {
        owner: Some(harness.person.clone()),
        ..ApiKey::new(
            id,
            &secret,
            "Lunch".parse().unwrap(),
            ApiScopes::built_in(),
            START,
        )
    };
    let created = harness.store.create_api_key(key).await.unwrap();
    assert_eq!(created, Creation::Created);
    let used = |day: &str| ApiKeyDailyUsage {
        key: id,
        day: day.parse().unwrap(),
        calls: 3,
        errors: 1,
        last_used_at: START,
    };
    let uses = vec![used("2025-12-30"), used("2025-12-31")];
    harness.store.record_api_key_usage(uses).await.unwrap();
    let facts = format!("\"object\":\"api_key\",\"id\":\"{id}\",\"change\":\"created\"");
    append_event(harness, "managed", &format!("request-{id}"), &facts).await;
    let client = fixtures::client(harness, number, "Timetable").await;
    let owner = harness.person.clone();
    assert!(harness.store.set_client_owner(client, owner).await.unwrap());
    let email = format!("p{number}@school.example");
    create_account(&harness.accounts, &email, Role::User).await;
}

/// Fails if a page reads keys, clients, their usage or people one by one, or more than before.
#[tokio::test]
async fn each_page_takes_its_number_of_statements() {
    let expected = [
        ("/", 25),
        ("/keys", 6),
        ("/keys/{id}", 6),
        ("/keys/{id}/edit", 3),
        ("/keys/{id}/renew", 3),
        ("/keys/{id}/revoke", 4),
        ("/keys/{id}/activity", 5),
        ("/clients", 7),
        ("/clients/{id}", 13),
        ("/clients/{id}/activity", 7),
        ("/applications", 5),
        ("/applications/requests", 4),
        ("/requests?id=0123456789", 3),
        ("/apps", 4),
        ("/account", 4),
        ("/data/students", 7),
        ("/data/students/1", 7),
        ("/data/clubs", 7),
        ("/data/meals", 7),
        ("/week", 8),
        ("/week/meals", 7),
        ("/month", 7),
        ("/admin/keys", 7),
        ("/admin/clients", 12),
        ("/admin/waiting", 11),
        ("/admin/people", 5),
        // One for the keys and one for the people of the events, which name no client and no
        // application.
        ("/admin/audit", 8),
    ];
    for records in [2, 9] {
        let (counter, folder) = (
            Arc::new(StatementCounter::default()),
            tempfile::tempdir().unwrap(),
        );
        let (harness, log) = counting_harness(counter.clone(), folder.path(), 0).await;
        fill_school(&harness, 4).await;
        for number in 1..=records {
            one_more_of_each(&harness, number).await;
        }
        let id = uuid_of(1);
        let mut browser = harness.browser_of(ADMIN).await;
        let mut counts = Vec::new();
        for (path, _) in expected {
            assert!(log.flush().await);
            counter.take();
            let page = browser.get(&path.replace("{id}", &id)).await;
            assert_eq!(page.status, StatusCode::OK, "{path}: {page:?}");
            // Data that an administrator reads without a key is recorded.
            assert!(log.flush().await);
            counts.push((path, counter.take()));
        }
        assert_eq!(counts, expected, "with {records} keys and clients");
    }
}

/// The id of the key and of the client with this number.
fn uuid_of(number: u8) -> String {
    let id = ApiKeyId::from_random([number; 16]).to_string();
    assert_eq!(id, ClientId::from_random([number; 16]).to_string());
    id
}
