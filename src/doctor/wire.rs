//! The JSON of a report.

use serde::Serialize;

use super::Report;

#[derive(Serialize)]
struct ReportJson<'a> {
    level: &'static str,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    check: &'static str,
    level: &'static str,
    text: &'a str,
}

pub(super) fn to_json(report: &Report) -> String {
    let findings = report.findings().iter().map(|finding| FindingJson {
        check: finding.check.as_str(),
        level: finding.level.as_str(),
        text: &finding.text,
    });
    let json = ReportJson {
        level: report.level().as_str(),
        findings: findings.collect(),
    };
    // Serializing a struct with text keys does not fail.
    serde_json::to_string(&json).unwrap_or_default()
}
