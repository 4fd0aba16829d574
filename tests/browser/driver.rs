//! ChromeDriver, controlled over WebDriver (W3C Recommendation "WebDriver", with ChromeDriver's
//! extensions).

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use http::Method;
use serde_json::{Value, json};

use crate::prerequisites;
use crate::support::{self, request};

/// The driver process for all tests of the program. It ends with the program, together with its
/// browsers.
struct Driver {
    url: String,
    /// Holds the driver's standard input.
    _owner: Child,
    _output: BufReader<ChildStdout>,
}

impl Driver {
    /// A shell owns the driver and waits for the end of its standard input, which comes when this
    /// program ends. It then ends the driver's process group and removes the driver's folder, into
    /// which browsers write until they end.
    fn start() -> Self {
        const OWN: &str = r#"folder=$(mktemp -d); TMPDIR="$folder" "$@" & driver=$!
            while read -r _; do :; done; trap '' TERM; kill 0; wait $driver
            for _ in 1 2 3 4 5; do rm -rf "$folder"; sleep 1; done"#;
        let mut command = Command::new("sh");
        command
            .args(["-c", OWN, "sh"])
            .arg(prerequisites::driver())
            .args(["--port=0", "--log-level=SEVERE"])
            .process_group(0);
        let mut owner = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(owner.stdout.take().unwrap());
        let mut said = String::new();
        let port = loop {
            let before = said.len();
            assert!(
                output.read_line(&mut said).unwrap() > 0,
                "the driver does not start: {said}"
            );
            if let Some(port) = said[before..]
                .trim_end()
                .strip_suffix('.')
                .and_then(|line| line.split("started successfully on port ").nth(1))
            {
                break port.to_owned();
            }
        };
        Self {
            url: format!("http://127.0.0.1:{port}"),
            _owner: owner,
            _output: output,
        }
    }
}

/// A WebDriver session of one browser.
pub struct Session {
    client: support::Client,
    /// Base URL of its commands.
    url: String,
}

impl Session {
    /// The session with this id, left by an earlier test.
    pub fn from_id(id: &str) -> Self {
        Self {
            client: support::Client::new(),
            url: format!("{}/session{id}", driver_url()),
        }
    }

    /// Opens a browser with a fresh profile. Returns the session's id with a leading slash.
    pub async fn open(capabilities: Value) -> String {
        let opened = Self::from_id("")
            .command(
                Method::POST,
                "",
                json!({ "capabilities": { "alwaysMatch": capabilities } }),
            )
            .await;
        let opened = opened.unwrap_or_else(|error| panic!("no browser: {error}"));
        format!("/{}", opened["sessionId"].as_str().unwrap())
    }

    pub async fn get(&self, path: &str) -> Result<Value, Value> {
        self.command(Method::GET, path, Value::Null).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Result<Value, Value> {
        self.command(Method::POST, path, body).await
    }

    /// The value that a command returns, or the driver's error.
    async fn command(&self, method: Method, path: &str, body: Value) -> Result<Value, Value> {
        let body = if method == Method::GET {
            String::new()
        } else {
            body.to_string()
        };
        let request = request(
            method,
            &format!("{}{path}", self.url),
            &[("content-type", "application/json")],
            body,
        );
        let answer = self
            .client
            .send(request)
            .await
            .unwrap_or_else(|error| panic!("the driver does not answer: {error}"));
        let value = answer.json()["value"].take();
        if answer.status.is_success() {
            Ok(value)
        } else {
            Err(value)
        }
    }
}

fn driver_url() -> &'static str {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    &DRIVER.get_or_init(Driver::start).url
}
