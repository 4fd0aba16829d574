//! Two nodes behind a balancer, which are upgraded one after the other while requests and a sign-in
//! are in progress.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use http::Method;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{ADMIN, PASSWORD, browser, init, output, serve, use_link};
use crate::postgres_server::needs_postgres;
use crate::sign_in::Browser;
use crate::support::{Client, TestResponse, query_of, request};
use crate::test_database::TestDatabase;

/// No limit on the requests of the test, and time for the balancer to notice a stop.
const OPTIONS: [&str; 4] = ["--api-key-limit", "60000000", "--drain-time", "2"];

const REDIRECT_URI: &str = "http://127.0.0.1/callback";

/// Migration of a newer build that admits this one: a column and a table that this build does not
/// know.
const NEWER_SCHEMA: [&str; 3] = [
    "ALTER TABLE grants ADD COLUMN device TEXT COLLATE \"C\"",
    "CREATE TABLE devices (id TEXT COLLATE \"C\" PRIMARY KEY)",
    "INSERT INTO lyceum_migrations (version, applied_by, oldest_beside)
        SELECT max(version) + 1, 'the newer build', max(version) FROM lyceum_migrations",
];

type Node = Arc<Mutex<SocketAddr>>;

/// A balancer of connections over two nodes. Before each it asks `/v1/health/ready`.
struct Balancer {
    nodes: [Node; 2],
    origin: String,
    accepting: JoinHandle<()>,
}

impl Balancer {
    async fn start(nodes: [&str; 2]) -> Self {
        let nodes = nodes.map(|origin| Arc::new(Mutex::new(address(origin))));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let accepting = tokio::spawn({
            let nodes = nodes.clone();
            async move {
                for number in 0.. {
                    let (client, _) = listener.accept().await.unwrap();
                    let first = number % nodes.len();
                    let order = [first, 1 - first].map(|node| nodes[node].clone());
                    tokio::spawn(forward(client, order));
                }
            }
        });
        Self {
            nodes,
            origin,
            accepting,
        }
    }

