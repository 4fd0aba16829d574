//! Public documents in memory, which are sent compressed.

use std::sync::OnceLock;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use http::{HeaderMap, HeaderValue, Response};

use super::Body;
use super::content_encoding::{AcceptEncoding, ContentCoding};

/// A public document in memory, which is compressed at most once in each coding.
#[derive(Debug)]
pub(crate) struct CompressibleDocument {
    content: Bytes,
    /// The content in the codings that were asked for.
    encoded: [OnceLock<(ContentCoding, Bytes)>; 2],
}

impl CompressibleDocument {
    pub(crate) fn new(content: impl Into<Bytes>) -> Self {
        Self {
            content: content.into(),
            encoded: Default::default(),
        }
    }

    /// The content without a coding.
    pub(crate) fn as_bytes(&self) -> &Bytes {
        &self.content
    }

    /// Makes the content the body of a response, in the coding that the client prefers.
    pub(crate) fn write_to(&self, response: &mut Response<Body>, request: &HeaderMap) {
        let encoded = AcceptEncoding::from_headers(request)
            .coding
            .and_then(|coding| Some((coding, self.encoded(coding)?)));
        let content = encoded.map_or(&self.content, |(_, content)| content);
        *response.body_mut() = Body::from(content.clone());
        let headers = response.headers_mut();
        headers.insert(CONTENT_LENGTH, HeaderValue::from(content.len()));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if let Some((coding, _)) = encoded {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
    }

    fn encoded(&self, coding: ContentCoding) -> Option<&Bytes> {
        let encode = || (coding, coding.compress(&self.content));
        self.encoded
            .iter()
            .map(|slot| slot.get_or_init(encode))
            .find(|(known, _)| *known == coding)
            .map(|(_, content)| content)
    }
}
