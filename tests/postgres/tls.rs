use std::path::Path;

use lyceum::store::DirectoryStore;
use lyceum::store::sql::SqlStore;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::needs_postgres;
use crate::postgres_server::Cluster;

/// Returns a server that accepts only TLS, with a certificate for `localhost`, and the certificate
/// of its authority.
fn cluster_with_tls() -> (Cluster, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["localhost".to_owned()])
        .unwrap()
        .signed_by(&key, &authority)
        .unwrap();
    let rules = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
    let files = [
        ("server.crt", &*certificate.pem()),
        ("server.key", &*key.serialize_pem()),
        ("pg_hba.conf", rules),
    ];
    (
        Cluster::start_private(&["ssl = on"], &files),
        authority.pem(),
    )
}

async fn open(url: &str) -> Result<SqlStore, String> {
    SqlStore::postgres(url)
        .migrate(true)
        .open()
        .await
        .map_err(|error| error.to_string())
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    std::fs::write(folder.join(name), text).unwrap();
    folder.join(name).to_str().unwrap().replace('/', "%2F")
}

#[tokio::test]
async fn a_server_is_trusted_only_with_a_certificate_for_its_name_from_a_trusted_authority() {
    needs_postgres!();
    let (cluster, authority) = cluster_with_tls();
    let folder = tempfile::tempdir().unwrap();
    let trusted = write(folder.path(), "trusted.pem", &authority);
    let by_address = cluster.tcp_url(cluster.password());
    let by_name = by_address.replace("127.0.0.1", "localhost");

    for mode in ["require", "verify-ca", "verify-full", "prefer"] {
        let store = open(&format!("{by_name}?sslmode={mode}&sslrootcert={trusted}"))
            .await
            .unwrap();
        store.directory_version().await.unwrap();
    }
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'lyceum' AND NOT ssl";
    assert_eq!(cluster.texts(encrypted), ["0"]);

    for mode in ["require", "verify-ca", "verify-full", "prefer"] {
        let error = open(&format!(
            "{by_address}?sslmode={mode}&sslrootcert={trusted}"
        ))
        .await
        .unwrap_err();
        assert!(
            error.contains("certificate not valid for name"),
            "wrong name, {mode}: {error}"
        );
        let error = open(&format!("{by_name}?sslmode={mode}"))
            .await
            .unwrap_err();
        assert!(
            error.contains("UnknownIssuer"),
            "unknown authority, {mode}: {error}"
        );
        assert!(
            error.contains("sslrootcert") && error.contains("sslmode"),
            "the error names the settings, {mode}: {error}"
        );
        assert!(!error.contains(cluster.password()));
    }
    for disabled in ["?sslmode=disable", ""] {
        let error = open(&format!("{by_name}{disabled}")).await.unwrap_err();
        assert!(error.contains("no encryption"), "{error}");
    }
    let nothing = write(folder.path(), "nothing.pem", "");
    assert!(
        open(&format!("{by_name}?sslrootcert={nothing}"))
            .await
            .unwrap_err()
            .contains("no certificate")
    );
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_it_is_required() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let url = cluster.tcp_url(cluster.password());
    for mode in ["require", "verify-ca", "verify-full"] {
        let error = open(&format!("{url}?sslmode={mode}")).await.unwrap_err();
        assert!(
            error.contains("does not support TLS") && error.contains("sslmode"),
            "{error}"
        );
    }
    drop(open(&format!("{url}?sslmode=prefer")).await.unwrap());
}
