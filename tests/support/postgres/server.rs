use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::installation;

const PASSWORD: &str = "kept-out-of-every-message";

/// Settings that trade durability in a power cut for speed. A killed server loses no data.
const SETTINGS: &[&str] = &[
    "fsync = off",
    "full_page_writes = off",
    "max_connections = 300",
    "shared_buffers = 32MB",
    "listen_addresses = '127.0.0.1'",
];

/// A server in a temporary folder. A shell owns both. Its standard input ends with this program,
/// also after a panic or `kill -9`; the shell then stops the server and removes the folder.
pub struct Server {
    owner: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    bin: PathBuf,
    folder: PathBuf,
    port: Option<u16>,
}

impl Server {
    /// Creates a server without starting it.
    pub fn create(settings: &[&str], files: &[(&str, &str)]) -> Self {
        let bin = installation::bin().unwrap_or_else(|| panic!("{}", installation::MISSING));
        let user = unprivileged_user();
        // All users may enter /tmp, and its path is short enough for the path of a socket.
        let parent = if user.is_some() {
            "/tmp".into()
        } else {
            std::env::temp_dir()
        };
        let mut command = Command::new("sh");
        command
            .args(["-c", include_str!("server.sh"), "sh"])
            .arg(&bin)
            .arg(&parent)
            .arg(PASSWORD);
        // A separate process group: Ctrl-C ends the tests alone, and the shell then cleans up.
        command
            .current_dir("/")
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C")
            .process_group(0);
        if let Some((user, group)) = user {
            command.uid(user).gid(group);
        }
        let mut owner = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = owner.stdin.take();
        let mut answers = BufReader::new(owner.stdout.take().unwrap());
        let folder = PathBuf::from(line(&mut answers));
        let server = Self {
            owner,
            commands,
            answers,
            bin,
            folder,
            port: None,
        };
        server.configure(settings, files, user);
        server
    }

    fn configure(&self, settings: &[&str], files: &[(&str, &str)], user: Option<(u32, u32)>) {
        let data = self.folder.join("data");
        let sockets = format!("unix_socket_directories = '{}'", self.folder.display());
        let lines = [SETTINGS, &[&sockets], settings].concat().join("\n");
        let mut configuration = OpenOptions::new()
            .append(true)
            .open(data.join("postgresql.conf"))
            .expect("initdb failed");
        writeln!(configuration, "\n{lines}").unwrap();
        for (name, content) in files {
            let path = data.join(name);
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            if let Some((user, group)) = user {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        }
    }

    /// Starts the server, the first time on a free port.
    pub fn start(&mut self) {
        // Another program may bind the free port before the server does.
        let ports: Vec<u16> = self
            .port
            .map_or_else(|| (0..5).map(|_| free_port()).collect(), |port| vec![port]);
        self.port = ports
            .into_iter()
            .find(|port| self.send_command(&format!("start {port}")));
        let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        assert!(
            self.port.is_some(),
            "the test server does not start:\n{}",
            log()
        );
    }

    /// Stops the server at once.
    pub fn stop(&mut self) {
        assert!(self.send_command("stop"), "the test server does not stop");
    }

    fn send_command(&mut self, command: &str) -> bool {
        writeln!(self.commands.as_mut().unwrap(), "{command}").unwrap();
        line(&mut self.answers) == "0"
    }

    pub fn socket_url(&self) -> String {
        let folder = self.folder.to_str().unwrap().replace('/', "%2F");
        format!(
            "postgresql://lyceum@{folder}:{}/postgres",
            self.port.unwrap()
        )
    }

    pub fn tcp_url(&self, password: &str) -> String {
        format!(
            "postgresql://lyceum:{password}@127.0.0.1:{}/postgres",
            self.port.unwrap()
        )
    }

    pub fn password(&self) -> &str {
        PASSWORD
    }

    pub fn bin(&self) -> &Path {
        &self.bin
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.commands.take());
        let _ = self.owner.wait();
    }
}

fn line(answers: &mut impl BufRead) -> String {
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// Returns the user and group for the server if root runs the tests, because PostgreSQL does not run
/// as root.
fn unprivileged_user() -> Option<(u32, u32)> {
    let ours = tempfile::tempfile().unwrap().metadata().unwrap().uid();
    if ours != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let ids = |name: &str| {
        let fields: Vec<&str> = users
            .lines()
            .map(|line| line.split(':').collect::<Vec<_>>())
            .find(|fields| fields[0] == name)?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    Some(
        ["postgres", "nobody"]
            .iter()
            .find_map(|name| ids(name))
            .expect("neither postgres nor nobody is a user here"),
    )
}
