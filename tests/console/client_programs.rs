//! Samples of a client's page, run unchanged against a server on a port.

use std::future::pending;
use std::process::Stdio;

use axum::Router;
use lyceum::domain::{Client, ClientPolicy, ClientSecret, RegisteredSecret};
use lyceum::http::serve;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;

use crate::client_fixtures::*;
use crate::harness::{ADMIN, EMAIL, Harness, PASSWORD, START};
use crate::{browser, report};

/// Languages in the order of the page, with their interpreters.
const PROGRAMS: [(&str, &str); 3] = [
    ("curl", "sh"),
    ("JavaScript", "node"),
    ("Python", "python3"),
];

/// A harness whose authorization server listens on a port, and its origin.
async fn served() -> (Harness, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let harness = Harness::with_issuer(
        &format!("{origin}/auth"),
        &format!("{origin}/console"),
        |builder| builder,
        |builder| builder,
    )
    .await;
    drop(tokio::spawn(serve(
        listener,
        Router::new().nest_service("/auth", harness.auth.clone()),
        pending(),
    )));
    (harness, origin)
}

/// The sample programs of a client's page.
async fn programs(harness: &Harness, client: &Client) -> Vec<String> {
    let page = harness
        .browser_of(EMAIL)
        .await
        .get(&format!("/clients/{}", client.id))
        .await
        .body;
    let code = |number| {
        let rest = page
            .split(&format!("<pre id=\"sample-{number}-code\"><code>"))
            .nth(1)
            .unwrap_or_else(|| panic!("{page}"));
        unescaped(rest.split("</code>").next().unwrap())
    };
    (1..=PROGRAMS.len()).map(code).collect()
}

fn unescaped(html: &str) -> String {
    [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
    ]
    .iter()
    .fold(html.to_owned(), |text, (escape, letter)| {
        text.replace(escape, letter)
    })
}

/// Runs a program, opens the URL that it prints in a browser and passes the redirect URL back.
/// Returns its further output and whether it succeeded.
async fn run(
    program: &str,
    code: &str,
    secret: &str,
    user: &mut browser::Browser,
    spoil: bool,
) -> (String, bool) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(if program == "node" {
        "sign_in.mjs"
    } else {
        "sign_in"
    });
    std::fs::write(&file, code).unwrap();
    let mut command = Command::new(program);
    command
        .arg(&file)
        .env("CLIENT_SECRET", secret)
        .envs([("NO_PROXY", "127.0.0.1"), ("no_proxy", "127.0.0.1")]);
    command.env("PYTHONUNBUFFERED", "1").kill_on_drop(true);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let address = loop {
        let mut line = String::new();
        assert!(
            output.read_line(&mut line).await.unwrap() > 0,
            "{program} printed no address"
        );
        if line.starts_with("http") {
            break line.trim().to_owned();
        }
    };
    let mut back = user.allow(&address).await;
    if spoil {
        back = back.replace("state=", "state=x");
    }
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{back}\n").as_bytes())
        .await
        .unwrap();
    let mut printed = String::new();
    output.read_to_string(&mut printed).await.unwrap();
    let ended = child.wait_with_output().await.unwrap();
    printed.push_str(&String::from_utf8_lossy(&ended.stderr));
    (printed, ended.status.success())
}

async fn is_installed(program: &str) -> bool {
    let is_there = Command::new(program)
        .args(["-c", "true"])
        .output()
        .await
        .is_ok();
    if !is_there {
        report::report(
            "SKIPPED",
            format!("the sample for {program}, which is not installed"),
        );
    }
    is_there
}

// Proves: threats 12
/// Fails if a sample uses a wrong URL, lacks a parameter or the verifier, or breaks on characters
/// of a redirect URI.
#[tokio::test]
async fn the_samples_of_a_page_sign_a_user_in_unchanged() {
    let (harness, origin) = served().await;
    let secret = ClientSecret::from_random([7; 32]);
    let registered = RegisteredSecret::new(&secret, START);
    let uri = "https://app.example/callback?a='$(exit)'&b=%22`".replace('`', "%60");
    let confidential = client(&harness, 1, |client| Client {
        secrets: vec![registered],
        redirect_uris: vec![uri.parse().unwrap()],
        ..client
    })
    .await;
    let loopback = vec!["http://127.0.0.1:1/callback".parse().unwrap()];
    let public = client(&harness, 2, |client| Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: loopback,
        ..client
    })
    .await;
    for client in [&confidential, &public] {
        for ((language, program), code) in
            PROGRAMS.into_iter().zip(programs(&harness, client).await)
        {
            assert_eq!(
                code.contains("CLIENT_SECRET"),
                client.policy != ClientPolicy::Public,
                "{code}"
            );
            if !is_installed(program).await {
                continue;
            }
            let mut user = browser::Browser::new(&origin, [EMAIL, PASSWORD]);
            let (printed, succeeded) = run(program, &code, secret.expose(), &mut user, false).await;
            assert!(
                succeeded && printed.contains("access_token") && printed.contains("refresh_token"),
                "{language}: {printed}"
            );
            let mut user = browser::Browser::new(&origin, [ADMIN, PASSWORD]);
            let (printed, succeeded) = run(program, &code, secret.expose(), &mut user, true).await;
            assert!(
                !succeeded && printed.contains("not the answer to our question"),
                "{language}: {printed}"
            );
        }
    }
}

/// Fails if a sample lacks a required parameter, even where no interpreter is installed.
#[tokio::test]
async fn every_sample_names_the_endpoints_and_parameters_of_the_whole_flow() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| client).await;
    for code in programs(&harness, &client).await {
        for part in [
            "https://school.example/auth",
            "/v1/oauth/authorize",
            "/v1/oauth/token",
            "response_type",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "code_challenge",
            "code_challenge_method",
            "S256",
            "authorization_code",
            "code_verifier",
            "client_secret",
            &client.id.to_string(),
        ] {
            assert!(code.contains(part), "{part} is missing in {code}");
        }
    }
}

// Proves: threats 12
/// Fails if the script and the server judge a URL differently. The domain is tested against the
/// same table.
#[tokio::test]
async fn the_script_judges_redirects_as_the_server_does() {
    if !is_installed("node").await {
        return;
    }
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let program = r##"
        const [script, table] = process.argv.slice(1).map((file) => require("fs").readFileSync(file, "utf8"));
        const redirectFault = new Function(script.slice(script.indexOf("function redirectFault")) + "return redirectFault;")();
        const cases = table.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => /^(\S+) (.*)$/s.exec(line).slice(1));
        for (const [word, text] of [...cases, ["good", "https://a.example/".padEnd(2000, "x")], ["length", "https://a.example/".padEnd(2001, "x")]]) {
            const found = redirectFault(text) ?? "good";
            if (found !== word) console.log(`${text}: ${found} instead of ${word}`);
        }
        console.log(`${cases.length} cases`);
    "##;
    let mut node = Command::new("node");
    let ran = node
        .args(["-e", program])
        .arg(assets.join("console.js"))
        .arg(assets.join("redirect_uris.txt"))
        .output()
        .await
        .unwrap();
    let (printed, complaints) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    let table = std::fs::read_to_string(assets.join("redirect_uris.txt")).unwrap();
    let cases = table.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(printed.trim(), format!("{cases} cases"), "{complaints}");
}
