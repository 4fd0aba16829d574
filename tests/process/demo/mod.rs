mod branding;
mod developers;
mod existing_records;

use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use crate::server::Server;
use crate::sign_in::Browser;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    the_first_line_of_json_names_everything_and_everything_works,
    a_second_start_finds_the_data,
    the_lines_for_people_work_as_printed,
    ctrl_c_and_sigterm_stop_it_with_exit_code_0,
    the_master_key_is_for_its_owner_only,
    each_service_tells_where_it_is,
    a_client_gets_a_token_of_its_own,
    the_page_of_a_client_shows_the_use_of_its_secret_at_once,
    the_log_has_the_id_of_a_refusal,
    a_start_on_another_loopback_address_or_on_another_day_still_works,
);

async fn students(client: &Client, ready: &Value, query: &str) -> Value {
    let url = format!("{}/v1/students{query}", text(&ready["base_url"]));
    let answer = client
        .get(&url, &[("x-api-key", text(&ready["api_key"]))])
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].clone()
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is not text"))
}

// Proves: spec 1.3
async fn the_first_line_of_json_names_everything_and_everything_works(database: TestDatabase) {
    let (server, ready) = database.ready();
    let client = Client::new();
    assert_eq!(
        (&ready["event"], &ready["database"]),
        (&json!("ready"), &json!("was_empty"))
    );
    for path in [
        "/base_url",
        "/auth_url",
        "/api_key",
        "/limited_api_key",
        "/client/id",
        "/client/secret",
        "/client/redirect_uri",
        "/public_client/id",
        "/public_client/redirect_uri",
        "/console/id",
        "/console/secret",
        "/console/redirect_uri",
        "/service_client/id",
        "/service_client/secret",
        "/developer_client/id",
        "/developer_client/secret",
        "/developer_client/redirect_uri",
        "/application_id",
        "/user/email",
        "/user/password",
        "/developer/email",
        "/developer/password",
        "/admin/email",
        "/admin/password",
    ] {
        assert!(
            !text(ready.pointer(path).unwrap_or(&Value::Null)).is_empty(),
            "{path}"
        );
    }
    let scopes = ready["scopes"].as_array().unwrap();
    assert_eq!(scopes.len(), 3);
    assert!(
        scopes
            .iter()
            .all(|scope| text(scope).starts_with(&format!("{}:", text(&ready["application_id"]))))
    );

    let enrolled = students(&client, &ready, "").await;
    assert_eq!(
        (&enrolled["totalElements"], &enrolled["totalPages"]),
        (&json!(216), &json!(1))
    );
    let ids: Vec<i64> = enrolled["students"]
        .as_array()
        .unwrap()
        .iter()
        .map(|student| student["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 216);
    assert!(ids.is_sorted(), "{ids:?}");
    let with_graduates = students(&client, &ready, "?includeGraduates=true").await;
    assert_eq!(with_graduates["students"].as_array().unwrap().len(), 300);
    assert_eq!(with_graduates["totalElements"], 216 + 960);

    let limited = [("x-api-key", text(&ready["limited_api_key"]))];
    let base = text(&ready["base_url"]);
    assert_eq!(
        client
            .get(&format!("{base}/v1/clubs"), &limited)
            .await
            .json()["data"]["totalElements"],
        40
    );
    assert_eq!(
        client
            .get(&format!("{base}/v1/students"), &limited)
            .await
            .status,
        403
    );
    for path in [
        "/v1/applications",
        "/v1/clients/available-scopes",
        "/v1/api-keys",
        "/v1/grants",
        "/userinfo",
    ] {
        assert_eq!(
            client.get(&format!("{base}{path}"), &[]).await.status,
            401,
            "{path}"
        );
    }
    server.stop();
}

async fn a_second_start_finds_the_data(database: TestDatabase) {
    let client = Client::new();
    let (server, first) = database.ready();
    let before = students(
        &client,
        &first,
        "?includeGraduates=true&includeWithdrawn=true&size=1000",
    )
    .await;
    let keys = client
        .get(
            &format!("{}/v1/oauth/jwk-set", text(&first["auth_url"])),
            &[],
        )
        .await
        .json();
    let tables = [
        "students",
        "accounts",
        "applications",
        "scopes",
        "clients",
        "client_secrets",
        "scope_requests",
        "api_keys",
    ];
    let rows = || tables.map(|table| database.count(&format!("SELECT count(*) FROM {table}")));
    let rows_before = rows();
    server.stop();
    let (server, second) = database.ready();
    assert_eq!(rows(), rows_before, "rows of {tables:?}");
    assert_eq!(
        students(
            &client,
            &second,
            "?includeGraduates=true&includeWithdrawn=true&size=1000"
        )
        .await,
        before
    );
    assert_eq!(
        client
            .get(
                &format!("{}/v1/oauth/jwk-set", text(&second["auth_url"])),
                &[]
            )
            .await
            .json(),
        keys,
        "the signing key changed"
    );
    for path in [
        "/client/id",
        "/public_client/id",
        "/application_id",
        "/user/email",
        "/user/password",
        "/client/secret",
    ] {
        assert_eq!(first.pointer(path), second.pointer(path), "{path}");
    }
    assert_eq!(second["database"], "is_demo");
    server.stop();
}

async fn the_lines_for_people_work_as_printed(database: TestDatabase) {
    let mut server = Server::start(database.command(), &[]);
    let mut lines = std::collections::HashMap::new();
    while !lines.contains_key("native client") {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut server.stdout, &mut line).unwrap();
        assert!(!line.is_empty(), "the output ended");
        let (name, value) = line.trim_end().split_at(18.min(line.trim_end().len()));
        lines.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    let client = Client::new();
    // curl -H 'X-API-KEY: …' 'http://…'
    let words: Vec<&str> = lines["try"].split('\'').collect();
    let (name, key) = words[1].split_once(": ").unwrap();
    let answer = client.get(words[3], &[(name, key)]).await;
    let data = &answer.json()["data"];
    assert_eq!(data["students"].as_array().unwrap().len(), 3);
    assert!(
        data["students"]
            .as_array()
            .unwrap()
            .iter()
            .all(|student| student["grade"] == 2)
    );
    // The sign-in link leads to the sign-in page.
    let answer = client
        .get(&lines["sign-in"], &[("accept", "text/html")])
        .await;
    assert!(
        answer.status.is_redirection(),
        "{} {}",
        answer.status,
        answer.body
    );
    server.stop();
}

// Proves: spec 1.3
async fn each_service_tells_where_it_is(database: TestDatabase) {
    let (server, ready) = database.ready();
    let client = Client::new();
    let base = text(&ready["base_url"]);
    let well_known =
        async |name: &str| client.get(&format!("{base}/.well-known/{name}"), &[]).await;
    let metadata = well_known("oauth-authorization-server").await.json();
    assert_eq!(
        (&metadata["issuer"], &metadata["jwks_uri"]),
        (&json!(base), &json!(format!("{base}/v1/oauth/jwk-set")))
    );
    assert_eq!(
        well_known("jwks.json").await.json()["keys"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let resource = well_known("oauth-protected-resource").await.json();
    assert_eq!(
        (&resource["resource"], &resource["authorization_servers"]),
        (&json!(base), &json!([base]))
    );
    assert_eq!(well_known("anything-else").await.status, 404);
    server.stop();
}

async fn a_client_gets_a_token_of_its_own(database: TestDatabase) {
    let (server, ready) = database.ready();
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", text(&ready["service_client"]["id"])),
        ("client_secret", text(&ready["service_client"]["secret"])),
    ];
    let answer = Client::new()
        .post_form(
            &format!("{}/v1/oauth/token", text(&ready["auth_url"])),
            &[],
            &form,
        )
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(text(&answer.json()["scope"]).split(' ').count(), 3);
    server.stop();
}

// Proves: spec 3.11
/// Fails if the program does not record secrets, or if the page of a client omits uses that are not
/// written yet.
async fn the_page_of_a_client_shows_the_use_of_its_secret_at_once(database: TestDatabase) {
    let (server, ready) = database.ready();
    let mut browser = signed_in(&ready).await;
    let id = text(&ready["service_client"]["id"]);
    let page = format!("/console/clients/{id}");
    assert!(browser.open(&page).await.body.contains("Never used"));
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", id),
        ("client_secret", text(&ready["service_client"]["secret"])),
    ];
    let token = format!("{}/v1/oauth/token", text(&ready["auth_url"]));
    let answer = browser.client.post_form(&token, &[], &form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let page = browser.open(&page).await.body;
    assert!(page.contains(id) && !page.contains("Never used"), "{page}");
    server.stop();
}

/// A browser whose user is signed in to the web interface.
async fn signed_in(ready: &Value) -> Browser {
    signed_in_as(ready, "user").await
}

/// A browser in which this account of the demo is signed in to the web interface.
async fn signed_in_as(ready: &Value, account: &str) -> Browser {
    let mut browser = Browser {
        client: Client::new(),
        origin: text(&ready["base_url"]).to_owned(),
        cookie: String::new(),
    };
    let page = browser.open("/console/sign-in").await;
    let fields = [
        ("email", text(&ready[account]["email"])),
        ("password", text(&ready[account]["password"])),
        ("next", "/"),
    ];
    let answer = browser.submit(&page, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    browser
}

async fn the_log_has_the_id_of_a_refusal(database: TestDatabase) {
    let (server, ready) = database.ready();
    let client = Client::new();
    let base = text(&ready["base_url"]);
    for (path, rule) in [
        ("/v1/students", "api_key_missing"),
        ("/userinfo", "bearer_missing"),
    ] {
        let answer = client.get(&format!("{base}{path}"), &[]).await;
        let (log, id) = (server.log(), answer.header("x-request-id"));
        assert!(
            !id.is_empty()
                && log
                    .lines()
                    .any(|line| line.contains(id) && line.contains(rule)),
            "no {id} in {log}"
        );
    }
    server.stop();
}

async fn ctrl_c_and_sigterm_stop_it_with_exit_code_0(database: TestDatabase) {
    for signal in ["INT", "TERM"] {
        let (mut server, _) = database.ready();
        server.signal(signal);
        assert!(server.wait().success(), "{signal}");
        let mut rest = String::new();
        server.stdout.read_to_string(&mut rest).unwrap();
        assert!(rest.is_empty(), "{rest}");
    }
}

async fn the_master_key_is_for_its_owner_only(database: TestDatabase) {
    let (server, _) = database.ready();
    assert_private(&database.key_file());
    server.stop();
}

#[cfg(unix)]
fn assert_private(path: &Path) {
    let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

async fn a_start_on_another_loopback_address_or_on_another_day_still_works(database: TestDatabase) {
    let (server, _) = database.ready();
    server.stop();
    // Simulates a first start two months ago.
    database.run("DELETE FROM meals; DELETE FROM lessons; DELETE FROM events");

    // The last `--listen` takes precedence.
    let mut server = Server::start(database.command(), &["--json", "--listen", "[::1]:0"]);
    let ready = server.ready_line();
    let client = Client::new();
    let base = text(&ready["base_url"]);
    assert!(base.starts_with("http://[::1]:"), "{base}");
    let key = [("x-api-key", text(&ready["api_key"]))];
    assert_eq!(
        client
            .get(&format!("{base}/v1/students"), &key)
            .await
            .status,
        200
    );
    let welcome = client.get(&format!("{base}/"), &[]).await.body;
    assert!(welcome.contains("asked for consent each time"), "{welcome}");
    let sign_in = welcome
        .split("href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .replace("&amp;", "&");
    assert_eq!(
        client.get(&sign_in, &[]).await.status,
        303,
        "the printed sign-in address is dead"
    );
    let lessons = database.count("SELECT count(*) FROM lessons");
    assert!(lessons > 100, "{lessons} lessons around today");
    server.stop();
}
