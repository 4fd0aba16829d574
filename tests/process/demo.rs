use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use lyceum::directory::{Directory, DirectoryChange, Writing};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, Client as OAuthClient, ClientId, ClientPolicy, Line, Password,
    Role, ScopeSet, SubjectId, Timestamp, Verification,
};
use lyceum::http::auth_server::{AccountCreation, Accounts};
use lyceum::store::sql::SqlStore;
use lyceum::store::{ApiKeyStore, ClientCreation, ClientRegistry, Creation};
use lyceum::testing::school::DemoSchool;
use serde_json::{Value, json};

use crate::place::{Place, on_each_database};
use crate::server::Server;
use crate::support::Client;

on_each_database!(
    the_first_line_of_json_names_everything_and_everything_works,
    a_second_start_finds_the_data,
    the_lines_for_people_work_as_printed,
    ctrl_c_and_sigterm_stop_it_with_exit_code_0,
    the_master_key_is_for_its_owner_only,
    each_service_tells_where_it_is,
    a_client_gets_a_token_of_its_own,
    the_log_has_the_id_of_a_refusal,
    a_start_on_another_loopback_address_or_on_another_day_still_works,
    a_database_with_records_of_its_own_stays_as_it_is,
);

async fn students(client: &Client, ready: &Value, query: &str) -> Value {
    let url = format!("{}/v1/students{query}", text(&ready["base_url"]));
    let answer = client.get(&url, &[("x-api-key", text(&ready["api_key"]))]).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not text"))
}

async fn the_first_line_of_json_names_everything_and_everything_works(place: Place) {
    let (server, ready) = place.ready();
    let client = Client::new();
    assert_eq!((&ready["event"], &ready["database"]), (&json!("ready"), &json!("was_empty")));
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
    for path in ["/v1/applications", "/v1/clients/available-scopes", "/v1/api-keys", "/v1/grants", "/userinfo"] {
        assert_eq!(client.get(&format!("{base}{path}"), &[]).await.status, 401, "{path}");
    }
    server.stop();
}

async fn a_second_start_finds_the_data(place: Place) {
    let client = Client::new();
    let (server, first) = place.ready();
    let before = students(&client, &first, "?includeGraduates=true&includeWithdrawn=true&size=1000").await;
    let keys = client.get(&format!("{}/v1/oauth/jwk-set", text(&first["auth_url"])), &[]).await.json();
    server.stop();
    let (server, second) = place.ready();
    assert_eq!(students(&client, &second, "?includeGraduates=true&includeWithdrawn=true&size=1000").await, before);
    assert_eq!(client.get(&format!("{}/v1/oauth/jwk-set", text(&second["auth_url"])), &[]).await.json(), keys, "the signing key changed");
    for path in ["/client/id", "/public_client/id", "/application_id", "/user/email", "/user/password", "/client/secret"] {
        assert_eq!(first.pointer(path), second.pointer(path), "{path}");
    }
    assert_eq!(second["database"], "is_demo");
    server.stop();
}

