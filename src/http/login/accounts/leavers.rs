//! The access of students who have left the school.

use std::collections::BTreeSet;
use std::time::Duration;

use super::Accounts;
use crate::directory::{Directory, Snapshot};
use crate::domain::{Account, AccountId, Role, StudentId, StudentProfile, SubjectId};
use crate::http::audit::{Change, ManagedObject};
use crate::http::login::owner_removal::owner_removal_changes;
use crate::store::{AccountRemoval, ApiKeyAction, LeaverChange, StorageError};

/// Accounts that are linked to their students in one transaction.
const LINKED_AT_ONCE: usize = 100;

/// Changes of a reconciliation of the accounts with the school's students.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LeaverReport {
    /// The accounts that were suspended, because their owners have left.
    pub suspended: Vec<AccountId>,
    /// The accounts that were resumed, because their owners are enrolled again.
    pub resumed: Vec<AccountId>,
    /// The accounts that were removed, because their owners have left for longer than
    /// [`Accounts::LEAVER_GRACE_PERIOD`].
    pub removed: Vec<AccountId>,
}

/// What the directory says about the owner of an account.
enum OwnerStatus {
    Enrolled(StudentId),
    /// The student, of whom there may be no record, has left.
    Left(StudentId),
    /// No student, as far as is known.
    Unknown,
}

impl Accounts {
    /// Time within which the account of a student who has left can be resumed: a day.
    pub const LEAVER_GRACE_PERIOD: Duration = Duration::from_secs(24 * 60 * 60);

    /// Brings the accounts into line with the students of the school. It changes only what is out
    /// of line, so that it can run at any time and as often as wanted.
    ///
    /// * The account of a student who has left is suspended at once: no password is right, its
    ///   sessions and grants end, and its API keys and clients are suspended. API keys in another
    ///   store are refused only by a data API with a
    ///   [`KeyOwnerCheck`](crate::http::data_api::KeyOwnerCheck).
    /// * The account of a student who is enrolled again is resumed: the password, API keys and
    ///   clients from before work again.
    /// * An account that is suspended for [`LEAVER_GRACE_PERIOD`](Self::LEAVER_GRACE_PERIOD) is removed,
    ///   as by [`remove`](Self::remove), and its API keys in the other
    ///   [store](super::AccountsBuilder::api_keys) are revoked.
    ///
    /// An account is a student's if the student's e-mail address is its own, ignoring case. It is
    /// then linked to the student, and follows this one whatever addresses the directory has later:
    /// a deletion from the directory counts as leaving. Another student with the address never gets
    /// the account, also not the same person under a new id: remove the account, and create one
    /// anew. Accounts of administrators are never suspended, and accounts that were never a
    /// student's, such as those of teachers, are left alone.
    ///
    /// The snapshot should be a current one, as after [`Directory::check`]. Calls run one after
    /// another.
    ///
    /// # Errors
    /// The first error, when the storage could not answer. Other accounts are changed all the same,
    /// and the next run does the rest.
    pub async fn reconcile_leavers(&self, school: &Snapshot) -> Result<LeaverReport, StorageError> {
        let _one_at_a_time = self.reconciling.lock().await;
        self.reconcile_with(school).await
    }

    /// Number of accounts that lose their access when these students, who are enrolled now, leave the
    /// school. To be shown before a write that ends many enrollments.
    ///
    /// # Errors
    /// When the storage does not respond.
    pub async fn count_losing_access(
        &self,
        school: &Snapshot,
        leaving: &BTreeSet<StudentId>,
    ) -> Result<usize, StorageError> {
        if leaving.is_empty() {
            return Ok(0);
        }
        let accounts = self.storage.all_accounts().await?.into_iter();
        let lose = accounts.filter(|account| {
            let is_leaving = match owner_status(school, account) {
                OwnerStatus::Enrolled(owner) => leaving.contains(&owner),
                OwnerStatus::Left(_) | OwnerStatus::Unknown => false,
            };
            is_leaving && account.role != Role::Admin
        });
        Ok(lose.count())
    }

    /// Brings the accounts into line with the students that the store of the directory has now. An
    /// outdated snapshot would suspend or remove accounts of students who are enrolled again.
    pub(in crate::http) async fn reconcile_leavers_of(
        &self,
        directory: &Directory,
    ) -> Result<LeaverReport, StorageError> {
        let _one_at_a_time = self.reconciling.lock().await;
        directory.check().await?;
        let school = directory.snapshot().await?;
        self.reconcile_with(&school).await
    }

