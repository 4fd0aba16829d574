use std::net::IpAddr;

use http::Extensions;

/// The client's IP address, as a request extension. Limits on failed attempts and on bad keys use
/// it.
///
/// `serve` (feature `serve`) inserts the peer address of the connection; a host with a listener of
/// its own inserts it itself. Behind proxies, [`TrustedProxies`](super::TrustedProxies) replaces
/// the proxy's address with the client's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that the host inserted, if any.
    pub(crate) fn from_extensions(extensions: &Extensions) -> Option<IpAddr> {
        extensions.get::<Self>().map(|Self(address)| *address)
    }
}
