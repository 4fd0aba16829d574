use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::NamedTempFile;

/// Path of an example, built in the profile of the tests.
pub fn example(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        // Cargo does not build the examples when a single test is named. A repeated build costs
        // nothing.
        let mut build = Command::new(env!("CARGO"));
        build
            .args([
                "build",
                "--quiet",
                "--example",
                "sqlite",
                "--example",
                "postgres",
                "--all-features",
                "--manifest-path",
            ])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let folder = std::env::current_exe()
            .unwrap()
            .parent()
            .unwrap()
            .parent()
            .unwrap()
            .to_owned();
        if folder.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(folder.parent().unwrap());
        assert!(
            build.status().unwrap().success(),
            "the examples do not build"
        );
        folder.join("examples")
    });
    folder.join(name)
}

/// Command of the SQLite example for a file.
pub fn on_sqlite(database: &Path) -> Command {
    let mut command = Command::new(example("sqlite"));
    command.arg("--database").arg(database);
    command
}

/// Command of the PostgreSQL example. The URL is not an argument, so the process list does not show
/// it.
pub fn on_postgres(url: &str, key_file: &Path) -> Command {
    let mut command = Command::new(example("postgres"));
    command
        .env("DATABASE_URL", url)
        .arg("--key-file")
        .arg(key_file);
    command
}

/// A running example, killed on drop.
pub struct Server {
    child: Child,
    pub stdout: BufReader<ChildStdout>,
    log: NamedTempFile,
}

impl Server {
    /// Starts the example on a free port, unless a later `--listen` overrides it.
    pub fn start(mut command: Command, arguments: &[&str]) -> Self {
        command.args(["--listen", "127.0.0.1:0"]).args(arguments);
        Self::spawn(command)
    }

    /// Starts a program as it is.
    pub fn spawn(mut command: Command) -> Self {
        let log = NamedTempFile::new().unwrap();
        command.stderr(log.reopen().unwrap());
        Self::spawn_without_log(command, log)
    }

    /// Starts the example with another standard error than the log.
    pub fn spawn_without_log(mut command: Command, log: NamedTempFile) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout, log }
    }

    /// Standard error so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }

    /// First line of a server that was started with `--json`.
    pub fn ready_line(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("{error} in the first line {line:?}: {}", self.log()))
    }

    pub fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    pub fn stop(mut self) {
        self.signal("TERM");
        assert!(self.wait().success());
    }

    pub fn kill(mut self) {
        self.signal("KILL");
        self.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs an example until it ends. Returns its exit code and standard error.
pub fn failure(mut command: Command) -> (Option<i32>, String) {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    (child.wait().unwrap().code(), said)
}
