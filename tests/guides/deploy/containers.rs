//! The image and the containers.

use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use ipnet::Ipv4Net;

use super::{Machine, assert_success, blocks, file, has_openssl, repository, section};
use crate::long_run::is_long_run;
use crate::report::report;

/// Whether a name of an image has a version.
fn is_pinned(image: &str) -> bool {
    let name = image.rsplit('/').next().unwrap();
    name.split_once(':').is_some_and(|(_, tag)| {
        tag != "latest"
            && (tag.contains(|digit: char| digit.is_ascii_digit()) || tag == "bookworm-slim")
    })
}

/// Fails if the image runs as root, has more than the programs, or is made of any version of another
/// image.
#[test]
fn the_image_has_the_programs_alone_and_is_not_run_by_root() {
    let text = file("Dockerfile").replace("\\\n", "");
    let stages: Vec<_> = text.split("\nFROM ").skip(1).collect();
    let [build, last] = stages[..] else {
        panic!("{} stages", stages.len())
    };
    for stage in [build, last] {
        let image = stage.split([' ', '\n']).next().unwrap();
        assert!(is_pinned(image), "{image}");
    }
    assert!(build.contains("--locked"), "{build}");
    let instructions: Vec<_> = last
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once(' ').unwrap())
        .collect();
    let user = instructions
        .iter()
        .position(|(name, _)| *name == "USER")
        .unwrap();
    let id = instructions[user].1.split(':').next().unwrap();
    assert!(id.parse::<u32>().unwrap() >= 10_000, "{id}");
    for (position, (name, value)) in instructions.iter().enumerate() {
        match *name {
            // Everything that is copied is compiled in the first stage, and root makes it.
            "COPY" => assert!(
                value.starts_with("--from=build ") && position < user,
                "{value}"
            ),
            "RUN" => assert!(position < user, "{value}"),
            "ENTRYPOINT" | "CMD" => assert!(value.starts_with('['), "{value}"),
            "USER" => assert_eq!(position, user),
            "WORKDIR" | "VOLUME" | "EXPOSE" => {}
            name => panic!("{name} is not expected"),
        }
    }
    assert!(!text.contains("\nARG ") && !text.contains("\nENV ") && !text.contains("\nADD "));
}

/// Fails if a file of the folder, such as a database or a key, may reach the image.
#[test]
fn the_builder_gets_nothing_but_the_sources() {
    let text = fs::read_to_string(repository().join(".dockerignore")).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines[0], "*");
    for line in &lines[1..] {
        let path = line.strip_prefix("!/").unwrap_or_else(|| panic!("{line}"));
        assert!(repository().join(path).exists(), "{path}");
    }
    // What Cargo looks for before it compiles, and what is compiled.
    for needed in [
        "Cargo.lock",
        "Cargo.toml",
        "assets",
        "benches",
        "build",
        "examples",
        "migrations",
        "src",
        "templates",
        "tests/host",
    ] {
        assert!(lines.contains(&&*format!("!/{needed}")), "{needed}");
    }
}

/// Fails if a container may do more than it needs, is reached from outside, or has a secret in its
/// environment.
#[test]
fn the_containers_have_no_rights_and_only_one_port_is_published() {
    let text = file("compose.yml");
    let services = text.split("\nservices:\n").nth(1).unwrap();
    let services = services.split("\nsecrets:\n").next().unwrap();
    let mut names = Vec::new();
    for service in services.split("\n\n") {
        let name = service.trim_start().split(':').next().unwrap();
        names.push(name);
        for line in [
            "    read_only: true",
            "    cap_drop: [ALL]",
            "    security_opt: [\"no-new-privileges:true\"]",
            "    restart: unless-stopped",
        ] {
            assert!(
                service.lines().any(|found| found == line),
                "{name} lacks {line}"
            );
        }
        let value = |key: &str| {
            let key = format!("    {key}: ");
            service.lines().find_map(|line| line.strip_prefix(&key))
        };
        let image = value("image").unwrap();
        assert!(image == "lyceum" || is_pinned(image), "{image}");
        let expected = (name == "proxy").then_some("[\"443:443\"]");
        assert_eq!(value("ports"), expected, "{name}");
        let capabilities = (name == "proxy").then_some("[NET_BIND_SERVICE]");
        assert_eq!(value("cap_add"), capabilities, "{name}");
        for secret in ["PASSWORD", "DATABASE_URL"] {
            for line in service.lines().filter(|line| line.contains(secret)) {
                assert!(line.contains("_FILE: /run/secrets/"), "{line}");
            }
        }
    }
    assert_eq!(names, ["database", "lyceum", "proxy"]);
    for forbidden in ["privileged", "network_mode", "docker.sock", "pid:"] {
        assert!(!text.contains(&format!(" {forbidden}")), "{forbidden}");
    }
}

