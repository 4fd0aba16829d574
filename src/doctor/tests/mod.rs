mod files;
mod network;
mod records;

use std::time::Duration;

use super::*;
use crate::domain::Timestamp;

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn levels(findings: &[Finding]) -> Vec<Level> {
    findings.iter().map(|finding| finding.level).collect()
}

/// Fails if the script that reads the report, or the operator, misses the worst finding.
#[test]
fn a_report_is_a_line_or_an_object_for_each_finding_and_as_severe_as_the_worst() {
    let report: Report = [
        Finding::ok(Check::Clock, "agrees"),
        Finding::failure(Check::Backups, "two\nlines"),
        Finding::warning(Check::PublicUrl, "\"quoted\""),
    ]
    .into_iter()
    .collect();
    assert_eq!(report.level(), Level::Failure);
    assert_eq!(Report::default().level(), Level::Ok);
    assert_eq!(
        report.to_string(),
        "ok       clock         agrees\nFAILED   backups       two lines\nwarning  public_url    \"quoted\"\n"
    );
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["level"], "failure");
    assert_eq!(json["findings"][2]["check"], "public_url");
    assert_eq!(json["findings"][2]["level"], "warning");
    assert_eq!(json["findings"][2]["text"], "\"quoted\"");
}
