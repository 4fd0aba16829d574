//! The accounts of students who have left.

use lyceum::directory::Directory;
use lyceum::http::auth_server::LeaverReport;

use crate::BoxError;
use crate::services::School;

/// Brings the accounts into line with the students, and says what changed. Commands call it after a
/// write to the school, and also before one that may delete students, whose accounts are then known
/// as those of leavers. `serve` does the same every hour.
pub async fn reconcile_leavers(school: &School, directory: &Directory) -> Result<(), BoxError> {
    // `serve` may have written meanwhile.
    directory.check().await?;
    let students = directory.snapshot().await?;
    report(&school.accounts()?.reconcile_leavers(&students).await?);
    Ok(())
}

fn report(report: &LeaverReport) {
    for (accounts, text) in [
        (
            &report.suspended,
            "suspended, because their owners have left; in a day they are removed",
        ),
        (
            &report.resumed,
            "resumed, because their owners are enrolled again",
        ),
        (
            &report.removed,
            "removed, because their owners have left for a day",
        ),
    ] {
        if !accounts.is_empty() {
            println!("Accounts {text}: {}", accounts.len());
        }
    }
}
