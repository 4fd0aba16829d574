//! Responses over a connection, with their lengths and ends.

use lyceum::http::serve;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::client::send_with;
use crate::formats::large;
use crate::school_fixtures::FULL_KEY;

const LIST: &str = "/v1/students?size=1000&includeGraduates=true";

/// Sends a request over a new connection, and returns the response's head in lower case and
/// its body.
async fn exchange(address: std::net::SocketAddr, request: String) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap();
    (
        String::from_utf8(bytes[..end].to_vec())
            .unwrap()
            .to_ascii_lowercase(),
        bytes.split_off(end + 4),
    )
}

#[tokio::test]
async fn a_long_list_arrives_whole_with_its_length() {
    let api = large().await;
    let expected = send_with(&api, "GET", LIST, &[("accept", "text/csv")])
        .await
        .body;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (_stop, stopped) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(serve(listener, api, async {
        let _ = stopped.await;
    }));
    let request = |method: &str, version: &str| {
        format!(
            "{method} {LIST} HTTP/{version}\r\nHost: a\r\nConnection: close\r\nX-API-KEY: {FULL_KEY}\r\nAccept: text/csv\r\n\r\n"
        )
    };

    let (head, body) = exchange(address, request("GET", "1.1")).await;
    let length = format!("content-length: {}", expected.len());
    assert!(
        head.contains(&length) && !head.contains("transfer-encoding"),
        "{head}"
    );
    assert_eq!(String::from_utf8(body).unwrap(), expected);
    let (head, body) = exchange(address, request("GET", "1.0")).await;
    assert!(
        head.contains(&length) && !head.contains("transfer-encoding"),
        "{head}"
    );
    assert_eq!(String::from_utf8(body).unwrap(), expected);
    let (head, body) = exchange(address, request("HEAD", "1.1")).await;
    assert!(head.contains(&length) && body.is_empty(), "{head}");
    let (head, body) = exchange(address, request("OPTIONS", "1.1")).await;
    assert!(
        head.starts_with("http/1.1 204")
            && !head.contains("content-length")
            && !head.contains("transfer-encoding"),
        "{head}"
    );
    assert!(body.is_empty());
    let known = request("GET", "1.1").replace("Accept:", "If-None-Match: *\r\nAccept:");
    let (head, body) = exchange(address, known).await;
    assert!(
        head.starts_with("http/1.1 304") && !head.contains("content-length") && body.is_empty(),
        "{head}"
    );
}
