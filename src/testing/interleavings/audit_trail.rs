//! Operations on the audit trail.

use super::model::{Model, OperationOutcome};
use super::operation::Operation;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::domain::{AuditEntry, AuditFilter, AuditRecord, ShortText};
use crate::store::StorageError;

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* audit_trail {
        /// Appends two audit records of one request, with this number and the next.
        AppendAudit { first: u8, $at: i64 },
        /// Reads the audit records, newest first.
        [Read] Audit,
        /// Reads the audit records of a request.
        [Read] AuditOfRequest { first: u8 },
        /// Deletes audit records up to a time.
        SweepAuditRecords { until: i64 },
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::AppendAudit { first, at } => {
            store
                .append_audit_records(
                    [first, first + 1]
                        .map(|number| record(ids, first, number, at))
                        .to_vec(),
                )
                .await?;
            OperationOutcome::Done
        }
        Operation::Audit => {
            let filter = AuditFilter {
                subject: Some(ids.subject(1)),
                ..AuditFilter::default()
            };
            OperationOutcome::Audit(audit_outcome(
                &store.audit_records(&filter, None, 50).await?,
                ids,
            ))
        }
        Operation::AuditOfRequest { first } => OperationOutcome::Audit(audit_outcome(
            &store.audit_records_of(&request(ids, first)).await?,
            ids,
        )),
        Operation::SweepAuditRecords { until } => {
            OperationOutcome::Removed(store.sweep_audit_records(ids.timestamp(until)).await?)
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, _: i64) -> Vec<Operation> {
    match operation {
        Operation::AppendAudit { first, .. } | Operation::AuditOfRequest { first } => {
            vec![Operation::Audit, Operation::AuditOfRequest { first }]
        }
        Operation::Audit | Operation::SweepAuditRecords { .. } => vec![Operation::Audit],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn record(ids: RunIds, first: u8, number: u8, at: i64) -> AuditRecord {
    AuditRecord {
        at: ids.timestamp(at),
        request_id: request(ids, first),
        kind: ShortText::from_static("signed_in"),
        subject: Some(ids.subject(1)),
        target: None,
        client: Some(ids.client(number)),
        application: None,
        grant: None,
        api_key: None,
        json: "{}".parse().expect("prose"),
    }
}

fn request(ids: RunIds, first: u8) -> ShortText {
    format!("{}-{first}", ids.0).parse().expect("a line")
}

fn audit_outcome(entries: &[AuditEntry], ids: RunIds) -> Vec<u8> {
    let numbers = entries.iter().filter_map(|entry| entry.record.client);
    numbers
        .map(|client| ids.index_of(&client, RunIds::client))
        .collect()
}

/// Record: its number, the number of the first of its batch, and its time.
type Record = (u8, u8, i64);

impl Model {
    pub(super) fn audit_trail(&mut self, operation: Operation) -> OperationOutcome {
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
