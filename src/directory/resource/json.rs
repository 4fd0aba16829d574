//! Serialization of values as JSON, appended to a buffer.

use std::fmt::Display;
use std::io::Write;

use serde::Serialize;

pub(super) const NULL: &[u8] = b"null";

/// Appends a value that always has a JSON form, such as a text or a number.
pub(super) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(out, value)
        .expect("texts, numbers and booleans serialize, and a write to a vector succeeds");
}

/// Appends a text that needs no escaping.
pub(super) fn write_unescaped(out: &mut Vec<u8>, value: impl Display) {
    write!(out, "\"{value}\"").expect("a write to a vector succeeds");
}

pub(super) fn write_or_null<V>(
    out: &mut Vec<u8>,
    value: Option<V>,
    write: impl FnOnce(&mut Vec<u8>, V),
) {
    match value {
        Some(value) => write(out, value),
        None => out.extend_from_slice(NULL),
    }
}

/// Appends a JSON array, element by element.
pub(super) struct ArrayWriter<'a> {
    out: &'a mut Vec<u8>,
    is_first: bool,
}

impl<'a> ArrayWriter<'a> {
    pub(super) fn begin(out: &'a mut Vec<u8>) -> Self {
        out.push(b'[');
        Self {
            out,
            is_first: true,
        }
    }

    pub(super) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.is_first {
            self.out.push(b',');
        }
        self.is_first = false;
        write(self.out);
    }

    pub(super) fn end(self) {
        self.out.push(b']');
    }
}
