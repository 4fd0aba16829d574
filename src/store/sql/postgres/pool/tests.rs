use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::store::sql::postgres::tls::TrustRoots;

/// Accepts a client, responds to its first query, and counts later ones without responding.
async fn closes_after_one_response(mut client: TcpStream, pings: Arc<AtomicUsize>) {
    let mut bytes = [0; 4096];
    let _ = client.read(&mut bytes).await;
    // AuthenticationOk and ReadyForQuery; then CommandComplete and ReadyForQuery.
    let _ = client.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I").await;
    let _ = client.read(&mut bytes).await;
    let _ = client.write_all(b"C\0\0\0\x08SET\0Z\0\0\0\x05I").await;
    while let Ok(1..) = client.read(&mut bytes).await {
        // Does not count the Terminate message.
        pings.fetch_add(usize::from(bytes[0] == b'Q'), Ordering::SeqCst);
    }
}

#[tokio::test]
async fn of_many_dead_idle_connections_one_is_pinged_and_all_are_closed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://kim@{}/d", listener.local_addr().unwrap());
    let pings = Arc::new(AtomicUsize::new(0));
    tokio::spawn({
        let pings = Arc::clone(&pings);
        async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(closes_after_one_response(client, Arc::clone(&pings)));
            }
        }
    });
    let tls = Tls::new(&TrustRoots::None).unwrap();
    let timeout = Duration::from_secs(60);
    let settings = PoolSettings {
        connections: 10,
        timeout,
        read_deadline: timeout,
        compares_clock: true,
    };
    let pool = Pool::with_idle_check(
        Duration::ZERO,
        ConnectionUrl::parse(&url).unwrap(),
        tls,
        settings,
    )
    .unwrap();
    let mut connections = Vec::new();
    for _ in 0..10 {
        connections.push(pool.connection().await.unwrap());
    }
    drop(connections);
    assert_eq!(pool.connections.status().size, 10);
    drop(pool.connection().await.unwrap());
    assert_eq!(
        (pings.load(Ordering::SeqCst), pool.connections.status().size),
        (1, 1)
    );
}
