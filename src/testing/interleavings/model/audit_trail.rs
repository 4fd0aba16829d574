use super::{Model, OperationOutcome};
use crate::testing::interleavings::operation::Operation;

/// Record: its number, the number of the first of its batch, and its time.
type Record = (u8, u8, i64);

impl Model {
    pub(super) fn perform_on_audit(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::AppendAudit { first, at } => {
                self.audit
                    .extend([first, first + 1].map(|number| (number, first, at)));
                OperationOutcome::Done
            }
            Operation::Audit => OperationOutcome::Audit(
                self.audit
                    .iter()
                    .rev()
                    .map(|(number, ..)| *number)
                    .collect(),
            ),
            Operation::AuditOfRequest { first } => {
                let of_the_request = |record: &&Record| record.1 == first;
                OperationOutcome::Audit(
                    self.audit
                        .iter()
                        .filter(of_the_request)
                        .map(|(number, ..)| *number)
                        .collect(),
                )
            }
            Operation::SweepAuditRecords { until } => {
                let before = self.audit.len();
                self.audit.retain(|(.., at)| until < *at);
                OperationOutcome::Removed(before - self.audit.len())
            }
            _ => OperationOutcome::Unknown,
        }
    }
}
