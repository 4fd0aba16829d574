//! The school's key for the portal.

use lyceum::http::Listener;
use lyceum::neis::{Client, ClientError, SchoolKind, SyncKind, SyncOutcome, UpstreamFault};
use lyceum::testing::NeisBehavior;
use tokio::net::TcpListener;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::certificates::Files;
use crate::harness::{KEY, MEALS, School, key};
use crate::log_capture::{CapturedLog, capture_log};

/// Fails if the key is in a log line of any level, or in what a host prints of a run.
#[tokio::test]
async fn the_key_is_in_requests_alone() {
    // With a second subscriber, `tracing` asks this thread's for each event.
    drop(capture_log());
    let log = std::sync::Arc::new(CapturedLog::default());
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(LevelFilter::TRACE)
        .with_writer(log.clone());
    let guard = subscriber.finish().set_default();
    let school = School::new().await;
    school.portal.set_answer(MEALS);
    let mut printed = format!("{:?} {:?}", school.sync, key());
    for behavior in [
        NeisBehavior::Rows,
        NeisBehavior::CutOff,
        NeisBehavior::Maintenance,
        NeisBehavior::Code("ERROR-290"),
    ] {
        school.portal.otherwise(behavior);
        let run = school.run(SyncKind::Meals).await;
        printed += &format!("{run} {run:?}");
    }
    drop(guard);
    assert!(printed.contains("NeisKey(..)"), "{printed}");
    assert!(!printed.contains(KEY), "{printed}");
    let lines = log.lines();
    assert!(!lines.is_empty(), "nothing was captured");
    assert!(!lines.iter().any(|line| line.contains(KEY)), "{lines:?}");
    let requests = school.portal.requests();
    assert!(requests.iter().all(|request| request.contains(KEY)));
}

/// Fails if the key is sent to a server whose certificate no authority of the system has signed.
#[tokio::test]
async fn a_server_with_an_unknown_certificate_gets_no_request() {
    if let Err(ClientError::Authorities(_)) = Client::builder(|_| async {}).build() {
        // Without authorities there is no client, and nothing to send.
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/hub/", listener.local_addr().unwrap());
    let listener = Listener::from(listener).with_tls(Files::new().load());
    let portal = axum::Router::new().fallback(async || -> String { panic!("a request") });
    tokio::spawn(lyceum::http::serve(
        listener,
        portal,
        std::future::pending(),
    ));
    let school = School::with(SchoolKind::High, |client| client.key(key()).base_url(&url)).await;
    let run = school.run(SyncKind::Meals).await;
    let SyncOutcome::Unavailable(UpstreamFault::Connection(reason)) = &run.outcome else {
        panic!("{run}")
    };
    assert!(reason.contains("certificate"), "{reason}");
    assert!(!reason.contains(KEY), "{reason}");
}
