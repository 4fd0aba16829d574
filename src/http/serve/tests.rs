//! In-memory connections with paused time, which advances to the next deadline when all tasks wait.

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::Instant;

use super::*;
use crate::http::Body;

const GET: &str = "GET /a HTTP/1.1\r\nhost: school\r\n\r\n";

/// Connects to a service that responds with the path, and returns the client's end.
fn connect(options: ServeOptions) -> DuplexStream {
    let echo = tower::service_fn(async |request: Request<RequestBody>| {
        let path = request.uri().path().to_owned();
        Ok::<_, Infallible>(Response::new(Body::from(path)))
    });
    serving(echo, options)
}

fn serving<S>(service: S, options: ServeOptions) -> DuplexStream
where
    S: Service<Request<RequestBody>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let address = ClientAddress([127, 0, 0, 1].into());
    tokio::spawn(serve_connection(theirs, service, address, options));
    ours
}

/// Sends a request and returns all responses until the connection is closed.
async fn exchange(request: &str) -> String {
    let mut stream = connect(ServeOptions::default());
    stream.write_all(request.as_bytes()).await.unwrap();
    rest(&mut stream).await
}

async fn rest(stream: &mut DuplexStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Sends a request over a persistent connection and returns its response.
async fn ask(stream: &mut DuplexStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let length = stream.read(&mut answer).await.unwrap();
    String::from_utf8(answer[..length].to_vec()).unwrap()
}

fn request(headers: &str) -> String {
    format!("GET /a HTTP/1.1\r\n{headers}connection: close\r\n\r\n")
}

/// The status and the `reason` of a rejection.
fn refused(answer: &str) -> (u16, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(
        head.contains("content-type: application/json") && head.contains("connection: close"),
        "{head}"
    );
    let body: serde_json::Value =
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
    assert!(
        head.contains(&format!(
            "x-request-id: {}",
            body["requestId"].as_str().unwrap()
        )),
        "{head}"
    );
    let status = head[9..12].parse().unwrap();
    assert_eq!(body["code"], status);
    (status, body["reason"].as_str().unwrap().to_owned())
}

/// Fails if a request passes that a proxy in front may attribute to another host.
#[tokio::test(start_paused = true)]
async fn a_request_has_exactly_one_host() {
    let wrong = [
        "",
        "host: a\r\nhost: a\r\n",
        "host: a\r\nHost: b\r\n",
        "host: a b\r\n",
        "host: a/b\r\n",
        "host: u@a\r\n",
        "host: a, b\r\n",
    ];
    for headers in wrong {
        assert_eq!(
            refused(&exchange(&request(headers)).await),
            (400, "host_invalid".to_owned()),
            "{headers:?}"
        );
    }
    for headers in [
        "host: a\r\n",
        "host: a:80\r\n",
        "HOST: [::1]:8080\r\n",
        "host:\r\n",
    ] {
        let answer = exchange(&request(headers)).await;
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.ends_with("/a"),
            "{headers:?}: {answer}"
        );
    }
    assert!(
        exchange("GET /a HTTP/1.0\r\n\r\n")
            .await
            .starts_with("HTTP/1.0 200")
    );
    assert_eq!(
        refused(&exchange("GET /a HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n").await).0,
        400
    );
}

#[tokio::test(start_paused = true)]
async fn a_target_or_headers_that_are_too_long_get_their_status() {
    let of = |path: usize| {
        format!(
            "GET /{} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
            "a".repeat(path - 1)
        )
    };
    assert!(exchange(&of(16_384)).await.starts_with("HTTP/1.1 200"));
    assert_eq!(
        refused(&exchange(&of(16_385)).await),
        (414, "uri_too_long".to_owned())
    );
    assert_eq!(
        refused(&exchange(&of(65_000)).await),
        (414, "uri_too_long".to_owned())
    );

    let many = |number: usize| request(&format!("host: a\r\n{}", "x: y\r\n".repeat(number)));
    assert!(exchange(&many(78)).await.starts_with("HTTP/1.1 200"));
    assert_eq!(
        refused(&exchange(&many(79)).await),
        (431, "headers_too_large".to_owned())
    );
    assert_eq!(
        refused(&exchange(&many(98)).await),
        (431, "headers_too_large".to_owned())
    );
    let long = |length: usize| request(&format!("host: a\r\nx: {}\r\n", "y".repeat(length)));
    assert!(exchange(&long(60_000)).await.starts_with("HTTP/1.1 200"));
    assert_eq!(
        refused(&exchange(&long(66_000)).await),
        (431, "headers_too_large".to_owned())
    );
    assert_eq!(
        refused(&exchange(&long(300_000)).await),
        (431, "headers_too_large".to_owned())
    );
}

