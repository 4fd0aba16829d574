use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use tokio_rustls::rustls::crypto::{CryptoProvider, aws_lc_rs};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};
use zeroize::Zeroizing;

use super::CertificateError;
use crate::domain::Timestamp;

/// The only protocol that connections may negotiate.
const PROTOCOL: &[u8] = b"http/1.1";

/// The two files of a certificate.
#[derive(Debug)]
pub(super) struct CertificateFiles {
    pub(super) chain: PathBuf,
    pub(super) key: PathBuf,
}

/// Changes whenever a file is written, replaced, or gets other permissions; `None` without a file.
type FileStamp = Option<Stamp>;

/// Device, inode, and the seconds and nanoseconds of the last change of either.
#[cfg(unix)]
type Stamp = (u64, u64, i64, i64);
#[cfg(not(unix))]
type Stamp = (u64, Option<std::time::SystemTime>);

/// A certificate in use, with what is known of it.
pub(super) struct LoadedCertificate {
    pub(super) config: Arc<ServerConfig>,
    /// The server's certificate.
    certificate: CertificateDer<'static>,
    pub(super) not_before: Timestamp,
    pub(super) not_after: Timestamp,
    pub(super) is_chain_complete: bool,
    pub(super) stamps: [FileStamp; 2],
}

impl CertificateFiles {
    /// Taken before the files are read, so that a later change is not missed.
    pub(super) fn stamps(&self) -> [FileStamp; 2] {
        [stamp(&self.chain), stamp(&self.key)]
    }