/// Fails if another container, or a process of the host, whose address is that of the gateway, may
/// forge the addresses of clients.
#[test]
fn the_address_of_the_proxy_is_trusted_and_no_other_container_gets_it() {
    let text = file("compose.yml");
    let value = |key: &str| {
        let rest = text.split(&format!("{key}: ")).nth(1).unwrap();
        rest.split([' ', ',', '\n']).next().unwrap()
    };
    let trusted = value("LYCEUM_TRUSTED_PROXIES");
    assert_eq!(trusted, value("proxy: { ipv4_address"), "{text}");
    let trusted: Ipv4Addr = trusted.parse().unwrap();
    let [network, given]: [Ipv4Net; 2] =
        ["subnet", "ip_range"].map(|key| value(key).parse().unwrap());
    assert!(network.hosts().any(|address| address == trusted));
    assert!(network.contains(&given) && !given.contains(&trusted));
}

/// A program in place of Docker's, which prints the start of a dump and ends with this status.
fn fake_docker(folder: &Path, status: u8) {
    let path = folder.join("docker");
    fs::write(&path, format!("#!/bin/sh\nprintf PGDMP\nexit {status}\n")).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(path, executable).unwrap();
}

/// Fails if compose is called before its settings and secrets are written, or if a dump that is not
/// complete has the name of a complete one.
#[test]
fn the_commands_write_settings_and_secrets_and_name_a_dump_when_it_is_complete() {
    if !has_openssl() {
        return;
    }
    let (machine, folder) = (Machine::new(), tempfile::tempdir().unwrap());
    let run = |commands: &str| {
        let lines: Vec<_> = commands
            .lines()
            .filter(|line| {
                !["cd ", "git ", "curl "]
                    .iter()
                    .any(|word| line.starts_with(word))
            })
            .collect();
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let mut command = machine.command(&lines.join("\n"));
        command
            .current_dir(folder.path())
            .env("SCHOOL", "Kim's School")
            .env("TIME_ZONE", "Asia/Seoul")
            .env("PATH", path);
        command.output().unwrap()
    };
    let [_, start, dump, restoration, upgrade] = blocks(section("## In containers"), "sh")[..]
    else {
        panic!("other blocks than expected")
    };
    // Compose reads the settings in the folder in which it is called.
    for block in [start, dump, restoration, upgrade] {
        assert!(
            block.contains("cd /usr/local/src/lyceum/docs/deploy\n"),
            "{block}"
        );
    }
    let (before, _) = start.split_once("docker ").unwrap();
    assert_success(before, &run(before));
    let settings = fs::read_to_string(folder.path().join(".env")).unwrap();
    assert_eq!(
        settings,
        "HOST=star.example\nSCHOOL=Kim's School\nTIME_ZONE=Asia/Seoul\n"
    );
    let password = machine.text("/etc/lyceum/secrets/database-password");
    let url = machine.text("/etc/lyceum/secrets/database-url");
    assert_eq!(password.len(), 64);
    assert!(url.contains(&format!(":{password}@database/")), "{url}");

    let dumps = || {
        let files = fs::read_dir(machine.path("/var/backups/lyceum")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names
            .filter(|name| name.ends_with(".dump"))
            .collect::<Vec<_>>()
    };
    let script = "/usr/local/src/lyceum/docs/deploy/dump-container";
    let ours = repository().join("docs/deploy/dump-container");
    let dump = dump.replace(&format!("\n{script}"), &format!("\n{}", ours.display()));
    fake_docker(folder.path(), 1);
    assert!(!run(&dump).status.success());
    assert_eq!(dumps(), Vec::<String>::new());
    let crontab = machine.text("/etc/cron.d/lyceum");
    let (first, second) = crontab.trim_end().split_once('\n').unwrap();
    assert!(
        second.ends_with(&first["15 3".len()..].replace("dump-", "check-")),
        "{second}"
    );
    let [_, _, _, _, _, "root", named, to] = first.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{crontab}")
    };
    assert_eq!(
        (named, Path::new(to)),
        (script, &*machine.path("/var/backups/lyceum"))
    );
    // cron reads a % as the end of the line.
    assert!(
        crontab.ends_with('\n') && !crontab.contains('%'),
        "{crontab}"
    );
    fake_docker(folder.path(), 0);
    let old = machine.path("/var/backups/lyceum/lyceum-old.dump");
    fs::write(&old, "old").unwrap();
    let opened = fs::OpenOptions::new().write(true).open(&old).unwrap();
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    opened.set_modified(long_ago).unwrap();
    assert_success(&dump, &run(&dump));
    let [name] = &dumps()[..] else {
        panic!("{:?}", dumps())
    };
    let dump = machine.path("/var/backups/lyceum").join(name);
    let mode = fs::metadata(dump).unwrap().permissions();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777,
        0o600
    );
}

