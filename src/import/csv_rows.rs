//! Rows of CSV.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord};

use super::columns::Columns;
use super::file::{Headings, MAX_ROWS, Row, RowId, check_length, too_many_rows};
use super::refusal::{Place, Refusal, RowError};
use crate::directory::unescape_formula;

/// Follows the file, as a record of its own unless the file ends inside a quoted cell.
const END: &str = "\n.";

/// Reads the headings, with the positions of their columns, and the rows.
pub(super) fn read(text: &str, columns: &Columns) -> Result<(Headings, Vec<Row>), Refusal> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes().chain(END.as_bytes()));
    let mut lines = Lines {
        text: text.as_bytes(),
        counted: 0,
        line: 1,
    };
    let (mut headings, mut rows) = (Vec::new(), Vec::new());
    let mut record = StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|error| Refusal::of_file(format!("the file is not CSV: {error}")))?
    {
        let start = record.position().map_or(0, csv::Position::byte);
        let Some(line) = lines.of_record(start) else {
            break;
        };
        if reader.position().byte() == (text.len() + END.len()) as u64 {
            return Err(open_quote(text, &record));
        }
        let place = Place::Line(line);
        let filled = filled(&record);
        if filled == 0 {
            continue;
        }
        if headings.is_empty() {
            headings = columns.find_all(record.iter().take(filled), place)?;
            continue;
        }
        if rows.len() == MAX_ROWS {
            return Err(too_many_rows());
        }
        for (cell, (heading, _)) in record.iter().zip(&headings) {
            check_length(place, heading, cell)?;
        }
        let cells = if filled <= headings.len() {
            let mut cells = vec![None; columns.len()];
            for (index, (_, position)) in headings.iter().enumerate() {
                // Spreadsheet programs leave out empty cells at the end of a row.
                let cell = record.get(index).unwrap_or_default();
                cells[*position] = Some(unescape_formula(cell).to_owned());
            }
            Ok(cells)
        } else {
            Err(RowError::row(format!(
                "has {filled} cells, and the first line has {} headings",
                headings.len()
            )))
        };
        let id = RowId {
            index: rows.len(),
            place,
        };
        rows.push(Row { id, cells });
    }
    if headings.is_empty() {
        return Err(Refusal::of_file("the file has no line with headings"));
    }
    Ok((headings, rows))
}

/// The number of cells up to the last that is not blank.
fn filled(record: &StringRecord) -> usize {
    let cells = record.iter().enumerate();
    cells
        .filter(|(_, cell)| !cell.trim().is_empty())
        .map(|(index, _)| index + 1)
        .max()
        .unwrap_or(0)
}

/// The refusal of a file that ends inside the last cell of this record.
fn open_quote(text: &str, record: &StringRecord) -> Refusal {
    let cell = record.iter().next_back().unwrap_or_default();
    let cell = cell.strip_suffix(END).unwrap_or(cell);
    let line = 1 + line_ends(text.as_bytes()) - line_ends(cell.as_bytes());
    Refusal::of_file(format!(
        "the file ends inside a quoted cell that begins in line {line}"
    ))
}

/// Counts the lines of a text up to its records, which come in their order.
struct Lines<'a> {
    text: &'a [u8],
    counted: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the record that begins after the line ends at this byte; `None` after the text.
    fn of_record(&mut self, byte: u64) -> Option<u64> {
        let mut start = usize::try_from(byte).ok()?;
        while matches!(self.text.get(start)?, b'\r' | b'\n') {
            start += 1;
        }
        self.line += line_ends(self.text.get(self.counted..start)?);
        self.counted = start;
        Some(self.line)
    }
}

/// The number of line ends: `\n`, `\r\n`, and `\r` alone.
fn line_ends(text: &[u8]) -> u64 {
    let is_end = |index: &usize| match text[*index] {
        b'\n' => true,
        b'\r' => text.get(*index + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..text.len()).filter(is_end).count() as u64
}
