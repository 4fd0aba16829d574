//! The accounts of students who have left.

use lyceum::directory::Directory;
use lyceum::http::auth_server::LeaverReport;

use crate::BoxError;
use crate::services::School;

/// Links accounts to their students before a write to the school, which may delete the students. The
/// accounts are then known as those of leavers.
pub async fn before_school_write(school: &School, directory: &Directory) -> Result<(), BoxError> {
    reconcile(school, directory).await.map(report)
}

/// Brings the accounts into line with the students after a write to the school, and says what
/// changed. `serve` does the same every hour.
pub async fn after_school_write(school: &School, directory: &Directory) -> Result<(), BoxError> {
    reconcile(school, directory).await.map(report)
}

async fn reconcile(school: &School, directory: &Directory) -> Result<LeaverReport, BoxError> {
    // `serve` may have written meanwhile.
    directory.check().await?;
    let students = directory.snapshot().await?;
    Ok(school.accounts()?.reconcile_leavers(&students).await?)
}

fn report(report: LeaverReport) {
    for (accounts, text) in [
        (
            report.suspended,
            "suspended, because their owners have left; in a day they are removed",
        ),
        (
            report.resumed,
            "resumed, because their owners are enrolled again",
        ),
        (
            report.removed,
            "removed, because their owners have left for a day",
        ),
    ] {
        if !accounts.is_empty() {
            println!("Accounts {text}: {}", accounts.len());
        }
    }
}
