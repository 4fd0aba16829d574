use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio_rustls::rustls::ServerConfig;

use super::CertificateError;
use super::loaded_certificate::{CertificateFiles, LoadedCertificate};
use crate::domain::Timestamp;
use crate::http::{Clock, SystemClock};
use crate::metrics::Gauges;
use crate::metrics::definitions::CERTIFICATE_EXPIRY;

/// Certificate chain and private key of a [`Listener`](crate::http::Listener), from two PEM files
/// that can be replaced while the server runs. Clones share them.
///
/// TLS 1.3 and 1.2 are supported, with HTTP/1.1 as the only protocol (ALPN).
///
/// ```no_run
/// use std::time::Duration;
///
/// use lyceum::http::{Certificates, Listener};
///
/// # async fn run(api: lyceum::DataApi) -> Result<(), Box<dyn std::error::Error>> {
/// let certificates = Certificates::from_files("fullchain.pem", "privkey.pem")?;
/// tokio::spawn(certificates.watch(Duration::from_secs(60), tokio::time::sleep));
/// let listener = tokio::net::TcpListener::bind("0.0.0.0:443").await?;
/// let listener = Listener::from(listener).with_tls(certificates);
/// lyceum::http::serve(listener, api, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Certificates(Arc<Shared>);

struct Shared {
    files: CertificateFiles,
    clock: Arc<dyn Clock>,
    loaded: ArcSwap<LoadedCertificate>,
    expiry: Gauges<0>,
}

impl Certificates {
    /// Reads the files: the chain with the server's certificate first, and its unencrypted private
    /// key, which only its owner and group may access.
    ///
    /// # Errors
    /// When a file cannot be read or used, users outside of the group have access to the key, the
    /// key is another certificate's, or a certificate has expired or is not valid yet.
    pub fn from_files(
        chain: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Result<Self, CertificateError> {
        Self::from_files_with_clock(chain, key, Arc::new(SystemClock))
    }

    /// Reads the files as [`from_files`](Self::from_files) does, by the time of a clock.
    ///
    /// # Errors
    /// As [`from_files`](Self::from_files).
    pub fn from_files_with_clock(
        chain: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, CertificateError> {
        let files = CertificateFiles {
            chain: chain.into(),
            key: key.into(),
        };
        let loaded = files.load(clock.now())?;
        let certificates = Self(Arc::new(Shared {
            files,
            clock,
            loaded: ArcSwap::from_pointee(loaded),
            expiry: Gauges::new(CERTIFICATE_EXPIRY),
        }));
        certificates.record_expiry();
        Ok(certificates)
    }

    /// Reads the files again, for new connections. Open connections keep theirs. Names of the former
    /// certificate that the new one is not valid for are logged: it may be another host's.
    ///
    /// # Errors
    /// As [`from_files`](Self::from_files). The former certificates then stay in use.
    pub fn reload(&self) -> Result<(), CertificateError> {
        let loaded = self.0.files.load(self.0.clock.now())?;
        let former = self.0.loaded.swap(Arc::new(loaded));
        let lost = self.0.loaded.load().lost_names(&former);
        if !lost.is_empty() {
            tracing::warn!(
                chain = %self.0.files.chain.display(),
                names = lost.join(", "),
                "the new certificate is not valid for names of the former one"
            );
        }
        self.record_expiry();
        Ok(())
    }

    fn record_expiry(&self) {
        let not_after = self.not_after().seconds();
        self.0.expiry.set([], not_after as f64);
    }

    /// Reloads the files when they have changed, checked once in each `interval`. `pause` sleeps
    /// for the given time, like `tokio::time::sleep`. Spawn the future beside the server; it ends
    /// after the last clone of the certificates is dropped.
    ///
    /// Files that cannot be used are logged, and read again after the next interval: the chain and
    /// the key are rarely replaced at the same instant.
    pub fn watch<P: Future<Output = ()> + Send>(
        &self,
        interval: Duration,
        mut pause: impl FnMut(Duration) -> P + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let shared = Arc::downgrade(&self.0);
        async move {
            let mut reported = None;
            loop {
                pause(interval).await;
                let Some(certificates) = shared.upgrade().map(Self) else {
                    return;
                };
                let chain = certificates.0.files.chain.clone();
                let reload = move || certificates.reload_if_changed();
                match tokio::task::spawn_blocking(reload).await {
                    Ok(Ok(false)) | Err(_) => {}
                    Ok(Ok(true)) => {
                        reported = None;
                        tracing::info!(chain = %chain.display(), "the certificates were reloaded");
                    }
                    Ok(Err(error)) => {
                        let error = error.to_string();
                        if reported.as_ref() != Some(&error) {
                            tracing::warn!(%error, "the former certificates stay in use");
                            reported = Some(error);
                        }
                    }
                }
            }
        }
    }

    fn reload_if_changed(&self) -> Result<bool, CertificateError> {
        let has_changed = self.0.loaded.load().stamps != self.0.files.stamps();
        if has_changed {
            self.reload()?;
        }
        Ok(has_changed)
    }

    /// The time from which the server's certificate is valid.
    pub fn not_before(&self) -> Timestamp {
        self.0.loaded.load().not_before
    }

    /// The time until which the server's certificate is valid.
    pub fn not_after(&self) -> Timestamp {
        self.0.loaded.load().not_after
    }

    /// Whether the server's certificate is valid for a host name or an IP address.
    pub fn is_valid_for(&self, host: &str) -> bool {
        self.0.loaded.load().is_valid_for(host)
    }

    /// Whether the file has the certificates that signed the server's certificate. Without them,
    /// many clients do not trust it. A self-signed certificate is complete; one that a root signed
    /// directly needs that root in the file to be.
    pub fn is_chain_complete(&self) -> bool {
        self.0.loaded.load().is_chain_complete
    }

    pub(super) fn server_config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.0.loaded.load().config)
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.files.fmt(f)
    }
}
