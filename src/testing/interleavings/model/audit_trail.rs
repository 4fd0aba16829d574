use super::{Model, Outcome};
use crate::testing::interleavings::operation::Operation;

/// A record: its number, that of the first of its batch, and its moment.
type Record = (u8, u8, i64);

impl Model {
    pub(super) fn perform_on_audit(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::AppendAudit { first, at } => {
                self.audit.extend([first, first + 1].map(|number| (number, first, at)));
                Outcome::Done
            }
            Operation::Audit => Outcome::Audit(self.audit.iter().rev().map(|(number, ..)| *number).collect()),
            Operation::AuditOfRequest { first } => {
                let of_the_request = |record: &&Record| record.1 == first;
                Outcome::Audit(self.audit.iter().filter(of_the_request).map(|(number, ..)| *number).collect())
            }
            Operation::SweepAudit { until } => {
                let before = self.audit.len();
                self.audit.retain(|(.., at)| until < *at);
                Outcome::Removed(before - self.audit.len())
            }
            _ => Outcome::Unknown,
        }
    }
}
