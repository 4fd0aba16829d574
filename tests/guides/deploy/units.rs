//! The units of systemd.

use std::fs;
use std::process::Command;

use super::{assert_success, files};
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
        let text = ["/usr/local/bin/lyceum", "/usr/local/lib/lyceum/dump"]
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
    for unit in ["lyceum.service", "lyceum-backup.service"] {
        let output = Command::new("systemd-analyze")
            .args(["security", "--offline=yes", "--threshold=20", "--no-pager"])
            .arg(folder.path().join(unit))
            .output()
            .unwrap();
        assert_success(&String::from_utf8_lossy(&output.stdout), &output);
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
