//! Processes that are measured, each pinned to its cores.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The core of whatever is measured.
pub const SERVER: &str = "0";
/// The core of this program, which is the client, and of PostgreSQL.
pub const CLIENT: &str = "1";
/// Both.
pub const ALL: &str = "0,1";

/// Pins this program, and the processes that it starts without cores of their own. Threads that run already are not pinned.
pub fn pin_this() {
    let pinned = Command::new("taskset").args(["-cp", CLIENT, &std::process::id().to_string()]).stdout(Stdio::null()).status();
    assert!(pinned.is_ok_and(|status| status.success()), "taskset is needed (Debian and Ubuntu: util-linux), and two cores");
}

/// A process that answers each line on its standard input with one line, and ends with its standard input.
pub struct Process {
    child: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// The first line, which it says when it is ready.
    ready: String,
}

impl Process {
    /// This program again, in another part.
    pub fn of_this(cores: &str, arguments: &[&str]) -> Self {
        Self::start(cores, &std::env::current_exe().unwrap(), arguments)
    }

    /// The same for a part that prints its own figures, until it ends.
    pub fn run_of_this(cores: &str, arguments: &[&str]) {
        let program = std::env::current_exe().unwrap();
        let status = Command::new("taskset").args(["-c", cores]).arg(program).args(arguments).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }

    pub fn start(cores: &str, program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new("taskset");
        command.args(["-c", cores]).arg(program).args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let commands = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut process = Self { child, commands, answers, ready: String::new() };
        process.ready = process.line();
        process
    }

    /// Where a server listens.
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

    /// How long each of its threads was on a core. A thread that ended is not among them.
    pub fn cpu(&self) -> CpuTime {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let time = |task: fs::DirEntry| {
            let nanoseconds = fs::read_to_string(task.path().join("schedstat")).ok()?.split(' ').next()?.parse().ok()?;
            Some((task.file_name().to_str()?.parse().ok()?, nanoseconds))
        };
        CpuTime(tasks.flatten().filter_map(time).collect())
    }

    /// What is resident, in MiB.
    pub fn resident_mib(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap().trim().trim_end_matches(" kB");
        kib.parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.commands.take());
        let _ = self.child.wait();
    }
}

/// Threads and their nanoseconds.
pub struct CpuTime(Vec<(u32, u64)>);

impl CpuTime {
    /// Threads end ten seconds after their last work, so none takes with it what it did since.
    pub fn since(&self, before: &Self) -> Duration {
        let earlier = |thread: u32| before.0.iter().find(|(other, _)| *other == thread).map_or(0, |(_, time)| *time);
        Duration::from_nanos(self.0.iter().map(|(thread, time)| time - earlier(*thread)).sum())
    }
}

/// Answers each line of standard input, until it ends. What is measured calls this after it has said that it is ready.
pub fn answer(mut answer: impl FnMut(&[&str]) -> String) {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        println!("{}", answer(&line.split(' ').collect::<Vec<_>>()));
    }
}
