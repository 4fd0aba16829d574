use std::error::Error;
use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Uri, header};
use http_body_util::{BodyExt, Limited};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, CertificateError, ClientConfig, RootCertStore};

use crate::domain::Timestamp;
use crate::http::{Body, certificate_validity};

/// Time for a request and its response.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum length of a response.
const MAX_BODY: usize = 64 * 1024;

/// Sends single requests to a school, over HTTP/1.1 with the certificate authorities of the system.
/// It follows no redirects.
#[derive(Clone)]
pub struct Probe {
    /// Or the reason why there is none.
    tls: Result<Tls, String>,
}

#[derive(Clone)]
struct Tls {
    connector: TlsConnector,
    verifier: Arc<WebPkiServerVerifier>,
}

/// Response to a request of a [`Probe`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header `Date`, if it is valid, and the `Age` in a cache since.
    pub date: Option<Timestamp>,
    /// The id under which a service of this library logged the request.
    pub request_id: Option<String>,
    /// The beginning and the end of the server's certificate, over TLS.
    pub certificate_validity: Option<[Timestamp; 2]>,
    /// This machine's address on the connection.
    pub local_address: IpAddr,
    /// The address of the server, or of the proxy in front, on the connection.
    pub peer_address: IpAddr,
    pub(super) body: Vec<u8>,
}

/// Error of a request of a [`Probe`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ProbeError {
    /// The URL is none of a server over HTTP.
    Url,
    /// The certificate authorities of the system cannot be used, for this reason.
    Authorities(String),
    /// There was no connection, or it failed.
    Io(io::Error),
    /// The certificate is not trusted, for this reason.
    Certificate(String),
    /// The response is not HTTP, or too long.
    Response(Box<dyn Error + Send + Sync>),
    /// The response took more than ten seconds.
    Timeout,
}

