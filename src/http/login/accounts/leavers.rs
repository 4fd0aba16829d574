//! The access of students who have left the school.

use std::time::Duration;

use super::Accounts;
use crate::directory::Snapshot;
use crate::domain::{Account, AccountId, Role, StudentId, StudentProfile, SubjectId};
use crate::http::audit::{Change, ManagedObject};
use crate::http::login::owner_removal::owner_removal_changes;
use crate::store::{AccountRemoval, ApiKeyAction, LeaverChange, StorageError, StudentAccount};

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
    /// [`Accounts::LEAVER_UNDO_TIME`].
    pub removed: Vec<AccountId>,
}

/// What the directory says about the owner of an account.
enum OwnerStatus {
    Enrolled(StudentId),
    Left,
    /// No student, as far as is known.
    Unknown,
}

impl Accounts {
    /// Time within which the account of a student who has left can be resumed: a day.
    pub const LEAVER_UNDO_TIME: Duration = Duration::from_secs(24 * 60 * 60);

    /// Brings the accounts into line with the students of the school. It changes only what is out
    /// of line, so that it can run at any time and as often as wanted.
    ///
    /// * The account of a student who has left is suspended at once: no password is right, its
    ///   sessions and grants end, and its API keys and clients are suspended. If the API keys are in
    ///   another store, the data API refuses them as keys without an owner.
    /// * The account of a student who is enrolled again is resumed: the password, API keys and
    ///   clients from before work again.
    /// * An account that is suspended for [`LEAVER_UNDO_TIME`](Self::LEAVER_UNDO_TIME) is removed,
    ///   as by [`remove`](Self::remove).
    ///
    /// An account is a student's if the student's e-mail address is its own, ignoring case. While
    /// the student is enrolled, the account is linked to the student; it is then also recognized
    /// when the address in the directory changes, or the student is deleted from the directory,
    /// which counts as leaving. Accounts of administrators are never suspended, and accounts that
    /// were never a student's, such as those of teachers, are left alone.
    ///
    /// # Errors
    /// When the storage could not answer. What was changed until then stays, and the next run does
    /// the rest.
    pub async fn reconcile_leavers(&self, school: &Snapshot) -> Result<LeaverReport, StorageError> {
        let mut report = LeaverReport::default();
        let mut links = Vec::new();
        for StudentAccount { account, student } in self.storage.accounts_of_students().await? {
            let status = owner_status(school, &account, student);
            if let OwnerStatus::Enrolled(enrolled) = status
                && student != Some(enrolled)
            {
                links.push((account.id, enrolled));
            }
            let has_left = match status {
                OwnerStatus::Enrolled(_) => false,
                OwnerStatus::Left => account.role != Role::Admin,
                // The last known status of a student holds.
                OwnerStatus::Unknown => {
                    account.role != Role::Admin && account.password_hash.left_at().is_some()
                }
            };
            self.reconcile(&account, has_left, &mut report).await?;
        }
        for links in links.chunks(LINKED_AT_ONCE) {
            self.storage.link_students(links.to_vec()).await?;
        }
        Ok(report)
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
            (Some(left_at), true) if left_at.plus(Self::LEAVER_UNDO_TIME) <= now => {
                let removal = self.storage.remove_leaver(id, left_at, now).await?;
                if let AccountRemoval::Removed(removal) = removal {
                    let by = SubjectId::service();
                    self.record(&by, ManagedObject::Account(id), Change::Deleted, Vec::new());
                    for (object, change, fields) in owner_removal_changes(&removal) {
                        self.record(&by, object, change, fields);
                    }
                    report.removed.push(id);
                    self.end_api_keys(id, ApiKeyAction::Revoke).await?;
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

fn owner_status(school: &Snapshot, account: &Account, known: Option<StudentId>) -> OwnerStatus {
    let is_enrolled = |student: &StudentProfile| student.student.enrollment().is_some();
    let mut has_record = false;
    let mut enrolled = None;
    for record in school.students_with_email(&account.email) {
        has_record = true;
        if is_enrolled(record.value()) {
            let id = record.value().student.id;
            enrolled = Some(enrolled.map_or(id, |other: StudentId| other.min(id)));
        }
    }
    if let Some(student) = enrolled {
        return OwnerStatus::Enrolled(student);
    }
    match known {
        Some(student) => match school.students().get(student.get()) {
            Some(profile) if is_enrolled(profile) => OwnerStatus::Enrolled(student),
            _ => OwnerStatus::Left,
        },
        None if has_record => OwnerStatus::Left,
        None => OwnerStatus::Unknown,
    }
}
