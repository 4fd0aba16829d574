use std::path::{Path, PathBuf};
use std::{fs, io};

use tokio::process::Command;

use crate::report::report;

/// Runtime of a script, with the packages that `scripts/test` installs under
/// `target/standard_clients/`.
#[derive(Debug, Clone, Copy)]
pub enum Runtime {
    Node,
    Python,
}

impl Runtime {
    /// Whether scripts can run. If not, says so on standard error.
    pub async fn can_run(self, script: &str) -> bool {
        let ready = self.is_ready().await;
        if let Err(reason) = &ready {
            report(
                "SKIPPED",
                format!("{script}, because {reason}; scripts/test installs what it can"),
            );
        }
        ready.is_ok()
    }

    /// Returns the command that runs a script.
    pub fn command(self, script: &str) -> Command {
        let mut command = Command::new(self.program());
        match self {
            // Node searches packages beside the link, where they are installed, instead of beside
            // the script.
            Self::Node => command
                .args(["--preserve-symlinks", "--preserve-symlinks-main"])
                .arg(self.folder().join("scripts").join(script)),
            Self::Python => command
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .arg(self.sources().join(script)),
        };
        // Requests to loopback must not use the machine's proxy.
        command.envs([("NO_PROXY", "127.0.0.1"), ("no_proxy", "127.0.0.1")]);
        command
    }

    /// Whether the runtime is installed, and the packages of the current lock file.
    async fn is_ready(self) -> Result<(), String> {
        let wanted = fs::read(self.sources().join(self.lock_file())).unwrap();
        match fs::read(self.folder().join("installed")) {
            Ok(installed) if installed == wanted => {}
            Ok(_) => {
                return Err(format!(
                    "the packages of {self:?} are those of another lock file"
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(format!("the packages of {self:?} are not installed"));
            }
            Err(error) => panic!("{error}"),
        }
        let ran = Command::new(self.program()).arg("--version").output().await;
        if ran.is_ok_and(|ran| ran.status.success()) {
            Ok(())
        } else {
            Err(format!("{self:?} is missing"))
        }
    }

    fn program(self) -> PathBuf {
        match self {
            Self::Node => "node".into(),
            Self::Python => self.folder().join("bin/python"),
        }
    }

    fn lock_file(self) -> &'static str {
        match self {
            Self::Node => "package-lock.json",
            Self::Python => "requirements.txt",
        }
    }

    fn sources(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/standard_clients")
            .join(self.name())
    }

    fn folder(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("target/standard_clients")
            .join(self.name())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Python => "python",
        }
    }
}