impl Probe {
    /// Reads the certificate authorities of the system, or those of the environment variables
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR`. If there are none, requests to `https` URLs fail.
    pub fn from_system() -> Self {
        Self {
            tls: Tls::from_system().map_err(|error| error.to_string()),
        }
    }

    /// Sends a `GET` request with these headers to an `http` or `https` URL.
    ///
    /// # Errors
    /// When there is no response within ten seconds, or it is longer than 64 KiB.
    pub async fn get(&self, url: &str, headers: &[(&str, &str)]) -> Result<Answer, ProbeError> {
        tokio::time::timeout(TIMEOUT, self.request(url, headers))
            .await
            .unwrap_or(Err(ProbeError::Timeout))
    }

    async fn request(&self, url: &str, headers: &[(&str, &str)]) -> Result<Answer, ProbeError> {
        let uri: Uri = url.parse().map_err(|_| ProbeError::Url)?;
        let (Some(authority), Some(scheme)) = (uri.authority(), uri.scheme_str()) else {
            return Err(ProbeError::Url);
        };
        let default_port = match scheme {
            "https" => 443,
            "http" => 80,
            _ => return Err(ProbeError::Url),
        };
        let host = authority.host().trim_matches(['[', ']']);
        let port = authority.port_u16().unwrap_or(default_port);
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let mut request = Request::get(path).header(header::HOST, authority.as_str());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).map_err(|_| ProbeError::Url)?;
        let stream = TcpStream::connect((host, port))
            .await
            .map_err(ProbeError::Io)?;
        let addresses = [stream.local_addr(), stream.peer_addr()];
        let [local, peer] = addresses.map(|address| address.map_err(ProbeError::Io));
        let addresses = [local?.ip(), peer?.ip()];
        if scheme == "http" {
            return exchange(stream, request, addresses, None).await;
        }
        let name = ServerName::try_from(host.to_owned()).map_err(|_| ProbeError::Url)?;
        let tls = self.tls.as_ref();
        let tls = tls.map_err(|reason| ProbeError::Authorities(reason.clone()))?;
        let stream = tls
            .connector
            .connect(name.clone(), stream)
            .await
            .map_err(handshake_error)?;
        let validity = tls.certificate_validity(&stream, &name);
        exchange(stream, request, addresses, validity).await
    }
}

impl Tls {
    fn from_system() -> Result<Self, Box<dyn Error>> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        // An explicit provider: the process-wide default belongs to the host.
        let provider = Arc::new(aws_lc_rs::default_provider());
        let verifier =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
                .build()?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_webpki_verifier(Arc::clone(&verifier))
            .with_no_client_auth();
        Ok(Self {
            connector: TlsConnector::from(Arc::new(config)),
            verifier,
        })
    }

    fn certificate_validity(
        &self,
        stream: &TlsStream<TcpStream>,
        name: &ServerName<'_>,
    ) -> Option<[Timestamp; 2]> {
        let (certificate, chain) = stream.get_ref().1.peer_certificates()?.split_first()?;
        let verifier = &self.verifier;
        certificate_validity(|at| verifier.verify_server_cert(certificate, chain, name, &[], at))
    }
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").finish_non_exhaustive()
    }
}

impl Answer {
    /// Whether the server, or the proxy in front, is on this machine, as far as the addresses of the
    /// connection tell.
    pub fn is_of_this_machine(&self) -> bool {
        self.local_address == self.peer_address || self.peer_address.is_loopback()
    }

    /// A text field of the body, if that is a JSON object.
    pub fn json_text(&self, field: &str) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get(field)?.as_str()?.to_owned())
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url => f.write_str("it is no URL of a server"),
            Self::Authorities(reason) => {
                write!(
                    f,
                    "the certificate authorities of this machine cannot be used: {reason}"
                )
            }
            Self::Io(error) => write!(f, "no connection: {error}"),
            Self::Certificate(reason) => write!(f, "its certificate is not trusted: {reason}"),
            Self::Response(error) => write!(f, "no valid response: {error}"),
            Self::Timeout => f.write_str("no response in ten seconds"),
        }
    }
}

impl Error for ProbeError {}

async fn exchange<S>(
    stream: S,
    request: Request<Body>,
    [local_address, peer_address]: [IpAddr; 2],
    certificate_validity: Option<[Timestamp; 2]>,
) -> Result<Answer, ProbeError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let broken = |error: hyper::Error| ProbeError::Response(error.into());
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(broken)?;
    let connection = tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(broken)?;
    let (head, body) = response.into_parts();
    let body = Limited::new(body, MAX_BODY).collect().await;
    connection.abort();
    let text = |name: &str| head.headers.get(name)?.to_str().ok();
    Ok(Answer {
        status: head.status.as_u16(),
        date: text("date").and_then(http_date).map(|date| {
            // A cache keeps the date, and says how old the response is (RFC 9111 §5.1).
            let age = text("age").and_then(|age| age.parse().ok());
            date.plus(Duration::from_secs(age.unwrap_or_default()))
        }),
        request_id: text("x-request-id").map(str::to_owned),
        certificate_validity,
        local_address,
        peer_address,
        body: body.map_err(ProbeError::Response)?.to_bytes().into(),
    })
}

/// Parses a date in the only form that servers may send (RFC 9110 §5.6.7).
fn http_date(text: &str) -> Option<Timestamp> {
    let date = jiff::fmt::strtime::parse("%a, %d %b %Y %H:%M:%S GMT", text).ok()?;
    let date = date.to_datetime().ok()?;
    let at = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    Some(Timestamp::from_seconds(at.as_second()))
}

fn handshake_error(error: io::Error) -> ProbeError {
    match error.get_ref().and_then(|cause| cause.downcast_ref()) {
        Some(rustls::Error::InvalidCertificate(CertificateError::Other(reason))) => {
            ProbeError::Certificate(reason.to_string())
        }
        Some(rustls::Error::InvalidCertificate(reason)) => {
            ProbeError::Certificate(reason.to_string())
        }
        _ => ProbeError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a wrong clock of a peer is read as no date.
    #[test]
    fn the_date_of_a_response_is_read() {
        let at = http_date("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(at, Some(Timestamp::from_seconds(784_111_777)));
        for text in ["", "Sun, 06 Nov 1994 08:49:37 CET", "784111777"] {
            assert_eq!(http_date(text), None, "{text}");
        }
    }

    /// Fails if a host of an unusual form is asked at another address.
    #[tokio::test]
    async fn only_urls_of_servers_are_asked() {
        let probe = Probe::from_system();
        for url in [
            "",
            "school.example",
            "ftp://school.example",
            "/path",
            "https://",
        ] {
            let outcome = probe.get(url, &[]).await;
            assert!(
                matches!(outcome, Err(ProbeError::Url)),
                "{url}: {outcome:?}"
            );
        }
    }
}
