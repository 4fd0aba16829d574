//! Writes, tags and cursors across nodes.

use http::StatusCode;
use lyceum::directory::WriteOutcome;

use super::{Node, SECOND, no_student, two_nodes};
use crate::client::{get, send_with};
use crate::school_fixtures;

/// Fails if a node does not show its own write, or never queries the store again.
#[tokio::test]
async fn a_write_is_seen_at_once_on_its_node_and_within_a_second_on_every_other() {
    let (one, other, clock) = two_nodes().await;
    for number in [1, 2, 3] {
        one.write(no_student(number)).await;
        assert!(!one.students().await.contains(&number));
        assert!(
            other.students().await.contains(&number),
            "not queried again yet"
        );
        clock.advance(SECOND);
        assert!(!other.students().await.contains(&number));
        assert_eq!(
            get(&one.api, "/v1/students").await.body,
            get(&other.api, "/v1/students").await.body
        );
    }
}

/// Fails if a client whose requests alternate between nodes gets a version older than one that it
/// has seen.
#[tokio::test]
async fn a_newer_tag_or_cursor_makes_the_node_reload_at_once() {
    let (one, other, _) = two_nodes().await;
    one.write(no_student(1)).await;
    let tag = get(&one.api, "/v1/students")
        .await
        .header("etag")
        .to_owned();
    let answer = send_with(
        &other.api,
        "GET",
        "/v1/students",
        &[("if-none-match", &tag)],
    )
    .await;
    assert_eq!(
        (answer.status, other.store.looks()),
        (StatusCode::NOT_MODIFIED, 1)
    );
    assert!(!other.students().await.contains(&1));

    one.write(no_student(2)).await;
    let tags = format!("\"a\", {}", get(&one.api, "/v1/clubs").await.header("etag"));
    let answer = send_with(
        &other.api,
        "GET",
        "/v1/students",
        &[("if-none-match", &tags)],
    )
    .await;
    assert_eq!(
        (answer.status, answer.ids().contains(&2)),
        (StatusCode::OK, false),
        "a tag of another list counts too"
    );
}

/// Fails if a cursor of one node is unknown to the other, or skips the change.
#[tokio::test]
async fn a_copy_that_follows_through_two_nodes_in_turn_loses_no_change() {
    let (one, other, _) = two_nodes().await;
    let (_, mut cursor) = one.since("0").await;
    for number in 1..=5 {
        one.write(no_student(number)).await;
        let (told, next) = if number % 2 == 0 {
            one.since(&cursor).await
        } else {
            other.since(&cursor).await
        };
        if number % 2 == 0 {
            assert!(
                told["deleted"].as_array().unwrap().contains(&number.into()),
                "{number}: {told}"
            );
        }
        // The other node gets the writer's newest cursor, which it does not know yet.
        let (_, newest) = one.since(&next).await;
        let (rest, same) = other.since(&newest).await;
        assert_eq!(
            (&rest["totalElements"], &rest["deleted"], same),
            (&0.into(), &serde_json::json!([]), newest.clone()),
            "{number}"
        );
        cursor = newest;
    }
    let (all, _) = other.since("0").await;
    assert_eq!(
        all["deleted"],
        serde_json::json!([6, 7, 8, 1, 2, 3, 4, 5]),
        "in the order of their changes"
    );
}

/// Fails if invented tags and cursors cause a store query per request.
#[tokio::test]
async fn an_invented_newer_state_costs_at_most_two_looks_a_second() {
    let (node, _, clock) = two_nodes().await;
    let version = node.directory.snapshot().await.unwrap().version();
    let invented = |number: u64| {
        format!(
            "{:x}-{:x}-{number:x}",
            version.lineage,
            version.number + number
        )
    };
    for _ in 0..3 {
        for number in 1..=20 {
            let tag = format!("W/\"{}-abc\"", invented(number));
            assert_eq!(
                send_with(&node.api, "GET", "/v1/clubs", &[("if-none-match", &tag)])
                    .await
                    .status,
                200
            );
            let answer = get(
                &node.api,
                &format!("/v1/clubs?updatedSince={}-1", invented(number)),
            )
            .await;
            assert_eq!(
                answer.status, 503,
                "the query of this second was for the tag"
            );
            assert!(!answer.header("retry-after").is_empty());
        }
        let looks = node.store.looks();
        assert!(
            (1..=3).contains(&looks),
            "two for the invented versions and one regular query, not {looks}"
        );
        clock.advance(SECOND);
    }
}

#[tokio::test]
async fn a_batch_that_changes_nothing_keeps_every_tag_and_cursor() {
    let (one, other, clock) = two_nodes().await;
    let (tag, (_, cursor)) = (
        get(&one.api, "/v1/clubs").await.header("etag").to_owned(),
        one.since("0").await,
    );
    assert!(matches!(
        one.directory.write(Vec::new()).await.unwrap(),
        WriteOutcome::Written(_)
    ));
    assert!(
        matches!(
            one.directory
                .write(school_fixtures::changes())
                .await
                .unwrap(),
            WriteOutcome::Written(_)
        ),
        "no change to any record"
    );
    one.write(no_student(999)).await;
    clock.advance(SECOND);
    for node in [&one, &other] {
        assert_eq!(
            send_with(&node.api, "GET", "/v1/clubs", &[("if-none-match", &tag)])
                .await
                .status,
            304
        );
        assert_eq!(node.since(&cursor).await.1, cursor);
    }
}

/// Fails if the tag, the total and the records of one response are of different versions.
#[tokio::test]
async fn an_answer_is_of_one_state_although_others_write_meanwhile() {
    let (one, other, clock) = two_nodes().await;
    let whole = async |node: &Node| {
        let answer = get(&node.api, "/v1/students").await;
        (
            answer.header("etag").to_owned(),
            answer.json()["data"]["totalElements"].clone(),
            answer.ids(),
        )
    };
    for number in 1..=5 {
        clock.advance(SECOND);
        // The write happens while the node queries the version: after the key is checked, and
        // before the list is read.
        *other.store.next.lock().unwrap() = Some((one.directory.clone(), vec![no_student(number)]));
        let (tag, total, ids) = whole(&other).await;
        assert_eq!(total, ids.len());
        assert_eq!(
            (tag, total, ids),
            whole(&one).await,
            "all of it is of the version after the write"
        );
    }
}
