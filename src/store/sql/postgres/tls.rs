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

/// Who may vouch for the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trusted {
    /// Nobody, for no TLS is spoken.
    Nobody,
    /// The authorities that the system trusts.
    System,
    /// The authorities in this file, in PEM.
    File(PathBuf),
}

/// TLS for connections to the server: its certificate and host name are always verified. The adapters that others publish bring a
/// parser of certificates each, for a channel binding that adds nothing to that.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    /// TLS that trusts these authorities.
    pub(super) fn new(authorities: &Trusted) -> Outcome<Self> {
        let mut trusted = RootCertStore::empty();
        match authorities {
            Trusted::Nobody => {}
            Trusted::File(file) => {
                for certificate in CertificateDer::pem_file_iter(file)? {
                    trusted.add(certificate?)?;
                }
                if trusted.is_empty() {
                    return Err("there is no certificate in it".into());
                }
            }
            // A system without any is found out by the first server that speaks TLS.
            Trusted::System => drop(trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
        }
        // A provider of its own: what a process has installed for everybody is the host's business.
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
        // It is asked for also where no TLS will be spoken, as on a Unix socket, which has no name.
        Ok(Handshake { connector: self.0.clone(), host: ServerName::try_from(host.to_owned()).ok() })
    }
}

/// A connection before TLS is spoken on it.
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
            let host = self.host.ok_or(io::Error::new(io::ErrorKind::InvalidData, "the host has no name that a certificate could have"))?;
            self.connector.connect(host, socket).await.map(Stream)
        })
    }
}

/// A connection on which TLS is spoken.
pub(super) struct Stream(client::TlsStream<Socket>);

impl tokio_postgres::tls::TlsStream for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, out)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