    async fn reconcile_with(&self, school: &Snapshot) -> Result<LeaverReport, StorageError> {
        let mut statuses = Vec::new();
        let mut links = Vec::new();
        for account in self.storage.all_accounts().await? {
            let status = owner_status(school, &account);
            let link = match status {
                OwnerStatus::Enrolled(owner) => Some(owner),
                OwnerStatus::Left(owner) if account.role != Role::Admin => Some(owner),
                OwnerStatus::Left(_) | OwnerStatus::Unknown => None,
            };
            if let Some(owner) = link
                && account.student.is_none()
            {
                links.push((account.id, owner));
            }
            let has_left = match status {
                OwnerStatus::Enrolled(_) => false,
                OwnerStatus::Left(_) => account.role != Role::Admin,
                // The last known status of a student holds.
                OwnerStatus::Unknown => {
                    account.role != Role::Admin && account.password_hash.left_at().is_some()
                }
            };
            statuses.push((account, has_left));
        }
        // Before any suspension: a student who gets the address later must not end it.
        for links in links.chunks(LINKED_AT_ONCE) {
            self.storage.link_students(links.to_vec()).await?;
        }
        let mut report = LeaverReport::default();
        let mut failure = None;
        for (account, has_left) in statuses {
            if let Err(error) = self.reconcile(&account, has_left, &mut report).await {
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(report), Err)
    }

    async fn reconcile(
        &self,
        account: &Account,
        has_left: bool,
        report: &mut LeaverReport,
    ) -> Result<(), StorageError> {
        let (id, now) = (account.id, self.clock.now());
        match (account.password_hash.left_at(), has_left) {
            (None, true) => {
                let change = self.storage.suspend_leaver(id, now).await?;
                if self.record_leaver_change(id, change, Change::Suspended) {
                    report.suspended.push(id);
                }
            }
            (Some(_), false) => {
                let change = self.storage.resume_leaver(id).await?;
                if self.record_leaver_change(id, change, Change::Resumed) {
                    report.resumed.push(id);
                }
            }
            (Some(left_at), true) if left_at.plus(Self::LEAVER_GRACE_PERIOD) <= now => {
                // Before the removal, so that the next run tries again if it fails.
                self.end_api_keys(id, ApiKeyAction::Revoke).await?;
                let removal = self.storage.remove_leaver(id, left_at, now).await?;
                if let AccountRemoval::Removed(removal) = removal {
                    let by = SubjectId::service();
                    self.record(&by, ManagedObject::Account(id), Change::Deleted, Vec::new());
                    for (object, change, fields) in owner_removal_changes(&removal) {
                        self.record(&by, object, change, fields);
                    }
                    report.removed.push(id);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Records a change of an account and its clients, and returns whether there was one.
    fn record_leaver_change(&self, id: AccountId, outcome: LeaverChange, change: Change) -> bool {
        let LeaverChange::Changed(clients) = outcome else {
            return false;
        };
        let by = SubjectId::service();
        self.record(&by, ManagedObject::Account(id), change, Vec::new());
        for client in clients {
            self.record(&by, ManagedObject::Client(client), change, Vec::new());
        }
        true
    }
}

fn owner_status(school: &Snapshot, account: &Account) -> OwnerStatus {
    let is_enrolled = |student: &StudentProfile| student.student.enrollment().is_some();
    // Addresses are given again, such as those by class and number at the turn of the year: the
    // account stays the linked student's.
    if let Some(student) = account.student {
        return match school.students().get(student.get()) {
            Some(profile) if is_enrolled(profile) => OwnerStatus::Enrolled(student),
            _ => OwnerStatus::Left(student),
        };
    }
    let mut left = None;
    let mut enrolled = None;
    for record in school.students_with_email(&account.email) {
        let id = record.value().student.id;
        let found = match is_enrolled(record.value()) {
            true => &mut enrolled,
            false => &mut left,
        };
        *found = Some(found.map_or(id, |other: StudentId| other.min(id)));
    }
    match (enrolled, left) {
        (Some(student), _) => OwnerStatus::Enrolled(student),
        (None, Some(student)) => OwnerStatus::Left(student),
        (None, None) => OwnerStatus::Unknown,
    }
}
