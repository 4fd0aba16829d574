use std::net::IpAddr;

use http::Extensions;

/// The address of the client, as a request extension. Limits on attempts and on bad keys use it.
///
/// `serve` (feature `serve`) inserts the address at the other end of the connection; a host with a listener of its own inserts it where it
/// knows it. Behind proxies of one's own [`TrustedProxies`](super::TrustedProxies) puts the client's in place of the proxy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that the host gave to a request, if it did.
    pub(crate) fn among(extensions: &Extensions) -> Option<IpAddr> {
        extensions.get::<Self>().map(|Self(address)| *address)
    }
}