/// Fails if the service may start with a database that was not restored to its end, or if a line of
/// the restoration differs from those that are typed on a machine.
#[test]
fn a_restoration_in_containers_stops_at_the_first_line_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let block = blocks(section("## In containers"), "sh")[3];
    let block = block.replace("cd /usr/local/src/lyceum/docs/deploy\n", "");
    let (dump, path) = (folder.path().join("dump"), folder.path().join("docker"));
    fs::write(&dump, "PGDMP").unwrap();
    let documented = "/var/backups/lyceum/lyceum-2026-09-21T03-15-02Z.dump";
    assert!(block.contains(documented), "{block}");
    let block = block.replace(documented, dump.to_str().unwrap());
    let called = |failing: &str| {
        let log = folder.path().join("log");
        let script = format!(
            "#!/bin/sh\necho \"$*\" >>{}\ncase \"$*\" in *{failing}*) exit 1;; esac\n",
            log.display()
        );
        let _ = fs::remove_file(&log);
        fs::write(&path, script).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&path, executable).unwrap();
        let output = Command::new("sh")
            .args(["-c", &block])
            .env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()))
            .output()
            .unwrap();
        (output.status.success(), fs::read_to_string(log).unwrap())
    };
    let (is_done, calls) = called("nothing-fails");
    assert!(is_done && calls.contains("up --detach"), "{calls}");
    assert!(
        calls.contains("restore --in-place --lost-database lyceum_lost_2"),
        "{calls}"
    );
    for step in [
        "stop",
        "RENAME",
        "createdb",
        "pg_restore",
        "restore\\ --in-place",
    ] {
        let (is_done, calls) = called(step);
        assert!(
            !is_done && !calls.contains("up --detach"),
            "{step}: {calls}"
        );
    }
}

/// Fails if hadolint, where it is installed, finds a fault in the Dockerfile.
#[test]
fn hadolint_accepts_the_dockerfile() {
    let path = repository().join("docs/deploy/Dockerfile");
    match Command::new("hadolint").arg(path).output() {
        Ok(output) => assert_success(&String::from_utf8_lossy(&output.stdout), &output),
        Err(_) => report(
            "SKIPPED",
            "hadolint over docs/deploy/Dockerfile, because it is not installed",
        ),
    }
}

/// Whether a command of docker succeeds.
fn docker(arguments: &[&str]) -> bool {
    let mut command = Command::new("docker");
    command
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Fails if the compose plugin does not accept the file.
#[test]
fn compose_accepts_its_file() {
    if !docker(&["compose", "version"]) {
        return report(
            "SKIPPED",
            "docs/deploy/compose.yml, because there is no docker compose",
        );
    }
    let output = Command::new("docker")
        .args(["compose", "config", "--quiet"])
        .env("HOST", "school.example")
        .env("TIME_ZONE", "Asia/Seoul")
        // Where the page calls it, without the name of the file.
        .current_dir(repository().join("docs/deploy"))
        .output()
        .unwrap();
    assert_success("docker compose config", &output);
}

/// Fails if the image cannot be built, or its program does not start as its user.
#[test]
fn the_image_is_built_and_starts() {
    if !is_long_run() || !docker(&["info"]) {
        return report(
            "SKIPPED",
            "the build of docs/deploy/Dockerfile, which needs LYCEUM_LONG=1 and a running Docker",
        );
    }
    const TAG: &str = "lyceum:test";
    let build = [
        "build",
        "--file",
        "docs/deploy/Dockerfile",
        "--tag",
        TAG,
        ".",
    ];
    let run = [
        "run",
        "--rm",
        "--read-only",
        "--cap-drop=ALL",
        "--env=DATABASE_URL=postgresql://lyceum@127.0.0.1/lyceum",
        "--env=LYCEUM_PUBLIC_URL=https://school.example",
        TAG,
        "serve",
        "--check",
    ];
    for arguments in [&build[..], &run] {
        let output = Command::new("docker")
            .args(arguments)
            .current_dir(repository())
            .output()
            .unwrap();
        assert_success(&arguments.join(" "), &output);
    }
}
