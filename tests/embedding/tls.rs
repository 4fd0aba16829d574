//! TLS of `serve`, with certificate files.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use lyceum::domain::Timestamp;
use lyceum::http::{Body, CertificateError, Certificates, Listener, RequestBody, serve};
use lyceum::testing::ManualClock;
use rcgen::{CertificateParams, date_time_ymd};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_rustls::rustls::ProtocolVersion;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::version::{TLS12, TLS13};

use crate::certificates::{Files, HOST};
use crate::exchange;
use crate::log_capture::capture_log;
use crate::metrics_capture::capture_metrics;

const REQUEST: &str = "GET /a HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n";

/// Serves the path of each request by TLS until the sender is dropped.
async fn serve_by_tls(
    certificates: Certificates,
) -> (
    SocketAddr,
    oneshot::Sender<()>,
    JoinHandle<std::io::Result<()>>,
) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let echo = tower::service_fn(async |request: Request<RequestBody>| {
        let path = request.uri().path().to_owned();
        Ok::<_, Infallible>(Response::new(Body::from(path)))
    });
    let (stop, stopped) = oneshot::channel();
    let listener = Listener::from(listener).with_tls(certificates);
    let served = tokio::spawn(serve(listener, echo, async {
        let _ = stopped.await;
    }));
    (address, stop, served)
}

/// Returns the server's certificate for a new connection.
async fn presented(files: &Files, address: SocketAddr) -> CertificateDer<'static> {
    let stream = TcpStream::connect(address).await.unwrap();
    let stream = files.connect(stream).await.unwrap();
    stream.get_ref().1.peer_certificates().unwrap()[0]
        .clone()
        .into_owned()
}

/// Fails if a version is missing, or a connection negotiates HTTP/2.
#[tokio::test]
async fn tls_1_2_and_1_3_are_served_with_http_1_1_alone() {
    let files = Files::new();
    let (address, _stop, _) = serve_by_tls(files.load()).await;
    for (version, expected) in [
        (&TLS12, ProtocolVersion::TLSv1_2),
        (&TLS13, ProtocolVersion::TLSv1_3),
    ] {
        for (offered, protocol) in [
            (&[][..], None),
            (&["h2", "http/1.1"], Some(&b"http/1.1"[..])),
        ] {
            let stream = TcpStream::connect(address).await.unwrap();
            let stream = files
                .connect_with(stream, &[version], offered)
                .await
                .unwrap();
            let session = stream.get_ref().1;
            assert_eq!(session.protocol_version(), Some(expected));
            assert_eq!(session.alpn_protocol(), protocol);
            let answer = exchange(stream, REQUEST).await;
            assert!(
                answer.starts_with("HTTP/1.1 200") && answer.ends_with("/a"),
                "{answer}"
            );
        }
        let stream = TcpStream::connect(address).await.unwrap();
        let refused = files.connect_with(stream, &[version], &["h2"]).await;
        assert!(refused.is_err(), "{expected:?} with HTTP/2 alone");
    }
}

/// Fails if requests are read from a connection that did not begin with a handshake.
#[tokio::test]
async fn plain_http_on_a_tls_port_is_closed_without_a_response() {
    let files = Files::new();
    let (address, _stop, _) = serve_by_tls(files.load()).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(REQUEST.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert!(
        answer.len() < 16 && !answer.starts_with(b"HTTP"),
        "{answer:?}"
    );
}

// Proves: threats 34
/// Fails if handshakes have no deadline, or are completed one after the other.
#[tokio::test]
async fn a_silent_handshake_is_closed_after_ten_seconds_and_delays_no_other() {
    let files = Files::new();
    let (address, _stop, _) = serve_by_tls(files.load()).await;
    let mut silent = Vec::new();
    for sent in [&b""[..], b"\x16", b"\x16\x03\x01\x02\x00\x01"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        silent.push(stream);
    }
    // Accepted after the silent ones.
    presented(&files, address).await;
    for stream in &silent {
        let read = stream.try_read(&mut [0]);
        assert_eq!(read.unwrap_err().kind(), ErrorKind::WouldBlock);
    }
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10)).await;
    tokio::time::resume();
    for mut stream in silent {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        assert_eq!(answer, b"");
    }
}

/// Fails if a stop waits for clients that never complete their handshake.
#[tokio::test]
async fn a_stop_does_not_wait_for_handshakes() {
    let files = Files::new();
    let (address, stop, served) = serve_by_tls(files.load()).await;
    let _silent = TcpStream::connect(address).await.unwrap();
    presented(&files, address).await;
    // From here on a wait advances the time.
    tokio::time::pause();
    let started = Instant::now();
    drop(stop);
    served.await.unwrap().unwrap();
    assert!(
        started.elapsed() < Duration::from_secs(9),
        "{:?}",
        started.elapsed()
    );
}

