use std::net::IpAddr;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, HeaderName, Request, header};
use ipnet::IpNet;
use tower::{Layer, Service};

use super::{ClientAddress, forwarded};
use crate::domain::InvalidValue;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Layer for services behind proxies that sets [`ClientAddress`] to the client's address instead of
/// the proxy's.
///
/// A forwarding header is trusted only from the networks of one's own proxies, hop by hop from the
/// last one backwards: the client is the first hop that is not such a proxy. Values that the client
/// itself sends are ignored, and so is the header from any other peer. Choose the header that your
/// proxies set; the other one may come from the client.
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
    networks: Arc<[IpNet]>,
    header: HeaderParser,
}

/// The header, and the parser of its lines.
type HeaderParser = (HeaderName, fn(&str) -> Vec<Option<IpAddr>>);

impl TrustedProxies {
    /// Trusts proxies that append the peer's address to `X-Forwarded-For`, given by addresses and
    /// networks such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// When one of them is neither, or has bits set after its prefix.
    pub fn x_forwarded_for(networks: &[&str]) -> Result<Self, InvalidValue> {
        Self::new(
            networks,
            (X_FORWARDED_FOR, forwarded::parse_x_forwarded_for),
        )
    }

    /// Trusts proxies that append the peer's address to `Forwarded` (RFC 7239), given by addresses
    /// and networks such as `10.0.0.0/8`.
    ///
    /// # Errors
    /// When one of them is neither, or has bits set after its prefix.
    pub fn forwarded(networks: &[&str]) -> Result<Self, InvalidValue> {
        Self::new(networks, (header::FORWARDED, forwarded::parse_forwarded))
    }

    fn new(networks: &[&str], header: HeaderParser) -> Result<Self, InvalidValue> {
        Ok(Self {
            networks: networks
                .iter()
                .map(|network| parse_network(network))
                .collect::<Result<_, _>>()?,
            header,
        })
    }

    /// Returns the client of a request from `peer`. Stops at a hop that cannot be parsed, and
    /// returns the proxy after it.
    fn client_address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let (name, parse) = &self.header;
        let lines: Vec<_> = headers.get_all(name).iter().collect();
        let mut client = peer.to_canonical();
        for line in lines.into_iter().rev() {
            for hop in line
                .to_str()
                .map_or_else(|_| vec![None], parse)
                .into_iter()
                .rev()
            {
                match hop {
                    Some(hop) if self.trusts(client) => client = hop,
                    _ => return client,
                }
            }
        }
        client
    }

    /// The networks of the proxies.
    #[cfg(feature = "doctor")]
    pub(crate) fn networks(&self) -> &[IpNet] {
        &self.networks
    }

    /// Whether the address is that of such a proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks
            .iter()
            .any(|network| network.contains(&address))
    }
}

impl<S> Layer<S> for TrustedProxies {
    type Service = TrustedProxiesService<S>;

    fn layer(&self, inner: S) -> TrustedProxiesService<S> {
        TrustedProxiesService {
            proxies: self.clone(),
            inner,
        }
    }
}

/// Service wrapped by [`TrustedProxies`].
#[derive(Debug, Clone)]
pub struct TrustedProxiesService<S> {
    proxies: TrustedProxies,
    inner: S,
}

impl<S: Service<Request<B>>, B> Service<Request<B>> for TrustedProxiesService<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> S::Future {
        // Without a peer address no proxy can be trusted.
        if let Some(peer) = ClientAddress::from_extensions(request.extensions()) {
            let client = self.proxies.client_address(peer, request.headers());
            request.extensions_mut().insert(ClientAddress(client));
        }
        self.inner.call(request)
    }
}

/// Parses an address or a network. Bits after the prefix are refused: the network was probably
/// meant to be another one.
fn parse_network(text: &str) -> Result<IpNet, InvalidValue> {
    let address = || text.parse().map(|address: IpAddr| address.into());
    let network: Option<IpNet> = text.parse().or_else(|_| address()).ok();
    network
        .filter(|network| network.addr() == network.network())
        .ok_or_else(|| {
            InvalidValue::from_string(format!(
                "must be addresses or networks such as 10.0.0.0/8, and {text:?} is neither"
            ))
        })
}

#[cfg(test)]
mod tests;
