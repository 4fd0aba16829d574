//! Conditional requests (RFC 9110 §13).

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Response};
use sha2::{Digest, Sha256};

use super::error::Error;
use super::format::Format;
use super::rate_limit_headers::format_header_value;
use crate::domain::HiddenFields;
use crate::http::{Body, entity_tags};
use crate::store::DatasetVersion;

/// Entity tag of a query's result, in one format and one version of the directory. It is weak,
/// because the same result may be compressed or not. It is computed without running the query:
/// `lineage-number-mark-digest`, the first three as in a cursor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct EntityTag(HeaderValue);

impl EntityTag {
    pub(super) fn new(
        version: DatasetVersion,
        digest: &str,
        format: Format,
        hidden: HiddenFields,
    ) -> Self {
        let DatasetVersion {
            lineage,
            number,
            mark,
        } = version;
        let (format, hidden) = (
            format as u8,
            hidden.iter().fold(0, |bits, field| bits | 1 << field as u8),
        );
        let tag = format_header_value(format_args!(
            "W/\"{lineage:x}-{number:x}-{mark:x}-{digest}{format:x}{hidden:x}\""
        ));
        Self(tag.expect("a tag has less than a hundred characters, all of them visible"))
    }

    /// The tag of a body: that of the same records in every version of the directory.
    pub(super) fn from_body(body: &[u8]) -> Self {
        let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(body));
        let tag = format_header_value(format_args!("W/\"{digest}\""));
        Self(tag.expect("a digest has 43 characters, all of them visible"))
    }

    /// Whether `If-None-Match` contains this tag.
    ///
    /// # Errors
    /// When `If-Match` does not match.
    pub(super) fn is_not_modified(&self, headers: &HeaderMap) -> Result<bool, Error> {
        // `If-Match` compares strongly, and this tag is weak (RFC 9110 §13.1.1).
        if headers.contains_key(IF_MATCH) && !entity_tags::is_any(headers, IF_MATCH) {
            return Err(Error::precondition_failed());
        }
        Ok(entity_tags::is_not_modified(headers, self.0.as_bytes()))
    }

    /// Adds the `ETag` header to a response.
    pub(super) fn insert_into(self, response: &mut Response<Body>) {
        response.headers_mut().insert(ETAG, self.0);
    }
}

/// Directory versions in the tags of `If-None-Match`.
pub(super) fn presented_versions(headers: &HeaderMap) -> impl Iterator<Item = DatasetVersion> {
    entity_tags::presented(headers, IF_NONE_MATCH).filter_map(version)
}

/// The directory version in a tag, if this service issued it.
fn version(tag: &str) -> Option<DatasetVersion> {
    let opaque = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?;
    let mut numbers = opaque
        .splitn(4, '-')
        .map(|number| u64::from_str_radix(number, 16).ok());
    Some(DatasetVersion {
        lineage: numbers.next()??,
        number: numbers.next()??,
        mark: numbers.next()??,
    })
}
