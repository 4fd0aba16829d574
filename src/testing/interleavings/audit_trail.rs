//! The audit trail, as operations.

use super::model::Outcome;
use super::names::Names;
use super::operation::Operation;
use crate::domain::{AuditEntry, AuditFilter, AuditRecord, Line};
use crate::store::{Storage, StorageError};

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::AppendAudit { first, at } => {
            store.append_audit_records([first, first + 1].map(|number| record(names, first, number, at)).to_vec()).await?;
            Outcome::Done
        }
        Operation::Audit => {
            let filter = AuditFilter { subject: Some(names.subject(1)), ..AuditFilter::default() };
            Outcome::Audit(told(&store.audit_records(&filter, None, 50).await?, names))
        }
        Operation::AuditOfRequest { first } => Outcome::Audit(told(&store.audit_records_of(&request(names, first)).await?, names)),
        Operation::SweepAudit { until } => Outcome::Removed(store.sweep_audit_records(names.moment(until)).await?),
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn record(names: Names, first: u8, number: u8, at: i64) -> AuditRecord {
    AuditRecord {
        at: names.moment(at),
        request: request(names, first),
        kind: Line::literal("signed_in"),
        subject: Some(names.subject(1)),
        client: Some(names.client(number)),
        application: None,
        grant: None,
        api_key: None,
        line: "{}".parse().expect("prose"),
    }
}

fn request(names: Names, first: u8) -> Line {
    format!("{}-{first}", names.0).parse().expect("a line")
}

fn told(entries: &[AuditEntry], names: Names) -> Vec<u8> {
    let numbers = entries.iter().filter_map(|entry| entry.record.client);
    numbers.map(|client| names.number(&client, Names::client)).collect()
}