    fn replace(&self, number: usize, successor: &str) {
        *self.nodes[number].lock().unwrap() = address(successor);
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn address(origin: &str) -> SocketAddr {
    origin.strip_prefix("http://").unwrap().parse().unwrap()
}

async fn forward(mut client: TcpStream, order: [Node; 2]) {
    for node in order {
        let address = *node.lock().unwrap();
        if is_ready(address).await {
            let mut server = TcpStream::connect(address).await.unwrap();
            // It fails if one side closes early, which the client reports.
            let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            return;
        }
    }
    panic!("no node is ready");
}

async fn is_ready(address: SocketAddr) -> bool {
    let url = format!("http://{address}/v1/health/ready");
    let request = request(Method::GET, &url, &[], String::new());
    let answer = Client::new().send(request).await;
    answer.is_ok_and(|answer| answer.status == 200)
}

/// Requests without a pause, each on a connection of its own, until it is stopped.
struct Traffic {
    answered: watch::Receiver<usize>,
    is_stopped: Arc<AtomicBool>,
    running: JoinHandle<()>,
}

impl Traffic {
    fn start(origin: &str, key: &str) -> Self {
        let (count, answered) = watch::channel(0);
        let is_stopped = Arc::new(AtomicBool::new(false));
        let running = tokio::spawn({
            let (origin, key, is_stopped) = (origin.to_owned(), key.to_owned(), is_stopped.clone());
            async move {
                while !is_stopped.load(Ordering::Relaxed) {
                    for path in ["/v1/clubs", "/console/sign-in", "/auth/v1/oauth/jwk-set"] {
                        let client = Client::new();
                        let url = format!("{origin}{path}");
                        let answer = client.get(&url, &[("x-api-key", &key)]).await;
                        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
                        count.send_modify(|count| *count += 1);
                    }
                }
            }
        });
        Self {
            answered,
            is_stopped,
            running,
        }
    }

    /// Waits until more requests have been answered. Fails if one was not.
    async fn go_on(&mut self) {
        let enough = *self.answered.borrow() + 30;
        let answered = self.answered.wait_for(|count| *count >= enough).await;
        assert!(answered.is_ok(), "a request failed");
    }

    async fn stop(self) -> usize {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.running.await.unwrap();
        *self.answered.borrow()
    }
}

/// The steps of a user and of a client, each on a connection of its own.
struct SignIn {
    browser: Browser,
    id: String,
    secret: String,
}

impl SignIn {
    fn new(origin: &str, database: &TestDatabase) -> Self {
        let client = output(database.school(&[
            "client",
            "create",
            "--name",
            "Club screen",
            "--redirect-uri",
            REDIRECT_URI,
            "--scope",
            "service:self_read",
        ]));
        Self {
            browser: browser(origin),
            id: client.split(' ').nth(2).unwrap().to_owned(),
            secret: client.lines().last().unwrap().to_owned(),
        }
    }

    async fn open(&mut self, address: &str) -> TestResponse {
        let page = self.browser.open(address).await;
        self.disconnect();
        page
    }

    async fn submit(&mut self, page: &TestResponse, fields: &[(&str, &str)]) -> TestResponse {
        let answer = self.browser.submit(page, fields).await;
        self.disconnect();
        answer
    }

    /// Closes the connection, which would otherwise stay open for the next request.
    fn disconnect(&mut self) {
        self.browser.client = Client::new();
    }

    /// Opens the sign-in page and returns its address.
    async fn begin(&mut self) -> String {
        let address = format!(
            "/auth/v1/oauth/authorize?response_type=code&client_id={}&redirect_uri={REDIRECT_URI}&scope=service:self_read",
            self.id
        );
        let answer = self.open(&address).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
        path(answer.header("location"))
    }

    /// Sends e-mail address and password, and returns the address of the consent page.
    async fn sign_in(&mut self, page: &str) -> String {
        let page = self.open(page).await;
        let fields = [("email", ADMIN), ("password", PASSWORD)];
        let answer = self.submit(&page, &fields).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
        path(answer.header("location"))
    }

    /// Consents, and returns the code.
    async fn consent(&mut self, page: &str) -> String {
        let page = self.open(page).await;
        let answer = self.submit(&page, &[("decision", "allow")]).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
        query_of(answer.header("location"))["code"].clone()
    }

    /// Sends a token request, and returns the access and the refresh token.
    async fn tokens(&mut self, form: &[(&str, &str)]) -> (String, String) {
        let (id, secret) = (self.id.clone(), self.secret.clone());
        let form = [form, &[("client_id", &id), ("client_secret", &secret)]].concat();
        let url = format!("{}/auth/v1/oauth/token", self.browser.origin);
        let answer = self.browser.client.post_form(&url, &[], &form).await;
        self.disconnect();
        assert_eq!(answer.status, 200, "{}", answer.body);
        let tokens = answer.json();
        let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
        (text("access_token"), text("refresh_token"))
    }

    async fn exchange(&mut self, code: &str) -> (String, String) {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", REDIRECT_URI),
        ];
        self.tokens(&form).await
    }

    async fn refresh(&mut self, token: &str) -> (String, String) {
        let form = [("grant_type", "refresh_token"), ("refresh_token", token)];
        self.tokens(&form).await
    }

    /// The e-mail address of the user of an access token.
    async fn email(&mut self, token: &str) -> String {
        let url = format!("{}/auth/userinfo", self.browser.origin);
        let bearer = format!("Bearer {token}");
        let headers = [("authorization", &*bearer)];
        let answer = self.browser.client.get(&url, &headers).await;
        self.disconnect();
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["email"].as_str().unwrap().to_owned()
    }
}

fn path(address: &str) -> String {
    address.trim_start_matches("http://127.0.0.1").to_owned()
}

// Proves: spec 1.5
/// Fails if a request fails while the nodes are upgraded, if the former build cannot be started on
/// the newer schema, or if a sign-in does not continue on the other node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_are_upgraded_without_a_failed_request() {
    needs_postgres!();
    let database = TestDatabase::postgres();
    let link = init(&database);
    let key = output(database.school(&[
        "key",
        "issue",
        "--description",
        "Club screen",
        "--scope",
        "CLUB_READ",
    ]));
    let key = key.lines().last().unwrap();
    let [(first, first_origin), (second, second_origin)] =
        [(); 2].map(|()| serve(&database, &OPTIONS));
    use_link(&first_origin, &link).await;
    let balancer = Balancer::start([&first_origin, &second_origin]).await;
    let mut traffic = Traffic::start(&balancer.origin, key);
    let mut sign_in = SignIn::new(&balancer.origin, &database);
    let page = sign_in.begin().await;
    traffic.go_on().await;

    // The newer build migrates the schema when it starts, while the second node serves.
    let mut former = first;
    former.signal("TERM");
    traffic.go_on().await;
    assert!(former.wait().success());
    for statement in NEWER_SCHEMA {
        database.run(statement);
    }
    traffic.go_on().await;
    let (first, origin) = serve(&database, &OPTIONS);
    balancer.replace(0, &origin);
    let page = sign_in.sign_in(&page).await;
    traffic.go_on().await;

    let mut former = second;
    former.signal("TERM");
    let code = sign_in.consent(&page).await;
    let (_, refresh_token) = sign_in.exchange(&code).await;
    traffic.go_on().await;
    assert!(former.wait().success());
    let (access_token, _) = sign_in.refresh(&refresh_token).await;
    let (second, origin) = serve(&database, &OPTIONS);
    balancer.replace(1, &origin);
    assert_eq!(sign_in.email(&access_token).await, ADMIN);

    let page = sign_in.begin().await;
    traffic.go_on().await;
    let page = sign_in.sign_in(&page).await;
    sign_in.consent(&page).await;
    let answered = traffic.stop().await;
    assert!(answered >= 120, "{answered}");
    first.stop();
    second.stop();
}
