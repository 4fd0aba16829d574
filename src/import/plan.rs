use std::collections::BTreeSet;
use std::fmt;

use sha2::{Digest, Sha256};

use super::diff::{Difference, PlannedRecord};
use super::file::Encoding;
use super::refusal::Refusal;
use crate::directory::{Directory, DirectoryChange, RejectionReason, Snapshot, WriteOutcome};
use crate::domain::{RecordKind, StudentId};
use crate::store::{DatasetVersion, StorageError};

/// What an import would change, for one version of the directory.
///
/// It displays as lines for people: `+` for a new record, `~` for a changed one with its fields
/// before and after, `-` for one that is gone, and `!` for a line that is refused. It has personal
/// data; the counts and [`refused`](Self::refused) have none.
#[derive(Clone)]
pub struct Plan {
    pub(super) kind: RecordKind,
    pub(super) version: DatasetVersion,
    pub(super) file: FileFacts,
    pub(super) records: Vec<PlannedRecord>,
    /// The cells of the records that are gone, in the order of their ids.
    #[cfg_attr(not(feature = "console"), expect(dead_code))]
    pub(super) gone: Vec<Vec<String>>,
    pub(super) consequences: Vec<PlannedRecord>,
    pub(super) refused: Vec<Refusal>,
    pub(super) changes: Vec<DirectoryChange>,
    /// The ids of the records of accepted rows, also of unchanged ones.
    pub(super) accepted: BTreeSet<i64>,
    pub(super) unchanged: usize,
    /// The enrolled students who leave the school with the changes.
    pub(super) leaving: BTreeSet<StudentId>,
    /// Whether rows may not have found their records.
    pub(super) suggests_match: bool,
    /// Former students whom the file lacks.
    pub(super) former_kept: usize,
    /// Records of the kind, without former students.
    pub(super) records_before: usize,
    pub(super) allows_removals: bool,
    pub(super) skips_refused: bool,
    /// Whether records that the file lacks are kept because of refused lines.
    pub(super) keeps_missing: bool,
    /// Whether the file has all records of the kind, so that applying it makes the kind current.
    pub(super) is_complete: bool,
}

/// What was found in the file.
#[derive(Debug, Clone)]
pub(super) struct FileFacts {
    pub(super) encoding: Encoding,
    /// Each heading with the name of its column.
    pub(super) columns: Vec<(String, String)>,
    pub(super) rows: usize,
}

/// Why a plan is not applied; it displays as a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// Lines are refused, and [`Import::skip_refused`](super::Import::skip_refused) is not set.
    RefusedLines(usize),
    /// More than a tenth of the records, or of the enrolled students, would be removed, and
    /// [`Import::allow_removals`](super::Import::allow_removals) is not set.
    Shrinks {
        /// Number of records that would be removed.
        removed: usize,
        /// Number of records of the kind, of students the enrolled ones.
        of: usize,
    },
    /// There are more changes than one transaction has.
    TooManyChanges(usize),
}

/// Outcome of applying a plan; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ApplyOutcome {
    /// Everything that the plan shows is stored, and the directory has this version.
    Applied(DatasetVersion),
    /// Nothing is stored, because the directory has changed since the plan was made. Make a new one.
    Outdated,
    /// Nothing is stored, because of this obstacle.
    Obstructed(Obstacle),
    /// Nothing is stored, because the directory rejects a change, such as the first record beyond
    /// its limit.
    Rejected(RejectionReason),
}

impl Plan {
    /// The kind of the records.
    pub const fn kind(&self) -> RecordKind {
        self.kind
    }

    /// The version of the directory that the plan was made for. It is applied to no other.
    pub const fn version(&self) -> DatasetVersion {
        self.version
    }

    /// The encoding of the file.
    pub const fn encoding(&self) -> Encoding {
        self.file.encoding
    }

