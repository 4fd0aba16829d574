use std::io::Write;

use brotli::CompressorWriter;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

use super::weights;

/// How a body is compressed, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn is_named(self, name: &str) -> bool {
        // RFC 9110 §8.4.1.3 has a second name for gzip.
        name.eq_ignore_ascii_case(self.name()) || self == Self::Gzip && name.eq_ignore_ascii_case("x-gzip")
    }
}

/// What a client says of codings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// What it wants rather than the bytes as they are.
    pub(super) coding: Option<Coding>,
    /// It wants the bytes in no case as they are.
    pub(super) refuses_identity: bool,
}

/// What `Accept-Encoding` says (RFC 9110 §12.5.3). Without it, all codings are allowed; but who does not say that they can be read, may not read them.
pub(super) fn wish(headers: &HeaderMap) -> Wish {
    let weight = |is_named: &dyn Fn(&str) -> bool| {
        weights::members(headers, ACCEPT_ENCODING).filter(|(name, _)| is_named(name)).map(|(_, weight)| weight).max()
    };
    let others = weight(&|name| name == "*");
    let named = |coding: Coding| weight(&|name| coding.is_named(name)).or(others).unwrap_or(0);
    let identity = weight(&|name| name.eq_ignore_ascii_case("identity"));
    let best = if named(Coding::Brotli) >= named(Coding::Gzip) { Coding::Brotli } else { Coding::Gzip };
    Wish {
        // Where nothing is said of the bytes as they are, they will do if nothing better does.
        coding: Some(best).filter(|best| named(*best) > 0 && named(*best) >= identity.unwrap_or(0)),
        refuses_identity: identity.or(others) == Some(0),
    }
}

/// The chunks of a body, compressed one by one.
pub(super) struct Encoded<I> {
    chunks: I,
    /// None after the last chunk.
    encoder: Option<Encoder>,
}

enum Encoder {
    Brotli(Box<CompressorWriter<Vec<u8>>>),
    Gzip(GzEncoder<Vec<u8>>),
}

impl<I: Iterator<Item = Bytes>> Encoded<I> {
    pub(super) fn new(coding: Coding, chunks: I) -> Self {
        // What each level more saves from here on, a few hundredths, takes it half as long again; Brotli's levels 2 to 4 are slower than its 5.
        let encoder = match coding {
            Coding::Brotli => Encoder::Brotli(Box::new(CompressorWriter::new(Vec::new(), 4096, 5, 19))),
            Coding::Gzip => Encoder::Gzip(GzEncoder::new(Vec::new(), Compression::new(5))),
        };
        Self { chunks, encoder: Some(encoder) }
    }
}

impl<I: Iterator<Item = Bytes>> Iterator for Encoded<I> {
    type Item = Bytes;

    /// What the encoder lets go after one more chunk, which may be nothing.
    fn next(&mut self) -> Option<Bytes> {
        let encoder = self.encoder.as_mut()?;
        let encoded = match self.chunks.next() {
            Some(chunk) => encoder.encode(&chunk),
            None => self.encoder.take()?.finish(),
        };
        Some(encoded.into())
    }
}

impl Encoder {
    fn encode(&mut self, chunk: &[u8]) -> Vec<u8> {
        let (written, out) = match self {
            Self::Brotli(encoder) => (encoder.write_all(chunk), encoder.get_mut()),
            Self::Gzip(encoder) => (encoder.write_all(chunk), encoder.get_mut()),
        };
        written.expect("memory takes every byte");
        std::mem::take(out)
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Self::Brotli(encoder) => encoder.into_inner(),
            Self::Gzip(encoder) => encoder.finish().expect("memory takes every byte"),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::Coding::{Brotli, Gzip};
    use super::*;

    fn wish_of(accept: &str) -> Wish {
        wish(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_str(accept).unwrap())]))
    }

    #[test]
    fn decision_2_14_the_coding_with_the_highest_weight_is_taken_and_brotli_wins_ties() {
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
            assert_eq!(wish_of(accept), Wish { coding, refuses_identity: accept.contains("*;q=0") && !accept.contains("0.") }, "{accept}");
        }
        assert_eq!(wish(&HeaderMap::new()), Wish { coding: None, refuses_identity: false });
    }

    #[test]
    fn decision_2_14_the_bytes_as_they_are_can_be_refused() {
        for (accept, refused) in [
            ("identity;q=0", true),
            ("gzip, identity;q=0", true),
            ("*;q=0", true),
            ("identity, *;q=0", false),
            ("identity;q=0.001", false),
            ("gzip", false),
            ("*", false),
        ] {
            assert_eq!(wish_of(accept).refuses_identity, refused, "{accept}");
        }
    }
}
