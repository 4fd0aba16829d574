//! `docs/deploy.md` and the files in `docs/deploy/`: its commands are typed in a folder, and the
//! programs that read the files check them.

mod containers;
mod nodes;
mod proxies;
mod restoration;
mod units;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::postgres_server::{Cluster, needs_postgres};
use crate::report::report;
use crate::server::example;
use crate::{OPERATIONS, blocks};

const PAGE: &str = include_str!("../../../docs/deploy.md");
const MIGRATIONS: &str = include_str!("../../../src/store/sql/migrations.rs");

/// The folders that the page writes to, and whether its commands have to create them.
const FOLDERS: [(&str, bool); 11] = [
    ("/etc/caddy", false),
    ("/etc/cron.d", false),
    ("/etc/lyceum", true),
    ("/etc/nginx/conf.d", false),
    ("/etc/ssl/lyceum-database", true),
    ("/etc/ssl/lyceum-trial", true),
    ("/etc/systemd/system", false),
    ("/srv/lyceum-node", true),
    ("/usr/local/lib/lyceum", true),
    ("/var/backups/lyceum", true),
    ("/var/lib/lyceum", true),
];

/// Commands that need the machine.
const OF_THE_MACHINE: [&str; 9] = [
    "apt-get",
    "cd",
    "certbot",
    "curl",
    "git",
    "nginx",
    "runuser",
    "systemctl",
    "useradd",
];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the names and texts of the files in `docs/deploy/`.
fn files() -> Vec<(String, String)> {
    let folder = fs::read_dir(repository().join("docs/deploy")).unwrap();
    let mut files: Vec<_> = folder
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn file(name: &str) -> String {
    let path = repository().join("docs/deploy").join(name);
    fs::read_to_string(path).unwrap()
}

/// Returns the text below a heading, until the next one of its level or above.
fn section(heading: &str) -> &'static str {
    let start = PAGE
        .find(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("{heading} is not on the page"));
    let text = &PAGE[start + heading.len() + 2..];
    let level = heading.split(' ').next().unwrap();
    let ends =
        (2..=level.len()).filter_map(|level| text.find(&format!("\n{} ", "#".repeat(level))));
    &text[..ends.min().unwrap_or(text.len())]
}

/// A folder in place of the machine's root.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for (folder, is_created) in FOLDERS {
            let path = machine.path(folder);
            let path = if is_created {
                path.parent().unwrap()
            } else {
                &path
            };
            fs::create_dir_all(path).unwrap();
        }
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path.trim_start_matches('/'))
    }

    /// The text with the folders of this machine, whose only user is that of the test.
    fn localized(&self, text: &str) -> String {
        let text = FOLDERS.iter().fold(text.to_owned(), |text, (folder, _)| {
            text.replace(folder, self.path(folder).to_str().unwrap())
        });
        let owners = [
            " -o lyceum",
            " -g lyceum",
            " -o postgres",
            " -g postgres",
            "runuser -u lyceum -- ",
            "runuser -u postgres -- ",
        ];
        let without = |text: String, owner: &&str| text.replace(*owner, "");
        owners.iter().fold(text, without)
    }

    /// Puts a script of `docs/deploy/` where the page installs it.
    fn install(&self, name: &str) {
        let folder = self.path("/usr/local/lib/lyceum");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, self.localized(&file(name))).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path, executable).unwrap();
    }

    /// Types the commands below a heading.
    fn follow(&self, heading: &str) {
        for block in blocks(section(heading), "sh") {
            self.run(block);
        }
    }

    /// Types commands, without those that need the machine.
    fn run(&self, commands: &str) {
        let lines = commands.lines().filter(|line| {
            let program = line.trim_start().split(' ').next().unwrap();
            !OF_THE_MACHINE.contains(&program)
        });
        let commands = lines.collect::<Vec<_>>().join("\n");
        let mut command = self.command(&commands);
        assert_success(&commands, &command.output().unwrap());
    }

    /// A shell that types commands, for a school at these addresses.
    fn command(&self, commands: &str) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-euc", &self.localized(commands)])
            .current_dir(repository())
            .envs([
                ("HOST", "star.example"),
                ("ADMIN", "head@star.example"),
                ("DATABASE", "127.0.0.1"),
                ("NODE_A", "127.0.0.1"),
                ("NODE_B", "198.51.100.12"),
                ("NODES", "127.0.0.1:8080"),
                ("PROXY", "198.51.100.10"),
            ]);
        command
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Returns the report of the settings in force.
    fn check(&self, program: &str) -> String {
        let settings = self.localize_settings();
        let mut command = Command::new(example(program));
        command
            .args(["serve", "--check", "--config"])
            .arg(self.settings())
            .env_remove("DATABASE_URL");
        let output = command.output().unwrap();
        assert_success(&settings, &output);
        String::from_utf8(output.stdout).unwrap()
    }

    /// Puts the folders of this machine into its settings.
    fn localize_settings(&self) -> String {
        let settings = self.text("/etc/lyceum/lyceum.toml");
        // It has them already if it was localized before.
        let settings = settings.replace(self.0.path().to_str().unwrap(), "");
        let settings = self.localized(&settings);
        fs::write(self.settings(), &settings).unwrap();
        settings
    }

    fn settings(&self) -> PathBuf {
        self.path("/etc/lyceum/lyceum.toml")
    }
}

