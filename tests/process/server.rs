use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The example, built in the profile of the tests.
pub fn example() -> &'static Path {
    static EXAMPLE: OnceLock<PathBuf> = OnceLock::new();
    EXAMPLE.get_or_init(|| {
        // Tests run without their examples being built when one of them is named; asking again costs nothing when they are.
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--example", "sqlite", "--all-features", "--manifest-path"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let folder = std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned();
        if folder.ends_with("release") {
            build.arg("--release");
        }
        build.arg("--target-dir").arg(folder.parent().unwrap());
        assert!(build.status().unwrap().success(), "the example does not build");
        folder.join("examples/sqlite")
    })
}

/// A running example, killed when dropped.
pub struct Server {
    child: Child,
    pub stdout: BufReader<ChildStdout>,
}

impl Server {
    pub fn start(database: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(example());
        command.args(["--listen", "127.0.0.1:0", "--database"]).arg(database).args(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout }
    }

    /// Starts with `--json` and reads the first line.
    pub fn ready(database: &Path) -> (Self, Value) {
        Self::ready_on("127.0.0.1:0", database)
    }

    pub fn ready_on(address: &str, database: &Path) -> (Self, Value) {
        // The last `--listen` counts.
        let mut server = Self::start(database, &["--json", "--listen", address]);
        let mut line = String::new();
        server.stdout.read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in the first line {line:?}"));
        (server, ready)
    }

    pub fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(kill.success());
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    pub fn stop(mut self) {
        self.signal("TERM");
        assert!(self.wait().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the example until it ends by itself: its exit code and what it said on stderr.
pub fn failure(arguments: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(example()).args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}
