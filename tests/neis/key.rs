//! The school's key for the portal.

use lyceum::neis::SyncKind;
use lyceum::testing::NeisBehavior;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::util::SubscriberInitExt;

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
