//! Programs that `scripts/browser` installs.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use crate::skip::skips;

/// Environment variable that, set to 1, skips the browser tests.
const SKIP_VARIABLE: &str = "SKIP_BROWSER";

const MISSING: &str = "scripts/browser installs it where it can and says how where it cannot; SKIP_BROWSER=1 does without these tests";

/// Whether this run skips the browser tests. Reports it on standard error, so that nothing is
/// skipped silently.
pub fn skipped() -> bool {
    skips(SKIP_VARIABLE, "the tests in a browser")
}

/// Returns from a test if the run skips the browser tests.
macro_rules! needs_browser {
    () => {
        if crate::prerequisites::skipped() {
            return;
        }
    };
}
pub(crate) use needs_browser;

/// Path of the driver.
pub fn driver() -> PathBuf {
    in_path("chromedriver").unwrap_or_else(|| panic!("chromedriver is not in PATH: {MISSING}"))
}

/// Source of axe-core, in the version of the lock file.
pub fn axe() -> &'static str {
    static AXE: LazyLock<String> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (folder, wanted) = (
            root.join("target/browser"),
            fs::read(root.join("tests/browser/axe/package-lock.json")).unwrap(),
        );
        let is_installed =
            fs::read(folder.join("installed")).is_ok_and(|installed| installed == wanted);
        assert!(
            is_installed,
            "axe-core is not installed, or another version: {MISSING}"
        );
        fs::read_to_string(folder.join("node_modules/axe-core/axe.min.js")).unwrap()
    });
    &AXE
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn in_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
