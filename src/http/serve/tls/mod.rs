mod certificate_error;
mod certificates;
mod loaded_certificate;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_rustls::TlsAcceptor;

use super::listener::Stream;
pub use certificate_error::CertificateError;
pub use certificates::Certificates;
#[cfg(feature = "doctor")]
pub(crate) use loaded_certificate::certificate_validity;

/// Time for a handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of concurrent handshakes: half of the descriptors that a process usually has.
const MAX_HANDSHAKES: usize = 512;

/// Bounds the handshakes of a listener.
#[derive(Debug)]
pub(super) struct Handshakes {
    certificates: Certificates,
    permits: Arc<Semaphore>,
}

impl Handshakes {
    pub(super) fn new(certificates: Certificates) -> Self {
        Self::with_limit(certificates, MAX_HANDSHAKES)
    }

    fn with_limit(certificates: Certificates, limit: usize) -> Self {
        Self {
            certificates,
            permits: Arc::new(Semaphore::new(limit)),
        }
    }

    /// Waits until one more handshake may begin.
    pub(super) async fn begin(&self) -> Handshake {
        Handshake {
            certificates: self.certificates.clone(),
            _permit: Arc::clone(&self.permits).acquire_owned().await.ok(),
        }
    }
}

/// Permission for a handshake.
pub(super) struct Handshake {
    certificates: Certificates,
    /// The semaphore is never closed.
    _permit: Option<OwnedSemaphorePermit>,
}

impl Handshake {
    /// Completes the handshake with the certificates that are current now.
    pub(super) async fn complete(self, stream: Box<dyn Stream>) -> io::Result<Box<dyn Stream>> {
        let handshake = TlsAcceptor::from(self.certificates.server_config()).accept(stream);
        let stream = tokio::time::timeout(HANDSHAKE_TIMEOUT, handshake).await??;
        Ok(Box::new(stream))
    }
}