/// Fails if a reload affects open connections, or no new ones.
#[tokio::test]
async fn new_connections_get_the_reloaded_certificate_and_open_ones_go_on() {
    let files = Files::new();
    let certificates = files.load();
    let (address, _stop, _) = serve_by_tls(certificates.clone()).await;
    let first = presented(&files, address).await;
    let open = TcpStream::connect(address).await.unwrap();
    let open = files.connect(open).await.unwrap();

    let second = files.replace();
    assert_eq!(presented(&files, address).await, first);
    certificates.reload().unwrap();
    assert_eq!(presented(&files, address).await, second);
    let answer = exchange(open, REQUEST).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// A private key that must not be shown.
const MARKED: &str = "-----BEGIN PRIVATE KEY-----\nis secret!\n-----END PRIVATE KEY-----\n";

/// Fails if a server takes files that no client accepts, drops the ones that it has, or shows a
/// key.
#[tokio::test]
async fn files_that_do_not_fit_together_are_refused_and_the_former_stay_in_use() {
    let files = Files::new();
    let now = Timestamp::from_seconds(1_800_000_000);
    let certificates = Certificates::from_files_with_clock(
        files.chain(),
        files.key(),
        Arc::new(ManualClock::new(now)),
    )
    .unwrap();
    let (address, _stop, _) = serve_by_tls(certificates.clone()).await;
    let first = presented(&files, address).await;
    let (good, good_key) = files.issue(|_| {});
    let (expired, expired_key) = files.issue(|params| params.not_after = date_time_ymd(2026, 1, 2));
    let (early, early_key) = files.issue(|params| params.not_before = date_time_ymd(2030, 1, 2));
    let (good, good_key) = (good.pem(), good_key.serialize_pem());
    let encrypted = MARKED.replace("PRIVATE", "ENCRYPTED PRIVATE");
    let cases = [
        (
            &*good,
            &*expired_key.serialize_pem(),
            "is not that of the first certificate",
        ),
        (
            &expired.pem(),
            &expired_key.serialize_pem(),
            "expired at 2026-01-02T00:00:00Z",
        ),
        (
            &early.pem(),
            &early_key.serialize_pem(),
            "not valid before 2030-01-02T00:00:00Z",
        ),
        ("", &good_key, "chain.pem has no certificate"),
        (&good_key, &good_key, "chain.pem has no certificate"),
        ("-----BEGIN is secret!", &good_key, "chain.pem is not PEM"),
        (
            "-----BEGIN CERTIFICATE-----\naXMgc2VjcmV0IQ==\n-----END CERTIFICATE-----\n",
            &good_key,
            "chain.pem is not PEM, or what it has is malformed",
        ),
        (&good, "", "key.pem has no private key"),
        (&good, &good, "key.pem has no private key"),
        (
            &good,
            &encrypted,
            "key.pem has no private key, or an encrypted one",
        ),
        (&good, MARKED, "key.pem is not PEM"),
        (
            &good,
            "-----BEGIN PRIVATE KEY-----\naXMgc2VjcmV0IQ==\n-----END PRIVATE KEY-----\n",
            "key.pem is not PEM, or what it has is malformed",
        ),
    ];
    for (chain, key, expected) in cases {
        files.write_chain(chain);
        files.write_key(key);
        let error = certificates.reload().unwrap_err();
        let shown = error.to_string();
        assert!(
            shown.contains(expected)
                && shown.contains(files.chain().parent().unwrap().to_str().unwrap()),
            "{shown} instead of {expected}"
        );
        let everything = format!("{shown} {error:?} {certificates:?}");
        assert!(
            !everything.contains("secret")
                && !everything.contains("aXMg")
                && !everything.contains("BEGIN"),
            "{everything}"
        );
        assert!(
            Certificates::from_files_with_clock(
                files.chain(),
                files.key(),
                Arc::new(ManualClock::new(now))
            )
            .is_err()
        );
        assert_eq!(presented(&files, address).await, first, "{expected}");
    }
    std::fs::remove_file(files.key()).unwrap();
    let error = certificates.reload().unwrap_err().to_string();
    assert!(error.contains("key.pem cannot be read: "), "{error}");
}

/// Fails if a key that every user of the machine can read is used.
#[test]
fn a_key_that_other_users_can_access_is_refused() {
    let files = Files::new();
    for mode in [0o644, 0o604, 0o601, 0o602, 0o666] {
        files.set_key_mode(mode);
        let error = Certificates::from_files(files.chain(), files.key()).unwrap_err();
        assert!(
            matches!(&error, CertificateError::KeyOpenToOthers { mode: found, .. } if *found == mode)
                && error.to_string().contains(&format!("mode {mode:04o}")),
            "{error}"
        );
    }
    for mode in [0o400, 0o600, 0o640, 0o660] {
        files.set_key_mode(mode);
        Certificates::from_files(files.chain(), files.key()).unwrap();
    }
}

/// Fails if changed files are not noticed, or a pair of which one half is written is used.
#[tokio::test]
async fn a_watch_reloads_files_that_have_changed_and_tries_again_after_a_failure() {
    let files = Files::new();
    let certificates = files.load();
    let (address, _stop, _) = serve_by_tls(certificates.clone()).await;
    // The watch signals that it waits, and waits for the test.
    let (waiting, go_on) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let pause = {
        let (waiting, go_on) = (waiting.clone(), go_on.clone());
        move |interval| {
            assert_eq!(interval, Duration::from_secs(60));
            let (waiting, go_on) = (waiting.clone(), go_on.clone());
            async move {
                waiting.add_permits(1);
                go_on.acquire().await.unwrap().forget();
            }
        }
    };
    let watched = tokio::spawn(certificates.watch(Duration::from_secs(60), pause));
    waiting.acquire().await.unwrap().forget();
    let check = async || {
        go_on.add_permits(1);
        waiting.acquire().await.unwrap().forget();
    };
    let first = presented(&files, address).await;

    let (second, second_key) = files.issue(|_| {});
    files.write_chain(&second.pem());
    check().await;
    assert_eq!(presented(&files, address).await, first);
    files.write_key(&second_key.serialize_pem());
    check().await;
    assert_eq!(&presented(&files, address).await, second.der());

    // Nothing but the permissions changes.
    let third = files.replace();
    files.set_key_mode(0o644);
    check().await;
    check().await;
    assert_eq!(&presented(&files, address).await, second.der());
    files.set_key_mode(0o640);
    check().await;
    assert_eq!(presented(&files, address).await, third);
    assert!(!watched.is_finished());
}

/// Fails if a watch keeps its certificates alive.
#[tokio::test]
async fn a_watch_ends_with_its_certificates() {
    let certificates = Files::new().load();
    let watched = certificates.watch(Duration::ZERO, |_| async {});
    drop(certificates);
    watched.await;
}

/// Fails if a fact is that of another certificate of the chain, or of the former file.
#[test]
fn the_end_the_names_and_the_completeness_of_a_certificate_are_known() {
    let files = Files::new();
    let certificates = files.load();
    assert!(certificates.is_chain_complete());
    assert!(certificates.is_valid_for(HOST));

    let (leaf, key) = files.issue(|params| {
        let names = ["*.other.example".to_owned(), "192.0.2.7".to_owned()];
        *params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(2025, 3, 4);
        params.not_after = date_time_ymd(2040, 2, 3);
    });
    files.write_key(&key.serialize_pem());
    for (chain, is_complete) in [
        (leaf.pem() + &files.authority_pem(), true),
        (leaf.pem(), false),
        (leaf.pem() + &Files::new().authority_pem(), false),
    ] {
        files.write_chain(&chain);
        certificates.reload().unwrap();
        assert_eq!(certificates.is_chain_complete(), is_complete);
        assert_eq!(
            certificates.not_before().to_string(),
            "2025-03-04T00:00:00Z"
        );
        assert_eq!(certificates.not_after().to_string(), "2040-02-03T00:00:00Z");
        for (host, is_valid) in [
            ("www.other.example", true),
            ("192.0.2.7", true),
            ("other.example", false),
            (HOST, false),
            ("192.0.2.8", false),
            ("no host", false),
        ] {
            assert_eq!(certificates.is_valid_for(host), is_valid, "{host}");
        }
    }
}

/// Fails if the certificate of another host is used without a warning, or a renewed one with one.
#[test]
fn a_reload_warns_of_names_that_the_new_certificate_lacks() {
    let files = Files::new();
    let certificates = files.load();
    let (log, _guard) = capture_log();
    let wildcard = &["*.school.example", HOST, "192.0.2.7", "2001:db8::7"][..];
    for (names, lost) in [
        (&["www.school.example", HOST][..], ""),
        (wildcard, ""),
        (wildcard, ""),
        (
            &["www.school.example", HOST, "192.0.2.7"],
            "*.school.example, ",
        ),
        (
            &["other.example"],
            "www.school.example, school.example, 192.0.2.7",
        ),
    ] {
        let (leaf, key) = files.issue(|params| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            *params = CertificateParams::new(names).unwrap();
        });
        files.write_chain(&leaf.pem());
        files.write_key(&key.serialize_pem());
        let before = log.lines().len();
        certificates.reload().unwrap();
        let lines = log.lines().split_off(before);
        assert_eq!(lines.is_empty(), lost.is_empty(), "{names:?}: {lines:?}");
        for line in lines {
            let is_warning = line.contains("WARN") && line.contains("names of the former one");
            assert!(is_warning && line.contains(lost), "{line}");
        }
    }
}

/// Fails if the metrics have the end of another certificate than the one that clients get.
#[test]
fn the_metrics_have_the_end_of_the_certificate_in_use() {
    capture_metrics(async |metrics| {
        let files = Files::new();
        let end = |year| {
            let (leaf, key) = files.issue(|params| params.not_after = date_time_ymd(year, 2, 3));
            files.write_chain(&leaf.pem());
            files.write_key(&key.serialize_pem());
        };
        let shown = || {
            let value = metrics.value("lyceum_certificate_expiry_timestamp_seconds", &[]);
            Timestamp::from_seconds(value as i64).to_string()
        };
        end(2040);
        let certificates = files.load();
        assert_eq!(shown(), "2040-02-03T00:00:00Z");
        end(2041);
        certificates.reload().unwrap();
        assert_eq!(shown(), "2041-02-03T00:00:00Z");
        files.write_key("no key");
        assert!(certificates.reload().is_err());
        assert_eq!(shown(), "2041-02-03T00:00:00Z");
    });
}
