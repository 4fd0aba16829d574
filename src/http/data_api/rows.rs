//! Lists without an envelope: a row for each record. `write` appends the JSON of a record.

use super::csv;

/// A table with these columns (RFC 4180).
pub(super) fn table<R>(columns: &[&str], records: impl Iterator<Item = R>, write: impl Fn(R, &mut Vec<u8>)) -> Vec<u8> {
    let (mut table, mut json) = (Vec::new(), Vec::new());
    csv::write_names(&mut table, columns);
    for record in records {
        json.clear();
        write(record, &mut json);
        csv::write_row(&mut table, columns, &json);
    }
    table
}

/// A line of JSON for each record.
pub(super) fn lines<R>(records: impl Iterator<Item = R>, write: impl Fn(R, &mut Vec<u8>)) -> Vec<u8> {
    let mut lines = Vec::new();
    for record in records {
        write(record, &mut lines);
        lines.push(b'\n');
    }
    lines
}
