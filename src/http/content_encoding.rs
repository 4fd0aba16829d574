//! Compressed bodies.

#[cfg(feature = "compression")]
use std::io::Write;

use bytes::Bytes;
use http::HeaderMap;
#[cfg(feature = "compression")]
use http::header::ACCEPT_ENCODING;

#[cfg(feature = "compression")]
use crate::http::quality_values;

/// Content codings, in order of preference. None without the feature `compression`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ContentCoding {
    #[cfg(feature = "compression")]
    Brotli,
    #[cfg(feature = "compression")]
    Gzip,
}

/// Content codings that a client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct AcceptEncoding {
    /// The preferred coding, if the client prefers one over identity.
    pub(crate) coding: Option<ContentCoding>,
    /// The client does not accept identity.
    pub(crate) refuses_identity: bool,
}

impl AcceptEncoding {
    /// Parses `Accept-Encoding` (RFC 9110 §12.5.3). Without the header all codings are allowed, but
    /// the body is sent uncompressed, since the client may not support any.
    #[cfg(feature = "compression")]
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let weight = |is_named: &dyn Fn(&str) -> bool| {
            quality_values::members(headers, ACCEPT_ENCODING)
                .filter(|(name, _)| is_named(name))
                .map(|(_, weight)| weight)
                .max()
        };
        let others = weight(&|name| name == "*");
        let named = |coding: ContentCoding| {
            weight(&|name| coding.is_named(name))
                .or(others)
                .unwrap_or(0)
        };
        let identity = weight(&|name| name.eq_ignore_ascii_case("identity"));
        let best = if named(ContentCoding::Brotli) >= named(ContentCoding::Gzip) {
            ContentCoding::Brotli
        } else {
            ContentCoding::Gzip
        };
        Self {
            // Unless identity is listed, any accepted coding is preferred.
            coding: Some(best)
                .filter(|best| named(*best) > 0 && named(*best) >= identity.unwrap_or(0)),
            refuses_identity: identity.or(others) == Some(0),
        }
    }

    #[cfg(not(feature = "compression"))]
    pub(crate) fn from_headers(_: &HeaderMap) -> Self {
        Self::default()
    }
}

#[cfg(feature = "compression")]
impl ContentCoding {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn is_named(self, name: &str) -> bool {
        // `x-gzip` is an alias of gzip (RFC 9110 §8.4.1.3).
        name.eq_ignore_ascii_case(self.name())
            || self == Self::Gzip && name.eq_ignore_ascii_case("x-gzip")
    }

    /// Above these levels, each further level saves a few percent and takes half as long again.
    /// Brotli's levels 2 to 4 are slower than 5.
    pub(crate) fn compress(self, body: &[u8]) -> Bytes {
        const MEMORY: &str = "memory takes every byte";
        let compressed = match self {
            Self::Brotli => {
                let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 19);
                encoder.write_all(body).expect(MEMORY);
                encoder.into_inner()
            }
            Self::Gzip => {
                let mut encoder =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(5));
                encoder.write_all(body).expect(MEMORY);
                encoder.finish().expect(MEMORY)
            }
        };
        compressed.into()
    }
}

#[cfg(not(feature = "compression"))]
impl ContentCoding {
    pub(crate) const fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) const fn compress(self, _: &[u8]) -> Bytes {
        match self {}
    }
}

#[cfg(test)]
#[cfg(feature = "compression")]
mod tests {
    use http::HeaderValue;

    use super::ContentCoding::{Brotli, Gzip};
    use super::*;

    fn parsed(accept: &str) -> AcceptEncoding {
        AcceptEncoding::from_headers(&HeaderMap::from_iter([(
            ACCEPT_ENCODING,
            HeaderValue::from_str(accept).unwrap(),
        )]))
    }

    // Proves: spec 2.14
    #[test]
    fn the_coding_with_the_highest_weight_is_taken_and_brotli_wins_ties() {
        for (accept, coding) in [
            ("", None),
            ("identity", None),
            ("deflate, zstd", None),
            ("gzip", Some(Gzip)),
            ("GZIP", Some(Gzip)),
            ("x-gzip", Some(Gzip)),
            ("br", Some(Brotli)),
            ("gzip, deflate, br, zstd", Some(Brotli)),
            ("gzip;q=1.0, br;q=0.9", Some(Gzip)),
            ("gzip;q=0.1", Some(Gzip)),
            ("gzip;q=0", None),
            ("gzip;q=much", None),
            ("br;q=0, gzip", Some(Gzip)),
            ("*", Some(Brotli)),
            ("br;q=0, *", Some(Gzip)),
            ("*;q=0", None),
            ("*;q=0, gzip", Some(Gzip)),
            ("gzip;q=0.5, *;q=0.6", Some(Brotli)),
            ("identity;q=0.5, gzip;q=0.4", None),
            ("identity;q=0.5, gzip;q=0.5", Some(Gzip)),
            ("identity, *;q=0.5", None),
        ] {
            assert_eq!(
                parsed(accept),
                AcceptEncoding {
                    coding,
                    refuses_identity: accept.contains("*;q=0") && !accept.contains("0.")
                },
                "{accept}"
            );
        }
        assert_eq!(
            AcceptEncoding::from_headers(&HeaderMap::new()),
            AcceptEncoding {
                coding: None,
                refuses_identity: false
            }
        );
    }

    // Proves: spec 2.14
    #[test]
    fn the_bytes_as_they_are_can_be_refused() {
        for (accept, refused) in [
            ("identity;q=0", true),
            ("gzip, identity;q=0", true),
            ("*;q=0", true),
            ("identity, *;q=0", false),
            ("identity;q=0.001", false),
            ("gzip", false),
            ("*", false),
        ] {
            assert_eq!(parsed(accept).refuses_identity, refused, "{accept}");
        }
    }
}
