//! Lists without an envelope: a row for each record.

use std::sync::Arc;

use bytes::Bytes;

use super::csv;
use super::format::Format;
use crate::domain::Record;
use crate::http::Body;

/// A chunk ends with the row that reaches this many bytes.
const CHUNK: usize = 16 * 1024;

/// The records in their order, rendered as they are sent if they are more than a chunk. `columns` are those of a table.
pub(super) fn body<T: Send + Sync + 'static>(
    format: Format,
    columns: &'static [&'static str],
    records: Vec<Arc<Record<T>>>,
    rendering: impl Fn(&Record<T>) -> &Bytes + Send + Sync + 'static,
) -> Body {
    let mut chunk = Vec::new();
    if format == Format::Csv {
        csv::write_names(&mut chunk, columns);
    }
    let mut records = records.into_iter();
    let mut rest = move |mut chunk: Vec<u8>| {
        for record in records.by_ref() {
            match format {
                Format::Csv => csv::write_row(&mut chunk, columns, rendering(&record)),
                Format::Json | Format::Lines => write_line(&mut chunk, rendering(&record)),
            }
            if chunk.len() >= CHUNK {
                break;
            }
        }
        Bytes::from(chunk)
    };
    let first = rest(chunk);
    if first.len() < CHUNK {
        return first.into();
    }
    let others = std::iter::from_fn(move || Some(rest(Vec::with_capacity(CHUNK))).filter(|chunk| !chunk.is_empty()));
    Body::rendered(std::iter::once(first).chain(others))
}

fn write_line(out: &mut Vec<u8>, record: &[u8]) {
    out.extend_from_slice(record);
    out.push(b'\n');
}
