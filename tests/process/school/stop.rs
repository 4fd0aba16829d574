//! The order of a stop.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{ADMIN, PASSWORD, browser, init, serve, use_link};
use crate::server::Server;
use crate::support::{Client, encode};
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    a_request_in_flight_at_the_stop_is_completed_and_recorded,
    a_server_that_drains_is_not_ready_and_answers,
);

/// A sign-in whose body the server waits for.
struct SignIn {
    stream: TcpStream,
    body: String,
}

impl SignIn {
    /// Sends the head, until the server asks for the body.
    async fn begin(origin: &str, password: &str) -> Self {
        let mut browser = browser(origin);
        let page = browser.open("/console/sign-in").await;
        let field = page.body.split("name=\"form_token\" value=\"").nth(1);
        let token = field.unwrap().split('"').next().unwrap();
        let body = encode(&[
            ("form_token", token),
            ("email", ADMIN),
            ("password", password),
            ("next", "/"),
        ]);
        let head = format!(
            "POST /console/sign-in HTTP/1.1\r\nhost: school\r\ncookie: {}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
             content-length: {}\r\nexpect: 100-continue\r\n\r\n",
            browser.cookie,
            body.len()
        );
        let mut stream = TcpStream::connect(origin.trim_start_matches("http://"))
            .await
            .unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut asked = [0; 25];
        stream.read_exact(&mut asked).await.unwrap();
        assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
        Self { stream, body }
    }

    /// Sends the body, and returns the response.
    async fn finish(mut self) -> String {
        self.stream.write_all(self.body.as_bytes()).await.unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

/// Waits until no connection is accepted any more.
async fn closed(origin: &str) {
    let address = origin.trim_start_matches("http://");
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

/// A school's server whose administrator has a password.
async fn with_password(database: &TestDatabase, arguments: &[&str]) -> (Server, String) {
    let link = init(database);
    let (server, origin) = serve(database, arguments);
    use_link(&origin, &link).await;
    (server, origin)
}

/// Fails if a stop cuts requests off, or loses what they wrote or recorded.
async fn a_request_in_flight_at_the_stop_is_completed_and_recorded(database: TestDatabase) {
    let (mut server, origin) = with_password(&database, &[]).await;
    let sign_in = SignIn::begin(&origin, PASSWORD).await;
    server.signal("TERM");
    closed(&origin).await;
    assert!(server.is_running());
    let answer = sign_in.finish().await;
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    assert!(server.wait().success(), "{}", server.log());
    for rows in ["audit_records WHERE kind = 'signed_in'", "user_sessions"] {
        let count = database.count(&format!("SELECT count(*) FROM {rows}"));
        assert_eq!(count, 1, "{rows}");
    }
}

// Proves: spec 2.15
/// Fails if balancers are not told of the stop, or requests that they still send are refused.
async fn a_server_that_drains_is_not_ready_and_answers(database: TestDatabase) {
    init(&database);
    let (mut server, origin) = serve(&database, &["--drain-time", "300"]);
    let client = Client::new();
    let ready = format!("{origin}/v1/health/ready");
    assert_eq!(client.get(&ready, &[]).await.status, 200);
    server.signal("TERM");
    while client.get(&ready, &[]).await.status != 503 {}
    for path in ["/v1/health", "/console/sign-in", "/auth/v1/oauth/jwk-set"] {
        let answer = client.get(&format!("{origin}{path}"), &[]).await;
        assert_eq!(answer.status, 200, "{path}");
    }
    // A second signal does not wait.
    server.signal("TERM");
    assert_eq!(server.wait().code(), Some(1));
}

/// Fails if a server ends before it has recorded what waits for the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_wait_for_the_database_are_written_at_the_stop() {
    let database = TestDatabase::sqlite();
    init(&database);
    let (mut server, origin) = serve(&database, &[]);
    let sign_in = SignIn::begin(&origin, "not the password").await;
    server.signal("TERM");
    closed(&origin).await;
    let lock = database.lock();
    let answer = sign_in.finish().await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    drop(lock);
    assert!(server.wait().success(), "{}", server.log());
    let refused = "SELECT count(*) FROM audit_records WHERE kind = 'sign_in_refused'";
    assert_eq!(database.count(refused), 1);
}

/// Fails if requests in flight have another time than that of the setting.
#[tokio::test]
async fn requests_in_flight_have_the_time_of_the_setting() {
    let (patient, hasty) = (TestDatabase::sqlite(), TestDatabase::sqlite());
    let (mut patient, first) = with_password(&patient, &["--stop-timeout", "300"]).await;
    let (mut hasty, second) =
        with_password(&hasty, &["--drain-time", "1", "--stop-timeout", "1"]).await;
    let sign_in = SignIn::begin(&first, PASSWORD).await;
    let abandoned = SignIn::begin(&second, PASSWORD).await;
    // The server that waits for longer is told first.
    patient.signal("TERM");
    closed(&first).await;
    hasty.signal("TERM");
    assert!(hasty.wait().success(), "{}", hasty.log());
    assert!(patient.is_running());
    drop(abandoned);
    let answer = sign_in.finish().await;
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    assert!(patient.wait().success(), "{}", patient.log());
}
