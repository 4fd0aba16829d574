use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, HeaderName, Request, header};
use tower::{Layer, Service};

use super::{ClientAddress, forwarded};
use crate::domain::Invalid;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A layer for services behind proxies: it puts the client's address in place of the proxy's, as their [`ClientAddress`].
///
/// A forwarding header is believed only from the networks of one's own proxies, hop by hop from the last one on: the client is the first that
/// is no such proxy. What a client itself sends in the header is never looked at, and from any other peer the header is ignored. Name the
/// one header that your proxies set; the other may be the client's.
///
/// ```
/// use lyceum::DataApi;
/// # use lyceum::directory::Directory;
/// use lyceum::http::TrustedProxies;
/// # use lyceum::store::memory::MemoryStore;
/// # use std::sync::Arc;
/// use tower::Layer;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = Arc::new(MemoryStore::new());
/// # let api = DataApi::builder(Directory::open(store.clone()).await?, store).build()?;
/// let api = TrustedProxies::x_forwarded_for(&["127.0.0.1", "10.0.0.0/8"])?.layer(api);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct TrustedProxies {
    networks: Arc<[Network]>,
    read: Reading,
}

/// The header, and how a line of it is read.
type Reading = (HeaderName, fn(&str) -> Vec<Option<IpAddr>>);

impl TrustedProxies {
    /// Proxies that append the address they saw to `X-Forwarded-For`, by addresses and networks such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// When one of them is neither, or has bits set behind its prefix.
    pub fn x_forwarded_for(networks: &[&str]) -> Result<Self, Invalid> {
        Self::new(networks, (X_FORWARDED_FOR, forwarded::x_forwarded_for))
    }

    /// Proxies that append the address they saw to `Forwarded` (RFC 7239), by addresses and networks such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// When one of them is neither, or has bits set behind its prefix.
    pub fn forwarded(networks: &[&str]) -> Result<Self, Invalid> {
        Self::new(networks, (header::FORWARDED, forwarded::forwarded))
    }

    fn new(networks: &[&str], read: Reading) -> Result<Self, Invalid> {
        Ok(Self { networks: networks.iter().map(|network| network.parse()).collect::<Result<_, _>>()?, read })
    }

    /// The client of a request that came from `peer`. A hop that cannot be read ends the way: the client is then the last proxy on it.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let (name, read) = &self.read;
        let lines: Vec<_> = headers.get_all(name).iter().collect();
        let mut client = peer.to_canonical();
        for line in lines.into_iter().rev() {
            for hop in line.to_str().map_or_else(|_| vec![None], read).into_iter().rev() {
                match hop {
                    Some(hop) if self.trusts(client) => client = hop,
                    _ => return client,
                }
            }
        }
        client
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(address))
    }
}

impl<S> Layer<S> for TrustedProxies {
    type Service = BehindProxies<S>;

    fn layer(&self, inner: S) -> BehindProxies<S> {
        BehindProxies { proxies: self.clone(), inner }
    }
}

/// A service behind [`TrustedProxies`].
#[derive(Debug, Clone)]
pub struct BehindProxies<S> {
    proxies: TrustedProxies,
    inner: S,
}

impl<S: Service<Request<B>>, B> Service<Request<B>> for BehindProxies<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> S::Future {
        // Without a peer nobody can be trusted.
        if let Some(peer) = ClientAddress::among(request.extensions()) {
            let client = self.proxies.client(peer, request.headers());
            request.extensions_mut().insert(ClientAddress(client));
        }
        self.inner.call(request)
    }
}

/// The addresses that begin with the same bits.
#[derive(Clone, Copy)]
struct Network {
    start: IpAddr,
    bits: u32,
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        match (self.start, address) {
            (IpAddr::V4(start), IpAddr::V4(address)) => (start.to_bits() ^ address.to_bits()).leading_zeros() >= self.bits,
            (IpAddr::V6(start), IpAddr::V6(address)) => (start.to_bits() ^ address.to_bits()).leading_zeros() >= self.bits,
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let invalid = || Invalid::owned(format!("must be addresses or networks such as 10.0.0.0/8, and {text:?} is neither"));
        let (start, bits) = text.split_once('/').map_or((text, None), |(start, bits)| (start, Some(bits)));
        let start: IpAddr = start.parse().map_err(|_| invalid())?;
        let (length, set) = match start {
            IpAddr::V4(start) => (32, 32 - start.to_bits().trailing_zeros()),
            IpAddr::V6(start) => (128, 128 - start.to_bits().trailing_zeros()),
        };
        let bits = bits.map_or(Ok(length), str::parse).map_err(|_| invalid())?;
        // A network that begins elsewhere than it says was meant to be another one.
        if bits > length || set > bits { Err(invalid()) } else { Ok(Self { start, bits }) }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.start, self.bits)
    }
}

#[cfg(test)]
mod tests;
