//! TLS from certificate files.

use std::process::Command;

use lyceum::domain::Timestamp;
use tokio::net::TcpStream;
use tokio_rustls::rustls::pki_types::CertificateDer;

use super::{exchange, init, output, printed, ready, serve};
use crate::certificates::{Files, HOST};
use crate::failures::assert_one_line;
use crate::server::{Server, failure};
use crate::support::Client;
use crate::test_database::TestDatabase;

const HEALTH: &str = "GET /v1/health HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n";

/// `serve` with the certificate files, at this public URL.
fn command(database: &TestDatabase, files: &Files, public_url: &str) -> Command {
    let mut command = database.school(&["serve", "--public-url", public_url]);
    command.arg("--tls-certificate").arg(files.chain());
    command.arg("--tls-key").arg(files.key());
    command
}

/// Returns the server's certificate for a new connection.
async fn presented(files: &Files, address: &str) -> CertificateDer<'static> {
    let stream = TcpStream::connect(address).await.unwrap();
    let stream = files.connect(stream).await.unwrap();
    let certificates = stream.get_ref().1.peer_certificates().unwrap();
    certificates[0].clone().into_owned()
}

/// The expiry that the metrics have.
async fn expiry(metrics: &str) -> Timestamp {
    let page = Client::new().get(metrics, &[]).await.body;
    let value = page
        .lines()
        .find_map(|line| line.strip_prefix("lyceum_certificate_expiry_timestamp_seconds "));
    let seconds: f64 = value.unwrap_or_else(|| panic!("{page}")).parse().unwrap();
    Timestamp::from_seconds(seconds as i64)
}

/// Fails if SIGHUP ends the server or reads no files, or if files that cannot be used replace the
/// former ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_certificate_files_are_used_after_a_hangup() {
    let database = TestDatabase::sqlite();
    init(&database);
    let files = Files::new();
    let mut command = command(&database, &files, "https://school.example:8443");
    command.args(["--metrics-listen", "127.0.0.1:0"]);
    let mut server = Server::start(command, &[]);
    let address = ready(&mut server);
    let metrics = printed(&mut server).replace("metrics: ", "");
    assert_eq!(expiry(&metrics).await, files.load().not_after());
    let stream = TcpStream::connect(&address).await.unwrap();
    let answer = exchange(files.connect(stream).await.unwrap(), HEALTH).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(
        answer.contains("\r\nstrict-transport-security: max-age=31536000\r\n"),
        "{answer}"
    );
    let plain = exchange(TcpStream::connect(&address).await.unwrap(), HEALTH).await;
    assert!(!plain.starts_with("HTTP/1.1"), "{plain}");

    let (certificate, key) =
        files.issue(|params| params.not_after = rcgen::date_time_ymd(2100, 1, 2));
    files.write_chain(&(certificate.pem() + &files.authority_pem()));
    files.write_key(&key.serialize_pem());
    server.signal("HUP");
    while &presented(&files, &address).await != certificate.der() {}
    assert_eq!(expiry(&metrics).await.to_string(), "2100-01-02T00:00:00Z");

    files.write_key("no key");
    server.signal("HUP");
    while !server.log().contains("the former certificates stay in use") {
        tokio::task::yield_now().await;
    }
    assert_eq!(&presented(&files, &address).await, certificate.der());
    server.stop();
}

/// Fails if the default action of the signal ends a server that has nothing to reload.
#[tokio::test]
async fn a_hangup_does_not_end_a_server_without_certificates() {
    let database = TestDatabase::sqlite();
    init(&database);
    let (server, origin) = serve(&database, &[]);
    server.signal("HUP");
    let answer = Client::new().get(&format!("{origin}/v1/health"), &[]).await;
    assert_eq!(answer.status, 200);
    // It would keep browsers from any other server on this machine.
    assert!(!answer.headers.contains_key("strict-transport-security"));
    server.stop();
}

/// Fails if browsers cannot open the public URL because of the certificate or of the scheme, or if
/// a proxy in front may not connect by another name.
#[test]
fn certificates_that_do_not_fit_the_public_url_are_one_clear_line() {
    let database = TestDatabase::sqlite();
    let files = Files::new();
    let check = |public_url: &str| {
        let mut command = command(&database, &files, public_url);
        command.arg("--check");
        command
    };
    output(check(&format!("https://{HOST}")));
    assert_one_line(
        failure(check("http://127.0.0.1")),
        "public-url takes an address that begins with https://",
    );
    let other = "https://other.example:8443";
    assert_one_line(
        failure(check(other)),
        "chain.pem is not valid for other.example, the host of public-url",
    );
    let mut behind_a_proxy = check(other);
    behind_a_proxy.args(["--trusted-proxies", "10.0.0.1"]);
    output(behind_a_proxy);
    files.set_key_mode(0o644);
    assert_one_line(
        failure(check("https://school.example")),
        "tls-certificate and tls-key: the private key",
    );
}
