//! Runs README's "Keys, limits, caching" line by line, with the values that the demo prints.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::browser::Browser;
use crate::report::report;
use crate::server::{Server, on_sqlite};
use crate::{README, block};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_limits_and_caching_are_as_the_readme_shows() {
    if Command::new("curl").arg("--version").output().is_err() {
        return report(
            "SKIPPED",
            "the commands of README.md, because there is no curl",
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(on_sqlite(&folder.path().join("lyceum.db")), &[]);
    let printed = printed(&mut server);
    let school = printed["data API"].strip_suffix("/v1/students").unwrap();
    let (sign_in, secret) = printed["manage"].split_once(" with secret ").unwrap();
    let [email, password] = words(&printed["admin"], " / ");
    let mut browser = Browser::new(school, [email, password.split(' ').next().unwrap()]);
    let back = browser.allow(sign_in).await;
    let page = browser.visit(&back, &[]).await.body;
    let line = page
        .split("<pre>")
        .nth(1)
        .unwrap()
        .split("</pre>")
        .next()
        .unwrap()
        .replace("client_secret=…", &format!("client_secret={secret}"));
    let run = |script: &str, variables: &[(&str, &str)]| shell(script, folder.path(), variables);
    let tokens: Value = serde_json::from_str(&run(&line, &[])).unwrap();
    let token = tokens["access_token"].as_str().unwrap();

    let made: Value = serde_json::from_str(&run(
        block(README, "sh", "rateLimit"),
        &[("SCHOOL", school), ("TOKEN", token)],
    ))
    .unwrap();
    let [id, key] = ["id", "key"].map(|name| {
        made["data"][name]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
    });
    let said = run(
        block(README, "sh", "--etag-save"),
        &[
            ("SCHOOL", school),
            ("TOKEN", token),
            ("ID", id),
            ("KEY", key),
        ],
    );
    let expected = block(README, "text", "x-ratelimit-remaining");
    let is_so = |(said, expected): (&str, &str)| match expected.split_once('…') {
        Some((start, end)) => said.starts_with(start) && said.ends_with(end),
        None => said == expected,
    };
    assert!(
        said.lines().count() == expected.lines().count()
            && said.lines().zip(expected.lines()).all(is_so),
        "{said}"
    );
    server.stop();
}

/// Returns the lines that the demo prints, by their names.
fn printed(server: &mut Server) -> HashMap<String, String> {
    let mut lines = HashMap::new();
    while !lines.contains_key("native client") {
        let mut line = String::new();
        server.stdout.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the output ended");
        let (name, value) = line.trim_end().split_at(18);
        let name = if value.ends_with("(ADMIN)") {
            "admin"
        } else {
            name.trim()
        };
        lines.insert(name.to_owned(), value.to_owned());
    }
    lines
}

fn words<'t>(text: &'t str, between: &str) -> [&'t str; 2] {
    text.split_once(between).unwrap().into()
}

/// Runs a script and returns its output.
fn shell(script: &str, folder: &Path, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new("sh");
    // Requests to loopback must not use the machine's proxy.
    command
        .args(["-euc", script])
        .current_dir(folder)
        .envs(variables.iter().copied())
        .env("no_proxy", "127.0.0.1");
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{script}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}
