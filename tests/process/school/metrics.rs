//! The address of the metrics.

use http::Method;

use super::{init, printed, ready};
use crate::server::Server;
use crate::support::{Client, request};
use crate::test_database::TestDatabase;

/// Fails if the metrics are public, have no buckets, or if anything else is served beside them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_are_on_an_address_of_their_own_and_nothing_else_is() {
    let database = TestDatabase::sqlite();
    init(&database);
    let arguments = ["serve", "--public-url", "http://127.0.0.1"];
    let mut command = database.school(&arguments);
    command.args(["--metrics-listen", "127.0.0.1:0"]);
    let mut server = Server::start(command, &[]);
    let origin = format!("http://{}", ready(&mut server));
    let metrics = printed(&mut server).replace("metrics: ", "");
    let client = Client::new();
    let health = client.get(&format!("{origin}/v1/health"), &[]).await;
    assert_eq!(health.status, 200);

    let page = client.get(&metrics, &[]).await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/plain"));
    for line in [
        "# TYPE lyceum_requests_total counter",
        "lyceum_requests_total{service=\"data\",route=\"health\",status=\"200\"} 1",
        "lyceum_request_duration_seconds_bucket{service=\"data\",route=\"health\",le=\"5\"} 1",
    ] {
        assert!(
            page.body.lines().any(|found| found == line),
            "{line} is not in\n{}",
            page.body
        );
    }
    assert!(
        page.body
            .contains("lyceum_store_duration_seconds_bucket{backend=\"sqlite\"")
    );

    let base = metrics.strip_suffix("/metrics").unwrap();
    for path in ["/", "/v1/health", "/console", "/metrics/"] {
        let answer = client.get(&format!("{base}{path}"), &[]).await;
        assert_eq!(answer.status, 404, "{path}");
    }
    let post = request(Method::POST, &metrics, &[], String::new());
    assert_eq!(client.send(post).await.unwrap().status, 405);
    let public = client.get(&format!("{origin}/metrics"), &[]).await;
    assert_eq!(public.status, 404);
    server.stop();
}