    /// Reads and checks the files.
    pub(super) fn load(&self, now: Timestamp) -> Result<LoadedCertificate, CertificateError> {
        let stamps = self.stamps();
        let chain = read_chain(&self.chain)?;
        let key = read_key(&self.key)?;
        // An explicit provider: the process-wide default belongs to the host.
        let provider = Arc::new(aws_lc_rs::default_provider());
        let certificate = chain[0].clone();
        let [not_before, not_after] = self.validity(&chain, &provider)?;
        let is_chain_complete = self.check_chain(&chain, &provider, now)?;
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key));
        let mut config = config.map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => CertificateError::KeyMismatch {
                chain: self.chain.clone(),
                key: self.key.clone(),
            },
            _ => malformed(&self.key),
        })?;
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(LoadedCertificate {
            config: Arc::new(config),
            certificate,
            not_before,
            not_after,
            is_chain_complete,
            stamps,
        })
    }

    /// Returns the beginning and the end of the server's certificate.
    fn validity(
        &self,
        chain: &[CertificateDer<'static>],
        provider: &CryptoProvider,
    ) -> Result<[Timestamp; 2], CertificateError> {
        certificate_validity(|at| verify_chain(chain, provider, at))
            .ok_or_else(|| malformed(&self.chain))
    }

    /// Fails if a certificate is outside of its validity. Returns whether the file has the whole
    /// chain; a server starts without it too.
    fn check_chain(
        &self,
        chain: &[CertificateDer<'static>],
        provider: &CryptoProvider,
        now: Timestamp,
    ) -> Result<bool, CertificateError> {
        let seconds = now.seconds().try_into().unwrap_or(0);
        let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        match verify_chain(chain, provider, now) {
            Err(rustls::Error::InvalidCertificate(rustls::CertificateError::ExpiredContext {
                not_after,
                ..
            })) => Err(CertificateError::Expired {
                file: self.chain.clone(),
                not_after: timestamp(not_after),
            }),
            Err(rustls::Error::InvalidCertificate(
                rustls::CertificateError::NotValidYetContext { not_before, .. },
            )) => Err(CertificateError::NotYetValid {
                file: self.chain.clone(),
                not_before: timestamp(not_before),
            }),
            verified => Ok(verified.is_ok()),
        }
    }
}

/// Returns the beginning and the end of a certificate, as its verifier reports them at the ends of
/// time: that needs no parser of our own.
pub(crate) fn certificate_validity<T>(
    verify: impl Fn(UnixTime) -> Result<T, rustls::Error>,
) -> Option<[Timestamp; 2]> {
    let refusal = |seconds| {
        let at = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        match verify(at) {
            Err(rustls::Error::InvalidCertificate(refusal)) => Some(refusal),
            _ => None,
        }
    };
    let not_before = match refusal(0) {
        Some(rustls::CertificateError::NotValidYetContext { not_before, .. }) => {
            timestamp(not_before)
        }
        // It began before the first second.
        _ => Timestamp::from_seconds(0),
    };
    match refusal(u64::MAX)? {
        rustls::CertificateError::ExpiredContext { not_after, .. } => {
            Some([not_before, timestamp(not_after)])
        }
        _ => None,
    }
}

impl LoadedCertificate {
    pub(super) fn is_valid_for(&self, host: &str) -> bool {
        let (Ok(certificate), Ok(name)) = (
            ParsedCertificate::try_from(&self.certificate),
            ServerName::try_from(host),
        ) else {
            return false;
        };
        verify_server_name(&certificate, &name).is_ok()
    }

    /// The names of a former certificate that this one is not valid for.
    pub(super) fn lost_names(&self, former: &Self) -> Vec<String> {
        let names = self.names();
        let mut lost = former.names();
        // A wildcard stands for any label.
        lost.retain(|name| !names.contains(name) && !self.is_valid_for(&name.replace('*', "any")));
        lost
    }

    /// The host names and IP addresses, as the verifier reports them for a name that no certificate
    /// has.
    fn names(&self) -> Vec<String> {
        let unknown = ServerName::try_from("name.invalid");
        let (Ok(certificate), Ok(unknown)) =
            (ParsedCertificate::try_from(&self.certificate), unknown)
        else {
            return Vec::new();
        };
        let Err(rustls::Error::InvalidCertificate(
            rustls::CertificateError::NotValidForNameContext { presented, .. },
        )) = verify_server_name(&certificate, &unknown)
        else {
            return Vec::new();
        };
        // `DnsName("school.example")` or `IpAddress(192.0.2.7)`.
        let name = |text: &String| {
            let (kind, name) = text.split_once('(')?;
            let name = name.trim_matches(['(', ')', '"']);
            ["DnsName", "IpAddress"]
                .contains(&kind)
                .then(|| name.to_owned())
        };
        presented.iter().filter_map(name).collect()
    }
}

/// Verifies the first certificate of a chain against the last one.
fn verify_chain(
    chain: &[CertificateDer<'static>],
    provider: &CryptoProvider,
    at: UnixTime,
) -> Result<(), rustls::Error> {
    let mut anchors = RootCertStore::empty();
    anchors.add_parsable_certificates(chain.last().cloned());
    verify_server_cert_signed_by_trust_anchor(
        &ParsedCertificate::try_from(&chain[0])?,
        &anchors,
        &chain[1..],
        at,
        provider.signature_verification_algorithms.all,
    )
}

fn read_chain(file: &Path) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
    let text = fs::read(file).map_err(|error| unreadable(file, error))?;
    let chain: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(&text).collect();
    // The errors of the parser show lines of the file.
    let chain = chain.map_err(|_| malformed(file))?;
    if chain.is_empty() {
        let file = file.to_owned();
        return Err(CertificateError::NoCertificate { file });
    }
    Ok(chain)
}

fn read_key(file: &Path) -> Result<PrivateKeyDer<'static>, CertificateError> {
    let mut text = Zeroizing::new(Vec::new());
    let mut opened = File::open(file).map_err(|error| unreadable(file, error))?;
    let metadata = opened.metadata().map_err(|error| unreadable(file, error))?;
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777;
        if mode & 0o007 != 0 {
            let file = file.to_owned();
            return Err(CertificateError::KeyOpenToOthers { file, mode });
        }
    }
    // Enough space at once, so that no copy of the key stays behind in memory.
    text.reserve_exact(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    opened
        .read_to_end(&mut text)
        .map_err(|error| unreadable(file, error))?;
    PrivateKeyDer::from_pem_slice(&text).map_err(|error| match error {
        pem::Error::NoItemsFound => CertificateError::NoKey {
            file: file.to_owned(),
        },
        _ => malformed(file),
    })
}

fn stamp(file: &Path) -> FileStamp {
    let metadata = fs::metadata(file).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((
            metadata.dev(),
            metadata.ino(),
            metadata.ctime(),
            metadata.ctime_nsec(),
        ))
    }
    #[cfg(not(unix))]
    Some((metadata.len(), metadata.modified().ok()))
}

fn timestamp(time: UnixTime) -> Timestamp {
    Timestamp::from_seconds(time.as_secs().try_into().unwrap_or(i64::MAX))
}

fn unreadable(file: &Path, error: io::Error) -> CertificateError {
    CertificateError::Unreadable {
        file: file.to_owned(),
        error,
    }
}

fn malformed(file: &Path) -> CertificateError {
    CertificateError::Malformed {
        file: file.to_owned(),
    }
}
