//! Requests that ask only for what is new to them (RFC 9110 §13).

use http::header::{ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Response};

use super::failure::Failure;
use super::format::Format;
use super::notes::short;
use crate::domain::HiddenFields;
use crate::http::Body;
use crate::store::DatasetVersion;

/// Names what a question is answered with, in one format and one version of the directory. It is a weak tag, as the same answer may be
/// compressed or not, and made without asking the question: `lineage-number-mark-digest`, the first three as in a cursor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct EntityTag(HeaderValue);

impl EntityTag {
    pub(super) fn of(version: DatasetVersion, digest: &str, format: Format, hidden: HiddenFields) -> Self {
        let DatasetVersion { lineage, number, mark } = version;
        let (format, hidden) = (format as u8, hidden.iter().fold(0, |bits, field| bits | 1 << field as u8));
        let tag = short(format_args!("W/\"{lineage:x}-{number:x}-{mark:x}-{digest}{format:x}{hidden:x}\""));
        Self(tag.expect("a tag has less than a hundred characters, all of them visible"))
    }

    /// Whether the client has the answer already (`If-None-Match`).
    ///
    /// # Errors
    /// When `If-Match` does not match.
    pub(super) fn is_not_modified(&self, headers: &HeaderMap) -> Result<bool, Failure> {
        // Only strong tags are equal there, and ours are weak (RFC 9110 §13.1.1).
        if headers.contains_key(IF_MATCH) && !names_any(headers, IF_MATCH) {
            return Err(Failure::PreconditionFailed);
        }
        Ok(names_any(headers, IF_NONE_MATCH) || names(headers, IF_NONE_MATCH).any(|name| self.is(name)))
    }

    /// Puts the tag on an answer.
    pub(super) fn mark(self, response: &mut Response<Body>) {
        response.headers_mut().insert(ETAG, self.0);
    }

    /// Whether that is this tag, strong or weak.
    fn is(&self, name: &str) -> bool {
        self.0.as_bytes().strip_prefix(b"W/") == Some(name.strip_prefix("W/").unwrap_or(name).as_bytes())
    }
}

/// The versions of the directory that a client has seen, by the tags that it presents.
pub(super) fn versions(headers: &HeaderMap) -> impl Iterator<Item = DatasetVersion> {
    names(headers, IF_NONE_MATCH).filter_map(version)
}

/// The version in a tag, if it is one of ours.
fn version(name: &str) -> Option<DatasetVersion> {
    let opaque = name.strip_prefix("W/").unwrap_or(name).strip_prefix('"')?;
    let mut numbers = opaque.splitn(4, '-').map(|number| u64::from_str_radix(number, 16).ok());
    Some(DatasetVersion { lineage: numbers.next()??, number: numbers.next()??, mark: numbers.next()?? })
}

/// Whether a header is the asterisk that stands for every tag. Among tags it would be a mistake, and inside one it is a part of it.
fn names_any(headers: &HeaderMap, header: HeaderName) -> bool {
    let mut values = headers.get_all(header).into_iter();
    matches!((values.next(), values.next()), (Some(value), None) if value.as_bytes().trim_ascii() == b"*")
}

/// The tags that a header lists. Ours have no comma, so that one in somebody else's does no harm.
fn names(headers: &HeaderMap, header: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|name| name.trim_matches([' ', '\t']))
}
