//! The access of students who have left, kept in line with the directory.

use std::time::Duration;

use super::Management;
use crate::http::login::LeaverReport;
use crate::store::StorageError;

/// Pause between two reconciliations of [`Management::reconcile_leavers_hourly`].
const RECONCILE_INTERVAL: Duration = Duration::from_secs(60 * 60);

impl Management {
    /// Brings the built-in accounts into line with the students of the
    /// [directory](crate::http::auth_server::AuthServerBuilder::directory), as
    /// [`Accounts::reconcile_leavers`](crate::http::auth_server::Accounts::reconcile_leavers) does.
    /// Call it after a write that changes who is enrolled, and also before one that may delete
    /// students, whose accounts are then known as those of leavers. `None` without a directory, or if
    /// the users are not the built-in accounts.
    ///
    /// # Errors
    /// When the store of the directory does not respond, and nothing was changed; otherwise as
    /// [`Accounts::reconcile_leavers`](crate::http::auth_server::Accounts::reconcile_leavers).
    pub async fn reconcile_leavers(&self) -> Result<Option<LeaverReport>, StorageError> {
        let (Some(accounts), Some(directory)) = (
            self.login_service.authenticator.accounts(),
            self.students.directory(),
        ) else {
            return Ok(None);
        };
        accounts.reconcile_leavers_of(directory).await.map(Some)
    }

    /// Brings the accounts into line after a write to the school. A failure is logged, and the next
    /// run does the rest.
    #[cfg(feature = "console")]
    pub(super) async fn reconcile_after_write(&self) {
        if let Err(error) = self.reconcile_leavers().await {
            tracing::error!(
                target: "lyceum::auth",
                %error,
                "the accounts of students who have left were not checked; trying again within an hour"
            );
        }
    }

    /// Calls [`reconcile_leavers`](Self::reconcile_leavers) now and every hour, for enrollments that
    /// other processes end, and to remove accounts once the time to undo is over. `pause` sleeps for
    /// the given time, like `tokio::time::sleep`. Spawn the future beside the services; it never
    /// ends.
    ///
    /// ```no_run
    /// # async fn run(auth: lyceum::AuthServer) {
    /// tokio::spawn(auth.management().reconcile_leavers_hourly(tokio::time::sleep));
    /// # }
    /// ```
    pub fn reconcile_leavers_hourly<P: Future<Output = ()> + Send>(
        &self,
        mut pause: impl FnMut(Duration) -> P + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let management = self.clone();
        async move {
            loop {
                if let Err(error) = management.reconcile_leavers().await {
                    tracing::error!(
                        target: "lyceum::auth",
                        %error,
                        "the accounts of students who have left were not checked; trying again in an hour"
                    );
                }
                pause(RECONCILE_INTERVAL).await;
            }
        }
    }
}