fn assert_success(what: &str, output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}\n{said}");
}

/// Fails if the page names a file that does not exist, or a file is not on the page.
#[test]
fn every_file_is_on_the_page_and_every_name_is_that_of_a_file() {
    let files = files();
    let of_page = PAGE.split(['(', ' ', '`', '\n']).filter_map(|word| {
        let name = word.strip_prefix("docs/").unwrap_or(word);
        name.strip_prefix("deploy/")
            .map(|name| name.trim_end_matches(')').to_owned())
    });
    let named: BTreeSet<String> = of_page
        .map(|name| name.split([')', ',', ';']).next().unwrap().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let there: BTreeSet<String> = files.into_iter().map(|(name, _)| name).collect();
    assert_eq!(named, there);
    for link in PAGE.split("](").skip(1) {
        let link = link.split(')').next().unwrap();
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = match path {
            "" => PAGE.to_owned(),
            path => {
                let path = repository().join("docs").join(path);
                assert!(path.exists(), "{link} leads nowhere");
                fs::read_to_string(path).unwrap_or_default()
            }
        };
        let mut headings = target.lines().filter(|line| line.starts_with('#'));
        let is_anchor = |line: &str| {
            let name = line.trim_start_matches('#').trim().to_lowercase();
            name.replace(['.', ','], "").replace(' ', "-") == anchor
        };
        assert!(
            anchor.is_empty() || headings.any(is_anchor),
            "{link} leads to no heading"
        );
    }
}

/// Fails if a command cannot be typed: it is no shell, or reads a variable that no line sets.
#[test]
fn every_command_of_the_page_is_shell_with_known_variables() {
    let commands = blocks(PAGE, "sh").concat();
    let output = Command::new("sh")
        .args(["-n", "-c", &commands])
        .output()
        .unwrap();
    assert_success(&commands, &output);
    let is_name = |character: char| character.is_ascii_uppercase() || character == '_';
    let mut known: BTreeSet<&str> = BTreeSet::from(["HOME"]);
    for word in commands.split([' ', '\n']) {
        for (before, part) in word.split('$').enumerate().skip(1) {
            let part = part.trim_start_matches('{');
            let name = &part[..part.find(|end| !is_name(end)).unwrap_or(part.len())];
            assert!(
                name.is_empty() || known.contains(name),
                "{word} reads {name} ({before})"
            );
        }
        if let Some((name, _)) = word.split_once('=')
            && name.chars().all(is_name)
        {
            known.insert(name);
        }
    }
    assert!(known.contains("SOURCE") && known.len() > 5, "{known:?}");
}

/// Fails if a setting of the page is misspelled, a command leaves one that does not fit, or a folder
/// is used before it is created.
#[test]
fn the_settings_of_every_way_through_the_page_are_accepted() {
    let machine = || {
        let machine = Machine::new();
        machine.follow("### 3. User and folders");
        machine
    };
    let first = machine();
    if has_openssl() {
        let blocks = blocks(section("### 6. Certificate"), "sh");
        first.run(blocks[0]);
        // The folder and the group in the hook are those of this machine.
        first.install("deploy-certificate");
        first.run(blocks[1]);
        let key = fs::metadata(first.path("/etc/lyceum/tls/privkey.pem")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&key.permissions());
        assert_eq!(mode & 0o777, 0o640);
        first.follow("### 7. Units");
        let report = first.check("postgres");
        assert!(
            report.contains("public-url = \"https://star.example\"  # public-url in"),
            "{report}"
        );
    }

    let behind_proxy = machine();
    let proxy = blocks(section("## Behind a proxy"), "sh");
    behind_proxy.run(proxy[0]);
    behind_proxy.follow("### 7. Units");
    let report = behind_proxy.check("postgres");
    assert!(
        report.contains("trusted-proxies = \"127.0.0.1\""),
        "{report}"
    );
    behind_proxy.run(proxy[1]);
    let unit = behind_proxy.text("/etc/systemd/system/caddy.service.d/host.conf");
    let environment = "[Service]\nEnvironment=\"HOST=star.example\" \"NODES=127.0.0.1:8080\"\n";
    assert_eq!(unit, environment);

    let with_sqlite = machine();
    let [build, settings] = blocks(section("## SQLite instead of PostgreSQL"), "sh")[..] else {
        panic!("the commands before and after step 3 are not apart")
    };
    // Without the build, which takes minutes.
    assert!(
        build
            .lines()
            .all(|line| line.contains("cargo") || line.contains("target/release")),
        "{build}"
    );
    with_sqlite.run(settings);
    with_sqlite.run(proxy[0]);
    let report = with_sqlite.check("sqlite");
    assert!(report.contains("school.db\"  # database in"), "{report}");
}

/// Whether there is an `openssl`.
fn has_openssl() -> bool {
    let found = Command::new("openssl").arg("version").output().is_ok();
    if !found {
        report(
            "SKIPPED",
            "the certificates of docs/deploy.md, because there is no openssl",
        );
    }
    found
}

/// Fails if the port of the metrics differs between the page, its settings and the alerts, or is
/// that of node-exporter on the same machine.
#[test]
fn the_port_of_the_metrics_is_the_same_everywhere() {
    let settings = file("lyceum.toml");
    let address = settings
        .lines()
        .find_map(|line| line.strip_prefix("metrics-listen = "))
        .unwrap()
        .trim_matches('"');
    assert!(!address.ends_with(":9100"), "{address}");
    assert!(
        PAGE.contains(&format!("metrics on `{address}`")),
        "{address}"
    );
    for words in [
        format!("targets: [\"{address}\"]"),
        format!("--metrics-listen {address}`"),
    ] {
        assert!(OPERATIONS.contains(&words), "{words}");
    }
}

/// Fails if the dump of the timer cannot be restored, if others can read it, or if an incomplete
/// one has the name of a complete one.
#[test]
fn a_dump_has_its_name_when_it_is_complete() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    cluster.texts("CREATE TABLE letters AS SELECT 'for you' AS text");
    let folder = tempfile::tempdir().unwrap();
    // The programs of the server before others.
    let folders = [cluster.bin(), Path::new("/usr/bin"), Path::new("/bin")];
    let path = std::env::join_paths(folders).unwrap();
    let dump = |url: &str| {
        Command::new(repository().join("docs/deploy/dump"))
            .arg(folder.path())
            .arg(url)
            .env("PATH", &path)
            .output()
            .unwrap()
    };
    let names = || {
        let files = fs::read_dir(folder.path()).unwrap();
        files.map(|file| file.unwrap().path()).collect::<Vec<_>>()
    };
    let failed = dump(&cluster.url().replace("/postgres", "/nowhere"));
    assert!(!failed.status.success());
    assert_eq!(names(), Vec::<PathBuf>::new());
    assert_success("dump", &dump(&cluster.url()));
    let [file] = &names()[..] else {
        panic!("{:?}", names())
    };
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(
        name.starts_with("lyceum-20") && name.ends_with("Z.dump"),
        "{name}"
    );
    let mode = fs::metadata(file).unwrap().permissions();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777,
        0o600
    );
    let list = Command::new("pg_restore")
        .arg("--list")
        .arg(file)
        .env("PATH", &path)
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    assert!(list.contains("TABLE DATA public letters"), "{list}");
}

/// Fails if the table of schemas lacks one, or admits a build that the code does not.
#[test]
fn the_table_of_schemas_is_that_of_the_migrations() {
    let table = OPERATIONS
        .split("| Schema | Builds that may run on it |\n|---|---|\n")
        .nth(1)
        .unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut documented = Vec::new();
    for row in rows {
        let [_, schema, builds, _] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let number = |text: &str| -> u32 { text.parse().unwrap_or_else(|_| panic!("{row}")) };
        match schema.split_once(" to ") {
            Some((first, last)) => {
                assert!(builds.starts_with("its own"), "{row}");
                documented.extend((number(first)..=number(last)).map(|schema| (schema, schema)));
            }
            None => {
                let oldest = builds.split([' ', ',', ';']).next().unwrap();
                documented.push((number(schema), number(oldest)));
            }
        }
    }
    let made = MIGRATIONS.split("migration!(\"").skip(1).map(|rest| {
        let (name, rest) = rest.split_once("\", ").unwrap();
        let oldest = rest.split(')').next().unwrap();
        (name[..4].parse().unwrap(), oldest.parse().unwrap())
    });
    assert_eq!(documented, made.collect::<Vec<(u32, u32)>>());
}
