use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use crate::server::Server;
use crate::support::Client;

async fn students(client: &Client, ready: &Value, query: &str) -> Value {
    let url = format!("{}/v1/students{query}", text(&ready["base_url"]));
    let answer = client.get(&url, &[("x-api-key", text(&ready["api_key"]))]).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not text"))
}

#[tokio::test]
async fn the_first_line_of_json_names_everything_and_everything_works() {
    let folder = tempfile::tempdir().unwrap();
    let (server, ready) = Server::ready(&folder.path().join("school.db"));
    let client = Client::new();
    assert_eq!(ready["event"], "ready");
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
        "/application_id",
        "/user/email",
        "/user/password",
        "/admin/email",
        "/admin/password",
    ] {
        assert!(!text(ready.pointer(path).unwrap_or(&Value::Null)).is_empty(), "{path}");
    }
    let scopes = ready["scopes"].as_array().unwrap();
    assert_eq!(scopes.len(), 3);
    assert!(scopes.iter().all(|scope| text(scope).starts_with(&format!("{}:", text(&ready["application_id"])))));

    let enrolled = students(&client, &ready, "").await;
    assert_eq!((&enrolled["totalElements"], &enrolled["totalPages"]), (&json!(216), &json!(1)));
    let ids: Vec<i64> = enrolled["students"].as_array().unwrap().iter().map(|student| student["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), 216);
    assert!(ids.is_sorted(), "{ids:?}");
    let with_graduates = students(&client, &ready, "?includeGraduates=true").await;
    assert_eq!(with_graduates["students"].as_array().unwrap().len(), 300);
    assert_eq!(with_graduates["totalElements"], 216 + 960);

    let limited = [("x-api-key", text(&ready["limited_api_key"]))];
    let base = text(&ready["base_url"]);
    assert_eq!(client.get(&format!("{base}/v1/clubs"), &limited).await.json()["data"]["totalElements"], 40);
    assert_eq!(client.get(&format!("{base}/v1/students"), &limited).await.status, 403);
    server.stop();
}

#[tokio::test]
async fn a_second_start_finds_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    let client = Client::new();
    let (server, first) = Server::ready(&database);
    let before = students(&client, &first, "?includeGraduates=true&includeWithdrawn=true&size=1000").await;
    let keys = client.get(&format!("{}/v1/oauth/jwk-set", text(&first["auth_url"])), &[]).await.json();
    server.stop();
    let (server, second) = Server::ready(&database);
    assert_eq!(students(&client, &second, "?includeGraduates=true&includeWithdrawn=true&size=1000").await, before);
    assert_eq!(client.get(&format!("{}/v1/oauth/jwk-set", text(&second["auth_url"])), &[]).await.json(), keys, "the signing key changed");
    for path in ["/client/id", "/public_client/id", "/application_id", "/user/email", "/user/password", "/client/secret"] {
        assert_eq!(first.pointer(path), second.pointer(path), "{path}");
    }
    server.stop();
}

#[tokio::test]
async fn the_lines_for_people_work_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder.path().join("school.db"), &[]);
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
    assert!(data["students"].as_array().unwrap().iter().all(|student| student["grade"] == 2));
    // The sign-in address leads to the login page.
    let answer = client.get(&lines["sign-in"], &[("accept", "text/html")]).await;
    assert!(answer.status.is_redirection(), "{} {}", answer.status, answer.body);
    server.stop();
}

#[test]
fn ctrl_c_and_sigterm_stop_it_with_exit_code_0() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["INT", "TERM"] {
        let (mut server, _) = Server::ready(&folder.path().join("school.db"));
        server.signal(signal);
        assert!(server.wait().success(), "{signal}");
        let mut rest = String::new();
        server.stdout.read_to_string(&mut rest).unwrap();
        assert!(rest.is_empty(), "{rest}");
    }
}

#[test]
fn the_master_key_is_for_its_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = Server::ready(&folder.path().join("school.db"));
    assert_private(&folder.path().join("school.db.key"));
    server.stop();
}

#[cfg(unix)]
fn assert_private(path: &Path) {
    let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

#[tokio::test]
async fn a_start_on_another_loopback_address_or_on_another_day_still_works() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    let (server, _) = Server::ready(&database);
    server.stop();
    // As if the first start had been two months ago.
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.execute_batch("DELETE FROM meals; DELETE FROM lessons; DELETE FROM events").unwrap();
    drop(connection);

    let (server, ready) = Server::ready_on("[::1]:0", &database);
    let client = Client::new();
    let base = text(&ready["base_url"]);
    assert!(base.starts_with("http://[::1]:"), "{base}");
    let key = [("x-api-key", text(&ready["api_key"]))];
    assert_eq!(client.get(&format!("{base}/v1/students"), &key).await.status, 200);
    let welcome = client.get(&format!("{base}/"), &[]).await.body;
    let sign_in = welcome.split("href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    assert_eq!(client.get(&sign_in, &[]).await.status, 303, "the printed sign-in address is dead");
    let lessons: i64 =
        rusqlite::Connection::open(&database).unwrap().query_row("SELECT count(*) FROM lessons", [], |row| row.get(0)).unwrap();
    assert!(lessons > 100, "{lessons} lessons around today");
    server.stop();
}
