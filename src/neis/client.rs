use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::wire::{Answer, Query, parse_answer};
use super::{NeisKey, UpstreamFault};

/// The address of the portal.
const PORTAL: &str = "https://open.neis.go.kr/hub/";

/// Maximum length of an answer. A thousand rows take about a megabyte.
const MAX_ANSWER: usize = 16 * 1024 * 1024;

/// Function that sleeps.
pub(super) type Pause = dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync;

/// Client of the portal: HTTP/1.1 with the certificate authorities of the system. It follows no
/// redirects.
#[derive(Clone)]
pub struct Client {
    http: HttpClient<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    base_url: String,
    key: Option<NeisKey>,
    timeout: Duration,
    pub(super) max_calls: u32,
    pause: Arc<Pause>,
}

/// Builder of a [`Client`]. Every option has a default.
#[must_use]
pub struct ClientBuilder {
    base_url: String,
    key: Option<NeisKey>,
    timeout: Duration,
    max_calls: u32,
    pause: Arc<Pause>,
}

/// Error of [`ClientBuilder::build`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientError {
    /// The base address is not allowed.
    Url,
    /// The certificate authorities of the system cannot be used, for this reason.
    Authorities(String),
}

impl Client {
    /// Returns a builder. `pause` sleeps for the given time between two attempts, like
    /// `tokio::time::sleep`.
    pub fn builder<P>(pause: impl Fn(Duration) -> P + Send + Sync + 'static) -> ClientBuilder
    where
        P: Future<Output = ()> + Send + 'static,
    {
        ClientBuilder {
            base_url: PORTAL.to_owned(),
            key: None,
            timeout: Duration::from_secs(30),
            max_calls: 100,
            pause: Arc::new(move |time| Box::pin(pause(time))),
        }
    }

    /// Requests a page, once.
    pub(super) async fn page(&self, query: &Query, index: usize) -> Result<Answer, UpstreamFault> {
        tokio::time::timeout(self.timeout, self.request(query, index))
            .await
            .unwrap_or(Err(UpstreamFault::Timeout))
    }

    pub(super) async fn pause(&self, time: Duration) {
        (self.pause)(time).await;
    }

    async fn request(&self, query: &Query, index: usize) -> Result<Answer, UpstreamFault> {
        let mut url = format!("{}{}", self.base_url, query.page(index));
        if let Some(key) = &self.key {
            url = format!("{url}&KEY={}", key.expose());
        }
        let uri = Uri::try_from(url).map_err(|error| self.connection_fault(&error))?;
        let response = self.http.get(uri).await;
        let response = response.map_err(|error| self.connection_fault(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(UpstreamFault::Status(status));
        }
        let body = Limited::new(response.into_body(), MAX_ANSWER);
        let body = body.collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                UpstreamFault::TooLong
            } else {
                self.connection_fault(&*error)
            }
        })?;
        parse_answer(&query.endpoint, &body.to_bytes())
    }

    /// The error with its causes, without the key.
    fn connection_fault(&self, error: &(dyn Error + 'static)) -> UpstreamFault {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        UpstreamFault::Connection(match &self.key {
            Some(key) => text.replace(key.expose(), "(..)"),
            None => text,
        })
    }
}

impl ClientBuilder {
    /// Sets the key. Without one the portal gives five rows, and a run is complete only if there
    /// are no more.
    pub fn key(mut self, key: NeisKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets the base address, `https://open.neis.go.kr/hub/` by default. It takes `http` only for
    /// this machine: `127.0.0.1`, `[::1]` and `localhost`.
    pub fn base_url(mut self, url: &str) -> Self {
        self.base_url = url.to_owned();
        self
    }

    /// Sets the time for a request and its answer, 30 seconds by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Limits the requests of one run, with those that are repeated; 100 by default.
    pub fn max_calls(mut self, max: u32) -> Self {
        self.max_calls = max;
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    /// When the base address is not allowed, or the system has no certificate authorities.
    pub fn build(self) -> Result<Client, ClientError> {
        let (base_url, is_https) = base_url(&self.base_url).ok_or(ClientError::Url)?;
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls(is_https)?)
            .https_or_http()
            .enable_http1()
            .build();
        // A run sends few requests, so that no connection waits for the next one.
        let http = HttpClient::builder(TokioExecutor::new())
            .pool_max_idle_per_host(0)
            .build(connector);
        Ok(Client {
            http,
            base_url,
            key: self.key,
            timeout: self.timeout,
            max_calls: self.max_calls,
            pause: self.pause,
        })
    }
}

/// TLS with the certificate authorities of the system, which are read only if they are needed.
fn tls(is_https: bool) -> Result<ClientConfig, ClientError> {
    let authorities = |reason: String| ClientError::Authorities(reason);
    let mut roots = RootCertStore::empty();
    if is_https {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            return Err(authorities(format!("there are none {:?}", found.errors)));
        }
    }
    // An explicit provider: the process-wide default belongs to the host.
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| authorities(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The address with a slash at its end, and whether it is one over TLS.
fn base_url(text: &str) -> Option<(String, bool)> {
    let uri: Uri = text.parse().ok()?;
    let host = uri.host()?;
    let is_https = match uri.scheme_str()? {
        "https" => true,
        "http" if ["127.0.0.1", "[::1]", "localhost"].contains(&host) => false,
        _ => return None,
    };
    let is_plain = uri.query().is_none() && !text.contains(['@', '#']) && !host.is_empty();
    let url = format!("{}/", text.trim_end_matches('/'));
    is_plain.then_some((url, is_https))
}

/// Omits the key, and the function that sleeps.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").finish_non_exhaustive()
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url => f.write_str(
                "the base address must be an https URL without a query, or http on this machine",
            ),
            Self::Authorities(reason) => write!(
                f,
                "the certificate authorities of this machine cannot be used: {reason}"
            ),
        }
    }
}

impl Error for ClientError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if the key could travel unencrypted, or the address has a part that requests lose.
    #[test]
    fn only_an_address_over_tls_or_of_this_machine_is_a_base() {
        for (text, is_https) in [
            ("https://open.neis.go.kr/hub/", true),
            ("https://open.neis.go.kr/hub", true),
            ("http://127.0.0.1:8080/hub/", false),
            ("http://[::1]:8080", false),
            ("http://localhost", false),
        ] {
            let (url, found) = base_url(text).unwrap();
            assert_eq!((url.ends_with('/'), found), (true, is_https), "{url}");
            assert!(!url.ends_with("//"), "{url}");
        }
        for text in [
            "",
            "open.neis.go.kr",
            "http://open.neis.go.kr/hub/",
            "http://127.0.0.1.example/",
            "http://user@127.0.0.1/",
            "https://open.neis.go.kr/hub/?KEY=x",
            "ftp://127.0.0.1/",
            "/hub/",
        ] {
            assert_eq!(base_url(text), None, "{text}");
        }
    }
}
