//! Edits of the school's records, for administrators only.

use std::sync::Arc;
use std::time::Duration;

use super::{ManagementError, ManagementSession, Rejection};
use crate::crypto::SealError;
use crate::directory::{Directory, Snapshot};
use crate::domain::RecordKind;
use crate::http::audit::{Change, EventKind};
use crate::import::{
    ApplyOutcome, Difference, Edit, Import, ImportError, Plan, PlannedRecord, Refusal,
};

/// An uploaded file that a page sends back.
pub(crate) enum OpenedUpload {
    /// The file.
    File(Vec<u8>),
    /// Its time is over.
    Expired,
    /// It is not one that this user has uploaded.
    Unknown,
}

impl ManagementSession<'_> {
    /// The school's directory, for administrators. Not found if the host has none.
    pub(crate) fn school(&self) -> Result<&Directory, Rejection> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("may edit the school"));
        }
        let directory = self.management.students.directory();
        directory.ok_or_else(Rejection::not_found)
    }

    /// The current records of the school.
    pub(crate) async fn school_snapshot(&self) -> Result<Arc<Snapshot>, ManagementError> {
        Ok(self.school()?.snapshot().await?)
    }

    /// Plans an edit of records. Nothing is written.
    pub(crate) async fn plan_edit(
        &self,
        edit: Edit,
        base: &Arc<Snapshot>,
    ) -> Result<Plan, ManagementError> {
        let planned = edit.plan(self.school()?, Arc::clone(base)).await;
        planned.map_err(|error| match error {
            ImportError::Storage(error) => error.into(),
            ImportError::File(_) => ManagementError::Failed("the edit contradicts itself"),
        })
    }

    /// Writes a planned edit, if the school still has the version that it was planned for.
    pub(crate) async fn apply_edit(
        &self,
        plan: &Plan,
        change: Change,
    ) -> Result<ApplyOutcome, ManagementError> {
        let kind = plan.kind();
        let (record, fields) = match plan.records() {
            [record] => (Some(record.id), changed_fields(record)),
            _ => (None, Vec::new()),
        };
        let event = |records, versions| EventKind::Edited {
            by: self.user.id.clone(),
            kind,
            change,
            records,
            record,
            fields,
            versions,
        };
        self.apply_plan(plan, event).await
    }

    /// Seals a file of the user for a time.
    pub(crate) fn seal_upload(
        &self,
        file: &[u8],
        lifetime: Duration,
    ) -> Result<String, ManagementError> {
        let (management, until) = (self.management, self.now().plus(lifetime));
        let sealed = management.upload_seal.seal(
            self.user.id.as_str().as_bytes(),
            until,
            file,
            &*management.entropy,
        );
        sealed.map_err(|_| ManagementError::Failed("a file could not be sealed"))
    }

    /// Opens a file that was sealed for the user.
    pub(crate) fn open_upload(&self, sealed: &str) -> OpenedUpload {
        let seal = &self.management.upload_seal;
        match seal.open(self.user.id.as_str().as_bytes(), self.now(), sealed) {
            Ok(file) => OpenedUpload::File(file),
            Err(SealError::Expired) => OpenedUpload::Expired,
            Err(SealError::Invalid) => OpenedUpload::Unknown,
        }
    }

    /// Compares a file with the school, or returns why it is refused as a whole. Nothing is
    /// written.
    pub(crate) async fn plan_import(
        &self,
        import: &Import,
        file: &[u8],
    ) -> Result<Result<Plan, Refusal>, ManagementError> {
        match import.plan(self.school()?, file).await {
            Ok(plan) => Ok(Ok(plan)),
            Err(ImportError::File(refusal)) => Ok(Err(refusal)),
            Err(ImportError::Storage(error)) => Err(error.into()),
        }
    }

    /// Number of the built-in accounts that lose their access with a plan.
    pub(crate) async fn accounts_losing_access(
        &self,
        plan: &Plan,
    ) -> Result<usize, ManagementError> {
        let Some(accounts) = self.management.login_service.authenticator.accounts() else {
            return Ok(0);
        };
        let school = self.school_snapshot().await?;
        let leaving = plan.leaving();
        Ok(accounts.count_losing_access(&school, leaving).await?)
    }

    /// Writes what a plan shows, if the school still has the version that it was made for.
    pub(crate) async fn apply_import(&self, plan: &Plan) -> Result<ApplyOutcome, ManagementError> {
        let event = |_, versions| EventKind::Imported {
            by: self.user.id.clone(),
            kind: plan.kind(),
            added: plan.added(),
            changed: plan.changed(),
            removed: plan.removed(),
            versions,
        };
        self.apply_plan(plan, event).await
    }

    async fn apply_plan(
        &self,
        plan: &Plan,
        event: impl FnOnce(usize, [u64; 2]) -> EventKind,
    ) -> Result<ApplyOutcome, ManagementError> {
        let school = self.school()?;
        self.check_still_authenticated().await?;
        let concerns_students = plan.kind() == RecordKind::Students;
        if concerns_students {
            // The write may delete students, whose accounts are then known as those of leavers.
            self.management.reconcile_leavers().await?;
        }
        let outcome = plan.apply(school).await?;
        let before = plan.version();
        if let ApplyOutcome::Applied(after) = &outcome
            && *after != before
        {
            let records = plan.records().len().max(1);
            let event = event(records, [before.number, after.number]);
            self.management.record(self.origin, event);
            if concerns_students {
                self.management.reconcile_after_write().await;
            }
        }
        Ok(outcome)
    }
}

/// The fields of a changed record, each once: a mentioned record has a column for its id and one for
/// its name.
fn changed_fields(record: &PlannedRecord) -> Vec<&'static str> {
    if record.difference != Difference::Changed {
        return Vec::new();
    }
    let columns = record.fields.iter().map(|change| change.field);
    let fields = columns.map(|column| column.split_once('.').map_or(column, |(field, _)| field));
    let mut fields: Vec<_> = fields.collect();
    fields.dedup();
    fields
}
