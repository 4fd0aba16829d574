#[cfg(feature = "compression")]
use std::io::Write;

use bytes::Bytes;
use http::HeaderMap;
#[cfg(feature = "compression")]
use http::header::ACCEPT_ENCODING;

#[cfg(feature = "compression")]
use super::weights;

/// How a body is compressed, the better first. There is none without the feature `compression`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    #[cfg(feature = "compression")]
    Brotli,
    #[cfg(feature = "compression")]
    Gzip,
}

/// What a client says of codings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Wish {
    /// What it wants rather than the bytes as they are.
    pub(super) coding: Option<Coding>,
    /// It wants the bytes in no case as they are.
    pub(super) refuses_identity: bool,
}

impl Wish {
    /// What `Accept-Encoding` says (RFC 9110 §12.5.3). Without it, all codings are allowed; but who does not say that they can be read, may not
    /// read them.
    #[cfg(feature = "compression")]
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let weight = |is_named: &dyn Fn(&str) -> bool| {
            weights::members(headers, ACCEPT_ENCODING).filter(|(name, _)| is_named(name)).map(|(_, weight)| weight).max()
        };
        let others = weight(&|name| name == "*");
        let named = |coding: Coding| weight(&|name| coding.is_named(name)).or(others).unwrap_or(0);
        let identity = weight(&|name| name.eq_ignore_ascii_case("identity"));
        let best = if named(Coding::Brotli) >= named(Coding::Gzip) { Coding::Brotli } else { Coding::Gzip };
        Self {
            // Where nothing is said of the bytes as they are, they will do if nothing better does.
            coding: Some(best).filter(|best| named(*best) > 0 && named(*best) >= identity.unwrap_or(0)),
            refuses_identity: identity.or(others) == Some(0),
        }
    }

    #[cfg(not(feature = "compression"))]
    pub(super) fn of(_: &HeaderMap) -> Self {
        Self::default()
    }
}

#[cfg(feature = "compression")]
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

    /// What each level more saves from here on, a few hundredths, takes it half as long again; Brotli's levels 2 to 4 are slower than its 5.
    pub(super) fn compress(self, body: &[u8]) -> Bytes {
        const MEMORY: &str = "memory takes every byte";
        let compressed = match self {
            Self::Brotli => {
                let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 19);
                encoder.write_all(body).expect(MEMORY);
                encoder.into_inner()
            }
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(5));
                encoder.write_all(body).expect(MEMORY);
                encoder.finish().expect(MEMORY)
            }
        };
        compressed.into()
    }
}

#[cfg(not(feature = "compression"))]
impl Coding {
    pub(super) const fn name(self) -> &'static str {
        match self {}
    }

    pub(super) const fn compress(self, _: &[u8]) -> Bytes {
        match self {}
    }
}

#[cfg(test)]
#[cfg(feature = "compression")]
mod tests {
    use http::HeaderValue;

    use super::Coding::{Brotli, Gzip};
    use super::*;

    fn wish_of(accept: &str) -> Wish {
        Wish::of(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_str(accept).unwrap())]))
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
        assert_eq!(Wish::of(&HeaderMap::new()), Wish { coding: None, refuses_identity: false });
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
