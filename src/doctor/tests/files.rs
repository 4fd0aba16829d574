//! Checks of files and directories.

use std::fs;
use std::path::Path;

use super::*;
use crate::doctor::files::{self, Completeness};

fn write(path: &Path, mode: u32) {
    fs::write(path, "secret").unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(path, permissions).unwrap();
}

/// Makes a file that much older than now.
fn set_age(file: &Path, age: Duration) {
    let now = std::time::UNIX_EPOCH + Duration::from_secs(NOW.seconds().cast_unsigned());
    let opened = fs::OpenOptions::new().write(true).open(file).unwrap();
    opened.set_modified(now - age).unwrap();
}

/// Fails if other users may read a secret, or the group of a service may not.
#[test]
fn a_file_with_secrets_is_closed_to_other_users() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    let level =
        || files::private_file(Check::MasterKey, "the master key", &file).map(|found| found.level);
    assert_eq!(level(), Some(Level::Failure), "it is missing");
    for (mode, found) in [
        (0o600, None),
        (0o640, None),
        (0o644, Some(Level::Failure)),
        (0o602, Some(Level::Failure)),
    ] {
        write(&file, mode);
        assert_eq!(level(), found, "{mode:o}");
    }
}

/// Fails if the secret of a container is a mistake, or any other file passes for one.
#[test]
fn a_provided_secret_may_have_any_mode() {
    let folder = tempfile::tempdir().unwrap();
    let provided = folder.path().join("secrets");
    fs::create_dir(&provided).unwrap();
    let (inside, outside) = (provided.join("url"), folder.path().join("url"));
    let check = |file: &Path| {
        let directories = [Path::new("/missing"), &provided];
        let found = files::private_file_outside(directories, Check::Settings, "the file", file);
        found.map(|found| found.level)
    };
    for (mode, found) in [(0o444, Some(Level::Failure)), (0o640, None)] {
        write(&inside, mode);
        write(&outside, mode);
        assert_eq!(check(&inside), None, "{mode:o}");
        assert_eq!(check(&outside), found, "{mode:o}");
        assert_eq!(check(&provided.join("../url")), found, "{mode:o}");
    }
    assert_eq!(check(&provided.join("missing")), Some(Level::Failure));
}

/// Fails if a key that is copied together with the data goes unnoticed, also below or by a link.
#[test]
fn the_master_key_is_apart_from_database_and_backups() {
    let folder = tempfile::tempdir().unwrap();
    let [keys, data, backups] = ["keys", "data", "backups"].map(|name| folder.path().join(name));
    for folder in [&keys, &data, &backups, &backups.join("below")] {
        fs::create_dir(folder).unwrap();
    }
    std::os::unix::fs::symlink(&backups, folder.path().join("link")).unwrap();
    let level = |key: &Path| {
        let database = data.join("lyceum.db");
        let found = files::key_location(&key.join("lyceum.key"), Some(&database), Some(&backups));
        found.map(|found| found.level)
    };
    assert_eq!(level(&keys), None);
    assert_eq!(level(&data), Some(Level::Advice));
    for key in [
        backups.clone(),
        backups.join("below"),
        folder.path().join("link"),
    ] {
        assert_eq!(level(&key), Some(Level::Failure), "{key:?}");
    }
}

/// Fails if a backup that is missing, old, damaged or open passes.
#[test]
fn the_newest_backup_is_young_complete_and_closed() {
    let folder = tempfile::tempdir().unwrap();
    let check = |at: Timestamp, found: Completeness| {
        let found = files::backups(folder.path(), DAY, at, |_| found.clone());
        levels(&found)
    };
    let complete = Completeness::Complete;
    assert_eq!(
        check(NOW, complete.clone()),
        [Level::Warning],
        "there is none"
    );
    let missing = files::backups(&folder.path().join("none"), DAY, NOW, |_| complete.clone());
    assert_eq!(levels(&missing), [Level::Failure]);
    let backup = folder.path().join("lyceum.db");
    write(&backup, 0o600);
    let written = backup.metadata().unwrap().modified().unwrap();
    let written = written
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let written = Timestamp::from_seconds(written.try_into().unwrap());
    assert_eq!(check(written.plus(DAY), complete.clone()), [Level::Ok]);
    assert_eq!(
        check(written.plus(DAY + Duration::from_secs(1)), complete.clone()),
        [Level::Warning]
    );
    let damaged = Completeness::Damaged("its end is missing".to_owned());
    assert_eq!(check(written, damaged), [Level::Failure]);
    let unknown = Completeness::Unknown("nothing reads it".to_owned());
    assert_eq!(check(written, unknown), [Level::Advice]);
    write(&backup, 0o644);
    assert_eq!(check(written, complete.clone()), [Level::Failure]);
    write(&backup, 0o600);
    write(&folder.path().join("lyceum.db.1-0.partial"), 0o600);
    assert_eq!(check(written, complete), [Level::Advice]);
}

/// Fails if a backup that is deleted while others are looked at counts as damaged or as open.
#[test]
fn a_backup_that_is_deleted_meanwhile_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["oldest", "kept", "newest"];
    for (name, age) in names.into_iter().zip([2, 1, 0]) {
        let file = folder.path().join(name);
        write(&file, 0o600);
        set_age(&file, age * DAY / 2);
    }
    let mut inspected = Vec::new();
    let found = files::backups(folder.path(), DAY, NOW, |file| {
        inspected.push(file.file_name().unwrap().to_owned());
        // The job that writes backups deletes others.
        for name in ["oldest", "newest"] {
            let _ = fs::remove_file(folder.path().join(name));
        }
        match file.exists() {
            true => Completeness::Complete,
            false => Completeness::Damaged("it cannot be read".to_owned()),
        }
    });
    assert_eq!(inspected, ["newest", "kept"]);
    assert_eq!(levels(&found), [Level::Ok], "{found:?}");
    assert_eq!(found[0].text, "1 file, the newest complete");
}

/// Fails if a database that grows without end is seen only once the disk is full, or if each new
/// record is reported.
#[test]
fn backups_that_have_doubled_in_a_week_are_reported() {
    const MIB: u64 = 1 << 20;
    let found = |sizes: [(u32, u64); 3]| {
        let folder = tempfile::tempdir().unwrap();
        for (days, bytes) in sizes {
            let file = folder.path().join(format!("{days}.db"));
            write(&file, 0o600);
            let opened = fs::OpenOptions::new().write(true).open(&file).unwrap();
            opened.set_len(bytes).unwrap();
            set_age(&file, days * DAY);
        }
        files::backups(folder.path(), DAY, NOW, |_| Completeness::Complete)
    };
    let doubled = found([(0, 128 * MIB), (6, MIB), (8, 64 * MIB)]);
    assert_eq!(levels(&doubled), [Level::Advice]);
    let text = &doubled[0].text;
    assert!(text.contains("from 64 MiB to 128 MiB in 8 days"), "{text}");
    for sizes in [
        [(0, 127 * MIB), (6, MIB), (8, 64 * MIB)],
        [(0, 60 * MIB), (7, MIB), (8, MIB)],
        [(0, 256 * MIB), (5, MIB), (6, MIB)],
    ] {
        assert_eq!(levels(&found(sizes)), [Level::Ok], "{sizes:?}");
    }
}
