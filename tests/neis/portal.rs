//! Answers of the portal, and what the directory holds after each.

use std::time::Duration;

use lyceum::neis::{Client, ClientError, SchoolKind, SyncKind, SyncOutcome, UpstreamFault};
use lyceum::testing::NeisBehavior;

use crate::harness::{MEALS, NOON, SCHEDULES, School, days, june, key, many_events};

/// A school that has synced its meals, with the version after that.
async fn filled() -> (School, lyceum::store::DatasetVersion) {
    let school = School::new().await;
    school.portal.set_answer(MEALS);
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.outcome, run.inserted), (SyncOutcome::Synced, 5));
    let version = school.version().await;
    (school, version)
}

/// Fails if pages behind the first are not read, a row of theirs is used twice, or pages that may have
/// shifted are not read again.
#[tokio::test]
async fn every_page_is_read_and_written_at_once() {
    let school = School::new().await;
    school.portal.set_rows("SchoolSchedule", many_events(2345));
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!(run.outcome, SyncOutcome::Synced);
    assert_eq!((run.calls, run.inserted, run.skipped), (5, 2345, 0));
    assert_eq!(run.code.unwrap().to_string(), "INFO-000");
    assert_eq!(school.events().await.len(), 2345);
    assert_eq!(school.version().await.number, 1);
}

/// Fails if the five rows that anybody gets pass for the whole list.
#[tokio::test]
async fn without_a_key_only_a_list_of_five_rows_is_complete() {
    let school = School::with(SchoolKind::High, |client| client).await;
    school.portal.set_answer(SCHEDULES);
    let run = school
        .sync
        .run(SyncKind::Schedules, days("2026-06-01", "2026-07-31"));
    let run = run.await.unwrap();
    let outcome = SyncOutcome::Incomplete { total: 6, rows: 5 };
    assert_eq!((run.outcome, run.calls), (outcome, 2));
    assert!(school.events().await.is_empty());
    // Of June there are five.
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.inserted), (SyncOutcome::Synced, 5));
}

/// Fails if a refused key or a refused request is tried again, or costs the school its records.
#[tokio::test]
async fn a_refused_key_or_request_ends_the_run_and_keeps_the_records() {
    for (code, outcome) in [
        ("ERROR-290", SyncOutcome::KeyRefused),
        ("INFO-300", SyncOutcome::KeyRefused),
        ("ERROR-300", SyncOutcome::RequestRefused),
        ("ERROR-310", SyncOutcome::RequestRefused),
        ("ERROR-333", SyncOutcome::RequestRefused),
        ("ERROR-336", SyncOutcome::RequestRefused),
    ] {
        let (school, version) = filled().await;
        school.portal.otherwise(NeisBehavior::Code(code));
        let run = school.run(SyncKind::Meals).await;
        assert_eq!((run.outcome, run.calls), (outcome, 1), "{code}");
        assert_eq!(run.code.unwrap().to_string(), code);
        assert_eq!(school.version().await, version);
        assert!(school.pauses.lock().unwrap().is_empty());
    }
    let (school, version) = filled().await;
    school.portal.require_key("another");
    let run = school.run(SyncKind::Meals).await;
    assert_eq!(run.outcome, SyncOutcome::KeyRefused);
    assert_eq!(school.version().await, version);
}

/// Fails if a spent quota is asked for again on the same Korean day, or no more on the next one.
#[tokio::test]
async fn a_spent_quota_ends_all_runs_until_midnight_in_korea() {
    let (school, version) = filled().await;
    school.portal.then([NeisBehavior::Code("ERROR-337")]);
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::QuotaSpent, 1));
    const TO_MIDNIGHT: Duration = Duration::from_secs(12 * 60 * 60);
    school.clock.advance(TO_MIDNIGHT - Duration::from_secs(1));
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::QuotaSpent, 0));
    school.clock.advance(Duration::from_secs(1));
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::Synced, 1));
    assert_eq!(school.version().await, version);
    let since_noon = run.started_at.seconds() - NOON;
    assert_eq!((since_noon, run.ended_at), (12 * 60 * 60, run.started_at));
}

