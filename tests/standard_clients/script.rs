use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

use crate::deployment::{Deployment, EMAIL, SITE};

/// Client authentication method, by its name in the metadata.
#[derive(Debug, Clone, Copy)]
pub enum Method {
    Basic,
    Post,
    None,
}

/// Longer than any client takes; a client that hangs fails its test.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Runs a script against the server and returns the steps that it completed.
///
/// The first line of its input is its configuration. The script prints `open` and a URL for the
/// browser, whose result is the second line of input, and `did` and the name of each completed step.
/// It exits with an error if a step fails.
pub async fn run(command: Command, deployment: &Deployment, method: Method) -> Vec<String> {
    run_at(command, deployment, method, "/callback").await
}

/// Runs a script as a client with another path in its redirect URI.
pub async fn run_at(
    mut command: Command,
    deployment: &Deployment,
    method: Method,
    path: &str,
) -> Vec<String> {
    let told = format!("{command:?} at {}, {method:?}", deployment.issuer);
    let mut script = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut errors = script.stderr.take().unwrap();
    let complaints = tokio::spawn(async move {
        let mut complaints = String::new();
        errors
            .read_to_string(&mut complaints)
            .await
            .map(|_| complaints)
    });
    let mut steps = Vec::new();
    let play = async {
        let mut input = script.stdin.take().unwrap();
        let mut output = BufReader::new(script.stdout.take().unwrap()).lines();
        input
            .write_all(format!("{}\n", orders(deployment, method, path)).as_bytes())
            .await
            .unwrap();
        while let Some(line) = output.next_line().await.unwrap() {
            match line.split_once(' ') {
                Some(("open", url)) => {
                    let back = deployment.browser().allow(url).await;
                    input
                        .write_all(format!("{back}\n").as_bytes())
                        .await
                        .unwrap();
                }
                Some(("did", step)) => steps.push(step.to_owned()),
                _ => panic!("{told} said {line:?}"),
            }
        }
        script.wait().await.unwrap()
    };
    let ended = tokio::time::timeout(TIMEOUT, play)
        .await
        .unwrap_or_else(|_| panic!("{told} takes too long"));
    assert!(
        ended.success(),
        "{told} failed after {steps:?}:\n{}",
        complaints.await.unwrap().unwrap()
    );
    steps
}

fn orders(deployment: &Deployment, method: Method, path: &str) -> serde_json::Value {
    let (confidential, secret) = &deployment.confidential;
    let secret = secret.expose();
    let (name, id, secret_of_client, site) = match method {
        Method::Basic => ("client_secret_basic", confidential, Some(secret), SITE),
        Method::Post => ("client_secret_post", confidential, Some(secret), SITE),
        Method::None => ("none", &deployment.public, None, "http://127.0.0.1:51234"),
    };
    json!({
        "issuer": deployment.issuer,
        "method": name,
        "client_id": id.to_string(),
        "client_secret": secret_of_client,
        "redirect_uri": format!("{site}{path}"),
        "email": EMAIL,
        "scope": deployment.scopes.to_string(),
        "audience": deployment.scope.application.to_string(),
        // The client credentials grant.
        "own_scope": deployment.scope.to_string(),
        // The client that introspects: a public client cannot, so another client of the owner does.
        "service": { "client_id": confidential.to_string(), "client_secret": secret },
    })
}
