//! Requests that ask only for what is new to them (RFC 9110 §13).

use std::hash::{Hash, Hasher};

use base64ct::{Base64UrlUnpadded, Encoding};
use http::header::{ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::format::Format;
use super::question::Question;
use crate::domain::HiddenFields;
use crate::http::Body;
use crate::store::DatasetVersion;

/// Names what a question is answered with, in one format and one version of the directory. It is a weak tag, as the same answer may be
/// compressed or not, and made without asking the question: `lineage-number-mark-digest`, the first three as in a cursor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct EntityTag(String);

impl EntityTag {
    pub(super) fn of(version: DatasetVersion, question: &Question, format: Format, hidden: HiddenFields) -> Self {
        let mut hasher = Sha256Hasher(Sha256::new_with_prefix(env!("CARGO_PKG_VERSION")));
        (question, format, hidden).hash(&mut hasher);
        let digest = Base64UrlUnpadded::encode_string(&hasher.0.finalize()[..15]);
        let DatasetVersion { lineage, number, mark } = version;
        Self(format!("{lineage:x}-{number:x}-{mark:x}-{digest}"))
    }

    /// The answer to a request whose conditions save us from asking, if they do.
    ///
    /// # Errors
    /// When the request is only for a state that is not the present one.
    pub(super) fn answer(&self, headers: &HeaderMap) -> Result<Option<Response<Body>>, Failure> {
        // Only strong tags are equal there, and ours are weak (RFC 9110 §13.1.1).
        if headers.contains_key(IF_MATCH) && !names_any(headers, IF_MATCH) {
            return Err(Failure::PreconditionFailed);
        }
        if !names_any(headers, IF_NONE_MATCH) && !names(headers, IF_NONE_MATCH).any(|name| self.is(name)) {
            return Ok(None);
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        Ok(Some(response))
    }

    /// Puts the tag on an answer.
    pub(super) fn mark(&self, mut response: Response<Body>) -> Response<Body> {
        if let Ok(tag) = HeaderValue::try_from(format!("W/\"{}\"", self.0)) {
            response.headers_mut().insert(ETAG, tag);
        }
        response
    }

    /// Whether that is this tag, strong or weak.
    fn is(&self, name: &str) -> bool {
        let opaque = name.strip_prefix("W/").unwrap_or(name);
        opaque.strip_prefix('"').and_then(|opaque| opaque.strip_suffix('"')) == Some(&*self.0)
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

/// SHA-256 of whatever is hashed: two questions with one tag would be answered with each other's students.
struct Sha256Hasher(Sha256);

impl Hasher for Sha256Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Asked for by nobody here: the whole digest is taken.
    fn finish(&self) -> u64 {
        self.0.clone().finalize().first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
    }
}