/// Fails if trouble that lasts is asked about for ever, at once again, or deletes anything.
#[tokio::test]
async fn trouble_of_the_portal_ends_the_run_after_three_more_attempts() {
    for (behavior, is_fault) in [
        (
            NeisBehavior::Maintenance,
            (|fault| *fault == UpstreamFault::Status(503)) as fn(&UpstreamFault) -> bool,
        ),
        (NeisBehavior::Xml, |fault| *fault == UpstreamFault::Xml),
        (NeisBehavior::CutOff, |fault| {
            matches!(fault, UpstreamFault::Connection(_))
        }),
        (
            NeisBehavior::Code("ERROR-500"),
            |fault| matches!(fault, UpstreamFault::Code(code) if code.to_string() == "ERROR-500"),
        ),
        (NeisBehavior::Code("ERROR-601"), |fault| {
            matches!(fault, UpstreamFault::Code(_))
        }),
    ] {
        let (school, version) = filled().await;
        school.portal.otherwise(behavior.clone());
        let run = school.run(SyncKind::Meals).await;
        let SyncOutcome::Unavailable(fault) = &run.outcome else {
            panic!("{run}")
        };
        assert!(is_fault(fault), "{behavior:?}: {fault:?}");
        assert_eq!((run.calls, run.deleted), (4, 0));
        assert_eq!(*school.pauses.lock().unwrap(), [2, 4, 8]);
        assert_eq!(school.version().await, version);
        assert_eq!(school.meals().await.len(), 5);
    }
}

/// Fails if a run gives up because of trouble that passes, on the first page or a later one.
#[tokio::test]
async fn trouble_that_passes_is_no_trouble() {
    let school = School::new().await;
    school.portal.set_rows("SchoolSchedule", many_events(1001));
    school.portal.then([
        NeisBehavior::Maintenance,
        NeisBehavior::Xml,
        NeisBehavior::Code("ERROR-600"),
        NeisBehavior::Rows,
        NeisBehavior::CutOff,
    ]);
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::Synced, 7));
    assert_eq!(*school.pauses.lock().unwrap(), [2, 4, 8, 2]);
    assert_eq!(school.events().await.len(), 1001);
}

/// Fails if a run writes before it has every row, or does not wait for a slow answer.
#[tokio::test]
async fn a_slow_answer_is_awaited_and_nothing_is_written_before_it() {
    let school = School::new().await;
    school.portal.set_rows("SchoolSchedule", many_events(1001));
    school.portal.then([NeisBehavior::Rows, NeisBehavior::Held]);
    let run = school.run_during(SyncKind::Schedules, async {
        school.portal.requested(2).await;
        assert_eq!(school.version().await.number, 0);
        school.portal.release();
    });
    let run = run.await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::Synced, 3));
    assert_eq!(school.events().await.len(), 1001);
}

/// Fails if an answer that never comes holds a run for ever.
#[tokio::test]
async fn an_answer_that_never_comes_is_a_timeout() {
    const HOUR: Duration = Duration::from_secs(60 * 60);
    let school = School::with(SchoolKind::High, |client| client.key(key()).timeout(HOUR)).await;
    school.portal.otherwise(NeisBehavior::Held);
    let run = school.run_during(SyncKind::Meals, async {
        for attempt in 1..=4 {
            school.portal.requested(attempt).await;
            tokio::time::pause();
            tokio::time::advance(HOUR).await;
            tokio::time::resume();
        }
    });
    let run = run.await;
    let outcome = SyncOutcome::Unavailable(UpstreamFault::Timeout);
    assert_eq!((run.outcome, run.calls), (outcome, 4));
    assert_eq!(school.version().await.number, 0);
}

/// Fails if pages of different states are put together.
#[tokio::test]
async fn a_total_that_changes_between_pages_ends_the_run() {
    let school = School::new().await;
    school.portal.set_rows("SchoolSchedule", many_events(1001));
    school
        .portal
        .then([NeisBehavior::Rows, NeisBehavior::Total(1002)]);
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::ChangedMeanwhile, 2));
    assert!(school.events().await.is_empty());
}

