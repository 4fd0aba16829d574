//! A school's server: `init`, `serve` and the commands beside it.

mod backups;
mod doctor;
mod import;
mod invitations;
mod listen;
mod master_key;
mod metrics;
mod refusals;
mod settings;
mod spreadsheets;
mod stop;
#[cfg(feature = "neis")]
mod sync;
mod tls;
mod traces;
mod upgrade;
mod year;

use std::io::BufRead;
use std::process::Command;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::server::Server;
use crate::sign_in::Browser;
use crate::support::{Client, TestResponse, query_of};
use crate::test_database::{TestDatabase, on_each_database};

const PUBLIC_URL: [&str; 2] = ["--public-url", "http://127.0.0.1"];
const ADMIN: &str = "head@school.example";
const PASSWORD: &str = "four words that fit together";
const REDIRECT: &str = "http://127.0.0.1/callback";

on_each_database!(
    a_school_comes_from_init_to_a_token,
    accounts_and_keys_are_managed_while_it_serves,
    a_second_init_changes_nothing,
);

/// Output of a command that succeeds.
fn output(mut command: Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Makes the school and returns the path of the administrator's link.
fn init(database: &TestDatabase) -> String {
    let arguments = [&["init", "--admin", ADMIN], &PUBLIC_URL[..]].concat();
    link(&output(database.school(&arguments)))
}

/// Path of the link that a command printed.
fn link(printed: &str) -> String {
    let link = printed.lines().last().unwrap();
    let path = link.strip_prefix("http://127.0.0.1").unwrap();
    assert!(path.starts_with("/console/password-link?token="), "{link}");
    path.to_owned()
}

/// Starts `serve` and returns it with its address.
fn serve(database: &TestDatabase, arguments: &[&str]) -> (Server, String) {
    let arguments = [&["serve"], &PUBLIC_URL[..], arguments].concat();
    started(Server::start(database.school(&arguments), &[]))
}

/// Waits until a server is ready, and returns it with its address.
fn started(mut server: Server) -> (Server, String) {
    let address = ready(&mut server);
    (server, format!("http://{address}"))
}

/// Address in the first line of a server.
fn ready(server: &mut Server) -> String {
    let line = printed(server);
    assert!(line.starts_with("ready: "), "{line:?}: {}", server.log());
    line.rsplit(' ').next().unwrap().to_owned()
}

/// The next line that a server prints.
fn printed(server: &mut Server) -> String {
    let mut line = String::new();
    server.stdout.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

/// Sends a request, and reads the response until the connection is closed.
async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    answer
}

fn browser(origin: &str) -> Browser {
    Browser {
        client: Client::new(),
        origin: origin.to_owned(),
        cookie: String::new(),
    }
}

/// Sets the password by a link.
async fn use_link(origin: &str, link: &str) {
    let mut browser = browser(origin);
    let page = browser.open(link).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let fields = [("new_password", PASSWORD), ("repeated", PASSWORD)];
    let answer = browser.submit(&page, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert_eq!(browser.open(link).await.status, 404, "the link works twice");
}

/// A browser that is signed in to the web interface.
async fn signed_in(origin: &str, email: &str) -> Browser {
    let (browser, answer) = sign_in(origin, email).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    browser
}

/// A browser after an attempt to sign in to the web interface, with the answer.
async fn sign_in(origin: &str, email: &str) -> (Browser, TestResponse) {
    let mut browser = browser(origin);
    let page = browser.open("/console/sign-in").await;
    let fields = [("email", email), ("password", PASSWORD), ("next", "/")];
    let answer = browser.submit(&page, &fields).await;
    (browser, answer)
}

/// Issues an API key.
const ISSUE_KEY: [&str; 6] = [
    "key",
    "issue",
    "--description",
    "Club screen",
    "--scope",
    "CLUB_READ",
];

/// Issues an API key, and returns its id and its value.
fn issue_key(database: &TestDatabase) -> [String; 2] {
    let issued = output(database.school(&ISSUE_KEY));
    let value = issued.lines().last().unwrap();
    [id_of_key(&issued), value.to_owned()]
}

/// The id in what `key issue` printed.
fn id_of_key(issued: &str) -> String {
    issued.split([' ', ',']).nth(2).unwrap().to_owned()
}

/// Registers a client, and returns its id and its secret.
fn register_client(database: &TestDatabase, arguments: &[&str]) -> [String; 2] {
    let create = [
        &[
            "client",
            "create",
            "--name",
            "Club screen",
            "--redirect-uri",
            REDIRECT,
        ],
        arguments,
    ];
    let created = output(database.school(&create.concat()));
    let (id, secret) = (created.split(' ').nth(2), created.lines().last());
    [id, secret].map(|text| text.unwrap().to_owned())
}

/// Where a client sends its users.
fn authorize(client: &str) -> String {
    format!(
        "/auth/v1/oauth/authorize?response_type=code&client_id={client}&redirect_uri={REDIRECT}&scope=service:self_read"
    )
}

/// Signs the administrator in to a client, and returns the tokens.
async fn tokens(origin: &str, [id, secret]: &[String; 2]) -> Value {
    let mut browser = browser(origin);
    let answer = browser.open(&authorize(id)).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let path = |address: &str| address.trim_start_matches("http://127.0.0.1").to_owned();
    let page = browser.open(&path(answer.header("location"))).await;
    let fields = [("email", ADMIN), ("password", PASSWORD)];
    let answer = browser.submit(&page, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let page = browser.open(&path(answer.header("location"))).await;
    let answer = browser.submit(&page, &[("decision", "allow")]).await;
    let back = query_of(answer.header("location"));
    assert_eq!(back["iss"], "http://127.0.0.1/auth");
    let form = [
        ("grant_type", "authorization_code"),
        ("code", &back["code"]),
        ("redirect_uri", REDIRECT),
        ("client_id", id),
        ("client_secret", secret),
    ];
    let token = format!("{origin}/auth/v1/oauth/token");
    let answer = browser.client.post_form(&token, &[], &form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

/// What the authorization service says about the user of an access token.
async fn userinfo(origin: &str, tokens: &Value) -> TestResponse {
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    let url = format!("{origin}/auth/userinfo");
    Client::new().get(&url, &[("authorization", &bearer)]).await
}

/// Fails if a step of the handbook does not lead to the next one.
async fn a_school_comes_from_init_to_a_token(database: TestDatabase) {
    let link = init(&database);
    let mode = std::fs::metadata(database.key_file())
        .unwrap()
        .permissions();
    let mode = std::os::unix::fs::PermissionsExt::mode(&mode);
    assert_eq!(mode & 0o777, 0o600, "the master key is for its owner only");
    let (server, origin) = serve(&database, &["--school-name", "Haneul High School"]);
    use_link(&origin, &link).await;
    let home = signed_in(&origin, ADMIN).await.open("/console/").await;
    assert!(home.body.contains("Haneul High School"), "{}", home.body);

    let client = register_client(&database, &["--scope", "service:self_read"]);
    let tokens = tokens(&origin, &client).await;
    assert_eq!(userinfo(&origin, &tokens).await.json()["email"], ADMIN);
    let mut browser = browser(&origin);
    for known in [
        "/.well-known/oauth-authorization-server/auth",
        "/.well-known/oauth-protected-resource",
        "/v1/health/ready",
        "/v1/docs",
    ] {
        assert_eq!(browser.open(known).await.status, 200, "{known}");
    }
    server.stop();
}

/// Fails if a running server does not see what a command changed.
async fn accounts_and_keys_are_managed_while_it_serves(database: TestDatabase) {
    init(&database);
    let (server, origin) = serve(&database, &["--log-format", "json"]);
    let client = Client::new();
    let arguments = [
        &["account", "create", "kim@school.example"],
        &PUBLIC_URL[..],
    ]
    .concat();
    use_link(&origin, &link(&output(database.school(&arguments)))).await;
    signed_in(&origin, "kim@school.example").await;
    output(database.school(&["account", "role", "kim@school.example", "ADMIN"]));
    let list = output(database.school(&["account", "list"]));
    assert!(list.lines().count() == 2, "{list}");
    assert!(list.contains("ADMIN  kim@school.example"), "{list}");
    let arguments = [&["account", "reset", "kim@school.example"], &PUBLIC_URL[..]].concat();
    use_link(&origin, &link(&output(database.school(&arguments)))).await;
    output(database.school(&["account", "remove", "kim@school.example"]));
    assert!(!output(database.school(&["account", "list"])).contains("kim@"));

    let [id, key] = issue_key(&database);
    let clubs = format!("{origin}/v1/clubs");
    assert_eq!(client.get(&clubs, &[("x-api-key", &key)]).await.status, 200);
    output(database.school(&["key", "revoke", &id]));
    assert!(!output(database.school(&["key", "list"])).contains(&id));

    let registered = output(database.school(&["client", "create", "--name", "Club screen"]));
    let id = registered.split(' ').nth(2).unwrap();
    output(database.school(&["client", "unverify", id]));
    assert!(output(database.school(&["client", "list"])).contains("unverified"));
    output(database.school(&["client", "verify", id]));
    output(database.school(&["client", "new-secret", id]));

    let keys = format!("{origin}/auth/v1/oauth/jwk-set");
    let first = client.get(&keys, &[]).await.json()["keys"][0]["kid"].clone();
    let next = output(database.school(&["rotate-signing-key"]));
    assert_eq!(
        output(database.school(&["rotate-signing-key"])),
        next.replace("is published", "was published before")
    );
    output(database.school(&["revoke-signing-key", first.as_str().unwrap()]));
    let log = server.log();
    for line in log.lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
    }
    server.stop();
    let (server, origin) = serve(&database, &[]);
    let keys = format!("{origin}/auth/v1/oauth/jwk-set");
    let keys = client.get(&keys, &[]).await.json();
    assert_ne!(keys["keys"][0]["kid"], first);
    server.stop();
}

/// Fails if `init` replaces the master key or adds another administrator.
async fn a_second_init_changes_nothing(database: TestDatabase) {
    init(&database);
    let key = std::fs::read(database.key_file()).unwrap();
    let again = [
        &["init", "--admin", "other@school.example"],
        &PUBLIC_URL[..],
    ]
    .concat();
    let outcome = crate::server::failure(database.school(&again));
    crate::failures::assert_one_line(outcome, "has accounts already");
    assert_eq!(std::fs::read(database.key_file()).unwrap(), key);
    assert_eq!(database.count("SELECT count(*) FROM accounts"), 1);
}
