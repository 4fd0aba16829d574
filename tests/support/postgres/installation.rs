//! Finds the programs of an installed PostgreSQL server.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Message if PostgreSQL is not installed.
pub const MISSING: &str = "These tests need PostgreSQL, and no initdb was found in PATH or where packages put it. \
    Install the server (Debian and Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql), \
    or set SKIP_POSTGRES=1 to do without them. TEST_POSTGRES_URL, such as postgresql://tester:password@127.0.0.1/test, only takes the place \
    of the server that tests share, and its role must be allowed to create schemas: some tests stop a server, or need one of their own.";

/// Returns the folder of `initdb`, `pg_ctl` and `postgres`.
pub fn bin() -> Option<PathBuf> {
    find_bin_in(candidates())
}

/// Returns the first folder with all three programs.
pub fn find_bin_in(folders: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    folders.into_iter().find(|folder| {
        ["initdb", "pg_ctl", "postgres"]
            .iter()
            .all(|program| folder.join(program).is_file())
    })
}

fn candidates() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        path().map_or_else(Vec::new, |path| std::env::split_paths(&path).collect());
    folders.extend(from_pg_config());
    for (parent, rest) in [
        ("/usr/lib/postgresql", "bin"),
        ("/usr", "bin"),
        ("/opt/homebrew/opt", "bin"),
        ("/usr/local/opt", "bin"),
        ("/Applications/Postgres.app/Contents/Versions", "bin"),
    ] {
        folders.extend(
            versions(Path::new(parent))
                .into_iter()
                .map(|version| version.join(rest)),
        );
    }
    folders
}

/// Returns the folders named after versions, newest first: `15`, `pgsql-15`, `postgresql@15`.
fn versions(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let version = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        let number = ["pgsql-", "postgresql@", ""]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix)?.parse::<u32>().ok())?;
        Some((number, path))
    };
    let mut found: Vec<_> = entries
        .flatten()
        .filter_map(|entry| version(entry.path()))
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}

fn from_pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().into())
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn path() -> Option<OsString> {
    std::env::var_os("PATH")
}
