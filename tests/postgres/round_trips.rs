//! Round trips of a token request to the server, counted on the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lyceum::store::sql::SqlStore;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::postgres_server::Cluster;
use crate::token_issuance::TokenIssuance;
use crate::{TIMEOUT, needs_postgres};

/// Proxy that counts the round trips to the server: it forwards the client's messages, and nothing
/// more until the server has responded to all of them.
struct RoundTripProxy(Arc<AtomicUsize>);

impl RoundTripProxy {
    /// Listens, and returns the port.
    async fn new(server: u16) -> (Self, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, trips) = (
            listener.local_addr().unwrap().port(),
            Arc::new(AtomicUsize::new(0)),
        );
        let counted = Arc::clone(&trips);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                tokio::spawn(forward(client, server, Arc::clone(&counted)));
            }
        });
        (Self(trips), port)
    }

    /// Returns the number since the last call.
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

async fn forward(mut client: TcpStream, mut server: TcpStream, trips: Arc<AtomicUsize>) {
    if !forward_startup(&mut client, &mut server).await {
        return;
    }
    let (mut sent, mut told) = (Vec::new(), Vec::new());
    while let Ok(1..) = client.read_buf(&mut sent).await {
        let (whole, asked) = statements_sent(&sent);
        server
            .write_all(&sent.drain(..whole).collect::<Vec<_>>())
            .await
            .unwrap();
        if asked == 0 {
            continue;
        }
        trips.fetch_add(1, Ordering::SeqCst);
        while ready_responses(&told) < asked {
            if !matches!(server.read_buf(&mut told).await, Ok(1..)) {
                return;
            }
        }
        client.write_all(&std::mem::take(&mut told)).await.unwrap();
    }
}

/// Forwards both directions until the server is ready for statements, and returns whether it was.
async fn forward_startup(client: &mut TcpStream, server: &mut TcpStream) -> bool {
    let (mut from_client, mut from_server, mut handed_on) = ([0; 4096], Vec::new(), 0);
    while ready_responses(&from_server) == 0 {
        tokio::select! {
            read = client.read(&mut from_client) => match read {
                Ok(length @ 1..) => server.write_all(&from_client[..length]).await.unwrap(),
                _ => return false,
            },
            read = server.read_buf(&mut from_server) => {
                if !matches!(read, Ok(1..)) {
                    return false;
                }
                client.write_all(&from_server[handed_on..]).await.unwrap();
                handed_on = from_server.len();
            }
        }
    }
    true
}

/// Returns the length of the complete messages, and the number of those after which the server
/// reports that it is ready: `Sync` and `Query`.
fn statements_sent(sent: &[u8]) -> (usize, usize) {
    messages(sent, b"SQ")
}

/// Returns the number of times that the server reports that it is ready.
fn ready_responses(told: &[u8]) -> usize {
    messages(told, b"Z").1
}

fn messages(mut bytes: &[u8], counted: &[u8]) -> (usize, usize) {
    let (whole, mut count) = (bytes.len(), 0);
    while let [kind, length @ ..] = bytes
        && let Some((length, _)) = length.split_first_chunk()
    {
        let Some(rest) = bytes.get(1 + u32::from_be_bytes(*length) as usize..) else {
            break;
        };
        count += usize::from(counted.contains(kind));
        bytes = rest;
    }
    (whole - bytes.len(), count)
}

/// Fails if `BEGIN` or the end of a read is a separate round trip, `BEGIN` of a write is sent
/// alone, or there is one more read.
#[tokio::test]
async fn an_exchange_and_a_refresh_go_to_the_server_and_back_three_times() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let url = cluster.tcp_url(cluster.password());
    let port = url
        .rsplit_once(':')
        .unwrap()
        .1
        .split('/')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let (wire, proxy) = RoundTripProxy::new(port).await;
    let through = url.replace(&format!(":{port}/"), &format!(":{proxy}/"));
    Cluster::query_at(&url, "CREATE SCHEMA counted");
    let separator = if through.contains('?') { '&' } else { '?' };
    let address = format!("{through}{separator}options=-csearch_path%3Dcounted&sslmode=disable");
    let store = SqlStore::postgres(&address)
        .migrate(true)
        .compare_clock(false)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let issuance = TokenIssuance::with_store(&store).await;
    let auth = issuance.server(store.clone()).await;
    let mut token = String::new();
    // Until each used connection has prepared its statements.
    for code in 0..5 {
        token = issuance.exchange(&auth, code).await;
        token = issuance.refresh(&auth, &token).await;
        token = issuance.refresh(&auth, &token).await;
    }
    wire.take();
    issuance.refresh(&auth, &token).await;
    assert_eq!(
        wire.take(),
        3,
        "a refresh: one that reads, one that writes, one that commits"
    );
    issuance.exchange(&auth, 5).await;
    assert_eq!(
        wire.take(),
        3,
        "an exchange: one that reads, one that writes, one that commits"
    );
}
