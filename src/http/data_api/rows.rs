//! Lists without an envelope: a row for each record.

use std::sync::Arc;

use bytes::Bytes;

use super::csv;
use crate::domain::Record;

/// A table with these columns (RFC 4180).
pub(super) fn table<T>(columns: &[&str], records: &[Arc<Record<T>>], rendering: impl Fn(&Record<T>) -> &Bytes) -> Vec<u8> {
    let mut table = Vec::new();
    csv::write_names(&mut table, columns);
    for record in records {
        csv::write_row(&mut table, columns, rendering(record));
    }
    table
}

/// A line of JSON for each record.
pub(super) fn lines<T>(records: &[Arc<Record<T>>], rendering: impl Fn(&Record<T>) -> &Bytes) -> Vec<u8> {
    let mut lines = Vec::with_capacity(records.iter().map(|record| rendering(record).len() + 1).sum());
    for record in records {
        lines.extend_from_slice(rendering(record));
        lines.push(b'\n');
    }
    lines
}
