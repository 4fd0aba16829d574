//! Operations on the audit trail.

use super::model::OperationOutcome;
use super::operation::Operation;
use super::run_ids::RunIds;
use crate::domain::{AuditEntry, AuditFilter, AuditRecord, ShortText};
use crate::store::{Storage, StorageError};

pub(super) async fn call(
    operation: Operation,
    store: &dyn Storage,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
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

fn record(ids: RunIds, first: u8, number: u8, at: i64) -> AuditRecord {
    AuditRecord {
        at: ids.timestamp(at),
        request_id: request(ids, first),
        kind: ShortText::from_static("signed_in"),
        subject: Some(ids.subject(1)),
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
