//! A temporary server of Redis or Valkey on a socket in a temporary folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::skip::skips;

/// Environment variable that skips the tests over Redis if it is 1.
const SKIP_VARIABLE: &str = "SKIP_REDIS";

const MISSING: &str = "These tests need Redis or Valkey, and neither redis-server nor valkey-server is in PATH. Install one (Debian and Ubuntu: \
    apt-get install redis-server; Fedora: dnf install valkey; macOS: brew install redis), or set SKIP_REDIS=1 to do without them.";

/// Whether this run skips tests over Redis. If so, says so on standard error.
pub fn skipped() -> bool {
    skips(SKIP_VARIABLE, "the tests of this program on Redis")
}

/// Returns from a test if the run skips tests over Redis.
macro_rules! needs_redis {
    () => {
        if crate::server::skipped() {
            return;
        }
    };
}
pub(crate) use needs_redis;

/// A server that stops when it is dropped or the program ends, also when that is killed.
pub struct Server {
    folder: TempDir,
    owner: Option<Child>,
}

impl Server {
    /// Starts a server and waits until it responds.
    pub async fn start() -> Self {
        let mut server = Self {
            folder: tempfile::tempdir().unwrap(),
            owner: None,
        };
        server.start_again().await;
        server
    }

    /// Starts the server again, without data.
    pub async fn start_again(&mut self) {
        // A shell owns the server and stops it when its standard input ends, which happens when this
        // program ends.
        const OWN: &str = r#""$@" >log 2>&1 & server=$!; while read -r _; do :; done; kill -9 $server; wait $server"#;
        let program = program().unwrap_or_else(|| panic!("{MISSING}"));
        let options = [
            "--port",
            "0",
            "--unixsocket",
            "socket",
            "--save",
            "",
            "--appendonly",
            "no",
        ];
        let mut command = Command::new("sh");
        command
            .args(["-c", OWN, "sh"])
            .arg(program)
            .args(options)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin");
        self.owner = Some(
            command
                .stdin(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap(),
        );
        for _ in 0..2_000 {
            if tokio::net::UnixStream::connect(self.socket()).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!(
            "the test server does not start:\n{}",
            std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
        );
    }

    /// Stops the server at once.
    pub fn stop(&mut self) {
        if let Some(mut owner) = self.owner.take() {
            drop(owner.stdin.take());
            let _ = owner.wait();
            let _ = std::fs::remove_file(self.socket());
        }
    }

    pub fn url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Sends a command to the server and returns its response.
    pub async fn ask<T: redis::FromRedisValue>(&self, command: &[&str]) -> T {
        let client = redis::Client::open(self.url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let mut asked = redis::Cmd::new();
        for word in command {
            asked.arg(word);
        }
        asked.query_async(&mut connection).await.unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path)
        .chain(["/usr/sbin", "/opt/homebrew/bin", "/usr/local/bin"].map(PathBuf::from))
        .collect();
    let in_folders = |program: &str| {
        folders
            .iter()
            .map(|folder| folder.join(program))
            .find(|path| Path::is_file(path))
    };
    ["redis-server", "valkey-server"]
        .into_iter()
        .find_map(in_folders)
}
