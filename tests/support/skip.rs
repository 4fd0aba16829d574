//! Tests that an environment variable leaves out, because they need programs of others.
//!
//! Test programs declare it as `mod skip`, apart from those with `mod postgres_server`, which has it.

use std::io::Write;
use std::sync::Mutex;

/// Whether an environment variable is 1, which skips tests. If so, says so once on standard error.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
pub fn skips(variable: &'static str, tests: &str) -> bool {
    static TOLD: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    let skipped = std::env::var(variable).is_ok_and(|value| value == "1");
    let mut told = TOLD.lock().unwrap();
    if skipped && !told.contains(&variable) {
        told.push(variable);
        // `println!` and `eprintln!` are captured by the test harness.
        drop(writeln!(
            std::io::stderr(),
            "SKIPPED, because {variable}=1: {tests}"
        ));
    }
    skipped
}
