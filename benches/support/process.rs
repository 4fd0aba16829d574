//! Measured processes, each pinned to its cores.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The core of the measured process.
pub const SERVER: &str = "0";
/// The core of this program, which is the client, and of PostgreSQL.
pub const CLIENT: &str = "1";
/// Both cores.
pub const ALL: &str = "0,1";

/// Pins this program and the processes that it starts without cores of their own. Running threads
/// are not pinned.
pub fn pin_this() {
    let pinned = Command::new("taskset")
        .args(["-cp", CLIENT, &std::process::id().to_string()])
        .stdout(Stdio::null())
        .status();
    assert!(
        pinned.is_ok_and(|status| status.success()),
        "taskset is needed (Debian and Ubuntu: util-linux), and two cores"
    );
}

/// A process that responds to each line of its standard input with one line, and ends when the
/// input ends.
pub struct Process {
    child: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// The first line, printed when the process is ready.
    ready: String,
}

impl Process {
    /// Starts this program in another role.
    pub fn of_this(cores: &str, arguments: &[&str]) -> Self {
        Self::start(cores, &std::env::current_exe().unwrap(), arguments)
    }

    /// Runs this program in a role that prints its own results, and waits for its end.
    pub fn run_of_this(cores: &str, arguments: &[&str]) {
        let program = std::env::current_exe().unwrap();
        let status = Command::new("taskset")
            .args(["-c", cores])
            .arg(program)
            .args(arguments)
            .status()
            .unwrap();
        assert!(status.success(), "{arguments:?}");
    }

    pub fn start(cores: &str, program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new("taskset");
        command.args(["-c", cores]).arg(program).args(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut process = Self {
            child,
            commands,
            answers,
            ready: String::new(),
        };
        process.ready = process.line();
        process
    }

    /// The address of the server.
    pub fn address(&self) -> SocketAddr {
        self.ready.parse().unwrap()
    }

    pub fn ask(&mut self, command: &str) -> String {
        writeln!(self.commands.as_mut().unwrap(), "{command}").unwrap();
        self.line()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the measured process has ended");
        line.trim_end().to_owned()
    }

    /// CPU time of each running thread.
    pub fn cpu(&self) -> CpuTime {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let time = |task: fs::DirEntry| {
            let nanoseconds = fs::read_to_string(task.path().join("schedstat"))
                .ok()?
                .split(' ')
                .next()?
                .parse()
                .ok()?;
            Some((task.file_name().to_str()?.parse().ok()?, nanoseconds))
        };
        CpuTime(tasks.flatten().filter_map(time).collect())
    }

    /// The resident memory in MiB.
    pub fn resident_mib(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let kib = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap()
            .trim()
            .trim_end_matches(" kB");
        kib.parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.commands.take());
        let _ = self.child.wait();
    }
}

/// Thread ids and their CPU time in nanoseconds.
pub struct CpuTime(Vec<(u32, u64)>);

impl CpuTime {
    /// CPU time since `before`. Threads end ten seconds after their last work, so no recent time is
    /// lost.
    pub fn since(&self, before: &Self) -> Duration {
        let earlier = |thread: u32| {
            before
                .0
                .iter()
                .find(|(other, _)| *other == thread)
                .map_or(0, |(_, time)| *time)
        };
        Duration::from_nanos(
            self.0
                .iter()
                .map(|(thread, time)| time - earlier(*thread))
                .sum(),
        )
    }
}

/// Responds to each line of standard input until it ends. The measured process calls this once it
/// is ready.
pub fn answer(mut answer: impl FnMut(&[&str]) -> String) {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        println!("{}", answer(&line.split(' ').collect::<Vec<_>>()));
    }
}
