//! Audit records that are appended and deleted.

use super::ScenarioGroup;
use crate::testing::interleavings::operation::Operation::*;

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    let append = |first, at| AppendAudit { first, at };
    vec![ScenarioGroup {
        states: vec![
            ("nothing happened", vec![]),
            ("an audit trail", vec![append(1, 0), append(3, 10)]),
        ],
        operations: vec![
            append(5, 20),
            append(7, 5),
            SweepAuditRecords { until: 5 },
            SweepAuditRecords { until: 10 },
            Audit,
            AuditOfRequest { first: 5 },
        ],
    }]
}
