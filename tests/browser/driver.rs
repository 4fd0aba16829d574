//! The program that drives browsers, over WebDriver (W3C Recommendation "WebDriver", and what ChromeDriver adds to it).

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use http::Method;
use serde_json::{Value, json};

use crate::installed;
use crate::support::{self, request};

/// One for all tests of the program. It ends with that, however that ends, and its browsers with it.
struct Driver {
    url: String,
    /// With its standard input.
    _owner: Child,
    _output: BufReader<ChildStdout>,
}

impl Driver {
    /// A shell owns the driver and waits for the end of its standard input, which comes with the end of this program. All that it started is
    /// in its process group, and what that leaves behind in its folder, into which browsers write until they are gone.
    fn start() -> Self {
        const OWN: &str = r#"folder=$(mktemp -d); TMPDIR="$folder" "$@" & driver=$!
            while read -r _; do :; done; trap '' TERM; kill 0; wait $driver
            for _ in 1 2 3 4 5; do rm -rf "$folder"; sleep 1; done"#;
        let mut command = Command::new("sh");
        command.args(["-c", OWN, "sh"]).arg(installed::driver()).args(["--port=0", "--log-level=SEVERE"]).process_group(0);
        let mut owner = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(owner.stdout.take().unwrap());
        let mut said = String::new();
        let port = loop {
            let before = said.len();
            assert!(output.read_line(&mut said).unwrap() > 0, "the driver does not start: {said}");
            if let Some(port) =
                said[before..].trim_end().strip_suffix('.').and_then(|line| line.split("started successfully on port ").nth(1))
            {
                break port.to_owned();
            }
        };
        Self { url: format!("http://127.0.0.1:{port}"), _owner: owner, _output: output }
    }
}

/// A conversation with the driver about one browser.
pub struct Session {
    client: support::Client,
    /// The address of its commands.
    url: String,
}

impl Session {
    /// The one with this id, which an earlier test has left.
    pub fn of(id: &str) -> Self {
        Self { client: support::Client::new(), url: format!("{}/session{id}", driver_url()) }
    }

    /// Opens a browser with a fresh profile; gives its id, with a slash in front.
    pub async fn open(capabilities: Value) -> String {
        let opened = Self::of("").command(Method::POST, "", json!({ "capabilities": { "alwaysMatch": capabilities } })).await;
        let opened = opened.unwrap_or_else(|error| panic!("no browser: {error}"));
        format!("/{}", opened["sessionId"].as_str().unwrap())
    }

    pub async fn get(&self, path: &str) -> Result<Value, Value> {
        self.command(Method::GET, path, Value::Null).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Result<Value, Value> {
        self.command(Method::POST, path, body).await
    }

    /// The value that a command gives, or the error that the driver tells.
    async fn command(&self, method: Method, path: &str, body: Value) -> Result<Value, Value> {
        let body = if method == Method::GET { String::new() } else { body.to_string() };
        let request = request(method, &format!("{}{path}", self.url), &[("content-type", "application/json")], body);
        let answer = self.client.send(request).await.unwrap_or_else(|error| panic!("the driver does not answer: {error}"));
        let value = answer.json()["value"].take();
        if answer.status.is_success() { Ok(value) } else { Err(value) }
    }
}

fn driver_url() -> &'static str {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    &DRIVER.get_or_init(Driver::start).url
}
