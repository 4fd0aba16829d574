//! How often a request for tokens goes to the server and back, counted on the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lyceum::store::sql::SqlStore;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::issuing::Issuing;
use crate::postgres_server::Cluster;
use crate::{PATIENCE, needs_postgres};

/// Stands between the store and its server and counts the ways there and back: it hands on what the client has sent, and nothing more until all of
/// that is answered.
struct Wire(Arc<AtomicUsize>);

impl Wire {
    /// Listens, and gives the port.
    async fn before(server: u16) -> (Self, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, trips) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&trips);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                tokio::spawn(hand_on(client, server, Arc::clone(&counted)));
            }
        });
        (Self(trips), port)
    }

    /// How many since the last look.
    fn taken(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

async fn hand_on(mut client: TcpStream, mut server: TcpStream, trips: Arc<AtomicUsize>) {
    if !greet(&mut client, &mut server).await {
        return;
    }
    let (mut sent, mut told) = (Vec::new(), Vec::new());
    while let Ok(1..) = client.read_buf(&mut sent).await {
        let (whole, asked) = questions(&sent);
        server.write_all(&sent.drain(..whole).collect::<Vec<_>>()).await.unwrap();
        if asked == 0 {
            continue;
        }
        trips.fetch_add(1, Ordering::SeqCst);
        while answers(&told) < asked {
            if !matches!(server.read_buf(&mut told).await, Ok(1..)) {
                return;
            }
        }
        client.write_all(&std::mem::take(&mut told)).await.unwrap();
    }
}

/// Hands on what both say until the server is ready for statements, and says whether it ever was.
async fn greet(client: &mut TcpStream, server: &mut TcpStream) -> bool {
    let (mut from_client, mut from_server, mut handed_on) = ([0; 4096], Vec::new(), 0);
    while answers(&from_server) == 0 {
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

/// How long the whole messages are, and how many of them the server answers by being ready again: `Sync` and `Query`.
fn questions(sent: &[u8]) -> (usize, usize) {
    messages(sent, b"SQ")
}

/// How many times the server says that it is ready.
fn answers(told: &[u8]) -> usize {
    messages(told, b"Z").1
}

fn messages(mut bytes: &[u8], counted: &[u8]) -> (usize, usize) {
    let (whole, mut count) = (bytes.len(), 0);
    while let [kind, length @ ..] = bytes
        && let Some((length, _)) = length.split_first_chunk()
    {
        let Some(rest) = bytes.get(1 + u32::from_be_bytes(*length) as usize..) else { break };
        count += usize::from(counted.contains(kind));
        bytes = rest;
    }
    (whole - bytes.len(), count)
}

/// Fails if a read is begun or ended by itself, the beginning of a write goes alone, or somebody reads once more.
#[tokio::test]
async fn an_exchange_and_a_refresh_go_to_the_server_and_back_three_times() {
    needs_postgres!();
    let cluster = Cluster::private(&[], &[]);
    let url = cluster.tcp_url(cluster.password());
    let port = url.rsplit_once(':').unwrap().1.split('/').next().unwrap().parse().unwrap();
    let (wire, proxy) = Wire::before(port).await;
    let through = url.replace(&format!(":{port}/"), &format!(":{proxy}/"));
    Cluster::texts_at(&url, "CREATE SCHEMA counted");
    let separator = if through.contains('?') { '&' } else { '?' };
    let address = format!("{through}{separator}options=-csearch_path%3Dcounted&sslmode=disable");
    let store = SqlStore::postgres(&address).migrate(true).compare_clock(false).patience(PATIENCE).open().await.unwrap();
    let issuing = Issuing::over(&store).await;
    let auth = issuing.server(store.clone()).await;
    let mut token = issuing.exchange(&auth, 0).await;
    // Until each connection that is used has prepared its statements.
    for _ in 0..8 {
        token = issuing.refresh(&auth, &token).await;
    }
    wire.taken();
    issuing.refresh(&auth, &token).await;
    assert_eq!(wire.taken(), 3, "a refresh: one that reads, one that writes, one that commits");
    issuing.exchange(&auth, 1).await;
    assert_eq!(wire.taken(), 3, "an exchange: one that reads, one that writes, one that commits");
}
