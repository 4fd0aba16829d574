use std::sync::Arc;

use csv::{Terminator, WriterBuilder};

use super::columns::Columns;
use super::diff::{RecordCells, write_json};
use super::file::FileFormat;
use super::headings::korean;
use super::kind::{Kind, by_kind};
use crate::directory::{Directory, Snapshot, escape_formula};
use crate::domain::RecordKind;
use crate::store::StorageError;

/// Writes all records of one kind as a file that an [`Import`](super::Import) reads back without a
/// change.
///
/// CSV has the columns that an import reads. A text that a spreadsheet could take for a formula gets
/// an apostrophe before it, as in the CSV of the data API; an import removes it. JSON has the records
/// as the data API has them, one in a line.
#[derive(Debug, Clone, Copy)]
pub struct Export {
    kind: RecordKind,
    format: FileFormat,
    has_korean_headings: bool,
    has_byte_order_mark: bool,
}

impl Export {
    /// An export of all records of this kind as CSV.
    pub const fn new(kind: RecordKind) -> Self {
        Self {
            kind,
            format: FileFormat::Csv,
            has_korean_headings: false,
            has_byte_order_mark: false,
        }
    }

    /// Sets the format; CSV by default.
    #[must_use]
    pub const fn format(self, format: FileFormat) -> Self {
        Self { format, ..self }
    }

    /// Writes Korean headings in CSV.
    #[must_use]
    pub const fn korean_headings(self) -> Self {
        Self {
            has_korean_headings: true,
            ..self
        }
    }

    /// Begins CSV with a byte-order mark, without which some spreadsheet programs do not read UTF-8.
    #[must_use]
    pub const fn byte_order_mark(self) -> Self {
        Self {
            has_byte_order_mark: true,
            ..self
        }
    }

    /// Writes the current records of the directory.
    ///
    /// # Errors
    /// When the store of the directory does not respond.
    pub async fn write(self, directory: &Directory) -> Result<Vec<u8>, StorageError> {
        directory.check().await?;
        let snapshot = directory.snapshot().await?;
        self.write_part(directory, snapshot, None).await
    }

    /// Writes the records of a snapshot with these ids, or all.
    pub(crate) async fn write_part(
        self,
        directory: &Directory,
        snapshot: Arc<Snapshot>,
        ids: Option<Vec<i64>>,
    ) -> Result<Vec<u8>, StorageError> {
        let context = directory.clone();
        let work = move || {
            let (shown, ids) = (
                RecordCells::new(&snapshot, context.resources()),
                ids.as_deref(),
            );
            by_kind!(self.kind, records(self, &shown, ids))
        };
        directory.run_blocking(work).await
    }

    fn csv<K: Kind>(self, shown: &RecordCells<'_>, records: &[&K::Profile]) -> Vec<u8> {
        const INFALLIBLE: &str = "rows of equal length are written to a vector";
        let columns = Columns::of::<K>(shown.resources);
        let mut file = Vec::new();
        if self.has_byte_order_mark {
            file.extend_from_slice(b"\xEF\xBB\xBF");
        }
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(file);
        let heading = |name: &'static str| {
            let korean = korean(name).filter(|_| self.has_korean_headings);
            korean.unwrap_or(name)
        };
        writer
            .write_record(K::names().map(heading))
            .expect(INFALLIBLE);
        let positions: Vec<usize> = K::names()
            .filter_map(|name| columns.position(name))
            .collect();
        for profile in records {
            let mut cells = shown.cells::<K>(&columns, profile);
            let row = positions
                .iter()
                .map(|position| escape_formula(std::mem::take(&mut cells[*position])));
            writer.write_record(row).expect(INFALLIBLE);
        }
        writer.into_inner().expect(INFALLIBLE)
    }
}

fn records<K: Kind>(export: Export, shown: &RecordCells<'_>, ids: Option<&[i64]>) -> Vec<u8> {
    let list = K::list(shown.snapshot);
    let records: Vec<&K::Profile> = match ids {
        Some(ids) => ids.iter().filter_map(|id| list.get(*id)).collect(),
        None => list.iter().collect(),
    };
    match export.format {
        FileFormat::Csv => export.csv::<K>(shown, &records),
        FileFormat::Json => json::<K>(shown, &records),
    }
}

fn json<K: Kind>(shown: &RecordCells<'_>, records: &[&K::Profile]) -> Vec<u8> {
    let mut file = b"[".to_vec();
    for (index, profile) in records.iter().enumerate() {
        file.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        write_json::<K>(shown.resources, profile, &mut file);
    }
    file.extend_from_slice(b"\n]\n");
    file
}
