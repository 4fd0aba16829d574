//! What a test found, for people.

use std::fmt::Display;
use std::io::Write;

/// Prints a line on standard error, past the capture of the test harness, which swallows what
/// `println!` says in a test that succeeds.
pub fn report(subject: &str, found: impl Display) {
    // As one piece: other tests print at the same time.
    let line = format!("{subject}: {found}\n");
    drop(std::io::stderr().write_all(line.as_bytes()));
}
