//! Certificate files of a server, and TLS clients that trust their authority.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use lyceum::http::Certificates;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ALL_VERSIONS, ClientConfig, RootCertStore, SupportedProtocolVersion};

/// The name of the server.
pub const HOST: &str = "school.example";

/// The two files of a server's certificate, in a folder that is removed at the end.
pub struct Files {
    folder: TempDir,
    authority: CertifiedIssuer<'static, KeyPair>,
}

impl Files {
    /// Creates files with a certificate for [`HOST`].
    pub fn new() -> Self {
        let mut authority = CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority
            .distinguished_name
            .push(DnType::CommonName, "Test authority");
        let key = KeyPair::generate().unwrap();
        let files = Self {
            folder: tempfile::tempdir().unwrap(),
            authority: CertifiedIssuer::self_signed(authority, key).unwrap(),
        };
        files.replace();
        files
    }

    pub fn chain(&self) -> PathBuf {
        self.folder.path().join("chain.pem")
    }

    pub fn key(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }

    pub fn authority_pem(&self) -> String {
        self.authority.pem()
    }

    pub fn load(&self) -> Certificates {
        Certificates::from_files(self.chain(), self.key()).unwrap()
    }

    /// Issues a certificate.
    pub fn issue(&self, change: impl FnOnce(&mut CertificateParams)) -> (Certificate, KeyPair) {
        let mut params = CertificateParams::new(vec![HOST.to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.authority).unwrap();
        (certificate, key)
    }

    /// Replaces the files by those of a new certificate.
    pub fn replace(&self) -> CertificateDer<'static> {
        let (certificate, key) = self.issue(|_| {});
        self.write_chain(&(certificate.pem() + &self.authority_pem()));
        self.write_key(&key.serialize_pem());
        certificate.der().clone()
    }

    pub fn write_chain(&self, text: &str) {
        fs::write(self.chain(), text).unwrap();
    }

    pub fn write_key(&self, text: &str) {
        fs::write(self.key(), text).unwrap();
        self.set_key_mode(0o600);
    }

    pub fn set_key_mode(&self, mode: u32) {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(self.key(), permissions).unwrap();
    }

    /// Connects by TLS 1.3 or 1.2.
    pub async fn connect<T>(&self, stream: T) -> io::Result<TlsStream<T>>
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        self.connect_with(stream, ALL_VERSIONS, &[]).await
    }

    /// Connects by these versions, and offers these protocols.
    pub async fn connect_with<T>(
        &self,
        stream: T,
        versions: &[&'static SupportedProtocolVersion],
        protocols: &[&str],
    ) -> io::Result<TlsStream<T>>
    where
        T: AsyncRead + AsyncWrite + Unpin,
    {
        let mut trusted = RootCertStore::empty();
        trusted.add(self.authority.der().clone()).unwrap();
        let provider = Arc::new(aws_lc_rs::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)
            .unwrap()
            .with_root_certificates(trusted)
            .with_no_client_auth();
        config.alpn_protocols = protocols
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        TlsConnector::from(Arc::new(config))
            .connect(ServerName::try_from(HOST).unwrap(), stream)
            .await
    }
}