async fn the_lines_for_people_work_as_printed(place: Place) {
    let mut server = Server::start(place.command(), &[]);
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

async fn each_service_tells_where_it_is(place: Place) {
    let (server, ready) = place.ready();
    let client = Client::new();
    let base = text(&ready["base_url"]);
    let well_known = async |name: &str| client.get(&format!("{base}/.well-known/{name}"), &[]).await;
    let metadata = well_known("oauth-authorization-server").await.json();
    assert_eq!((&metadata["issuer"], &metadata["jwks_uri"]), (&json!(base), &json!(format!("{base}/v1/oauth/jwk-set"))));
    assert_eq!(well_known("jwks.json").await.json()["keys"].as_array().unwrap().len(), 1);
    let resource = well_known("oauth-protected-resource").await.json();
    assert_eq!((&resource["resource"], &resource["authorization_servers"]), (&json!(base), &json!([base])));
    assert_eq!(well_known("anything-else").await.status, 404);
    server.stop();
}

async fn a_client_gets_a_token_of_its_own(place: Place) {
    let (server, ready) = place.ready();
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", text(&ready["service_client"]["id"])),
        ("client_secret", text(&ready["service_client"]["secret"])),
    ];
    let answer = Client::new().post_form(&format!("{}/v1/oauth/token", text(&ready["auth_url"])), &[], &form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(text(&answer.json()["scope"]).split(' ').count(), 3);
    server.stop();
}

async fn the_log_has_the_id_of_a_refusal(place: Place) {
    let (server, ready) = place.ready();
    let client = Client::new();
    let base = text(&ready["base_url"]);
    for (path, rule) in [("/v1/students", "api_key_missing"), ("/userinfo", "bearer_missing")] {
        let answer = client.get(&format!("{base}{path}"), &[]).await;
        let (log, id) = (server.log(), answer.header("x-request-id"));
        assert!(!id.is_empty() && log.lines().any(|line| line.contains(id) && line.contains(rule)), "no {id} in {log}");
    }
    server.stop();
}

/// Fails if the invented school, or an account of it, comes into a database in which there is anything.
async fn a_database_with_records_of_its_own_stays_as_it_is(place: Place) {
    let tables = ["students", "meals", "events", "lessons", "accounts", "applications", "scopes", "clients", "api_keys"];
    let count = |table: &str| place.count(&format!("SELECT count(*) FROM {table}"));
    let client = Client::new();
    for kind in ["a meal", "an account", "an application", "a client", "an API key"] {
        place.prepare().await;
        place.run("DELETE FROM meals; DELETE FROM accounts; DELETE FROM clients; DELETE FROM api_keys; DELETE FROM applications WHERE id <> 'service'");
        place.run("UPDATE directory_version SET version = 0");
        keep(&place.store().await, kind).await;
        let before = tables.map(count);
        let (server, ready) = place.ready();
        assert_eq!((&ready["event"], &ready["database"], &ready["user"]), (&json!("ready"), &json!("has_records"), &Value::Null), "{kind}");
        let base = text(&ready["base_url"]);
        assert_eq!(client.get(&format!("{base}/v1/health"), &[]).await.status, 200);
        assert_eq!(client.get(&format!("{base}/console/sign-in"), &[]).await.status, 200, "it serves what is there");
        server.stop();
        assert_eq!(tables.map(count), before, "the demo added to a database with {kind}");
    }
    let mut server = Server::start(place.command(), &[]);
    let mut line = String::new();
    std::io::BufRead::read_line(&mut server.stdout, &mut line).unwrap();
    assert!(line.starts_with("  database ") && line.contains("has records of its own, so the demo added nothing"), "{line}");
    server.stop();
}

/// Puts one thing into the store.
async fn keep(store: &SqlStore, kind: &str) {
    let (name, at) = (|| Line::literal("Ours"), Timestamp::from_seconds(1_790_000_000));
    match kind {
        "a meal" => {
            let is_meal = |change: &DirectoryChange| matches!(change, DirectoryChange::PutMeal(_));
            let mut school = DemoSchool::new(1, "2026-09-21".parse().unwrap()).changes();
            school.retain(is_meal);
            school.truncate(1);
            let directory = Directory::open(Arc::new(store.clone())).await.unwrap();
            assert!(matches!(directory.write(school).await.unwrap(), Writing::Written(_)));
        }
        "an account" => {
            let accounts = Accounts::builder(Arc::new(store.clone())).hashing_cost(8, 1).build().unwrap();
            let password = Password::new("correct horse battery staple").unwrap();
            let created = accounts.create("head@ours.example".parse().unwrap(), &password, Role::Admin).await.unwrap();
            assert!(matches!(created, AccountCreation::Created(_)));
        }
        "an application" => {
            let id = ApplicationId::from_random([7; 16]);
            let application = Application { id, name: name(), owner: SubjectId::service(), created_at: at };
            assert_eq!(store.create_application(application).await.unwrap(), Creation::Created);
        }
        "a client" => {
            let client = OAuthClient {
                id: ClientId::from_random([7; 16]),
                name: name(),
                owner: SubjectId::service(),
                policy: ClientPolicy::Public,
                secrets: Vec::new(),
                redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
                allowed_scopes: ScopeSet::default(),
                plain_pkce_allowed: false,
                pkce_required: false,
                first_party: false,
                client_credentials_allowed: false,
                iss_omitted: false,
                verification: Verification::Assumed,
                created_at: at,
                suspended_at: None,
            };
            assert_eq!(store.create_client(client).await.unwrap(), ClientCreation::Created);
        }
        _ => {
            let secret = ApiKeySecret::from_random([7; 16]);
            let key = ApiKey::issued(ApiKeyId::from_random([7; 16]), &secret, name(), ApiScopes::built_in(), at);
            assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        }
    }
}

async fn ctrl_c_and_sigterm_stop_it_with_exit_code_0(place: Place) {
    for signal in ["INT", "TERM"] {
        let (mut server, _) = place.ready();
        server.signal(signal);
        assert!(server.wait().success(), "{signal}");
        let mut rest = String::new();
        server.stdout.read_to_string(&mut rest).unwrap();
        assert!(rest.is_empty(), "{rest}");
    }
}

async fn the_master_key_is_for_its_owner_only(place: Place) {
    let (server, _) = place.ready();
    assert_private(&place.key_file());
    server.stop();
}

#[cfg(unix)]
fn assert_private(path: &Path) {
    let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

async fn a_start_on_another_loopback_address_or_on_another_day_still_works(place: Place) {
    let (server, _) = place.ready();
    server.stop();
    // As if the first start had been two months ago.
    place.run("DELETE FROM meals; DELETE FROM lessons; DELETE FROM events");

    // The last `--listen` counts.
    let mut server = Server::start(place.command(), &["--json", "--listen", "[::1]:0"]);
    let ready = server.told();
    let client = Client::new();
    let base = text(&ready["base_url"]);
    assert!(base.starts_with("http://[::1]:"), "{base}");
    let key = [("x-api-key", text(&ready["api_key"]))];
    assert_eq!(client.get(&format!("{base}/v1/students"), &key).await.status, 200);
    let welcome = client.get(&format!("{base}/"), &[]).await.body;
    assert!(welcome.contains("asked for consent each time"), "{welcome}");
    let sign_in = welcome.split("href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    assert_eq!(client.get(&sign_in, &[]).await.status, 303, "the printed sign-in address is dead");
    let lessons = place.count("SELECT count(*) FROM lessons");
    assert!(lessons > 100, "{lessons} lessons around today");
    server.stop();
}
