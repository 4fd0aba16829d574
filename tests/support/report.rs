//! Prints results of tests for human readers.

use std::fmt::Display;
use std::io::Write;

/// Prints a line on standard error. It bypasses the test harness, which hides the output of
/// `println!` in tests that succeed.
pub fn report(subject: &str, found: impl Display) {
    // Written in one call, because other tests print concurrently.
    let line = format!("{subject}: {found}\n");
    drop(std::io::stderr().write_all(line.as_bytes()));
}
