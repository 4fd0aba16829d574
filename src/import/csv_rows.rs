//! Rows of CSV.

use csv::{ReaderBuilder, StringRecord};

use super::columns::Columns;
use super::file::{Headings, MAX_ROWS, Row, check_length, too_many_rows};
use super::refusal::{Refusal, Refused};
use crate::directory::unescape_formula;

/// Reads the headings, with the positions of their columns, and the rows.
pub(super) fn read(text: &str, columns: &Columns) -> Result<(Headings, Vec<Row>), Refusal> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let (mut headings, mut rows) = (Vec::new(), Vec::new());
    let mut record = StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|error| Refusal::of_file(format!("the file is not CSV: {error}")))?
    {
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if headings.is_empty() {
            headings = columns.find_all(record.iter(), line)?;
            continue;
        }
        if rows.len() == MAX_ROWS {
            return Err(too_many_rows());
        }
        for (cell, (heading, _)) in record.iter().zip(&headings) {
            check_length(line, heading, cell)?;
        }
        let cells = if record.len() == headings.len() {
            let mut cells = vec![None; columns.len()];
            for (cell, (_, position)) in record.iter().zip(&headings) {
                cells[*position] = Some(unescape_formula(cell).to_owned());
            }
            Ok(cells)
        } else {
            Err(Refused::row(format!(
                "has {} cells, and the first line has {} headings",
                record.len(),
                headings.len()
            )))
        };
        rows.push(Row { line, cells });
    }
    if headings.is_empty() {
        return Err(Refusal::of_file("the file has no line with headings"));
    }
    Ok((headings, rows))
}
