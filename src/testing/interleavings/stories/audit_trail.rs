//! What happened, as it is written down and goes.

use super::Family;
use crate::testing::interleavings::operation::Operation::*;

pub(super) fn families() -> Vec<Family> {
    let append = |first, at| AppendAudit { first, at };
    vec![Family {
        states: vec![("nothing happened", vec![]), ("an audit trail", vec![append(1, 0), append(3, 10)])],
        operations: vec![
            append(5, 20),
            append(7, 5),
            SweepAudit { until: 5 },
            SweepAudit { until: 10 },
            Audit,
            AuditOfRequest { first: 5 },
        ],
    }]
}
