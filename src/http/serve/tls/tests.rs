//! Handshakes with paused time, which advances to the next deadline when all tasks wait.

#[path = "../../../../tests/support/certificates.rs"]
#[allow(dead_code, unreachable_pub, reason = "these tests use a part of it")]
mod certificates;

use std::convert::Infallible;

use http::Response;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::super::{ServeOptions, serve_connection};
use super::*;
use crate::http::{Body, ClientAddress};
use certificates::Files;

/// Fails if the number of handshakes is not limited, or one that fails keeps its place.
#[tokio::test(start_paused = true)]
async fn a_handshake_waits_for_a_place_until_another_one_ends() {
    let handshakes = Handshakes::with_limit(Files::new().load(), 2);
    let started = Instant::now();
    let (first, _second) = (handshakes.begin().await, handshakes.begin().await);
    assert_eq!(started.elapsed().as_secs(), 0);
    let (_silent, theirs) = tokio::io::duplex(1024);
    let failing = tokio::spawn(first.complete(Box::new(theirs)));
    handshakes.begin().await;
    assert_eq!(started.elapsed().as_secs(), HANDSHAKE_TIMEOUT.as_secs());
    let error = failing.await.unwrap().err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

/// Fails if the deadline of writes does not cover what rustls has buffered.
#[tokio::test(start_paused = true)]
async fn a_short_response_that_a_client_does_not_read_is_abandoned() {
    const LENGTH: usize = 20_000;
    let files = Files::new();
    let handshakes = Handshakes::new(files.load());
    let (ours, theirs) = tokio::io::duplex(4096);
    let service = tower::service_fn(async |_| {
        Ok::<_, Infallible>(Response::new(Body::from(vec![b'x'; LENGTH])))
    });
    let served = tokio::spawn(async move {
        let stream = handshakes.begin().await.complete(Box::new(theirs)).await;
        let address = ClientAddress([127, 0, 0, 1].into());
        serve_connection(stream.unwrap(), service, address, ServeOptions::default()).await
    });
    let mut stream = files.connect(ours).await.unwrap();
    let request = "GET / HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let started = Instant::now();
    assert!(served.await.unwrap().is_err());
    assert_eq!(started.elapsed().as_secs(), 30);
    let mut taken = Vec::new();
    let _ = stream.read_to_end(&mut taken).await;
    assert!(taken.len() < LENGTH, "{}", taken.len());
}