    /// The headings of the file, each with the name of its column in the data API.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let columns = self.file.columns.iter();
        columns.map(|(heading, column)| (heading.as_str(), column.as_str()))
    }

    /// The records that are new, changed or gone, the latter last.
    pub fn records(&self) -> &[PlannedRecord] {
        &self.records
    }

    /// The records of other kinds that change with them, such as a club that loses its leader.
    pub fn consequences(&self) -> &[PlannedRecord] {
        &self.consequences
    }

    /// The lines that are refused, in their order.
    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }

    /// Number of new records.
    pub fn added(&self) -> usize {
        self.count(Difference::Added)
    }

    /// Number of changed records.
    pub fn changed(&self) -> usize {
        self.count(Difference::Changed)
    }

    /// Number of records that are removed.
    pub fn removed(&self) -> usize {
        self.count(Difference::Gone)
    }

    /// Number of rows that are as the directory has them.
    pub const fn unchanged(&self) -> usize {
        self.unchanged
    }

    /// Number of former students whom a file with all students lacks. They stay.
    pub const fn former_kept(&self) -> usize {
        self.former_kept
    }

    /// The enrolled students who are removed, graduate or withdraw, and whose
    /// [accounts](crate::http::auth_server::Accounts::count_losing_access) lose their access then.
    pub const fn leaving(&self) -> &BTreeSet<StudentId> {
        &self.leaving
    }

    /// Whether about as many records are new as gone, as if rows had not found their records, and
    /// [`Import::match_by`](super::Import::match_by) is not set.
    pub const fn suggests_match(&self) -> bool {
        self.suggests_match
    }

    fn count(&self, difference: Difference) -> usize {
        let records = self.records.iter();
        records.filter(|it| it.difference == difference).count()
    }

    /// Whether the file has all records as they are, so that applying it only
    /// [confirms](Directory::confirm_data) that they are current.
    #[cfg(feature = "console")]
    pub(crate) fn only_confirms(&self) -> bool {
        self.is_complete && self.is_empty()
    }

    /// Whether nothing would change and no line is refused.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.refused.is_empty()
    }

    /// A code of 16 characters for the version and all changes. A plan with the same code shows the
    /// same.
    pub fn code(&self) -> String {
        code(self.version, &self.changes)
    }

    /// The changes that are written.
    pub(crate) fn changes(&self) -> &[DirectoryChange] {
        &self.changes
    }

    /// The cells of the records that are gone.
    #[cfg(feature = "console")]
    pub(crate) fn gone(&self) -> &[Vec<String>] {
        &self.gone
    }

    /// The ids of the records of accepted rows, also of unchanged ones.
    pub(crate) const fn accepted(&self) -> &BTreeSet<i64> {
        &self.accepted
    }

    /// Why the plan is not applied.
    pub fn obstacle(&self) -> Option<Obstacle> {
        let (removed, of) = (self.removed(), self.records_before);
        if !self.refused.is_empty() && !self.skips_refused {
            Some(Obstacle::RefusedLines(self.refused.len()))
        } else if removed.saturating_mul(10) > of && !self.allows_removals {
            Some(Obstacle::Shrinks { removed, of })
        } else if self.changes.len() > Directory::MAX_CHANGES {
            Some(Obstacle::TooManyChanges(self.changes.len()))
        } else {
            None
        }
    }

    /// Writes what the plan shows in one transaction, if the directory still has its version. A file
    /// with all records of its kind then also [confirms](Directory::confirm_data) that the kind is
    /// current, even if nothing had to be written. If the store does not respond to that, the plan
    /// is applied all the same, and the log says that the kind was not confirmed.
    ///
    /// # Errors
    /// When the store does not respond. It is then unknown whether the plan was applied.
    pub async fn apply(&self, directory: &Directory) -> Result<ApplyOutcome, StorageError> {
        if let Some(obstacle) = self.obstacle() {
            return Ok(ApplyOutcome::Obstructed(obstacle));
        }
        let changes = self.changes.clone();
        Ok(match directory.write_if(self.version, changes).await? {
            WriteOutcome::Written(version) => {
                // The records are stored: an error here would hide that from the caller.
                if self.is_complete
                    && let Err(error) = directory.confirm_data(self.kind.into()).await
                {
                    let kind = self.kind.as_str();
                    tracing::warn!(target: "lyceum::data", kind, %error, "an import did not confirm its records");
                }
                ApplyOutcome::Applied(version)
            }
            WriteOutcome::Contended => ApplyOutcome::Outdated,
            WriteOutcome::Rejected { reason, .. } => ApplyOutcome::Rejected(reason),
        })
    }
}

/// The enrolled students who leave the school with these changes.
pub(super) fn leaving(base: &Snapshot, changes: &[DirectoryChange]) -> BTreeSet<StudentId> {
    let leaving = changes.iter().filter_map(|change| match change {
        DirectoryChange::RemoveStudent(student) => Some(*student),
        DirectoryChange::PutStudent(student) => {
            student.enrollment().is_none().then_some(student.id)
        }
        _ => None,
    });
    let is_enrolled = |student: &StudentId| {
        let profile = base.students().get(student.get());
        profile.is_some_and(|profile| profile.student.enrollment().is_some())
    };
    leaving.filter(is_enrolled).collect()
}

/// A code of 16 characters for a version and what is written to it.
pub(crate) fn code(version: DatasetVersion, content: &impl fmt::Debug) -> String {
    let DatasetVersion {
        lineage,
        number,
        mark,
    } = version;
    let mut digest = Sha256::new();
    digest.update(format!("{lineage} {number} {mark} {content:?}"));
    let digest = digest.finalize();
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Omits the records, which are personal data.
impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("kind", &self.kind)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RefusedLines(lines) => {
                write!(f, "nothing is applied while lines are refused ({lines})")
            }
            Self::Shrinks { removed, of } => write!(
                f,
                "the file would remove {removed} of {of} records, more than a tenth"
            ),
            Self::TooManyChanges(changes) => write!(
                f,
                "the file makes {changes} changes, and one transaction has at most {}",
                Directory::MAX_CHANGES
            ),
        }
    }
}
