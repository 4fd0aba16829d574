use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect};
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_rustls::{TlsConnector, client};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Certificate authorities that may vouch for the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TrustRoots {
    /// None, because TLS is not used.
    None,
    /// The authorities of the system.
    System,
    /// The authorities in this PEM file.
    File(PathBuf),
}

/// TLS for connections to the server. Certificate and host name are always verified.
///
/// Published adapters are not used: each adds a certificate parser for channel binding, which
/// protects against nothing that this verification does not.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    /// TLS that trusts these authorities.
    pub(super) fn new(authorities: &TrustRoots) -> Outcome<Self> {
        let mut trusted = RootCertStore::empty();
        match authorities {
            TrustRoots::None => {}
            TrustRoots::File(file) => {
                for certificate in CertificateDer::pem_file_iter(file)? {
                    trusted.add(certificate?)?;
                }
                if trusted.is_empty() {
                    return Err("there is no certificate in it".into());
                }
            }
            // If the system has none, the first TLS handshake fails.
            TrustRoots::System => drop(
                trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs),
            ),
        }
        // An explicit provider: the process-wide default belongs to the host.
        let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(trusted)
            .with_no_client_auth();
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Stream;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Handshake> {
        // Also called without TLS, as for a Unix socket, which has no name.
        Ok(Handshake {
            connector: self.0.clone(),
            host: ServerName::try_from(host.to_owned()).ok(),
        })
    }
}

/// A connection before its TLS handshake.
pub(super) struct Handshake {
    connector: TlsConnector,
    host: Option<ServerName<'static>>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let host = self.host.ok_or(io::Error::new(
                io::ErrorKind::InvalidData,
                "the host has no name that a certificate could have",
            ))?;
            self.connector.connect(host, socket).await.map(Stream)
        })
    }
}

/// A TLS connection.
pub(super) struct Stream(client::TlsStream<Socket>);

impl tokio_postgres::tls::TlsStream for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, out)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