/// Fails if a row that moves to a page which was read before is taken for one that is gone.
#[tokio::test]
async fn rows_that_move_between_pages_end_the_run() {
    let school = School::new().await;
    let rows = many_events(1002);
    school
        .portal
        .set_rows("SchoolSchedule", rows[..1001].to_vec());
    school.portal.then([NeisBehavior::Rows, NeisBehavior::Held]);
    let run = school.run_during(SyncKind::Schedules, async {
        school.portal.requested(2).await;
        // One goes and another comes, so that the total stays.
        school.portal.set_rows("SchoolSchedule", rows[1..].to_vec());
        school.portal.release();
    });
    assert_eq!(run.await.outcome, SyncOutcome::ChangedMeanwhile);
    assert!(school.events().await.is_empty());
}

/// Fails if rows that are missing, or too many, are not noticed.
#[tokio::test]
async fn rows_that_do_not_add_up_to_the_total_are_not_written() {
    for (total, calls) in [(1002, 3), (999, 1)] {
        let school = School::new().await;
        school.portal.set_rows("SchoolSchedule", many_events(1001));
        school.portal.otherwise(NeisBehavior::Total(total));
        let run = school.run(SyncKind::Schedules).await;
        assert!(
            matches!(run.outcome, SyncOutcome::Incomplete { total: found, .. } if found == total),
            "{run}"
        );
        assert_eq!(run.calls, calls);
        assert_eq!(school.version().await.number, 0);
    }
}

/// Fails if an empty answer deletes the records of its days, as before a timetable is published.
#[tokio::test]
async fn an_empty_answer_deletes_nothing() {
    let (school, version) = filled().await;
    for behavior in [NeisBehavior::Code("INFO-200"), NeisBehavior::Total(0)] {
        school.portal.then([behavior]);
        let run = school.run(SyncKind::Meals).await;
        assert_eq!((&run.outcome, run.calls), (&SyncOutcome::Empty, 1));
        assert!(run.outcome.is_success());
        assert_eq!(school.version().await, version);
    }
}

/// Fails if a run sends more requests than it may, or writes what it has read by then.
#[tokio::test]
async fn a_run_ends_when_its_calls_are_used_up() {
    let limited = |client: lyceum::neis::ClientBuilder| client.key(key()).max_calls(2);
    let school = School::with(SchoolKind::High, limited).await;
    // More than two pages, which the first one says.
    school.portal.set_rows("SchoolSchedule", many_events(2001));
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::TooManyCalls, 1));
    // Two pages, and no call left to read the first again.
    school.portal.set_rows("SchoolSchedule", many_events(1999));
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::TooManyCalls, 2));
    school.portal.otherwise(NeisBehavior::Maintenance);
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.calls), (SyncOutcome::TooManyCalls, 2));
    assert_eq!(school.portal.requests().len(), 5);
    assert_eq!(school.version().await.number, 0);
}

/// Fails if a client over TLS depends on a process-wide provider of cryptography.
#[tokio::test]
async fn a_client_over_tls_is_built_without_a_default_provider() {
    let built = Client::builder(|_| async {}).build();
    // A machine without certificate authorities is told so.
    assert!(
        matches!(built, Ok(_) | Err(ClientError::Authorities(_))),
        "{built:?}"
    );
    let refused = Client::builder(|_| async {}).base_url("http://open.neis.go.kr/hub/");
    assert_eq!(refused.build().unwrap_err(), ClientError::Url);
}

/// Fails if a server that is not there is taken for one without records.
#[tokio::test]
async fn a_portal_without_a_listener_is_unavailable() {
    let school = School::with(SchoolKind::High, |client| {
        client.key(key()).base_url("http://127.0.0.1:1/hub/")
    })
    .await;
    let run = school.sync.run(SyncKind::Meals, june()).await.unwrap();
    assert!(
        matches!(
            &run.outcome,
            SyncOutcome::Unavailable(UpstreamFault::Connection(_))
        ),
        "{run}"
    );
}
