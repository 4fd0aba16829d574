//! The backup is restored as the page says, over PostgreSQL and SQLite.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use super::{Machine, assert_success, blocks, repository, section};
use crate::postgres_server::{Cluster, needs_postgres};
use crate::server::example;

/// A machine on which the first administrator was created, with `lyceum` in its `PATH`.
struct Installation {
    machine: Machine,
    path: OsString,
    /// Variables by which programs find PostgreSQL, where the page needs none.
    variables: Vec<(&'static str, OsString)>,
}

impl Installation {
    fn new(program: &str, cluster: Option<&Cluster>) -> Self {
        let machine = Machine::new();
        machine.follow("### 3. User and folders");
        let programs = machine.path("/etc/caddy");
        symlink(example(program), programs.join("lyceum")).unwrap();
        let server = cluster.map(|cluster| cluster.bin().to_owned());
        let others = ["/usr/bin", "/bin"].map(PathBuf::from);
        let folders = [programs].into_iter().chain(server).chain(others);
        let path = std::env::join_paths(folders).unwrap();
        let variables = cluster.map_or(Vec::new(), |cluster| {
            let port = cluster.tcp_url("");
            let port = port.rsplit([':', '/']).nth(1).unwrap();
            vec![
                ("PGHOST", cluster.folder().into()),
                ("PGPORT", port.into()),
                ("PGUSER", "lyceum".into()),
            ]
        });
        Self {
            machine,
            path,
            variables,
        }
    }

    /// Types commands, without those of systemd, and returns what they print.
    fn type_in(&self, commands: &str) -> String {
        let lines = commands.lines().filter(|line| {
            let is_of_the_machine = ["systemctl", "cat"]
                .iter()
                .any(|word| line.starts_with(word));
            // The role of the tests has the name of the page's role.
            !is_of_the_machine && !line.contains("createuser")
        });
        let commands = lines.collect::<Vec<_>>().join("\n");
        let mut command = self.machine.command(&commands);
        command
            .env("PATH", &self.path)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env_remove("DATABASE_URL");
        let output = command.output().unwrap();
        assert_success(&commands, &output);
        String::from_utf8(output.stdout).unwrap()
    }

    /// The name of the only file in the folder of the backups.
    fn backup(&self) -> String {
        let files = fs::read_dir(self.machine.path("/var/backups/lyceum")).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        let [file] = &files[..] else {
            panic!("{files:?}")
        };
        file.to_str().unwrap().to_owned()
    }

    /// Types a block of the page for a backup that is missing, and checks that the service is not
    /// started and that the database is where the operator finds it.
    fn stops_at_the_first_line_that_fails(&self, block: &str) {
        let started = self.machine.path("/etc/cron.d/started");
        let block = block.replace("systemctl start", &format!("touch {};", started.display()));
        let lines = block.lines().filter(|line| !line.starts_with("systemctl"));
        // The former database stays where it is, so that the next block finds it.
        let lines = lines.filter(|line| {
            !["RENAME", "createdb", "mv ", "install "]
                .iter()
                .any(|word| line.contains(word))
        });
        let commands = lines.collect::<Vec<_>>().join("\n");
        // A shell that stops at an error only where the page says so.
        let mut command = Command::new("sh");
        command
            .args(["-c", &self.machine.localized(&commands)])
            .env("PATH", &self.path)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env_remove("DATABASE_URL");
        assert!(!command.output().unwrap().status.success(), "{commands}");
        assert!(!started.exists(), "{commands}");
    }

    /// Types a block of the page for this backup, and checks that the administrator is confirmed.
    fn restore(&self, block: &str, backup: &str) {
        let documented = "lyceum-2026-09-21T03-20-11Z.dump";
        assert!(block.contains(documented), "{block}");
        let printed = self.type_in(&block.replace(documented, backup));
        assert!(
            printed.contains("suspended until confirmed: 1 accounts"),
            "{printed}"
        );
        // In the same shell.
        let (settings, _) = block.split_once("export BACKUP").unwrap();
        let confirm = blocks(section("## Restore a backup"), "sh")[1];
        let confirm = confirm.replace("school.example", "star.example");
        let printed = self.type_in(&format!("{settings}{confirm}"));
        assert!(
            printed.contains("head@star.example is confirmed"),
            "{printed}"
        );
        // An account that was created after the backup.
        let accounts = self.type_in("lyceum account list --config /etc/lyceum/lyceum.toml");
        assert!(accounts.contains("head@star.example"), "{accounts}");
        assert!(!accounts.contains("kim@star.example"), "{accounts}");
    }
}

/// A change of the administrator after the backup, so that the account is suspended.
const CHANGED: &str = "lyceum account role head@star.example USER --config /etc/lyceum/lyceum.toml";

const LATER: &str =
    "lyceum account create kim@star.example --role ADMIN --config /etc/lyceum/lyceum.toml";

/// Fails if the dump of the timer is not restored by the lines of the page, or if they go on after one
/// that fails.
#[test]
fn the_nightly_dump_is_restored_by_the_lines_of_the_page() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let school = Installation::new("postgres", Some(&cluster));
    school.type_in(&blocks(section("### 4. Database"), "sh").concat());
    let settings = school.machine.text("/etc/lyceum/lyceum.toml");
    let url = "postgresql://lyceum@%2Fvar%2Frun%2Fpostgresql/lyceum";
    assert!(settings.contains(url), "{settings}");
    let ours = cluster.url().replace("/postgres", "/lyceum");
    fs::write(school.machine.settings(), settings.replace(url, &ours)).unwrap();
    school.machine.localize_settings();
    school.type_in(blocks(section("### 5. First administrator"), "sh")[0]);
    let dump = repository().join("docs/deploy/dump");
    school.type_in(&format!("{} /var/backups/lyceum", dump.display()));
    school.type_in(LATER);
    school.type_in(CHANGED);
    let block = blocks(section("## Restore a backup"), "sh")[0];
    school.stops_at_the_first_line_that_fails(block);
    school.restore(block, &school.backup());
    let lost = "SELECT datname::text FROM pg_database WHERE datname LIKE 'lyceum_lost%'";
    let [lost] = &Cluster::query_at(&cluster.url(), lost)[..] else {
        panic!("the former database is not there once")
    };
    let lost = cluster.url().replace("/postgres", &format!("/{lost}"));
    let accounts = Cluster::query_at(&lost, "SELECT count(*)::text FROM accounts");
    assert_eq!(accounts, ["2"]);
}

/// Fails if the backup of SQLite's timer is not restored by the lines of the page.
#[test]
fn the_nightly_backup_of_sqlite_is_restored_by_the_lines_of_the_page() {
    let school = Installation::new("sqlite", None);
    school.type_in(blocks(section("## SQLite instead of PostgreSQL"), "sh")[1]);
    school.machine.localize_settings();
    school.type_in(blocks(section("### 5. First administrator"), "sh")[0]);
    school.type_in("lyceum backup --config /etc/lyceum/lyceum.toml");
    school.type_in(LATER);
    school.type_in(CHANGED);
    let [postgres, _, sqlite, ..] = blocks(section("## Restore a backup"), "sh")[..] else {
        panic!("other blocks than expected")
    };
    // SQLite's lines in place of those of PostgreSQL.
    let start = postgres.find("runuser -u postgres").unwrap();
    let end = postgres.rfind("systemctl").unwrap();
    let block = [&postgres[..start], sqlite, &postgres[end..]].concat();
    school.stops_at_the_first_line_that_fails(&block);
    school.restore(&block, &school.backup());
}
