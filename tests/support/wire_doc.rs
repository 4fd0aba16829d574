//! The tables of `docs/wire.md` that are held against what the services answer: those with a column
//! that is marked as checked.
//!
//! It is `mod wire_doc` in each test program.

use std::collections::BTreeSet;

/// The cells of each row of the table in a section of the page that has this checked column.
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

/// The status and the word of each row of a table that begins with them.
pub fn refusals(section: &str, column: &str) -> BTreeSet<(u16, String)> {
    rows(section, column)
        .map(|cells| (cells[0].parse().unwrap(), cells[1].to_owned()))
        .collect()
}
