//! A client with little overhead: it sends prepared requests, one at a time on each connection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Number of concurrent connections.
pub const CONNECTIONS: usize = 16;

/// A persistent connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

pub struct Response<'a> {
    pub status: u16,
    pub head: &'a str,
    pub body: &'a [u8],
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            buffer: vec![0; 1 << 20],
        }
    }

    /// Sends a request and reads the whole response.
    pub async fn ask(&mut self, request: &[u8]) -> Response<'_> {
        self.stream.write_all(request).await.unwrap();
        let (mut filled, mut body_at, mut end) = (0, 0, usize::MAX);
        while filled < end {
            if filled == self.buffer.len() {
                self.buffer.resize(2 * filled, 0);
            }
            let read = self.stream.read(&mut self.buffer[filled..]).await.unwrap();
            assert!(read > 0, "the server has closed the connection");
            filled += read;
            if body_at == 0
                && let Some(at) = self.buffer[..filled]
                    .windows(4)
                    .position(|bytes| bytes == b"\r\n\r\n")
            {
                body_at = at + 4;
                end = body_at + body_length(&self.buffer[..at]);
            }
        }
        let head = std::str::from_utf8(&self.buffer[..body_at]).unwrap();
        Response {
            status: head[9..12].parse().unwrap(),
            head,
            body: &self.buffer[body_at..end],
        }
    }
}

fn body_length(head: &[u8]) -> usize {
    let head = std::str::from_utf8(head).unwrap();
    if head.starts_with("HTTP/1.1 304") {
        return 0;
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .expect("every response has a length");
    length.parse().unwrap()
}

/// Sends requests for `length` and returns the number of responses. `next` creates a request from
/// its number, starting at `first`.
pub async fn load(
    address: SocketAddr,
    length: Duration,
    status: u16,
    first: u64,
    next: impl Fn(u64) -> Bytes + Send + Sync + 'static,
) -> u64 {
    let until = Instant::now() + length;
    let next = move |number| (Instant::now() < until).then(|| next(number));
    send_all(address, status, first, next).await
}

/// Sends the requests of `next` until it returns `None`. Returns the number of responses.
pub async fn send_all(
    address: SocketAddr,
    status: u16,
    first: u64,
    next: impl Fn(u64) -> Option<Bytes> + Send + Sync + 'static,
) -> u64 {
    let (next, number) = (Arc::new(next), Arc::new(AtomicU64::new(first)));
    let mut connections = tokio::task::JoinSet::new();
    for _ in 0..CONNECTIONS {
        let (next, number) = (Arc::clone(&next), Arc::clone(&number));
        connections.spawn(async move {
            let mut connection = Connection::open(address).await;
            let mut answered = 0;
            while let Some(request) = next(number.fetch_add(1, Ordering::Relaxed)) {
                let answer = connection.ask(&request).await;
                assert_eq!(
                    answer.status,
                    status,
                    "{}{}",
                    answer.head,
                    String::from_utf8_lossy(answer.body)
                );
                answered += 1;
            }
            answered
        });
    }
    connections.join_all().await.into_iter().sum()
}

/// A GET request with additional header lines, each with its line end.
pub fn get(target: &str, lines: &str) -> Bytes {
    format!("GET {target} HTTP/1.1\r\nhost: localhost\r\n{lines}\r\n").into()
}

/// A POST of a form to the token endpoint.
pub fn token_request(form: &str) -> Bytes {
    let length = form.len();
    let head = "POST /v1/oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded";
    format!("{head}\r\ncontent-length: {length}\r\n\r\n{form}").into()
}