async fn seconds_until_closed(stream: &mut DuplexStream) -> u64 {
    let started = Instant::now();
    assert_eq!(rest(stream).await, "");
    started.elapsed().as_secs()
}

/// Fails if idle connections have the timeout of a head, as in hyper.
#[tokio::test(start_paused = true)]
async fn a_connection_stays_for_75_seconds_after_an_answer_or_as_long_as_the_host_says() {
    for (options, seconds) in [
        (ServeOptions::default(), 75),
        (
            ServeOptions::default().idle_timeout(Duration::from_secs(5)),
            5,
        ),
    ] {
        let mut stream = connect(options);
        for _ in 0..3 {
            assert!(ask(&mut stream, GET).await.ends_with("/a"));
            tokio::time::sleep(Duration::from_secs(seconds - 1)).await;
        }
        assert!(ask(&mut stream, GET).await.ends_with("/a"));
        assert_eq!(seconds_until_closed(&mut stream).await, seconds);
    }
}

/// Fails if a head has the timeout of an idle connection.
#[tokio::test(start_paused = true)]
async fn a_head_has_ten_seconds_the_first_one_and_the_next() {
    for sent in ["", "G", "GET /a HTTP/1.1\r\nhost: sch"] {
        let mut stream = connect(ServeOptions::default());
        stream.write_all(sent.as_bytes()).await.unwrap();
        assert_eq!(seconds_until_closed(&mut stream).await, 10, "{sent:?}");
    }
    let mut stream = connect(ServeOptions::default());
    assert!(ask(&mut stream, GET).await.ends_with("/a"));
    tokio::time::sleep(Duration::from_secs(70)).await;
    let started = Instant::now();
    for letter in ["G", "E", "T"] {
        stream.write_all(letter.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
    assert_eq!(rest(&mut stream).await, "");
    assert_eq!(started.elapsed().as_secs(), 10);
}

/// Fails if the time that the service needs counts as the client's.
#[tokio::test(start_paused = true)]
async fn a_client_that_waits_for_a_slow_answer_keeps_its_connection() {
    let slow = tower::service_fn(async |_| {
        tokio::time::sleep(Duration::from_secs(300)).await;
        Ok::<_, Infallible>(Response::new(Body::from("at last")))
    });
    let mut stream = serving(slow, ServeOptions::default());
    for _ in 0..2 {
        assert!(ask(&mut stream, GET).await.ends_with("at last"));
    }
    assert_eq!(seconds_until_closed(&mut stream).await, 75);
}

#[tokio::test(start_paused = true)]
async fn requests_that_come_together_are_answered_in_turn() {
    let mut stream = connect(ServeOptions::default());
    stream.write_all(GET.repeat(3).as_bytes()).await.unwrap();
    let answers = rest(&mut stream).await;
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 3, "{answers}");
}

/// Fails if a long response is cut off because its end was buffered earlier.
#[tokio::test(start_paused = true)]
async fn a_client_that_takes_its_answer_slowly_gets_all_of_it() {
    const LENGTH: usize = 300_000;
    let long = tower::service_fn(async |_| {
        Ok::<_, Infallible>(Response::new(Body::from(vec![b'x'; LENGTH])))
    });
    let (mut stream, theirs) = tokio::io::duplex(1024);
    tokio::spawn(serve_connection(
        theirs,
        long,
        ClientAddress([127, 0, 0, 1].into()),
        ServeOptions::default(),
    ));
    stream.write_all(GET.as_bytes()).await.unwrap();
    let (mut taken, mut part) = (0, [0; 4096]);
    while taken < LENGTH {
        tokio::time::sleep(Duration::from_secs(20)).await;
        let length = stream.read(&mut part).await.unwrap();
        assert_ne!(length, 0, "cut off after {taken} bytes");
        taken += length;
    }
}
