//! The units of systemd.

use std::fs;
use std::process::Command;

use super::{Machine, assert_success, blocks, file, files, section};
use crate::report::report;

/// Whether there is a `systemd-analyze` that checks files without a running systemd (since 250).
fn analyzes_offline() -> bool {
    let version = Command::new("systemd-analyze").arg("--version").output();
    let version = version.ok().and_then(|output| {
        let text = String::from_utf8(output.stdout).ok()?;
        text.split(' ').nth(1)?.parse::<u32>().ok()
    });
    let is_new = version.is_some_and(|version| version >= 250);
    if !is_new {
        report(
            "SKIPPED",
            "the units of docs/deploy, because there is no systemd-analyze of systemd 250 or newer",
        );
    }
    is_new
}

/// Copies the units to a folder, with programs that exist.
fn units() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files() {
        let programs = [
            "/usr/local/bin/lyceum",
            "/usr/local/lib/lyceum/dump",
            "/usr/local/lib/lyceum/alert",
        ];
        let text = programs
            .iter()
            .fold(text, |text, program| text.replace(program, "/bin/true"));
        let path = match &*name {
            "behind-proxy.conf" => "lyceum.socket.d/behind-proxy.conf",
            // Of a node alone: it hides what a single machine is exposed to.
            "node.conf" => "node/lyceum.service.d/node.conf",
            "sqlite.conf" => "lyceum-backup.service.d/sqlite.conf",
            name if name.ends_with(".service")
                || name.ends_with(".socket")
                || name.ends_with(".timer") =>
            {
                name
            }
            _ => continue,
        };
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Fails if a line of a unit is misspelled.
#[test]
fn systemd_accepts_every_unit() {
    if !analyzes_offline() {
        return;
    }
    let folder = units();
    let unit = |name| folder.path().join(name);
    fs::copy(unit("lyceum.service"), unit("node/lyceum.service")).unwrap();
    for unit in [
        "lyceum.service",
        "node/lyceum.service",
        "lyceum.socket",
        "lyceum-backup.service",
        "lyceum-backup.timer",
        "lyceum-doctor.service",
        "lyceum-doctor.timer",
        "lyceum-alert@.service",
    ] {
        let output = Command::new("systemd-analyze")
            .args(["verify", "--man=no", "--recursive-errors=no"])
            .arg(folder.path().join(unit))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{unit}: {said}");
    }
}

/// Fails if a service may do more than it needs.
#[test]
fn the_exposure_of_the_services_is_at_most_two_of_ten() {
    if !analyzes_offline() {
        return;
    }
    let folder = units();
    for unit in [
        "lyceum.service",
        "lyceum-backup.service",
        "lyceum-doctor.service",
    ] {
        let output = Command::new("systemd-analyze")
            .args(["security", "--offline=yes", "--threshold=20", "--no-pager"])
            .arg(folder.path().join(unit))
            .output()
            .unwrap();
        assert_success(&String::from_utf8_lossy(&output.stdout), &output);
    }
}

/// Fails if a backup or a check that fails sends no message, or the message is not that of its log.
#[test]
fn a_unit_that_fails_sends_its_log() {
    for unit in ["lyceum-backup.service", "lyceum-doctor.service"] {
        let failure = "\nOnFailure=lyceum-alert@%n.service\n";
        assert!(file(unit).contains(failure), "{unit}");
    }
    assert!(file("lyceum-alert@.service").contains("ExecStart=/usr/local/lib/lyceum/alert %i\n"));
    let machine = Machine::new();
    machine.follow("### 3. User and folders");
    machine.install("alert");
    machine.run(blocks(section("### 9. Messages when something fails"), "sh")[1]);
    let programs = machine.path("/etc/caddy");
    for (name, script) in [
        ("journalctl", "echo \"the log by $*\""),
        ("sendmail", "{ echo \"for $*\"; cat; } >sent"),
    ] {
        let path = programs.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path, executable).unwrap();
    }
    let output = Command::new(machine.path("/usr/local/lib/lyceum/alert"))
        .arg("lyceum-backup.service")
        .current_dir(&programs)
        .env("PATH", format!("{}:/usr/bin:/bin", programs.display()))
        .output()
        .unwrap();
    assert_success("alert", &output);
    let sent = fs::read_to_string(programs.join("sent")).unwrap();
    for line in [
        "for head@star.example\n",
        "\nTo: head@star.example\n",
        "\nSubject: lyceum-backup.service has failed on ",
        "\n\nthe log by --unit=lyceum-backup.service ",
    ] {
        assert!(
            format!("\n{sent}").contains(line),
            "{line} is not in {sent}"
        );
    }
}

/// Fails if the service of a single machine starts without its socket, or that of a node, which
/// listens by itself, needs one.
#[test]
fn the_service_requires_the_socket_only_where_that_is_enabled() {
    let folder = units();
    let system = folder.path().join("etc/systemd/system");
    fs::create_dir_all(&system).unwrap();
    for unit in ["lyceum.service", "lyceum.socket"] {
        fs::copy(folder.path().join(unit), system.join(unit)).unwrap();
    }
    let service = fs::read_to_string(system.join("lyceum.service")).unwrap();
    assert!(!service.contains("Requires="), "{service}");
    let output = Command::new("systemctl")
        .arg(format!("--root={}", folder.path().display()))
        .args(["enable", "lyceum.socket", "lyceum.service"])
        .output();
    match output {
        Ok(output) => {
            assert_success("systemctl enable", &output);
            let required = system.join("lyceum.service.requires/lyceum.socket");
            assert!(fs::symlink_metadata(required).is_ok());
        }
        Err(_) => report(
            "SKIPPED",
            "the links of docs/deploy/lyceum.socket, because there is no systemctl",
        ),
    }
}
