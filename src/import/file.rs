//! The bytes of a file: their bounds, their encoding, and the rows in them.

use std::borrow::Cow;

use super::columns::Columns;
use super::refusal::{Place, Refusal, RefusalKind, RowError};
use super::{csv_rows, json_rows};
use crate::domain::string_enum;

/// Maximum size of a file.
pub const MAX_BYTES: usize = 16 << 20;

/// Maximum number of rows of a file.
pub const MAX_ROWS: usize = 50_000;

/// Maximum size of a cell in UTF-8.
pub const MAX_CELL_BYTES: usize = 256 << 10;

string_enum! {
    /// The format of a file.
    FileFormat {
        /// Comma-separated values (RFC 4180), with headings in the first line.
        Csv = "csv",
        /// An array of objects, as the data API has them.
        Json = "json",
    }
}

string_enum! {
    /// The encoding of a file.
    Encoding {
        /// UTF-8, with or without a byte-order mark.
        Utf8 = "UTF-8",
        /// CP949, in which Korean spreadsheet programs save CSV.
        Cp949 = "CP949",
    }
}

/// Headings in the order of the file, each with the position of its column.
pub(super) type Headings = Vec<(String, usize)>;

/// The rows of a file.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) encoding: Encoding,
    pub(super) headings: Headings,
    pub(super) rows: Vec<Row>,
}

/// A row of a file.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: RowId,
    /// The cells by the positions of the columns; `None` where the file has no cell.
    pub(super) cells: Result<Vec<Option<String>>, RowError>,
}

/// A row among those of its file, which have different indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowId {
    pub(super) index: usize,
    pub(super) place: Place,
}

impl Table {
    /// A table without rows and headings.
    #[cfg(feature = "console")]
    pub(super) const fn empty() -> Self {
        Self {
            encoding: Encoding::Utf8,
            headings: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Reads a file whose columns are those of one kind of records.
    pub(super) fn read(
        bytes: &[u8],
        format: FileFormat,
        columns: &Columns,
    ) -> Result<Self, Refusal> {
        if bytes.len() > MAX_BYTES {
            return Err(Refusal::of_file(format!(
                "the file has more than {MAX_BYTES} bytes"
            )));
        }
        let (text, encoding) = decode(bytes)?;
        let (headings, rows) = match format {
            FileFormat::Csv => csv_rows::read(&text, columns)?,
            FileFormat::Json => json_rows::read(&text, columns)?,
        };
        Ok(Self {
            encoding,
            headings,
            rows,
        })
    }

    /// The heading in the file of the column at this position.
    pub(super) fn heading(&self, position: usize) -> Option<&str> {
        let mut headings = self.headings.iter();
        headings
            .find(|(_, at)| *at == position)
            .map(|(heading, _)| heading.as_str())
    }
}

/// Text that is no UTF-8 is CP949, if it is that.
fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), Refusal> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok((text.into(), Encoding::Utf8));
    }
    encoding_rs::EUC_KR
        .decode_without_bom_handling_and_without_replacement(bytes)
        .map(|text| (text, Encoding::Cp949))
        .ok_or_else(|| Refusal::of_file("the file is neither UTF-8 nor CP949"))
}

/// The refusal of a file with too many rows.
pub(super) fn too_many_rows() -> Refusal {
    Refusal::of_file(format!("the file has more than {MAX_ROWS} rows"))
}

/// Refuses a file with a cell or a heading that is too long.
pub(super) fn check_length(place: Place, column: &str, cell: &str) -> Result<(), Refusal> {
    if cell.len() <= MAX_CELL_BYTES {
        return Ok(());
    }
    Err(Refusal {
        place: Some(place),
        column: Some(column.to_owned()),
        kind: RefusalKind::File,
        reason: format!("has more than {MAX_CELL_BYTES} bytes"),
    })
}
