//! Reads the tables of `docs/wire.md` that tests compare with the services' responses: those with a
//! column that is marked as checked.
//!
//! Test programs declare it as `mod wire_doc`.

use std::collections::BTreeSet;

/// Returns the cells of each row of a section's table that has this checked column.
pub fn rows(section: &str, column: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let page = include_str!("../../docs/wire.md");
    let section = page
        .split("\n## ")
        .find(|found| found.starts_with(section))
        .unwrap();
    let table = section
        .split(&format!("`{column}` *(checked)*"))
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let cells = |row: &'static str| {
        row.split('|')
            .skip(1)
            .map(|cell| cell.trim().trim_matches('`'))
            .collect()
    };
    table
        .lines()
        .skip(2)
        .filter(|line| line.starts_with("| "))
        .map(cells)
}

/// Returns the status and the error code with which each row of a table begins.
pub fn refusals(section: &str, column: &str) -> BTreeSet<(u16, String)> {
    rows(section, column)
        .map(|cells| (cells[0].parse().unwrap(), cells[1].to_owned()))
        .collect()
}
