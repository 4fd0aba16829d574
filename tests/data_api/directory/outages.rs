//! An unavailable store.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{MINUTE, SECOND, no_student, two_nodes};
use crate::client::{get, request, send, send_with};
use crate::metrics::support::capture_metrics;

/// Fails if lists need the store, if they are served without it for ever, or if the node does not
/// recover with the store.
#[tokio::test]
async fn while_the_store_is_unavailable_lists_are_served_until_the_tolerance_ends() {
    let (node, other, clock) = two_nodes().await;
    let ready = async || {
        send(&node.api, request("GET", "/v1/health/ready", None))
            .await
            .status
            .as_u16()
    };
    assert_eq!(ready().await, 200);
    node.store.is_away.store(true, Ordering::SeqCst);
    other.write(no_student(1)).await;
    clock.advance(SECOND);
    assert_eq!(
        (ready().await, node.students().await.len()),
        (503, 5),
        "not ready, and serves the last version read"
    );
    let tag = get(&node.api, "/v1/clubs").await.header("etag").to_owned();
    clock.advance(5 * MINUTE - SECOND - SECOND);
    assert_eq!(node.students().await.len(), 5);
    assert_eq!(
        send_with(&node.api, "GET", "/v1/clubs", &[("if-none-match", &tag)])
            .await
            .status,
        304
    );
    clock.advance(SECOND);
    for path in ["/v1/students", "/v1/clubs?updatedSince=0", "/v1/neis/meals"] {
        let answer = send_with(&node.api, "GET", path, &[("if-none-match", &tag)]).await;
        assert_eq!(
            (
                answer.status.as_u16(),
                answer.header("retry-after").is_empty()
            ),
            (503, false),
            "{path}"
        );
        assert_eq!(answer.cause.as_deref(), Some("away"));
    }
    node.store.is_away.store(false, Ordering::SeqCst);
    clock.advance(SECOND);
    assert_eq!(
        (ready().await, node.students().await),
        (200, vec![2, 3, 4, 5])
    );
}

/// Fails if a failed write, which makes the next reader query the store, ends the outage tolerance.
#[tokio::test]
async fn a_write_that_fails_while_the_store_is_away_leaves_the_lists_as_they_are() {
    let (node, _, clock) = two_nodes().await;
    node.store.is_away.store(true, Ordering::SeqCst);
    assert!(node.directory.write(vec![no_student(1)]).await.is_err());
    for _ in 0..3 {
        assert_eq!(node.students().await.len(), 5);
        clock.advance(SECOND);
    }
}

/// Fails if a copy has to start over because its cursor could not be checked with the store.
#[tokio::test]
async fn a_newer_cursor_that_the_store_was_not_asked_about_is_to_come_again() {
    let (node, other, clock) = two_nodes().await;
    let version = node.directory.snapshot().await.unwrap().version();
    other.write(no_student(1)).await;
    let (_, newer) = other.since("0").await;
    let asked = async |cursor: &str| {
        let answer = get(&node.api, &format!("/v1/students?updatedSince={cursor}")).await;
        (
            answer.status.as_u16(),
            answer.header("retry-after").is_empty(),
        )
    };
    node.store.is_away.store(true, Ordering::SeqCst);
    assert_eq!(asked(&newer).await, (503, false));
    node.store.is_away.store(false, Ordering::SeqCst);
    clock.advance(SECOND);
    assert_eq!(asked(&newer).await, (200, true));
    let lost = format!(
        "{:x}-{:x}-{:x}-1",
        version.lineage + 1,
        version.number,
        version.mark
    );
    assert_eq!(asked(&lost).await.0, 400);
    assert_eq!(
        asked(&lost).await.0,
        400,
        "a cursor of another lineage can never become known"
    );
}

/// Fails if a failed query resets the age, or if a refusal omits the age.
#[test]
fn the_age_of_the_data_is_a_metric_and_decides_readiness() {
    capture_metrics(async |metrics| {
        let (node, other, clock) = two_nodes().await;
        let told = async || {
            send(&node.api, request("GET", "/v1/health/ready", None))
                .await
                .header("x-directory-age")
                .to_owned()
        };
        let age = || metrics.value("lyceum_directory_age_seconds", &[]);
        clock.advance(SECOND);
        assert_eq!(
            (told().await.as_str(), age(), node.directory.age()),
            ("0", 0.0, Duration::ZERO)
        );
        node.store.is_away.store(true, Ordering::SeqCst);
        clock.advance(MINUTE);
        assert_eq!(
            (told().await.as_str(), age(), node.directory.age()),
            ("60", 60.0, MINUTE)
        );
        clock.advance(MINUTE / 10);
        assert_eq!(node.students().await.len(), 5);
        assert_eq!((told().await.as_str(), age()), ("66", 66.0));
        node.store.is_away.store(false, Ordering::SeqCst);
        other.write(no_student(1)).await;
        clock.advance(SECOND);
        assert_eq!((told().await.as_str(), age()), ("0", 0.0));
    });
}
